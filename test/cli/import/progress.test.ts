import { expect, test, vi } from "vitest";
import { tokenOf } from "../../../provider/hosts/dynamic/code";
import { website } from "../../../provider/resources";
import { service } from "../../service";
import { Project } from "./harness";

const said: string[] = [];
vi.mock(import("../../../cli/progress.js"), () => ({
  withProgress: (what, work) => {
    said.push(what);
    return work();
  },
}));

test("an import says on a terminal what it is doing, in each part that may take long", async () => {
  const { settings } = await service({ seed: { websites: [{ id: 1, domain: "a.example" }] } });
  const shop = await new Project(settings).files({
    "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
    "index.ts": "",
  });
  shop.declares = [{ type: tokenOf(website), name: "a", inputs: { domain: "a.example" } }];
  expect((await shop.import({ apply: true })).failure).toBeUndefined();
  expect(said).toEqual([
    `Reading all websites at ${settings.analyticsBaseUrl}`,
    `Reading all pixels at ${settings.dataBaseUrl}`,
    "pulumi preview is running",
    "Comparing the stack and the program with the service",
    "pulumi import is running",
    "pulumi preview is running",
  ]);
});
