import { type Change, numbered } from "./mutant.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Path = readonly (string | number)[];

/** Keys that no rule reads: what a block says of itself, and how things are called and drawn. */
export const NOT_RULES = ["about", "rule", "provenance", "name", "names", "layout", "points", "xy", "board", "game"];

/**
 * All mutants of a data file: numbers one more and one less, truth values turned, neighbours in a list swapped, items
 * and keys dropped.
 */
export function dataMutants(file: string, text: string): Change[] {
  const found: Omit<Change, "nth">[] = [];
  const document = JSON.parse(text) as Json;
  const lines = new Lines(text);
  const add = (path: Path, from: string, to: string, change: (copy: Json) => void): void => {
    found.push({
      file,
      line: lines.of(path),
      at: path.join("."),
      from,
      to,
      start: -1,
      text: () => {
        const copy = JSON.parse(text) as Json;
        change(copy);
        return JSON.stringify(copy);
      },
    });
  };
  const visit = (value: Json, path: Path): void => {
    if (typeof value === "number") {
      for (const to of [value + 1, value - 1]) add(path, String(value), String(to), (copy) => put(copy, path, to));
    } else if (typeof value === "boolean") {
      add(path, String(value), String(!value), (copy) => put(copy, path, !value));
    } else if (Array.isArray(value)) {
      value.forEach((item, i) => {
        const next = value[i + 1];
        if (next !== undefined && shown(item) !== shown(next))
          add([...path, i], shown(item), `swapped with ${shown(next)}`, (copy) => {
            const list = get(copy, path) as Json[];
            [list[i], list[i + 1]] = [list[i + 1]!, list[i]!];
          });
        add([...path, i], shown(item), "dropped", (copy) => void (get(copy, path) as Json[]).splice(i, 1));
        visit(item, [...path, i]);
      });
    } else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) {
        if (NOT_RULES.includes(key)) continue;
        if (path.length > 0)
          add([...path, key], shown(item), "dropped", (copy) => {
            delete (get(copy, path) as { [key: string]: Json })[key];
          });
        visit(item, [...path, key]);
      }
  };
  visit(document, []);
  return numbered(found);
}

const LONG = 60;
const shown = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > LONG ? `${text.slice(0, LONG)}...` : text;
};

function get(value: Json, path: Path): Json {
  return path.reduce<Json>((at, key) => (at as { [key: string]: Json })[key]!, value);
}

function put(document: Json, path: Path, value: Json): void {
  (get(document, path.slice(0, -1)) as { [key: string]: Json })[path.at(-1)!] = value;
}

/** Lines of values in a JSON text. */
class Lines {
  private readonly found = new Map<string, number>();

  constructor(text: string) {
    let at = 0;
    let line = 1;
    const skip = (): void => {
      while (/[\s,:]/.test(text[at] ?? "")) if (text[at++] === "\n") line++;
    };
    const token = (): string => {
      const end = /^("(?:[^"\\]|\\.)*"|[^\s,:\]}]+)/.exec(text.slice(at, at + 10_000))![0];
      at += end.length;
      return end;
    };
    const value = (path: Path): void => {
      skip();
      this.found.set(path.join("."), line);
      if (text[at] === "{" || text[at] === "[") {
        const list = text[at++] === "[";
        for (let i = 0; ; i++) {
          skip();
          if (text[at] === "}" || text[at] === "]") break;
          value([...path, list ? i : (JSON.parse(token()) as string)]);
        }
        at++;
      } else token();
    };
    value([]);
  }

  of(path: Path): number {
    return this.found.get(path.join(".")) ?? 1;
  }
}
