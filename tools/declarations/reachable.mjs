import ts from "typescript";

/**
 * A file of declarations without those that nothing which it exports has to do with, and each export said where it
 * is declared: an editor then shows it as what it is, and not as an alias.
 *
 * @param {string} name
 * @param {string} text
 */
export function reachable(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const exported = new Set(file.statements.filter(ts.isExportDeclaration).flatMap(wanted));
  const kept = new Set(exported);
  const others = new Set(file.statements.filter((each) => !ts.isExportDeclaration(each)));
  /** @type {Set<ts.Statement>} */
  const found = new Set();
  for (let grown = true; grown; ) {
    grown = false;
    for (const statement of others)
      if (declared(statement).some((each) => kept.has(each))) {
        others.delete(statement);
        found.add(statement);
        for (const each of wanted(statement)) kept.add(each);
        grown = true;
      }
  }
  const texts = file.statements
    .filter((each) => found.has(each))
    .map((each) => {
      const whole = each.getFullText();
      const words = each.getStart() - each.getFullStart();
      const isExported = declared(each).some((own) => exported.has(own));
      return `${whole.slice(0, words).trimStart()}${isExported ? "export " : ""}${whole.slice(words)}`;
    });
  // Without it all of a module of declarations would be exported.
  return `${[...texts, "export {};"].join("\n")}\n`;
}

/**
 * The names that a statement brings in.
 *
 * @param {ts.Statement} statement
 * @returns {string[]}
 */
function declared(statement) {
  if (ts.isImportDeclaration(statement)) return imported(statement.importClause);
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = /** @type {ts.DeclarationStatement} */ (statement);
  return name ? [name.getText()] : [];
}

/**
 * @param {ts.ImportClause | undefined} clause
 * @returns {string[]}
 */
function imported(clause) {
  const { name, namedBindings } = clause ?? {};
  const bindings =
    namedBindings === undefined || ts.isNamespaceImport(namedBindings)
      ? [namedBindings]
      : namedBindings.elements;
  return [name, ...bindings.map((each) => each?.name)].flatMap((each) => each?.text ?? []);
}

/**
 * The names that a node asks for: not those that it gives to its own members, nor those of another's.
 *
 * @param {ts.Node} node
 * @returns {string[]}
 */
function wanted(node) {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isExportSpecifier(node)) return [node.name.text];
  if (ts.isQualifiedName(node)) return wanted(node.left);
  const { name } = /** @type {{ name?: ts.Node }} */ (/** @type {unknown} */ (node));
  /** @type {string[]} */
  const found = [];
  ts.forEachChild(node, (child) => {
    if (child !== name) found.push(...wanted(child));
  });
  return found;
}
