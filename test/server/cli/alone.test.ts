/**
 * Each command in a process of its own: programs load the code of a game when they need it, and only there does it show
 * that one forgot to. In the tests' own processes every game is loaded.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { loadGame } from "../../../env/index.js";
import { buildProgram } from "../../../server/cli/run.js";
import { inTurn, played } from "../analysis/nets.js";
import { kessel } from "./kessel.js";

const dir = mkdtempSync(join(tmpdir(), "kessel-alone-"));
const at = (name: string) => join(dir, name);
const model = (name: string): string => fileURLToPath(new URL(`../../../models/${name}.onnx`, import.meta.url));
const NF = "night-fight";
const PS = "pocket-stalingrad";

mkdirSync(at("recorded"));
const game = played(loadGame(PS), "alone", [], inTurn);
writeFileSync(at("recorded/game.json"), JSON.stringify(game));

const unmeasured = { score: 0, interval: [0, 1] };
const even = {
  ...{ game: PS, options: {}, agents: ["heuristic:greedy", "random"], version: 1, games: 2, seat: "soviet" },
  ...{ printed: unmeasured, even: unmeasured },
};
writeFileSync(at("balance.json"), JSON.stringify({ about: "a test", command: "kessel model balance", rows: [even] }));

const net = ["--set", 'ppo.net={"kind":"mlp","hidden":[8]}', "--set", "ppo.games=2", "--set", "backend=wasm"];
const RUN = at("run");
const tiny = ["--games", "2", "--epochs", "1", "--measure", "2", "--set", 'imitate.net={"kind":"mlp","hidden":[8]}'];
const greeting = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});
const newGame = JSON.stringify({
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "new_game", arguments: { game: PS, seat: "soviet", opponent: "heuristic:greedy" } },
});

interface Call {
  readonly args: readonly string[];
  readonly input?: string;
  /** What it prints to standard output. */
  readonly says: RegExp;
}

/** What each command is called with; in this order, as later ones read what earlier ones wrote. */
const CALLS: Readonly<Record<string, Call | { readonly seenIn: string }>> = {
  list: { args: [], says: /^pocket-stalingrad\b/m },
  describe: { args: [NF], says: /schema/ },
  agents: { args: ["savage-streets"], says: /g-storm[^]*memory=none.NUMBER.all.notes/ },
  rule: { args: [PS, "Sturm"], says: /Sturm/ },
  keys: { args: [at("keys")], says: /public key/ },
  play: { args: [PS, "--seat", "german=heuristic:greedy", "--no-keep"], input: "quit\n", says: /Pocket Stalingrad/ },
  sessions: { args: ["--json"], says: /"damaged": \[\]/ },
  tools: { args: [], input: `${greeting}\n${newGame}\n`, says: /Phase, Soviet player turn.*"id":2}/ },
  arena: { args: [PS, "--agents", "heuristic:greedy,random", "--games", "2", "--jobs", "1"], says: /heuristic:greedy/ },
  "games list": { args: [at("recorded")], says: /game\.json/ },
  "games show": { args: [at("recorded/game.json")], says: /Stalingrad/ },
  "games analyse": { args: [at("recorded/game.json"), "--with", "recruit", "--worst", "1"], says: /better/ },
  "games puzzles": {
    args: [PS, at("recorded"), "--depth", "2", "--worlds", "2", "--looked", "1", "--out", at("puzzles.json")].concat(
      "--check",
      "search:iterations=2,net=pocket-stalingrad/recruit.onnx",
    ),
    says: /1 games?, \d+ candidates/,
  },
  "suite make": { args: [PS, "--book-seed", "alone", "--out", at("books")], says: /rule questions/ },
  "suite table": { args: ["server/suite/leaderboard"], says: /commander[^]*SmolLM2-135M/ },
  "train imitate": {
    args: [PS, "--expert", "heuristic:greedy", ...tiny, "--set", "backend=wasm", "--out", at("a.onnx")].concat(
      "--run",
      at("imitation"),
      "--against",
      "random",
    ),
    says: /wrote .*a\.onnx/,
  },
  "train ppo": { args: [PS, "--run", RUN, "--updates", "1", "--set", "evaluate.games=2", ...net], says: /update 1\/1/ },
  "train expert": { seenIn: "training/expert" },
  "train harden": { seenIn: "harden.test.ts" },
  "train report": { args: ["--run", RUN], says: /report\.html/ },
  "model publish": {
    args: [PS, "--run", RUN, "--out", at("b.onnx"), "--against", "random", "--measure", "2"],
    says: /b\.onnx/,
  },
  "model measure": {
    args: [at("a.onnx"), "--against", "heuristic:greedy", "--measure", "2"],
    says: /a\.onnx and its card/,
  },
  "model transfer": {
    args: [
      model("streets-of-stalingrad-scenario-7/recruit"),
      ...["-o", "scenario=drill-landing", "--out", at("landing.onnx")],
    ],
    says: /landing\.onnx/,
  },
  "model quantize": { args: [model(`${NF}/recruit`), "--out", at("eight-bit.onnx")], says: /eight-bit\.onnx/ },
  "model belief": {
    args: ["savage-streets", "--by", "heuristic:g-storm", "--games", "10", "--set", "epochs=1"].concat(
      "--out",
      at("belief.onnx"),
    ),
    says: /the true world/,
  },
  "model oracle": { args: [model(`${NF}/recruit`), "--games", "2", "--iterations", "1"], says: /oracle, 1/ },
  "model strength": { args: [PS, "--run", RUN, "--against", "random", "--measure", "2"], says: /random/ },
  "model balance": {
    args: ["--file", at("balance.json"), "--games", "2"],
    says: /pocket-stalingrad/,
  },
  "model regret": {
    args: [model(`${PS}/recruit`), "--games", "1", "--share", "0.02", "--iterations", "2", "--worlds", "2"],
    says: /recruit/,
  },
  "model times": { seenIn: "times.test.ts" },
  inspect: { args: [model(`${NF}/recruit`)], says: /night-fight/ },
  draw: { args: [PS, "--decisions", "3", "--out", at("board.svg")], says: /board\.svg/ },
  cases: { args: ["test/cases/night-fight"], says: /passed, 0 failed/ },
  "new-game": { seenIn: "new-game.test.ts" },
  serve: { seenIn: "serve.test.ts" },
  docs: { seenIn: "page/browser/site.test.ts" },
  bench: { args: [NF, "--voice", "1"], says: /prompt/ },
};

/** The names of all commands that do something. */
const leaves = (command: Command, before = ""): string[] =>
  command.commands.flatMap((c) => {
    const name = `${before}${c.name()}`;
    return c.commands.length > 0 ? leaves(c, `${name} `) : name === "help" || c.name() === "help" ? [] : [name];
  });

test("each command has a call here, or another test that starts it as a process", async () => {
  expect(Object.keys(CALLS).sort()).toEqual(leaves(await buildProgram()).sort());
});

const calls = Object.entries(CALLS).flatMap(([name, call]) => ("args" in call ? [{ name, ...call }] : []));

test.each(calls)("kessel $name, alone in its process", async ({ name, args, input, says }) => {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const { status, out, err } = await kessel([...name.split(" "), ...args], input ?? "", root);
  expect(status, `${out}\n${err}`).toBe(0);
  expect(err).not.toMatch(/internal error|not loaded/);
  expect(out).toMatch(says);
});

test("kessel bench --start measures each way to start", async () => {
  const { startTimes } = await import("../../../server/cli/start-times.js");
  const times = await startTimes(1, null);
  expect(times.map((t) => t.what)).toEqual([
    "node -e 0",
    "kessel list",
    "kessel --help",
    "a refused option",
    "kessel tools, to the answer of initialize",
    "kessel serve, to the first whole page",
  ]);
  for (const { wall, what } of times) expect(wall, what).toBeGreaterThan(0);
  if (process.platform === "linux") expect(times[0]!.ratio).toBe(1);
});
