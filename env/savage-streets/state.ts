import type { State, StateView } from "../core/layout.js";
import { DECISION, L } from "./layout.js";

export * from "./layout.js";

export const placeOf = (s: StateView, u: number): number => s[L.unitPlace + u]!;
export const unitHas = (s: StateView, u: number, flag: number): boolean => (s[L.unitFlags + u]! & flag) !== 0;
export const markUnit = (s: State, u: number, flag: number): void => {
  s[L.unitFlags + u]! |= flag;
};
export const clearUnit = (s: State, u: number, flags: number): void => {
  s[L.unitFlags + u]! &= ~flags;
};
export const chitPlaceOf = (s: StateView, c: number): number => s[L.chitPlace + c]!;
export const chitHas = (s: StateView, c: number, flag: number): boolean => (s[L.chitFlags + c]! & flag) !== 0;
export const controlOf = (s: StateView, a: number): number => s[L.control + a]!;
export const germansIn = (s: StateView, a: number): number => s[L.germans + a]!;
export const sovietsIn = (s: StateView, a: number): number => s[L.soviets + a]!;
export const chitsIn = (s: StateView, a: number): number => s[L.chits + a]!;
export const turnOf = (s: StateView): number => s[L.turn]!;
export const phaseOf = (s: StateView): number => s[L.phase]!;
export const decisionOf = (s: StateView): number => s[L.decision]!;
/** Is any Soviet counter there: unit or chit, either face? (ruling R3) */
export const sovietCounterIn = (s: StateView, a: number): boolean => s[L.soviets + a]! + s[L.chits + a]! > 0;

/** Sets the pending decision. Pass -1 for a field that it does not have. */
export function ask(s: State, kind: number, area = -1, unit = -1, chit = -1): void {
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
