import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { GAMES } from "../env/index.js";
import { ROOT, textOf, tree } from "./documents.js";

/** This file, whose examples lead nowhere. */
const OWN = "test/paths.test.ts";

const paths = tree();
const names = new Set(paths.map((path) => path.split("/").at(-1)!));

/** Folders that paths of a text may begin at: its own and those around it, up to the root. */
function startsOf(file: string): string[] {
  const starts = [];
  for (let at = dirname(file); at !== "."; at = dirname(at)) starts.push(at);
  return [...starts, ""];
}
/** Paths that begin with `data` may be of any game. */
const GAME_FOLDERS = GAMES.map((g) => `env/${g.id}`);

/**
 * What is read for paths: all of a Markdown text, of a program its comments, not what looks like one in a string
 * (`http://`).
 */
const readable = (file: string, text: string): string =>
  file.endsWith(".md")
    ? text
    : [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*/g)].map((comment) => comment[0]).join("\n");

/**
 * Paths that a text names: to files of sources and documents, `worker.ts` alone too, and to files and folders of the
 * folders at the root. Addresses, and what begins with a variable or a tilde, are no such paths.
 */
function pathsIn(text: string): string[] {
  const words = [...text.matchAll(/(?<![\w/.~$:@-])(?:\.{1,2}\/)*(?:[\w<>*.@-]+\/)*[\w<>*.@-]+/g)];
  return words
    .map((word) => word[0].replace(/\.+$/, ""))
    .filter((path) =>
      path.includes("/")
        ? /\w\.(tsx?|mjs|py|sh|md|jsonc?|css|html)$/.test(path) ||
          /^(env|agents|training|server|models|test)\/[^.]*$/.test(path)
        : /\w\.(tsx?|mjs)$/.test(path),
    );
}

/** What a reader of the tutorial writes. */
const TO_WRITE = "test/cases/bridge-at-dawn/rules-wood.json";

/**
 * True when a path names something; `<game>`, `GAME` and `*` stand for any name. The game of CONTRIBUTING.md is yet to
 * be made.
 */
function exists(file: string, path: string): boolean {
  if (path === TO_WRITE) return true;
  if (!path.includes("/") && names.has(path)) return true;
  const fits = path.replace(/<[\w-]+>|\b[A-Z]{2,}\b(?!\.md)|\bbridge-at-dawn\b/g, "*");
  const starts = [...startsOf(file), ...(path.startsWith("data/") ? GAME_FOLDERS : [])];
  const wanted = starts.map((start) => relative(ROOT, join(ROOT, start, fits)));
  if (!fits.includes("*")) return wanted.some((w) => existsSync(join(ROOT, w)));
  const patterns = wanted.map((w) => new RegExp(`^${w.replace(/[.+]/g, "\\$&").replace(/\*+/g, "[^/]*")}$`));
  return paths.some((known) => patterns.some((p) => p.test(known) || p.test(known.split("/").at(-1)!)));
}

const missing = (file: string, text: string): string[] =>
  pathsIn(readable(file, text)).filter((path) => !exists(file, path));

test("every path that a comment or a document names exists", () => {
  const files = paths.filter((path) => /\.(md|tsx?|mjs)$/.test(path) && path !== OWN && path !== "knip.ts");
  expect(files.flatMap((file) => pathsIn(readable(file, textOf(file)))).length).toBeGreaterThan(300);
  const told = files.flatMap((file) => missing(file, textOf(file)).map((path) => `${file}: ${path}`));
  expect(told).toEqual([]);
});

test("paths from the root, from the file, from folders around it, and with a name left open are understood", () => {
  const text = `
    /** As env/core/dice/rng.ts, core/layout.ts, ./ppo.ts, ../nets/net.ts and data/rules.json of each game have it. */
    // worker-pool.ts, env/<game>/index.ts, test/mutants/GAME.json, models/*/commander.md; not http://x.org/a.ts or
    // ~/b/c.ts
    const code = "env/none.ts";`;
  expect(missing("training/learn/x.ts", text)).toEqual(["core/layout.ts"]);
  expect(missing("env/night-fight/x.ts", text)).toEqual(["./ppo.ts", "../nets/net.ts"]);
});

test("paths that lead nowhere are found", () => {
  const text = `
    /** See env/core/keyed-dice.ts, [there](../nothing.md), onnx-tape.ts, server/thread and env/<game>/rule.ts. */`;
  const found = ["env/core/keyed-dice.ts", "../nothing.md", "onnx-tape.ts", "server/thread", "env/<game>/rule.ts"];
  expect(missing("server/slice/slice.ts", text)).toEqual(found);
  expect(missing("server/README.md", text)).toEqual(found);
});
