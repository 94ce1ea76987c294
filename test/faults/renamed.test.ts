import { expect, it } from "vitest";
import { adopting, scene } from "./scene";

it("keeps the record of a renamed resource if the run that renamed it ended before it dropped the old name", async () => {
  const { stack, control, declared } = await scene("Pixel");
  await stack.up([declared]);
  const renamed = { ...adopting(declared), name: "renamed" };
  const other = { ...declared, name: "other", args: { ...declared.args, name: "Other" } };
  await control.addFault({ match: { method: "POST" }, reply: "html", status: 422 });
  expect((await stack.up([renamed, other])).errors).toHaveLength(1);
  expect([...stack.state.keys()].sort()).toEqual(["one", "renamed"]);
  const before = await control.pixels();
  expect(before).toHaveLength(1);
  await stack.up([renamed, other]);
  expect(await control.pixels()).toEqual([...before, expect.objectContaining({ name: "Other" })]);
  expect([...stack.state.keys()].sort()).toEqual(["other", "renamed"]);
});
