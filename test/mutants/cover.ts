import ts from "typescript";

/** A piece of code that runs as a whole or not at all, but for what throws: offsets in its file, `to` exclusive. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

/**
 * The name of all files' marks while they run: 1 for each region that was entered. Instrumented code finds it as a
 * global, which is faster than a property.
 */
export const marks = new Uint8Array(1 << 17);
(globalThis as { __marks?: Uint8Array }).__marks = marks;

/**
 * The regions of a source file, and its text with a mark in each: statements of functions, branches of conditions,
 * right sides of `&&`, `||` and `??`, bodies of arrow functions. What runs when the file is evaluated is in no region.
 *
 * @param first number of the file's first region in `marks`
 */
export function instrumented(file: string, text: string, first: number): { regions: Region[]; text: string } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const regions: Region[] = [];
  const put: { at: number; opens: boolean; text: string }[] = [];
  const begin = (node: ts.Node): string => {
    const mark = `__marks[${first + regions.length}]=1`;
    regions.push({ from: node.getStart(source), to: node.getEnd() });
    return mark;
  };
  const open = (node: ts.Node, what: string): void =>
    void put.push({ at: node.getStart(source), opens: true, text: what });
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    let close = "";
    if (ts.isStatement(node) && isListed(node)) open(node, `${begin(node)};`);
    else if (ts.isStatement(node) && isBody(node)) {
      open(node, `{${begin(node)};`);
      close = "}";
    } else if (isBranch(node)) {
      open(node, `(${begin(node)},`);
      close = ")";
    }
    ts.forEachChild(node, visit);
    if (close !== "") put.push({ at: node.getEnd(), opens: false, text: close });
  };
  visit(source);
  // at one place what closes comes first; the sort keeps the order of visiting, outer before inner and inner before
  // outer
  put.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens));
  let out = "";
  let at = 0;
  for (const p of put) {
    out += text.slice(at, p.at) + p.text;
    at = p.at;
  }
  return { regions, text: out + text.slice(at) };
}

/** A statement among others, in a function. */
function isListed(node: ts.Statement): boolean {
  const { parent } = node;
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return false; // they are there before their turn
  return ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent);
}

/** A statement alone under `if`, `else` or a loop. */
function isBody(node: ts.Statement): boolean {
  const { parent } = node;
  if (ts.isBlock(node)) return false;
  return ts.isIfStatement(parent) || ts.isIterationStatement(parent, false);
}

function isBranch(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isConditionalExpression(parent)) return node === parent.whenTrue || node === parent.whenFalse;
  if (ts.isArrowFunction(parent)) return node === parent.body && !ts.isBlock(node);
  if (!ts.isBinaryExpression(parent) || node !== parent.right) return false;
  return SHORT.has(parent.operatorToken.kind);
}

const SHORT = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** The smallest region around an offset; -1 where the code runs when the file is evaluated. */
export function regionAt(regions: readonly Region[], at: number): number {
  let found = -1;
  regions.forEach((r, i) => {
    if (r.from > at || at >= r.to) return;
    if (found < 0 || r.to - r.from <= regions[found]!.to - regions[found]!.from) found = i;
  });
  return found;
}
