import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { catalogue } from "../../provider/resources";
import type { Resource } from "../../provider/schema/resource";
import { parametersOf } from "../model/sizes";
import { argumentsOf } from "../provider/arguments";
import { dialectNames } from "../service";
import { KEY, line, literal, useHarness } from "./harness";

const world = useHarness();

/** A service for each dialect, which an explicit provider of its name uses: one command is enough for all of them. */
const services = new Map<string, Awaited<ReturnType<typeof world.anotherService>>>();
beforeAll(async () => {
  for (const dialect of dialectNames) services.set(dialect, await world.anotherService({ dialect }));
});

/** How many there are in each dialect. */
const TOGETHER = 2;
/** Any arguments, with a key that no other resource at the service has. */
const configurations = fc.uniqueArray(
  fc
    .constantFrom(...catalogue)
    .chain((resource) =>
      argumentsOf(resource).map((args) => ({ type: resource.type, args, key: keyOf(resource, args) })),
    ),
  { minLength: TOGETHER, maxLength: TOGETHER, selector: ({ key }) => key },
);
const inEachDialect = fc.record(Object.fromEntries(dialectNames.map((dialect) => [dialect, configurations])));

/** As on the strictest server, where case in pixel names and www. in domains do not distinguish. */
function keyOf({ type, key, inputs }: Resource, args: Readonly<Record<string, unknown>>): string {
  return `${type} ${String(inputs[key]?.canonical(args[key]))
    .toLowerCase()
    .trim()
    .replace(/^www\./, "")}`;
}

/** The requests that the services have got since the last time. */
function sent() {
  const all = [...services.values()].flatMap((service) => {
    const requests = service.requests();
    service.clearRequests();
    return requests;
  });
  return { all: all.map(line), writes: all.filter(({ method }) => method !== "GET").map(line) };
}

it("has no diff after applying a configuration, and writes nothing more, in every dialect", async () => {
  const { numRuns, endOnFailure } = parametersOf("engineConfigurations");
  const law = fc.asyncProperty(inEachDialect, async (generated) => {
    const parts = Object.entries(generated).map(([dialect, all]) => {
      const url = services.get(dialect)?.url;
      const settings = { apiKey: KEY, analyticsBaseUrl: url, dataBaseUrl: url };
      const resources = all.map(
        ({ type, args }, at) =>
          `new tracking.${type}("${dialect}-${at}", ${literal(args)}, { provider, protect: false });`,
      );
      return `{ const provider = new tracking.Provider("${dialect}", ${literal(settings)}); ${resources.join(" ")} }\n`;
    });
    await world.program(parts.join(""));
    await world.up();
    expect(sent().writes).toHaveLength(dialectNames.length * TOGETHER);
    await world.expectNoChange();
    expect(sent().all).toEqual([]);
    await world.expectNoChange({ args: ["--refresh"] });
    expect(sent().writes).toEqual([]);
  });
  await fc.assert(law, { numRuns: Math.ceil(numRuns / dialectNames.length / TOGETHER), endOnFailure });
}, 3_600_000);
