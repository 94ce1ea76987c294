import type * as pulumi from "@pulumi/pulumi";
import { resourceClass } from "../resource";
import type { Sound } from "./file";
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
 * @param made the resources of the same file so far, by how it names them
 */
export function make(
  { resource, name, values, secrets, options, refusals, otherRefusals }: Sound,
  file: string,
  made: ReadonlyMap<string, pulumi.Resource>,
  { dependsOn: before = [], ...shared }: DeclareOptions,
): pulumi.CustomResource {
  const { aliases = [], dependsOn = [], ...own } = options;
  const hidden = Object.entries(secrets).map(([field, key]) => [field, secretOf(key)]);
  // The provider's check alone knows what the record has; it says these where it refuses the arguments.
  const told = refusals.length === 0 ? {} : { __fileLines: { file, lines: refusals, others: otherRefusals } };
  const args = { ...values, ...Object.fromEntries(hidden), ...told };
  const behind = [before, dependsOn.map((each) => made.get(each) ?? [])].flat(2);
  const opts = { ...shared, ...own, aliases: aliases.map((each) => ({ name: each })), dependsOn: behind };
  return new (resourceClass(resource))(name, args, opts);
}
