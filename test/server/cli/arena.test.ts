import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTranscript } from "../../../agents/llm/transcript.js";
import { splitAgents } from "../../../server/cli/common.js";
import type { BidResult } from "../../../training/arena/bid.js";
import type { ArenaResult } from "../../../training/arena/tally.js";
import { closeStubs, stub } from "../../agents/llm-stub.js";
import { kessel, kesselHere } from "./kessel.js";

const dir = mkdtempSync(join(tmpdir(), "kessel-arena-"));
const flags = [
  "--agents",
  "random,heuristic:first-keep",
  "--games",
  "140",
  "--seed",
  "cli",
  "-o",
  "gumrakReinforcements=2",
];

describe("kessel arena", () => {
  it("gives the same result with two worker threads as with one, timing apart", async () => {
    const results = await Promise.all(
      [1, 2].map(async (jobs) => {
        const file = join(dir, `${jobs}.json`);
        const ran = await kessel([
          "arena",
          "pocket-stalingrad",
          ...flags,
          "--jobs",
          String(jobs),
          "--json",
          file,
          "--html",
          join(dir, `${jobs}.html`),
        ]);
        expect([ran.status, ran.err]).toEqual([0, ""]);
        expect(ran.out).toContain("heuristic:first-keep");
        expect(readFileSync(join(dir, `${jobs}.html`), "utf8")).toContain("<svg");
        return { ...(JSON.parse(readFileSync(file, "utf8")) as ArenaResult), timing: null };
      }),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[0]!.options).toMatchObject({ gumrakReinforcements: 2 });
    expect(results[0]!.pairs[0]!.total.games).toBe(140);
  });

  it("with --bid reports what agents bid, who plays what, and what that was worth", async () => {
    const file = join(dir, "bid.json");
    const bid = ["arena", "pocket-stalingrad", "--bid", "--agents", "random,heuristic:first-keep", "--games", "20"];
    const ran = await kesselHere([...bid, "--jobs", "1", "--json", file]);
    expect([ran.status, ran.err]).toEqual([0, ""]);
    expect(ran.out).toMatch(/as soviet against itself/);
    const { bidders, matches } = JSON.parse(readFileSync(file, "utf8")) as BidResult;
    expect(bidders.map((b) => b.mirror.games)).toEqual([20, 20]);
    expect(matches.map((m) => m.total.games)).toEqual([20]);
  });

  it.each([
    ["one agent", ["--agents", "random"], /needs at least two agents, not 1/],
    ["an unknown agent", ["--agents", "random,deepblue"], /there is no agent "deepblue"/],
    [
      "an unknown heuristic",
      ["--agents", "random,heuristic:napoleon"],
      /pocket-stalingrad has no heuristic "napoleon"; it has heuristic:/,
    ],
    ["an empty name", ["--agents", ","], /a name is empty in the list of agents ","/],
    ["no agents", [], /required option '-a, --agents <names>' not specified/],
    ["no games", ["--agents", "random,heuristic:greedy", "--games", "0"], /Give a whole number of at least 1/],
    [
      "an impossible width",
      ["--agents", "random,heuristic:greedy", "--until", "5"],
      /Give a number above 0 and at most 1/,
    ],
    [
      "a seat with bids",
      ["--agents", "random,heuristic:greedy", "--bid", "--seat", "german"],
      /with --bid leave out --seat/,
    ],
    [
      "a file that can't be written",
      ["--agents", "random,heuristic:first-keep", "--games", "1000000", "--json", join(dir, "no", "where.json")],
      /cannot write .*where\.json: there is no such file or folder/,
    ],
  ])("refuses %s", async (_what, args, message) => {
    const ran = await kesselHere(["arena", "pocket-stalingrad", ...args]);
    expect(ran.status).toBe(2);
    expect(ran.err).toMatch(message);
    expect(ran.err.trimEnd()).not.toContain("\n");
  });
});

it("agents in a list may have settings with commas", () => {
  const kinds = ["random", "heuristic", "search"];
  expect(splitAgents("random, heuristic:a", kinds)).toEqual(["random", "heuristic:a"]);
  expect(splitAgents("search:time=5,deals=4,random", kinds)).toEqual(["search:time=5,deals=4", "random"]);
  expect(splitAgents("random,deepblue", kinds)).toEqual(["random", "deepblue"]);
  expect(() => splitAgents("random,", kinds)).toThrow('a name is empty in the list of agents "random,"');
});

it("a run that a model's server ends early says what it has used, and how it goes on", async () => {
  const transcript = join(dir, "early.jsonl");
  const { url, seen } = await stub((_asked, n) => (n === 5 ? { status: 500 } : "Action: 1"));
  const agents = `llm:${url},model=early,retries=0,atOnce=1,tries=1,transcript=${transcript},random`;
  const args = ["arena", "pocket-stalingrad", "--agents", agents, "--games", "2", "--jobs", "1"];
  const early = await kesselHere(args);
  expect(early.status).not.toBe(0);
  expect(early.err).toMatch(/^llm:early \(settings: default\): 5 answers/m);
  expect(early.err).toContain("answers 500");
  const [, ...goOn] = /the transcript: (--seed) (\S+) (--secret) (\S+)/.exec(early.err)!;
  const rest = await kessel([...args, ...goOn]);
  expect(rest.status).toBe(0);
  expect(readTranscript(transcript).length, "no question is asked twice").toBe(seen.length - 1);
  closeStubs();
});
