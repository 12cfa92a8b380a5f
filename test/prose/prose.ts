import ts from "typescript";
import { textOf } from "../documents.js";

/** A pattern of prose that reads as translated, with a sentence that it finds and one that it leaves alone. */
export interface Rule {
  readonly name: string;
  readonly pattern: string;
  /** Files that it leaves alone, by a pattern of their paths. */
  readonly except?: string;
  readonly say: string;
  readonly bad: string;
  readonly good: string;
}

export const RULES = JSON.parse(textOf("test/prose/rules.json")) as readonly Rule[];

/** Most characters of a line of prose. */
export const WIDTH = 120;

/** Something to mend: where, and what to do. */
export interface Found {
  readonly line: number;
  readonly says: string;
}

/** Generated cards and history stay as they were written. */
const EXCEPT = /^models\/.+\/|^CHANGELOG\.md$/;

const isMarkdown = (path: string): boolean => /\.md(\.txt)?$/.test(path);

const isPython = (path: string): boolean => path.endsWith(".py");

export const isSource = (path: string): boolean => /\.tsx?$/.test(path) || isPython(path);

/** Data of a game that people read. */
const isData = (path: string): boolean =>
  /^env\/[^/]+\/data\/(?:briefing|events|guide|lesson|primer|rulebook|rules|rulings)\.json$/.test(path);

/** Its strings are the bad prose that the rules have to find. */
const EXAMPLES = "test/prose/prose.test.ts";

/** True for a file that has to be clean. */
export const isLinted = (path: string): boolean =>
  (isMarkdown(path) && !EXCEPT.test(path)) || isData(path) || (isSource(path) && path !== EXAMPLES);

/** A command or an address that no line can break. */
const UNBREAKABLE = 60;

/** Lines of a Markdown text that are prose, words in backticks blanked; others are empty. */
function proseOf(markdown: string): string[] {
  let fence = /^---\n/.test(markdown) ? "---" : null; // the fields of a page come first
  return markdown.split("\n").map((line, i) => {
    if (fence !== null) {
      if (i > 0 && line.trim() === fence) fence = null;
      return "";
    }
    fence = /^ *```/.test(line) ? "```" : null;
    return fence !== null || /^ *<!--/.test(line) ? "" : line.replace(/`[^`]*`/g, blanked);
  });
}

const blanked = (span: string): string => (span.length > UNBREAKABLE ? "x" : "x".repeat(span.length));

/**
 * @param next the line behind it, into which a phrase may run on
 * @returns what the rules find in a line
 */
export const foundIn = (text: string, path: string, next = ""): string[] =>
  RULES.flatMap(({ name, pattern, except, say }) => {
    if (except !== undefined && new RegExp(except).test(path)) return [];
    const hit = new RegExp(pattern).exec(`${text} ${next.trim()}`.trimEnd());
    return hit === null || hit.index >= text.length ? [] : [`"${hit[0].trim()}" (${name}): ${say}`];
  });

/** What is to be mended in a Markdown file. Tables and headings may be as long as they are. */
export const lintMarkdown = (markdown: string, path: string): Found[] =>
  proseOf(markdown).flatMap((prose, i, all) => {
    const long = prose.length > WIDTH && !/^[|#]/.test(prose);
    const says = [
      ...foundIn(prose, path, all[i + 1]),
      ...(long ? [`${prose.length} characters, at most ${WIDTH}`] : []),
    ];
    return says.map((say) => ({ line: i + 1, says: say }));
  });

/** A string of one word is a name in the program. */
const isName = (text: string): boolean => /^["'`][^\s]*["'`]$/.test(text);

/** Words in backticks, and the names of parameters in a docstring, are blanked. */
const withoutNames = (line: string): string =>
  line.replace(/`[^`]*`/g, blanked).replace(/@param [\w.]+/g, (tag) => "x".repeat(tag.length));

/** Strings and comments of a TypeScript source, by where they begin: a comment leads several nodes. */
function textsOfTypeScript(source: string, path: string): Map<number, string> {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false);
  const texts = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ])
      texts.set(pos, source.slice(pos, end));
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      texts.set(node.getStart(file), node.getText(file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  visit(file.endOfFileToken);
  return texts;
}

/** Strings and comments of a Python source, by where they begin. */
const textsOfPython = (source: string): Map<number, string> =>
  new Map([...source.matchAll(/"""[^]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*/g)].map((m) => [m.index, m[0]]));

/** A doc comment, or a tag of one, that asks: what it documents has an answer, which the comment should give. */
const asks = (text: string): boolean =>
  text.startsWith("/**") && /\w\?(?= *(?:\n|\*\/|[A-Z@]))/.test(text.replace(/`[^`]*`|"[^"]*"/g, ""));

/** What is wrong with the form of a line of a comment; code and strings are the formatter's. */
function faultsOfLine(text: string): string[] {
  if (!/^\s*(?:\/\/|\/?\*|#)/.test(text)) return [];
  return [
    ...(text.length > WIDTH ? [`${text.length} characters, at most ${WIDTH}`] : []),
    ...(/^\s*\*.*\w.* \/$/.test(text) ? ["ends with a slash; end with the sentence"] : []),
  ];
}

const faultsOfLines = (source: string): Found[] =>
  source.split("\n").flatMap((text, i) => faultsOfLine(text).map((says) => ({ line: i + 1, says })));

/** What is to be mended in the strings and comments of a source, in the order of its lines. */
export function lintSource(source: string, path: string): Found[] {
  const texts = isPython(path) ? textsOfPython(source) : textsOfTypeScript(source, path);
  const found = [...texts]
    .filter(([, text]) => !isName(text))
    .sort(([a], [b]) => a - b)
    .flatMap(([start, text]) => {
      const line = source.slice(0, start).split("\n").length;
      if (asks(text)) return [{ line, says: 'a doc comment asks; say "True when ..."' }];
      return text
        .split("\n")
        .map(withoutNames)
        .flatMap((part, i, all) =>
          foundIn(part, path, all[i + 1]?.replace(/^\s*\*/, "")).map((says) => ({ line: line + i, says })),
        );
    });
  return [...found, ...faultsOfLines(source)].sort((a, b) => a.line - b.line);
}

/** What is to be mended in the strings of a JSON document. Strings of one word are names. */
export const lintData = (json: string, path: string): Found[] =>
  json
    .split("\n")
    .flatMap((text, i) =>
      [...text.matchAll(/"(?:\\.|[^"\\])*"/g)]
        .filter(([string]) => !isName(string))
        .flatMap(([string]) => foundIn(withoutNames(string), path).map((says) => ({ line: i + 1, says }))),
    );

export const lint = (text: string, path: string): Found[] =>
  (isMarkdown(path) ? lintMarkdown : isData(path) ? lintData : lintSource)(text, path);
