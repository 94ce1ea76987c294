import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { FILE_LINES } from "../../provider/hosts/marshal";
import { type Catalogue, catalogue } from "../../provider/resources";
import { type PluralName, pluralName, type Resource } from "../../provider/schema/resource";
import { dynamicForm, type Form } from "../form";
import { type ResourceOf, resourceClass } from "../resource";
import type { Declared } from "../resources";
import { DeclarationError, readDeclarations, type ValidEntry } from "./file";

/** Options for all resources of a file. */
export interface DeclareOptions
  extends Pick<
    pulumi.CustomResourceOptions,
    | "parent"
    | "provider"
    | "protect"
    | "retainOnDelete"
    | "deleteBeforeReplace"
    | "ignoreChanges"
    | "transforms"
    | "transformations"
  > {
  /** Resources that must exist before any of the file's. */
  dependsOn?: pulumi.Resource | readonly pulumi.Resource[];
}

/**
 * Declares all websites and pixels of one YAML file. The names in the file are the resources' names, so that a
 * declaration can move between TypeScript and YAML without a change. A resource option in the file overrides the same
 * one in `opts`, except that both `dependsOn` count.
 *
 * @param path the file; a relative path starts at the process's working directory, which in a Pulumi program is
 *   the folder of `Pulumi.yaml`, or of its `main`
 * @param opts for all of the file's resources
 * @throws {pulumi.RunError} that names all mistakes in the file, each with its line and column
 */
export function declareFrom(path: string, opts?: DeclareOptions): Declared {
  return declareAll<Catalogue[number]>(catalogue, path, opts);
}

/** The same for the resources of any catalogue. */
export type DeclaredBy<R extends Resource> = {
  readonly [K in R as PluralName<K["type"]>]: Readonly<Record<string, ResourceOf<K["inputs"]>>>;
};

/**
 * The same for resources that are not in the catalogue.
 *
 * @internal
 */
export function declareAll<R extends Resource>(
  resources: readonly Resource[],
  path: string,
  opts: DeclareOptions = {},
  form: Form = dynamicForm,
): DeclaredBy<R> {
  const entries = entriesOf(path, resources);
  // Without a prototype, since a resource may have any name.
  const declared: Record<string, Record<string, pulumi.Resource>> = Object.create(null);
  for (const resource of resources) declared[pluralName(resource)] = Object.create(null);
  const made = new Map<string, pulumi.Resource>();
  for (const each of entries) {
    const resource = instantiate(each, path, made, opts, form);
    made.set(each.path, resource);
    Object.assign(declared[pluralName(each.resource)] ?? {}, { [each.name]: resource });
  }
  // The types of the sections' names agree with `section`, which the compiler can't see.
  return declared as DeclaredBy<R>;
}

/** @param instances the resources of the same file so far, by their paths in it */
function instantiate(
  { resource, name, values, secrets, options, refusals, otherRefusals }: ValidEntry,
  file: string,
  instances: ReadonlyMap<string, pulumi.Resource>,
  { dependsOn: before = [], ...shared }: DeclareOptions,
  form: Form,
): pulumi.CustomResource {
  const { aliases = [], dependsOn = [], ...own } = options;
  const secretValues = Object.entries(secrets).map(([field, key]) => [field, secretOf(key)]);
  // Only the provider's check knows the record; it reports these lines if it refuses the arguments.
  const fileLines =
    refusals.length === 0 ? {} : { [FILE_LINES]: { file, lines: refusals, others: otherRefusals } };
  const args = { ...values, ...Object.fromEntries(secretValues), ...fileLines };
  const opts = {
    ...shared,
    ...own,
    aliases: aliases.map((each) => ({ name: each })),
    dependsOn: [before, dependsOn.map((each) => instances.get(each) ?? [])].flat(2),
  };
  return new (resourceClass(resource, form))(name, args, opts);
}

/** Reads a file. All mistakes are one error, which the engine shows once and without a stack. */
function entriesOf(path: string, catalogue: readonly Resource[]): readonly ValidEntry[] {
  try {
    return readDeclarations(textOf(path), { file: path, catalogue, isConfigured });
  } catch (error) {
    throw error instanceof DeclarationError ? new pulumi.RunError(error.message) : error;
  }
}

function textOf(path: string): string {
  try {
    // Removes a byte order mark, and refuses text that is not UTF-8.
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(resolve(path)));
  } catch (error) {
    throw new DeclarationError(`${path}: ${reason(error, path)}`);
  }
}

function reason(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return `the file does not exist; the program looked for ${resolve(path)}`;
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "it is not UTF-8 text; save it as UTF-8";
  return `it can't be read (${String(code ?? error)})`;
}

/** Whether the stack's config has a key, in the project's namespace or in the one that it names. */
function isConfigured(key: string): boolean {
  const [config, name] = configAndName(key);
  return config.getSecret(name) !== undefined;
}

/** The value of such a key, always as a secret. */
function secretOf(key: string): pulumi.Output<string> {
  const [config, name] = configAndName(key);
  return config.requireSecret(name);
}

function configAndName(key: string): [pulumi.Config, string] {
  const at = key.indexOf(":");
  return at < 0 ? [new pulumi.Config(), key] : [new pulumi.Config(key.slice(0, at)), key.slice(at + 1)];
}
