import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import {
  ANSWER,
  type AreaId,
  AREAS,
  askedArea,
  askedChit,
  askedCounter,
  type ChitCounter,
  chitOfCounter,
  chitPlaceOf,
  combatAreaOf,
  DECISION,
  decisionOf,
  FIRST_UNIT,
  GERMANS,
  isUnit,
  L,
  NO_AREA,
  placeOf,
  UNITS,
} from "../state.js";
import { clip, DECISION_COLUMN as at } from "./columns.js";

/** Writes the pending decision. @param context true when the viewer may know its object */
export function writeDecision(tables: Tables, s: StateView, context: boolean, out: Float32Array): void {
  const { data } = tables;
  const kind = decisionOf(s);
  out.fill(0);
  if (kind === DECISION.none) return;
  out[kind - 1] = 1;
  if (!context) return;
  const focus = focusOf(s);
  if (focus >= 0) out[at.focus + focus] = 1;
  const unit = s[L.decisionUnit]!;
  if (unit > 0 && unit <= UNITS) out[at.selected + unit - 1] = 1;
  if (kind === DECISION.btUnit)
    for (let u = FIRST_UNIT; u < GERMANS; u++) out[at.selected + u] = (s[L.breakthroughUnits]! >> u) & 1;
  const chit = unit > UNITS ? chitOfCounter((unit - 1) as ChitCounter) : askedChit(s);
  if (chit >= 0) out[at.chit + data.chitKind[chit]!] = 1;
  out[at.mp] = s[L.decisionMp]! / 3;
  out[at.firstStep] = s[L.decisionIsFirstStep]!;
  if (s[L.commandModifier]! < 0) out[at.command] = 1;
  if (s[L.combatArea] === 0) return;
  for (let i = 0; i < 6; i++) {
    out[at.germanDice + i] = s[L.germanDice + i]! / 6;
    out[at.sovietDice + i] = s[L.sovietDice + i]! / 6;
  }
  out[at.germanTotal] = clip(s[L.germanTotal]!, 20);
  out[at.sovietTotal] = clip(s[L.sovietTotal]!, 20);
  out[at.sovietHits] = clip(s[L.sovietLossesLeft]!, 6);
  out[at.germanHits] = clip(s[L.germanHitCount]!, 6);
  if (s[L.germanHitCount]! > 0) out[at.hitKind + s[L.germanHits]!] = 1;
  out[at.stuka] = s[L.combatStuka] === ANSWER.yes ? 1 : 0;
  out[at.schwere] = s[L.combatSchwere] === ANSWER.yes ? 1 : 0;
  out[at.pionier] = s[L.combatPionier] === ANSWER.yes ? 1 : 0;
  out[at.engineer] = s[L.combatEngineer] === ANSWER.yes ? 1 : 0;
}

/** The area of a decision: its own, the combat's, or that of the counter in question; -1 for none. */
export function focusOf(s: StateView): AreaId {
  if (decisionOf(s) === DECISION.none) return NO_AREA;
  if (s[L.decisionArea] !== 0) return askedArea(s);
  if (s[L.combatArea] !== 0) return combatAreaOf(s);
  const counter = askedCounter(s);
  if (counter < 0) return NO_AREA;
  const place = isUnit(counter) ? placeOf(s, counter) : chitPlaceOf(s, chitOfCounter(counter));
  return place < AREAS ? place : NO_AREA;
}
