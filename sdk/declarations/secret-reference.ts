import type { Sentence } from "./diagnostics";
import type { Node, Scalar } from "./node";

/** A key of the stack's config, with or without its namespace. */
export const CONFIG_KEY = /^([\w.-]+:)?[\w.-]+$/;

/** The key of the stack's config that holds a secret, or what is wrong with what stands in its place. */
export type Reference =
  | { readonly key: string }
  | { readonly at: number; readonly text: Sentence }
  /** What is wrong has been told. */
  | undefined;

/**
 * Reads `{ config: shopPassword }`. A secret is never in the file, and no message shows what stands in its place.
 *
 * @param owner whose secret it is, and `name` what it is called there
 */
export function referenceIn(
  node: Node,
  owner: string,
  name: string,
  isConfigured: (key: string) => boolean,
): Reference {
  const example = exampleKey(owner, name);
  const write = `"${name}: { config: ${example} }"`;
  const only = onlyConfig(node);
  if (only?.reported) return undefined;
  if ("value" in node && node.value !== null)
    return {
      at: node.at,
      text: `${owner}: ${name} is a secret, and never stands in a file: write ${write}, and run "pulumi config set --secret ${example}"`,
    };
  const key = typeof only?.value === "string" ? only.value : undefined;
  if (key === undefined || !CONFIG_KEY.test(key))
    return {
      at: node.at,
      text: `${owner}: ${name} must be the name of a secret in the stack's config: ${write}`,
    };
  if (isConfigured(key)) return { key };
  return {
    at: only?.at ?? node.at,
    text: `${owner}: ${name}: the stack's config has no ${key}; run "pulumi config set --secret ${key}"`,
  };
}

function onlyConfig(node: Node): Scalar | undefined {
  const only = "members" in node && node.members.size === 1 ? node.members.get("config")?.node : undefined;
  return only !== undefined && "value" in only ? only : undefined;
}

/** `websites.shop`, `password`: `shopPassword`. */
export function exampleKey(owner: string, field: string): string {
  const name = owner.slice(owner.indexOf(".") + 1);
  return /^[\w-]+$/.test(name) ? `${name}${field[0]?.toUpperCase()}${field.slice(1)}` : field;
}
