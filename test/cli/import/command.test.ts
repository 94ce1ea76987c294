import { describe, expect, test } from "vitest";
import { tokenOf } from "../../../provider/hosts/dynamic/code";
import { website } from "../../../provider/resources";
import { account, KEY, sealed } from "../doctor/harness";
import { played } from "../played";
import { ran } from "../run-command";
import { urnOf } from "./harness";

const type = tokenOf(website);
const site = (name: string, id: string, more: object = {}) => ({
  urn: urnOf({ type, name }),
  type,
  id,
  inputs: { domain: `${name}.example` },
  ...more,
});

/** An account with three websites. */
const threeSites = () =>
  account({ seed: { websites: ["a", "b", "z"].map((each) => ({ domain: `${each}.example` })) } });

/** A project whose stack holds this, and whose program declares it all, of an account with three websites. */
async function project(
  resources: object[] = [],
  more: object = {},
  declared = resources,
  here = threeSites(),
) {
  const { config } = await here;
  const steps = declared.map((state) => ({ op: "same", urn: Reflect.get(state, "urn"), newState: state }));
  return played(
    {
      version: "echo v3.258.0",
      "config --json --show-secrets": config,
      "stack export": { deployment: { resources } },
      preview: 'echo "{}" > "$file"; cat preview.json',
      // A file holds what it prints: so it survives a terminal that is closed.
      import: '[ -f /dev/fd/1 ] && cp "$file" imported.json',
      ...more,
    },
    {
      "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
      "index.ts": "",
      "preview.json": JSON.stringify({ steps }),
    },
  );
}

describe.skipIf(process.platform === "win32")("the command", () => {
  const patterns = ["--match", "a.*", "--match", "b.*"];

  test("imports all declared that its patterns match, with one state at the end", async () => {
    const planned = ["a", "b", "z"].map((name) => site(name, ""));
    const steps = planned.map((newState) => ({ op: "create", urn: newState.urn, newState }));
    const entries = ["a", "b", "z"].map((name) => ({ type, name, id: "<PLACEHOLDER>" }));
    const { calls, read } = await project([], {
      preview: `echo '${JSON.stringify({ resources: entries })}' > "$file"; echo '${JSON.stringify({ steps })}'`,
    });
    expect(await ran("import", "--apply", ...patterns)).toMatchObject({ status: 0 });
    expect(JSON.parse(read("imported.json")).resources.map(({ id }: { id: string }) => id)).toEqual([
      "1",
      "2",
    ]);
    expect(
      calls().filter((each) => each.startsWith("import ") && each.endsWith(" without checkpoints")),
    ).toHaveLength(1);
  });

  test("prints neither a key nor what a terminal obeys", async () => {
    const esc = String.fromCharCode(27);
    await project();
    const { out } = await ran("import", "--out", `${esc}[31m${KEY}.ts`, ...patterns);
    expect(out).toContain("2 declared.");
    for (const each of [esc, KEY]) expect(out).not.toContain(each);
  });

  test("asks each provider's service, with the settings that the program declares now and the secrets in state", async () => {
    const seed = { websites: [{ id: 5, domain: "c.example" }] };
    const theirs = await account({ apiKey: "theirs-0123", seed });
    const [urn, type] = [
      "urn:pulumi:dev::shop::pulumi:providers:tracking::theirs",
      "pulumi:providers:tracking",
    ];
    const provider = (apiKey: unknown, analyticsBaseUrl: string) => {
      return { urn, type, id: "99", inputs: { explicit: "true", apiKey, analyticsBaseUrl } };
    };
    const others = [site("a", "8"), site("c", "8", { provider: `${urn}::99` })];
    const { status, out } = await project(
      [provider(sealed("theirs-0123"), "http://127.0.0.1:1"), ...others],
      {},
      [provider("[secret]", theirs.url), ...others],
    ).then(() => ran("import", "--declared", "--apply", "--stack", "live"));
    expect(status).toBe(0);
    expect(out).toContain("2 of the stack are gone or changed on the service");
  });

  test("imports nothing by a provider whose secrets no up has stored, names the command that stores them, and imports the rest", async () => {
    const [urn, type] = ["urn:pulumi:dev::shop::pulumi:providers:tracking::new", "pulumi:providers:tracking"];
    const inputs = { apiKey: "[secret]", analyticsBaseUrl: "http://127.0.0.1:1" };
    const planned = [{ urn, type, inputs }, site("a", "", { provider: `${urn}::1` }), site("b", "")];
    const steps = planned.map((newState) => ({ op: "create", urn: newState.urn, newState }));
    const entries = ["a", "b"].map((name) => ({ type: site(name, "").type, name, id: "<PLACEHOLDER>" }));
    const { read } = await project([], {
      preview: `echo '${JSON.stringify({ resources: entries })}' > "$file"; echo '${JSON.stringify({ steps })}'`,
    });
    const line = `website "a.example": the secrets of the provider "new" are not in the stack yet. Run "pulumi up --target ${urn}"`;
    for (const args of [["--declared"], ["--declared", "--apply"], []]) {
      const { status, out, error } = await ran("import", ...args);
      expect([status, out, error]).toEqual([
        1,
        expect.stringContaining(line),
        expect.stringContaining("1 can't be imported"),
      ]);
    }
    expect(JSON.parse(read("imported.json")).resources).toMatchObject([{ name: "b", id: "2" }]);
    // The stack's own service has another one of that domain.
    expect(read("tracking.ts")).toContain('"a.example"');
  });

  test("does not write what a provider may have, whose key no up has stored, at the stack's own address", async () => {
    const here = await threeSites();
    const [urn, type] = ["urn:pulumi:dev::shop::pulumi:providers:tracking::new", "pulumi:providers:tracking"];
    const provider = { urn, type, inputs: { apiKey: "[secret]", analyticsBaseUrl: here.url } };
    const planned = [provider, site("a", "", { provider: `${urn}::1` })];
    const steps = planned.map((newState) => ({ op: "create", urn: newState.urn, newState }));
    const preview = `echo '{"resources": []}' > "$file"; echo '${JSON.stringify({ steps })}'`;
    const { read } = await project([], { preview }, [], Promise.resolve(here));
    await ran("import");
    expect(read("tracking.ts").match(/domain: .*/g)).toEqual([
      'domain: "b.example",',
      'domain: "z.example",',
    ]);
  });

  test("does not write what the program imports by an option, nor another one by its name", async () => {
    const newState = site("a", "1", { urn: urnOf({ type, name: "b-example" }) });
    const steps = JSON.stringify({ steps: [{ op: "import", urn: newState.urn, newState }] });
    const { read } = await project([], {
      preview: `echo '{"resources": []}' > "$file"; echo '${steps}'`,
    });
    const { out } = await ran("import", ...patterns);
    expect(out).toContain('"a.example" (id 1) is skipped: the program declares it as "b-example"');
    expect(read("tracking.ts").match(/Website\(".*"/g)).toEqual(['Website("b-example-2"']);
  });

  test("needs a pulumi that can import", async () => {
    await project([], { version: "echo v3.99.0" });
    for (const option of ["--apply", "--declared"])
      expect(await ran("import", option)).toMatchObject({
        status: 1,
        error: expect.stringContaining("3.99.0 can't"),
      });
  });
});
