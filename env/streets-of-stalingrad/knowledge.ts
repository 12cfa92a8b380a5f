import { EVERYTHING } from "../core/game.js";
import { RNG_WORDS, type State, type StateView } from "../core/layout.js";
import {
  ASIDE,
  ATTACKER,
  boxOf,
  boxPlace,
  DEF_FIRED,
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
  ORDERED,
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
  FRIENDLY_MINE,
  FROM_BITS,
  GROUP,
  isBox,
  KNOWN,
  PINNED,
  POOL,
  RESERVE,
  RETREATED,
  SHOWN,
  STAGE_SETUP,
  STACK_MARKERS,
  TASK_BITS,
  THEN,
  UNPINNED,
  UNTOLD,
  WALK,
} from "./layout.js";
import { decisionOfKind } from "./decisions/index.js";
import { EAST_BOXES } from "./map/river.js";
import { GERMAN, SOVIET } from "./roster.js";
import { holdsBattery } from "./rules/artillery/east-bank.js";
import { isAside, isExpected } from "./rules/units/arrivals.js";
import { BOXES } from "./schema.js";
import { missionAt, missionSide } from "./rules/artillery/missions.js";
import { hideChoices } from "./rules/combat/open-choices.js";
import { isHeldByGermans } from "./victory.js";
import { actorOf, askOf, dropPath, enemyOf, firstIn, has, nextIn, placeOf, put } from "./state.js";
import type { Tables } from "./state.js";

/** The lowest place of a unit, that of the last box. */
const LOWEST = boxPlace(BOXES.length - 1);
/** The bits of a slot's number. */
const ORDER_BITS = 12;
const ORDER = (1 << ORDER_BITS) - 1;
const KNOWN_BIT = Math.log2(KNOWN);
const ASIDE_BIT = Math.log2(ASIDE);

const isAfter = (ask: number): boolean => ask === ASK_AFTER_CHOICE || ask === ASK_AFTER_UNIT || ask === ASK_AFTER_HEX;

/**
 * What one side knows of a state. A counter that is face down is a place with its markers and its back; which of the
 * unseen units with that back it is, only its owner knows. A spectator (-1) knows what both sides know.
 *
 * One object serves one thread: it keeps scratch space.
 */
export class Knowledge {
  /**
   * Slots by side and back, ascending, of counters that can be face down on the map; spare slots are not among them.
   */
  readonly byBack: readonly Int32Array[];
  /** The unseen units of one back, and the counters that they are: place, flags, extra, work, and their order. */
  private readonly unseen: Int32Array;
  private readonly places: Int32Array;
  private readonly flags: Int32Array;
  private readonly extras: Int32Array;
  private readonly works: Int32Array;
  private readonly order: Int32Array;
  /** Unseen units that are, or were lost, in boxes, and places for them. */
  private readonly boxed: Int32Array;
  private readonly boxes: Int32Array;
  private readonly others: Int32Array;
  /** Of the units lost in boxes, then by box: the number of unseen units, and whether a battery is seen. */
  private readonly counts: Int32Array;
  private readonly seenBattery: Uint8Array;
  /** The slots of the guns whose batteries a box can have. */
  private readonly batteries: Int32Array;
  /** By box of the East Bank: 1 if it has a battery, which is public. Rule: SOS 14.54 */
  private readonly armed: Uint8Array;
  /** The slot that a slot's counter is dealt to, or one like it; itself where nothing is hidden. */
  readonly dealt: Int32Array;
  /** Each slot's own number. */
  private readonly slots: Int32Array;
  /** By place, from the lowest on, 1: no counter there shows its face. */
  private readonly lies: Uint8Array;
  /** By slot, 1: unseen, as of `noteUnseen`; the slots that are, ascending, and how many. */
  private readonly hidden: Uint8Array;
  readonly list: Int32Array;
  private listed = 0;
  /** Units of others on the map with markers of stacks, as of `hideSecrets`, and how many. */
  private readonly marked: Int32Array;
  private markers = 0;
  /** By slot, its row of `byBack`, or the one behind the last; then the unseen slots, row by row. */
  private readonly rowOf: Int32Array;
  private readonly byRow: Int32Array;
  /** Where each row begins in `byRow`. */
  private readonly starts: Int32Array;

  constructor(private readonly tables: Tables) {
    const { roster } = tables;
    const groups = new Map<number, number[]>();
    roster.counters.forEach(({ side }, u) => {
      if (roster.spare[u] === 1 || roster.open[u] === 1) return;
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
    this.order = new Int32Array(most);
    this.boxed = new Int32Array(tables.units);
    this.boxes = new Int32Array(tables.units);
    this.others = new Int32Array(tables.units);
    this.batteries = Int32Array.from(roster.guns.filter((gun) => roster.battery[gun] === 1));
    this.armed = new Uint8Array(EAST_BOXES);
    this.counts = new Int32Array(BOXES.length + 1);
    this.seenBattery = new Uint8Array(BOXES.length + 1);
    this.dealt = new Int32Array(tables.units);
    this.slots = Int32Array.from({ length: tables.units }, (_, u) => u);
    this.lies = Uint8Array.from({ length: tables.hexes - LOWEST }, (_, i) => Number(liesDown(i + LOWEST)));
    this.hidden = new Uint8Array(tables.units);
    this.list = new Int32Array(tables.units + 1);
    this.marked = new Int32Array(tables.units);
    this.rowOf = new Int32Array(tables.units).fill(this.byBack.length);
    this.byBack.forEach((slots, row) => slots.forEach((u) => (this.rowOf[u] = row)));
    this.byRow = new Int32Array(tables.units);
    this.starts = new Int32Array(this.byBack.length + 2);
  }

  /**
   * True when a unit's counter is face down, in a box, lost there or in the pool for a viewer, who can't tell it from
   * others with its back. Of those in a box the other side knows but the number. Ruling R9.
   */
  isUnseen(s: StateView, unit: number, viewer: number): boolean {
    return (
      this.tables.roster.side[unit] !== viewer &&
      liesDown(placeOf(this.tables, s, unit)) &&
      !has(this.tables, s, unit, KNOWN) &&
      !isExpected(this.tables, s, unit) &&
      !isAside(this.tables, s, unit)
    );
  }

  /**
   * Lists all units of which `isUnseen` is true. It has no branches but one: on a thousand units in many places the
   * processor can't predict them, which costs more than the work.
   *
   * @returns how many; `list` begins with their slots, ascending
   */
  noteUnseen(s: StateView, viewer: number): number {
    const { hidden, lies, list, tables } = this;
    const { flags, place, work } = tables.layout;
    const { turn } = tables.setting.arrivals;
    let n = 0;
    for (let side = GERMAN; side <= SOVIET; side++) {
      const end = tables.roster.end(side);
      if (side === viewer) hidden.fill(0, tables.roster.first(side), end);
      else
        for (let u = tables.roster.first(side); u < end; u++) {
          const at = s[place + u]!;
          let down = lies[at - LOWEST]! & ~(s[flags + u]! >>> KNOWN_BIT) & ~(s[work + u]! >>> ASIDE_BIT);
          if (at === POOL && turn[u] !== 0) down = 0;
          hidden[u] = down;
          list[n] = u;
          n += down;
        }
    }
    this.listed = n;
    return n;
  }

  /**
   * Writes the state as a viewer knows it. Unseen units are dealt to the counters in one fixed way: among units with
   * one back in ascending order of hex, those of the boxes in ascending order. They have no KNOWN. What the other side
   * is just picking is taken back.
   */
  redact(s: StateView, viewer: number, out: State): void {
    out.set(s);
    out.fill(0, 0, RNG_WORDS);
    if (viewer === EVERYTHING) return;
    const { tables } = this;
    this.takeBack(out, viewer);
    this.dealUnseen(out, viewer, null);
    out[tables.layout.toldHolders] = 1;
    const setsUp = s[tables.layout.stage] === STAGE_SETUP;
    for (const h of tables.valued)
      if (isHeldByGermans(tables, setsUp ? out : s, h)) out[tables.layout.hexState + h]! |= HELD;
  }

  /** Takes back what a side has picked and not yet shown, up to its last public decision. Spec 4.1. */
  takeBack(s: State, viewer: number): void {
    const { tables } = this;
    const { layout } = tables;
    if (s[layout.stage] === STAGE_SETUP) this.hideSetUp(s, viewer);
    this.noteUnseen(s, viewer);
    for (let i = 0; i < s[layout.depth]!; i++) {
      const frame = layout.frames + i * FRAME_WORDS;
      // which of the face-down counters went after the first is secret
      if (isAfter(s[frame + F_ASK]!) && s[frame + F_ACTOR] !== viewer) s.fill(0, frame + F_THEN, frame + F_THEN + THEN);
      if (s[frame + F_ASK] !== WALK) continue;
      if (s[frame + F_ACTOR] !== viewer) dropPath(tables, s); // where the walk leads
      if (enemyOf(s[frame + F_ACTOR]!) !== viewer) s[frame + F_HOLD] = 0;
      if (this.hidesGroup(s, viewer)) s[frame + F_MP] = 0; // what a step cost tells foot from vehicles
    }
    for (let side = GERMAN; side <= SOVIET; side++) if (side !== viewer) s[layout.commandSince + side] = 0; // he may be face down
    this.markers = 0;
    for (let side = GERMAN; side <= SOVIET; side++) if (side !== viewer) this.hideSecrets(s, side);
    // a minefield of others ends every move; that friends guard it reveals it
    for (const mine of tables.roster.mines)
      if (tables.roster.side[mine] !== viewer && s[layout.place + mine]! >= 0)
        s[layout.hexState + s[layout.place + mine]!]! &= ~FRIENDLY_MINE;
    this.spreadMarkers(s);
    this.hideMissions(s, viewer);
    while (s[layout.depth] !== 0 && actorOf(tables, s) !== viewer)
      if (decisionOfKind(askOf(tables, s)).hides?.(tables, s) !== true) return;
  }

  /**
   * Units go one by one in slot order to where they are set up, so nobody else sees any of it before all of a side are.
   */
  private hideSetUp(s: State, viewer: number): void {
    const { layout, roster, zones } = this.tables;
    const side = actorOf(this.tables, s);
    if (side === viewer) return;
    for (let u = roster.first(side); u < roster.end(side); u++) {
      if (zones!.group[u]! < 0 || placeOf(this.tables, s, u) < 0) continue;
      put(this.tables, s, u, POOL);
      s[layout.flags + u] = 0;
    }
  }

  /**
   * A marker is on all face-down counters of a stack. It does not reveal a leader or fort among them, which it does not
   * affect.
   */
  private spreadMarkers(s: State): void {
    const { hidden, list, marked, tables } = this;
    const { flags, place } = tables.layout;
    const { side } = tables.roster;
    let seen = 0;
    for (let i = 0; i < this.markers; i++) {
      const u = marked[i]!;
      const markers = s[flags + u]! & STACK_MARKERS;
      seen |= markers;
      for (let v = firstIn(tables, s, s[place + u]!); v >= 0; v = nextIn(tables, s, v))
        if (side[v] === side[u] && hidden[v] === 1) s[flags + v]! |= markers;
    }
    if ((seen & UNPINNED) === 0) return;
    // where a pin is left on the stack, nobody saw another go
    for (let i = 0; i < this.listed; i++) if ((s[flags + list[i]!]! & PINNED) !== 0) s[flags + list[i]!]! &= ~UNPINNED;
  }

  /** True when a unit of the moving group is face down for a viewer. */
  hidesGroup(s: StateView, viewer: number): boolean {
    for (let u = 0; u < this.tables.units; u++)
      if (has(this.tables, s, u, GROUP) && this.isUnseen(s, u, viewer)) return true;
    return false;
  }

  /** Face-down leaders make reserves. The bank of an unseen vehicle reveals that it is a vehicle. */
  private hideSecrets(s: State, side: number): void {
    const { lies, tables } = this;
    const { extra, flags, missionCount, place, served, work } = tables.layout;
    const isFiring = s[missionCount] !== 0;
    const end = tables.roster.end(side);
    for (let u = tables.roster.first(side); u < end; u++) {
      const works = s[work + u]!;
      let marks = s[flags + u]! & ~(RETREATED | RESERVE);
      // who works is secret, and so is whose order that was; `hexState` has that somebody works. Ruling R109
      if ((works & TASK_BITS) !== 0) marks &= ~ORDERED;
      s[work + u] = works & (FROM_BITS | ASIDE);
      s[flags + u] = marks;
      const known = (marks & KNOWN) !== 0;
      const at = s[place + u]!;
      if (isBox(at)) {
        // a gun that fired is face up; which guns are pinned stays hidden. Rule: SOS 7.3, SOS 14.81, ruling R131
        s[flags + u] = known ? marks & (KNOWN | SHOWN | FIRED_AF | ATTACKER | DEF_FIRED) : 0;
        s[extra + u] = 0;
      } else if (((known ? 0 : 1) & lies[at - LOWEST]!) !== 0) {
        hideChoices(tables, s, u);
        s[flags + u]! &= ~(BEREFT | FIRED_AF | NO_MOVE | NO_MOVE_NEXT | NO_SPOT | NEW_PIN);
        s[extra + u]! &= ~((15 << BANK_SHIFT) | (15 << GUN_PHASE_SHIFT));
      }
      if ((s[flags + u]! & STACK_MARKERS) !== 0 && at >= 0) this.marked[this.markers++] = u;
      const word = s[served + u]!;
      if (word === 0) continue;
      // which gun fires in a bombardment, and who spots for it, is secret
      const isPublic = known && (s[flags + u]! & FIRED_AF) !== 0 && !isFiring;
      s[served + u] = isPublic ? (word & ~0x7ff) | (u + 1) : 0;
    }
  }

  /** Hex and points of the other side's missions are public; how they will be resolved is not. Ruling R24. */
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
   * @param below a random integer below n, for a random deal; null for the fixed order
   * @returns false when boxes have not got the batteries that everybody knows of
   */
  deal(s: State, viewer: number, below: ((n: number) => number) | null): boolean {
    this.noteUnseen(s, viewer);
    return this.dealUnseen(s, viewer, below);
  }

  private dealUnseen(s: State, viewer: number, below: ((n: number) => number) | null): boolean {
    const { tables, byRow, starts, unseen, places, flags, extras, works, order, dealt } = this;
    const { layout } = tables;
    dealt.set(this.slots);
    let moved = false;
    this.noteArmed(s);
    this.listByRow();
    for (let row = 0; row < this.byBack.length; row++) {
      let n = 0;
      for (let i = starts[row]!; i < starts[row + 1]!; i++) {
        const u = byRow[i]!;
        unseen[n] = u;
        places[n] = s[layout.place + u]!;
        flags[n] = s[layout.flags + u]!;
        extras[n] = s[layout.extra + u]!;
        works[n] = s[layout.work + u]!;
        n++;
      }
      if (n < 2) continue;
      moved = true;
      this.sort(n); // a deal at random may not depend on the truth either
      if (below !== null) shuffle(order, 0, n, below);
      // counters of one place with the same markers are equal to the viewer: which of them a frame means is secret
      let alike = 0;
      for (let i = 0; i < n; i++) {
        const u = unseen[i]!;
        const k = order[i]! & ORDER;
        if (below !== null || this.compare(k, order[alike]! & ORDER) !== 0) alike = i;
        s[layout.place + u] = places[k]!;
        s[layout.flags + u] = flags[k]!;
        s[layout.extra + u] = extras[k]!;
        s[layout.work + u] = works[k]!;
        dealt[unseen[k]!] = unseen[alike]!;
      }
    }
    const fits = this.dealBoxes(s, viewer, below);
    if (!moved) return fits;
    this.restack(s);
    this.rename(s);
    return fits;
  }

  /** Lists the unseen slots row by row, each row ascending. */
  private listByRow(): void {
    const { byRow, list, rowOf, starts } = this;
    starts.fill(0);
    for (let i = 0; i < this.listed; i++) starts[rowOf[list[i]!]! + 1]!++;
    for (let row = 1; row < starts.length; row++) starts[row]! += starts[row - 1]!;
    for (let i = this.listed - 1; i >= 0; i--) {
      const u = list[i]!;
      byRow[--starts[rowOf[u]! + 1]!] = u;
    }
    // filling from the ends has moved each row's end to its beginning
    starts.copyWithin(0, 1);
    starts[starts.length - 1] = this.listed;
  }

  private noteArmed(s: StateView): void {
    const { armed, batteries, tables } = this;
    if (!tables.river.any) return;
    armed.fill(0);
    for (let i = 0; i < batteries.length; i++) {
      const box = boxOf(s[tables.layout.place + batteries[i]!]!);
      if (box >= 0 && box < EAST_BOXES) armed[box] = 1;
    }
  }

  /**
   * True when batteries are wherever everybody knows of some, after a deal was mended. Who was lost in a box was one.
   */
  fitsBoxes(s: StateView): boolean {
    const { armed, tables } = this;
    if (!tables.river.any) return true;
    for (let box = 0; box < armed.length; box++) if (holdsBattery(tables, s, box) !== (armed[box] === 1)) return false;
    for (let u = 0; u < tables.units; u++)
      if (placeOf(tables, s, u) === UNTOLD && tables.roster.battery[u] === 0) return false;
    return true;
  }

  /** True when boxes still fit after a battery and another unit have changed places. */
  mayTrade(s: StateView, battery: number, other: number): boolean {
    const { armed, tables } = this;
    const from = placeOf(tables, s, battery);
    const to = placeOf(tables, s, other);
    const isEast = (place: number): boolean => isBox(place) && boxOf(place) < EAST_BOXES;
    if (isBoxed(to) && !(isEast(to) && armed[boxOf(to)] === 1)) return false;
    return !isBoxed(from) || (isEast(from) && this.hasOther(s, battery));
  }

  /** True when there is another battery where a battery is. */
  private hasOther(s: StateView, battery: number): boolean {
    const { roster } = this.tables;
    const place = placeOf(this.tables, s, battery);
    return roster.guns.some((g) => g !== battery && roster.battery[g] === 1 && placeOf(this.tables, s, g) === place);
  }

  /**
   * Which of the units that are, or were lost, in boxes is in which: the backs of counters in boxes are not seen.
   * Rulings R9, R25
   *
   * @returns false when there are too few or too many batteries among them
   */
  private dealBoxes(s: State, viewer: number, below: ((n: number) => number) | null): boolean {
    if (!this.tables.river.any) return true;
    let fits = true;
    for (let side = GERMAN; side <= SOVIET; side++)
      if (side !== viewer && !this.dealBoxesOf(s, side, viewer, below)) fits = false;
    return fits;
  }

  private dealBoxesOf(s: State, side: number, viewer: number, below: ((n: number) => number) | null): boolean {
    const { batteries, boxed, boxes, counts, hidden, list, others, seenBattery, tables } = this;
    const { layout, roster } = tables;
    counts.fill(0);
    seenBattery.fill(0);
    let guns = 0;
    let rest = 0;
    for (let i = 0; i < batteries.length; i++) {
      const gun = batteries[i]!;
      const place = s[layout.place + gun]!;
      if (isBoxed(place) && roster.side[gun] === side && hidden[gun] === 0) seenBattery[UNTOLD - place] = 1;
    }
    for (let i = 0; i < this.listed; i++) {
      const u = list[i]!;
      const place = s[layout.place + u]!;
      if (!isBoxed(place) || roster.side[u] !== side) continue;
      counts[UNTOLD - place]!++;
      if (roster.battery[u] === 1) boxed[guns++] = u;
      else others[rest++] = u;
    }
    const n = guns + rest;
    if (n === 0) return true;
    const must = this.listPlaces(side, 0, MUST);
    const may = this.listPlaces(side, must, MAY);
    this.listPlaces(side, may, MUST_NOT);
    // too many or too few of them were dealt to the boxes by their backs: some change places with others on the map
    for (let i = guns - 1; i >= 0 && guns > may; i--)
      if (this.changePlaces(s, boxed, i, viewer, below)) {
        others[rest++] = boxed[i]!;
        boxed[i] = boxed[--guns]!;
      }
    for (let i = rest - 1; i >= 0 && guns < must; i--)
      if (this.changePlaces(s, others, i, viewer, below)) {
        boxed[guns++] = others[i]!;
        others[i] = others[--rest]!;
      }
    for (let i = 0; i < rest; i++) boxed[guns + i] = others[i]!;
    if (below !== null) {
      shuffle(boxed, 0, guns, below);
      shuffle(boxed, guns, n, below);
      shuffle(boxes, must, may, below);
    }
    for (let i = 0; i < n; i++) s[layout.place + boxed[i]!] = boxes[i]!;
    return guns >= must && guns <= may;
  }

  /**
   * A unit of a list, which is in a box, and one with its back that is not become each other: of a battery and another
   * unit.
   *
   * @returns false when there is none
   */
  private changePlaces(
    s: State,
    list: Int32Array,
    i: number,
    viewer: number,
    below: ((n: number) => number) | null,
  ): boolean {
    const { dealt, tables } = this;
    const { layout, roster } = tables;
    const unit = list[i]!;
    if (roster.open[unit] === 1) return false;
    const first = roster.first(roster.side[unit]!);
    const n = roster.end(roster.side[unit]!) - first;
    const from = below === null ? 0 : below(n);
    for (let k = 0; k < n; k++) {
      const u = first + ((from + k) % n);
      if (
        roster.tag[u] !== roster.tag[unit] ||
        roster.spare[u] === 1 ||
        roster.open[u] === 1 ||
        roster.battery[u] === roster.battery[unit]
      )
        continue;
      if (isBoxed(s[layout.place + u]!) || !this.isUnseen(s, u, viewer)) continue;
      exchange(s, layout.place + u, layout.place + unit);
      exchange(s, layout.flags + u, layout.flags + unit);
      exchange(s, layout.extra + u, layout.extra + unit);
      exchange(s, layout.work + u, layout.work + unit);
      for (let v = 0; v < tables.units; v++)
        if (dealt[v] === u) dealt[v] = unit;
        else if (dealt[v] === unit) dealt[v] = u;
      list[i] = u;
      return true;
    }
    return false;
  }

  /** Lists places of unseen units in boxes that take a battery, any unit or none. @returns how many are listed now */
  private listPlaces(side: number, at: number, which: number): number {
    const { armed, boxes, counts, seenBattery } = this;
    let n = at;
    for (let k = 0; k < counts.length; k++) {
      const east = side === SOVIET && k > 0 && k <= EAST_BOXES;
      for (let i = 0; i < counts[k]!; i++) {
        const must = k === 0 || (east && armed[k - 1] === 1 && seenBattery[k] === 0 && i === 0);
        const kind = must ? MUST : east && armed[k - 1] === 0 ? MUST_NOT : MAY;
        if (kind === which) boxes[n++] = UNTOLD - k;
      }
    }
    return n;
  }

  private compare(i: number, j: number): number {
    const { places, flags, extras, works } = this;
    return places[i]! - places[j]! || flags[i]! - flags[j]! || extras[i]! - extras[j]! || works[i]! - works[j]!;
  }

  /** Sorts `order` by place, then by what `compare` says; equal ones stay in order of slots. */
  private sort(n: number): void {
    const { order, places } = this;
    for (let i = 0; i < n; i++) {
      const key = ((places[i]! - LOWEST) << ORDER_BITS) | i;
      let j = i;
      for (; j > 0 && order[j - 1]! > key; j--) order[j] = order[j - 1]!;
      order[j] = key;
    }
    for (let i = 1; i < n; i++)
      for (let j = i; j > 0 && order[j - 1]! >> ORDER_BITS === order[j]! >> ORDER_BITS; j--) {
        if (this.compare(order[j - 1]! & ORDER, order[j]! & ORDER) <= 0) break;
        exchange(order, j, j - 1);
      }
  }

  /** Rebuilds the stacks of all hexes, each in slot order. */
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

/** True when no counter there shows its face. */
const liesDown = (place: number): boolean => place >= POOL || isBoxed(place);
/** True when a unit is in a box, or was lost there. */
export const isBoxed = (place: number): boolean => isBox(place) || place === UNTOLD;

/** What a place in a box takes: a battery, any unit, no battery. */
const MUST = 0;
const MAY = 1;
const MUST_NOT = 2;

function shuffle(list: Int32Array, from: number, to: number, below: (n: number) => number): void {
  for (let i = to - 1; i > from; i--) exchange(list, i, from + below(i - from + 1));
}

function exchange(list: Int32Array, i: number, j: number): void {
  const x = list[i]!;
  list[i] = list[j]!;
  list[j] = x;
}
