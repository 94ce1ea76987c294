import type { Resource } from "../../schema/resource";

/** The type token of a resource, by which programs and state know it; it can never change. */
export function tokenOf({ type }: Pick<Resource, "type">): string {
  return `pulumi-nodejs:dynamic/tracking:${type}`;
}

/**
 * The code that state holds of every resource, and that the engine runs: the same text for ever, which finds the
 * installed package from the project's folder.
 */
export function codeOf({ type }: Pick<Resource, "type">): string {
  return `exports.handler = () => require("pulumi-tracking/host").${type}`;
}

/** Where a bag holds that code. It is in every bag, and has to be in every bag of state that the host gives back. */
export const PROVIDER = "__provider";
