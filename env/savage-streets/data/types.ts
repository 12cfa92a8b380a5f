import type { By, Names, Row } from "../../core/brand.js";
import type { Options } from "../../core/game.js";
import type { AreaId, ChitId, ChitKind, UnitId, UnitType } from "../layout.js";

/** A regiment for SS 9.4: its battalions and its HQ by slot. */
export interface Regiment {
  readonly battalions: readonly UnitId[];
  /** -1 for Soviet regiments. */
  readonly hq: UnitId;
  /** Earns the bonus of SS 9.42. */
  readonly three: boolean;
}

type Point = [number, number];

/** The drawn map. */
export interface DrawnBoard {
  readonly bounds: [number, number, number, number];
  readonly counterSize: number;
  readonly areas: Readonly<
    Record<string, { readonly outline: readonly Point[]; readonly room: readonly [Point, Point] }>
  >;
  readonly volga: Point[];
  readonly volgaName: Point;
}

/** The data files checked and laid out for the rules: areas, units and chits by index or slot. */
export interface Data {
  readonly areaIds: Names<AreaId>;
  readonly areaNames: By<AreaId, string> & readonly string[];
  readonly points: readonly (readonly [number, number])[];
  readonly board: DrawnBoard;
  readonly stars: By<AreaId>;
  /** Mask of adjacent areas, by area. */
  readonly adjacent: By<AreaId>;
  readonly neighbours: readonly (readonly AreaId[])[];
  /** Mask of the entry areas. */
  readonly lettered: number;
  readonly numbered: number;
  readonly landings: number;
  readonly redLanding: number;
  /** The landings in the order of the solitaire rules, that of the red circle last. */
  readonly landingOrder: readonly AreaId[];
  /** The two areas of SS 8.2, and their masks and the distances to them. */
  readonly goals: readonly [AreaId, AreaId];
  readonly distance: readonly [By<AreaId>, By<AreaId>];
  readonly pathTo: number;
  /** Solitaire priority, SS 10.32. */
  readonly priority: readonly AreaId[];
  /** Area by the sum of two dice, -1 for none. */
  readonly byRoll: Row<AreaId, Int32Array>;
  readonly unitIds: Names<UnitId>;
  readonly type: By<UnitId, UnitType>;
  readonly full: By<UnitId>;
  readonly depleted: By<UnitId>;
  readonly mp: By<UnitId>;
  readonly entryTurn: By<UnitId>;
  /** Mask of entry areas of a German unit. */
  readonly entry: By<UnitId>;
  /** 1 for units with a red circle, for SMG companies; by slot. */
  readonly red: By<UnitId>;
  readonly smg: By<UnitId>;
  /** Index into `regiments` of an HQ or battalion, otherwise -1. */
  readonly regimentOf: By<UnitId>;
  readonly regiments: readonly Regiment[];
  readonly chitIds: Names<ChitId>;
  readonly chitKind: By<ChitId, ChitKind>;
  /** By die face 1..6. */
  readonly underFire: Int32Array;
  readonly attack: Int32Array;
  readonly commandMax: number;
  readonly commandDrm: number;
  readonly pool: {
    readonly greater: number;
    readonly lesser: number;
    readonly equal: number;
    readonly moreThanDouble: number;
    readonly perArtillery: number;
    readonly perCounterattack: number;
    readonly stuka: number;
    readonly schwereAngriff: number;
  };
  readonly stacking: {
    readonly units: number;
    readonly armor: number;
    readonly hq: number;
    readonly chits: number;
    readonly soloUnits: number;
    readonly soloArmor: number;
    readonly soloChits: number;
  };
  readonly draw: number;
  readonly soloFixed: readonly AreaId[];
  readonly soloByRoll: number;
  readonly soloChits: number;
}

/** The data and options of a game bound together, as every rule gets them. */
export interface Tables {
  readonly data: Data;
  /** As position documents name them. */
  readonly options: Options;
  readonly solo: boolean;
  readonly engineers: boolean;
  readonly armor: boolean;
  readonly antitank: boolean;
  readonly integrity: boolean;
  readonly infiltration: boolean;
  readonly schwere: boolean;
  /** Guns beside one revealed this turn shoot. Rule: SS 9.3, ruling R41 */
  readonly allGunsShoot: boolean;
  /** A unit may stay though its command roll succeeded. Rule: SS 10.51, ruling R37 */
  readonly mayStay: boolean;
  /** The breakthrough that a dummy leaves open is offered among the events. Rule: SS 6.7, ruling R18 */
  readonly dummyAtOnce: boolean;
  /** Room for one list of all Soviet counters, used within one call only. */
  readonly scratch: Int32Array;
}
