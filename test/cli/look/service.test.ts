import { expect, test } from "vitest";
import { readAll } from "../../../cli/import/read-account";
import { heldRecords } from "../../../cli/look/held";
import { recordsBy, type ServiceRecords } from "../../../cli/look/service";
import { UnexpectedAnswer } from "../../../provider/api/api";
import { IMPORT } from "../../../provider/lifecycle/advice";
import { pixel, website } from "../../../provider/resources";
import { silent, type Ways } from "../../service";
import { account, doctor, reportOn, stored, trouble } from "../doctor/harness";

const pixels = Array.from({ length: 120 }, (_, at) => ({ id: at + 1, name: `P${at + 1}`, type: "facebook" }));

/** A service that gives the first hundred of its pixels, whatever page is asked for, and says nothing of more. */
async function cuttingOff(ways: Ways = {}) {
  const here = await account({ seed: { pixels } });
  here.control.become({ page: "ignored", says: silent, ...ways });
  return here;
}

/** What an import reads there. */
async function importing(ways?: Ways): Promise<ServiceRecords> {
  const { settings } = await cuttingOff(ways);
  return recordsBy(new Map(Object.entries(settings)), { warn: () => {}, debug: () => {} });
}

const CUT =
  "The service's list of pixels may be incomplete: it has 100 pixels, and nothing shows that it is complete";

test.each<[string, Ways]>([
  ["is cut off", {}],
  ["is cut off at its own total", { says: ({ here }) => ({ total: here }) }],
])("an import of a list that %s stops, and says how many were read and what to do", async (_, ways) => {
  const account = await importing(ways);
  await expect(readAll(pixel, account)).rejects.toThrow(
    `Nothing is imported. ${CUT}. Declare the pixels that you want and run "${IMPORT}"`,
  );
  expect(await readAll(website, account)).toEqual([]);
});

test("an import of what is declared asks the service for what such a list does not show", async () => {
  const account = await importing();
  expect(await account.find(pixel, "P111")).toMatchObject([{ id: "111" }]);
  expect(await account.find(pixel, "P121")).toEqual([]);
});

test("an import of what is declared can't tell what such a list does not show where the search is none", async () => {
  const account = await importing({ searches: false });
  expect(await account.find(pixel, "P99")).toMatchObject([{ id: "99" }]);
  await expect(account.find(pixel, "P111")).rejects.toThrow(UnexpectedAnswer);
});

test("a website without www. is not what became of a missing one with it", async () => {
  const websites = [
    { id: 1, domain: "shop.example" },
    { id: 2, domain: "Blog.example" },
  ];
  const resources = ["www.shop", "blog"].map((name, at) =>
    stored("Website", name, at + 8, { domain: `${name}.example` }),
  );
  // Of several that are elsewhere, the key would be in doubt.
  for (const [at, code] of ["record-missing", "wrong-id"].entries())
    expect(trouble(await reportOn({ resources: resources.slice(at, at + 1) }, { websites }))).toEqual([
      `error ${code}`,
    ]);
});

test("records of which the account has none are in doubt, unless others have shown that it is the right one", async () => {
  const { settings } = await account({ seed: { websites: [{ id: 9, domain: "a.example" }] } });
  const resources = ["a", "b"].map((name, at) =>
    stored("Website", name, at + 1, { domain: `${name}.example` }),
  );
  const held = heldRecords({ resources }, new Map(Object.entries(settings)));
  const services = recordsBy(new Map(Object.entries(settings)), { warn: () => {}, debug: () => {} });
  const [first, again] = [
    await services.verify(website, held),
    await services.verify(website, held, { skipsDoubt: true }),
  ];
  const statuses = ({ differing }: typeof first) => differing.map(({ standing }) => standing?.status);
  expect([first.doubts.length, statuses(first)]).toEqual([1, [undefined, undefined]]);
  expect([again.doubts, statuses(again)]).toEqual([[], ["displaced", "missing"]]);
});

test("the doctor says that it is not all", async () => {
  const { "tracking:marketBaseUrl": _, ...config } = (await cuttingOff()).config;
  const { findings } = await doctor({ stacks: { dev: { config } } });
  expect(findings.map(({ message }) => message).join()).toContain("(at least 100 pixels)");
});
