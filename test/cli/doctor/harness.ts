import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { diagnose } from "../../../cli/doctor/diagnose";
import type { Finding, Report } from "../../../cli/doctor/report";
import { CommandFailure } from "../../../cli/failure";
import type { Config, Deployment, StackResource } from "../../../cli/pulumi/json-output";
import type { CommandResult } from "../../../cli/pulumi/process";
import { Stack } from "../../../cli/pulumi/stack";
import type { StackOptions } from "../../../cli/stack-options";
import { type EmulatorOptions, service } from "../../service";

/** A stack as the `pulumi` command of a test gives it. */
export interface MadeUp {
  config?: Config;
  deployment?: Deployment;
  /** What the command says instead. */
  refusal?: string;
}

/** A project, its stacks by name, and its environment. The first stack is the selected one. */
interface Project {
  stacks?: Record<string, MadeUp>;
  env?: NodeJS.ProcessEnv;
  /** The CLI's version; nothing: there is no such command. */
  pulumi?: string | undefined;
  /** The text of Pulumi.yaml; nothing: there is no project. */
  project?: string | undefined;
}

/** Lays a project for the test; its `pulumi` command answers from what is given. */
export async function laid({ stacks = {}, env = {}, ...rest }: Project) {
  const project = "project" in rest ? rest.project : "name: made-up\nruntime: nodejs\n";
  const pulumi = "pulumi" in rest ? rest.pulumi : "3.258.0";
  const folder = await mkdtemp(join(tmpdir(), "doctor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  if (project !== undefined) await writeFile(join(folder, "Pulumi.yaml"), project);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  const logger = { warn: () => {}, debug: () => {} };
  return { folder, logger, open: (name?: string) => new Stack(name, (args) => answer(args, stacks, pulumi)) };
}

/** Runs the doctor on a project. */
export async function doctor(
  project: Project,
  selection: StackOptions = {},
  ignores?: (key: string) => boolean,
): Promise<Report> {
  const { folder, logger, open } = await laid(project);
  return diagnose({ ...selection, ignores }, folder, logger, open);
}

/** The report on one selected stack, at a service with these records. */
export async function reportOn(
  { resources = [], ...stack }: MadeUp & { resources?: StackResource[] },
  seed: EmulatorOptions["seed"] = {},
): Promise<Report> {
  const { config } = await account({ seed });
  return doctor({ stacks: { dev: { config, deployment: { resources }, ...stack } } });
}

async function answer(
  args: readonly string[],
  stacks: Record<string, MadeUp>,
  pulumi: string | undefined,
): Promise<CommandResult> {
  const done = (stdout: string) => ({ code: 0, stdout, stderr: "" });
  const refused = (stderr: string) => ({ code: 255, stdout: "", stderr: `error: ${stderr}\n` });
  if (pulumi === undefined) throw new CommandFailure("no pulumi", "Install it");
  const [first, second] = args;
  const line = `${first} ${second}`;
  const [selected] = Object.keys(stacks);
  if (first === "version") return done(`v${pulumi}\n`);
  if (line === "stack ls") return done(JSON.stringify(Object.keys(stacks).map((name) => ({ name }))));
  if (selected === undefined) return refused("no stack selected; please use `pulumi stack select`");
  if (line === "stack --show-name") return done(`${selected}\n`);
  const name = args[args.indexOf("--stack") + 1] ?? "";
  const stack = stacks[name];
  if (stack === undefined) return refused(`no stack named '${name}' found`);
  if (stack.refusal !== undefined) return refused(stack.refusal);
  if (first === "config") return done(JSON.stringify(stack.config ?? {}));
  return done(JSON.stringify({ version: 3, deployment: stack.deployment ?? {} }));
}

/** A service for one test, and the config of a stack that uses it. */
export async function account(options: EmulatorOptions = {}) {
  const here = await service({ apiKey: KEY, ...options });
  const rows = Object.entries(here.settings).map(
    ([name, value]) => [`tracking:${name}`, plain(value)] as const,
  );
  const config: Config = Object.fromEntries(rows);
  return { ...here, config };
}

/** The key of an account; nothing that a person sees may have it. */
export const KEY = "canary-key-0123456789";

export const plain = (value: string) => ({ value });

/** A resource as a stack's export has it. */
export function stored(
  type: string,
  name: string,
  id: number | string,
  values: Record<string, unknown>,
  more: Partial<StackResource> = {},
): StackResource {
  const properties = {
    ...values,
    __provider: `exports.handler = () => require("pulumi-tracking/host").${type}`,
  };
  return {
    urn: `urn:pulumi:dev::made-up::pulumi-nodejs:dynamic/tracking:${type}::${name}`,
    type: `pulumi-nodejs:dynamic/tracking:${type}`,
    id: String(id),
    inputs: properties,
    outputs: properties,
    provider: "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::default::1234",
    ...more,
  };
}

/** A value as an export with opened secrets has it. */
export function sealed(value: unknown): unknown {
  return {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
  };
}

/** Codes of all errors and warnings. */
export function trouble({ findings }: Report): string[] {
  return findings
    .filter(({ severity }) => severity !== "info")
    .map(({ severity, code }) => `${severity} ${code}`);
}

/** The one finding of this code. */
export function only({ findings }: Report, expected: string): Finding {
  const [found, ...further] = findings.filter(({ code }) => code === expected);
  expect(further, expected).toEqual([]);
  if (found === undefined)
    throw new Error(`no ${expected} among ${findings.map(({ code }) => code).join(", ")}`);
  return found;
}
