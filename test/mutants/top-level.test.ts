import { expect, test } from "vitest";
import { topLevelOf } from "./top-level.js";

const of = (text: string): [uses: string[], calls: boolean] => {
  const { uses, calls } = topLevelOf("a.ts", `import { f, type T } from "./f.js";\nimport g from "./g.json";\n${text}`);
  return [[...uses], calls];
};

test("what functions do later is not used when a module is evaluated", () => {
  expect(of("export function a() { return f(g); }")).toEqual([[], false]);
  expect(of("export const a = (n: T) => f(n);")).toEqual([[], false]);
  expect(of("export class A { b = f(1); c() { return f(2); } }")).toEqual([[], false]);
  expect(of("export const list = { a: () => f(1), b() { return g; } };")).toEqual([[], false]);
});

test("what it takes, calls, extends or hands on is", () => {
  expect(of("export const a = [f, g];")).toEqual([["./f.js", "./g.json"], false]);
  expect(of("export const a = f(1);")).toEqual([["./f.js"], true]);
  expect(of("const own = () => f(1);\nexport const a = own();")).toEqual([[], true]);
  expect(of("export const a = [1, 2].map((n) => f(n));")).toEqual([["./f.js"], true]);
  expect(of("export class A extends f {}")).toEqual([["./f.js"], false]);
  expect(of("export class A { static b = g; }")).toEqual([["./g.json"], false]);
  expect(of('export * from "./h.js";')).toEqual([["./h.js"], false]);
  expect(of("export const a = new Map([[1, 2]]), b = Object.keys({});")).toEqual([[], false]);
});
