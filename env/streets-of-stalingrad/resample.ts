import { bitWords } from "../core/bits.js";
import type { Dice } from "../core/dice/dice.js";
import { InvariantError } from "../core/errors.js";
import { newState, RNG_WORDS, type State, type StateView } from "../core/layout.js";
import type { Rng } from "../core/dice/rng.js";
import { decisions } from "./decisions/index.js";
import type { Knowledge } from "./knowledge.js";
import { GERMAN, SOVIET } from "./roster.js";
import {
  BY_NOTHING,
  FIRED_AF,
  FIRING,
  MISSION_TABLE_SHIFT,
  ANNOUNCED_ZOC,
  ASK_ATTACK_UNIT,
  ASK_LEADER,
  ASK_LOSS,
  CAUSE_DEFENSE,
  DISMOUNTED,
  F_ACTOR,
  F_ASK,
  F_CAUSE,
  F_COMMIT,
  F_HEX,
  F_LEADER,
  F_MOVE,
  F_MP,
  FRAME_WORDS,
  FRESH,
  LEFT,
  NEW_PIN,
  PINNED,
  RESERVE,
  STACK_MARKERS,
  STAGE_RESERVES,
  UNREADY,
  WALK,
} from "./layout.js";
import { leaves } from "./rules/combat/after.js";
import { fitsFirstLosses } from "./rules/combat/commitment.js";
import { markChoices } from "./rules/combat/open-choices.js";
import { KINDS } from "./schema.js";
import { isVisible } from "./rules/units/hidden.js";
import { missionAt, missionHex, missionSide, missionTable } from "./rules/artillery/missions.js";
import { nameReserves } from "./rules/movement/movement.js";
import { moversOf, reach } from "./rules/movement/reach.js";
import { FEELS_NO_PIN, LOST_SHIFT } from "./rules/units/losses.js";
import { fits, isOverfull, sameLimit } from "./rules/units/stacking.js";
import { isHeldByGermans } from "./victory.js";
import { isArmored } from "./rules/units/units.js";
import { addWay } from "./rules/movement/walk.js";
import { exertsZoc } from "./rules/units/zoc.js";
import { sideOfPhase } from "./sequence.js";
import {
  askOf,
  actorOf,
  announcedOf,
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
} from "./state.js";
import type { Tables } from "./state.js";
import { isEngineFrame, proceed } from "./turn.js";

const OP = KINDS.indexOf("op");

/** Deals that are tried before everybody is a reserve, before the history is given up, and before the search is. */
const TRIES = 50;
const TRIES_OF_HISTORY = 2500;
const MOST_TRIES = 20_000;

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
const NO_DICE: Dice = {
  begin: () => undefined,
  d6: refuse,
  d10: refuse,
  draw: refuse,
  sum6: refuse,
  throw6: refuse,
};
function refuse(): never {
  throw new Rolled();
}

/**
 * Samples of what one side can't know: which unseen unit each counter with a back is, where a walk that is under way
 * leads, what the other side is just picking. All deals that fit backs, announcements, stacking, holders and the
 * decision asked are equally likely: deals are made at random until one fits.
 */
export class Resampler {
  private readonly known: State;
  private readonly seen: State;
  private readonly mask: Uint8Array;
  private readonly unseen: number[] = [];

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
  ) {
    this.known = newState(tables.layout.size);
    this.seen = newState(tables.layout.size);
    this.mask = new Uint8Array(tables.space.size);
  }

  /**
   * Of what the player sees, which valued hexes the Germans hold is never given up: points lie open.
   *
   * @returns false when no deal fitted and one was taken that contradicts something seen earlier
   */
  resample(s: StateView, player: number, out: State, rng: Rng): boolean {
    const { known, knowledge } = this;
    const { units } = this.tables;
    const { outOfSight } = this.tables.layout;
    known.set(s);
    known.fill(0, 0, RNG_WORDS);
    knowledge.takeBack(known, player);
    knowledge.deal(known, player, null); // nothing of the truth goes on from here
    const held = this.tables.valued.map((h) => isHeldByGermans(this.tables, s, h));
    const actor = isOver(this.tables, s) ? -1 : actorOf(this.tables, s);
    const below = (n: number) => rng.below(n);
    const spent = pointsSpent(this.tables, this.knowledge, s, player);
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      out.set(known);
      knowledge.deal(out, player, below);
      this.dealMarkers(out, player, below);
      this.spendGuns(out, player, spent, below);
      const chooses = this.markUnseen(out, player, below);
      if (this.tables.valued.some((h, i) => isHeldByGermans(this.tables, out, h) !== held[i])) continue;
      if (tries <= TRIES_OF_HISTORY && !(chooses && this.fitsHistory(out, player))) continue;
      if (!this.goOn(out, player, actor, rng, tries > TRIES)) continue;
      // walks that went on lose nobody else
      out.set(known.subarray(outOfSight, outOfSight + bitWords(units)), outOfSight);
      rng.freshStream(out);
      return tries <= TRIES;
    }
    throw new InvariantError("streets-of-stalingrad: no sample has a decision for the side that decides");
  }

  /** Unseen guns have fired as many points as were seen to fall; missions under way get a table that fits. Spec 7. */
  private spendGuns(s: State, player: number, spent: number, below: (n: number) => number): void {
    const { tables } = this;
    const { layout, roster } = tables;
    const guns = roster.guns.filter((g) => roster.side[g] !== player && this.knowledge.isUnseen(s, g, player));
    let left = spent;
    while (left > 0 && guns.length > 0) {
      const [gun] = guns.splice(below(guns.length), 1) as [number];
      if (placeOf(tables, s, gun) < 0 || roster.af[gun]! > left) continue;
      give(tables, s, gun, FIRED_AF);
      left -= roster.af[gun]!;
    }
    for (let i = 0; i < s[layout.missionCount]!; i++) {
      const mission = missionAt(tables, i);
      if (missionTable(s, mission) !== 0) continue;
      let hits = false;
      for (let u = firstIn(tables, s, missionHex(s, mission)); u >= 0; u = nextIn(tables, s, u))
        if (roster.side[u] !== missionSide(s, mission)) hits = true;
      s[mission]! |= (hits ? 1 + below(2) : BY_NOTHING) << MISSION_TABLE_SHIFT;
    }
  }

  /** Which face-down counters of a marked stack feel the marker: all that can, or any of them. Rule: SOS 9.113, SOS 18.14 */
  private dealMarkers(s: State, player: number, below: (n: number) => number): void {
    const { tables } = this;
    for (let h = 0; h < tables.hexes; h++) {
      let all = -1;
      for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
        if (!has(tables, s, u, STACK_MARKERS) || !this.knowledge.isUnseen(s, u, player)) continue;
        if (all < 0) all = below(2);
        if (FEELS_NO_PIN.includes(tables.roster.kind[u]!) || (all === 0 && below(2) === 1))
          take(tables, s, u, STACK_MARKERS);
      }
    }
  }

  /** Does every marker that the player sees on a stack of the other side lie on one of its units? */
  private showsMarkers(s: StateView, player: number, side: number, hex: number): boolean {
    const { known, tables } = this;
    const { flags } = tables.layout;
    let [marked, seen] = [0, 0];
    for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
      if (tables.roster.side[u] === side) marked |= s[flags + u]!;
    for (let u = firstIn(tables, known, hex); u >= 0; u = nextIn(tables, known, u))
      if (this.knowledge.isUnseen(known, u, player)) seen |= known[flags + u]!;
    return (seen & STACK_MARKERS & ~marked) === 0;
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

  /** Does a deal agree with announcements, stacking and what the open frames say? */
  private fitsHistory(s: State, player: number): boolean {
    const { tables } = this;
    for (let h = 0; h < tables.board.size; h++)
      for (const side of [GERMAN, SOVIET]) if (side !== player && !this.fitsHex(s, player, side, h)) return false;
    return this.fitsLosses(s);
  }

  /** Whether armor goes first tells an attacker whether a gun is among the defenders. Rule: SOS 9.82 */
  private fitsLosses(s: State): boolean {
    const { tables } = this;
    if (s[tables.layout.depth] === 0) return true;
    const top = topFrame(tables, s);
    const chosen = s[top + F_LEADER]! >> LOST_SHIFT;
    if (s[top + F_ASK] !== ASK_LOSS || s[top + F_CAUSE] !== CAUSE_DEFENSE || chosen > 0) return true;
    const attack = frameOf(tables, s, ASK_ATTACK_UNIT);
    return fitsFirstLosses(tables, s, s[attack + F_COMMIT]!, enemyOf(s[top + F_ACTOR]!), frameHex(s, attack));
  }

  private fitsHex(s: State, player: number, side: number, h: number): boolean {
    const { tables } = this;
    const { roster } = tables;
    const said = announcedOf(tables, s, h);
    const zoc = exertsZoc(tables, s, side, h);
    let here = false;
    for (let u = firstIn(tables, s, h); u >= 0; u = nextIn(tables, s, u)) {
      if (roster.side[u] !== side) {
        // a combat unit would have driven the leader or OP of the player out
        if (zoc && roster.chief[u] === 1 && !this.makesWay(s, h)) return false;
        continue;
      }
      here = true;
      if (this.knowledge.isUnseen(s, u, player) && !this.canLie(s, u)) return false;
      if (has(tables, s, u, LEFT) && !leaves(tables, s, u, h, 2)) return false;
      if (roster.stackUnit[u] === 0 && this.tooMany(s, u)) return false;
    }
    if (here && said !== 0 && (said === ANNOUNCED_ZOC) !== zoc) return false;
    if (!this.showsMarkers(s, player, side, h)) return false;
    return !isOverfull(tables, s, side, h) || isOverfull(tables, this.known, side, h);
  }

  /** Is a leader asked to leave the hex? */
  private makesWay(s: State, hex: number): boolean {
    const frame = frameOf(this.tables, s, ASK_LEADER);
    return frame >= 0 && s[frame + F_HEX] === hex + 1;
  }

  /** Could a unit lie face down where it was dealt, with the markers there? */
  private canLie(s: State, unit: number): boolean {
    const { tables } = this;
    const { roster } = tables;
    if (isVisible(tables, s, unit)) return false;
    if (has(tables, s, unit, DISMOUNTED) && roster.carried[unit] === 0) return false;
    if (has(tables, s, unit, UNREADY) && roster.towed[unit] === 0) return false;
    return !has(tables, s, unit, FRESH) || isArmored(tables, s, unit);
  }

  /** More leaders, OPs and so on in a hex than may stand there? Rule: SS 5.5 */
  private tooMany(s: State, unit: number): boolean {
    const { tables } = this;
    const { charts, roster } = tables;
    let n = 0;
    for (let u = firstIn(tables, s, placeOf(tables, s, unit)); u >= 0; u = nextIn(tables, s, u))
      if (roster.side[u] === roster.side[unit] && sameLimit(tables, unit, u)) n++;
    return n > charts.extraLimit[roster.kind[unit]!]!;
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
      if (s[frame + F_ASK] === WALK && s[frame + F_ACTOR] !== player) this.endWalk(s, frame, player, rng);
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

  /** Does the player see the decisions that are open? A leader dealt alone into an attacked hex would have shown himself. */
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
