import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { type ResourceArgs, resourceClass } from "../../sdk/resource";
import { goal, lookout } from "../provider/made-up";

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

describe("a resource that nobody foresaw, by its one definition", () => {
  test("is a class that programs can use, with a token and a text of its own", async () => {
    const Goal = resourceClass(goal);
    const signUp = new Goal("sign-up", { title: "Sign-up", code: "s-1" });
    const title = await new Promise((resolve) => signUp.title.apply(resolve));
    expect([Goal.name, title, Goal.isInstance(signUp)]).toEqual(["Goal", "Sign-up", true]);
    expect(registered).toMatchObject([
      {
        type: "pulumi-nodejs:dynamic/tracking:Goal",
        name: "sign-up",
        inputs: {
          title: "Sign-up",
          code: "s-1",
          __provider: 'exports.handler = () => require("pulumi-tracking/host").Goal',
        },
      },
    ]);
  });

  test("has arguments and outputs of the types that its fields have", () => {
    type Args = ResourceArgs<typeof goal.inputs>;
    expectTypeOf<keyof Args>().toEqualTypeOf<"title" | "code" | "source" | "adopt">();
    expectTypeOf<{ title: string; code: string }>().toExtend<Args>();
    expectTypeOf<{ title: string }>().not.toExtend<Args>();
    expectTypeOf<"bing">().toExtend<Args["source"]>();
    expectTypeOf<"myspace">().not.toExtend<Args["source"]>();
    const Goal = resourceClass(goal);
    expectTypeOf<InstanceType<typeof Goal>["code"]>().toEqualTypeOf<pulumi.Output<string>>();
    expectTypeOf<InstanceType<typeof Goal>["source"]>().toEqualTypeOf<
      pulumi.Output<"facebook" | "twitter" | "bing" | "x">
    >();
  });

  test("has its secrets kept without a word in the program", () => {
    const Lookout = resourceClass(lookout);
    expectTypeOf<InstanceType<typeof Lookout>["phrase"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
    const { phrase } = new Lookout("tower", { site: "l.example", phrase: "open sesame" });
    return expect((phrase as { isSecret?: Promise<boolean> }).isSecret).resolves.toBe(true);
  });

  test("has the defaults as inputs, an output of nothing for what is left out, and its type over the plugin as alias", async () => {
    const Lookout = resourceClass(lookout);
    const [tower, other] = ["tower", "other"].map((name) => new Lookout(name, { site: `${name}.example` }));
    expect(Object.keys(tower ?? {})).toEqual(expect.arrayContaining(["site", "door", "weekly", "robots"]));
    expect(Object.keys(tower ?? {})).not.toContain("ours");
    expect(tower?.ours).toBe(other?.ours);
    expect(await new Promise((resolve) => tower?.ours.apply(resolve))).toBeUndefined();
    await new Promise((resolve) => other?.urn.apply(resolve));
    expect(registered.find(({ name }) => name === "tower")?.inputs).toMatchObject({
      door: "open",
      weekly: true,
    });
    const [alias] = Reflect.get(tower ?? {}, "__aliases") as pulumi.Output<string>[];
    expect(await new Promise((resolve) => alias?.apply(resolve))).toBe(
      "urn:pulumi:stack::project::tracking:index:Lookout::tower",
    );
  });
});
