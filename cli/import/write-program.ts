import { existsSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { CommandFailure } from "../failure";
import type { ResourceForm } from "../look/held";
import { freeName, writeNewFile } from "../new-file";
import { isModuleFile, mainFile, type Project } from "../pulumi/project";
import type { Format, ImportOptions, ImportRun } from "./run";
import { entryOf, generateScript } from "./script";
import type { WrittenRecord } from "./written-record";
import { generateYaml } from "./yaml";

/** The engine writes a whole program. As a second `main.go` in the folder it would break the build, so it becomes a `.txt`. */
function defaultOut(project: Project, format: Format | undefined): string {
  if (format === undefined) return "tracking_records.txt";
  const extension = extname(mainFile(project));
  return `tracking${extension.endsWith(format) ? extension : `.${format}`}`;
}

/** The line that adds a written file to the program's main file. */
export function importLineFor(project: Project, file: string, format: Format, form: ResourceForm): string {
  const main = mainFile(project);
  const path = relative(dirname(main), file).split(sep).join("/");
  const isModule = isModuleFile(main);
  const requires = !main.endsWith("ts") && !isModule;
  if (format === "yaml") {
    const declares = `declareFrom(${JSON.stringify(path)});`;
    const entry = JSON.stringify(entryOf(form));
    return requires ? `require(${entry}).${declares}` : `import { declareFrom } from ${entry}; ${declares}`;
  }
  const specifier = path.startsWith("../") ? path : `./${path}`;
  if (requires) return `require(${JSON.stringify(specifier)});`;
  // Without a compiler, Node.js resolves an ES import only by the file's real extension.
  const isCompiled = [dirname(main), project.folder].some((place) =>
    existsSync(join(place, "tsconfig.json")),
  );
  const ending = !isModule ? "" : isCompiled ? ".$1js" : ".$1ts";
  return `import ${JSON.stringify(specifier.replace(/\.([mc]?)ts$/, ending))};`;
}

/**
 * Writes the program. In other languages, returns where the engine is to write it (`out`). `toAdd` says what to add to the
 * main file then.
 */
export async function writeProgram(
  { options, folder, print }: ImportRun,
  project: Project,
  records: readonly WrittenRecord[],
  language: Format | undefined,
  form: ResourceForm,
): Promise<{ out?: string; toAdd: string }> {
  const path = resolve(folder, options.out ?? defaultOut(project, language));
  if (language === undefined) {
    const out = relative(folder, freeName(path));
    return { out, toAdd: `what ${out} declares to the program.` };
  }
  const style = {
    language: language === "ts" ? language : "js",
    isModule: isModuleFile(path),
    form,
  } as const;
  const text = language === "yaml" ? await generateYaml(records, path) : generateScript(records, style);
  const file = writeNewFile(path, text);
  print(`${relative(folder, file)}: ${records.length} declared.`);
  return { toAdd: `this line to the program: ${importLineFor(project, file, language, form)}` };
}

/** Returns `--format`, or what the extension of `--out` or of the main file says; undefined if the engine writes the program. */
export function formatFor({ format, out = "" }: ImportOptions, project: Project): Format | undefined {
  const { name } = project.runtime;
  if (name !== "nodejs") {
    if (format === undefined) return undefined;
    throw new CommandFailure(
      `--format ${format} is for programs for Node.js, and this project's runtime is ${name}`,
      "Omit it, and the program is written in the project's own language",
    );
  }
  const main = extname(mainFile(project));
  const extension = [extname(out), main].find((name) => /^\.([mc]?[jt]s|ya?ml)$/.test(name)) ?? "";
  const found = format ?? (/ml$/.test(extension) ? "yaml" : extension.endsWith("ts") ? "ts" : "js");
  if (found !== "ts" || main.endsWith("ts")) return found;
  throw new CommandFailure(
    "The program is in JavaScript, so it can't load a file in TypeScript",
    "Use --format js, and a name such as tracking.js for --out",
  );
}
