import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import seedrandom from "seedrandom";
import { codeMutants } from "./code.js";
import { dataMutants } from "./data.js";
import type { Change } from "./mutant.js";

/** Files and folders of a game that hold no rules: what is seen, narrated, drawn, written and read of a game. */
const NOT_RULES = [
  "data",
  "events",
  "index",
  "invariants",
  "layout",
  "names",
  "narration",
  "notation",
  "observation",
  "potential",
  "potentials",
  "prompt",
  "public-log",
  "render",
  "resample",
  "scene",
  "schema",
  "view",
];

/** Data that no rule reads: texts, names of actions, what observations show. */
const NOT_RULE_DATA = [
  "actions",
  "briefing",
  "events",
  "guide",
  "lesson",
  "observation",
  "options",
  "orders",
  "primer",
  "rulebook",
  "rules",
  "rulings",
  "layout",
];

const filesBelow = (root: string, dir: string): string[] =>
  existsSync(join(root, dir))
    ? readdirSync(join(root, dir), { withFileTypes: true, recursive: true })
        .filter((e) => e.isFile())
        .map((e) => join(e.parentPath, e.name).slice(root.length + 1))
        .sort()
    : [];

/** Source files of a game that hold its rules: `rules/`, turn, actions, state and what else they are made of. */
export function ruleFiles(root: string, game: string): string[] {
  const dir = `env/${game}`;
  return filesBelow(root, dir).filter(
    (f) =>
      f.endsWith(".ts") &&
      !NOT_RULES.includes(
        f
          .slice(dir.length + 1)
          .split("/")[0]!
          .replace(/\.ts$/, ""),
      ),
  );
}

/** Data files that the rules of a game read. */
export function dataFiles(root: string, game: string): string[] {
  const dir = `env/${game}/data`;
  return filesBelow(root, dir).filter(
    (f) => f.endsWith(".json") && !NOT_RULE_DATA.includes(f.slice(dir.length + 1).replace(/\.json$/, "")),
  );
}

export interface Population {
  readonly code: readonly Change[];
  readonly data: readonly Change[];
}

/** All mutants of a game, each kind in an order drawn from `seed`: the first N of it are the sample. */
export function populationOf(root: string, game: string, seed: number): Population {
  const text = (file: string): string => readFileSync(join(root, file), "utf8");
  return {
    code: shuffled(
      ruleFiles(root, game).flatMap((f) => codeMutants(f, text(f))),
      `${seed} code`,
    ),
    data: shuffled(
      dataFiles(root, game).flatMap((f) => dataMutants(f, text(f))),
      `${seed} data`,
    ),
  };
}

function shuffled<T>(list: readonly T[], seed: string): T[] {
  const random = seedrandom(seed);
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/** Of what is judged, comments and texts left out, and of what judges. */
export function digestsOf(root: string, game: string): { code: string; proofs: string } {
  const digest = (files: readonly string[], read: (file: string, text: string) => string): string => {
    const hash = createHash("sha256");
    for (const file of files) hash.update(`${file}\0${read(file, readFileSync(join(root, file), "utf8"))}`);
    return hash.digest("hex").slice(0, 16);
  };
  const texts = NOT_RULE_DATA.map((name) => `env/${game}/data/${name}.json`);
  const plays = (file: string): boolean => /\.(ts|json)$/.test(file) && !texts.includes(file);
  return {
    code: digest([...filesBelow(root, "env/core"), ...filesBelow(root, `env/${game}`)].filter(plays), withoutComments),
    proofs: digest(
      [...filesBelow(root, `test/env/${game}`), ...filesBelow(root, `test/cases/${game}`)],
      (_, text) => text,
    ),
  };
}

const withoutComments = (file: string, text: string): string =>
  file.endsWith(".ts") ? transformSync(text, { loader: "ts", target: "es2023", legalComments: "none" }).code : text;
