import { createHash } from "node:crypto";
import { CommandFailure } from "../failure";
import type { ResourceForm } from "../pulumi/resource-forms";
import { type Format, writers } from "./formats";
import type { NamedRecord } from "./generated-program";
import { importLineFor } from "./import-line";
import type { DeclaredRecord } from "./script";
import { candidateNames, readIfExists } from "./text-file";
import type { UserProgram } from "./user-program";

/** An existing file of the program, and what it declares. */
export interface ExistingFile {
  readonly file: string;
  readonly text: string;
  readonly declared: readonly DeclaredRecord[];
  /** The line that adds it to the program. */
  readonly importLine: string;
}

/** The file to write records to, new or existing. */
export interface OutputFile {
  readonly file: string;
  /** Its text; `undefined` if it does not exist. */
  readonly before: string | undefined;
  readonly format: Format;
  readonly importLine: string;
}

/**
 * The files of earlier imports to this name, and the one to write to: one that was not edited since, or a new one.
 * With `force`, the file of this name, even if it was edited.
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
      const reused =
        existing.find((each) => isUnedited(each.text, format)) ?? (force ? existing[0] : undefined);
      if (reused === undefined) return { existing, target: { file, before: undefined, format, importLine } };
      if (!writers[format].canAppend(reused.text))
        throw new CommandFailure(
          `${reused.file} does not import pulumi-tracking as "tracking", so nothing can be appended to it`,
          "Choose another name, or omit --force",
        );
      return {
        existing,
        target: { file: reused.file, before: reused.text, format, importLine: reused.importLine },
      };
    }
    const declared = await writers[format].declared(text);
    existing.push({ file, text, declared, importLine });
  }
  throw new Error("there is always a free name");
}

/** The file's text with these records appended. */
export async function renderFile(
  { file, before = "", format }: OutputFile,
  records: readonly NamedRecord[],
  form: ResourceForm,
): Promise<string> {
  const body = before.replace(SIGNATURE, "\n");
  const text = await writers[format].generate(records, { file, before: body, form });
  const mark = writers[format].comment;
  return `${text.trimEnd()}\n\n${mark} ${SIGNED}${fingerprint(text)}\n`;
}

const SIGNED = "pulumi-tracking import adds to this file as long as nobody changes it: ";
const SIGNATURE = new RegExp(`\\n(?://|#) ${SIGNED}([0-9a-f]{16})\\s*$`);

/** Whether the file is as an import wrote it, except for line endings. */
function isUnedited(text: string, format: Format): boolean {
  const plain = text.replaceAll("\r\n", "\n");
  const [signature, signed] = SIGNATURE.exec(plain) ?? [];
  if (signature === undefined || signed !== fingerprint(plain.replace(SIGNATURE, ""))) return false;
  return writers[format].canAppend(plain);
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text.trimEnd()).digest("hex").slice(0, 16);
}
