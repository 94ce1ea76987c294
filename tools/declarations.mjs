import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";
import { ROOT } from "./root.mjs";

const TSCONFIG = join(ROOT, "tsconfig.build.json");
/** An import that is not a path is a package, and stays external. */
const PACKAGES = /^[^./]/;
const FLAGS =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals |
  ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
const printer = ts.createPrinter({ removeComments: true });

/**
 * Writes the types of the entry points: one file for each. Types that the compiler would leave derived from definitions
 * are written out. So an editor shows names, a program compiles with old versions of TypeScript too, and the types of no
 * package but Pulumi's are loaded.
 *
 * @param {Record<string, string>} entries sources by the names of what is written
 * @param {string} folder
 */
export async function bundleTypes(entries, folder) {
  const sources = Object.entries(entries).map(([name, file]) => [name, join(ROOT, file)]);
  await bundle(Object.fromEntries(sources), folder);
  const written = Object.keys(entries).map((name) => [name, join(folder, `${name}.d.ts`)]);
  for (const [, file = ""] of written) await writeFile(file, writtenOut(file));
  // Omits what nothing refers to any more.
  await bundle(Object.fromEntries(written), folder);
  for (const [, file = ""] of written) await writeFile(file, exportedInPlace(await readFile(file, "utf8")));
}

/**
 * @param {Record<string, string>} input
 * @param {string} folder
 */
async function bundle(input, folder) {
  const made = await rollup({ input, external: PACKAGES, plugins: [dts({ tsconfig: TSCONFIG })] });
  await made.write({ dir: folder, entryFileNames: "[name].d.ts", chunkFileNames: "chunks/[name].d.ts" });
  await made.close();
}

/**
 * The text of a file in which each interface that only extends derived types has their members, with their words, and
 * a constant of the same name is a class.
 *
 * @param {string} file
 */
function writtenOut(file) {
  const { config } = ts.readConfigFile(TSCONFIG, ts.sys.readFile);
  const program = ts.createProgram([file], ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} does not exist`);
  const derived = source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ members, heritageClauses }) => members.length === 0 && heritageClauses);
  const constants = source.statements.filter(ts.isVariableStatement);
  const constantOf = (/** @type {ts.InterfaceDeclaration} */ { name }) =>
    constants.find(({ declarationList }) => declarationList.declarations[0]?.name.getText() === name.text);
  const classes = derived.map(constantOf);
  const texts = source.statements.map((statement) => {
    if (classes.some((each) => each === statement)) return "";
    const own = derived.find((each) => each === statement);
    if (own === undefined) return statement.getFullText();
    const constant = constantOf(own);
    const { bases, members } = inherited(checker, own);
    if (constant !== undefined) members.push(...made(checker, constant, own));
    const heritage = bases.length > 0 ? ` extends ${bases.join(", ")}` : "";
    const head = `${constant ? "declare class" : "interface"} ${own.name.text}${heritage}`;
    return `${wordsOf(constant ?? statement)}${head} {\n${members.join("\n").replaceAll(/^/gm, "    ")}\n}`;
  });
  return texts.join("\n").replaceAll("pulumi.OutputInstance<", "pulumi.Output<");
}

/**
 * The statics and the constructor of a class, of a constant that says how to make one.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.VariableStatement} constant
 * @param {ts.Node} place
 */
function made(checker, constant, place) {
  const maker = checker.getTypeAtLocation(constant.declarationList.declarations[0] ?? constant);
  const textOf = (/** @type {ts.Signature} */ signature) =>
    checker.signatureToString(signature, place, FLAGS).replaceAll(/(\?: [^,)]*) \| undefined(?=[,)])/g, "$1");
  const statics = maker.getProperties().flatMap((method) =>
    checker
      .getTypeOfSymbol(method)
      .getCallSignatures()
      .map((each) => `${wordsOf(each.declaration)}static ${method.name}${textOf(each)};`),
  );
  const constructors = maker
    .getConstructSignatures()
    .map((each) => `${wordsOf(constant, each.declaration)}constructor${textOf(each).replace(/: \w+$/, "")};`);
  return [...statics, ...constructors];
}

/**
 * The classes and interfaces that an interface extends, and the members of all else that it does.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.InterfaceDeclaration} declaration
 */
function inherited(checker, declaration) {
  const bases = [];
  const members = [];
  for (const each of (declaration.heritageClauses ?? []).flatMap(({ types }) => types)) {
    const type = checker.getTypeFromTypeNode(each);
    for (const part of type.isIntersection() ? type.types : [type]) {
      const node = checker.typeToTypeNode(part, declaration, FLAGS);
      if (node === undefined || !ts.isTypeLiteralNode(node)) bases.push(each.getText());
      else
        for (const member of node.members) {
          const name = member.name && ts.isIdentifier(member.name) ? member.name.text : "";
          const text = printer.printNode(ts.EmitHint.Unspecified, member, declaration.getSourceFile());
          members.push(`${wordsOf(part.getProperty(name)?.declarations?.[0])}${text}`);
        }
    }
  }
  return { bases, members };
}

/**
 * The JSDoc of declarations, as one comment.
 *
 * @param {(ts.Node | undefined)[]} nodes
 */
function wordsOf(...nodes) {
  const docs = nodes.flatMap((node) => (node ? ts.getJSDocCommentsAndTags(node).slice(-1) : []));
  const words = docs.map((doc) =>
    doc
      .getText()
      .replace(/^\/\*\*|\*\/$/g, "")
      .replace(/^ *\*( @class$)?/gm, "")
      .trim(),
  );
  return docs.length > 0
    ? `/**\n * ${words.join("\n\n").replaceAll(/\n */g, "\n * ").replaceAll(/ +$/gm, "")}\n */\n`
    : "";
}

/**
 * A bundle with `export` at each declaration: an editor then shows no alias.
 *
 * @param {string} text
 */
function exportedInPlace(text) {
  const names = [...text.matchAll(/^export (?:type )?\{(.*)\};$/gm)].flatMap(([, all = ""]) =>
    all.trim().split(", "),
  );
  const declared = new RegExp(
    `^(?=(?:declare )?(?:class|const|function|interface|type) (?:${names.join("|")})\\b)`,
    "gm",
  );
  // Without it all of a module of declarations would be exported.
  return `${text.replaceAll(/^export .*\n?/gm, "").replaceAll(declared, "export ")}export {};\n`;
}
