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
  /** Resources that have to be there before any of the file's. */
  dependsOn?: pulumi.Resource | readonly pulumi.Resource[];
}

/**
 * Declares all websites and pixels of one YAML file. The names in the file are the resources' names, so that a
 * declaration may move between TypeScript and YAML without a change. A resource option in the file counts before
 * the same one in `opts`; those of `dependsOn` are added together.
 *
 * @param path the file; a relative path starts at the process's working directory, which in a Pulumi program is
 *   the folder of `Pulumi.yaml`, or of its `main`
 * @param opts for all of the file's resources
 * @throws {pulumi.RunError} with everything that is wrong with the file, a line each, with line and column
 */
export function declareFrom(path: string, opts?: DeclareOptions): Declared {
  return declareAll<Catalogue[number]>(catalogue, path, opts);
}

/** The same of the resources of any catalogue. */
export type DeclaredBy<R extends Resource> = {
  readonly [K in R as PluralName<K["type"]>]: Readonly<Record<string, ResourceOf<K["inputs"]>>>;
};

/**
 * The same for other resources than those of the catalogue.
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
  // Without a prototype: a resource may have any name, and no other has one.
  const declared: Record<string, Record<string, pulumi.Resource>> = Object.create(null);
  for (const resource of resources) declared[pluralName(resource)] = Object.create(null);
  const made = new Map<string, pulumi.Resource>();
  for (const each of entries) {
    const resource = instantiate(each, path, made, opts, form);
    made.set(each.path, resource);
    Object.assign(declared[pluralName(each.resource)] ?? {}, { [each.name]: resource });
  }
  // The compiler makes the sections' names from the resources' types as `section` does, and can't see that.
  return declared as DeclaredBy<R>;
}

/** @param instances the resources of the same file so far, by how it names them */
function instantiate(
  { resource, name, values, secrets, options, refusals, otherRefusals }: ValidEntry,
  file: string,
  instances: ReadonlyMap<string, pulumi.Resource>,
  { dependsOn: before = [], ...shared }: DeclareOptions,
  form: Form,
): pulumi.CustomResource {
  const { aliases = [], dependsOn = [], ...own } = options;
  const secretValues = Object.entries(secrets).map(([field, key]) => [field, secretOf(key)]);
  // The provider's check alone knows what the record has; it reports these if it refuses the arguments.
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

/** Reads a file. What is wrong is one error, which the engine shows once and without a stack. */
function entriesOf(path: string, catalogue: readonly Resource[]): readonly ValidEntry[] {
  try {
    return readDeclarations(textOf(path), { file: path, catalogue, isConfigured });
  } catch (error) {
    throw error instanceof DeclarationError ? new pulumi.RunError(error.message) : error;
  }
}

function textOf(path: string): string {
  try {
    // Takes a byte order mark away, and refuses what is not UTF-8.
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(resolve(path)));
  } catch (error) {
    throw new DeclarationError(`${path}: ${reason(error, path)}`);
  }
}

function reason(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return `there is no such file; the program looked for ${resolve(path)}`;
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "it is not UTF-8 text; save it as UTF-8";
  return `it can't be read (${String(code ?? error)})`;
}

/** Whether the stack's config has a key: of the project's own namespace, or written with another one. */
function isConfigured(key: string): boolean {
  const [config, name] = configAndName(key);
  return config.getSecret(name) !== undefined;
}

/** The value of such a key, as a secret however it was set. */
function secretOf(key: string): pulumi.Output<string> {
  const [config, name] = configAndName(key);
  return config.requireSecret(name);
}

function configAndName(key: string): [pulumi.Config, string] {
  const at = key.indexOf(":");
  return at < 0 ? [new pulumi.Config(), key] : [new pulumi.Config(key.slice(0, at)), key.slice(at + 1)];
}
