import { describe, expect, it } from "vitest";
import { CommandFailure } from "../../../cli/failure";
import { type Account, identityOf } from "../../../cli/import/accounts";
import { declaredRows } from "../../../cli/import/declared-rows";
import type { PlanRow } from "../../../cli/import/row";
import { verifyAccounts } from "../../../cli/import/verify";
import { heldRecords } from "../../../cli/look/held";
import { ServiceRecords } from "../../../cli/look/service";
import type { Deployment } from "../../../cli/pulumi/json-output";
import { ApiError } from "../../../provider/api/api";
import { codeOf, tokenOf } from "../../../provider/hosts/dynamic/code";
import { pluginToken } from "../../../provider/hosts/native/tokens";
import { website } from "../../../provider/resources";
import type { RemoteRecord } from "../../../provider/schema/codec";
import type { Values } from "../../../provider/schema/resource";
import { urnOf } from "./harness";

const baseUrl = "https://analytics.example.com";
const type = tokenOf(website);
const record = (id: string, domain: string): RemoteRecord => ({ id, values: { domain, privacy: "private" } });

/** What an import of these declared domains comes to, by their names in the program. */
async function match(
  declared: Record<string, string>,
  records: readonly RemoteRecord[],
  deployment: Deployment = {},
  placed = Object.keys(declared),
  { type: token, ...more }: { type: string } & Values = { type, __provider: codeOf(website) },
): Promise<PlanRow[]> {
  const creates = Object.entries(declared).map(([name, domain]) => ({
    urn: urnOf({ type: token, name }),
    type: token,
    inputs: { domain, ...more },
  }));
  const file = { resources: placed.map((name) => ({ type: token, name })) };
  const source = new Map(Object.entries({ analyticsBaseUrl: baseUrl, apiKey: "key" }));
  const held = heldRecords(deployment, source);
  const page = {
    data: records.map(({ id, values: { domain }, createdAt: created_at }) => ({ id, domain, created_at })),
    meta: { total: records.length },
  };
  const service = new ServiceRecords(() => async (request) => {
    if (request.path === website.path) return { status: 200, body: page };
    throw new ApiError(request, "missing", "none", { status: 404 });
  });
  const own = { source, records: service };
  const accounts = { own, of: () => own };
  const { unreadAccounts } = await verifyAccounts(
    held.filter(({ isPendingDelete }) => !isPendingDelete),
    accounts,
  );
  return declaredRows(creates, { importFile: file, held, accounts, unreadAccounts });
}

const imported = (rows: readonly PlanRow[]) =>
  rows.flatMap(({ entry }) => (entry ? [[entry.name, entry.id]] : []));
/** The other rows' kinds, with a mark if the next `up` fails on it. */
const codes = (rows: readonly PlanRow[]) =>
  rows.flatMap(({ kind, isOpen, entry }) => (entry ? [] : isOpen ? `${kind}!` : kind));
const heldAs = (name: string, id: string, domain: string) => ({
  urn: urnOf({ type, name }),
  type,
  id,
  inputs: { domain },
});

describe("a declared website", () => {
  it("is not imported if the service has only the same domain with or without www.", async () => {
    const result = await match({ shop: "www.shop.example" }, [record("7", "shop.example")]);
    expect([imported(result), codes(result)]).toEqual([[], ["similar"]]);
    expect(result[0]?.text).toContain('but "shop.example" does (id 7)');
  });

  it.each([true, false])("is imported as the program protects it in the plugin's form: %s", async (value) => {
    const plugin = { type: pluginToken("Website"), deletionProtection: value };
    const declared = { shop: "shop.example" };
    const rows = await match(declared, [record("7", "shop.example")], {}, ["shop"], plugin);
    const known = { domain: "shop.example", deletionProtection: value };
    expect(rows).toMatchObject([{ entry: { id: "7", inputs: known, outputs: known } }]);
  });

  it("is not imported if two records have its domain", async () => {
    const records = [record("7", "shop.example"), record("8", "shop.example")];
    const result = await match({ shop: "shop.example" }, records);
    expect([imported(result), codes(result)]).toEqual([[], ["several!"]]);
    expect(result[0]?.text).toContain("(id 7, id 8)");
  });

  it("that is declared twice is imported once", async () => {
    const twice = { shop: "shop.example", again: "Shop.example" };
    const result = await match(twice, [record("7", "shop.example")]);
    expect([imported(result), codes(result)]).toEqual([[["shop", "7"]], ["similar"]]);
  });

  it("is not imported beside another resource of the stack that manages its record, nor if there is none", async () => {
    const resources = [heldAs("other", "7", "shop.example")];
    const declared = { shop: "shop.example", blog: "blog.example" };
    const result = await match(declared, [record("7", "shop.example")], { resources });
    expect([imported(result), codes(result)]).toEqual([[], ["held!", "absent"]]);
    expect(result[0]?.text).toContain("(id 7)");
  });

  it("is not to adopt what one resource leaves and another one keeps", async () => {
    const leaving = { ...heldAs("old", "7", "shop.example"), delete: true };
    const resources = [leaving, heldAs("other", "7", "shop.example")];
    const [row] = await match({ shop: "shop.example" }, [record("7", "shop.example")], { resources });
    expect(row?.text).toMatch(
      / \(id 7\) as "other"\. If it was renamed or moved, .* in aliases; else declare it once\.$/,
    );
  });

  it("is imported beside a resource that manages the record with its id in another installation", async () => {
    const urn = urnOf({ type: "pulumi:providers:pulumi-nodejs", name: "default" });
    const inputs = { "tracking:explicit": "true", "tracking:analyticsBaseUrl": "https://there.example" };
    const resources = [
      { urn, type: "pulumi:providers:pulumi-nodejs", inputs },
      { ...heldAs("there", "7", "shop.example"), provider: `${urn}::id` },
    ];
    const result = await match({ shop: "shop.example" }, [record("7", "shop.example")], { resources });
    expect([imported(result), codes(result)]).toEqual([[["shop", "7"]], []]);
  });

  it("that the engine's file lacks is named", async () => {
    const result = await match({ shop: "shop.example" }, [record("7", "shop.example")], {}, []);
    expect([imported(result), codes(result)]).toEqual([[], ["unplaced!"]]);
  });
});

it("a declared website is not looked for in an account that may be another one: its own ends the import", async () => {
  const accountOf = (apiKey: string) => ({
    source: new Map(Object.entries({ analyticsBaseUrl: baseUrl, apiKey })),
    records: new ServiceRecords(() => () => Promise.reject(new Error("it was asked"))),
  });
  const [own, theirs] = [accountOf("one"), accountOf("two")];
  const providerOf = (name: string) => `${urnOf({ type: "pulumi:providers:pulumi-nodejs", name })}::id`;
  const creates = [{ urn: urnOf({ type, name: "a" }), type, inputs: { domain: "a.example" } }];
  const rowsOf = (doubted: Account) =>
    declaredRows(
      creates.map((each) => ({ ...each, provider: providerOf("theirs") })),
      {
        importFile: { resources: [] },
        held: [],
        accounts: { own, of: () => doubted },
        unreadAccounts: new Map([
          [identityOf(website, doubted), new CommandFailure("It is another one", "Check it")],
        ]),
      },
    );
  expect(await rowsOf(theirs)).toEqual([
    { kind: "unread", text: 'website "a.example": It is another one. Check it.', isOpen: true },
  ]);
  await expect(rowsOf(own)).rejects.toThrow("Nothing is imported: It is another one. Check it.");
});

describe("a website of the stack", () => {
  it("whose id another record has keeps it, though another resource is declared by that one's domain", async () => {
    const resources = [heldAs("present", "3", "present.example"), heldAs("a", "1", "a.example")];
    const records = [record("1", "b.example"), record("3", "present.example")];
    const result = await match({ b: "b.example" }, records, { resources });
    expect([imported(result), codes(result)]).toEqual([[], ["held!"]]);
    expect(result[0]?.text).toBe(
      'website "b.example": the stack has this record (id 1) as "a". If it was renamed or moved, give that name in aliases; else declare it once.',
    );
  });

  it("that waits for its delete is not looked for", async () => {
    const resources = ["1", "2"].map((id) => ({ ...heldAs(`old-${id}`, id, "old.example"), delete: true }));
    expect(await match({}, [record("3", "old.example")], { resources })).toEqual([]);
  });

  it("is no doubt about the account if it is the only one, and one of several is if all are elsewhere", async () => {
    const records = [record("8", "a.example"), record("9", "b.example")];
    const all = [heldAs("a", "1", "a.example"), heldAs("b", "2", "b.example")];
    expect(await match({}, records, { resources: all.slice(1) })).toEqual([]);
    await expect(match({}, records, { resources: all })).rejects.toThrow(/none of the 2 .*tracking:apiKey/);
    // An id that leads to a record is not to be dropped from state.
    for (const resources of [all, all.toReversed()])
      await expect(match({}, [record("1", "new.example")], { resources })).rejects.toThrow(
        /^Nothing is imported: .*is another record on the service now: "new\.example"\. Check tracking:apiKey .*"pulumi state delete/,
      );
  });
});
