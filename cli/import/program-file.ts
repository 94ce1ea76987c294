import { createHash } from "node:crypto";
import { CommandFailure } from "../failure";
import type { NamedRecord } from "./generated-program";
import { type DeclaredRecord, declaredInScript, generateScript, importsPackage } from "./script";
import { candidateNames, readIfExists } from "./text-file";
import type { Format, UserProgram } from "./user-program";
import { importLineFor, isModuleFile } from "./user-program";
import { declaredInYaml, generateYaml } from "./yaml";

/** A file of the program that is there already, and what it declares. */
export interface ExistingFile {
  readonly file: string;
  readonly text: string;
  readonly declared: readonly DeclaredRecord[];
  /** The line that takes it into the program. */
  readonly importLine: string;
}

/** Where records are written: into a new file, or into one that is there. */
export interface OutputFile {
  readonly file: string;
  /** What the file holds; nothing: it is new. */
  readonly before: string | undefined;
  readonly format: Format;
  readonly importLine: string;
}

/**
 * The files of earlier imports to this name, and where more goes: into one that is still as it was written, or into
 * a new one. With `force` it goes into the file of this name, whoever changed it.
 */
export async function programFiles(
  out: string,
  format: Format,
  program: UserProgram,
  force: boolean,
): Promise<{ readonly existing: readonly ExistingFile[]; readonly target: OutputFile }> {
  const existing: ExistingFile[] = [];
  for (const file of candidateNames(out)) {
    const text = readIfExists(file);
    const importLine = importLineFor(program, file, format);
    if (text === undefined) {
      const open =
        existing.find((each) => isUnedited(each.text, format)) ?? (force ? existing[0] : undefined);
      if (open === undefined) return { existing, target: { file, before: undefined, format, importLine } };
      if (format !== "yaml" && !importsPackage(open.text))
        throw new CommandFailure(
          `${open.file} does not import pulumi-tracking as "tracking", so nothing can be added to it`,
          "Give another name, or leave out --force.",
        );
      return {
        existing,
        target: { file: open.file, before: open.text, format, importLine: open.importLine },
      };
    }
    const declared = format === "yaml" ? await declaredInYaml(text) : declaredInScript(text);
    existing.push({ file, text, declared, importLine });
  }
  throw new Error("there is always a name that is free");
}

/** The text of the file once it declares these records too. */
export async function renderFile(
  { file, before = "", format }: OutputFile,
  records: readonly NamedRecord[],
): Promise<string> {
  const body = before.replace(SIGNATURE, "\n");
  const text =
    format === "yaml"
      ? await generateYaml(records, body)
      : generateScript(records, { language: format, isModule: isModuleFile(file) }, body);
  const mark = format === "yaml" ? "#" : "//";
  return `${text.trimEnd()}\n\n${mark} ${SIGNED}${fingerprint(text)}\n`;
}

const SIGNED = "pulumi-tracking import adds to this file as long as nobody changes it: ";
const SIGNATURE = new RegExp(`\\n(?://|#) ${SIGNED}([0-9a-f]{16})\\s*$`);

/** Whether the file is as an import wrote it, but for the ends of its lines. */
function isUnedited(text: string, format: Format): boolean {
  const plain = text.replaceAll("\r\n", "\n");
  const [signature, told] = SIGNATURE.exec(plain) ?? [];
  if (signature === undefined || told !== fingerprint(plain.replace(SIGNATURE, ""))) return false;
  return format === "yaml" || importsPackage(plain);
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text.trimEnd()).digest("hex").slice(0, 16);
}
