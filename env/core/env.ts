import { type Dice, ScriptedDice, type ScriptEntry, SeededDice } from "./dice/dice.js";
import { EnumeratingDice } from "./dice/enumerating-dice.js";
import { InvariantError, KesselError, shown } from "./errors.js";
import {
  CHANCE,
  type Game,
  type JsonObject,
  NOBODY,
  type Observation,
  newObservation,
  SPECTATOR,
  type Viewer,
} from "./game.js";
import { hashState, newState, RNG_WORDS, type State, type StateView } from "./layout.js";
import type { Narrator } from "./narration.js";
import { type Rng, type Seed, seedStream } from "./dice/rng.js";

export interface EnvOptions {
  /** Play decisions with one legal action without asking. Default false. */
  skipForced?: boolean;
  /** Decisions after which an episode is truncated (our limit, not the rulebook's). Default: the game's own bound. */
  maxDecisions?: number;
  /** `explicit`: stop at chance nodes (`actor` is `CHANCE`); only for games that offer it. Default `sampled`. */
  chance?: "sampled" | "explicit";
  /** Where chance comes from unless a call brings its own. Default: `SeededDice`, the stream in the state. */
  dice?: Dice;
}

export interface StepResult {
  /** Return of each player since the last step, in the order of `game.players`. */
  readonly rewards: Float32Array;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

const actionTables = new WeakMap<Game, Map<string, number>>();

/** The number of an action by its string, or -1. */
export function actionIndex(game: Game, name: string): number {
  let table = actionTables.get(game);
  if (table === undefined) {
    table = new Map(game.actions.map((a, i) => [a, i]));
    actionTables.set(game, table);
  }
  return table.get(name) ?? -1;
}

/** The strings of the actions set in a mask, in index order. */
export function legalNames(game: Game, mask: Uint8Array, at = 0): string[] {
  return game.actions.filter((_, i) => mask[at + i] === 1);
}

/** The name of the actor: a side, `chance`, or null at the end. */
export function actorName(game: Game, s: StateView): string | null {
  const a = game.actor(s);
  return a === CHANCE ? "chance" : a === NOBODY ? null : game.players[a]!;
}

/**
 * For who samples chance and could not go on from a chance node.
 *
 * @throws KesselError `bad-state`
 */
export function refuseChanceNode(game: Game, s: StateView): void {
  if (game.actor(s) === CHANCE)
    throw new KesselError(
      "bad-state",
      `${game.type.id}: this position waits for an outcome at a chance node; only an environment with chance "explicit" goes on from it`,
    );
}

/** The error for a refused action; it reveals nothing that the actor cannot see. */
export function illegalAction(game: Game, action: string, actor: string | null, legal: number): KesselError {
  if (actor === null)
    return new KesselError("illegal-action", `${game.type.id}: the game is over; ${shown(action)} was rejected`);
  return new KesselError(
    "illegal-action",
    `${game.type.id}: ${shown(action)} is not legal for ${actor}; ${legal} ${legal === 1 ? "action is" : "actions are"}`,
  );
}

/**
 * One game for one caller: reset, step, observe, mask. For tools, tests and single games; many games
 * at once use `Batch`.
 */
export class Env {
  readonly state: State;
  /** uint8 [A], 1 for each legal action; kept up to date. */
  readonly mask: Uint8Array;
  /** Number of legal actions. */
  legalCount = 0;
  decisions = 0;
  private ready = false;
  private truncatedNow = false;
  private readonly seeded: Dice;
  private readonly rewards: Float32Array;
  private readonly buffer: Observation;
  private readonly limit: number;

  constructor(
    readonly game: Game,
    private readonly options: EnvOptions = {},
  ) {
    this.state = newState(game.stateSize);
    this.mask = new Uint8Array(game.actions.length);
    this.rewards = new Float32Array(game.players.length);
    this.buffer = newObservation(game.observation);
    this.seeded = options.dice ?? new SeededDice();
    this.limit = options.maxDecisions ?? game.maxDecisions;
    if (!Number.isInteger(this.limit) || this.limit < 1)
      throw new KesselError(
        "bad-option",
        `maxDecisions is a whole number of at least 1, not ${shown(options.maxDecisions)}`,
      );
    if (options.chance === "explicit" && game.chance === undefined)
      throw new KesselError("unsupported", `${game.type.id} has no explicit chance nodes; use chance "sampled"`);
  }

  /**
   * Starts a new game.
   *
   * @param dice replaces the stream of the seed for what the start itself draws
   * @param narrator receives the events of the start
   */
  reset(seed: Seed, dice: Dice = this.seeded, narrator: Narrator | null = null): void {
    this.state.fill(0);
    seedStream(seed, this.state);
    dice.begin(this.state);
    if (this.options.chance === "explicit") this.game.chance!.set(this.state, true);
    this.game.start(this.state, dice, narrator);
    this.settle();
  }

  /**
   * Starts from a position document; `seed` gives the stream of later draws.
   *
   * @throws KesselError `bad-position`; `bad-state` for one at a chance node where chance isn't explicit. The state
   *   is then as before
   */
  resetTo(doc: JsonObject, seed: Seed, dice: Dice = this.seeded): void {
    const fresh = newState(this.game.stateSize);
    seedStream(seed, fresh);
    dice.begin(fresh);
    this.game.read(doc, fresh, dice);
    this.takeUp(fresh);
  }

  /**
   * Goes on from a copy of a whole state, random stream included.
   *
   * @throws KesselError `bad-state` for one of another game, or at a chance node where chance isn't explicit
   */
  restore(s: State): void {
    if (s.length !== this.game.stateSize)
      throw new KesselError(
        "bad-state",
        `a state of ${this.game.type.id} has ${this.game.stateSize} words, this has ${s.length}`,
      );
    this.takeUp(s);
  }

  private takeUp(s: State): void {
    const explicit = this.options.chance === "explicit";
    if (!explicit) refuseChanceNode(this.game, s);
    this.state.set(s);
    this.game.chance?.set(this.state, explicit);
    this.settle();
  }

  get actor(): number {
    return this.game.actor(this.state);
  }

  get terminated(): boolean {
    return this.ready && this.game.actor(this.state) === NOBODY;
  }

  get truncated(): boolean {
    return this.truncatedNow;
  }

  /**
   * Carries out one action, given by number or by string.
   *
   * @param dice replaces the stream in the state for this action (scripted play)
   * @param narrator receives the events, those of forced actions included
   * @throws KesselError `illegal-action`, `bad-action`, `not-reset`; the state is then as before
   */
  step(action: number | string, dice: Dice = this.seeded, narrator: Narrator | null = null): StepResult {
    const index = this.resolve(action);
    // a script may run out in the middle of an action, or of a forced one after it
    const before = dice === this.seeded ? null : { state: this.state.slice(), decisions: this.decisions };
    try {
      this.play(index, dice, narrator);
      this.playForced(dice, narrator);
    } catch (e) {
      if (before !== null) {
        this.state.set(before.state);
        this.decisions = before.decisions;
        this.refresh();
      }
      throw e;
    }
    if (this.terminated) this.game.returns(this.state, this.rewards);
    else this.rewards.fill(0);
    return { rewards: this.rewards, terminated: this.terminated, truncated: this.truncatedNow };
  }

  /**
   * Goes on from a chance node with outcome `index`.
   *
   * @param narrator receives what happens
   * @throws KesselError `illegal-action` where none is waiting or there is no such outcome; `not-reset` after a
   *   truncation
   */
  applyOutcome(index: number, narrator: Narrator | null = null): void {
    const chance = this.game.chance;
    if (chance === undefined || this.actor !== CHANCE)
      throw new KesselError("illegal-action", `${this.game.type.id}: no chance node is waiting`);
    const n = chance.outcomes(this.state).length;
    if (!Number.isInteger(index) || index < 0 || index >= n)
      throw new KesselError("illegal-action", `outcome ${shown(index)} does not exist; there are ${n}`);
    if (this.truncatedNow) throw new KesselError("not-reset", "the episode was truncated; reset first");
    chance.apply(this.state, index, narrator);
    this.refresh();
    this.playForced();
  }

  /** The observation for `viewer`, by default the actor. Written into one buffer that the next call reuses. */
  observe(viewer: Viewer = Math.max(this.actor, 0)): Observation {
    if (!this.ready) throw new KesselError("not-reset", "reset the environment first");
    if (!Number.isInteger(viewer) || viewer < SPECTATOR || viewer >= this.game.players.length)
      throw new RangeError(`${this.game.type.id} has no player ${viewer}`);
    this.game.observe(this.state, viewer, this.buffer);
    return this.buffer;
  }

  /** Names of the legal actions. */
  legal(): string[] {
    return legalNames(this.game, this.mask);
  }

  hash(): number {
    return hashState(this.state);
  }

  private resolve(action: number | string): number {
    if (!this.ready) throw new KesselError("not-reset", "reset the environment first");
    const { game } = this;
    const index = typeof action === "number" ? action : actionIndex(game, action);
    if (typeof action === "string" && index < 0)
      throw new KesselError("bad-action", `${game.type.id} has no action ${shown(action)}`);
    if (!Number.isInteger(index) || index < 0 || index >= game.actions.length)
      throw new KesselError(
        "bad-action",
        `actions of ${game.type.id} are 0 to ${game.actions.length - 1}, not ${shown(action)}`,
      );
    if (this.truncatedNow) throw new KesselError("not-reset", "the episode was truncated; reset first");
    if (this.mask[index] !== 1)
      throw illegalAction(game, game.actions[index]!, actorName(game, this.state), this.legalCount);
    return index;
  }

  private play(index: number, dice: Dice, narrator: Narrator | null): void {
    dice.begin(this.state);
    this.game.apply(this.state, index, dice, narrator);
    this.decisions++;
    this.refresh(true);
  }

  private settle(): void {
    this.ready = true;
    this.decisions = 0;
    this.truncatedNow = false;
    this.refresh();
    this.playForced();
  }

  private playForced(dice: Dice = this.seeded, narrator: Narrator | null = null): void {
    if (this.options.skipForced)
      while (this.legalCount === 1 && !this.truncatedNow) this.play(this.mask.indexOf(1), dice, narrator);
  }

  /** @param untouched as in `legalMask` */
  private refresh(untouched = false): void {
    const { game, state } = this;
    const actor = game.actor(state);
    if (actor === NOBODY || actor === CHANCE) {
      this.mask.fill(0);
      this.legalCount = 0;
    } else {
      this.legalCount = game.legalMask(state, this.mask, 0, untouched);
      if (this.legalCount === 0)
        throw new InvariantError(`${game.type.id}: no action is legal for ${game.players[actor]}`);
    }
    this.truncatedNow = actor !== NOBODY && this.decisions >= this.limit;
  }
}

/** Applies one action to `s` with a script, all of which has to be used (rule cases). */
export function stepScripted(env: Env, action: string, script: readonly ScriptEntry[]): StepResult {
  const dice = new ScriptedDice(script);
  const before = env.state.slice();
  const result = env.step(action, dice);
  if (dice.left > 0) {
    env.restore(before);
    throw new KesselError(
      "bad-dice",
      `${dice.left} of the ${script.length} dice given for ${shown(action)} were not called for`,
    );
  }
  return result;
}

export interface ActionOutcome {
  readonly state: State;
  readonly probability: number;
}

/**
 * Every state that a legal action can lead to, equal ones merged, with probabilities that sum to 1.
 *
 * @throws KesselError `limit` when the dice can fall in more than `most` ways
 */
export function outcomesOf(game: Game, s: StateView, action: number, most = Infinity): ActionOutcome[] {
  const dice = new EnumeratingDice();
  const work = newState(game.stateSize);
  const from = Int32Array.from(s as ArrayLike<number>);
  const merged = new Map<string, { state: State; probability: number }>();
  let ways = 0;
  dice.walk(
    () => {
      if (++ways > most)
        throw new KesselError("limit", `the dice of ${shown(game.actions[action])} can fall in more than ${most} ways`);
      work.set(from);
      dice.begin(work);
      game.apply(work, action, dice);
    },
    (p) => {
      const key = Buffer.from(work.buffer, RNG_WORDS * 4).toString("latin1");
      const known = merged.get(key);
      if (known) known.probability += p;
      else merged.set(key, { state: work.slice(), probability: p });
    },
  );
  return [...merged.values()];
}

/**
 * A copy of `s` for `player` to plan on: what that player cannot know is dealt again, and the random stream is a fresh
 * one.
 */
export function sampleFor(game: Game, s: StateView, player: number, rng: Rng): State {
  const out = newState(game.stateSize);
  game.resample(s, player, out, rng);
  return out;
}

/**
 * Writes into `out` the state as `player` knows it.
 *
 * @throws KesselError `unsupported` for a game that has no `redact`
 */
export function writeKnown(game: Game, s: StateView, player: number, out: State): void {
  if (game.redact === undefined)
    throw new KesselError(
      "unsupported",
      `${game.type.id} does not write a state as one player knows it; take a sample`,
    );
  game.redact(s, player, out);
}
