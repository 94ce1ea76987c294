import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { ROOT as root } from "../../tools/root.mjs";

/** One import: by which file, of what. */
export interface Import {
  /** Path below the root, such as `provider/api/http.ts`. */
  readonly by: string;
  /** A file's path below the root, the name of a package, or `node` for what comes with Node.js. */
  readonly of: string;
}

/** Every source file of these folders, by its path below the root. */
export function sources(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => /\.(ts|mts|cts|js|mjs|cjs)$/.test(path) && !path.includes("node_modules"))
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** All imports of these folders: static, of types, dynamic, `require`, and what is exported on. */
export function imports(...folders: string[]): Import[] {
  return sources(...folders).flatMap((by) => named(by).map((name) => ({ by, of: resolved(by, name) })));
}

function named(path: string): string[] {
  const file = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const place = placeOf(node);
    if (place !== undefined && ts.isStringLiteralLike(place)) found.push(place.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The node with the imported name, if this node is an import. */
function placeOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require";
  return isImport || isRequire ? node.arguments[0] : undefined;
}

function resolved(by: string, name: string): string {
  if (name.startsWith("node:") || builtinModules.includes(name)) return "node";
  if (!name.startsWith(".")) return name;
  const path = relative(root, join(root, dirname(by), name)).replaceAll("\\", "/");
  const bare = path.replace(/\.js$/, "");
  const file = [path, `${bare}.ts`, `${bare}/index.ts`].find(
    (each) => existsSync(join(root, each)) && statSync(join(root, each)).isFile(),
  );
  if (file === undefined) throw new Error(`${by} imports ${name}, which is nowhere`);
  return file;
}
