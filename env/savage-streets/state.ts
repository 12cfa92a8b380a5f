import type { State, StateView } from "../core/layout.js";
import {
  type AreaId,
  type ChitCounter,
  type ChitId,
  type CounterId,
  DECISION,
  L,
  NO_AREA,
  NO_CHIT,
  NO_UNIT,
  type UnitId,
  UNITS,
} from "./layout.js";

export * from "./layout.js";

export const placeOf = (s: StateView, u: UnitId): AreaId => s[L.unitPlace + u]! as AreaId;
export const unitHas = (s: StateView, u: UnitId, flag: number): boolean => (s[L.unitFlags + u]! & flag) !== 0;
export const markUnit = (s: State, u: UnitId, flag: number): void => {
  s[L.unitFlags + u]! |= flag;
};
export const clearUnit = (s: State, u: UnitId, flags: number): void => {
  s[L.unitFlags + u]! &= ~flags;
};
export const chitPlaceOf = (s: StateView, c: ChitId): AreaId => s[L.chitPlace + c]! as AreaId;
export const chitHas = (s: StateView, c: ChitId, flag: number): boolean => (s[L.chitFlags + c]! & flag) !== 0;
export const controlOf = (s: StateView, a: AreaId): number => s[L.control + a]!;
export const germansIn = (s: StateView, a: AreaId): number => s[L.germans + a]!;
export const sovietsIn = (s: StateView, a: AreaId): number => s[L.soviets + a]!;
export const chitsIn = (s: StateView, a: AreaId): number => s[L.chits + a]!;

/** The area, unit, chit, or unit or chit that the pending decision is about; below 0 where it is about none. */
export const askedArea = (s: StateView): AreaId => (s[L.decisionArea]! - 1) as AreaId;
export const askedUnit = (s: StateView): UnitId => (s[L.decisionUnit]! - 1) as UnitId;
export const askedChit = (s: StateView): ChitId => (s[L.decisionChit]! - 1) as ChitId;
export const askedCounter = (s: StateView): CounterId => (s[L.decisionUnit]! - 1) as CounterId;
/** Where there is a combat, events, units to command; below 0 where there is none. */
export const combatAreaOf = (s: StateView): AreaId => (s[L.combatArea]! - 1) as AreaId;
export const eventAreaOf = (s: StateView): AreaId => (s[L.eventArea]! - 1) as AreaId;
export const commandAreaOf = (s: StateView): AreaId => (s[L.commandArea]! - 1) as AreaId;
/** The two ends of a breakthrough; below 0 where there is none, or none yet. */
export const breakthroughStart = (s: StateView): AreaId => (s[L.breakthroughFrom]! - 1) as AreaId;
export const breakthroughEnd = (s: StateView): AreaId => (s[L.breakthroughTo]! - 1) as AreaId;

/** A counter is a unit, or a chit numbered after the units. */
export const isUnit = (counter: CounterId): counter is UnitId => counter < UNITS;
export const chitOfCounter = (counter: ChitCounter): ChitId => (counter - UNITS) as ChitId;
export const counterOfChit = (c: ChitId): ChitCounter => (UNITS + c) as ChitCounter;

/** The lowest area, chit of a mask that has one. */
export const lowestArea = (mask: number): AreaId => (31 - Math.clz32(mask & -mask)) as AreaId;
export const lowestChit = (mask: number): ChitId => (31 - Math.clz32(mask & -mask)) as ChitId;

export const turnOf = (s: StateView): number => s[L.turn]!;
export const phaseOf = (s: StateView): number => s[L.phase]!;
export const decisionOf = (s: StateView): number => s[L.decision]!;
/** True when a Soviet counter is there: unit or chit, either face. (ruling R3) */
export const sovietCounterIn = (s: StateView, a: AreaId): boolean => s[L.soviets + a]! + s[L.chits + a]! > 0;

/** Sets the pending decision. Pass -1 for a field that it does not have. */
export function ask(s: State, kind: number, area = NO_AREA, unit: CounterId = NO_UNIT, chit = NO_CHIT): void {
  s[L.decision] = kind;
  s[L.decisionArea] = area + 1;
  s[L.decisionUnit] = unit + 1;
  s[L.decisionChit] = chit + 1;
  s[L.decisionMp] = 0;
  s[L.decisionIsFirstStep] = 0;
}

export const clearDecision = (s: State): void => {
  s[L.decision] = DECISION.none;
  s[L.decisionArea] = 0;
  s[L.decisionUnit] = 0;
  s[L.decisionChit] = 0;
  s[L.decisionMp] = 0;
  s[L.decisionIsFirstStep] = 0;
};

/** Clears a combat that is over. */
export const clearCombat = (s: State): void => {
  s.fill(0, L.combatArea, L.decision);
};
