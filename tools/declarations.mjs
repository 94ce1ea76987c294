import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import ts from "typescript";
import { ROOT } from "./root.mjs";

const TSCONFIG = join(ROOT, "tsconfig.build.json");
/** An import that is not a path is a package, and stays external. */
const PACKAGES = /^[^./]/;
const FLAGS = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias;
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
  for (const made of await bundle(Object.fromEntries(written), folder))
    if (made.type === "chunk") await writeFile(join(folder, made.fileName), exportedInPlace(made));
}

/**
 * @param {Record<string, string>} input
 * @param {string} folder
 */
async function bundle(input, folder) {
  const made = await rollup({ input, external: PACKAGES, plugins: [dts({ tsconfig: TSCONFIG })] });
  const { output } = await made.write({ dir: folder, entryFileNames: "[name].d.ts" });
  await made.close();
  return output;
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
  const { statements } = source;
  const interfaces = new Map(
    statements.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, each]),
  );
  const isDerived = (/** @type {string} */ name) => interfaces.get(name)?.members.length === 0;
  /** @type {Map<string, ts.VariableStatement>} */
  const constants = new Map();
  for (const each of statements.filter(ts.isVariableStatement)) {
    const name = each.declarationList.declarations[0]?.name.getText() ?? "";
    if (isDerived(name)) constants.set(name, each);
  }
  const texts = statements.map((statement) => {
    if ([...constants.values()].some((each) => each === statement)) return "";
    if (!ts.isInterfaceDeclaration(statement) || !isDerived(statement.name.text))
      return statement.getFullText();
    const { bases, members } = inherited(checker, statement);
    const constant = constants.get(statement.name.text);
    if (constant !== undefined) members.push(...made(interfaces, constant));
    const heritage = bases.length > 0 ? ` extends ${bases.join(", ")}` : "";
    const head = `${constant ? "declare class" : "interface"} ${statement.name.text}${heritage}`;
    return `${wordsOf(constant ?? statement)}${head} {\n${members.join("\n").replaceAll(/^/gm, "    ")}\n}`;
  });
  return texts.join("\n").replaceAll("pulumi.OutputInstance<", "pulumi.Output<");
}

/**
 * The static members and the constructor of a class, from a constant whose type is an interface that constructs it.
 *
 * @param {Map<string, ts.InterfaceDeclaration>} interfaces
 * @param {ts.VariableStatement} constant
 */
function made(interfaces, constant) {
  const type = constant.declarationList.declarations[0]?.type;
  if (type === undefined || !ts.isTypeReferenceNode(type))
    throw new Error(`${constant.getText()} has no type`);
  const { members, typeParameters = [] } = interfaces.get(type.typeName.getText()) ?? { members: [] };
  const given = new Map(
    typeParameters.map(({ name }, at) => [name.text, type.typeArguments?.[at]?.getText()]),
  );
  return members.map((member) => {
    const text = member.getText().replaceAll(/\b[A-Z]\b/g, (name) => given.get(name) ?? name);
    if (!ts.isConstructSignatureDeclaration(member)) return `${wordsOf(member)}static ${text}`;
    return `${wordsOf(constant, member)}${text.replace(/^new /, "constructor").replace(/: \w+;$/, ";")}`;
  });
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
          members.push(`${wordsOf(...(part.getProperty(name)?.declarations ?? []).slice(0, 1))}${text}`);
        }
    }
  }
  return { bases, members };
}

/**
 * The JSDoc of declarations, as one comment.
 *
 * @param {ts.Node[]} nodes
 */
function wordsOf(...nodes) {
  const docs = nodes.flatMap((node) => ts.getJSDocCommentsAndTags(node).slice(-1));
  const words = docs.map((doc) => `${doc.getText()}\n`).join("");
  return words.replace(/\s*\*\/\n\/\*\*/, "\n *").replaceAll(/^ +\*( @class\n \*)?/gm, " *");
}

/**
 * A bundle with `export` at each declaration: an editor then shows no alias.
 *
 * @param {import("rollup").OutputChunk} bundle
 */
function exportedInPlace({ code, exports }) {
  const kinds = "(?:declare )?(?:class|const|function|interface|type)";
  const declared = new RegExp(`^(?=${kinds} (?:${exports.join("|")})\\b)`, "gm");
  // Without it all of a module of declarations would be exported.
  return `${code.replaceAll(/^export .*\n?/gm, "").replaceAll(declared, "export ")}export {};\n`;
}
