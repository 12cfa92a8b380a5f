import type { ArticulationPoints } from "../core/articulation.js";
import type { By, List, Names, Row } from "../core/brand.js";
import type { NameOf } from "../core/dice/dice.js";
import type { Options } from "../core/game.js";
import type { HexGrid } from "../core/hex.js";
import type { ArmyId, ClassId, CounterId, HexId, StateLayout } from "./layout.js";

export {
  type ArmyId, type ClassId, type CounterId, type HexId,
  FIRST_ARMY, FIRST_COUNTER, FIRST_HEX, NO_ARMY, NO_COUNTER, NO_HEX,
} from "./layout.js"; // prettier-ignore

/** Classes of German counters, in the order of `data/schema.ts`. Rule: SC 2.8, SC 2.14 */
export const MECH = 0 as ClassId;
export const NONMECH = 1 as ClassId;
export const SEC = 2 as ClassId;
export const SUPPORT = 3 as ClassId;
export const NO_CLASS = -1 as ClassId;

/** Kinds of support markers; 0 for a unit. Rule: SC 8.2, SC 10.6 to SC 10.10 */
export const FK8 = 1;
export const GUDERIAN = 2;
export const ELEFANT = 3;
export const ROTKOPF = 4;
export const RAID = 5;
export const SUPPORT_TYPES = ["", "fk8", "guderian", "elefant", "rotkopf", "raid"];

/**
 * Guderian leaves, and the partisan marker and the reinforcement army come, at the start of this turn. Rule: SC 7.2,
 * SC 7.3, SC 10.7
 */
export const JANUARY = 3;
/** Least row in which Guderian helps. Rule: SC 10.7 */
export const GUDERIAN_ROW = 9;

/** Columns of the compiled CRT, in the order of `data/schema.ts`. */
export const SHOCK_FIRST = 0;
export const SOVIET_OTHER = 1;
export const GERMAN_COLUMN = 2; // + class
export const INTERCEPTOR = 5;

/** A Soviet army, shock or combined arms. Rule: SC 2.5 */
export interface Army {
  readonly id: string;
  readonly name: string;
  /** Steps at full strength, and dice. Rule: SC 2.4, SC 2.7 */
  readonly strength: number;
  readonly shock: boolean;
  /** Hex where it starts, -1 when it enters later. */
  readonly setup: HexId;
  /** Turn in which it enters, 0 when it starts on the map. */
  readonly enters: number;
}

/**
 * A German counter: a unit of one step and one die, of which only the class matters, or a marker. Rule: SC 2.3, SC 2.9,
 * SC 2.11
 */
export interface Counter {
  readonly id: string;
  readonly name: string;
  readonly cls: ClassId;
  readonly support: number;
  /** Its kind, as the data name it. */
  readonly type: string;
  readonly enters: number;
}

/** A modifier of German or Soviet dice and whether it holds in the first round only. */
export interface Modifier {
  readonly value: number;
  readonly firstOnly: boolean;
}

/** The data files, checked and compiled. Arrays over hexes follow the order of the map file. */
export interface CompiledData {
  readonly grid: HexGrid<HexId>;
  /** Hexes as actions, positions and events name them. */
  readonly ids: Names<HexId>;
  readonly hexCount: number;
  /** Names of towns, "" for a hex without one. */
  readonly names: By<HexId, string>;
  readonly forest: By<HexId>;
  readonly fort: By<HexId>;
  readonly kLine: By<HexId>;
  /** In or west of the column that counts for victory. Rule: SC 4.5 */
  readonly western: By<HexId>;
  /** Touches Moscow or Tula. Rule: SC 4.2 */
  readonly guarded: By<HexId>;
  /** Where an army may enter: north, south, east edge, Moscow, Tula. Rule: SC 7.2 */
  readonly entry: By<HexId>;
  readonly startGerman: By<HexId>;
  /** West-edge hexes, to which pockets have lost the way. Rule: SC 1.6, SC 8.4 */
  readonly west: Row<HexId>;
  /** Hexes that carry a marker at the start, ascending. Rule: SC 3.4 */
  readonly front: Row<HexId>;
  /** Rule: SC 2.2 */
  readonly moscow: HexId;
  readonly tula: HexId;
  readonly columns: readonly [number, number];
  readonly rows: readonly [number, number];

  readonly armies: List<ArmyId, Army>;
  readonly engineer: { readonly id: string; readonly name: string; readonly strength: number };
  readonly interceptorId: string;
  readonly partisanId: string;
  readonly counters: List<CounterId, Counter>;
  /** Class and support kind of each counter, for loops. */
  readonly cls: By<CounterId, ClassId>;
  readonly support: By<CounterId>;
  /** Slots of each class, ascending. */
  readonly slotsOf: List<ClassId, Row<CounterId>>;
  readonly guderian: CounterId;

  /** MP by turn, 1..6. Rule: SC 2.10 */
  readonly movement: readonly number[];
  readonly extraRoundCost: number;
  /** MP to enter, clear and forest. Rule: SC 9.10 */
  readonly moveCost: readonly [number, number];
  /** Modifier of German mech dice, clear and forest. Rule: SC 10.4 */
  readonly mechModifier: readonly [number, number];
  readonly regular: { readonly dice: number; readonly add: number };
  readonly relief: { readonly dice: number; readonly add: number };
  readonly breakout: { readonly dice: number; readonly add: number };
  /** Hits by column and modified roll 0..7. */
  readonly crt: Int8Array;
  /** By support kind (index 1..5). */
  readonly supportModifier: readonly Modifier[];
  readonly breakInModifier: number;
  readonly breakoutModifier: number;
  readonly replacements: number;
  readonly kRequired: number;
  readonly win: { readonly fortified: number; readonly west: number };
  readonly draw: { readonly fortified: number; readonly west: number };
  readonly turnNames: readonly string[];
}

/**
 * Context of the rules besides the state: data and options of one game, the layout that fits them, scratch space. One
 * thread uses it.
 */
export interface Tables extends CompiledData {
  readonly L: StateLayout;
  /** As position documents name them. */
  readonly options: Options;
  readonly articulation: ArticulationPoints;
  readonly armyCount: number;
  readonly counterCount: number;
  /** Words of a bit set of hexes, of counters. */
  readonly hexWords: number;
  readonly counterWords: number;
  /** True when a breakout draws counters when those of the pocket are too few. Rule: SC 8.6, ruling R5 */
  readonly drawBeyondPocket: boolean;
  /** True when VI IC stays ready when it was sent to a round and did not fire. Rule: SC 10.11, ruling R12 */
  readonly spentWhenFired: boolean;
  /** True when the player may give up. Rule: SC 5.4 */
  readonly mayConcede: boolean;
  /** Scratch: units of each class, then support markers of each kind at 4 + kind, as `countForce` found them. */
  readonly force: Int32Array;
  /** Scratch: faces of the last throw, in order. Filled only when there is a narrator. */
  readonly faces: number[];
  /** Scratch: counters drawn from the pool and not in an event yet. Filled only when there is a narrator. */
  readonly drawn: CounterId[];
  /** Names the counter that a draw from the pool takes. */
  readonly nameOf: NameOf;
}
