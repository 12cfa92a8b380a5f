import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { circles, type Import } from "./circles.js";

const ROOT = join(import.meta.dirname, "..");
const FOLDERS = ["env", "agents", "training", "server"] as const;

/** What a source file imports, dynamic imports and re-exports included: paths in the repository, or package names. */
function importsOf(file: string, text: string): Import[] {
  const found = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map((m) => m[1]!);
  const path = (to: string) => {
    const stem = join(ROOT, dirname(file), to).replace(/\.js$/, "");
    return relative(ROOT, to.endsWith(".js") ? `${stem}${existsSync(`${stem}.tsx`) ? ".tsx" : ".ts"}` : stem);
  };
  return found.map((to) => ({ from: file, to: to.startsWith(".") ? path(to) : to }));
}

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile() && /\.(tsx?|mjs)$/.test(e.name) && !e.parentPath.includes("node_modules"))
    .map((e) => relative(ROOT, join(e.parentPath, e.name))),
).map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
const imports = sources.flatMap(({ file, text }) => importsOf(file, text));

/** Height of a file: core, game, what speaks for env, agents, training, server. */
function layer(file: string): number {
  if (file.startsWith("env/core/")) return 0;
  if (/^env\/[^/]+\//.test(file)) return 1;
  return file.startsWith("env/") ? 2 : 2 + FOLDERS.indexOf(file.split("/")[0] as (typeof FOLDERS)[number]);
}

const gameOf = (file: string): string | null => {
  const game = /^env\/([^/]+)\//.exec(file)?.[1] ?? null;
  return game === "core" ? null : game;
};

/** Why an import may not be, or null. */
function wrong({ from, to }: Import): string | null {
  if (!FOLDERS.some((f) => to.startsWith(`${f}/`))) return to.startsWith("test/") ? "source imports a test" : null;
  if (layer(to) > layer(from)) return "points upwards";
  const game = gameOf(to);
  if (game === null || gameOf(from) === game) return null;
  if (gameOf(from) !== null) return "one game imports another";
  if (from === "env/registry.ts" && to === `env/${game}/game.json`) return null;
  if (to === `env/${game}/index.ts`) return null;
  // heuristics read their own game's state and rules
  if (
    (from === `agents/heuristics/${game}.ts` || from.startsWith(`agents/heuristics/${game}/`)) &&
    !to.endsWith(".json")
  )
    return null;
  return "reaches into a game";
}

test("imports point downwards, and into games only through their index", () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.flatMap((i) => (wrong(i) === null ? [] : [`${i.from} -> ${i.to}: ${wrong(i)}`]))).toEqual([]);
});

/** Imports between files of the repository. */
const internal = imports.filter(({ to }) => FOLDERS.some((f) => to.startsWith(`${f}/`)));

test("no file and no folder imports itself through others", () => {
  expect(circles(internal)).toEqual([]);
});

test("planted circles between files and between folders are found", () => {
  const plant = (file: string, text: string) => importsOf(file, text);
  expect(
    circles([
      ...plant("env/core/a.ts", 'import type { B } from "./b.js";'),
      ...plant("env/core/b.ts", 'export * from "./c.js";'),
      ...plant("env/core/c.ts", 'await import("./a.js");'),
      ...plant("server/slice/x.ts", 'import { y } from "../wire/y.js";'),
      ...plant("server/wire/z.ts", 'import { w } from "../slice/w.js";'),
      ...plant("training/nets/net.ts", 'import { ops } from "./ops.js";'),
    ]),
  ).toEqual([
    "env/core: a.ts -> b.ts -> c.ts -> a.ts (env/core/a.ts imports env/core/b.ts, env/core/b.ts imports env/core/c.ts, env/core/c.ts imports env/core/a.ts)",
    "server: slice -> wire -> slice (server/slice/x.ts imports server/wire/y.ts, server/wire/z.ts imports server/slice/w.ts)",
  ]);
  const planted = [...internal, { from: "env/core/dice/rng.ts", to: "env/core/batch.ts" }];
  expect(circles(planted).length).toBeGreaterThan(circles(internal).length);
});

test("env/core reads no file, no clock and no chance of its own", () => {
  const told = sources
    .filter(({ file }) => file.startsWith("env/core/"))
    .flatMap(({ file, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      const used = [
        ...code.matchAll(
          /\bDate\b|Math\.random|\bprocess\b|\bconsole\b|\bperformance\b|\bfetch\b|setTimeout|setInterval/g,
        ),
      ].map((m) => m[0]);
      const packages = importsOf(file, text)
        .filter(({ to }) => !to.startsWith("env/core/") && !["zod", "seedrandom", "node:crypto"].includes(to))
        .map(({ to }) => to);
      return [...used, ...packages].map((what) => `${file}: ${what}`);
    });
  expect(told).toEqual([]);
});

test("games roll no dice but those they are given", () => {
  const told = sources
    .filter(({ file }) => gameOf(file) !== null && file.endsWith(".ts"))
    .flatMap(({ file, text }) =>
      [...text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").matchAll(/Math\.random|\bDate\b/g)].map(
        (m) => `${file}: ${m[0]}`,
      ),
    );
  expect(told).toEqual([]);
});

test("the reader of imports finds every form and says what is wrong with each", () => {
  const text = [
    'import { a } from "../../agents/random.js";',
    "import type { B } from '../night-fight/state.js';",
    'export * from "./state.js";',
    'await import("../../server/zmq.js");',
    'import "node:fs";',
  ].join("\n");
  const found = importsOf("env/savage-streets/index.ts", text);
  expect(found.map((i) => i.to)).toEqual([
    "agents/random.ts",
    "env/night-fight/state.ts",
    "env/savage-streets/state.ts",
    "server/zmq.ts",
    "node:fs",
  ]);
  expect(found.map(wrong)).toEqual(["points upwards", "one game imports another", null, "points upwards", null]);
  const into = (from: string, to: string) => wrong({ from, to });
  expect(into("server/zmq.ts", "env/night-fight/state.ts")).toBe("reaches into a game");
  expect(into("agents/heuristics/night-fight.ts", "env/night-fight/state.ts")).toBeNull();
  expect(into("agents/heuristics/night-fight.ts", "env/savage-streets/state.ts")).toBe("reaches into a game");
  expect(into("env/registry.ts", "env/night-fight/index.ts")).toBeNull();
  expect(into("env/core/env.ts", "env/registry.ts")).toBe("points upwards");
  expect(into("env/core/env.ts", "env/night-fight/index.ts")).toBe("points upwards");
  expect(into("training/arena.ts", "test/toys/race.ts")).toBe("source imports a test");
});
