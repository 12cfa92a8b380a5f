import type { Rng } from "../../env/index.js";
import {
  CHANCE,
  EnumeratingDice,
  type Game,
  type NameOf,
  newState,
  type ActionOutcome,
  outcomesOf,
  RNG_WORDS,
  SeededDice,
  type State,
} from "../../env/index.js";
import type { Complaints } from "./complaints.js";
import type { Point } from "./play.js";
import { some } from "./questions.js";

/** Ways of falling of one action beyond which it isn't enumerated here. */
const LARGEST_TREE = 4000;
const SAMPLES = 3000;

const key = (s: State) =>
  Buffer.from(s.buffer, s.byteOffset + RNG_WORDS * 4, (s.length - RNG_WORDS) * 4).toString("latin1");

/** Ways in which the chance of one action can fall; `Infinity` when there are too many. */
function treeSize(game: Game, s: State, action: number): number {
  const dice = new EnumeratingDice();
  const work = newState(game.stateSize);
  const tooMany = new Error("too many");
  let n = 0;
  try {
    dice.walk(
      () => {
        work.set(s);
        dice.begin(work);
        game.apply(work, action, dice);
      },
      () => {
        if (++n > LARGEST_TREE) throw tooMany;
      },
    );
  } catch (e) {
    if (e !== tooMany) throw e;
    return Infinity;
  }
  return n;
}

/**
 * Enumerated outcomes sum to 1, agree with sampling, and with explicit chance where the game has it.
 *
 * @returns how many actions were tried
 */
export function checkChance(
  game: Game,
  points: readonly Point[],
  most: number,
  rng: Rng,
  complaints: Complaints,
): number {
  const mask = new Uint8Array(game.actions.length);
  let tried = 0;
  for (const { s, actor } of points) {
    if (actor < 0 || tried >= most) continue;
    game.legalMask(s, mask, 0);
    for (const action of some(mask.length, rng).filter((a) => mask[a] === 1)) {
      const size = treeSize(game, s, action);
      if (size < 2 || size === Infinity) continue;
      tried++;
      const outcomes = outcomesOf(game, s, action);
      const name = game.actions[action]!;
      const sum = outcomes.reduce((t, o) => t + o.probability, 0);
      complaints.expect(Math.abs(sum - 1) < 1e-9, "chance-sum", () => `probabilities of ${name} sum to ${sum}`);
      checkSampling(game, s, action, outcomes, rng, complaints);
      if (game.chance) checkExplicit(game, s, action, outcomes, complaints);
      break;
    }
  }
  return tried;
}

/** An action that asks its `Dice` for nothing falls in one way, whatever the stream in the state. */
export function checkNoChance(game: Game, points: readonly Point[], rng: Rng, complaints: Complaints): void {
  const mask = new Uint8Array(game.actions.length);
  const dice = new CountingDice();
  for (const { s, actor } of points) {
    if (actor < 0) continue;
    game.legalMask(s, mask, 0);
    for (const action of some(mask.length, rng)
      .filter((a) => mask[a] === 1)
      .slice(0, 6)) {
      dice.asked = 0;
      const ends = [s, s, s].map((from) => {
        const t = from.slice();
        rng.freshStream(t);
        dice.begin(t);
        game.apply(t, action, dice);
        return key(t);
      });
      complaints.expect(
        dice.asked > 0 || new Set(ends).size === 1,
        "chance-sampling",
        () => `${game.actions[action]} asks no dice and falls in two ways`,
      );
    }
  }
}

/** Seeded dice that count how often they are asked. */
class CountingDice extends SeededDice {
  asked = 0;

  override d6(): number {
    this.asked++;
    return super.d6();
  }

  override d10(): number {
    this.asked++;
    return super.d10();
  }

  override draw(n: number, nameOf: NameOf): number {
    this.asked++;
    return super.draw(n, nameOf);
  }
}

function checkSampling(
  game: Game,
  s: State,
  action: number,
  outcomes: readonly ActionOutcome[],
  rng: Rng,
  complaints: Complaints,
): void {
  const counts = new Map(outcomes.map((o) => [key(o.state), 0]));
  const dice = new SeededDice();
  const work = newState(game.stateSize);
  for (let i = 0; i < SAMPLES; i++) {
    work.set(s);
    rng.freshStream(work);
    dice.begin(work);
    game.apply(work, action, dice);
    const k = key(work);
    const n = counts.get(k);
    if (n === undefined)
      return complaints.add(
        "chance-sampling",
        `${game.actions[action]} led to a situation that enumeration does not know`,
      );
    counts.set(k, n + 1);
  }
  const z = chiSquareZ(outcomes.map((o) => [counts.get(key(o.state))!, o.probability * SAMPLES]));
  complaints.expect(
    z < 5,
    "chance-sampling",
    () =>
      `${game.actions[action]}: ${SAMPLES} samples are ${z.toFixed(1)} deviations from the enumerated probabilities`,
  );
}

/**
 * How many standard deviations a chi-square statistic is above its mean (Wilson and Hilferty's cube root), cells
 * expected fewer than 5 times taken together.
 *
 * @param cells observed and expected count of each
 */
export function chiSquareZ(cells: readonly (readonly [observed: number, expected: number])[]): number {
  const large = cells.filter(([, e]) => e >= 5);
  const rest = cells
    .filter(([, e]) => e < 5)
    .reduce(([o, e], c) => [o + c[0], e + c[1]] as [number, number], [0, 0] as [number, number]);
  if (rest[1] > 0) large.push(rest);
  const degrees = large.length - 1;
  if (degrees < 1) return 0;
  const statistic = large.reduce((t, [o, e]) => t + (o - e) ** 2 / e, 0);
  const spread = 2 / (9 * degrees);
  return (Math.cbrt(statistic / degrees) - (1 - spread)) / Math.sqrt(spread);
}

/** Chance nodes taken one after the other reach the same situations with the same probabilities. */
function checkExplicit(
  game: Game,
  s: State,
  action: number,
  outcomes: readonly ActionOutcome[],
  complaints: Complaints,
): void {
  const chance = game.chance!;
  const found = new Map<string, number>();
  const name = game.actions[action]!;
  const dice = new SeededDice();
  const walk = (at: State, probability: number): void => {
    if (game.actor(at) !== CHANCE) {
      const end = at.slice();
      chance.set(end, false);
      found.set(key(end), (found.get(key(end)) ?? 0) + probability);
      return;
    }
    const list = chance.outcomes(at);
    const sum = list.reduce((t, o) => t + o.probability, 0);
    complaints.expect(
      Math.abs(sum - 1) < 1e-9,
      "chance-explicit",
      () => `outcomes of a chance node of ${name} sum to ${sum}`,
    );
    complaints.expect(
      new Set(list.map((o) => o.name)).size === list.length,
      "chance-explicit",
      () => `two outcomes of a chance node of ${name} have one name`,
    );
    list.forEach((o, i) => {
      const next = at.slice();
      chance.apply(next, i);
      walk(next, probability * o.probability);
    });
  };
  const start = s.slice();
  chance.set(start, true);
  dice.begin(start);
  game.apply(start, action, dice);
  walk(start, 1);
  complaints.expect(
    found.size === outcomes.length,
    "chance-explicit",
    () => `${name} has ${outcomes.length} outcomes, ${found.size} through chance nodes`,
  );
  for (const o of outcomes) {
    const p = found.get(key(o.state)) ?? 0;
    complaints.expect(
      Math.abs(p - o.probability) < 1e-9,
      "chance-explicit",
      () => `an outcome of ${name} has probability ${o.probability}, through chance nodes ${p}`,
    );
  }
}
