import { z } from "zod";
import { CommandFailure } from "../failure";

const properties = z.record(z.string(), z.unknown());

/** A resource in state or in a preview; secrets are encrypted without `--show-secrets`. */
const resourceState = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().exactOptional(),
  inputs: properties.exactOptional(),
  outputs: properties.exactOptional(),
  parent: z.string().exactOptional(),
  provider: z.string().exactOptional(),
  protect: z.boolean().exactOptional(),
  /** The program only reads it; it is managed elsewhere. */
  external: z.boolean().exactOptional(),
  /** It was replaced, and waits for its delete. */
  delete: z.boolean().exactOptional(),
});
export type ResourceState = Readonly<z.infer<typeof resourceState>>;

const deployment = z.object({
  resources: z.array(resourceState).exactOptional(),
  pending_operations: z.array(z.object({ resource: resourceState, type: z.string() })).exactOptional(),
});
/** A stack's state, as far as it is read here. */
export type Deployment = Readonly<z.infer<typeof deployment>>;

/** One resource of a file for `pulumi import`. */
const importEntry = z.looseObject({
  type: z.string(),
  name: z.string(),
  logicalName: z.string().exactOptional(),
  id: z.string().exactOptional(),
  parent: z.string().exactOptional(),
  provider: z.string().exactOptional(),
  version: z.string().exactOptional(),
  inputs: properties.exactOptional(),
  outputs: properties.exactOptional(),
});
export type ImportEntry = Readonly<z.infer<typeof importEntry>>;

const previewStep = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: resourceState.exactOptional(),
  newState: resourceState.exactOptional(),
});
/** One step of a preview. */
export type PreviewStep = Readonly<z.infer<typeof previewStep>>;

/** All JSON that `pulumi` prints or writes, by command. */
const outputSchemas = {
  "pulumi config": z.record(
    z.string(),
    z.object({ value: z.string().exactOptional(), secret: z.boolean().exactOptional() }),
  ),
  "pulumi stack export": z.object({ deployment: deployment.nullish() }),
  "pulumi stack ls": z.array(z.object({ name: z.string() })),
  "pulumi preview": z.object({
    steps: z.array(previewStep).exactOptional(),
    diagnostics: z
      .array(z.object({ severity: z.string().exactOptional(), message: z.string().exactOptional() }))
      .exactOptional(),
  }),
  /** The engine writes `{}` if the program creates nothing. */
  "pulumi preview --import-file": z.object({
    nameTable: z.record(z.string(), z.string()).exactOptional(),
    resources: z.array(importEntry).default([]),
  }),
} as const;
type OutputSchemas = typeof outputSchemas;

/** The config of a stack. */
export type Config = Readonly<z.infer<OutputSchemas["pulumi config"]>>;
/** The file for `pulumi import`. */
export type ImportFile = Readonly<z.infer<OutputSchemas["pulumi preview --import-file"]>>;

/** Parses a command's output. Throws a `CommandFailure` if it has another shape. */
export function parseOutput<Command extends keyof OutputSchemas>(
  command: Command,
  text: string,
): z.infer<OutputSchemas[Command]> {
  const schema: z.ZodType<z.infer<OutputSchemas[Command]>> = outputSchemas[command] as never;
  const result = schema.safeParse(jsonOf(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new CommandFailure(
    `"${command}" printed unexpected JSON at ${issue?.path.join(".") || "the root"}: ${issue?.message}`,
    "Update pulumi-tracking, or report it with the version of pulumi",
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
