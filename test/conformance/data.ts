import {
  type Game,
  type GameData,
  type GameType,
  type Json,
  KesselError,
  NOTES,
  type Options,
  resolveOptions,
  Rng,
} from "../../env/index.js";
import { everyValue, optionSets } from "./option-sets.js";

type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/**
 * Every key must be read or refused: takes keys out, renames them and adds unknown ones, and reports what nobody
 * notices. A key is noticed when an error names it or when the loaded game is another one, with any option set of
 * conformance or any value of an option. Texts about the data (`NOTES`) may go. Of keys that differ in list index or in
 * the name of a record only, one is tried.
 *
 * @param tells of each fault a line: file, key and what went unnoticed
 * @param most kinds of keys and of objects tried in a file; of more a lot decides
 * @param idle keys that need not change a game, as `file.path`
 */
export function checkData(
  type: GameType,
  tells: (fault: string) => void,
  most: (file: string) => number,
  idle: readonly RegExp[] = [],
): void {
  const tried = optionSets(type).map(({ game }) => game.options);
  const sets = [...tried, ...everyValue(type).map((chosen) => resolveOptions(type, chosen))];
  const before = new Map<Options, string>();
  const asBefore = (options: Options): string => {
    let text = before.get(options);
    if (text === undefined) before.set(options, (text = fingerprint(type.load(options, type.data))));
    return text;
  };
  const noticed = (file: string, path: Path, keys: readonly string[], change: (at: Container) => void): boolean => {
    const data = changed(type.data, file, path, change);
    const by = sets.findIndex((options) => {
      try {
        return fingerprint(type.load(options, data)) !== asBefore(options);
      } catch (e) {
        return e instanceof KesselError && e.code === "bad-data" && keys.some((k) => e.message.includes(k));
      }
    });
    // keys of one file are often noticed by one set: it is asked first next time
    if (by > 0) sets.unshift(...sets.splice(by, 1));
    return by >= 0;
  };
  for (const file of Object.keys(type.data)) {
    const { keys, blocks } = kindsOfKeys(type.data[file]!, `${type.id} ${file}`, most(file));
    for (const path of keys) {
      if (idle.some((pattern) => pattern.test(`${file}.${path.join(".")}`))) continue;
      const [at, key] = [path.slice(0, -1), String(path.at(-1))];
      if (!noticed(file, at, [key], (o) => delete o[key])) tells(`${file}.json: ${path.join(".")} can be left out`);
      const rename = (o: Container): void => {
        o[`${key}Zz`] = o[key];
        delete o[key];
      };
      if (!noticed(file, at, [key], rename)) tells(`${file}.json: ${path.join(".")} can be renamed`);
    }
    for (const path of blocks)
      if (!noticed(file, path, ["unknownZz"], (o) => (o["unknownZz"] = 1)))
        tells(`${file}.json: ${path.join(".") || "(top)"} takes an unknown key`);
  }
}

/** The path of one key, and of one object, for each way of writing such a path without indices and names of records. */
function kindsOfKeys(doc: Json, seed: string, most: number): { keys: Path[]; blocks: Path[] } {
  const keys = new Map<string, Path[]>();
  const blocks = new Map<string, Path[]>();
  const add = (to: Map<string, Path[]>, path: Path): void => {
    const kind = path.map((p) => (typeof p === "number" || /\d/.test(p) ? "*" : p)).join(".");
    to.set(kind, [...(to.get(kind) ?? []), path]);
  };
  const walk = (value: Json, path: Path): void => {
    if (Array.isArray(value)) value.forEach((v, i) => walk(v as Json, [...path, i]));
    else if (value !== null && typeof value === "object") {
      add(blocks, path);
      for (const [key, v] of Object.entries(value)) {
        if (NOTES.includes(key)) continue;
        add(keys, [...path, key]);
        walk(v as Json, [...path, key]);
      }
    }
  };
  walk(doc, []);
  const rng = new Rng(seed);
  const drawn = (kinds: Map<string, Path[]>): Path[] => {
    const all = [...kinds.values()].map((paths) => paths[rng.below(paths.length)]!);
    while (all.length > most) all.splice(rng.below(all.length), 1);
    return all;
  };
  return { keys: drawn(keys), blocks: drawn(blocks) };
}

function changed(data: GameData, file: string, path: Path, change: (at: Container) => void): GameData {
  const copy = structuredClone(data[file]) as Json;
  let at = copy as unknown as Container;
  for (const p of path) at = at[p] as Container;
  change(at);
  return { ...data, [file]: copy };
}

/** All that a loaded game holds, as text; functions count as equal. */
function fingerprint(loaded: Game): string {
  const seen = new Map<object, number>([[loaded.type, -1]]); // the same before and after
  const plain = (x: unknown): unknown => {
    if (typeof x === "function") return "function";
    if (x === null || typeof x !== "object") return x;
    const met = seen.get(x);
    if (met !== undefined) return `#${met}`;
    seen.set(x, seen.size);
    if (ArrayBuffer.isView(x)) return Array.from(x as unknown as ArrayLike<number>);
    if (x instanceof Map || x instanceof Set || Array.isArray(x)) return Array.from(x as Iterable<unknown>, plain);
    return Object.entries(x).map(([key, value]) => [key, plain(value)]);
  };
  return JSON.stringify(plain(loaded));
}
