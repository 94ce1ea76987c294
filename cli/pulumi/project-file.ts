import { parseFile, property } from "./parse-file";

/** What `Pulumi.yaml` says of the program. */
export interface ProjectFile {
  /** The program's folder or main file, relative to the project's. */
  readonly main?: string;
  readonly runtime: { readonly typescript?: boolean; readonly nodeargs?: string };
}

/** Reads a project's file. Rejects with a `CommandFailure` if it can't be read. */
export async function readProjectFile(file: string): Promise<ProjectFile> {
  const { parse } = await import("yaml");
  const project: unknown = parseFile(file, parse);
  const main = property(project, "main");
  const options = property(property(project, "runtime"), "options");
  const [typescript, nodeargs] = [property(options, "typescript"), property(options, "nodeargs")];
  return {
    ...(typeof main === "string" && main !== "" && { main }),
    runtime: {
      ...(typeof typescript === "boolean" && { typescript }),
      ...(typeof nodeargs === "string" && { nodeargs }),
    },
  };
}
