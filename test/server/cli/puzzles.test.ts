import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadGame, type Replay } from "../../../env/index.js";
import { parseBook } from "../../../server/puzzles/puzzle.js";
import { inTurn, played } from "../analysis/nets.js";
import { kesselHere } from "./kessel.js";

const folder = (...replays: Replay[]): string => {
  const dir = mkdtempSync(join(tmpdir(), "kessel-puzzles-"));
  replays.forEach((r, i) => writeFileSync(join(dir, `${i}.json`), JSON.stringify(r)));
  return dir;
};
const pocket = played(loadGame("pocket-stalingrad"), "puzzles", [], inTurn);

describe("puzzles", () => {
  it("makes a file of recorded games that is read again, and the same file again", { timeout: 60_000 }, async () => {
    const dir = folder(pocket, played(loadGame("pocket-stalingrad"), "more", [], inTurn));
    const quick = ["--with", "recruit", "--search", "search:iterations=8", "--times", "2", "--worlds", "4"];
    const make = async (name: string): Promise<string> => {
      const out = join(dir, name);
      const args = ["puzzles", "pocket-stalingrad", dir, ...quick, "--least", "0.05", "--looked", "8", "--out", out];
      const ran = await kesselHere(args);
      expect([ran.status, ran.err]).toEqual([0, ""]);
      const text = readFileSync(out, "utf8");
      const { made, puzzles } = parseBook(JSON.parse(text), name);
      expect(ran.out).toContain(`2 games, ${made.found} candidates of which ${made.held} held against search:`);
      expect(made.check).toBe("search:iterations=16");
      expect(puzzles).toHaveLength(made.held);
      return text;
    };
    expect(await make("one.txt")).toBe(await make("two.txt"));
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
    const ran = await kesselHere(["puzzles", "pocket-stalingrad", ...args(), "--out", out]);
    expect([ran.status, ran.out]).toEqual([2, ""]);
    expect(ran.err).toMatch(why);
  });
});
