import { z } from "zod";
import { SECRET, SIGNATURE } from "../../provider/hosts/marshal";
import { CommandFailure } from "../failure";
import { explainFailure } from "./explain-failure";
import type { CommandResult } from "./process";

const properties = z.record(z.string(), z.unknown());

const resourceState = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().exactOptional(),
  inputs: properties.exactOptional(),
  outputs: properties.exactOptional(),
  parent: z.string().exactOptional(),
  provider: z.string().exactOptional(),
  protect: z.boolean().exactOptional(),
  retainOnDelete: z.boolean().exactOptional(),
  /** It has a provider: it is no component. */
  custom: z.boolean().exactOptional(),
  /** The program only reads it; it is managed elsewhere. */
  external: z.boolean().exactOptional(),
  /** It was replaced, and waits for its delete. */
  delete: z.boolean().exactOptional(),
  /** The names of its secret inputs and outputs, if its state was read with opened secrets. */
  secrets: z.array(z.string()).exactOptional(),
});
export type StackResource = Readonly<z.infer<typeof resourceState>>;

/** A stack's state, as far as it is read here. */
export const deployment = z.object({
  resources: z.array(resourceState).readonly().exactOptional(),
  pending_operations: z.array(z.object({ resource: resourceState, type: z.string() })).exactOptional(),
});
export type Deployment = Readonly<z.infer<typeof deployment>>;

/** One resource of a file for `pulumi import`. */
const importEntry = resourceState
  .omit({ urn: true })
  .extend({ name: z.string(), logicalName: z.string().exactOptional() })
  .loose();
export type ImportEntry = Readonly<z.infer<typeof importEntry>>;

const step = { oldState: resourceState.exactOptional(), newState: resourceState.exactOptional() };

const preview = z.object({
  steps: z.array(z.object({ op: z.string(), urn: z.string(), ...step })).default([]),
  diagnostics: z
    .array(z.object({ severity: z.string().exactOptional(), message: z.string().default("") }))
    .default([]),
});
export type EnginePreview = Readonly<z.infer<typeof preview>>;

/** The file for `pulumi import`; the engine writes `{}` if the program creates nothing. */
export const importFile = z.object({
  nameTable: z.record(z.string(), z.string()).exactOptional(),
  resources: z.array(importEntry).default([]),
});
export type ImportFile = Readonly<z.infer<typeof importFile>>;

export const config = z.record(
  z.string(),
  z.object({ value: z.string().exactOptional(), secret: z.boolean().exactOptional() }),
);
export type Config = Readonly<z.infer<typeof config>>;

/** Opens the secrets of an export with `--show-secrets`, and gives each resource the names of its own. */
function opener() {
  const secretsOf = new Map<object, string[]>();
  // What holds a value comes after it, and its parent after that.
  return function open(this: object, name: string, value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (name === "inputs" || name === "outputs") {
      const secrets = [...(Reflect.get(this, "secrets") ?? []), ...(secretsOf.get(value) ?? [])];
      Object.assign(this, { secrets });
      return value;
    }
    const text: unknown = Reflect.get(value, SIGNATURE) === SECRET && Reflect.get(value, "plaintext");
    // A list with a secret in it is one.
    if (typeof text !== "string" && !secretsOf.has(value)) return value;
    secretsOf.set(this, [...(secretsOf.get(this) ?? []), name]);
    // As plain text it is JSON there.
    return typeof text === "string" ? JSON.parse(text) : value;
  };
}

/** Parses a command's output, secrets opened. Throws a `CommandFailure` if it has another shape. */
export function parseOutput<T>(command: string, schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text.replace(/^\uFEFF/, ""), opener()));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it is not JSON";
    throw new CommandFailure(
      `"${command}" printed something unexpected: ${reason.replaceAll("\n", " ")}`,
      "Update pulumi-tracking, or report it with the version of pulumi",
    );
  }
}

/** Reads what a preview with `--json` printed, even if it failed. If the program can't begin, its own words say so. */
export function parsePreview(args: readonly string[], finished: CommandResult): EnginePreview {
  if (!finished.stdout.trimStart().startsWith("{")) throw explainFailure(args, finished);
  return parseOutput("pulumi preview", preview, finished.stdout);
}
