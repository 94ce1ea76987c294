import { expect, it } from "vitest";
import { declare, KEY, useHarness } from "./harness";
import { installed } from "./importing";

const world = useHarness();

const site = (name: string, args = {}, opts = {}) =>
  declare("Website", name, { domain: `${name}.example.com`, ...args }, opts);

/** What the installed command says, which ends with this code. */
async function said(args: string[] = [], expected = 0): Promise<string> {
  world.service.clearRequests();
  const { code, stdout, stderr } = await installed(world, ["preview", ...args]).finished;
  expect(code, stderr).toBe(expected);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  return stdout;
}

/** The lines of a part. */
const part = (title: string, text: string) =>
  new RegExp(`^${title}:\n((?:  .*\n)*)`, "m").exec(text)?.[1]?.replace(/^ {2}(warning: )?/gm, "") ?? "";

/** `test/cli` has every word of the steps; here, what the engine and the provider make of a change. */
it("shows what a change does, and quotes what the provider says of it and of what someone changed meanwhile", async () => {
  const secret = { privacy: "password", password: "first-secret" };
  const kept = ["edited", "lost"].map((name) => site(name)).join("");
  const before =
    kept +
    site("opened", { excludeIps: ["192.0.2.1"] }) +
    site("deleted", {}, { protect: false }) +
    site("moved", {}, { protect: false }) +
    site("freed") +
    site("closed", secret);
  await world.program(before);
  await world.up();
  world.service.seed({
    websites: [...world.service.websites(), { domain: "adopted.example.com", privacy: 1, exclude_bots: 1 }],
  });
  const after =
    kept +
    site("opened", { privacy: "public", excludeIps: [] }) +
    site("freed", {}, { protect: false }) +
    site("moved", { domain: "new.example.com" }, { protect: false }) +
    site("closed", { ...secret, password: "second-secret" }) +
    site("adopted", { adopt: true, privacy: "public" }) +
    declare("Pixel", "odd", { name: "Odd", type: "bing", value: "a b" }) +
    'pulumi.log.warn("this program warns");\n';
  await world.program(after);
  const text = await said();
  const [steps = "", messages = ""] = text.split("Messages:\n");
  expect(steps).toBe(`Websites and pixels: 1 deleted; 1 replaced; 1 no longer protected; 2 changed; 2 created.
Deleted:
  website deleted.example.com: its statistics are deleted
Replaced:
  website moved.example.com: domain "moved.example.com" → "new.example.com"; its statistics are deleted
No longer protected:
  website freed.example.com: protect true → false
Changed:
  website closed.example.com: an option of its resource, or a secret
  website opened.example.com: privacy "private" → "public"; excludeIps ["192.0.2.1"] → []
Created:
  website adopted.example.com: privacy "public"; if one exists, it is adopted
  pixel Odd: type "bing"
`);
  const id = world.website("adopted.example.com").id;
  for (const each of [
    "this program warns",
    'website "opened.example.com": its statistics page becomes public',
    'website "opened.example.com": its excludeIps.* will be emptied',
    'website "closed.example.com": its password changes',
    'website "moved.example.com": domain becomes "new.example.com"; to keep its statistics, declare a second website',
    `website "adopted.example.com" exists already .id ${id}. and will be adopted; what changes on it: privacy .now "private".`,
    'pixel "Odd": its value is not text of letters, digits, "-" and "_" only',
  ])
    expect(messages.match(new RegExp(each, "g")), each).toHaveLength(1);
  expect(text).not.toMatch(/(first|second)-secret/);

  await world.program(before);
  world.service.editWebsite(world.website("edited.example.com").id, { privacy: 0 });
  world.service.deleteWebsite(world.website("lost.example.com").id);
  const drifted = await said(["--", "--refresh", "--run-program", "--expect-no-changes"], 7);
  expect(drifted).toMatch(
    /^Websites and pixels: 2 differences between the service and the program: 1 deleted on the service; 1 changed\.\n/,
  );
  expect(part("Changed", drifted)).toBe(
    'website edited.example.com: privacy: someone set "public", and "pulumi up" sets "private"\n',
  );
  expect(part("Deleted on the service", drifted)).toBe(
    'website lost.example.com: someone deleted it, and "pulumi up" creates it, without its statistics\n',
  );
  expect(part("Messages", drifted)).not.toMatch(/no changes were expected/);
  expect(part("Messages", drifted)).toMatch(
    /"lost.example.com" .* is gone from the service\. .*without its statistics/,
  );
});

it("a change of a domain, and of a pixel's name, asks the service nothing, so a pull request needs no key that works", async () => {
  const pixel = (name: string) => declare("Pixel", "tag", { name, type: "bing", value: "1" });
  await world.program(site("shop") + pixel("GA"));
  await world.up();
  await world.program(site("shop", { domain: "new.example.com" }) + pixel("GB"));
  await world.configureHere({ url: world.service.url, key: "not-used" });
  world.service.clearRequests();
  const messages = await said();
  expect(world.service.requests()).toEqual([]);
  expect(messages).toMatch(/\n {2}website shop\.example\.com: /);
  await world.configureHere({ url: world.service.url, key: KEY });
});
