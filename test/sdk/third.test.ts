import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import type { Resource } from "../../provider/schema/resource";
import { dynamicForm } from "../../sdk/form";
import { isOfType, shareOmitted, superArguments } from "../../sdk/resource";
import { banner, lookout } from "../provider/made-up";
import { engineWithout, look } from "./lookups-harness";

/** The class that a contributor writes, without its types. */
function classOf(resource: Resource) {
  class Managed extends pulumi.CustomResource {
    [output: string]: unknown;
    static {
      shareOmitted(Managed, resource);
    }
    constructor(name: string, args: object) {
      super(...superArguments(resource, dynamicForm, name, args, {}));
    }
  }
  return Managed;
}
const [Banner, Lookout] = [classOf(banner), classOf(lookout)];
const resolved = async (output: unknown) => (await look(output as pulumi.Output<unknown>)).value;

test("a resource that nobody foresaw is what programs can use, by its one definition", async () => {
  const registered: pulumi.runtime.MockResourceArgs[] = [];
  await engineWithout(async (args) => {
    registered.push(args);
    return { id: "7", state: args.inputs };
  });
  const signUp = new Banner("sign-up", { title: "Sign-up", code: "s-1" });
  expect(await resolved(signUp.title)).toBe("Sign-up");
  expect([banner, lookout].map((each) => isOfType(each, signUp))).toEqual([true, false]);
  const overPlugin = { __pulumiType: "tracking:index:Lookout" };
  expect([banner, lookout].map((each) => isOfType(each, overPlugin))).toEqual([false, true]);
  const __provider = 'exports.handler = () => require("pulumi-tracking/host").Banner';
  expect(registered).toMatchObject([
    {
      type: "pulumi-nodejs:dynamic/tracking:Banner",
      name: "sign-up",
      inputs: { title: "Sign-up", code: "s-1", __provider },
    },
  ]);

  // With the defaults as inputs, and an output of nothing for what is omitted.
  const [tower, other] = ["tower", "other"].map((name) => new Lookout(name, { site: `${name}.example` }));
  expect(Object.keys(tower ?? {})).toEqual(expect.arrayContaining(["site", "door", "weekly"]));
  expect(Object.keys(tower ?? {})).not.toContain("ours");
  expect(tower?.ours).toBe(other?.ours);
  expect([await resolved(tower?.ours), await resolved(tower?.door)]).toEqual([undefined, "open"]);
});
