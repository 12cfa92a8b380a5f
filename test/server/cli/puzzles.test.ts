import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadGame, type Replay } from "../../../env/index.js";
import { parseBook, type PuzzleBook } from "../../../server/puzzles/puzzle.js";
import { inTurn, played } from "../analysis/nets.js";
import { kesselHere } from "./kessel.js";

const folder = (...replays: Replay[]): string => {
  const dir = mkdtempSync(join(tmpdir(), "kessel-puzzles-"));
  // names in the order of the games: a folder is read by name
  replays.forEach((r, i) => writeFileSync(join(dir, `${100 + i}.json`), JSON.stringify(r)));
  return dir;
};
const game = loadGame("pocket-stalingrad");
const pocket = played(game, "puzzles", [], inTurn);

describe("puzzles", () => {
  /** Games in which several candidates stand out; and settings that look at them for seconds only. */
  const replays = Array.from({ length: 16 }, (_, i) => played(game, `puzzles ${i}`, [], inTurn));
  const dir = folder(...replays);
  const check = "search:iterations=8,net=pocket-stalingrad/commander.onnx";
  const quick = ["--check", check, "--worlds", "64", "--depth", "20", "--least", "0.05", "--looked", "12"];
  const make = async (name: string, ...more: string[]): Promise<{ text: string; out: string } & PuzzleBook> => {
    const out = join(dir, name);
    const ran = await kesselHere(["games", "puzzles", "pocket-stalingrad", dir, ...quick, ...more, "--out", out]);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    const text = readFileSync(out, "utf8");
    const book = parseBook(JSON.parse(text), name);
    expect(book.made).toMatchObject({ check, worlds: 64, depth: 20, least: 0.05 });
    return { text, out: ran.out, ...book };
  };

  it("makes the same book of recorded games again, and goes on where it was stopped", async () => {
    const judged = join(folder(), "judged.jsonl");
    const one = await make("one.txt", "--judged", judged);
    const { made, puzzles } = one;
    expect(made.judged).toBe(12);
    expect(made.found).toBeGreaterThan(0);
    expect(made.held).toBeGreaterThanOrEqual(puzzles.length);
    expect(one.out).toContain(
      `16 games, ${made.judged} candidates judged, ${made.found} with intervals apart, ${made.held} of them held against ${check}, ${puzzles.length} kept`,
    );
    const lines = readFileSync(judged, "utf8").trim().split("\n");
    expect(lines).toHaveLength(12);
    // half of them are known: the others are judged as before
    writeFileSync(judged, `${lines.slice(0, 6).join("\n")}\n`);
    expect((await make("two.txt", "--judged", judged)).text).toBe(one.text);
    expect(readFileSync(judged, "utf8").trim().split("\n")).toEqual(lines);
  });

  it.each([
    ["no game in the folder", () => [folder()], /there is no recorded game of pocket-stalingrad there/],
    [
      "games with different options",
      () => [folder(pocket, played(loadGame("pocket-stalingrad", { gumrakReinforcements: 2 }), "o", [], inTurn))],
      /different options; make a folder for each/,
    ],
    ["a folder that is not there", () => ["/no/where"], /cannot read the folder \/no\/where/],
    ["a margin of nothing", () => [folder(pocket), "--least", "0"], /--least is above 0 and at most 2, not 0/],
    ["who gives no values", () => [folder(pocket), "--with", "greedy"], /gives no values to analyse with/],
  ])("refuses %s", async (_what, args, why) => {
    const out = join(folder(), "x.json");
    const ran = await kesselHere(["games", "puzzles", "pocket-stalingrad", ...args(), "--out", out]);
    expect([ran.status, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(why);
  });
});
