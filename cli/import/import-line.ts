import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Format, UserProgram } from "./user-program";

/** The line that adds a written file to the program, as the program's main file must state it. */
export function importLineFor(program: UserProgram, out: string, format: Format): string {
  const path = relative(program.folder, resolve(out)).split(sep).join("/");
  if (format === "yaml") return `tracking.declareFrom(${JSON.stringify(path)});`;
  const specifier = path.startsWith("../") || isAbsolute(path) ? path : `./${path}`;
  if (program.language === "js" && !program.isModule) return `require(${JSON.stringify(specifier)});`;
  const extension = { "": "", ".js": ".$1js", ".ts": ".$1ts" }[program.suffix];
  return `import ${JSON.stringify(specifier.replace(/\.([mc]?)ts$/, extension))};`;
}
