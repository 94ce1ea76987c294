/**
 * Declares what YAML files say: `file.ts` reads them, `document.ts` their text, `declaration.ts` each declaration in it, and
 * `located.ts` finds the place of each mistake.
 */
import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { declarationsFile } from "../../provider/config";
import { catalogue } from "../../provider/resources";
import { pluralName } from "../../provider/schema/resource";
import type { Classes } from "../resource";
import type { Declared } from "../resources";
import * as classes from "../resources";
import { readDeclarations } from "./file";

/** Options for all resources of the files. */
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
  /** Resources that must exist before every resource of the files. */
  dependsOn?: pulumi.Resource | readonly pulumi.Resource[];
  /** Where all of them were before: `[{ parent: pulumi.rootStackResource }]`, if they move into a component. */
  aliases?: readonly Pick<pulumi.Alias, "parent">[];
}

function isFolder(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The files that a path means: of a folder, all YAML files in the order of their names, except Pulumi's own. */
function filesOf(path: string): string[] {
  const folder = resolve(path);
  if (!isFolder(path)) return [path];
  const names = readdirSync(folder).filter((name) => /^(?!Pulumi\.).*\.ya?ml$/.test(name));
  if (names.length === 0) throw new pulumi.RunError(`${path} has no file whose name ends with .yaml or .yml`);
  return names.sort().map((name) => join(path, name));
}

/** The text of a file. */
function textOf(path: string): string {
  try {
    // Removes a byte order mark, and refuses text that is not UTF-8.
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(resolve(path)));
  } catch (error) {
    throw new pulumi.RunError(`${path} can't be read: ${(error as Error).message}`);
  }
}

/** The value of a key of the stack's config, always as a secret: in the project's namespace, or in the one that it names. */
function secretOf(key: string): pulumi.Output<string> | undefined {
  const at = key.indexOf(":");
  return new pulumi.Config(at < 0 ? undefined : key.slice(0, at)).getSecret(key.slice(at + 1));
}

/** Which declaration a resource comes from, in files that share their lists and defaults. */
export interface Source {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly files: readonly string[];
  /** The folders of which a new file is read too. */
  readonly folders: readonly string[];
}

/** Tells `pulumi-tracking accept`, if it asks, where a resource is declared. */
function tellSource(instance: pulumi.Resource, source: Omit<Source, "urn">): void {
  const asking = declarationsFile();
  if (asking === undefined) return;
  instance.urn.apply((urn) =>
    appendFileSync(asking, `${JSON.stringify({ ...source, urn } satisfies Source)}\n`),
  );
}

/**
 * Declares the resources of YAML files with the classes of a form.
 *
 * @internal
 */
export function declareAll(
  paths: string | readonly string[],
  opts: DeclareOptions = {},
  form: Classes,
): Declared {
  const files = new Map(
    [paths]
      .flat()
      .flatMap(filesOf)
      .map((file) => [resolve(file), file]),
  );
  const folders = [paths]
    .flat()
    .filter(isFolder)
    .map((path) => resolve(path));
  const texts = [...files.values()].map((file) => ({ file, text: textOf(file) }));
  const declarations = readDeclarations(texts, catalogue, secretOf, (text) => void pulumi.log.warn(text));
  // Without a prototype, since a resource may have any name.
  const declared: Record<string, Record<string, pulumi.Resource>> = Object.create(null);
  for (const resource of catalogue) declared[pluralName(resource)] = Object.create(null);
  const { dependsOn = [], aliases: formerly = [], ...shared } = opts;
  for (const { resource, name, values, options } of declarations) {
    const { aliases = [], ...ofFile } = options;
    // The arguments are of any resource.
    const instance = new form[resource.type as keyof Classes](name, values as never, {
      ...shared,
      ...ofFile,
      aliases: [...formerly, ...aliases.map((name) => ({ name }))],
      dependsOn: [dependsOn].flat(),
    });
    Object.assign(declared[pluralName(resource)] ?? {}, { [name]: instance });
    tellSource(instance, { name, type: resource.type, files: [...files.keys()], folders });
  }
  // The compiler can't see that these are the sections and classes of the catalogue.
  return declared as object as Declared;
}

/**
 * Declares all websites and pixels of YAML files. The names in a file are the resources' names, so that a declaration
 * can move between TypeScript and YAML, and between files, without a change. A resource option in a file overrides the
 * same one in `opts`, except that `aliases` of both count.
 *
 * @param path a file, a folder of `.yaml` and `.yml` files, or several of them, which share their `lists` and `defaults`
 *   and have each name once; a relative path starts at the process's working directory, which in a Pulumi program is
 *   the folder of `Pulumi.yaml`, or of its `main`
 * @param opts for all resources of the files
 * @throws {pulumi.RunError} that names all mistakes in the files, each with its line and column
 * @example const { websites } = tracking.declareFrom("tracking.yaml", { protect: false });
 */
export function declareFrom(path: string | readonly string[], opts?: DeclareOptions): Declared {
  return declareAll(path, opts, classes);
}
