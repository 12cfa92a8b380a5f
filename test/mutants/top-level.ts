import ts from "typescript";

/** What the evaluation of a module takes from others. */
export interface TopLevel {
  /**
   * Modules, as the file names them, whose exports are used while it is evaluated; what functions do later doesn't
   * count.
   */
  readonly uses: ReadonlySet<string>;
  /** It calls functions of its own or of others, which may use whatever they reach. */
  readonly calls: boolean;
}

/** Reads a source file for what it does when it is evaluated. */
export function topLevelOf(file: string, text: string): TopLevel {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const uses = new Set<string>();
  const from = new Map<string, string>();
  const own = new Set<string>();
  for (const s of source.statements)
    if (ts.isImportDeclaration(s)) for (const name of namesOf(s)) from.set(name, moduleOf(s));
    else if (ts.isFunctionDeclaration(s) || ts.isClassDeclaration(s)) own.add(s.name?.text ?? "");
    else if (ts.isVariableStatement(s)) for (const d of s.declarationList.declarations) own.add(d.name.getText(source));
  let calls = false;
  const visit = (node: ts.Node): void => {
    if (
      (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node)
    )
      return;
    if (ts.isImportDeclaration(node)) return;
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      uses.add((node.moduleSpecifier as ts.StringLiteral).text);
      return;
    }
    if (isLater(node)) return;
    if (ts.isIdentifier(node) && from.has(node.text)) uses.add(from.get(node.text)!);
    if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node)) {
      const root = rootOf(ts.isTaggedTemplateExpression(node) ? node.tag : node.expression);
      if (root === null || from.has(root) || own.has(root)) calls = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { uses, calls };
}

const moduleOf = (s: ts.ImportDeclaration): string => (s.moduleSpecifier as ts.StringLiteral).text;

function namesOf({ importClause: clause }: ts.ImportDeclaration): string[] {
  if (clause === undefined) return [];
  const bound = clause.namedBindings;
  const named = bound === undefined ? [] : ts.isNamespaceImport(bound) ? [bound] : bound.elements;
  return [...(clause.name === undefined ? [] : [clause.name.text]), ...named.map((n) => n.name.text)];
}

/** Code that runs when it is called: a function, unless it is handed to a call that may call it at once. */
function isLater(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node)) return !node.modifiers?.some((m) => m.kind === ts.SyntaxKind.StaticKeyword);
  if (!ts.isFunctionLike(node)) return false;
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return false;
  return !(ts.isCallExpression(parent) || ts.isNewExpression(parent));
}

/** The name that an expression begins with; null where it begins with no name, a text or a list as of the language. */
function rootOf(e: ts.Expression): string | null {
  if (ts.isIdentifier(e)) return e.text;
  if (ts.isPropertyAccessExpression(e) || ts.isElementAccessExpression(e)) return rootOf(e.expression);
  if (ts.isCallExpression(e)) return rootOf(e.expression);
  if (ts.isNonNullExpression(e) || ts.isAsExpression(e)) return rootOf(e.expression);
  if (ts.isArrayLiteralExpression(e) || ts.isStringLiteralLike(e) || ts.isRegularExpressionLiteral(e)) return "";
  return null;
}
