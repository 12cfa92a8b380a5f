import ts from "typescript";
import { type Change, numbered } from "./mutant.js";

/** Operators and what each becomes. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "|=": ["&="],
  "&=": ["|="],
  "++": ["--"],
  "--": ["++"],
};

const METHODS: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  some: "every",
  every: "some",
};

/** Statements that only report what has happened: the rules are the same without them. */
const TELLS = /\bnarrator\b|\bevents\.|\btell[A-Z]/;

/** Parts of a decision that put it into words, read and check documents of it, or deal what is hidden of it. */
const TOLD = /^(?:about|afterPicks|asks|by|cites|deal|fault|holds|logged|means|presumed|turnOf|unasked)$/;
/** Types of what does the same. */
const TOLD_TYPES = /^(?:Deal|Fault|Held|Meaning)\b/;

type Add = (start: number, end: number, to: string) => void;

/**
 * All mutants of a source file: operators, numbers, conditions, truth values, statements and cases taken out. What only
 * reports events, throws, labels (constants that count up), words and documents of decisions, and types is left alone.
 */
export function codeMutants(file: string, text: string): Change[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const lines = text.split("\n");
  const found: Omit<Change, "nth">[] = [];
  const add: Add = (start, end, to) => {
    const line = source.getLineAndCharacterOfPosition(start).line;
    found.push({
      file,
      line: line + 1,
      at: placeOf(source, start, lines[line]!.trim()),
      from: text.slice(start, end).replace(/\s+/g, " "),
      to: to === "" ? "nothing" : to,
      start,
      text: () => text.slice(0, start) + to + text.slice(end),
    });
  };
  const visit = (node: ts.Node): void => {
    if (leftAlone(node)) return;
    mutate(node, source, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return numbered(found);
}

/** Longer statements are named by their line alone. */
const LONG = 200;

/**
 * What names the place of a mutant: the text of its statement in one line, up to the first block in it; `if`, `else`
 * and loops with the statement alone under them. It stays the same however lines are broken and wherever the code
 * moves.
 *
 * @param line the source line, taken for what is longer than a few lines or in no statement
 */
function placeOf(source: ts.SourceFile, at: number, line: string): string {
  let found: ts.Node = source;
  let place: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) > at || at >= node.getEnd()) return;
    if (ts.isStatement(node) && !ts.isBlock(node)) {
      const alone = ts.isIfStatement(found) ? node !== found.elseStatement : ts.isIterationStatement(found, false);
      if (!(alone && node.parent === found)) place = node;
      found = node;
    } else if (ts.isClassElement(node)) place = found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  if (ts.isSourceFile(place)) return line;
  const start = place.getStart(source);
  let end = place.getEnd();
  const cut = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isCaseBlock(node) || ts.isClassElement(node)) {
      if (node !== place) end = Math.min(end, node.getStart(source) + (ts.isClassElement(node) ? 0 : 1));
    } else ts.forEachChild(node, cut);
  };
  ts.forEachChild(place, cut);
  const text = source.text.slice(start, end).replace(/\s+/g, " ").trim();
  return text.length > LONG ? line : text;
}

function leftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node)) return true;
  if (ts.isIfStatement(node) && /\bnarrator\b/.test(node.expression.getText())) return true;
  if (ts.isExpressionStatement(node) && TELLS.test(node.getText())) return true;
  if (ts.isFunctionDeclaration(node) && /^tell[A-Z]/.test(node.name?.text ?? "")) return true;
  if ((ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) && TOLD.test(node.name.getText())) return true;
  if ((ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && TOLD_TYPES.test(node.type?.getText() ?? ""))
    return true;
  return ts.isVariableStatement(node) && isLabel(node);
}

/** A constant that is one more or less than that of the statement before or after it. */
function isLabel(node: ts.VariableStatement): boolean {
  const value = labelValue(node);
  if (value === null || !ts.isSourceFile(node.parent)) return false;
  const { statements } = node.parent;
  const i = statements.indexOf(node);
  return [statements[i - 1], statements[i + 1]].some((other) => {
    const next = other === undefined ? null : labelValue(other);
    return next !== null && Math.abs(next - value) === 1;
  });
}

function labelValue(node: ts.Node): number | null {
  if (!ts.isVariableStatement(node) || node.declarationList.declarations.length !== 1) return null;
  const value = node.declarationList.declarations[0]!.initializer;
  return value !== undefined && ts.isNumericLiteral(value) ? Number(value.text) : null;
}

function mutate(node: ts.Node, source: ts.SourceFile, add: Add): void {
  const start = node.getStart(source);
  const end = node.getEnd();
  if (ts.isBinaryExpression(node)) binary(node, source, add);
  else if (ts.isPrefixUnaryExpression(node)) prefix(node, source, add);
  else if (ts.isPostfixUnaryExpression(node)) {
    const token = ts.tokenToString(node.operator)!;
    add(node.operand.getEnd(), end, OPERATORS[token]![0]!);
  } else if (ts.isNumericLiteral(node)) {
    if (ts.isEnumMember(node.parent)) return;
    const n = Number(node.text);
    add(start, end, String(n + 1));
    if (n > 0) add(start, end, String(n - 1));
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) add(start, end, "false");
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(start, end, "true");
  else if (ts.isPropertyAccessExpression(node)) {
    const to = METHODS[node.name.text];
    if (to !== undefined && ts.isCallExpression(node.parent) && node.parent.expression === node)
      add(node.name.getStart(source), node.name.getEnd(), to);
  } else statement(node, source, add);
}

function binary(node: ts.BinaryExpression, source: ts.SourceFile, add: Add): void {
  const isText = (e: ts.Expression): boolean =>
    ts.isStringLiteralLike(e) ||
    ts.isTemplateExpression(e) ||
    (ts.isBinaryExpression(e) && (isText(e.left) || isText(e.right)));
  if (isText(node.left) || isText(node.right)) {
    const token = node.operatorToken.kind;
    if (token === ts.SyntaxKind.PlusToken || token === ts.SyntaxKind.PlusEqualsToken) return;
  }
  const at = node.operatorToken;
  for (const to of OPERATORS[at.getText(source)] ?? []) add(at.getStart(source), at.getEnd(), to);
}

function prefix(node: ts.PrefixUnaryExpression, source: ts.SourceFile, add: Add): void {
  const start = node.getStart(source);
  const token = ts.tokenToString(node.operator)!;
  const to = OPERATORS[token]?.[0];
  if (token.length === 2 && to !== undefined) add(start, start + 2, to);
  else if (token === "!" || token === "-" || token === "~") add(start, start + 1, "");
}

function statement(node: ts.Node, source: ts.SourceFile, add: Add): void {
  const start = node.getStart(source);
  const end = node.getEnd();
  const whole = (e: ts.Expression, ...to: string[]): void => {
    for (const t of to) if (t !== e.getText(source)) add(e.getStart(source), e.getEnd(), t);
  };
  if (ts.isIfStatement(node)) whole(node.expression, "true", "false");
  else if (ts.isConditionalExpression(node)) whole(node.condition, "true", "false");
  else if (ts.isWhileStatement(node)) whole(node.expression, "false");
  else if (ts.isForStatement(node) && node.condition !== undefined) whole(node.condition, "false");
  else if (ts.isExpressionStatement(node)) {
    if (!ts.isStringLiteral(node.expression)) add(start, end, ";");
  } else if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) {
    if (!ts.isCaseOrDefaultClause(node.parent)) add(start, end, ";");
  } else if (ts.isCaseClause(node) && node.statements.length > 0) {
    const last = node.statements.at(-1)!;
    add(node.statements[0]!.getStart(source), last.getEnd(), "break;");
  }
}
