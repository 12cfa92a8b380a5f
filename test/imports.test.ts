import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const FOLDERS = ["env", "agents", "training", "server"] as const;

interface Import {
  readonly from: string;
  readonly to: string;
}

/** What a source file imports, dynamic imports and re-exports included: paths in the repository, or package names. */
function importsOf(file: string, text: string): Import[] {
  const found = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map((m) => m[1]!);
  return found.map((to) => ({
    from: file,
    to: to.startsWith(".") ? join(dirname(file), to).replace(/\.js$/, ".ts") : to,
  }));
}

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((e) => e.isFile() && /\.(ts|mjs)$/.test(e.name) && !e.parentPath.includes("node_modules"))
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
