import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue } from "../../../provider/resources";

test.each(catalogue)(
  "every default of $type is in the states that the first version wrote",
  ({ type, inputs }) => {
    const { exported } = JSON.parse(readFileSync("test/engine/golden/0.1.0.json", "utf8"));
    const resources: { type: string; inputs: object }[] = exported.deployment.resources;
    const states = resources.filter((each) => each.type.endsWith(`:${type}`)).map((each) => each.inputs);
    const withDefault = Object.keys(inputs).filter((name) => inputs[name]?.default !== undefined);
    const missing = withDefault.filter((name) => !states.every((state) => name in state));
    expect(states.length).toBeGreaterThan(0);
    expect(missing, "A new field has no default: every existing resource would show a change.").toEqual([]);
  },
);
