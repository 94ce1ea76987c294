import { expect, it } from "vitest";
import { page } from "../service";
import { scene } from "./scene";

it("D14: deletes the old record of a replacement with the next up, if its delete failed", async () => {
  const { stack, control, declared, path } = await scene("Website");
  await stack.up([declared]);
  control.addFault({
    match: { method: "DELETE", path: `${path}/*`, times: 0 },
    reply: page(500),
  });
  const moved = { ...declared, args: { ...declared.args, domain: "moved.example.com" } };
  const { errors } = await stack.up([moved]);
  expect(errors).toEqual([expect.stringContaining("(500")]);
  expect(control.websites()).toHaveLength(2);
  expect(stack.ids()).toHaveLength(2);
  control.clearFaults();
  expect(await stack.up([moved])).toMatchObject({ steps: ["delete one (old)"], errors: [] });
  expect(control.websites()).toMatchObject([{ domain: "moved.example.com" }]);
});
