import { expect, it } from "vitest";
import { limitConn } from "../service/limiters";
import { declare, useHarness } from "./harness";

const world = useHarness();

const COUNT = 40;
const AT_ONCE = { args: ["--parallel", "16"] };

it("creates what a service takes that answers 503 to all but five at a time, and the rest at the next up, each once", async () => {
  world.service.standBehind(limitConn(5, { status: 503 }), 100);
  const sites = Array.from({ length: COUNT }, (_, at) =>
    declare("Website", `s${at}`, { domain: `s${at}.example.com` }, { protect: false }),
  );
  await world.program(sites.join(""));
  const first = await world.fail(["up", "--yes", "--skip-preview"], AT_ONCE);
  expect(first.output).toContain(
    '\n    Run "pulumi config set tracking:requestsPerMinute 30", or the number that the service allows, and the same command again\n',
  );
  const made = world.service.websites().length;
  expect(made).toBeGreaterThanOrEqual(COUNT - 6);
  expect(made).toBeLessThan(COUNT);

  const second = await world.up(AT_ONCE);
  expect(second.written).toHaveLength(COUNT - made);
  const domains = world.service.websites().map(({ domain }) => domain);
  expect(domains).toHaveLength(COUNT);
  expect(new Set(domains).size).toBe(COUNT);
});
