import { checkActions, checkRows, checkSeeds, checkSomeActions } from "./batch-checks.js";
import { type Dice, SeededDice } from "./dice/dice.js";
import { KesselError, shown } from "./errors.js";
import { refuseChanceNode } from "./env.js";
import { type Game, NOBODY } from "./game.js";
import { type State } from "./layout.js";
import { type Seed, seedStream } from "./dice/rng.js";
import { observationRows, type ObservationRows } from "./observation-rows.js";

/**
 * What happens to an environment whose episode has ended, as Gymnasium's vector environments define it: `next-step`
 * starts a new episode with the following step (whose action is ignored), `same-step` at once (the last observation is
 * kept in `final`), `disabled` waits for `reset`.
 */
export type Autoreset = "next-step" | "same-step" | "disabled";
export const AUTORESETS: readonly Autoreset[] = ["next-step", "same-step", "disabled"];

export interface BatchOptions {
  /** Number of environments, B. */
  size: number;
  autoreset?: Autoreset;
  /** Play decisions with one legal action without asking. Default true. */
  skipForced?: boolean;
  /** Decisions after which an episode is truncated. Default: the game's own bound. */
  maxDecisions?: number;
  /**
   * `finish` writes no observations; the caller calls `observe` for `viewers`, after `updateViewers`. Default false.
   */
  deferObservations?: boolean;
  /** Allocate states and viewers in memory that other threads can read. Default false. */
  shared?: boolean;
  /** Number of the first environment, in seeds and messages, when this batch is a slice of a larger one. Default 0. */
  first?: number;
  /** Keep the actions of each environment's current and last episode, for `played`. Default false. */
  record?: boolean;
  /** Where chance comes from. Default: `SeededDice`, the stream in each state. */
  dice?: Dice;
  /** Players that the caller controls, by index: an ended episode is observed as one of them. Default all. */
  players?: readonly number[];
}

/** All actions of an episode by number, forced ones too, and the seed that replays them. */
export interface RecordedEpisode {
  readonly seed: string;
  readonly actions: number[];
}

/** Environments that are played or observed in one go: as many as fit into the processor's cache. */
export const BLOCK_ROWS = 64;

/**
 * B games over one set of arrays. `step` is `begin` + `finish`; code that plays some seats itself (agents/seats.ts)
 * calls `playDecision` in between. All arrays stay the same objects for the life of the batch.
 */
export class Batch {
  readonly size: number;
  readonly autoreset: Autoreset;
  /** One view per environment into one buffer. */
  readonly states: readonly State[];
  /** int32 [B]: the acting player, `NOBODY` in a finished episode. */
  readonly actors: Int32Array;
  /**
   * int32 [B]: the viewer of the observation: the actor, or in a finished episode the caller's player that was asked
   * last.
   */
  readonly viewers: Int32Array;
  /** uint8 [B, A]. */
  readonly mask: Uint8Array;
  /** int32 [B]: number of legal actions. */
  readonly legalCounts: Int32Array;
  /** float32 [B, players]: returns earned in the last step. */
  readonly rewards: Float32Array;
  /** uint8 [B] */
  readonly terminated: Uint8Array;
  /** uint8 [B] */
  readonly truncated: Uint8Array;
  readonly observations: ObservationRows;
  /** The last observation of episodes that ended in this step; allocated for `same-step` only. */
  readonly final: ObservationRows | null;
  /** uint8 [B]: the row of `final` was written in this step. */
  readonly finalWritten: Uint8Array;
  /** int32 [B]: decisions played in the current (or just ended) episode, forced ones included. */
  readonly decisions: Int32Array;
  /** int32 [B]: number of the episode, from 0. */
  readonly episodes: Int32Array;
  /** Decisions that players or agents took, all environments, since the start. */
  asked = 0;
  private readonly seeds: string[];
  /** The seeds of later episodes derive from these. */
  private readonly roots: string[] = [];
  private readonly current: (RecordedEpisode | null)[] = [];
  private readonly last: (RecordedEpisode | null)[] = [];
  private readonly record: boolean;
  private readonly dice: Dice;
  private readonly scratchReturns: Float32Array;
  private readonly skipForced: boolean;
  private readonly deferred: boolean;
  private readonly limit: number;
  private readonly first: number;
  /** uint8 [players]: 1 for a player of the caller. */
  private readonly own: Uint8Array;
  private started = false;

  constructor(
    readonly game: Game,
    options: BatchOptions,
  ) {
    const n = options.size;
    if (!Number.isInteger(n) || n < 1)
      throw new KesselError("bad-option", `a batch has a whole number of at least 1 environments, not ${shown(n)}`);
    this.size = n;
    this.autoreset = options.autoreset ?? "next-step";
    if (!AUTORESETS.includes(this.autoreset))
      throw new KesselError("bad-option", `autoreset is ${AUTORESETS.join(", ")}, not ${shown(options.autoreset)}`);
    this.skipForced = options.skipForced ?? true;
    this.deferred = options.deferObservations ?? false;
    this.record = options.record ?? false;
    this.dice = options.dice ?? new SeededDice();
    this.first = options.first ?? 0;
    this.limit = options.maxDecisions ?? game.maxDecisions;
    if (!Number.isInteger(this.limit) || this.limit < 1)
      throw new KesselError(
        "bad-option",
        `maxDecisions is a whole number of at least 1, not ${shown(options.maxDecisions)}`,
      );
    const words = ints(n * game.stateSize, options.shared);
    this.states = Array.from({ length: n }, (_, i) => words.subarray(i * game.stateSize, (i + 1) * game.stateSize));
    this.actors = new Int32Array(n).fill(NOBODY);
    this.viewers = ints(n, options.shared);
    this.own = new Uint8Array(game.players.length).fill(options.players === undefined ? 1 : 0);
    for (const p of options.players ?? []) this.own[p] = 1;
    this.mask = new Uint8Array(n * game.actions.length);
    this.legalCounts = new Int32Array(n);
    this.rewards = new Float32Array(n * game.players.length);
    this.scratchReturns = new Float32Array(game.players.length);
    this.terminated = new Uint8Array(n);
    this.truncated = new Uint8Array(n);
    this.observations = observationRows(game, n);
    this.final = this.autoreset === "same-step" ? observationRows(game, n) : null;
    this.finalWritten = new Uint8Array(n);
    this.decisions = new Int32Array(n);
    this.episodes = new Int32Array(n).fill(-1);
    this.seeds = Array.from({ length: n }, (_, i) => String(this.first + i));
  }

  /** The seed that replays the current episode of environment `i` by itself. */
  seedOf(i: number): string {
    return this.seeds[i]!;
  }

  /**
   * Starts new episodes and writes their observations.
   *
   * @param seeds one seed for the batch (environment i gets `seed/i/0`, `seed/i/1`, ...), or one per environment, used
   *   as they are for this episode
   * @param which environments to reset; all by default
   */
  reset(seeds: Seed | readonly Seed[], which?: readonly number[]): void {
    this.open(seeds, which);
    this.finish();
  }

  /** `reset` without the observations. */
  open(seeds: Seed | readonly Seed[], which: readonly number[] = this.states.map((_, i) => i)): void {
    const { list, base } = checkSeeds(seeds, which.length);
    checkRows(which, this.size);
    if (!this.started && which.length < this.size)
      throw new KesselError("not-reset", "the first reset must include every environment");
    this.started = true;
    this.clear();
    which.forEach((i, k) => {
      this.roots[i] = list ? list[k]! : `${base!}/${this.first + i}`;
      this.episodes[i] = -1;
      this.terminated[i] = 0;
      this.truncated[i] = 0;
      this.restart(i, list ? list[k]! : undefined);
    });
  }

  /** Starts the next episode of environment `i`. */
  private restart(i: number, seed?: string): void {
    const s = this.states[i]!;
    const episode = this.episodes[i]! + 1;
    this.episodes[i] = episode;
    const text = seed ?? `${this.roots[i]!}/${episode}`;
    this.seeds[i] = text;
    if (this.record) {
      if (episode > 0) this.last[i] = this.current[i]!;
      this.current[i] = { seed: text, actions: [] };
    }
    s.fill(0);
    seedStream(text, s);
    this.dice.begin(s);
    this.game.start(s, this.dice);
    this.decisions[i] = 0;
    // the episode may end before that player is asked
    if (this.own[this.viewers[i]!] === 0) this.viewers[i] = this.own.indexOf(1);
    this.settle(i);
  }

  /**
   * The actions of the current episode of environment `i`, or of the one before; null when nothing was recorded, or
   * the state was set by `restore`.
   */
  recordedEpisode(i: number, before = false): RecordedEpisode | null {
    return (before ? this.last[i] : this.current[i]) ?? null;
  }

  /**
   * Replaces the state of environment `i` by a copy of `s`; the episode goes on from there.
   *
   * @throws KesselError `bad-state` for a state of another game or one at a chance node
   */
  restore(i: number, s: State): void {
    if (s.length !== this.game.stateSize)
      throw new KesselError(
        "bad-state",
        `a state of ${this.game.type.id} has ${this.game.stateSize} words, this has ${s.length}`,
      );
    refuseChanceNode(this.game, s);
    this.states[i]!.set(s);
    this.game.chance?.set(this.states[i]!, false);
    if (this.record) this.current[i] = null;
    this.terminated[i] = 0;
    this.truncated[i] = 0;
    this.decisions[i] = 0;
    this.settle(i);
  }

  /**
   * Puts copies of `states` into the environments `which`, as part of a step with zero rewards; `finish` comes after.
   */
  load(which: readonly number[], states: readonly State[]): void {
    checkRows(which, this.size);
    if (states.length !== which.length)
      throw new KesselError("bad-state", `expected ${which.length} states (one per environment), got ${states.length}`);
    this.checkStarted();
    for (const s of states) refuseChanceNode(this.game, s); // before any environment has moved
    this.clear();
    which.forEach((i, k) => this.restore(i, states[k]!));
  }

  /**
   * Carries out one action per environment and writes the new observations.
   *
   * @param actions int32 [B]
   * @throws KesselError `illegal-action`, `bad-action`, `not-reset`; then no environment has moved
   */
  step(actions: ArrayLike<number>): void {
    this.begin(actions);
    this.finish();
  }

  /** First half of `step`: checks all actions, then plays them (or starts the next episode). */
  begin(actions: ArrayLike<number>): void {
    this.check(actions);
    this.play(actions, 0, this.size);
  }

  /** As `begin`, for the environments `which` alone, with an action each; the others keep their state and rewards. */
  beginSome(which: ArrayLike<number>, actions: ArrayLike<number>): void {
    this.checkStarted();
    checkSomeActions(this, which, actions, this.first);
    const P = this.scratchReturns.length;
    for (let k = 0; k < which.length; k++) {
      const i = which[k]!;
      this.rewards.fill(0, i * P, (i + 1) * P);
      if (this.final !== null) this.finalWritten[i] = this.terminated[i] = this.truncated[i] = 0;
      this.playOne(i, actions[k]!);
    }
  }

  /**
   * `step` block by block, without the observations: `moved(end)` is called when environments 0 to `end - 1` have moved
   * and have their viewers.
   */
  stepBlocks(actions: ArrayLike<number>, moved: (end: number) => void): void {
    const { size } = this;
    this.check(actions);
    for (let from = 0; from < size; from += BLOCK_ROWS) {
      const to = Math.min(from + BLOCK_ROWS, size);
      this.play(actions, from, to);
      this.startNextEpisodes(from, to);
      this.updateViewers(from, to);
      moved(to);
    }
  }

  private checkStarted(): void {
    if (!this.started) throw new KesselError("not-reset", "reset the batch first");
  }

  private check(actions: ArrayLike<number>): void {
    this.checkStarted();
    checkActions(this, actions, this.first);
    this.clear();
  }

  private play(actions: ArrayLike<number>, from: number, to: number): void {
    for (let i = from; i < to; i++) this.playOne(i, actions[i]!);
  }

  private playOne(i: number, action: number): void {
    if (this.over(i)) {
      this.terminated[i] = 0;
      this.truncated[i] = 0;
      this.restart(i);
    } else {
      this.viewers[i] = this.actors[i]!;
      this.playDecision(i, action);
    }
  }

  /** Second half of `step`: starts new episodes in `same-step` mode, then writes observations. */
  finish(): void {
    this.startNextEpisodes();
    this.observeUnlessDeferred();
  }

  /** `same-step`: keeps the last observation of ended episodes and starts the next ones. @returns how many */
  startNextEpisodes(from = 0, to = this.size): number {
    if (this.final === null) return 0;
    let n = 0;
    for (let i = from; i < to; i++) {
      if (!this.over(i) || this.finalWritten[i] === 1) continue;
      this.game.observe(this.states[i]!, this.viewers[i]!, this.final.rows[i]!);
      this.finalWritten[i] = 1;
      this.restart(i);
      n++;
    }
    return n;
  }

  /** Writes all observations into `observations`, unless they are deferred to the caller. */
  observeUnlessDeferred(): void {
    if (!this.deferred) this.observeAll();
  }

  /** Writes all observations into `observations`, each for the acting player. */
  observeAll(): void {
    const { game, states, viewers, size } = this;
    const { rows } = this.observations;
    this.updateViewers();
    for (let i = 0; i < size; i++) game.observe(states[i]!, viewers[i]!, rows[i]!);
  }

  /** Makes the acting player the viewer, in the environments from `from` up to `to`. */
  updateViewers(from = 0, to = this.size): void {
    const { actors, viewers } = this;
    for (let i = from; i < to; i++) if (actors[i]! >= 0) viewers[i] = actors[i]!;
  }

  /** True when the episode of environment `i` has ended (and not been followed by the next). */
  over(i: number): boolean {
    return this.actors[i] === NOBODY;
  }

  /** Plays a legal action in environment `i`, and the forced ones after it. Observations aren't written. */
  playDecision(i: number, action: number): void {
    const s = this.states[i]!;
    if (this.record) this.current[i]?.actions.push(action);
    this.dice.begin(s);
    this.game.apply(s, action, this.dice);
    this.decisions[i]!++;
    this.asked++;
    this.settle(i, true);
  }

  /**
   * Brings actor, mask and flags up to date, playing forced decisions on the way.
   *
   * @param untouched as in `legalMask`
   */
  private settle(i: number, untouched = false): void {
    const { game, limit } = this;
    const s = this.states[i]!;
    const A = game.actions.length;
    const at = i * A;
    for (;;) {
      const actor = game.actor(s);
      this.actors[i] = actor;
      if (actor === NOBODY) {
        this.terminated[i] = 1;
        this.mask.fill(0, at, at + A);
        this.legalCounts[i] = 0;
        game.returns(s, this.scratchReturns);
        this.rewards.set(this.scratchReturns, i * this.scratchReturns.length);
        return;
      }
      if (this.decisions[i]! >= limit) {
        this.truncated[i] = 1;
        this.actors[i] = NOBODY;
        if (this.own[actor] === 1) this.viewers[i] = actor;
        this.mask.fill(0, at, at + A);
        this.legalCounts[i] = 0;
        return;
      }
      const n = game.legalMask(s, this.mask, at, untouched);
      this.legalCounts[i] = n;
      if (n !== 1 || !this.skipForced) return;
      const forced = this.mask.indexOf(1, at) - at;
      if (this.record) this.current[i]?.actions.push(forced);
      this.dice.begin(s);
      game.apply(s, forced, this.dice);
      untouched = true;
      this.decisions[i]!++;
    }
  }

  private clear(): void {
    this.rewards.fill(0);
    if (this.final !== null) {
      this.finalWritten.fill(0);
      this.terminated.fill(0);
      this.truncated.fill(0);
    }
  }
}

const ints = (n: number, shared = false): Int32Array =>
  shared ? new Int32Array(new SharedArrayBuffer(4 * n)) : new Int32Array(n);
