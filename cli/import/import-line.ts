import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Format } from "./formats";
import type { UserProgram } from "./user-program";

/**
 * The line that adds a written file to the program, as the program's main file must state it. A program in Pulumi
 * YAML can't import a file: there it says what to copy.
 */
export function importLineFor(program: UserProgram, out: string, format: Format): string {
  const path = relative(program.folder, resolve(out)).split(sep).join("/");
  if (format === "pulumi-yaml") return `(copy what ${path} has under "resources" into Pulumi.yaml)`;
  if (format === "python") return `import ${path.replace(/\.py$/, "").split("/").join(".")}`;
  if (format === "yaml") return `tracking.declareFrom(${JSON.stringify(path)});`;
  const specifier = path.startsWith("../") || isAbsolute(path) ? path : `./${path}`;
  if (program.language === "js" && !program.isModule) return `require(${JSON.stringify(specifier)});`;
  const extension = { "": "", ".js": ".$1js", ".ts": ".$1ts" }[program.suffix];
  return `import ${JSON.stringify(specifier.replace(/\.([mc]?)ts$/, extension))};`;
}
