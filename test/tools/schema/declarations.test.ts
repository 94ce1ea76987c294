import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { catalogue } from "../../../provider/resources";
import type { Resource } from "../../../provider/schema/resource";
import { jsonSchema } from "../../../tools/schema/declarations";
import { banner, lookout } from "../../provider/made-up";
import { right } from "../../sdk/declarations/right";
import { wrong } from "../../sdk/declarations/wrong";

/** Gives what the schema has to say of a file, as an editor asks it. */
function validator(resources: readonly Resource[]): (text: string) => string[] {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: true });
  ajv.addVocabulary(["errorMessage"]);
  const validate = ajv.compile(jsonSchema(resources));
  return (text) => {
    validate(parse(text));
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
const complaints = validator(catalogue);

describe("the schema for editors", () => {
  it.each(right.map(({ says, text }) => [says, text] as const))(
    "takes what declareFrom takes: %s",
    (_says, text) => expect(complaints(text)).toEqual([]),
  );

  it.each(wrong.filter(({ unseen }) => !unseen).map(({ says, text }) => [says, text] as const))(
    "refuses what declareFrom refuses: %s",
    (_says, text) => expect(complaints(text)).not.toEqual([]),
  );

  it.each(wrong.filter(({ unseen }) => unseen).map(({ says, text }) => [says, text] as const))(
    "leaves to declareFrom what no schema can know: %s",
    (_says, text) => expect(complaints(text)).toEqual([]),
  );

  it.each([
    ["domain: a.b, excludeIps: [300.1.1.1]", "/websites/a/excludeIps/0"],
    ["domain: a.b, options: { ignoreChanges: [colour] }", "/websites/a/options/ignoreChanges/0"],
    ["domain: a.b, password: { config: 'a b' }", "/websites/a/password/config"],
  ])("points at the value that is wrong: %s", (args, place) => {
    const [first] = complaints(`websites: { a: { ${args} } }`);
    expect(first?.split(" ")[0]).toBe(place);
  });

  it("has a resource by its definition alone", () => {
    const ofMadeUp = validator([banner, lookout]);
    const fine =
      "banners: { g: { title: G, code: 007 } }\nlookouts: { l: { site: l.b, ours: [us, 192.0.2.1] } }";
    expect(ofMadeUp(fine)).toEqual([]);
    expect(ofMadeUp("websites: {}")).not.toEqual([]);
    expect(ofMadeUp("banners: { g: { title: G, code: c, source: myspace } }")).not.toEqual([]);
    expect(ofMadeUp("lookouts: { l: { site: l.b, phrase: clear } }")).not.toEqual([]);
  });

  it("describes every key, and has the sentence of its argument for every pattern that a value may miss", () => {
    const unsaid: string[] = [];
    const visit = (schema: unknown, path: string) => {
      if (typeof schema !== "object" || schema === null) return;
      const { pattern, errorMessage, properties, patternProperties } = schema as Record<string, unknown>;
      const argument = /properties\/(exclude\w+)/.exec(path)?.[1] ?? "";
      const isOwn = errorMessage !== undefined && String(errorMessage).startsWith(argument);
      if (pattern !== undefined && !isOwn) unsaid.push(`${path}: ${pattern}: ${errorMessage}`);
      for (const [name, each] of Object.entries({
        ...(properties as object),
        ...(patternProperties as object),
      }))
        if ((each as { description?: string }).description === undefined) unsaid.push(`${path}/${name}`);
      for (const [name, each] of Object.entries(schema)) visit(each, `${path}/${name}`);
    };
    visit(jsonSchema(catalogue), "");
    expect(unsaid).toEqual([]);
  });
});
