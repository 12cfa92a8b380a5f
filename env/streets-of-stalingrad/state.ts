import { InvariantError, KesselError } from "../core/errors.js";
import type { Options } from "../core/game.js";
import type { ActionSpace } from "../core/decision.js";
import type { NameOf } from "../core/dice/dice.js";
import type { State, StateView } from "../core/layout.js";
import { type Ranges, spaceFor } from "./actions.js";
import type { Board } from "./map/board.js";
import type { River } from "./map/river.js";
import { Watch } from "./map/watch.js";
import { SANDBOX, type Setting } from "./data.js";
import * as words from "./layout.js";
import {
  ANNOUNCED_SHIFT,
  DEAD,
  F_ACTOR,
  F_ASK,
  F_HEX,
  F_UNIT,
  FRAME_WORDS,
  FRAMES,
  FROM_BITS,
  FROM_SHIFT,
  ISOLATED,
  MARK_BITS,
  ORDERED,
  PATH,
  PICKS,
  PIN_HELD,
  RAIL_COST,
  RAIL_PATH,
  RESTS,
  SITE_BITS,
  SITE_LEFT_SHIFT,
  SITE_SHIFT,
  TASK_BITS,
  TASK_SIDE_BITS,
  TASK_SIDE_SHIFT,
  UNTOLD,
  ZONE_SHIFT,
  type HexId,
  type L,
  type UnitId,
} from "./layout.js";
import { GERMAN, type Roster, SOVIET } from "./roster.js";
import { Spots } from "./map/spots.js";
import { Stirred } from "./map/stirred.js";
import { Fronts } from "./map/fronts.js";
import { LAST_TURN } from "./schema.js";
import type { Charts } from "./charts.js";

/** What rules work with beside the state: ground, counters, charts, the layout that fits them, scratch space. */
export class Tables {
  /** Units to report after the step that made them like others (rules/units/hidden.ts); empty without a narrator. */
  readonly mixed: number[] = [];
  /**
   * Sites at which engineers have stopped, as they were before the action; empty when nobody listens
   * (rules/units/tasks.ts).
   */
  readonly stopped: { readonly side: number; readonly hex: number; readonly task: number; readonly left: number }[] =
    [];
  readonly board: Board;
  readonly roster: Roster;
  readonly charts: Charts;
  readonly layout: L;
  /** Hexes of the longest walk. */
  readonly longest: number;
  /** By hex and side: 1 where a railroad goes on in the next hex; empty in a game without trains. Rule: SOS 16.61 */
  readonly rails: Uint8Array;
  /** Most missions of a bombardment phase. */
  readonly missions: number;
  readonly hexes: number;
  readonly units: number;
  readonly space: ActionSpace<Ranges>;
  /** A decision with one legal action is played by the engine. */
  readonly autoSingle: boolean;
  /** The engine names who spots for a gun. Ruling R23. */
  readonly autoSpot: boolean;
  readonly opportunityFire: boolean;
  readonly hidden: boolean;
  /** All flak in range fires at Stukas, nobody is asked. Ruling R49. */
  readonly autoAa: boolean;
  readonly graded: boolean;
  /** True when zones of control on Volga hexes stop units that cross. Ruling R128. */
  readonly riverZones: boolean;
  /** True when the flotilla comes in German attack phases. Ruling R105. */
  readonly flotillaDefends: boolean;
  /** German points that each level of victory takes; null where a position names none. Rule: SOS 3.3 */
  readonly levels: Setting["levels"];
  /** Turns that the option of that name leaves, 0 all. */
  readonly maxTurns: number;
  /** The scenario's first turn; 1 where a position brings its own. */
  readonly firstTurn: number;
  /** Last turn where a position names none. */
  readonly lastTurn: number;
  /** Points by hex, and the hexes that give any. */
  readonly points: Int8Array;
  readonly valued: readonly number[];
  readonly river: River;
  /** Words of `traceSupply` (rules/units/supply.ts), by hex, and the hexes that it found in their order. */
  readonly supply: Uint8Array;
  readonly supplyQueue: Int32Array;
  /** True when the rules of the Administrative Phase are played. */
  readonly administers: boolean;
  /** True when sides throw for their ammunition. Rule: SOS 14.71 */
  readonly ammunition: boolean;
  /** True when a side without the leader of its army suffers. Rule: SOS 18.51, SOS 18.53 */
  readonly armyLeaders: boolean;
  /** Where both sides set up by hand before the first turn; null: all begin where they are ready. Ruling R3. */
  readonly zones: Setting["zones"];
  /** Who may build and remove, by side; nobody in a game without. */
  readonly engineers: readonly (readonly number[])[];
  /** By hex, for `reach`: `STOPS_HERE`, `PASSES` (rules/units/mines.ts) or 0; and whether any minefield is in play. */
  readonly mined: Uint8Array;
  mines = 0;
  /** Bridge counters on the map, as `reach` found them. */
  bridges = 0;
  /** By hex, for `reach`: 1 where one of those minefields or bridges is. */
  readonly works: Uint8Array;
  /** Stukas that come when the scenario's second turn begins; below 0: they leave. */
  readonly moreStukas: number;
  /** AF of a Stuka. Ruling R48. */
  readonly stukaAf: number;
  /** Words of `reach` (rules/movement/reach.ts), by hex, then the banks of the hexes that vehicles can't cross. */
  readonly cost: Int32Array;
  readonly otherCost: Int32Array;
  readonly steps: Int32Array;
  readonly from: Int32Array;
  /** The node (`Banks`) by which the last reach came to a hex. */
  readonly bestNode: Int32Array;
  /** Hexes reached, in order of their cost. */
  readonly reached: Int32Array;
  /** Lists of hexes by cost, for `reach`. */
  readonly bucket: Int32Array;
  readonly inBucket: Int32Array;
  /** For `reach`, by hex: 1 where an enemy zone of control is known; 1 where enemies close the hex. */
  readonly zocSeen: Uint8Array;
  readonly closed: Uint8Array;
  /** How far hexes are from both sides, for the rules of deployment. */
  readonly fronts: Fronts;
  /** What a side could spot for its guns. */
  readonly spots: Spots;
  /** Who has stirred since the latest `lookRound`. */
  readonly stirred = new Stirred();
  /** What Soviet units see. */
  readonly watch: Watch;
  /** Legal actions of the decision that play came to last, and how many; 0: none are known, `mask` is scratch space. */
  readonly found: { readonly mask: Uint8Array; count: number };
  /** Modifiers of the roll that is made up. */
  readonly drms = new Int32Array(words.DRMS.length);
  /** Batteries of a box among whom is drawn who is hit, in slot order, and how many. Rule: SOS 14.81 */
  readonly victims: { readonly list: Int16Array; count: number };
  /** Lost units of a side that can come back by exchange, and how many. Rule: SOS 20.1 */
  readonly lost: { readonly list: Int16Array; count: number };
  readonly nameVictim: NameOf = (_s, i) => this.roster.counters[this.victims.list[i]!]!.id;
  /** What the latest event cost: units, where, what a sniper who fired adds. */
  readonly losses = { units: 0, hex: -1, sniper: 0 };

  constructor(
    readonly setting: Setting,
    readonly options: Options,
  ) {
    this.board = setting.board;
    this.roster = setting.roster;
    this.charts = setting.charts;
    this.river = setting.river;
    this.hexes = this.board.size;
    this.units = this.roster.size;
    const { available = 0, used = 0 } = (setting.start["stukas"] ?? {}) as { available?: number; used?: number };
    const { first = 0, later = 0 } = setting.book?.stukas ?? {};
    this.moreStukas = typeof later === "number" ? later - first : 0;
    // each needs a gun or a Stuka
    this.missions =
      this.roster.guns.length + Math.max(available + used + Math.max(0, this.moreStukas), setting.stukaBase - 1);
    this.administers = setting.administration;
    const chosen = (name: "ammunition" | "armyLeaders"): boolean =>
      this.administers && (options[name] === "scenario" ? setting.own[name] : options[name] === true);
    this.ammunition = chosen("ammunition");
    this.armyLeaders = chosen("armyLeaders");
    this.space = spaceFor(this.hexes, this.units);
    this.longest = this.roster.hasTrains ? RAIL_PATH : PATH;
    this.rails = new Uint8Array(this.roster.hasTrains ? this.hexes * 6 : 0).map((_, i) =>
      this.board.joined((i / 6) | 0, i % 6, "rail") ? 1 : 0,
    );
    this.layout = words.makeLayout(this.hexes, this.units, this.missions, this.roster.regiments.length, this.longest);
    this.autoSingle = options["autoSingle"] === true;
    this.autoSpot = options["autoSpot"] === true;
    this.opportunityFire = options["opFire"] === true;
    this.autoAa = options["autoAa"] === true;
    this.hidden = options["hiddenUnits"] === true;
    this.graded = options["graded"] === true;
    this.riverZones = options["riverZones"] === true;
    this.flotillaDefends = options["flotillaDefends"] === true;
    this.levels = (options["levels"] === "even" ? setting.evenLevels : null) ?? setting.levels;
    this.maxTurns = Number(options["maxTurns"]);
    this.firstTurn = setting.scenario === SANDBOX ? 1 : Number(setting.start["turn"] ?? 1);
    this.lastTurn = setting.scenario === SANDBOX ? LAST_TURN : setting.lastTurn;
    this.zones = options["setup"] === "free" ? setting.zones : null;
    if (options["setup"] === "free" && this.zones === null)
      throw new KesselError("bad-option", `setup is fixed, not free: ${setting.scenario} has no zones to set up in`);
    this.points = setting.points;
    this.valued = [...setting.points.keys()].filter((h) => setting.points[h] !== 0);
    const { nodes } = this.board.banks;
    this.cost = new Int32Array(nodes);
    this.otherCost = new Int32Array(nodes);
    this.steps = new Int32Array(nodes);
    this.from = new Int32Array(nodes);
    this.bestNode = new Int32Array(this.hexes);
    this.reached = new Int32Array(nodes);
    this.bucket = new Int32Array((this.roster.hasTrains ? RAIL_COST * RAIL_PATH : PATH) + 1);
    this.inBucket = new Int32Array(nodes);
    this.found = { mask: new Uint8Array(this.space.size), count: 0 };
    this.victims = { list: new Int16Array(this.units), count: 0 };
    this.lost = { list: new Int16Array(this.units), count: 0 };
    this.supply = new Uint8Array(this.hexes);
    this.supplyQueue = new Int32Array(this.hexes);
    this.zocSeen = new Uint8Array(this.hexes);
    this.closed = new Uint8Array(this.hexes);
    this.spots = new Spots(this.hexes, this.units);
    this.fronts = new Fronts(this.board, this.roster);
    this.watch = new Watch(this.board.sight.seen, this.units);
    this.stukaAf = setting.stukaAf;
    this.mined = new Uint8Array(this.hexes);
    this.works = new Uint8Array(this.hexes);
    const { engineers, side } = this.roster;
    this.engineers = [GERMAN, SOVIET].map((by) => engineers.filter((u) => setting.works && side[u] === by));
  }
}

export const enemyOf = (side: number): number => (side === GERMAN ? SOVIET : GERMAN);

/** The box that a target is, below 0 for a hex: boxes come after the hexes. */
export const boxAt = ({ hexes }: Tables, target: number): number => target - hexes;

/** The side whose phase it is; phases 1 and 2 count as German. Rule: SOS 4.3 */
export const phasingSide = (tables: Tables, s: StateView): number => {
  const phase = s[tables.layout.phase]!;
  return phase === 4 || phase >= 12 || phase === 10 ? SOVIET : GERMAN;
};
/** The side that placed the attack markers on the map. Rule: SOS 9.115 */
export const markingSide = (tables: Tables, s: StateView): number => (s[tables.layout.phase]! <= 8 ? GERMAN : SOVIET);

export const isOver = (tables: Tables, s: StateView): boolean => s[tables.layout.over] === 1;

/** The hex of a unit, or its place off the map. */
export const placeOf = (tables: Tables, s: StateView, unit: number): HexId => s[tables.layout.place + unit]! as HexId;
/** The first unit in a hex in slot order, -1 none, as off the map and in boxes; `nextIn` gives the one behind it. */
export const firstIn = (tables: Tables, s: StateView, hex: number): UnitId =>
  (hex < 0 ? -1 : s[tables.layout.top + hex]! - 1) as UnitId;
export const nextIn = (tables: Tables, s: StateView, unit: number): UnitId =>
  (s[tables.layout.next + unit]! - 1) as UnitId;

/**
 * True when a unit is the first of its side in its hex. Loops over units that ask about hexes use it to ask once about
 * each hex.
 */
export function isFirstOf(tables: Tables, s: StateView, unit: number, hex: number): boolean {
  const { side } = tables.roster;
  let first = firstIn(tables, s, hex);
  while (first >= 0 && side[first] !== side[unit]) first = nextIn(tables, s, first);
  return first === unit;
}

export const has = (tables: Tables, s: StateView, unit: number, bits: number): boolean =>
  (s[tables.layout.flags + unit]! & bits) !== 0;
export const give = (tables: Tables, s: State, unit: number, bits: number): void => {
  s[tables.layout.flags + unit]! |= bits;
};
export const take = (tables: Tables, s: State, unit: number, bits: number): void => {
  s[tables.layout.flags + unit]! &= ~bits;
};
/** A unit's order of the stage is given, so where it began the phase bears on nothing any more. */
export const order = (tables: Tables, s: State, unit: number): void => {
  give(tables, s, unit, ORDERED);
  setExtra(tables, s, unit, ZONE_SHIFT, 0);
};
/** Takes flags from every unit. */
export function takeAll(tables: Tables, s: State, bits: number): void {
  const { flags } = tables.layout;
  for (let u = flags; u < flags + tables.units; u++) s[u]! &= ~bits;
}
/** True when there is a unit with one of these flags. */
export function anyHas(tables: Tables, s: StateView, bits: number): boolean {
  const { flags } = tables.layout;
  for (let u = flags; u < flags + tables.units; u++) if ((s[u]! & bits) !== 0) return true;
  return false;
}

/** A field of four bits in `extra` of a unit. */
export const extraOf = (tables: Tables, s: StateView, unit: number, shift: number): number =>
  (s[tables.layout.extra + unit]! >> shift) & 15;
export const setExtra = (tables: Tables, s: State, unit: number, shift: number, value: number): void => {
  const at = tables.layout.extra + unit;
  s[at] = (s[at]! & ~(15 << shift)) | (value << shift);
};

/** The box that a unit on a Volga hex came from, below 0: none. */
export const originOf = (tables: Tables, s: StateView, unit: number): number =>
  ((s[tables.layout.work + unit]! & FROM_BITS) >> FROM_SHIFT) - 1;
export const setOrigin = (tables: Tables, s: State, unit: number, box: number): void => {
  const at = tables.layout.work + unit;
  s[at] = (s[at]! & ~FROM_BITS) | ((box + 1) << FROM_SHIFT);
};

/** What a side's engineers do at a hex (`TASKS`, from 1 on; 0 nothing), and for how many phases more. Ruling R109. */
export const siteOf = (tables: Tables, s: StateView, side: number, hex: number): number =>
  (s[tables.layout.hexState + hex]! >> SITE_SHIFT[side as 0 | 1]) & TASK_BITS;
export const phasesLeft = (tables: Tables, s: StateView, side: number, hex: number): number =>
  ((s[tables.layout.hexState + hex]! >> SITE_SHIFT[side as 0 | 1]) & SITE_BITS) >> SITE_LEFT_SHIFT;
export const setSite = (tables: Tables, s: State, side: number, hex: number, task: number, left: number): void => {
  const at = tables.layout.hexState + hex;
  const shift = SITE_SHIFT[side as 0 | 1];
  s[at] = (s[at]! & ~(SITE_BITS << shift)) | ((task | (left << SITE_LEFT_SHIFT)) << shift);
};
/** What a unit does as an engineer, 0 nothing; one that rests after it does nothing. */
export function taskOf(tables: Tables, s: StateView, unit: number): number {
  const task = s[tables.layout.work + unit]! & TASK_BITS;
  return task === RESTS ? 0 : task;
}
/** The hex of the counter that a unit with a task works at. */
export function taskHex(tables: Tables, s: StateView, unit: number): HexId {
  const side = ((s[tables.layout.work + unit]! & TASK_SIDE_BITS) >> TASK_SIDE_SHIFT) - 1;
  const hex = placeOf(tables, s, unit);
  return side < 0 ? hex : (tables.board.neighbours[hex * 6 + side]! as HexId);
}

export const markOf = (tables: Tables, s: StateView, hex: number): number =>
  s[tables.layout.hexState + hex]! & MARK_BITS;
export const setMark = (tables: Tables, s: State, hex: number, mark: number): void => {
  const at = tables.layout.hexState + hex;
  s[at] = (s[at]! & ~MARK_BITS) | mark;
};
/** What the owner announced about the stack in a hex. Ruling R7. */
export const announcedOf = (tables: Tables, s: StateView, hex: number): number =>
  (s[tables.layout.hexState + hex]! >> ANNOUNCED_SHIFT) & 3;
export const setAnnounced = (tables: Tables, s: State, hex: number, value: number): void => {
  const at = tables.layout.hexState + hex;
  s[at] = (s[at]! & ~(3 << ANNOUNCED_SHIFT)) | (value << ANNOUNCED_SHIFT);
};

/** Puts a unit somewhere. An announcement about a hex ends when a counter enters or leaves it. Rulings R7, 4.13. */
export function put(tables: Tables, s: State, unit: number, place: number): void {
  const { layout } = tables;
  const was = s[layout.place + unit]!;
  tables.stirred.note(unit);
  if (was >= 0) {
    let at = layout.top + was;
    while (s[at] !== unit + 1) at = layout.next + s[at]! - 1;
    s[at] = s[layout.next + unit]!;
    s[layout.next + unit] = 0;
    setAnnounced(tables, s, was, 0);
    s[layout.flags + unit]! &= ~PIN_HELD;
  }
  s[layout.work + unit]! &= place < 0 ? ~(FROM_BITS | ISOLATED) : ~FROM_BITS;
  s[layout.place + unit] = place;
  if (place >= 0) {
    let at = layout.top + place;
    while (s[at]! !== 0 && s[at]! - 1 < unit) at = layout.next + s[at]! - 1;
    s[layout.next + unit] = s[at]!;
    s[at] = unit + 1;
    setAnnounced(tables, s, place, 0);
  } else if (place === DEAD || place === UNTOLD) {
    // a lost counter keeps no marker and is picked for nothing
    s[layout.flags + unit] = 0;
    s[layout.extra + unit] = 0;
    s[layout.work + unit] = 0;
  }
}

/** Offset of the top frame. */
export const topFrame = (tables: Tables, s: StateView): number =>
  tables.layout.frames + (s[tables.layout.depth]! - 1) * FRAME_WORDS;
/** The decision asked, or `WALK`; -1 when the game is over. */
export const askOf = (tables: Tables, s: StateView): number =>
  s[tables.layout.depth] === 0 ? -1 : s[topFrame(tables, s) + F_ASK]!;
/** Side that decides in the top frame. */
export const actorOf = (tables: Tables, s: StateView): number => s[topFrame(tables, s) + F_ACTOR]!;
/** Hex of a frame, -1 none. */
export const frameHex = (s: StateView, frame: number): HexId => (s[frame + F_HEX]! - 1) as HexId;
/** Unit of a frame, -1 none. */
export const frameUnit = (s: StateView, frame: number): UnitId => (s[frame + F_UNIT]! - 1) as UnitId;
/** The hex and the unit that the decision is about, -1 none. */
export const askedHex = (tables: Tables, s: StateView): HexId => frameHex(s, topFrame(tables, s));
export const askedUnit = (tables: Tables, s: StateView): UnitId => frameUnit(s, topFrame(tables, s));

/** Puts a frame on the stack. @returns its offset; all other words of it are 0 */
export function push(tables: Tables, s: State, ask: number, actor: number, hex = -1): number {
  const { layout } = tables;
  if (s[layout.depth]! >= FRAMES) throw new InvariantError("streets-of-stalingrad: the frame stack is full");
  s[layout.depth]!++;
  const frame = topFrame(tables, s);
  s[frame + F_ASK] = ask;
  s[frame + F_ACTOR] = actor;
  s[frame + F_HEX] = hex + 1;
  return frame;
}

/** Takes the top frame off the stack. */
export function pop(tables: Tables, s: State): void {
  const frame = topFrame(tables, s);
  for (let i = 0; i < FRAME_WORDS; i++) s[frame + i] = 0;
  s[tables.layout.depth]!--;
}

/** Offset of the lowest frame that asks `ask` or one of the run `ask..last`, -1 when there is none. */
export function frameOf(tables: Tables, s: StateView, ask: number, last = ask): number {
  const { layout } = tables;
  for (let i = 0; i < s[layout.depth]!; i++) {
    const frame = layout.frames + i * FRAME_WORDS;
    if (s[frame + F_ASK]! >= ask && s[frame + F_ASK]! <= last) return frame;
  }
  return -1;
}

/** Drops the way that is named or walked. */
export function dropPath({ layout }: Tables, s: State): void {
  s.fill(0, layout.path, layout.path + s[layout.pathLength]!);
  s[layout.pathLength] = 0;
}

/** Ends the game: no decision is left, nothing is picked. */
export function finish(tables: Tables, s: State): void {
  while (s[tables.layout.depth]! > 0) pop(tables, s);
  takeAll(tables, s, PICKS);
  s[tables.layout.over] = 1;
}
