import { stripVTControlCharacters } from "node:util";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { type Finding, formatReport, report } from "../../../cli/doctor/report";
import type { Config, StackResource } from "../../../cli/pulumi/json-output";
import { played } from "../played";
import { ran } from "../run-command";
import { account, KEY, plain, reportOn, stored, trouble } from "./harness";

/** The shape that `--json` promises; strict, so that nothing new comes in unseen. */
const shape = z.strictObject({
  format: z.literal(3),
  version: z.string(),
  stacks: z.array(z.string()),
  counts: z.strictObject({ error: z.int(), warning: z.int(), info: z.int() }),
  findings: z.array(
    z.strictObject({
      severity: z.enum(["error", "warning", "info"]),
      code: z.string().regex(/^[a-z]+(-[a-z]+)*$/),
      stacks: z.array(z.string()),
      service: z.enum(["analytics", "data", "market"]).optional(),
      record: z.strictObject({ type: z.string(), id: z.string() }).optional(),
      message: z.string().min(1),
      remedy: z.string().min(1).optional(),
    }),
  ),
});

test("the report has the shape that is promised, the worst first", async () => {
  const seed = { websites: [1, 2].map((id) => ({ id, domain: "b.example" })) };
  const made = await reportOn({ resources: [stored("Website", "a", 5, { domain: "a.example" })] }, seed);
  expect(trouble(made)).toEqual(["error record-missing", "warning duplicate-record"]);
  expect(made.counts).toEqual({ error: 1, warning: 1, info: 5 });
  const written: unknown = JSON.parse(JSON.stringify(made));
  expect(shape.parse(written)).toEqual(written);
  const broken = await reportOn({ config: { "tracking:dataBaseUrl": plain("nowhere") } });
  expect(shape.parse(JSON.parse(JSON.stringify(broken))).counts.error).toBe(2);
});

const finding = (given: Partial<Finding> = {}): Finding => ({
  severity: "warning",
  code: "unmanaged",
  stacks: ["dev"],
  message: "a record is in no stack",
  remedy: "import it",
  ...given,
});

test("as text, it has each remedy, and the sum in the last line", () => {
  const missing = finding({ severity: "error", code: "record-missing", message: "it\nis gone" });
  const made = report("1.0.0", ["dev"], [finding(), missing]);
  expect(stripVTControlCharacters(formatReport(made))).toBe(
    [
      "pulumi-tracking 1.0.0 checked stack dev",
      "",
      "  error    it is gone",
      "           → Import it",
      "  warning  a record is in no stack",
      "           → Import it",
      "",
      "1 error, 1 warning",
      "",
    ].join("\n"),
  );
});

test("as text, it names the stack if there are several, and shows ten of a kind", () => {
  const many = Array.from({ length: 1000 }, (_, at) => finding({ message: `record ${at} is in no stack` }));
  const text = (stacks: string[], found: Finding[]) =>
    stripVTControlCharacters(formatReport(report("1.0.0", stacks, found)));
  const shown = text(["dev", "live"], many);
  expect(shown).toContain("warning  [dev] record 0 is");
  expect(shown.split("is in no stack")).toHaveLength(11);
  expect(shown).toContain("… and 990 more of this kind; --json shows all");
  const usual = many.map((each): Finding => ({ ...each, severity: "info" }));
  expect(text(["dev"], usual)).toContain(
    '\n  info     Records in no stack that was read: 1000. "npx pulumi-tracking list" shows them\n\n',
  );
  expect(text(["dev"], usual.slice(7, 8))).toContain("\n  info     record 7 is in no stack\n\n");
});

describe.skipIf(process.platform === "win32")("the command", () => {
  /** A project with two stacks that hold this, of an account with two websites of one domain. */
  async function project(resources: StackResource[], more: (url: string) => Config = () => ({})) {
    const websites = [5, 6].map((id) => ({ id, domain: "b.example" }));
    const { config, url } = await account({ seed: { websites } });
    const steps = resources.map((state) => ({ op: "same", urn: state.urn, newState: state }));
    const answers = {
      version: "echo v3.258.0",
      config: { ...config, ...more(url) },
      "stack ls": [{ name: "dev" }, { name: "live" }],
      "stack export": { deployment: { resources } },
      "stack --show-name": "echo dev",
      preview: { steps },
    };
    const files = { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "ignored.txt": "b.example\n" };
    return played(answers, files);
  }

  test("ends with 1 on an error, and on a warning with --strict, unless its record is to be ignored", async () => {
    const statuses = async (...options: string[][]) => {
      const found: number[] = [];
      for (const each of options) found.push((await ran("doctor", ...each)).status);
      return found;
    };
    await project([]);
    expect(await statuses([], ["--strict"], ["--strict", "--ignore", "@ignored.txt"])).toEqual([0, 1, 0]);
    await project([stored("Website", "gone", 7, { domain: "gone.example" })]);
    expect(await statuses([], ["--json"])).toEqual([1, 1]);
  });

  test("reads the stacks that are named, each once, or all, and prints each finding in JSON", async () => {
    const { calls } = await project([]);
    const read = () => calls().flatMap((each) => /^config .*--stack (\w+)/.exec(each)?.[1] ?? []);
    const { out } = await ran("doctor", "--json", "--stacks", "live,dev,live");
    expect([JSON.parse(out).stacks, read()]).toEqual([
      ["live", "dev"],
      ["live", "dev"],
    ]);
    const unmanaged = JSON.parse(out).findings.filter(({ code }: Finding) => code === "unmanaged");
    expect(unmanaged.map(({ record }: Finding) => record?.id)).toEqual(["5", "6"]);
    const all = await ran("doctor", "--all-stacks");
    expect(stripVTControlCharacters(all.out)).toContain(" checked stacks dev, live\n");
  });

  test("says on the other stream what it asks, without a secret", async () => {
    await project([], (url) => ({ "tracking:dataBaseUrl": plain(`${url}/${KEY}`) }));
    vi.stubEnv("TRACKING_LOG", "debug");
    const { out, error } = await ran("doctor");
    expect(error).toMatch(/^GET .*\/api\/v1\/websites 200 /m);
    expect(out + error).not.toContain(KEY);
  });
});
