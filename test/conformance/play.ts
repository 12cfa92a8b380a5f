import type { Rng } from "../../env/index.js";
import {
  type Actor,
  expectedReturns,
  type Game,
  hashState,
  type Narrator,
  newState,
  NOBODY,
  SeededDice,
  seedStream,
  type State,
} from "../../env/index.js";
import { pickLegal } from "../../agents/random.js";
import type { Complaints } from "./complaints.js";

/** A situation met in random play. */
export interface Point {
  readonly s: State;
  readonly actor: number;
}

/** A game played at random. */
export interface RandomGame {
  readonly seed: string;
  readonly actions: readonly number[];
  /** Hash of the state, random stream included, after the start and after each action. */
  readonly hashes: readonly number[];
}

/** Words of past states kept per game. */
const HISTORY = 4_000_000;

const dice = new SeededDice();

/** A legal move of a uniformly random player; checks the mask on the way. Returns -1 when there is none. */
export function randomAction(game: Game, s: State, mask: Uint8Array, rng: Rng, complaints: Complaints): number {
  const A = game.actions.length;
  mask.fill(7);
  const n = game.legalMask(s, mask, 1);
  let set = 0;
  for (let a = 0; a < A; a++) {
    const cell = mask[a + 1]!;
    if (cell === 1) set++;
    else if (cell !== 0) complaints.add("mask-cells", `the mask cell of ${game.actions[a]} was left at ${cell}`);
  }
  complaints.expect(mask[0] === 7 && mask[A + 1] === 7, "mask-cells", () => "the mask was written outside its place");
  complaints.expect(n === set, "mask-cells", () => `legalMask returned ${n}, and ${set} cells are set`);
  if (set === 0) {
    complaints.add("mask-empty", `nothing is legal for ${game.players[game.actor(s)]}`);
    return -1;
  }
  return pickLegal(
    mask.map((c) => (c === 1 ? 1 : 0)),
    1,
    A,
    rng,
  );
}

/** Buffer for `randomAction`: one cell more on either side. */
export const maskBuffer = (game: Game): Uint8Array => new Uint8Array(game.actions.length + 2);

/** Starts a game from a seed. */
export function begin(game: Game, seed: string): State {
  const s = newState(game.stateSize);
  seedStream(seed, s);
  dice.begin(s);
  game.start(s, dice);
  return s;
}

/** Carries out `action` with the stream in the state. @returns what it threw, or null */
export function act(game: Game, s: State, action: number, narrator: Narrator | null = null): string | null {
  dice.begin(s);
  try {
    game.apply(s, action, dice, narrator);
    return null;
  } catch (e) {
    return e instanceof Error ? e.message : String(e);
  }
}

/**
 * Plays whole random games, checking each decision, and keeps some of the situations met: every start and end, and
 * `points` others evenly drawn from all.
 */
export function playAll(
  game: Game,
  root: string,
  games: number,
  points: number,
  rng: Rng,
  complaints: Complaints,
): { played: RandomGame[]; kept: Point[] } {
  const mask = maskBuffer(game);
  const played: RandomGame[] = [];
  const edges: Point[] = [];
  const middle: Point[] = [];
  const longest = Math.max(50, Math.trunc(HISTORY / game.stateSize));
  let met = 0;
  for (let g = 0; g < games; g++) {
    const seed = `${root}/${g}`;
    const s = begin(game, seed);
    const actions: number[] = [];
    const hashes = [hashState(s, 0)];
    const history: State[] = [];
    edges.push({ s: s.slice(), actor: game.actor(s) });
    for (;;) {
      const actor = game.actor(s);
      const copy = s.slice();
      if (history.length < longest) history.push(copy);
      checkState(game, copy, actor, complaints);
      if (actor < 0) break;
      if (actions.length >= game.maxDecisions) {
        complaints.add("endless", `game ${seed} goes on after ${game.maxDecisions} decisions`);
        break;
      }
      const action = randomAction(game, s, mask, rng, complaints);
      if (action < 0) break;
      const slot = met++ < points ? middle.length : rng.below(met);
      if (slot < points) middle[slot] = { s: s.slice(), actor };
      const thrown = act(game, s, action);
      if (thrown !== null) {
        complaints.add("mask-refused", `${game.actions[action]} is in the mask and apply throws: ${thrown}`);
        break;
      }
      actions.push(action);
      hashes.push(hashState(s, 0));
    }
    edges.push({ s: s.slice(), actor: game.actor(s) });
    played.push({ seed, actions, hashes });
    history.forEach((h, i) =>
      complaints.expect(
        hashState(h, 0) === hashes[i],
        "copies",
        () => `a copy of state ${i} changed while the game went on`,
      ),
    );
  }
  return { played, kept: [...edges, ...middle] };
}

function checkState(game: Game, s: State, actor: number, complaints: Complaints): void {
  complaints.expect(
    actor === NOBODY || (Number.isInteger(actor) && actor >= 0 && actor < game.players.length),
    "actor",
    () => `actor ${actor} in sampled play`,
  );
  const broken = game.invariantViolation(s);
  if (broken !== null) complaints.add("broken", broken);
  const returns = new Float32Array(game.players.length).fill(NaN);
  game.returns(s, returns);
  checkReturns(returns, actor, complaints);
  returns.fill(NaN);
  expectedReturns(game, s, returns);
  checkReturns(returns, actor, complaints);
}

function checkReturns(returns: Float32Array, actor: Actor, complaints: Complaints): void {
  if (actor !== NOBODY)
    complaints.expect(
      returns.every((r) => r === 0),
      "returns-early",
      () => `returns ${[...returns].join(", ")} before the end`,
    );
  complaints.expect(
    returns.every((r) => r >= -1 && r <= 1),
    "returns-range",
    () => `returns ${[...returns].join(", ")}`,
  );
  if (returns.length === 2)
    complaints.expect(
      returns[0]! + returns[1]! === 0,
      "returns-sum",
      () => `returns ${[...returns].join(", ")} of two players`,
    );
}
