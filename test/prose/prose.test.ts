import { expect, test } from "vitest";
import { textOf, tree } from "../documents.js";
import { foundIn, isLinted, lint, lintData, lintMarkdown, lintSource, RULES } from "./prose.js";

test.each(RULES)("$name is found in its bad sentence, and not in its good one", (rule) => {
  expect(foundIn(rule.bad, "README.md")).toEqual([expect.stringContaining(`(${rule.name}): ${rule.say}`)]);
  expect(foundIn(rule.good, "README.md").filter((found) => found.includes(rule.name))).toEqual([]);
});

test("no document reads as translated, and none has lines that are too long; nor does a source that is held", () => {
  const files = tree().filter(isLinted);
  expect(files.filter((path) => path.endsWith(".md")).length).toBeGreaterThan(30);
  expect(files.filter((path) => path.endsWith(".ts")).length).toBeGreaterThan(1000);
  expect(files.filter((path) => path.endsWith(".py")).length).toBeGreaterThan(100);
  expect(files.filter((path) => path.endsWith(".json")).length).toBeGreaterThan(30);
  expect(files.flatMap((path) => lint(textOf(path), path).map((f) => `${path}:${f.line}: ${f.says}`))).toEqual([]);
});

test("prose is read, and neither code, nor fields, nor what a path excepts", () => {
  const long = "word ".repeat(25);
  const text = `---\ntitle: it stands here\n---\nIt stands here.\n\`it stands\`\n\`\`\`\nit stands\n\`\`\`\n${long}\n| ${long} |\n`;
  expect(lintMarkdown(text, "a.md").map((f) => f.line)).toEqual([4, 9]);
  expect(lintMarkdown("A leader and his command", "env/a/README.md")).toEqual([]);
  expect(lintMarkdown("A client and his key", "server/a.md").length).toBe(1);
});

test("a phrase that runs on into the next line is found once, where it begins", () => {
  expect(
    lintMarkdown("An agent may think so\nlong about this.\n\nA player cannot tell\nthem apart.", "a.md").map(
      (f) => f.line,
    ),
  ).toEqual([1]);
});

test("strings and comments of sources are read, and names are not", () => {
  const source =
    'const tells = 1;\n/** It\n * tells nothing. */\nconst b = "it stands";\nconst c = `no ${tells} more`;\nlet told = 1; // so long';
  expect(lintSource(source, "a.ts").map((f) => f.line)).toEqual([3, 4, 6]);
});

test("strings, docstrings and comments of Python are read, and names are not", () => {
  const source =
    'told = 1\ndef f():\n    """It returns\n    what the server tells."""\n    return {"told": "it stands", \'tells\': told}  # so long';
  expect(lintSource(source, "a.py").map((f) => f.line)).toEqual([4, 5, 5]);
});

test("a comment that runs on is read as one text; strings of one word, words in backticks and parameters are names", () => {
  const source =
    '/**\n * An agent may think so\n * long.\n *\n * @param told not `told`\n */\nconst a = "tells";\nconst b = <T>(x: T): T => x;\nlet tells = b(a);';
  expect(lintSource(source, "a.ts").map((f) => f.line)).toEqual([2]);
});

test("strings of the data that people read are read, and names are not", () => {
  const data = '{\n "tells": "A die \\"tells\\" it",\n "who": "stands",\n "says": "`it stands` here"\n}';
  expect(lintData(data, "env/a/data/rules.json").map((f) => f.line)).toEqual([2]);
  expect(lint(data, "env/a/data/rules.json").length).toBe(1);
  expect(["env/a/data/rulebook.json", "env/a/data/map.json", "env/core/data.json"].map(isLinted)).toEqual([
    true,
    false,
    false,
  ]);
});

test("a doc comment is a sentence, and no question; other comments may ask", () => {
  const source =
    "/** Is a unit armor? */\nlet a;\n/** True when it is. @param b is it a gun? */\nlet b;\n" +
    '/**\n * Does it\n * move? Rule: SS 1\n */\nlet c;\n// Why?\n/** True for `a?`; what asks "Is it?" too. */\nlet d;';
  expect(lintSource(source, "a.ts").map((f) => f.line)).toEqual([1, 3, 5]);
});

test("a comment has lines of at most 120 characters; code may be longer", () => {
  const long = "x".repeat(115);
  const source = `// ${long} y\n/**\n * ${long}\n * ${long} y z\n */\nconst a = "${long}${long}";\n// ${long}\n# ${long} y`;
  expect(lintSource(source, "a.ts").map((f) => f.line)).toEqual([4]);
  expect(lintSource(source.replaceAll(" y", " yyyy"), "a.ts").map((f) => f.line)).toEqual([1, 4, 8]);
});

test("a comment ends with its sentence, and not with a slash", () => {
  const source = "/**\n * Every reply has its id. /\n */\n/**\n * One a / or b\n */\nconst a = 1 /\n  2;";
  expect(lintSource(source, "a.ts").map((f) => f.line)).toEqual([2]);
});

test("counters lie and units stand in the texts of a game", () => {
  const source = 'const a = "A column stands there: it deploys.";\nconst b = "A contact lies there.";';
  expect(lintSource(source, "env/a/decisions/move.ts")).toEqual([]);
  expect(lintSource(source, "env/a/events.ts")).toEqual([]);
  expect(lintSource(source, "env/a/state.ts").map((f) => f.line)).toEqual([1, 2]);
});
