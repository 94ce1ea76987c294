import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";

const require = createRequire(__filename);

type TypeScript = typeof ts;

/** The TypeScript that Pulumi brings for programs which have none of their own. */
export function pulumiTypeScript(): TypeScript {
  const vendor = join(dirname(require.resolve("@pulumi/pulumi/package.json")), "vendor");
  const name = readdirSync(vendor).find((each) => each.startsWith("typescript@")) ?? "";
  return require(join(vendor, name, "typescript.js"));
}

/** What the compiler has to say of programs that import the published types by the package's name. */
export function complaints(
  folder: string,
  programs: readonly string[],
  options: ts.CompilerOptions = { strict: true },
  compiler: TypeScript = ts,
): string[] {
  const files = new Map(programs.map((text, at) => [join(folder, `program-${at + 1}.ts`), text]));
  const all = settings(folder, options);
  const program = compiler.createProgram([...files.keys()], all, host(compiler, all, files));
  return [...files.keys()]
    .map((file) => program.getSourceFile(file))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, start = 0, code, messageText }) => {
      const { line = -1 } = file?.getLineAndCharacterOfPosition(start) ?? {};
      const words = compiler.flattenDiagnosticMessageText(messageText, "\n");
      return `${file?.fileName.slice(folder.length + 1)}:${line + 1} TS${code} ${words}`;
    });
}

/** The examples in the JSDoc of what a file exports, by its names. */
export function examplesIn(file: string): [name: string, example: string][] {
  const { statements } = ts.createSourceFile(file, ts.sys.readFile(file) ?? "", ts.ScriptTarget.Latest, true);
  return statements.flatMap((each) => {
    const [tag] = ts.getJSDocTags(each).filter(({ tagName }) => tagName.text === "example");
    const named = ts.isVariableStatement(each)
      ? each.declarationList.declarations[0]
      : (each as ts.ClassDeclaration);
    return tag ? [[named?.name?.getText() ?? "", ts.getTextOfJSDocComment(tag.comment) ?? ""]] : [];
  });
}

function settings(folder: string, options: ts.CompilerOptions): ts.CompilerOptions {
  return {
    target: ts.ScriptTarget.ES2020,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: 2,
    esModuleInterop: true,
    noEmit: true,
    types: ["node"],
    baseUrl: folder,
    paths: { "pulumi-tracking": [join(folder, "sdk", "index.d.ts")] },
    ...options,
  };
}

/** What was parsed for an earlier program, by its compiler. Files on disk stay as they are; most are of packages. */
const parsed = new Map<TypeScript, Map<string, ts.SourceFile | undefined>>();

function host(compiler: TypeScript, options: ts.CompilerOptions, files: ReadonlyMap<string, string>) {
  const disk = compiler.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = disk;
  const known = parsed.get(compiler) ?? new Map<string, ts.SourceFile | undefined>();
  parsed.set(compiler, known);
  return Object.assign(disk, {
    fileExists: (file: string) => files.has(file) || fileExists(file),
    readFile: (file: string) => files.get(file) ?? readFile(file),
    getSourceFile: (file: string, target: ts.ScriptTarget, ...rest: []) => {
      const text = files.get(file);
      if (text !== undefined) return compiler.createSourceFile(file, text, target);
      if (!known.has(file)) known.set(file, getSourceFile(file, target, ...rest));
      return known.get(file);
    },
  });
}
