import { describe, expect, test } from "vitest";
import { type Import, imports, sources, textOf } from "./imports";

const code = ["provider", "sdk", "cli", "emulator"];
const all = imports(...code);
const within = (folder: string) => all.filter(({ by }) => by === folder || by.startsWith(`${folder}/`));

/** The imports that are not allowed; a rule that ends with `/` is a folder. */
function others(from: readonly Import[], ...allowed: string[]): string[] {
  const isAllowed = (of: string) =>
    allowed.some((each) => (each.endsWith("/") ? of.startsWith(each) : of === each));
  return from.filter(({ of }) => !isAllowed(of)).map(({ by, of }) => `${by} imports ${of}`);
}

/** The files that import this package, by any of its paths. */
function whoKnows(name: string): string[] {
  const known = all.filter(({ of }) => of === name || of.startsWith(`${name}/`));
  return [...new Set(known.map(({ by }) => by))];
}

test("the imports are found, of types too", () => {
  expect(all.length).toBeGreaterThan(100);
  expect(all).toContainEqual({ by: "provider/schema/field.ts", of: "zod" });
  expect(all).toContainEqual({ by: "provider/schema/host-name.ts", of: "node" });
  expect(all).toContainEqual({ by: "provider/api/http.ts", of: "got" });
  expect(all).toContainEqual({ by: "provider/lifecycle/check.ts", of: "provider/schema/validate.ts" });
  expect(all).toContainEqual({ by: "sdk/native.ts", of: "provider/resources/index.ts" });
});

/** What the plugin speaks to the engine by; it is bundled, and so no dependency of the package. */
const protocol = [
  "@grpc/grpc-js",
  ...["engine_grpc", "engine", "plugin", "provider_grpc", "provider", "status"].map(
    (name) => `@pulumi/pulumi/proto/${name}_pb`,
  ),
  ...["any", "empty", "struct"].map((name) => `google-protobuf/google/protobuf/${name}_pb`),
];

describe("who may import whom", () => {
  test("schema: zod and what comes with Node.js", () =>
    expect(others(within("provider/schema"), "provider/schema/", "zod", "node")).toEqual([]));

  test("resources: schema", () =>
    expect(others(within("provider/resources"), "provider/resources/", "provider/schema/")).toEqual([]));

  test("lookups: schema, zod, the port to the services, and what reads answers and lists and hides secrets over it", () => {
    const api = ["api", "denial", "envelope", "json", "pages", "record-reader", "redact"].map(
      (name) => `provider/api/${name}.ts`,
    );
    const allowed = ["provider/lookups/", "provider/schema/", ...api, "zod"];
    const data = within("provider/lookups").filter(({ by }) => by !== "provider/lookups/invoke.ts");
    expect(others(data, ...allowed)).toEqual([]);
  });

  test("what answers look-ups: the same, settings and suggestions, and so no host and no engine", () => {
    const allowed = ["api/", "config/", "schema/", "lookups/lookup.ts", "suggest.ts"];
    expect(
      others(within("provider/lookups/invoke.ts"), ...allowed.map((each) => `provider/${each}`)),
    ).toEqual([]);
  });

  test("lifecycle: schema and the port to the services, and so no resource, no transport and no engine", () => {
    const port = ["api", "envelope", "json"].map((name) => `provider/api/${name}.ts`);
    const allowed = ["provider/lifecycle/", "provider/schema/", ...port];
    expect(others(within("provider/lifecycle"), ...allowed)).toEqual([]);
  });

  test("the port to the services: nothing", () => expect(others(within("provider/api/api.ts"))).toEqual([]));

  test("what decides about sending again, and what hides secrets: nothing but the port", () => {
    for (const file of ["retry", "redact", "rate-limiter", "retry-budget", "circuit-breaker"])
      expect(others(within(`provider/api/${file}.ts`), "provider/api/api.ts")).toEqual([]);
  });

  test("api: no resource, no lifecycle, no host", () => {
    const allowed = ["provider/api/", "provider/config/", "got", "proxy-agent", "node"];
    expect(others(within("provider/api"), ...allowed)).toEqual([]);
  });

  test("a session: no resource by name, no host and no engine", () => {
    const allowed = ["api/", "config/", "lifecycle/", "schema/", "notices.ts", "refusals.ts", "suggest.ts"];
    expect(
      others(within("provider/session.ts"), ...allowed.map((each) => `provider/${each}`), "node"),
    ).toEqual([]);
  });

  test("a host: nothing of the sdk or the command line", () => {
    expect(
      others(
        within("provider/hosts"),
        "provider/",
        "@pulumi/pulumi",
        "@pulumi/pulumi/dynamic",
        ...protocol,
        "node",
      ),
    ).toEqual([]);
  });

  test("neither host knows the other", () => {
    expect(
      within("provider/hosts/native").filter(({ of }) => of.startsWith("provider/hosts/dynamic/")),
    ).toEqual([]);
    expect(
      within("provider/hosts/dynamic").filter(({ of }) => of.startsWith("provider/hosts/native/")),
    ).toEqual([]);
  });

  test("the engine's protocol: the host of the plugin, which bundles it", () => {
    const users = all.filter(({ of }) => protocol.includes(of)).map(({ by }) => by);
    for (const file of users) expect(file).toMatch(/^provider\/hosts\/native\//);
  });

  test("the provider as a whole: itself and its dependencies", () => {
    const allowed = [
      "provider/",
      "zod",
      "got",
      "proxy-agent",
      "fastest-levenshtein",
      "@pulumi/pulumi/dynamic",
      "@pulumi/pulumi",
      ...protocol,
      "node",
    ];
    expect(others(within("provider"), ...allowed)).toEqual([]);
  });

  test("emulator: itself, or it would agree with our mistakes", () =>
    expect(others(within("emulator"), "emulator/", "node")).toEqual([]));

  test("nobody but the command line and tests imports the emulator", () => {
    const users = all.filter(({ of }) => of.startsWith("emulator/")).map(({ by }) => by.split("/")[0]);
    expect([...new Set(users)].sort()).toEqual(["cli", "emulator"]);
  });

  test("nobody imports tests or tools", () => {
    expect(all.filter(({ of }) => /^(test|tools|examples|bench|dist)\//.test(of))).toEqual([]);
  });
});

describe("who knows what", () => {
  test("got: the one file behind the port", () => expect(whoKnows("got")).toEqual(["provider/api/http.ts"]));

  test("a proxy's agent: the same file", () =>
    expect(whoKnows("proxy-agent")).toEqual(["provider/api/http.ts"]));

  test("the engine: hosts, the sdk and the command line", () => {
    for (const file of whoKnows("@pulumi/pulumi")) expect(file).toMatch(/^(provider\/hosts|sdk|cli)\//);
  });

  test("the environment: the configuration", () => {
    const readers = sources(...code).filter((path) =>
      /process\s*\.\s*env|\benv\b.*from "node:process"/.test(textOf(path)),
    );
    expect(
      readers.filter((path) => !path.startsWith("provider/config/") && path !== "cli/config.ts"),
    ).toEqual([]);
  });

  test("every package that is imported is one that the package asks for", () => {
    const manifest = JSON.parse(textOf("package.json"));
    const asked = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const packages = all
      .filter(({ by }) => !by.startsWith("provider/hosts/native/"))
      .map(({ of }) => of)
      .filter((of) => of !== "node" && !code.some((folder) => of.startsWith(`${folder}/`)));
    const names = packages.map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
    expect([...new Set(names)].filter((name) => !asked.includes(name))).toEqual([]);
  });
});

test("examples import the package by its name, as a user's program does", () => {
  const used = imports("examples");
  expect(used.filter(({ of }) => of === "pulumi-tracking").length).toBeGreaterThan(0);
  for (const { by, of } of used) {
    const isOwn = of.startsWith(`${by.split("/").slice(0, 2).join("/")}/`);
    expect([by, of, isOwn || !/^(provider|sdk|cli|emulator|dist|examples)\//.test(of)]).toEqual([
      by,
      of,
      true,
    ]);
  }
});

/** Why a file has more than 150 lines. */
const reasonsForLength: Readonly<Record<string, string>> = {
  "provider/api/record-reader.ts":
    "counts the requests of all its ways to read, so that they stay within one limit",
  "provider/hosts/native/service.ts": "one method for each call of the protocol",
  "provider/lookups/item.ts": "two look-ups that share every shape of an item",
  "provider/lookups/purchase.ts": "two look-ups that share every shape of a purchase",
  "provider/lookups/records.ts": "the look-ups of one record and of many, which share arguments and record",
  "provider/schema/kinds.ts": "a table: each kind of field",
  "provider/session.ts": "a method for each call of a host, and what each is for",
  "sdk/declarations/node-reader.ts": "one walk over what the parser gives",
  "sdk/declarations/values.ts": "one reader for each shape that a value may have",
  "tools/declarations/print.mjs": "one case for each form of a declaration",
  "tools/demo/story.mjs": "the steps of the demo, one after the other",
  "tools/mutation/guards.mjs": "a table: each guard and how it is broken",
};

/** Which files know the time, wait or draw lots, and what for. */
const clocks: Readonly<Record<string, string>> = {
  "cli/pulumi/output.ts": "looks again and again at what Pulumi has written",
  "emulator/control/request-log.ts": "a test waits for a request",
  "emulator/faults/late-commits.ts": "a write that shows later",
  "emulator/faults/replies.ts": "a slow answer",
  "emulator/handle-request.ts": "a slow service",
  "emulator/service/operations.ts": "a list that lags behind",
  "emulator/service/router.ts": "requests a minute",
  "emulator/service/store.ts": "when a record was made",
  "provider/api/client.ts": "the wait before a retry, and its jitter",
  "provider/api/fetch-record.ts": "the wait for a copy that lags behind",
  "provider/api/rate-limiter.ts": "requests a minute, and pauses",
  "provider/api/record-reader.ts": "the age of a list, and who reads together",
  "provider/api/sleep.ts": "a wait that can be called off",
  "provider/hosts/journal.ts": "the age of a journal, and what the other processes write meanwhile",
  "provider/session.ts": "gives the lifecycle its clock and its waits",
};

/** Which files keep something for the whole process, and what. */
const processState: Readonly<Record<string, string>> = {
  "cli/interruption.ts": "the command that a signal interrupts",
  "provider/api/http.ts": "saves work: what speaks to proxies",
  "provider/api/limits.ts": "the limits of each origin",
  "provider/api/redact.ts": "the secrets",
  "provider/hosts/native/main.ts": "the process itself: its log, its plugin, its server",
  "provider/schema/identity.ts": "saves work: the keys of records",
  "provider/schema/validate.ts": "saves work: validators",
  "sdk/announcement.ts": "the run that the program is part of",
  "sdk/declarations/options.ts": "saves work: the shape of options",
  "sdk/form.ts": "numbers a program's declarations",
  "sdk/invoke.ts": "saves requests: what look-ups were answered",
  "sdk/plaintext-keys.ts": "what is said only once",
  "sdk/resource.ts": "one class for each resource and form",
};

describe("files", () => {
  const files = sources(...code);

  const lengths = sources(...code, "tools", "bench").map(
    (path) => [path, textOf(path).trimEnd().split("\n").length] as const,
  );

  test("have 150 lines at most, or a reason for more", () => {
    const long = lengths
      .filter(([, lines]) => lines > 150)
      .map(([path]) => path)
      .sort();
    expect(long).toEqual(Object.keys(reasonsForLength).sort());
  });

  test("have 200 lines at most, whatever the reason", () => {
    expect(lengths.filter(([, lines]) => lines > 200)).toEqual([]);
  });

  test("know the time, wait and draw lots only where that is what they are for", () => {
    const worldly = files.filter((path) =>
      /\bDate\.now\b|new Date\(\)|\bperformance\.|Math\.random|random(UUID|Bytes|Int)|\b(setTimeout|setInterval|setImmediate|hrtime)\b/.test(
        textOf(path),
      ),
    );
    expect(worldly).toEqual(Object.keys(clocks).sort());
  });

  test("keep something for the whole process only where that has a reason", () => {
    const state = /^(export )?(let \w|const \w+ = new (?!RegExp\(|Set\([^)]|Set\($))/m;
    const keepers = sources("provider", "sdk", "cli").filter((path) => state.test(textOf(path)));
    expect(keepers).toEqual(Object.keys(processState).sort());
  });

  test("are named after their subject, and not util, helper or types", () => {
    const words = /(^|[/.-])(utils?|helpers?|managers?|commons?|base|types|misc|shared)([/.-]|$)/i;
    expect(
      sources(...code, "test", "tools", "examples").filter((path) =>
        words.test(path.replace(".test.ts", ".ts")),
      ),
    ).toEqual(["test/sdk/types.test.ts"].filter((path) => sources("test").includes(path)));
  });

  test("contain no any, and silence no check", () => {
    const loud = files.filter((path) =>
      /\bas any\b|: any\b|<any>|@ts-(ignore|nocheck|expect-error)|biome-ignore/.test(textOf(path)),
    );
    expect(loud).toEqual([]);
  });

  test("contain no path of one machine", () => {
    const machine = files.filter((path) =>
      /["'`](\/(root|home|tmp|work|Users)\/|[A-Z]:\\\\)/.test(textOf(path)),
    );
    expect(machine).toEqual([]);
  });
});
