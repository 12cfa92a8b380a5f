import { isDeepStrictEqual } from "node:util";
import {
  canonical,
  EventLog,
  type Game,
  type GameEvent,
  type Json,
  type JsonObject,
  newState,
  NOBODY,
  Rng,
  RNG_WORDS,
  sameSituation,
  SPECTATOR,
  type State,
  type StateView,
  type Viewer,
} from "../../env/index.js";
import { pickLegal } from "../../agents/random.js";
import type { Complaints } from "./complaints.js";
import { Coverage } from "./coverage.js";
import { ObservationComparer } from "./observation-comparer.js";
import { eventsApart } from "./narration.js";
import { act, begin, type Point } from "./play.js";
import { some } from "./questions.js";
import { checkFallbacks, indistinguishablePairs } from "./resample.js";
import { Starts } from "./starts.js";

/** Situations that look the same to a viewer in the readable view have one observation and one mask. */
export function checkViews(game: Game, points: readonly Point[], complaints: Complaints): void {
  const comparer = new ObservationComparer(game);
  for (const viewer of [...game.players.keys(), SPECTATOR]) {
    const known = new Map<string, State>();
    for (const { s } of points) {
      const key = canonical(game.view(s, viewer));
      const other = known.get(key);
      if (other === undefined) known.set(key, s);
      else
        comparer.compare(other, s, viewer, false, (code, says) =>
          complaints.add("view-poor", `one view for ${game.players[viewer] ?? "the spectator"}, but ${says} (${code})`),
        );
    }
  }
}

/** Comparisons in a row of worlds that don't differ after which play begins elsewhere: nothing is hidden there. */
const IDLE = 12;

/** Decisions in a row without a twin after which a run gives up. */
const MOST_LONELY = 20_000;

/**
 * Makes `other` a world that a player can't tell from `s`. Samples show whatever the redacted state shows; a twin
 * differs in what
 * the rules hide, whatever that state says of it.
 *
 * @returns false when nothing of the kind is hidden here
 */
export type MakeTwin = (s: StateView, player: number, other: State, rng: Rng) => boolean;

/** What a run of the leak kit did. */
export interface LeakCount {
  /** Comparisons of two worlds, and how many of them were of worlds that truly differ. */
  readonly compared: number;
  readonly different: number;
  /**
   * Actions after which the pair went on, was rightly told apart, or had no action in the other world that looks the
   * same.
   */
  readonly followed: number;
  readonly parted: number;
  readonly unfollowed: number;
  /** Samples that had to ignore some of the history, with which no pair was made. */
  readonly fallbacks: number;
  readonly coverage: Coverage;
}

/**
 * The leak kit: pairs of worlds that one player can't tell apart (a state met in play and its resample, or two starts
 * dealt independently) are played on with the same dice and the same visible actions; as long as nothing comes out that
 * parts them rightly, they must stay alike on every channel. Play is random, and begins where random play, the game's
 * heuristics or recorded games have led.
 *
 * @param pairs how many comparisons of two worlds to make
 * @param starts default: those of two games of heuristics
 * @param twin instead of samples and starts dealt independently, pairs are made by this
 */
export function leakPairs(
  game: Game,
  pairs: number,
  seed: string,
  complaints: Complaints,
  starts: Pick<Starts, "size" | "pick"> = new Starts(game, seed, 2),
  twin?: MakeTwin,
): LeakCount {
  const comparer = new ObservationComparer(game);
  const rng = new Rng(seed);
  const mask = new Uint8Array(game.actions.length);
  const other = newState(game.stateSize);
  const trial = newState(game.stateSize);
  const viewers = [...game.players.keys(), SPECTATOR];
  const [here, there] = [new EventLog(viewers), new EventLog(viewers)];
  let compared = 0;
  let different = 0;
  let [followed, parted, unfollowed] = [0, 0, 0];
  let [sampled, fallbacks] = [0, 0];
  const coverage = new Coverage(game);
  const startPairs = game.players.map((_, p) => (twin === undefined ? indistinguishablePairs(game, p, seed, 50) : []));
  // long games are entered at any point and left again, so that a short run sees more than their openings
  const quota = Math.ceil(pairs / Math.max(16, 4 * starts.size));
  const [before, beforeThere] = [newState(game.stateSize), newState(game.stateSize)];
  let length = Math.ceil(game.maxDecisions / 4);
  let lonely = 0;
  for (let g = 0; compared < pairs && lonely < MOST_LONELY; g++) {
    const s = begin(game, `${seed}/${g}`);
    const player = rng.below(game.players.length);
    const round = Math.trunc(g / 4);
    const pair = g % 4 === 3 ? startPairs[player]![round % Math.max(1, startPairs[player]!.length)] : undefined;
    let paired = pair !== undefined;
    if (g % 2 === 0 && starts.size > 0) s.set(starts.pick(g / 2, rng));
    else if (pair !== undefined) {
      s.set(pair[0]);
      other.set(pair[1]);
    } else length = playOn(game, s, mask, rng, rng.below(length)) ?? length;
    let idle = 0;
    for (const end = compared + quota; compared < Math.min(end, pairs) && idle < IDLE;) {
      const actor = game.actor(s);
      if (!paired) {
        const made = twin === undefined ? game.resample(s, player, other, rng) : twin(s, player, other, rng);
        if (twin === undefined) sampled++;
        if (!made) {
          // a sample that had to ignore some of the history is no twin
          if (twin === undefined) fallbacks++;
          if (actor < 0 || lonely++ > MOST_LONELY) break;
          game.legalMask(s, mask, 0);
          if (act(game, s, pickLegal(mask, 0, mask.length, rng)) === null) continue;
          break;
        }
        paired = true;
        lonely = 0;
      }
      // the slow text channels in one of eight comparisons
      comparer.compare(s, other, player, compared % 8 === 0, (code, says) =>
        complaints.add(code, `${game.players[player]}: ${says}`),
      );
      coverage.meet(s, compared % 8 === 0);
      compared++;
      if (sameSituation(s, other)) idle++;
      else {
        different++;
        idle = 0;
      }
      if (actor < 0) break;
      game.legalMask(s, mask, 0);
      const action = pickLegal(mask, 0, mask.length, rng);
      before.set(s);
      beforeThere.set(other);
      // the same dice fall in both worlds
      other.set(s.subarray(0, RNG_WORDS));
      if (act(game, s, action, here) !== null) break;
      const seen = game.describeFor(before, action, s, player);
      const told = viewers.map((v) => here.take(v));
      const shown = { action, seen, told: told[player]! };
      const shownThere = follow(game, other, trial, mask, shown, player, actor, there, viewers);
      paired =
        shownThere !== undefined &&
        (sameSituation(s, other) || sameDocument(game.view(s, player), game.view(other, player)));
      if (shownThere === undefined) unfollowed++;
      else if (paired) followed++;
      else parted++;
      if (!paired || shownThere === undefined) continue;
      if (shownThere.seen !== seen)
        complaints.add(
          "leak-seen",
          `${game.players[player]} sees ${JSON.stringify(seen)} in one world and ${JSON.stringify(shownThere.seen)} in the other`,
        );
      for (const [i, viewer] of viewers.entries()) {
        if (viewer !== player && viewer !== SPECTATOR) continue;
        // where the player has rightly learnt more of one world than of the other, so may a spectator
        if (viewer === SPECTATOR && !sameDocument(asJson(told[player]!), asJson(shownThere.told[player]!))) continue;
        const apart = eventsApart(told[i]!, shownThere.told[i]!, game.type.events?.kinds);
        // an order that the viewer doesn't see, half-given or on its way, may lead another way to the same place
        if (apart !== null && haveSameOrders(game, before, beforeThere, player, actor))
          complaints.add("leak-event", `${game.players[viewer] ?? "the spectator"} ${apart}`);
      }
    }
  }
  checkFallbacks(fallbacks, sampled, complaints);
  return { compared, different, followed, parted, unfollowed, fallbacks, coverage };
}

/** True when two documents are equal. Keys may come in any order. */
export function sameDocument(a: Json, b: Json): boolean {
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  for (const k of keys)
    if (!Object.hasOwn(b, k) || !sameDocument((a as JsonObject)[k]!, (b as JsonObject)[k]!)) return false;
  return true;
}

const asJson = (events: readonly GameEvent[]): Json => events as unknown as Json;

/** Plays up to `most` random decisions, but not the last. @returns how many a game had that was too short for that */
function playOn(game: Game, s: State, mask: Uint8Array, rng: Rng, most: number): number | null {
  const last = s.slice();
  for (let n = 0; n < most; n++) {
    last.set(s);
    if (
      game.legalMask(s, mask, 0) > 0 &&
      act(game, s, pickLegal(mask, 0, mask.length, rng)) === null &&
      game.actor(s) >= 0
    )
      continue;
    s.set(last);
    return n + 1;
  }
  return null;
}

/** What a player saw of an action: how it is described, and what happened then. */
interface Shown {
  readonly action: number;
  readonly seen: string | null;
  readonly told: readonly GameEvent[];
}

/**
 * Plays in `s` the same action, or else one that looks the same to `player`, if possible also in what happens then:
 * which of two counters retreats first. Where its description says nothing of what was done (a secret action, or one
 * that ends the game), that must look the same: a bombardment of a hex that guns reach in one world alone is no leak.
 *
 * @param log receives the events
 * @returns what the player sees of it, and the events by viewer; undefined when there is no such action
 */
function follow(
  game: Game,
  s: State,
  trial: State,
  mask: Uint8Array,
  { action, seen, told: toldHere }: Shown,
  player: number,
  actor: number,
  log: EventLog,
  viewers: readonly Viewer[],
): { seen: string | null; told: GameEvent[][] } | undefined {
  if (game.actor(s) !== actor) return undefined;
  game.legalMask(s, mask, 0);
  const same = mask[action] === 1;
  if (!same && actor === player) return undefined;
  let near: { state: State; seen: string | null; told: GameEvent[][] } | undefined;
  for (const a of same ? [action] : [...mask.keys()].filter((k) => mask[k] === 1)) {
    trial.set(s);
    log.clear();
    if (act(game, trial, a, log) !== null) continue;
    const there = game.describeFor(s, a, trial, player);
    const told = viewers.map((v) => log.take(v));
    if (!same && there !== seen) continue;
    if (!same && eventsApart(toldHere, told[player]!, game.type.events?.kinds) !== null) {
      const silent = seen === null || game.actor(trial) === NOBODY;
      if (!silent) near ??= { state: trial.slice(), seen: there, told };
      continue;
    }
    s.set(trial);
    return { seen: there, told };
  }
  // none looks the same in all that happens then
  if (near !== undefined) s.set(near.state);
  return near;
}

/** Two actions that leave a viewer with one view of two situations look the same to that viewer when they happen. */
export function checkSeen(game: Game, points: readonly Point[], rng: Rng, complaints: Complaints): void {
  const mask = new Uint8Array(game.actions.length);
  for (const { s, actor } of points) {
    if (actor < 0) continue;
    game.legalMask(s, mask, 0);
    const tried = some(mask.length, rng)
      .filter((a) => mask[a] === 1)
      .slice(0, 12);
    const after = tried.map((a) => {
      const t = s.slice();
      act(game, t, a);
      return t;
    });
    for (const viewer of [...game.players.keys(), SPECTATOR]) {
      const known = new Map<string, { t: State; seen: string | null }>();
      tried.forEach((a, i) => {
        const t = after[i]!;
        const key = canonical(game.view(t, viewer));
        const seen = game.describeFor(s, a, t, viewer);
        const other = known.get(key);
        if (other === undefined) known.set(key, { t, seen });
        else if (other.seen !== seen && !sameSituation(other.t, t))
          complaints.add(
            "leak-seen",
            `${game.players[viewer] ?? "the spectator"} sees ${JSON.stringify(other.seen)} or ${JSON.stringify(seen)} happen, and forgets which`,
          );
      });
    }
  }
}

/**
 * True when nobody but the viewer has given other orders in one world than in the other, except for the counters that
 * they are for, unless the viewer knows these: the actor so far for the waiting decision, and others before it, where
 * the viewer interrupts them.
 */
function haveSameOrders(game: Game, one: State, other: State, viewer: number, actor: number): boolean {
  const key = actor === viewer ? "frames" : "decision";
  const sides = actor === viewer ? [...game.players.keys()].filter((p) => p !== viewer) : [actor];
  const orders = (s: State): unknown =>
    sides.map((side) => {
      const view = game.view(s, side);
      const units = (view["units"] ?? {}) as Record<string, { at?: unknown }>;
      const known = (game.view(s, viewer)["units"] ?? {}) as Record<string, unknown>;
      const anyone = (id: string): string => (Object.hasOwn(known, id) ? id : `a unit at ${String(units[id]!.at)}`);
      return JSON.parse(JSON.stringify(view[key] ?? null), (_, v: unknown) =>
        typeof v === "string" && Object.hasOwn(units, v) ? anyone(v) : v,
      ) as unknown;
    });
  return isDeepStrictEqual(orders(one), orders(other));
}
