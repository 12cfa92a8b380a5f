import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { type AreaId, CONTROL, controlOf, GERMAN, L, PHASE, turnOf } from "../state.js";
import { areaId, controlWord, placeName, SIDES } from "./words.js";

const PHASES: Readonly<Record<number, readonly [text: string, rule: string, by: "G" | "S" | null]>> = {
  [PHASE.gerReinf]: ["German reinforcements.", "SS 2.1", "G"],
  [PHASE.sovReinf]: ["Soviet reinforcements.", "SS 2.2", "S"],
  [PHASE.chits]: ["Event chits.", "SS 3.0", "S"],
  [PHASE.sovMove]: ["Soviet movement.", "SS 4.1", "S"],
  [PHASE.gerMove]: ["German movement.", "SS 5.1", "G"],
  [PHASE.events]: ["Revealed chits are resolved.", "SS 6.0", null],
  [PHASE.combat]: ["Combat phase.", "SS 7.0", null],
};

export function phaseBegins(phase: number, play: Play): void {
  const [text, rule, by] = PHASES[phase]!;
  say(play, "phase-begins", { rule, by, text });
}

export function turnBegins(s: StateView, play: Play): void {
  const text = `Turn ${turnOf(s)} begins; the Stuka is ready.`;
  say(play, "turn-begins", { text, amount: turnOf(s) });
}

/** Control of an area changed hands. Rule: SS 1.31. */
export function controlChanges(tables: Tables, s: StateView, a: AreaId, play: Play): void {
  const by = SIDES[controlOf(s, a) === CONTROL.german ? GERMAN : 1 - GERMAN]!;
  const text = `${placeName(tables, a)} is now under ${controlWord(s, a)} control.`;
  const outcome = `${areaId(tables, a)} ${controlWord(s, a)}`;
  say(play, "control", { by, text, outcome, places: [areaId(tables, a)] });
}

/** @param rule SS 8.1 or SS 8.2 */
export function victory(s: StateView, rule: string, reason: string, play: Play): void {
  const german = s[L.result] === GERMAN + 1;
  const text = `${reason}: the ${german ? "German" : "Soviet"} side wins.`;
  const outcome = german ? "German victory" : "Soviet victory";
  say(play, "victory", { rule, by: german ? "G" : "S", text, outcome });
}
