import { Decisions } from "../../core/decision.js";
import { type Decision, type Ranges, SPACE } from "../actions.js";
import type { Tables } from "../data.js";
import { overText } from "../narration/standing.js";
import { DECISION_NAMES, type DecisionName, GERMAN, PHASE, type SideId, SOVIET } from "../state.js";
import { btDest, btUnit } from "./breakthrough.js";
import {
  atTarget,
  combatArea,
  dieArmor,
  dieEngineer,
  diePionier,
  engineer,
  gerHit,
  pionier,
  schwere,
  sovHit,
  stuka,
} from "./combat.js";
import { gerExcess, gerPlace, reinfArea, reinfPick, setupPlace } from "./entry.js";
import { ambushTarget, molotovTarget, sniperTarget } from "./events.js";
import { cmdArea, cmdUnit, gerPick, gerStep } from "./german.js";
import { chitPlace, sovDest, sovExcess, sovPick } from "./soviet.js";

/** The end: nobody decides. */
const over: Decision = {
  by: GERMAN,
  phases: () => [PHASE.over],
  rules: ["SS 8.2", "SS 8.1"],
  asks: overText,
  marks: () => 0,
  acts: {},
};

const BY_NAME: Readonly<Record<DecisionName, Decision>> = {
  over,
  "setup-place": setupPlace,
  "ger-place": gerPlace,
  "ger-excess": gerExcess,
  "reinf-pick": reinfPick,
  "reinf-area": reinfArea,
  "chit-place": chitPlace,
  "sov-pick": sovPick,
  "sov-dest": sovDest,
  "sov-excess": sovExcess,
  "ger-pick": gerPick,
  "ger-step": gerStep,
  "cmd-area": cmdArea,
  "cmd-unit": cmdUnit,
  "sniper-target": sniperTarget,
  "molotov-target": molotovTarget,
  "ambush-target": ambushTarget,
  "combat-area": combatArea,
  stuka,
  "at-target": atTarget,
  schwere,
  pionier,
  engineer,
  "die-pionier": diePionier,
  "die-armor": dieArmor,
  "die-engineer": dieEngineer,
  "sov-hit": sovHit,
  "ger-hit": gerHit,
  "bt-dest": btDest,
  "bt-unit": btUnit,
};

/** All decisions; the number of a kind is its code in `DECISION`. */
export const decisions = new Decisions<Tables, DecisionName, Ranges, boolean | void>(
  "savage-streets",
  SPACE,
  DECISION_NAMES,
  BY_NAME,
);
/** By code. */
const ALL = DECISION_NAMES.map((name) => BY_NAME[name]);
export const decisionOfKind = (kind: number): Decision => ALL[kind]!;

/** Kinds as bits. */
const bits = (has: (d: Decision) => boolean): number => ALL.reduce((m, d, kind) => (has(d) ? m | (1 << kind) : m), 0);
const SOVIET_DECISIONS = bits((d) => d.by === SOVIET);
const HIDDEN_DECISIONS = bits((d) => d.secret !== undefined);

/** The player that takes decisions of this kind. */
export const deciderOf = (kind: number): SideId => ((SOVIET_DECISIONS >> kind) & 1 ? SOVIET : GERMAN);
/** True when the context of decisions of this kind is kept from the German. */
export const isHiddenDecision = (kind: number): boolean => ((HIDDEN_DECISIONS >> kind) & 1) === 1;
