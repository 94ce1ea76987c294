import type * as pulumi from "@pulumi/pulumi";
import { FILE_LINES } from "../../provider/hosts/marshal";
import type { Form } from "../form";
import { resourceClass } from "../resource";
import type { ValidDeclaration } from "./file";
import { secretOf } from "./secrets";

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
 * Makes what a file declares.
 *
 * @param file its name, for messages
 * @param instances the resources of the same file so far, by how it names them
 */
export function instantiate(
  { resource, name, values, secrets, options, refusals, otherRefusals }: ValidDeclaration,
  file: string,
  instances: ReadonlyMap<string, pulumi.Resource>,
  { dependsOn: before = [], ...shared }: DeclareOptions,
  form: Form,
): pulumi.CustomResource {
  const { aliases = [], dependsOn = [], ...own } = options;
  const secretValues = Object.entries(secrets).map(([field, key]) => [field, secretOf(key)]);
  // The provider's check alone knows what the record has; it says these where it refuses the arguments.
  const fileLines =
    refusals.length === 0 ? {} : { [FILE_LINES]: { file, lines: refusals, others: otherRefusals } };
  const args = { ...values, ...Object.fromEntries(secretValues), ...fileLines };
  const allDependencies = [before, dependsOn.map((each) => instances.get(each) ?? [])].flat(2);
  const opts = {
    ...shared,
    ...own,
    aliases: aliases.map((each) => ({ name: each })),
    dependsOn: allDependencies,
  };
  return new (resourceClass(resource, form))(name, args, opts);
}
