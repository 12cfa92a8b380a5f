import ts from "typescript";
import { expect, test } from "vitest";
import { textOf, tree } from "./documents.js";

/**
 * Keys that an object of a JSON text has twice, each with its line: `JSON.parse` drops the first value of such a key.
 */
function doubledKeys(file: string, text: string): string[] {
  const source = ts.parseJsonText(file, text);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const keys = new Set<string>();
      for (const { name } of node.properties) {
        const key = ts.isStringLiteral(name!) ? name.text : name!.getText(source);
        const line = source.getLineAndCharacterOfPosition(name!.getStart(source)).line + 1;
        if (keys.has(key)) found.push(`${file}:${line}: ${key}`);
        keys.add(key);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no object of a JSON file has a key twice", () => {
  const files = tree().filter((path) => /\.jsonc?$/.test(path));
  expect(files.length).toBeGreaterThan(150);
  expect(files.flatMap((file) => doubledKeys(file, textOf(file)))).toEqual([]);
});

test("a doubled key is found at any depth, also where one of its letters is escaped", () => {
  const text = `{ "a": 1, "list": [{ "b": { "c": 1, "d": 2,\n "\\u0063": 3 } }], "b": 1,\n "a": 2 }`;
  expect(doubledKeys("x.json", text)).toEqual(["x.json:3: a", "x.json:2: c"]);
});
