// `node env/run.mjs test/env/streets-of-stalingrad/scale.ts [SCENARIOS.json ID...]`: what a decision and a sample cost
// in a small fight and in scenario-7, or of rows of a file of the book's scenarios, without the rules that are not
// built
import { readFileSync } from "node:fs";
import {
  type Game,
  type JsonObject,
  loadGame,
  newState,
  NOBODY,
  resolveOptions,
  Rng,
  SeededDice,
  type State,
} from "../../../env/index.js";
import { replaceFile } from "../../../env/streets-of-stalingrad/data-files.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";

const DECISIONS = Number(process.env["DECISIONS"] ?? 6000);
const SAMPLES = Number(process.env["SAMPLES"] ?? 200);
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const median = (of: number[]): number => of.sort((a, b) => a - b)[of.length >> 1]!;

interface Played {
  /** Microseconds of CPU time a decision. */
  readonly each: number;
  readonly worst: number;
  readonly states: readonly State[];
}

/**
 * Random legal play.
 *
 * @param every keeps a copy of the state after this number of decisions
 * @param each times each decision
 */
function play(game: Game, seed: string, every: number, each: boolean): Played {
  const rng = new Rng(seed);
  const dice = new SeededDice();
  const s = newState(game.stateSize);
  const mask = new Uint8Array(game.actions.length);
  const end = game.actions.indexOf("declare-end");
  const states: State[] = [];
  let worst = 0;
  s.fill(0);
  rng.freshStream(s);
  dice.begin(s);
  game.start(s, dice);
  const since = cpu();
  for (let i = 0; i < DECISIONS; i++) {
    if (game.actor(s) === NOBODY) {
      s.fill(0);
      rng.freshStream(s);
      dice.begin(s);
      game.start(s, dice);
    }
    const start = each ? cpu() : 0;
    let k = rng.below(game.legalMask(s, mask, 0));
    if (mask[end] === 1) k = 1; // the turn is played
    let action = mask.indexOf(1);
    while (k-- > 0) action = mask.indexOf(1, action + 1);
    dice.begin(s);
    game.apply(s, action, dice);
    if (each) worst = Math.max(worst, cpu() - start);
    if (i % every === every - 1 && game.actor(s) !== NOBODY) states.push(s.slice());
  }
  return { each: (cpu() - since) / DECISIONS, worst, states };
}

function sample(game: Game, states: readonly State[]): string {
  const rng = new Rng("samples");
  const out = newState(game.stateSize);
  const times: number[] = [];
  let [failed, thrown] = [0, 0];
  for (let i = 0; i < SAMPLES; i++) {
    const start = cpu();
    try {
      if (!game.resample(states[(i >> 1) % states.length]!, i & 1, out, rng)) failed++;
    } catch {
      thrown++;
    }
    times.push(cpu() - start);
  }
  const worst = Math.max(...times);
  return `sample ${median(times).toFixed(0)} us, worst ${(worst / 1000).toFixed(1)} ms, ${failed} fallbacks, ${thrown} thrown of ${SAMPLES}`;
}

function measure(name: string, make: () => Game): void {
  const before = cpu();
  const game = make();
  const load = (cpu() - before) / 1000;
  const { worst, states } = play(game, "scale", Math.max(1, Math.floor((2 * DECISIONS) / SAMPLES)), true);
  const each = Math.min(...[1, 2, 3].map((k) => play(game, `scale/${k}`, DECISIONS, false).each));
  const line = `${name}: load ${load.toFixed(0)} ms, ${each.toFixed(1)} us a decision, worst ${(worst / 1000).toFixed(1)} ms`;
  console.log(SAMPLES > 0 ? `${line}; ${sample(game, states)}` : line);
}

/** The game of a row in place of scenario-7. */
function gameOf(row: JsonObject): Game {
  const { first } = row["stukas"] as { first: number };
  const plain = { ...row, id: LARGE, withdrawals: [], reinforcements: [], stukas: { first, later: first } };
  return type.load(resolveOptions(type, { scenario: LARGE }), replaceFile(type.data, LARGE, plain));
}

const LARGE = "scenario-7";
const [file, ...ids] = process.argv.slice(2);
if (file === undefined)
  for (const scenario of ["drill-kurgan", LARGE]) measure(scenario, () => loadGame(type.id, { scenario }));
else
  for (const row of (JSON.parse(readFileSync(file, "utf8")) as { scenarios: JsonObject[] }).scenarios)
    if (ids.includes(String(row["id"]))) measure(String(row["id"]), () => gameOf(row));
