import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";
import { addDoctorCommand } from "../../../cli/doctor/command";
import { type Finding, formatReport, report } from "../../../cli/doctor/report";
import { ran } from "../run-command";
import { plain, reportOn, stored, trouble } from "./harness";

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

test("as text, it has each remedy, the way to see drift, and the sum in the last line", () => {
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
      'Changes made on the service are not compared: see "npx pulumi-tracking list"',
      "1 error, 1 warning",
      "",
    ].join("\n"),
  );
});

test("as text, it names the stack if there are several, and shows ten of a kind", () => {
  const many = Array.from({ length: 1000 }, (_, at) => finding({ message: `record ${at} is in no stack` }));
  const text = stripVTControlCharacters(formatReport(report("1.0.0", ["dev", "live"], many)));
  expect(text).toContain("warning  [dev] record 0 is");
  expect(text.split("is in no stack")).toHaveLength(11);
  expect(text).toContain("… and 990 more of this kind; --json shows all");
  const usual = formatReport(
    report(
      "1.0.0",
      ["dev"],
      many.map((each) => ({ ...each, severity: "info" })),
    ),
  );
  expect(stripVTControlCharacters(usual)).toContain(
    '\n  info     Records in no stack that was read: 1000. "npx pulumi-tracking list" shows them\n\n',
  );
});

test("--stacks beside --all-stacks makes no command: status 2 and one line", async () => {
  const { status, out, error } = await ran(addDoctorCommand, "doctor", "--stacks", "a", "--all-stacks");
  expect([status, out]).toEqual([2, ""]);
  expect(error).toMatch(/^error: [^\n]+\n$/);
});

test("help fits a screen and has the exit codes and an example", async () => {
  const { status, out } = await ran(addDoctorCommand, "doctor", "--help");
  expect([status, out.split("\n").length < 25]).toEqual([0, true]);
  for (const part of ["--json", "--strict", "--stacks", "--all-stacks", "Exit codes:", "Example"])
    expect(out).toContain(part);
});
