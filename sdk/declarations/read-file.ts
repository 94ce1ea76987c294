import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Resource } from "../../provider/schema/resource";
import { DeclarationError, readDeclarations, type ValidDeclaration } from "./file";
import { isConfigured } from "./secrets";

/** Reads a file of declarations. What is wrong is one error, which the engine shows once and without a stack. */
export function readDeclarationFile(
  path: string,
  catalogue: readonly Resource[],
): readonly ValidDeclaration[] {
  try {
    return readDeclarations(textOf(path), { file: path, catalogue, isConfigured });
  } catch (error) {
    throw error instanceof DeclarationError ? new pulumi.RunError(error.message) : error;
  }
}

function textOf(path: string): string {
  try {
    // Takes a byte order mark away, and takes nothing that is not UTF-8.
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
