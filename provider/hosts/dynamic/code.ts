import type { Resource } from "../../schema/resource";

/** The type token of a resource in programs and state; it can never change. */
export function tokenOf({ type }: Pick<Resource, "type">): string {
  return `pulumi-nodejs:dynamic/tracking:${type}`;
}

/**
 * The code that state holds for every resource, and that the engine runs. It loads the installed package from the project's
 * folder, so that an update of the package reaches `destroy` too, which runs the code in state. It never changes, or a stack that
 * an older version made could load only that version.
 */
export function codeOf({ type }: Pick<Resource, "type">): string {
  return `exports.handler = () => require("pulumi-tracking/host").${type}`;
}

/** The property with that code. Every property map has it, and the host must return it in every one that becomes state. */
export const PROVIDER = "__provider";
