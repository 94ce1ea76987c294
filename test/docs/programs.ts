import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../../tools/root.mjs";

/** The compiler's errors for programs that import the package by its name. */
export function complaints(programs: string[]): string[] {
  const texts = new Map(programs.map((text, index) => [join(ROOT, `document-${index + 1}.ts`), text]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2023,
    types: ["node"],
    paths: {
      "pulumi-tracking": [join(ROOT, "sdk", "index.ts")],
      "pulumi-tracking/native": [join(ROOT, "sdk", "native.ts")],
    },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, target, ...rest) => {
    const text = texts.get(file);
    return text === undefined
      ? getSourceFile(file, target, ...rest)
      : ts.createSourceFile(file, text, target);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file === undefined || texts.has(file.fileName))
    .map(({ file, start = 0, messageText }) => {
      const place = file && `line ${file.getLineAndCharacterOfPosition(start).line + 1} of ${file.fileName}`;
      return `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
}
