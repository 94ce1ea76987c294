import { describe, expect, test } from "vitest";
import * as z from "zod";
import { addDoctorCommand } from "../../../cli/doctor/command";
import { codes, type Finding, report, severities, topics } from "../../../cli/doctor/finding";
import { formatReport } from "../../../cli/doctor/format-report";
import { satisfies, versionFindings } from "../../../cli/doctor/versions";
import { manifest } from "../../../cli/manifest";
import { ran } from "../run-command";
import { configAt, doctor, KEY, service, stored, trouble } from "./harness";

/** The shape that `--json` promises; strict, so that nothing new comes in unseen. */
const shape = z.strictObject({
  format: z.literal(2),
  version: z.string(),
  stacks: z.array(z.string()),
  counts: z.strictObject({ error: z.int(), warning: z.int(), info: z.int() }),
  findings: z.array(
    z.strictObject({
      topic: z.enum(topics),
      severity: z.enum(severities),
      code: z.enum(codes),
      stacks: z.array(z.string()),
      service: z.enum(["analytics", "data", "market"]).optional(),
      record: z.strictObject({ type: z.string(), id: z.string() }).optional(),
      message: z.string().min(1),
      remedy: z.string().min(1).optional(),
    }),
  ),
});

const finding = (given: Partial<Finding> = {}): Finding => ({
  topic: "records",
  severity: "warning",
  code: "unmanaged",
  stacks: ["dev"],
  message: "a record is in no stack",
  remedy: "import it",
  ...given,
});
const same = (text: string) => text;

describe("the report", () => {
  test("has the shape that is promised, with every kind of trouble in it", async () => {
    const emulator = await service({ seed: { websites: [{ id: 6, domain: "b.example" }], pixels: [] } });
    const resources = [stored("Website", "a", 5, { domain: "a.example" })];
    const config = configAt(emulator.url, {
      "tracking:marketApiKey": { value: "wrong-canary", secret: false },
    });
    const made = await doctor({ stacks: { dev: { config, deployment: { resources } } } }, { all: true });
    expect(trouble(made).length).toBeGreaterThan(3);
    const written: unknown = JSON.parse(JSON.stringify(made));
    expect(shape.parse(written)).toEqual(written);
  });

  test("is in the order of topics, the worst first, and counts", () => {
    const made = report(
      "1.0.0",
      ["dev"],
      [
        finding(),
        finding({ severity: "error", code: "record-missing" }),
        finding({ topic: "versions", severity: "info", code: "node-version" }),
      ],
      same,
    );
    expect(made.findings.map(({ code }) => code)).toEqual(["node-version", "record-missing", "unmanaged"]);
    expect(made.counts).toEqual({ error: 1, warning: 1, info: 1 });
  });

  test("passes every text through the one exit", () => {
    const [only] = report("1.0.0", [], [finding()], () => "clean").findings;
    expect([only?.message, only?.remedy]).toEqual(["clean", "clean"]);
  });
});

describe("the printed report", () => {
  const made = (found: Finding[], stacks = ["dev"]) => report("1.0.0", stacks, found, same);

  test("groups by topic, gives each trouble its remedy, and sums up in the last line", () => {
    const text = formatReport(
      made([finding(), finding({ severity: "error", code: "record-missing", message: "it is gone" })]),
      false,
    );
    expect(text).toBe(
      [
        "pulumi-tracking 1.0.0 checked stack dev",
        "",
        "Records",
        "  error    it is gone",
        "           → import it",
        "  warning  a record is in no stack",
        "           → import it",
        "",
        "1 error, 1 warning",
        "",
      ].join("\n"),
    );
  });

  test("says of which stack it speaks where there are several", () => {
    const text = formatReport(made([finding()], ["dev", "live"]), false);
    expect(text).toContain("checked stacks dev, live");
    expect(text).toContain("warning  [dev] a record");
  });

  test("shows ten of a kind and counts the rest", () => {
    const text = formatReport(made(Array.from({ length: 1000 }, () => finding())), false);
    expect(text.split("a record is in no stack")).toHaveLength(11);
    expect(text).toContain("… and 990 more of this kind; --json shows all");
  });

  test("is colored only on request", () => {
    expect(formatReport(made([finding()]), false)).not.toContain("\u001b[");
    expect(formatReport(made([finding()]), true)).toContain("\u001b[");
  });
});

describe("versions", () => {
  test.each([
    ["20.19.0", ">=20.19", true],
    ["20.18.9", ">=20.19", false],
    ["26.0.0", ">=20.19", true],
    ["3.216.0", "^3.216.0", true],
    ["3.215.9", "^3.216.0", false],
    ["4.0.0", "^3.216.0", false],
    ["v3.258.0-dev.1", ">=3.254.0", true],
  ])("%s in %s: %s", (version, range, expected) => expect(satisfies(version, range)).toBe(expected));

  const sound = {
    node: "20.19.0",
    pulumi: "3.254.0",
    sdk: "3.216.0",
    installed: manifest().version,
    project: true,
  };
  test.each([
    ["sound", {}, []],
    ["an old Node.js", { node: "18.20.0" }, ["error node-version"]],
    ["an old CLI", { pulumi: "3.253.0" }, ["warning pulumi-version"]],
    ["an old SDK", { sdk: "3.215.0" }, ["error sdk-version"]],
    ["another copy of the package", { installed: "0.0.1" }, ["warning package-version"]],
  ])("%s", (_says, message, expected) => {
    const found = versionFindings({ ...sound, ...message }, manifest());
    expect(
      found.filter(({ severity }) => severity !== "info").map(({ severity, code }) => `${severity} ${code}`),
    ).toEqual(expected);
  });

  test("a project without its packages, or without a pulumi command, is reported", async () => {
    const none = { stacks: {}, packages: {}, pulumi: undefined };
    expect(trouble(await doctor(none)).filter((each) => each.endsWith("missing"))).toEqual([
      "error pulumi-missing",
      "error sdk-missing",
      "error package-missing",
    ]);
    expect(trouble(await doctor({ ...none, project: false }))).toEqual(["error no-stack"]);
  });
});

describe("the command", () => {
  test.each([
    [["doctor", "--jsn"]],
    [["doctor", "--stacks"]],
    [["doctor", "--stacks", "a,,b"]],
    [["doctor", "--stacks", "a", "--all-stacks"]],
    [["doctor", "extra"]],
  ])("%j makes no command: status 2 and one line", async (args) => {
    const { status, out, error } = await ran(addDoctorCommand, ...args);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toMatch(/^error: [^\n]+\n$/);
  });

  test("help is shown for the asking, and the program's version", async () => {
    const help = await ran(addDoctorCommand, "doctor", "--help");
    expect(help.status).toBe(0);
    for (const option of ["--json", "--stacks", "--all-stacks"]) expect(help.out).toContain(option);
    expect(await ran(addDoctorCommand, "--version")).toEqual({
      status: 0,
      out: `${manifest().version}\n`,
      error: "",
    });
  });
});

test("no key is in what a person or a program reads, in whatever trouble", async () => {
  const emulator = await service();
  await emulator.control.configure({ echoKey: true });
  const config = configAt(emulator.url, {
    "tracking:dataApiKey": { value: "other-canary-key-98765", secret: false },
    "tracking:marketBaseUrl": { value: `https://u:${KEY}@host.example`, secret: false },
  });
  const made = await doctor({ stacks: { dev: { config } } });
  const words = formatReport(made, true) + JSON.stringify(made);
  for (const secret of [KEY, "other-canary-key-98765", KEY.slice(0, 12), encodeURIComponent(KEY)])
    expect(words).not.toContain(secret);
});
