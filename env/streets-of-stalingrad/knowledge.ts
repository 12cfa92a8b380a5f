import { EVERYTHING } from "../core/game.js";
import { RNG_WORDS, type State, type StateView } from "../core/layout.js";
import {
  FIRED_AF,
  GUN_PHASE_SHIFT,
  HELD,
  M_DRMS,
  MISSION_DONE,
  MISSION_TABLE_SHIFT,
  MISSION_WORDS,
  NEW_PIN,
  NO_MOVE,
  NO_MOVE_NEXT,
  NO_SPOT,
  BEREFT,
  ASK_AFTER_CHOICE,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  BANK_SHIFT,
  F_ACTOR,
  F_ASK,
  F_HOLD,
  F_MP,
  F_NEED,
  F_THEN,
  F_UNIT,
  FRAME_WORDS,
  FROM_BITS,
  GROUP,
  isBox,
  KNOWN,
  PINNED,
  POOL,
  RESERVE,
  RETREATED,
  STACK_MARKERS,
  THEN,
  UNPINNED,
  WALK,
} from "./layout.js";
import { decisionOfKind } from "./decisions/index.js";
import { GERMAN, SOVIET } from "./roster.js";
import { missionAt, missionSide } from "./rules/artillery/missions.js";
import { hideChoices } from "./rules/combat/open-choices.js";
import { isHeldByGermans } from "./victory.js";
import { actorOf, askOf, dropPath, enemyOf, firstIn, has, nextIn, placeOf, setExtra } from "./state.js";
import type { Tables } from "./state.js";

const isAfter = (ask: number): boolean => ask === ASK_AFTER_CHOICE || ask === ASK_AFTER_UNIT || ask === ASK_AFTER_HEX;

/**
 * What one side knows of a state. A counter that lies face down is a place with its markers and its back; which of the
 * unseen units with that back it is, only its owner knows. A spectator (-1) knows what both sides know.
 *
 * One object serves one thread: it keeps scratch space.
 */
export class Knowledge {
  /** Slots by side and back, ascending; spare slots are not among them. */
  readonly byBack: readonly Int32Array[];
  /** The unseen units of one back, and the counters that they are: place, flags, extra, and whose they truly are. */
  private readonly unseen: Int32Array;
  private readonly places: Int32Array;
  private readonly flags: Int32Array;
  private readonly extras: Int32Array;
  private readonly works: Int32Array;
  private readonly owners: Int32Array;
  /** Unseen units in boxes, and their boxes in ascending order. */
  private readonly boxed: Int32Array;
  private readonly boxes: Int32Array;
  /** The slot that a slot's counter is dealt to, or one like it; itself where nothing is hidden. */
  readonly dealt: Int32Array;

  constructor(private readonly tables: Tables) {
    const { roster } = tables;
    const groups = new Map<number, number[]>();
    roster.counters.forEach(({ spare, side }, u) => {
      if (spare) return;
      const key = side * roster.tags.length + roster.tag[u]!;
      groups.set(key, [...(groups.get(key) ?? []), u]);
    });
    this.byBack = [...groups.values()].map((slots) => Int32Array.from(slots));
    const most = Math.max(1, ...this.byBack.map((slots) => slots.length));
    this.unseen = new Int32Array(most);
    this.places = new Int32Array(most);
    this.flags = new Int32Array(most);
    this.extras = new Int32Array(most);
    this.works = new Int32Array(most);
    this.owners = new Int32Array(most);
    this.boxed = new Int32Array(tables.units);
    this.boxes = new Int32Array(tables.units);
    this.dealt = new Int32Array(tables.units);
  }

  /**
   * Is a unit's counter face down, in a box or in the pool, for a viewer, and so not distinguishable from others with its
   * back? Of those in a box the other side knows but the number. Ruling R9.
   */
  isUnseen(s: StateView, unit: number, viewer: number): boolean {
    return (
      this.tables.roster.side[unit] !== viewer &&
      liesDown(placeOf(this.tables, s, unit)) &&
      !has(this.tables, s, unit, KNOWN)
    );
  }

  /**
   * Writes the state as a viewer knows it. Unseen units are dealt to the counters in one fixed way: among units with
   * one back in ascending order of hex, those of the boxes in ascending order. They have no KNOWN. What the other side is just picking is taken back.
   */
  redact(s: StateView, viewer: number, out: State): void {
    out.set(s);
    out.fill(0, 0, RNG_WORDS);
    if (viewer === EVERYTHING) return;
    const { tables } = this;
    this.takeBack(out, viewer);
    this.deal(out, viewer, null);
    out[tables.layout.toldHolders] = 1;
    for (const h of tables.valued) if (isHeldByGermans(tables, s, h)) out[tables.layout.hexState + h]! |= HELD;
  }

  /** Takes back what a side has picked and not yet shown, up to its last public decision. Spec 4.1. */
  takeBack(s: State, viewer: number): void {
    const { tables } = this;
    const { layout } = tables;
    for (let i = 0; i < s[layout.depth]!; i++) {
      const frame = layout.frames + i * FRAME_WORDS;
      // which of the counters that lie face down went after the first is not told
      if (isAfter(s[frame + F_ASK]!) && s[frame + F_ACTOR] !== viewer) s.fill(0, frame + F_THEN, frame + F_THEN + THEN);
      if (s[frame + F_ASK] !== WALK) continue;
      if (s[frame + F_ACTOR] !== viewer) dropPath(tables, s); // where the walk leads
      if (enemyOf(s[frame + F_ACTOR]!) !== viewer) s[frame + F_HOLD] = 0;
      if (this.hidesGroup(s, viewer)) s[frame + F_MP] = 0; // what a step cost tells foot from vehicles
    }
    for (let side = GERMAN; side <= SOVIET; side++)
      if (side !== viewer)
        for (let u = tables.roster.first(side); u < tables.roster.end(side); u++) this.hideSecrets(s, u);
    this.spreadMarkers(s, viewer);
    this.hideMissions(s, viewer);
    while (s[layout.depth] !== 0 && actorOf(tables, s) !== viewer)
      if (decisionOfKind(askOf(tables, s)).hides?.(tables, s) !== true) return;
  }

  /** A marker lies on all face-down counters of a stack: a leader or a fort among them, who feels none, is not told. */
  private spreadMarkers(s: State, viewer: number): void {
    const { tables } = this;
    const { flags, place } = tables.layout;
    const { side } = tables.roster;
    let seen = 0;
    for (let u = 0; u < tables.units; u++) {
      const markers = s[flags + u]! & STACK_MARKERS;
      seen |= markers;
      if (markers === 0 || side[u] === viewer || s[place + u]! < 0) continue;
      for (let v = firstIn(tables, s, s[place + u]!); v >= 0; v = nextIn(tables, s, v))
        if (side[v] === side[u] && this.isUnseen(s, v, viewer)) s[flags + v]! |= markers;
    }
    if ((seen & UNPINNED) === 0) return;
    // where a pin is left on the stack, nobody saw another go
    for (let u = 0; u < tables.units; u++)
      if (has(tables, s, u, PINNED) && this.isUnseen(s, u, viewer)) s[flags + u]! &= ~UNPINNED;
  }

  /** Does a unit of the group that moves lie face down for a viewer? */
  hidesGroup(s: StateView, viewer: number): boolean {
    for (let u = 0; u < this.tables.units; u++)
      if (has(this.tables, s, u, GROUP) && this.isUnseen(s, u, viewer)) return true;
    return false;
  }

  /** Leaders that lie face down make reserves; on which bank an unseen vehicle stands tells that it is one. */
  private hideSecrets(s: State, unit: number): void {
    s[this.tables.layout.flags + unit]! &= ~(RETREATED | RESERVE);
    const { layout } = this.tables;
    const known = has(this.tables, s, unit, KNOWN);
    if (this.tables.river.any) s[layout.work + unit]! &= FROM_BITS;
    if (isBox(placeOf(this.tables, s, unit))) {
      s[layout.flags + unit] = 0;
      s[layout.extra + unit] = 0;
    } else if (!known && liesDown(placeOf(this.tables, s, unit))) {
      hideChoices(this.tables, s, unit);
      setExtra(this.tables, s, unit, BANK_SHIFT, 0);
      setExtra(this.tables, s, unit, GUN_PHASE_SHIFT, 0);
      s[layout.flags + unit]! &= ~(BEREFT | FIRED_AF | NO_MOVE | NO_MOVE_NEXT | NO_SPOT | NEW_PIN);
    }
    const word = s[layout.served + unit]!;
    if (word === 0) return;
    // which gun fires in a bombardment, and who spots for any, is not told
    const told = known && has(this.tables, s, unit, FIRED_AF) && s[layout.missionCount] === 0;
    s[layout.served + unit] = told ? (word & ~0x7ff) | (unit + 1) : 0;
  }

  /** Of the other side's missions hex and points lie open; how they will be resolved does not. Ruling R24. */
  private hideMissions(s: State, viewer: number): void {
    const { tables } = this;
    for (let i = 0; i < s[tables.layout.missionCount]!; i++) {
      const mission = missionAt(tables, i);
      if (missionSide(s, mission) === viewer || (s[mission]! & MISSION_DONE) !== 0) continue;
      s[mission]! &= ~(3 << MISSION_TABLE_SHIFT);
      s.fill(0, mission + M_DRMS, mission + MISSION_WORDS);
    }
  }

  /**
   * Deals the unseen units to the counters with their back.
   *
   * @param below null: in the fixed order; else a random whole number below n, for a deal at random
   */
  deal(s: State, viewer: number, below: ((n: number) => number) | null): void {
    const { tables, unseen, places, flags, extras, works, owners, dealt } = this;
    const { layout } = tables;
    for (let u = 0; u < tables.units; u++) dealt[u] = u;
    let moved = false;
    for (const slots of this.byBack) {
      if (tables.roster.side[slots[0]!] === viewer) continue;
      let n = 0;
      for (const u of slots) {
        if (!this.isUnseen(s, u, viewer)) continue;
        unseen[n] = u;
        places[n] = s[layout.place + u]!;
        flags[n] = s[layout.flags + u]!;
        extras[n] = s[layout.extra + u]!;
        works[n] = s[layout.work + u]!;
        owners[n] = u;
        n++;
      }
      if (n < 2) continue;
      moved = true;
      this.sort(n); // a deal at random may not depend on the truth either
      if (below !== null) for (let i = n - 1; i > 0; i--) this.swap(i, below(i + 1));
      // counters of one place with the same markers are one to the viewer: which of them a frame means is not told
      let alike = 0;
      for (let i = 0; i < n; i++) {
        const u = unseen[i]!;
        if (below !== null || this.compare(i, alike) !== 0) alike = i;
        s[layout.place + u] = places[i]!;
        s[layout.flags + u] = flags[i]!;
        s[layout.extra + u] = extras[i]!;
        s[layout.work + u] = works[i]!;
        dealt[owners[i]!] = unseen[alike]!;
      }
    }
    this.dealBoxes(s, viewer, below);
    if (!moved) return;
    this.restack(s);
    this.rename(s);
  }

  /** Which of the units that are in boxes is in which: the backs of counters in boxes are not seen. Ruling R9. */
  private dealBoxes(s: State, viewer: number, below: ((n: number) => number) | null): void {
    const { boxed, boxes, tables } = this;
    const { layout, roster } = tables;
    if (!tables.river.any) return;
    for (let side = GERMAN; side <= SOVIET; side++) {
      if (side === viewer) continue;
      let n = 0;
      for (let u = roster.first(side); u < roster.end(side); u++) {
        const place = s[layout.place + u]!;
        if (!isBox(place)) continue;
        boxed[n] = u;
        let i = n++;
        for (; i > 0 && boxes[i - 1]! > place; i--) boxes[i] = boxes[i - 1]!;
        boxes[i] = place;
      }
      if (below !== null) for (let i = n - 1; i > 0; i--) exchange(boxes, i, below(i + 1));
      for (let i = 0; i < n; i++) s[layout.place + boxed[i]!] = boxes[i]!;
    }
  }

  private compare(i: number, j: number): number {
    const { places, flags, extras, works } = this;
    return places[i]! - places[j]! || flags[i]! - flags[j]! || extras[i]! - extras[j]! || works[i]! - works[j]!;
  }

  private sort(n: number): void {
    const { places } = this;
    for (let i = 1; i < n; i++)
      for (let j = i; j > 0 && places[j - 1]! >= places[j]! && this.compare(j - 1, j) > 0; j--) this.swap(j, j - 1);
  }

  private swap(i: number, j: number): void {
    exchange(this.places, i, j);
    exchange(this.flags, i, j);
    exchange(this.extras, i, j);
    exchange(this.works, i, j);
    exchange(this.owners, i, j);
  }

  /** Makes the stacks of all hexes anew, each in slot order. */
  private restack(s: State): void {
    const { layout, hexes, units } = this.tables;
    s.fill(0, layout.top, layout.top + hexes);
    for (let u = units - 1; u >= 0; u--) {
      const hex = s[layout.place + u]!;
      s[layout.next + u] = 0;
      if (hex < 0) continue;
      s[layout.next + u] = s[layout.top + hex]!;
      s[layout.top + hex] = u + 1;
    }
  }

  /** Frames name the slots that their counters were dealt to. */
  private rename(s: State): void {
    const { layout } = this.tables;
    for (let i = 0; i < s[layout.depth]!; i++) {
      const frame = layout.frames + i * FRAME_WORDS;
      if (s[frame + F_UNIT] !== 0) s[frame + F_UNIT] = this.dealt[s[frame + F_UNIT]! - 1]! + 1;
      const ask = s[frame + F_ASK];
      if ((ask === ASK_AFTER_UNIT || ask === ASK_AFTER_HEX) && s[frame + F_NEED] !== 0)
        s[frame + F_NEED] = this.dealt[s[frame + F_NEED]! - 1]! + 1;
    }
  }
}

/** Does a counter there show no face of its own? */
const liesDown = (place: number): boolean => place >= POOL || isBox(place);

function exchange(list: Int32Array, i: number, j: number): void {
  const x = list[i]!;
  list[i] = list[j]!;
  list[j] = x;
}
