import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { failureFor } from "./failure";
import { parseFile, property } from "./parse-file";

/** The names of a project's file, by which Pulumi knows the project's folder. */
export const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"] as const;

/**
 * Throws a `NoStack` outside of a Pulumi project, without asking the engine, which may demand a needless login.
 */
export function requireProject(from: string | undefined): void {
  if (from === undefined || projectFolder(from) === undefined) throw failureFor("no-project");
}

/** The folder of the Pulumi project that this folder is in, or nothing. */
export function projectFolder(from: string): string | undefined {
  return upwards(from).find((folder) => PROJECT_FILES.some((name) => existsSync(join(folder, name))));
}

/** The nearest of these files in a folder or above it. */
export function nearest(from: string, names: readonly string[]): string | undefined {
  return upwards(resolve(from))
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** A folder and all folders above it. */
export function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

/** The program, according to `Pulumi.yaml`. */
export interface ProjectFile {
  /** The program's folder or main file, relative to the project's. */
  readonly main?: string;
  readonly runtime: { readonly name?: string; readonly typescript?: boolean; readonly nodeargs?: string };
}

/** Reads a project's file. Rejects with a `CommandFailure` if it can't be read. */
export async function readProjectFile(file: string): Promise<ProjectFile> {
  const { parse } = await import("yaml");
  const project: unknown = parseFile(file, parse);
  const main = property(project, "main");
  const runtime = property(project, "runtime");
  const name = typeof runtime === "string" ? runtime : property(runtime, "name");
  const options = property(runtime, "options");
  const [typescript, nodeargs] = [property(options, "typescript"), property(options, "nodeargs")];
  return {
    ...(typeof main === "string" && main !== "" && { main }),
    runtime: {
      ...(typeof name === "string" && { name }),
      ...(typeof typescript === "boolean" && { typescript }),
      ...(typeof nodeargs === "string" && { nodeargs }),
    },
  };
}
