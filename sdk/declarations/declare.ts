import type * as pulumi from "@pulumi/pulumi";
import { type Catalogue, catalogue } from "../../provider/resources";
import { type PluralName, pluralName, type Resource } from "../../provider/schema/resource";
import { dynamicForm, type Form } from "../form";
import type { ResourceOf } from "../resource";
import type { Declared } from "../resources";
import { type DeclareOptions, instantiate } from "./instantiate";
import { readDeclarationFile } from "./read-file";

export type { DeclareOptions } from "./instantiate";

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
  const declarations = readDeclarationFile(path, resources);
  // Without a prototype: a resource may have any name, and there is none that the file does not give.
  const declared: Record<string, Record<string, pulumi.Resource>> = Object.create(null);
  for (const resource of resources) declared[pluralName(resource)] = Object.create(null);
  const made = new Map<string, pulumi.Resource>();
  for (const each of declarations) {
    const resource = instantiate(each, path, made, opts, form);
    made.set(each.path, resource);
    Object.assign(declared[pluralName(each.resource)] ?? {}, { [each.name]: resource });
  }
  // The compiler makes the sections' names from the resources' types as `section` does, and can't see that.
  return declared as DeclaredBy<R>;
}
