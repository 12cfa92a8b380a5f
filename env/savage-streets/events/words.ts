import type { Play } from "../../core/play.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import type { GameEvent } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import chits from "../data/chits.json" with { type: "json" };
import { CHIT_KINDS, type Tables } from "../data.js";
import {
  type AreaId,
  type ChitId,
  chitOfCounter,
  chitPlaceOf,
  CHITS,
  CONTROL,
  controlOf,
  type CounterId,
  FLAG,
  isUnit,
  SOVIET,
  unitHas,
  type UnitId,
} from "../state.js";

/** Sides by player index, by the names of `Game.players`. */
export const SIDES = ["G", "S"] as const;
export const SIDE_NAMES = ["German", "Soviet"] as const;

/** The rule of each kind of chit, by its code. */
export const CHIT_RULES: readonly string[] = chits.kinds.map((k) => k.rule);

/** True when this viewer knows every Soviet counter. */
export const knowsSoviet = (viewer: Viewer): boolean => viewer === SOVIET || viewer === EVERYTHING;

/** Tells the Soviet player `full` and everybody else `others`, or nothing if that is null. */
export const tellBoth = (full: GameEvent, others: GameEvent | null, play: Play): void =>
  play.narrator!.tellEach((viewer) => (knowsSoviet(viewer) ? full : others));

/** `5 Station Stalingrad-1`. Dots of an abbreviation (`H.Q.`) are left out: they would end the sentence. */
export const placeName = (tables: Tables, a: AreaId): string =>
  `${tables.data.areaIds[a]!} ${tables.data.areaNames[a]!.replaceAll(".", "")}`;

export const areaId = (tables: Tables, a: AreaId): string => tables.data.areaIds[a]!;
export const unitId = (tables: Tables, u: UnitId): string => tables.data.unitIds[u]!;
export const unitIds = (tables: Tables, units: readonly UnitId[]): string[] => units.map((u) => unitId(tables, u));
export const areaIds = (tables: Tables, mask: number): string[] =>
  tables.data.areaIds.filter((_, a) => (mask >> a) & 1);

/** The kind of a chit as a word: `sniper`. */
export const chitWord = (tables: Tables, c: ChitId): string => CHIT_KINDS[tables.data.chitKind[c]!]!;

/** A unit or (from `UNITS` on) a chit by its id. */
export const counterName = (tables: Tables, counter: CounterId): string =>
  isUnit(counter) ? unitId(tables, counter) : tables.data.chitIds[chitOfCounter(counter)]!;

/** `I/194 (4, 2 MP)`: combat value now, movement points of a German unit. */
export function unitText(tables: Tables, s: StateView, u: UnitId): string {
  const { data } = tables;
  const value = unitHas(s, u, FLAG.depleted) ? data.depleted[u]! : data.full[u]!;
  const suppressed = unitHas(s, u, FLAG.suppressed) ? ", suppressed" : "";
  return `${unitId(tables, u)} (combat value ${value}${suppressed}${data.mp[u]! > 0 ? `, ${data.mp[u]!} MP` : ""})`;
}

const CONTROL_WORDS = ["nobody's", "Soviet", "German", "Contested"] as const;
export const controlWord = (s: StateView, a: AreaId): string =>
  CONTROL_WORDS[controlOf(s, a)] ?? CONTROL_WORDS[CONTROL.none];

/** `6 4 1`; `none` for no dice. */
export const faces = (s: StateView, at: number, n: number): number[] => Array.from({ length: n }, (_, i) => s[at + i]!);

/** Chits at a place, by slot. */
export const chitsAt = (s: StateView, place: AreaId): ChitId[] =>
  Array.from({ length: CHITS }, (_, c) => c as ChitId).filter((c) => chitPlaceOf(s, c) === place);

/** Bits of a mask, lowest first. */
/** @returns as what the bits stand for: `bitsOf<UnitId>` */
export function bitsOf<I extends number>(mask: number): I[] {
  const found: I[] = [];
  for (let m = mask; m !== 0; m &= m - 1) found.push((31 - Math.clz32(m & -m)) as I);
  return found;
}
