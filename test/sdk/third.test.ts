import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";
import type { Resource } from "../../provider/schema/resource";
import { dynamicForm } from "../../sdk/form";
import { isOfType, registration, shareOmitted } from "../../sdk/resource";
import { banner, lookout } from "../provider/made-up";

const registered: pulumi.runtime.MockResourceArgs[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      registered.push(args);
      return { id: "7", state: args.inputs };
    },
    call: () => ({}),
  });
});

/** The class that a contributor writes, without its types. */
function classOf(resource: Resource) {
  class Managed extends pulumi.CustomResource {
    [output: string]: unknown;
    static {
      shareOmitted(Managed, resource);
    }
    constructor(name: string, args: object) {
      super(...registration(resource, dynamicForm, name, args, {}).parameters);
    }
  }
  return Managed;
}
const [Banner, Lookout] = [classOf(banner), classOf(lookout)];

const resolved = (output: unknown) =>
  new Promise((resolve) => (output as pulumi.Output<unknown>).apply(resolve));

describe("a resource that nobody foresaw, by its one definition", () => {
  test("is what programs can use, with a token and a text of its own", async () => {
    const signUp = new Banner("sign-up", { title: "Sign-up", code: "s-1" });
    expect(await resolved(signUp.title)).toBe("Sign-up");
    expect([banner, lookout].map((each) => isOfType(each, signUp))).toEqual([true, false]);
    const overPlugin = { __pulumiType: "tracking:index:Lookout" };
    expect([banner, lookout].map((each) => isOfType(each, overPlugin))).toEqual([false, true]);
    expect(registered).toMatchObject([
      {
        type: "pulumi-nodejs:dynamic/tracking:Banner",
        name: "sign-up",
        inputs: {
          title: "Sign-up",
          code: "s-1",
          __provider: 'exports.handler = () => require("pulumi-tracking/host").Banner',
        },
      },
    ]);
  });

  test("has the defaults as inputs, and an output of nothing for what is left out", async () => {
    const [tower, other] = ["tower", "other"].map((name) => new Lookout(name, { site: `${name}.example` }));
    expect(Object.keys(tower ?? {})).toEqual(expect.arrayContaining(["site", "door", "weekly"]));
    expect(Object.keys(tower ?? {})).not.toContain("ours");
    expect(tower?.ours).toBe(other?.ours);
    expect(await resolved(tower?.ours)).toBeUndefined();
    await resolved(other?.urn);
    expect(registered.find(({ name }) => name === "tower")?.inputs).toMatchObject({
      door: "open",
      weekly: true,
    });
  });
});
