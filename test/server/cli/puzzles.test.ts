import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EVERYTHING, loadGame, type Replay } from "../../../env/index.js";
import { makeEvaluator } from "../../../server/analysis/evaluator.js";
import { recordOf } from "../../../server/analysis/record.js";
import { type Candidate, candidatesOf, sharpened } from "../../../server/puzzles/candidates.js";
import { keyOf } from "../../../server/puzzles/check.js";
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
  /** Games in which several candidates stand out and hold, with margin for other nets; and settings that look at them for seconds only. */
  const replays = Array.from({ length: 16 }, (_, i) => played(game, `puzzles ${i}`, [], inTurn));
  const dir = folder(...replays);
  const least = 0.05;
  const search = (iterations: number): string => `search:iterations=${iterations},net=pocket-stalingrad/commander.onnx`;
  const quick = ["--search", search(8), "--times", "2", "--worlds", "4", "--least", String(least), "--looked", "40"];
  const make = async (name: string, ...more: string[]): Promise<{ text: string } & PuzzleBook> => {
    const out = join(dir, name);
    const ran = await kesselHere(["games", "puzzles", "pocket-stalingrad", dir, ...quick, ...more, "--out", out]);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    const text = readFileSync(out, "utf8");
    const book = parseBook(JSON.parse(text), name);
    const { found, held } = book.made;
    expect(ran.out).toContain(`16 games, ${found} candidates of which ${held} held against search:`);
    expect(book.made.check).toBe(search(16));
    expect(book.puzzles).toHaveLength(held);
    return { text, ...book };
  };

  it("makes the same book of recorded games again, widest gaps first, up to --most", async () => {
    const { text, puzzles, made } = await make("one.txt");
    expect(puzzles.length).toBeGreaterThan(1);
    expect((await make("two.txt")).text).toBe(text);

    // the widest gaps come first
    const net = await makeEvaluator("commander", game);
    const records = replays.map((r) => recordOf(game.type, r, () => EVERYTHING));
    const all: Candidate[] = [];
    for (const [i, record] of records.entries()) all.push(...(await candidatesOf(record, i, net, least)));
    const once = new Map(all.toReversed().map((c) => [keyOf(game, c.state), c])); // of the same position the first
    const sharp = await sharpened(game, [...once.values()], net, { least, looked: 40 });
    const gaps = new Map(sharp.map((c) => [keyOf(game, c.state), c.gap]));
    await net.close();
    const inBook = puzzles.map((p) => gaps.get(p.id)!);
    expect(inBook).toEqual(inBook.toSorted((a, b) => b - a));

    // a book that is full is the beginning of it, and nothing further was looked at
    const first = await make("first.txt", "--most", "1");
    expect(first.puzzles).toEqual(puzzles.slice(0, 1));
    expect(first.made.found).toBeLessThan(made.found);
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
