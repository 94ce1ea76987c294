import { expect, it } from "vitest";
import { declare, times, useHarness } from "./harness";

const world = useHarness();

it("a key that the config stores in plain text is warned of, once", async () => {
  const warning =
    'tracking:apiKey is stored in plain text in the stack\'s config; run "pulumi config set --secret tracking:apiKey"';
  await world.program(
    ["shop", "blog"].map((name) => declare("Website", name, { domain: `${name}.example.com` })).join(""),
  );
  await world.configureHere({ url: world.service.url, plain: { apiKey: "local-and-clear" } });
  const { stdout } = await world.preview();
  expect(times(stdout.slice(stdout.indexOf("\nDiagnostics:\n")), warning)).toBe(1);
});
