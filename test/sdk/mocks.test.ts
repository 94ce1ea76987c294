import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import * as tracking from "../../sdk";

const shop = { id: "7", domain: "shop.example.com" };
/** A look-up of one answer and one of several: its arguments, what a mock answers, and what the program then gets. */
const found: [name: string, args: object, answer: object, result: unknown][] = [
  ["getWebsite", { domain: "shop.example.com" }, shop, shop],
  ["getWebsites", { search: "shop" }, { websites: [shop] }, [shop]],
];

let asked: pulumi.runtime.MockCallArgs[];
beforeEach(async () => {
  asked = [];
  const answers = Object.fromEntries(found.map(([name, , answer]) => [`tracking:index:${name}`, answer]));
  onTestFinished(() => pulumi.runtime.disconnect());
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: (call) => {
      asked.push(call);
      return answers[call.token] ?? {};
    },
  });
});

it.each(found)("%s is answered by a unit test's mocks, without settings", async (name, args, _, result) => {
  const forms = tracking as unknown as Record<string, (args: object) => unknown>;
  expect(await forms[name]?.(args)).toEqual(result);
  const output = forms[`${name}Output`]?.(args) as pulumi.Output<unknown>;
  expect(await new Promise((resolve) => output.apply(resolve))).toEqual(result);
  const call = { token: `tracking:index:${name}`, inputs: args };
  expect(asked).toMatchObject([call, call]);
});

it("a look-up by another resource's output is answered by the mocks with what they made of that resource", async () => {
  const { id } = new tracking.Website("shop", { domain: "shop.example.com" });
  const read = tracking.getWebsiteOutput({ id });
  expect(await new Promise((resolve) => read.apply(({ domain }) => resolve(domain)))).toBe(
    "shop.example.com",
  );
  expect(asked).toMatchObject([{ token: "tracking:index:getWebsite", inputs: { id: "shop-id" } }]);
});
