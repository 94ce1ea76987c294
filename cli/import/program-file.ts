import { createHash } from "node:crypto";
import { CommandFailure } from "../failure";
import type { Format, Program } from "./language";
import { isModuleFile, lineFor } from "./language";
import type { Named } from "./program";
import { type Declared, declaredInScript, script, takesMore } from "./script";
import { namesFrom, textIn } from "./text-file";
import { declarations, declaredInYaml } from "./yaml";

/** A file of the program that is there already, and what it declares. */
export interface Present {
  readonly file: string;
  readonly text: string;
  readonly declared: readonly Declared[];
  /** The line that takes it into the program. */
  readonly line: string;
}

/** Where records are written: into a new file, or into one that is there. */
export interface Target {
  readonly file: string;
  /** What the file holds; nothing: it is new. */
  readonly before: string | undefined;
  readonly format: Format;
  readonly line: string;
}

/**
 * The files of earlier imports to this name, and where more goes: into one that is still as it was written, or into
 * a new one. With `force` it goes into the file of this name, whoever changed it.
 */
export async function programFiles(
  out: string,
  format: Format,
  program: Program,
  force: boolean,
): Promise<{ readonly present: readonly Present[]; readonly target: Target }> {
  const present: Present[] = [];
  for (const file of namesFrom(out)) {
    const text = textIn(file);
    const line = lineFor(program, file, format);
    if (text === undefined) {
      const open = present.find((each) => isIntact(each.text, format)) ?? (force ? present[0] : undefined);
      if (open === undefined) return { present, target: { file, before: undefined, format, line } };
      if (format !== "yaml" && !takesMore(open.text))
        throw new CommandFailure(
          `${open.file} does not import pulumi-tracking as "tracking", so nothing can be added to it`,
          "Give another name, or leave out --force.",
        );
      return { present, target: { file: open.file, before: open.text, format, line: open.line } };
    }
    const declared = format === "yaml" ? await declaredInYaml(text) : declaredInScript(text);
    present.push({ file, text, declared, line });
  }
  throw new Error("there is always a name that is free");
}

/** The text of the file once it declares these records too. */
export async function textWith(
  { file, before = "", format }: Target,
  records: readonly Named[],
): Promise<string> {
  const body = before.replace(SIGNATURE, "\n");
  const text =
    format === "yaml"
      ? await declarations(records, body)
      : script(records, { language: format, isModule: isModuleFile(file) }, body);
  const mark = format === "yaml" ? "#" : "//";
  return `${text.trimEnd()}\n\n${mark} ${SIGNED}${fingerprint(text)}\n`;
}

const SIGNED = "pulumi-tracking import adds to this file as long as nobody changes it: ";
const SIGNATURE = new RegExp(`\\n(?://|#) ${SIGNED}([0-9a-f]{16})\\s*$`);

/** Whether the file is as an import wrote it, but for the ends of its lines. */
function isIntact(text: string, format: Format): boolean {
  const plain = text.replaceAll("\r\n", "\n");
  const [signature, told] = SIGNATURE.exec(plain) ?? [];
  if (signature === undefined || told !== fingerprint(plain.replace(SIGNATURE, ""))) return false;
  return format === "yaml" || takesMore(plain);
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text.trimEnd()).digest("hex").slice(0, 16);
}
