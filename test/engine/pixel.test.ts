import { beforeAll, describe, expect, it } from "vitest";
import type { StoredPixel } from "../../emulator";
import { PixelType } from "../../sdk";
import { cases, declare, type Ran, useHarness } from "./harness";

/** One pixel, declared once and then changed. */
interface Change {
  says: string;
  before?: Record<string, unknown>;
  after: Record<string, unknown>;
  /** The form of the one request that the change needs; none if there is nothing to change. */
  sends?: Record<string, string>;
  stored: Partial<StoredPixel>;
}

const world = useHarness();

const changes: Change[] = [
  {
    says: "gets another name",
    after: { name: "Another name & more" },
    sends: { name: "Another name & more" },
    stored: { name: "Another name & more", type: "quora", value: "a-1_B" },
  },
  {
    says: "gets another value",
    after: { value: "G-2" },
    sends: { value: "G-2" },
    stored: { type: "quora", value: "G-2" },
  },
  ...Object.values(PixelType).map((type) => ({
    says: `becomes one of ${type}`,
    before: { type: type === "bing" ? "quora" : "bing" },
    after: { type },
    sends: { type },
    stored: { type, value: "a-1_B" },
  })),
  {
    says: "is the same where the program says x for twitter",
    before: { type: "twitter" },
    after: { type: "x" },
    stored: { type: "twitter" },
  },
  {
    says: "takes no notice of adopt where it is added",
    after: { adopt: true },
    stored: { type: "quora" },
  },
  {
    says: "takes no notice of adopt where it is dropped",
    before: { adopt: true },
    after: {},
    stored: { type: "quora" },
  },
];

/** All pixels go through the same commands at once, each with its own change. */
describe("a pixel with one changed argument", () => {
  let created: Ran;
  let changed: Ran;
  const ids: number[] = [];
  const after: StoredPixel[] = [];

  const program = (phase: "before" | "after") =>
    changes
      .map((change, at) =>
        declare("Pixel", `p${at}`, { name: `P ${at}`, type: "quora", value: "a-1_B", ...change[phase] }),
      )
      .join("");

  beforeAll(async () => {
    await world.program(program("before"));
    created = await world.up();
    for (const at of changes.keys()) ids.push(Number((await world.resource(`p${at}`)).id));
    await world.expectNoDiff();
    await world.program(program("after"));
    changed = await world.up();
    after.push(...(await world.service.pixels()));
    await world.expectNoDiff();
    expect((await world.refresh({ args: ["--expect-no-changes"] })).written).toEqual([]);
    await world.expectNoDiff();
  });

  it("is created by one POST of all three arguments", () => {
    expect(created.written).toHaveLength(changes.length);
    for (const { method, form } of created.written) {
      expect(method).toBe("POST");
      expect(Object.keys(form).sort()).toEqual(["name", "type", "value"]);
    }
  });

  it.each(cases(changes))("%s", (_says, { at, sends, stored }) => {
    const path = `/api/v1/pixels/${ids[at]}`;
    const written = changed.written.filter((each) => each.path === path);
    expect(written).toEqual(sends === undefined ? [] : [{ method: "PUT", path, form: sends }]);
    expect(after.find(({ id }) => id === ids[at])).toMatchObject({ name: `P ${at}`, ...stored });
  });

  it("needs only these requests", () => {
    expect(changed.written).toHaveLength(changes.filter(({ sends }) => sends !== undefined).length);
    expect(after).toHaveLength(changes.length);
  });
});

describe("a pixel on a newer server, which returns x for twitter", () => {
  it("has no diff in either spelling, before and after a refresh", async () => {
    await world.service.configure({ dialect: "newer" });
    await world.program(
      declare("Pixel", "old", { name: "Old", type: "twitter", value: "1" }) +
        declare("Pixel", "new", { name: "New", type: "x", value: "1" }),
    );
    await world.up();
    expect(await world.pixel("Old")).toMatchObject({ type: "x" });
    expect(await world.pixel("New")).toMatchObject({ type: "x" });
    await world.expectNoChange();
    expect((await world.refresh({ args: ["--expect-no-changes"] })).written).toEqual([]);
    await world.expectNoChange();
  });
});
