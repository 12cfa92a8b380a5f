import { bitWords } from "../../core/bits.js";
import { newState, RNG_WORDS, type State, type StateView } from "../../core/layout.js";
import { Play } from "../../core/play.js";
import type { Rng } from "../../core/dice/rng.js";
import { decisions } from "../decisions/index.js";
import type { Knowledge } from "../knowledge.js";
import { Mender } from "./mend.js";
import {
  AMMO_SHORT,
  ASK_AMMO,
  isBox,
  BY_NOTHING,
  FIRED_AF,
  FIRING,
  MISSION_TABLE_SHIFT,
  ASK_ATTACK_UNIT,
  ASK_LOSS,
  CAUSE_DEFENSE,
  F_ACTOR,
  F_ASK,
  F_CAUSE,
  F_COMMIT,
  F_HEX,
  F_LEADER,
  F_MOVE,
  F_MP,
  FRAME_WORDS,
  NEW_PIN,
  PINNED,
  RESERVE,
  SILENCED,
  STACK_MARKERS,
  STAGE_RESERVES,
  WALK,
} from "../layout.js";
import { fitsFirstLosses } from "../rules/combat/commitment.js";
import { markChoices } from "../rules/combat/open-choices.js";
import { KINDS } from "../schema.js";
import { ammoOf, isRationed } from "../rules/administration/ammunition.js";
import { missionAt, missionHex, missionSide, missionTable } from "../rules/artillery/missions.js";
import { noteFriends } from "../rules/units/mines.js";
import { nameReserves } from "../rules/movement/reserves.js";
import { reach } from "../rules/movement/reach.js";
import { moversOf } from "../rules/movement/movers.js";
import { FEELS_NO_PIN, LOST_SHIFT } from "../rules/units/losses.js";
import { fits } from "../rules/units/stacking.js";
import { seatAll } from "../rules/movement/transports.js";
import { addWay } from "../rules/movement/walk.js";
import { sideOfPhase } from "../sequence.js";
import {
  askOf,
  actorOf,
  boxAt,
  enemyOf,
  firstIn,
  frameHex,
  frameOf,
  give,
  has,
  isOver,
  nextIn,
  placeOf,
  take,
  topFrame,
} from "../state.js";
import type { Tables } from "../state.js";
import { isEngineFrame, proceed } from "../turn.js";

const OP = KINDS.indexOf("op");

/** With so few unseen units deals are made at random until one fits, so that all that fit are equally likely. */
const FEW = 40;
/** Deals that are made so, that are mended, and that are made when the history is given up, before the search is. */
const TRIES = 50;
/** In a large fight a deal costs more, and fits more seldom. */
const TRIES_OF_MANY = 6;
const TRIES_TO_MEND = 20;
const TRIES_WITHOUT_HISTORY = 500;
/**
 * How a deal has to fit: as it was dealt; after it was mended; mended, with more leaders and OPs in a hex than its
 * limit; with holders alone.
 */
const STRICT = 0;
const MENDED = 1;
const CROWDED = 2;
const LENIENT = 3;

/** Points that unseen guns of the other side have fired this turn, or are about to: they were seen to fall. */
function pointsSpent(tables: Tables, knowledge: Knowledge, s: StateView, player: number): number {
  const { layout, roster } = tables;
  let sum = 0;
  for (const gun of roster.guns)
    if (
      roster.side[gun] !== player &&
      knowledge.isUnseen(s, gun, player) &&
      (has(tables, s, gun, FIRED_AF) || (s[layout.served + gun] !== 0 && !has(tables, s, gun, FIRING)))
    )
      sum += roster.af[gun]!;
  return sum;
}

/** A die that would have been rolled: what the player has seen says that it was not. */
class Rolled extends Error {}
const NO_DICE = new Play({
  begin: () => undefined,
  d6: refuse,
  d10: refuse,
  draw: refuse,
  sum6: refuse,
  throw6: refuse,
});
function refuse(): never {
  throw new Rolled();
}

/**
 * Samples of what one side can't know: which unseen unit each counter with a back is, where a walk that is under way
 * leads, what the other side is just picking. Deals fit backs, announcements, stacking, holders and the decision asked.
 * Where few counters are unseen all that fit are equally likely; otherwise deals are mended until they fit (mend.ts).
 */
export class Resampler {
  private readonly known: State;
  private readonly seen: State;
  private readonly mask: Uint8Array;
  private readonly unseen: number[] = [];
  private readonly mender: Mender;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
  ) {
    this.known = newState(tables.layout.size);
    this.seen = newState(tables.layout.size);
    this.mask = new Uint8Array(tables.space.size);
    this.mender = new Mender(tables, knowledge);
  }

  /**
   * Of what the player sees, which valued hexes the Germans hold is given up last, because points are public.
   *
   * @returns false when no deal fitted and one was taken that contradicts something seen earlier
   */
  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    const { known, knowledge, mender } = this;
    known.set(s);
    known.fill(0, 0, RNG_WORDS);
    knowledge.takeBack(known, player);
    knowledge.deal(known, player, null); // nothing of the truth goes on from here
    const unseen = mender.begin(s, known, player);
    const actor = isOver(this.tables, s) ? -1 : actorOf(this.tables, s);
    const spent = pointsSpent(this.tables, this.knowledge, s, player);
    const below = (n: number) => rng.below(n);
    const fits =
      (unseen <= FEW &&
        this.tryDeals(
          this.tables.roster.many ? TRIES_OF_MANY : TRIES,
          STRICT,
          out,
          player,
          actor,
          spent,
          rng,
          below,
        )) ||
      this.tryDeals(TRIES_TO_MEND, MENDED, out, player, actor, spent, rng, below) ||
      this.tryDeals(TRIES_TO_MEND, CROWDED, out, player, actor, spent, rng, below);
    if (!fits) this.tryDeals(TRIES_WITHOUT_HISTORY, LENIENT, out, player, actor, spent, rng, below);
    // walks that went on lose nobody else
    const { outOfSight } = this.tables.layout;
    out.set(known.subarray(outOfSight, outOfSight + bitWords(this.tables.units)), outOfSight);
    rng.freshStream(out);
    return fits;
  }

  /** @returns true when a deal fits, which `out` has then */
  private tryDeals(
    tries: number,
    how: number,
    out: State,
    player: number,
    actor: number,
    spent: number,
    rng: Rng,
    below: (n: number) => number,
  ): boolean {
    const { mender } = this;
    mender.seen.crowded = how >= CROWDED;
    for (let i = 0; i < tries; i++) {
      out.set(this.known);
      const dealt = this.knowledge.deal(out, player, below);
      const fits = how === STRICT ? dealt : mender.mend(out, below) && this.knowledge.fitsBoxes(out);
      if (how === STRICT && !dealt) continue;
      if (!fits && (how !== LENIENT || !mender.seen.holds(out))) continue;
      this.dealMarkers(out, player, below);
      this.spendGuns(out, player, spent, below);
      if (this.tables.ammunition) this.silenceGuns(out, enemyOf(player), below);
      noteFriends(this.tables, out, enemyOf(player));
      if (!mender.workers.assign(out, below)) {
        if (how !== LENIENT) continue;
        mender.workers.giveUp(out);
      }
      mender.settleBanks(out);
      const chooses = this.markUnseen(out, player, below);
      if (how !== LENIENT && !(chooses && mender.fits(out) && mender.seen.holds(out) && this.fitsLosses(out))) continue;
      if (this.goOn(out, player, actor, rng, how === LENIENT)) return true;
    }
    return false;
  }

  /** Unseen guns have fired as many points as were seen to fall; missions under way get a table that fits. Spec 7. */
  private spendGuns(s: State, player: number, spent: number, below: (n: number) => number): void {
    const { tables } = this;
    const { layout, roster } = tables;
    // who has fired may have gone back to a box since
    const guns = roster.guns.filter(
      (g) =>
        roster.side[g] !== player &&
        this.knowledge.isUnseen(s, g, player) &&
        (placeOf(tables, s, g) >= 0 || isBox(placeOf(tables, s, g))),
    );
    // of each sum, the gun that made it reachable first; they come in any order
    const last = new Array<number>(spent + 1).fill(-1);
    for (let n = guns.length; n > 0; n--) {
      const [gun] = guns.splice(below(n), 1) as [number];
      const af = roster.af[gun]!;
      for (let sum = spent; sum >= af; sum--)
        if (last[sum] === -1 && (sum === af || last[sum - af] !== -1)) last[sum] = gun;
    }
    let sum = spent;
    while (sum > 0 && last[sum] === -1) sum--;
    for (; sum > 0; sum -= roster.af[last[sum]!]!) give(tables, s, last[sum]!, FIRED_AF);
    for (let i = 0; i < s[layout.missionCount]!; i++) {
      const mission = missionAt(tables, i);
      if (missionTable(s, mission) !== 0 || boxAt(tables, missionHex(s, mission)) >= 0) continue;
      let hits = false;
      for (let u = firstIn(tables, s, missionHex(s, mission)); u >= 0; u = nextIn(tables, s, u))
        if (roster.side[u] !== missionSide(s, mission)) hits = true;
      s[mission]! |= (hits ? 1 + below(2) : BY_NOTHING) << MISSION_TABLE_SHIFT;
    }
  }

  /**
   * Guns of the other side that have not fired stay silent for as many AF as it is short of, but while it still chooses
   * them.
   */
  private silenceGuns(s: State, side: number, below: (n: number) => number): void {
    const { tables } = this;
    const { layout, roster } = tables;
    let short = s[ammoOf(tables, side) + AMMO_SHORT]!;
    const chooses = frameOf(tables, s, ASK_AMMO);
    if (short === 0 || (chooses >= 0 && s[chooses + F_ACTOR] === side)) return;
    const guns = roster.guns.filter(
      (g) =>
        roster.side[g] === side &&
        isRationed(tables, s, g) &&
        !has(tables, s, g, FIRED_AF) &&
        s[layout.served + g] === 0,
    );
    while (guns.length > 0 && short > 0) {
      const [gun] = guns.splice(below(guns.length), 1) as [number];
      s[layout.work + gun]! |= SILENCED;
      short -= roster.af[gun]!;
    }
  }

  /**
   * Which face-down counters of a marked stack feel the marker: all that can, or any of them, but one where nobody else
   * of the stack has it. Rule: SOS 9.113, SOS 18.14
   */
  private dealMarkers(s: State, player: number, below: (n: number) => number): void {
    const { knowledge, mender, tables } = this;
    const { flags } = tables.layout;
    for (let h = 0; h < tables.hexes; h++) {
      if (mender.seen.markersOn(h) === 0) continue;
      let feel = 0;
      let open = 0;
      for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
        if (tables.roster.side[u] === player) continue;
        if (!knowledge.isUnseen(s, u, player)) open |= s[flags + u]!;
        else if (FEELS_NO_PIN.includes(tables.roster.kind[u]!)) take(tables, s, u, STACK_MARKERS);
        else feel++;
      }
      if (feel === 0 || below(2) === 0) continue;
      const least = (mender.seen.markersOn(h) & ~open) === 0 ? 0 : 1;
      let chosen = least + below((1 << feel) - least);
      for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
        if (tables.roster.side[u] === player || !knowledge.isUnseen(s, u, player)) continue;
        if (FEELS_NO_PIN.includes(tables.roster.kind[u]!)) continue;
        if ((chosen & 1) === 0) take(tables, s, u, STACK_MARKERS);
        chosen >>= 1;
      }
    }
  }

  /**
   * Unseen units get the marks that their kind has in an open choice. An unseen OP may have been pinned in this phase
   * or before. Rule: SOS 14.94
   *
   * @returns false when nothing would be left to choose
   */
  private markUnseen(s: State, player: number, below: (n: number) => number): boolean {
    const { tables } = this;
    this.unseen.length = 0;
    for (let u = 0; u < tables.units; u++) {
      if (placeOf(tables, s, u) < 0 || !this.knowledge.isUnseen(s, u, player)) continue;
      this.unseen.push(u);
      if (tables.roster.kind[u] === OP && has(tables, s, u, PINNED) && below(2) === 1) give(tables, s, u, NEW_PIN);
    }
    return markChoices(tables, s, this.unseen);
  }

  /** True when armor goes first shows an attacker whether a gun is among the defenders. Rule: SOS 9.82 */
  private fitsLosses(s: State): boolean {
    const { tables } = this;
    if (s[tables.layout.depth] === 0) return true;
    const top = topFrame(tables, s);
    const chosen = s[top + F_LEADER]! >> LOST_SHIFT;
    if (s[top + F_ASK] !== ASK_LOSS || s[top + F_CAUSE] !== CAUSE_DEFENSE || chosen > 0) return true;
    const attack = frameOf(tables, s, ASK_ATTACK_UNIT);
    return fitsFirstLosses(tables, s, s[attack + F_COMMIT]!, enemyOf(s[top + F_ACTOR]!), frameHex(s, attack));
  }

  /**
   * Gives hidden walks an end, an attacked hex its answer, and names the reserves, as if their phase began now.
   *
   * @param lenient everybody is a reserve: those that were may have lost their leader since
   * @returns true when somebody decides now, and the right side
   */
  private goOn(s: State, player: number, actor: number, rng: Rng, lenient: boolean): boolean {
    const { tables, mask } = this;
    if (actor < 0) return true;
    const { layout } = tables;
    const side = sideOfPhase(s[layout.phase]!);
    if (s[layout.stage] === STAGE_RESERVES && side !== player) {
      nameReserves(tables, s, side);
      for (let u = tables.roster.first(side); lenient && u < tables.roster.end(side); u++)
        if (placeOf(tables, s, u) >= 0) give(tables, s, u, RESERVE);
    }
    for (let i = 0; i < s[layout.depth]!; i++) {
      const frame = layout.frames + i * FRAME_WORDS;
      if (s[frame + F_ASK] !== WALK || s[frame + F_ACTOR] === player) continue;
      seatAll(tables, s);
      this.endWalk(s, frame, player, rng);
    }
    try {
      if (isEngineFrame(tables, s)) proceed(tables, s, NO_DICE);
    } catch (e) {
      if (!(e instanceof Rolled)) throw e;
      return false;
    }
    if (isOver(tables, s) || actorOf(tables, s) !== actor || !this.showsFrames(s, player)) return false;
    mask.fill(0);
    return decisions.mark(tables, s, askOf(tables, s), mask, 0) > 0;
  }

  /**
   * True when the player sees the decisions that are open. A leader dealt alone into an attacked hex would have shown
   * himself.
   */
  private showsFrames(s: State, player: number): boolean {
    const { known, seen } = this;
    const { depth, frames } = this.tables.layout;
    this.knowledge.redact(s, player, seen);
    if (seen[depth] !== known[depth]) return false;
    for (let i = frames; i < frames + seen[depth]! * FRAME_WORDS; i++) if (seen[i] !== known[i]) return false;
    return true;
  }

  /** Somewhere the movers may still go, or here. Where the MP left are hidden, any number of them is as likely. */
  private endWalk(s: State, frame: number, player: number, rng: Rng): void {
    const { tables } = this;
    const { path, pathLength } = tables.layout;
    const from = s[frame + F_HEX]! - 1;
    const movers = moversOf(tables, s, -1, s[frame + F_MOVE]!);
    if (this.knowledge.hidesGroup(s, player)) s[frame + F_MP] = rng.below(movers.allowance + 1);
    const spent = movers.allowance - s[frame + F_MP]!;
    const count = reach(tables, s, movers, from, Math.max(0, spent));
    let ends = 0;
    let end = from;
    for (let i = 0; i < count; i++) {
      const h = tables.reached[i]!;
      if (fits(tables, s, movers.side, h, -1) && rng.below(++ends) === 0) end = h;
    }
    if (end === from) return;
    addWay(tables, s, end, false);
    s.subarray(path, path + s[pathLength]!).reverse();
  }
}
