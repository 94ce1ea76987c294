import { expect, it } from "vitest";
import { guide } from "../docs/readme";
import { declare, useHarness } from "./harness";

const world = useHarness();

const PROTECTED =
  /::guarded\W+(cannot be deleted\W+because it is protected|as it is currently marked for protection)/;

interface Replaced {
  /** Its options, and those that it has with its new domain. */
  opts: object;
  later?: object;
  /** What is sent for its new domain, in order, and which of its records the service has afterwards. */
  sends: string[];
  leaves: string[];
}
const replaced = ["POST", "DELETE"];
const websites: Record<string, Replaced> = {
  open: { opts: { protect: false }, sends: replaced, leaves: ["new"] },
  retained: { opts: { retainOnDelete: true }, sends: ["POST"], leaves: ["old", "new"] },
  eager: {
    opts: { protect: false, deleteBeforeReplace: true },
    sends: ["DELETE", "POST"],
    leaves: ["new"],
  },
  // It does what the refusal says, without an up in between.
  persuaded: { opts: {}, later: { protect: false }, sends: replaced, leaves: ["new"] },
};
const site = (name: string, age: "old" | "new", opts: object = {}, args: object = {}) =>
  declare("Website", name, { domain: `${name}.${age}.example.com`, ...args }, opts);
const moved = Object.entries(websites)
  .map(([name, { opts, later = opts }]) => site(name, "new", later, { privacy: "public" }))
  .join("");

it("another domain is refused for a protected website, and so is a delete, and replaces any other as its options say", async () => {
  const { service } = world;
  const snapshot = async () => ({ stored: service.websites(), kept: await world.kept() });
  const before = Object.entries(websites).map(([name, { opts }]) => site(name, "old", opts));
  await world.program(before.join("") + site("guarded", "old"));
  await world.up();
  const { kept: old } = await snapshot();

  await world.program(before.join("") + site("guarded", "new"));
  const refused = await world.fail(["preview"]);
  expect(refused.output).toMatch(PROTECTED);
  expect(refused.written).toEqual([]);
  expect(refused.stdout).toContain("Otherwise they are deleted with it, unless it is protected or adopted");

  await world.program(moved + site("guarded", "old"));
  const up = await world.up();
  expect(up.stdout).toContain(
    'website "open.old.example.com": domain becomes "open.new.example.com"; to keep its statistics, declare a second website beside it instead. Otherwise they are deleted',
  );
  const { stored, kept } = await snapshot();
  for (const [name, { sends, leaves }] of Object.entries(websites)) {
    const sent = up.written.filter(
      ({ path, form }) => form.domain?.startsWith(`${name}.`) || path.endsWith(`/${old[name]?.id}`),
    );
    expect(
      sent.map(({ method }) => method),
      name,
    ).toEqual(sends);
    const ages = stored.filter(({ domain }) => domain.startsWith(`${name}.`));
    expect(
      ages.map(({ domain }) => domain.split(".")[1]),
      name,
    ).toEqual(leaves);
    const made = stored.find(({ domain }) => domain === `${name}.new.example.com`);
    expect([made?.privacy, String(made?.id)], name).toEqual([0, kept[name]?.id]);
  }
  expect(up.written).toHaveLength(7);
  expect(Object.keys(kept).sort()).toEqual([...Object.keys(websites), "guarded"].sort());

  // The lines of the protected one are gone. No other resource has anything to do.
  await world.program(moved);
  const [, quoted = "not quoted"] = /"(cannot be deleted [^"]*)"/.exec(guide) ?? [];
  const flat = (text: string) => text.replace(/\s+/g, " ");
  const last = await world.fail(["up", "--yes", "--skip-preview"]);
  expect(flat(last.output)).toContain(flat(quoted));
  expect(last.output).toMatch(PROTECTED);
  expect(last.sent).toEqual([]);
  expect(service.websites()).toContainEqual(expect.objectContaining({ domain: "guarded.old.example.com" }));
  expect(await world.resource("guarded")).toMatchObject({ protect: true });
});
