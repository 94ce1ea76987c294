import { z } from "zod";
import { SECRET, SIGNATURE } from "../../provider/hosts/marshal";
import { CommandFailure } from "../failure";

const properties = z.record(z.string(), z.unknown());

export const resourceState = z.object({
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

/** What `pulumi preview --json` prints, even if it failed. */
export const preview = z.object({
  steps: z.array(z.object({ op: z.string(), urn: z.string(), ...step })).default([]),
  diagnostics: z
    .array(
      z.object({
        severity: z.string().exactOptional(),
        message: z.string().default(""),
        urn: z.string().exactOptional(),
      }),
    )
    .default([]),
});
export type EnginePreview = Readonly<z.infer<typeof preview>>;
export type EngineStep = EnginePreview["steps"][number];

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

/**
 * Returns the JSON in what a command printed, secrets opened, or undefined. Lines may stand before it: a wrapper of `pulumi`
 * says what it does.
 */
export function jsonIn(text: string): unknown {
  const printed = text.replace(/^\uFEFF/, "");
  for (const { index } of printed.matchAll(/^[[{]/gm))
    try {
      return JSON.parse(printed.slice(index), opener());
    } catch {
      // A line such as "[wrapper] pulumi 3.276.0".
    }
  return undefined;
}

/** Returns what a command printed as JSON. Throws a `CommandFailure` if it has another shape. */
export function shapeOf<T>(command: string, schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const reason = json === undefined ? "it is not JSON" : z.prettifyError(parsed.error);
  throw new CommandFailure(
    `"${command}" printed something unexpected: ${reason.replaceAll("\n", " ")}`,
    "Update pulumi-tracking, or report it with the version of pulumi",
  );
}

/** Parses a command's output, secrets opened. Throws a `CommandFailure` if it has another shape. */
export function parseOutput<T>(command: string, schema: z.ZodType<T>, text: string): T {
  return shapeOf(command, schema, jsonIn(text));
}
