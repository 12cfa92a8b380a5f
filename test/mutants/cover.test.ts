import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { instrumented, marks, regionAt } from "./cover.js";

const TEXT = `const LIMIT = 3;
export function f(n: number): number {
  if (n > LIMIT) return 1;
  else if (n === 2) { n++; }
  for (let i = 0; i < n; i++) if (i > 5) n--;
  const half = (m: number) => m / 2;
  const at = n > 8 ? half(n) : -n;
  return n < 0 && at < 0 ? 0 : at;
}
export class Counter {
  constructor(private n = 0) {}
  next(): number { return ++this.n; }
}
`;

/** The texts of regions that were entered while \`run\` ran. */
function entered(run: (own: { f(n: number): number; Counter: new () => { next(): number } }) => unknown): string[] {
  const { regions, text } = instrumented("a.ts", TEXT, 40);
  const { code } = transformSync(text, { loader: "ts", format: "cjs" });
  const module = { exports: {} };
  new Function("module", "exports", code)(module, module.exports);
  marks.fill(0);
  run(module.exports as never);
  return regions.filter((_, i) => marks[40 + i] === 1).map((r) => TEXT.slice(r.from, r.to).split("\n")[0]!);
}

test("code with marks does the same, and marks what it enters", () => {
  expect(entered(({ f }) => expect(f(4)).toBe(1))).toEqual(["if (n > LIMIT) return 1;", "return 1;"]);
  const many = entered(({ f }) => expect(f(2)).toBe(-3));
  expect(many).toContain("n++;");
  expect(many).toContain("-n");
  for (const not of ["return 1;", "n--;", "m / 2", "half(n)", "at < 0", "0"]) expect(many).not.toContain(not);
  expect(entered(({ Counter }) => new Counter().next())).toEqual(["return ++this.n;"]);
});

test("a place belongs to the smallest region around it, and to none where evaluation alone comes", () => {
  const { regions } = instrumented("a.ts", TEXT, 0);
  const at = (text: string): string => {
    const i = regionAt(regions, TEXT.indexOf(text));
    return i < 0 ? "none" : TEXT.slice(regions[i]!.from, regions[i]!.to).split("\n")[0]!;
  };
  expect(at("> LIMIT")).toBe("if (n > LIMIT) return 1;");
  expect(at("1;\n  else")).toBe("return 1;");
  expect(at("> 5")).toBe("if (i > 5) n--;");
  expect(at("/ 2")).toBe("m / 2");
  expect(at("3;")).toBe("none");
});
