import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Resource } from "../../provider/schema/resource";
import { Mistaken, readDeclarations, type Sound } from "./file";
import { isConfigured } from "./secrets";

/** Reads a file of declarations. What is wrong is one error, which the engine shows once and without a stack. */
export function read(path: string, catalogue: readonly Resource[]): readonly Sound[] {
  try {
    return readDeclarations(textOf(path), { file: path, catalogue, isConfigured });
  } catch (error) {
    throw error instanceof Mistaken ? new pulumi.RunError(error.message) : error;
  }
}

function textOf(path: string): string {
  try {
    // Takes a byte order mark away, and takes nothing that is not UTF-8.
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(resolve(path)));
  } catch (error) {
    throw new Mistaken(`${path}: ${reason(error, path)}`);
  }
}

function reason(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return `there is no such file; the program looked for ${resolve(path)}`;
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "it is not UTF-8 text; save it as UTF-8";
  return `it can't be read (${String(code ?? error)})`;
}
