import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue, website } from "../../../provider/resources";
import { optional } from "../../../provider/schema/field";
import { choice, flag } from "../../../provider/schema/kinds";
import type { Resource } from "../../../provider/schema/resource";
import { sessionOf, world } from "../harness";
import { site, stateOf, upTo } from "../sites";

/** A later `Website`, with fields that this one does not have and the service returns in every record. */
const later: Resource = {
  ...website,
  inputs: {
    ...website.inputs,
    mails: flag({ wire: "email" }),
    openTo: optional(choice({ public: 0, private: 1, password: 2 }, { wire: "privacy" })),
  },
};

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

test("fields that are new, including a boolean, change nothing on the resources of an earlier state, and cost no request", async () => {
  const { settings, control, lines } = await world({ seed: { websites: upTo(3).map(site) } });
  const requests = async (resource: Resource) => {
    control.clearRequests();
    const session = sessionOf(resource, settings);
    for (const id of upTo(3)) {
      const state = stateOf(id);
      const { domain } = state;
      const { values, failures } = await session.check(state, { domain });
      expect([values, failures]).toEqual([state, []]);
      expect(await session.diff(`${id}`, state, values)).toEqual({ changed: [], replaces: [] });
      expect(await session.read(`${id}`, state)).toEqual({ id: `${id}`, state });
    }
    return lines();
  };
  const before = await requests(website);
  expect(before.length).toBeGreaterThan(0);
  expect(await requests(later)).toEqual(before);
});

test("a new field is managed once a program sets it, and left alone once the program drops it", async () => {
  const { domain } = stateOf(1);
  const { mails } = later.inputs as { mails: Resource["inputs"][string] };
  const only: Resource = { ...website, inputs: { domain: website.inputs.domain, mails } };
  const here = await world({ seed: { websites: [site(1)] } }, only);
  const session = here.session();
  expect(await session.diff("1", { domain }, { domain, mails: true })).toMatchObject({ changed: ["mails"] });
  expect(await session.update("1", { domain }, { domain, mails: true })).toEqual({ domain, mails: true });
  expect(here.store.only()).toMatchObject({ email: 1 });
  expect(await session.diff("1", { domain, mails: true }, { domain })).toMatchObject({ changed: [] });
});
