import type { ResourceForm } from "../pulumi/resource-forms";
import type { NamedRecord } from "./generated-program";
import { declaredInPulumiYaml, generatePulumiYaml } from "./pulumi-yaml";
import { declaredInPython, generatePython, importsPythonPackage } from "./python";
import { type DeclaredRecord, declaredInScript, generateScript, importsPackage } from "./script";
import { isModuleFile } from "./user-program";
import { declaredInYaml, generateYaml } from "./yaml";

/** The formats in which records are written: programs, files for `declareFrom`, and resources of Pulumi YAML. */
export const formats = ["ts", "js", "yaml", "python", "pulumi-yaml"] as const;
export type Format = (typeof formats)[number];

/** How records are written in one format, and what is read of it. */
export interface Writer {
  /** How a comment begins. */
  readonly comment: string;
  generate(
    records: readonly NamedRecord[],
    target: { readonly file: string; readonly before: string; readonly form: ResourceForm },
  ): string | Promise<string>;
  declared(text: string): readonly DeclaredRecord[] | Promise<readonly DeclaredRecord[]>;
  /** Whether records can be added to a file with this text. */
  canAppend(text: string): boolean;
}

function scriptWriter(language: "ts" | "js"): Writer {
  return {
    comment: "//",
    generate: (records, { file, before, form }) =>
      generateScript(records, { language, isModule: isModuleFile(file), form }, before),
    declared: declaredInScript,
    canAppend: importsPackage,
  };
}

export const writers: Readonly<Record<Format, Writer>> = {
  ts: scriptWriter("ts"),
  js: scriptWriter("js"),
  yaml: {
    comment: "#",
    generate: (records, { before }) => generateYaml(records, before),
    declared: declaredInYaml,
    canAppend: () => true,
  },
  python: {
    comment: "#",
    generate: (records, { before }) => generatePython(records, before),
    declared: declaredInPython,
    canAppend: importsPythonPackage,
  },
  "pulumi-yaml": {
    comment: "#",
    generate: (records, { before }) => generatePulumiYaml(records, before),
    declared: declaredInPulumiYaml,
    canAppend: () => true,
  },
};
