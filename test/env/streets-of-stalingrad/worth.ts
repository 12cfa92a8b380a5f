// `node env/run.mjs test/env/streets-of-stalingrad/worth.ts [GAMES] [SCENARIO]`: how often each kind of fire hits
// between the planner and the elastic defence, and what Stukas and observers are worth: the same seeds with and without
// them
import { parseArgs } from "node:util";
import { makeAgent } from "../../../agents/registry.js";
import { SeatedBatch } from "../../../agents/seats.js";
import { Batch, Env, EventLog, EVERYTHING, type Json, loadGame } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { wilson } from "../../../training/report/stats.js";

const { positionals } = parseArgs({ allowPositionals: true });
const games = Number(positionals[0] ?? 200);
const scenario = positionals[1] ?? "drill-kurgan";
const game = loadGame("streets-of-stalingrad", { scenario });
const seats = await Promise.all(
  ["planner", "elastic"].map((name) => makeAgent(`heuristic:${name}`, { game, seed: name })),
);

/** Of each kind of fire: rolls, and those that lost or pinned somebody. */
const fires = new Map<string, { rolls: number; hits: number }>();
const env = new Env(game);
const log = new EventLog([EVERYTHING]);
const choice = new Int32Array(1);
for (let k = 0; k < games; k++) {
  env.reset(`worth/${k}`, undefined, log);
  while (!env.terminated) {
    await seats[env.actor]!.act(new OneDecision(env), choice);
    env.step(choice[0]!, undefined, log);
    for (const e of log.take(EVERYTHING))
      for (const die of e.what === "roll" ? (e.dice ?? []) : []) {
        const kind = die.purpose.split(" at ")[0]!;
        const fire = fires.get(kind) ?? { rolls: 0, hits: 0 };
        fire.rolls++;
        if (/^[DP\d]/.test(die.result)) fire.hits++;
        fires.set(kind, fire);
      }
  }
}
for (const [kind, { rolls, hits }] of [...fires].sort())
  console.log(`${kind}: ${(rolls / games).toFixed(2)} a game, ${percent(hits, rolls)} hit`);

type Position = Record<string, Json>;

/**
 * After the end of every scenario: an OP that is lost comes back in the next bombardment (SOS 14.98), one that is due
 * then doesn't.
 */
const NEVER = "turn-78";

/** The scenario's first position without some of its counters or Stukas. */
function without(change: (position: Position) => void): Position {
  env.reset("worth");
  const position: Position = { ...game.write(env.state) };
  change(position);
  return position;
}
const units = (p: Position): Record<string, unknown> => p["units"] as Record<string, unknown>;
const drop = (wanted: RegExp) => (p: Position) => {
  for (const id of Object.keys(units(p))) if (wanted.test(id)) units(p)[id] = { at: NEVER };
};
const variants: [string, (p: Position) => void][] = [
  ["as it is", () => undefined],
  ["no Stukas", (p) => (p["stukas"] = { available: 0 })],
  ["no German OP", drop(/^G.*-OP|^g[ow]$/)],
  ["no Soviet OP", drop(/^S.*-OP|^so$/)],
];
for (const [name, change] of variants) {
  const position = without(change);
  if (change !== variants[0]![1] && JSON.stringify(position) === JSON.stringify(without(variants[0]![1]))) continue; // there is none
  const batch = new Batch(game, { size: games, autoreset: "disabled" });
  const each = Array.from({ length: games }, (_, i) => i);
  batch.reset(each.map((i) => `worth/${i}`));
  batch.load(
    each,
    each.map((i) => (env.resetTo(position, `worth/${i}`), env.state.slice())),
  );
  await new SeatedBatch(batch, () => seats).finish();
  const returns = new Float32Array(2);
  const wins = batch.states.filter((s) => (game.returns(s, returns), returns[0]! > 0)).length;
  console.log(`${name}: German wins ${percent(wins, games)}`);
}

function percent(n: number, of: number): string {
  const [low, high] = wilson(n, of).map((x) => (100 * x).toFixed(1));
  return `${((100 * n) / of).toFixed(1)} % [${low}, ${high}]`;
}
