import ts from "typescript";

const FLAGS =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals |
  ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
const printer = ts.createPrinter({ removeComments: true });

/**
 * An interface with all members of what it extends.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.InterfaceDeclaration} declaration
 */
export function printInterface(checker, declaration) {
  const { bases, members } = inherited(checker, declaration);
  return `${docOf(declaration)}interface ${declaration.name.text} ${extending(bases)}${block(members)}`;
}

/**
 * A class, of a constant that says how to make one and an interface that says what it has.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.Statement} statement
 * @param {ts.VariableDeclaration} constant
 * @param {ts.InterfaceDeclaration} instance
 */
export function printClass(checker, statement, constant, instance) {
  const { bases, members } = inherited(checker, instance);
  const maker = checker.getTypeAtLocation(constant);
  const statics = maker.getProperties().flatMap((each) => {
    const method = checker.getTypeOfSymbol(each);
    return method
      .getCallSignatures()
      .map(
        (signature) =>
          `${docOf(signature.declaration)}static ${signatureText(checker, signature, instance, each.name)}`,
      );
  });
  const makers = maker
    .getConstructSignatures()
    .map(
      (signature) =>
        `${merged(docOf(statement), docOf(signature.declaration))}${signatureText(checker, signature, instance)}`,
    );
  const name = instance.name.text;
  return `${docOf(statement)}declare class ${name} ${extending(bases)}${block([...statics, ...members, ...makers])}`;
}

/**
 * What an interface extends: the names of classes and interfaces, and the members of all other types.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.InterfaceDeclaration} declaration
 */
function inherited(checker, declaration) {
  const extended = (declaration.heritageClauses ?? []).flatMap(({ types }) => types);
  /** @type {string[]} */
  const bases = [];
  /** @type {string[]} */
  const members = [];
  for (const each of extended) {
    const type = checker.getTypeFromTypeNode(each);
    for (const part of type.isIntersection() ? type.types : [type]) {
      const node = checker.typeToTypeNode(part, declaration, FLAGS);
      if (node === undefined || !ts.isTypeLiteralNode(node)) bases.push(each.getText());
      else
        for (const member of node.members) {
          const symbol = part.getProperty(
            member.name && ts.isIdentifier(member.name) ? member.name.text : "",
          );
          members.push(`${docOf(symbol?.declarations?.[0])}${print(member, declaration)}`);
        }
    }
  }
  return { bases, members };
}

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Signature} signature
 * @param {ts.Node} place
 * @param {string} [method] its name; without one it is a constructor
 */
function signatureText(checker, signature, place, method) {
  const node = checker.signatureToSignatureDeclaration(signature, ts.SyntaxKind.CallSignature, place, FLAGS);
  if (node === undefined) throw new Error("a signature can't be written");
  const parameters = node.parameters.map((each) =>
    print(each, place).replace(/(\?: .*) \| undefined$/, "$1"),
  );
  const given = `(${parameters.join(", ")})`;
  return method === undefined
    ? `constructor${given};`
    : `${method}${given}: ${node.type ? print(node.type, place) : "void"};`;
}

/**
 * @param {ts.Node} node
 * @param {ts.Node} place
 */
function print(node, place) {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, place.getSourceFile());
  // `Output` of some types is `OutputInstance` alone, and so loses the name that everyone knows.
  return text.replaceAll("pulumi.OutputInstance<", "pulumi.Output<");
}

/** @param {readonly string[]} bases */
function extending(bases) {
  return bases.length > 0 ? `extends ${bases.join(", ")} ` : "";
}

/** @param {readonly string[]} members */
function block(members) {
  if (members.length === 0) return "{}";
  const lines = members.flatMap((each) => each.split("\n")).map((line) => `    ${line}`.trimEnd());
  return `{\n${lines.join("\n")}\n}`;
}

/**
 * A declaration's words, as a comment that ends with its line.
 *
 * @param {ts.Node | undefined} node
 */
function docOf(node) {
  const doc = node && ts.getJSDocCommentsAndTags(node).at(-1);
  if (doc === undefined) return "";
  const lines = doc
    .getText()
    .split("\n")
    .map((line, at) => (at === 0 ? line : ` ${line.trimStart()}`));
  const said = lines.filter((line) => !/^ \* @(class|interface)$/.test(line));
  while (/^ \*$/.test(said.at(-2) ?? "")) said.splice(-2, 1);
  return `${said.join("\n")}\n`;
}

/**
 * Two comments as one.
 *
 * @param {string} first
 * @param {string} second
 */
function merged(first, second) {
  if (first === "" || second === "") return first + second;
  return `${opened(first).replace(/\n? \*\/\n$/, "")}\n *\n${opened(second).replace(/^\/\*\*\n/, "")}`;
}

/**
 * A comment whose first and last line hold no words.
 *
 * @param {string} doc
 */
function opened(doc) {
  return doc.replace(/^\/\*\* (.*) \*\/\n$/, "/**\n * $1\n */\n");
}
