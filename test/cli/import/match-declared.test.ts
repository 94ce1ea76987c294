import { describe, expect, it } from "vitest";
import { type MatchResult, matchDeclared } from "../../../cli/import/match-declared";
import type { Deployment } from "../../../cli/pulumi/json-output";
import { heldRecords } from "../../../cli/stack-records";
import { codeOf, tokenOf } from "../../../provider/hosts/dynamic/identity";
import { website } from "../../../provider/resources";
import type { RemoteRecord } from "../../../provider/schema/codec";
import { urnOf } from "./harness";

const baseUrl = "https://analytics.example.com";
const type = tokenOf(website);
const record = (id: string, domain: string): RemoteRecord => ({ id, values: { domain, privacy: "private" } });

/** What an import of these declared domains comes to, by their names in the program. */
async function match(
  declared: Record<string, string>,
  records: readonly RemoteRecord[],
  deployment: Deployment = {},
): Promise<MatchResult> {
  const creates = Object.entries(declared).map(([name, domain]) => ({
    urn: urnOf({ type, name }),
    type,
    inputs: { domain, __provider: codeOf(website) },
  }));
  const file = { resources: Object.keys(declared).map((name) => ({ type, name })) };
  const held = heldRecords(deployment, {
    get: (key) => (key === "analyticsBaseUrl" ? baseUrl : undefined),
  });
  return matchDeclared({ creates, file }, held, async () => ({ baseUrl, records }));
}

const imported = ({ file }: MatchResult) => file.resources.map(({ name, id }) => [name, id]);

describe("a declared website", () => {
  it("is imported under its name if the service has exactly its domain", async () => {
    const result = await match({ shop: "SHOP.example." }, [
      record("7", "shop.example"),
      record("8", "a.example"),
    ]);
    expect(imported(result)).toEqual([["shop", "7"]]);
    expect(result.notes).toEqual([]);
  });

  it("is not imported if the service has only the same domain with or without www.", async () => {
    const result = await match({ shop: "www.shop.example" }, [record("7", "shop.example")]);
    expect(imported(result)).toEqual([]);
    expect(result.notes).toEqual([expect.stringContaining('but "shop.example" does (id 7)')]);
  });

  it("is not imported if two records have its domain", async () => {
    const result = await match({ shop: "shop.example" }, [
      record("7", "shop.example"),
      record("8", "shop.example"),
    ]);
    expect(imported(result)).toEqual([]);
    expect(result.notes).toEqual([
      expect.stringContaining("2 records match (id 7, id 8), so none is imported"),
    ]);
  });

  it("is not imported if another resource of the stack has its record, and the aliases of a renamed one are named first", async () => {
    const inputs = { domain: "shop.example" };
    const held = { urn: urnOf({ type, name: "help" }), type, id: "7", inputs };
    const result = await match({ support: "shop.example" }, [record("7", "shop.example")], {
      resources: [held],
    });
    expect(imported(result)).toEqual([]);
    expect(result.notes[0]).toMatch(
      /\(id 7\) as "support", but the stack manages it as "help".*aliases: \[\{ name: "help" \}\].*adopt: true/,
    );
  });

  it("that is declared twice is imported once", async () => {
    const result = await match({ shop: "shop.example", again: "Shop.example" }, [
      record("7", "shop.example"),
    ]);
    expect(imported(result)).toEqual([["shop", "7"]]);
    expect(result.notes).toEqual([
      expect.stringContaining('declares its record (id 7) twice; "shop" is imported with it'),
    ]);
  });
});
