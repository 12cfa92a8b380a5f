import type { Json } from "../../core/game.js";
import type { State } from "../../core/layout.js";
import { CHIT, type Tables } from "../data.js";
import { decisionOfKind, decisions } from "../decisions/index.js";
import { proceduresFault } from "../faults.js";
import { checkAsked } from "./check-stage.js";
import { DIE_KINDS } from "./write.js";
import { areaIndex, bad, chitSlot, type PositionDocument, unitSlot, refuse } from "./schema.js";
import {
  ANSWER,
  ask,
  chitPlaceOf,
  DECISION,
  type DecisionName,
  GERMAN,
  GERMANS,
  HIT_NAMES,
  L,
  PHASE,
  PHASE_NAMES,
  phaseOf,
  placeOf,
  STAGE,
  STAGE_NAMES,
} from "../state.js";

const answer = (v: boolean | null | undefined): number =>
  v === undefined || v === null ? ANSWER.open : v ? ANSWER.yes : ANSWER.no;

/**
 * Reads the pending procedures: events, command, breakthrough, combat, decision.
 *
 * @returns true when there is a decision
 * @throws KesselError `bad-position` for what the game does not come to
 */
export function readStage(tables: Tables, d: PositionDocument, s: State): boolean {
  readEvents(tables, d, s);
  if (d.command) {
    s[L.commandArea] = areaIndex(tables, d.command.area, "command.area") + 1;
    s[L.commandModifier] = d.command.drm ?? 0;
  }
  if (d.breakthrough) {
    const a = areaIndex(tables, d.breakthrough.area, "breakthrough.area");
    s[L.breakthroughFrom] = a + 1;
    if (d.breakthrough.dest) s[L.breakthroughTo] = areaIndex(tables, d.breakthrough.dest, "breakthrough.dest") + 1;
    (d.breakthrough.units ?? []).forEach((id, k) => {
      const u = unitSlot(tables, id, `breakthrough.units[${k}]`, "German");
      if (placeOf(s, u) !== a) throw bad(`breakthrough.units[${k}]`, `${id} is not in area ${d.breakthrough!.area}`);
      s[L.breakthroughUnits]! |= 1 << u;
    });
  }
  readCombat(tables, d, s);
  if (d.decision) readDecision(tables, d.decision, s);
  refuse(proceduresFault(tables, s));
  if (!d.decision) return false;
  checkAsked(tables, s);
  return true;
}

function readEvents(tables: Tables, d: PositionDocument, s: State): void {
  if (!d.events) return;
  const a = areaIndex(tables, d.events.area, "events.area");
  s[L.eventArea] = a + 1;
  s[L.eventsAfterBreakthrough] = (d.events.breakthrough ?? phaseOf(s) === PHASE.combat) ? 1 : 0;
  (d.events.todo ?? []).forEach((id, k) => {
    const c = chitSlot(tables, id, `events.todo[${k}]`);
    if (chitPlaceOf(s, c) !== a) throw bad(`events.todo[${k}]`, `${id} is not in area ${d.events!.area}`);
    s[L.eventChitsLeft]! |= 1 << c;
  });
  for (const [chit, unit] of Object.entries(d.events.targets ?? {})) {
    const c = chitSlot(tables, chit, `events.targets.${chit}`);
    if (chitPlaceOf(s, c) !== a || tables.data.chitKind[c] !== CHIT.ambush)
      throw bad(`events.targets.${chit}`, `it is no ambush in area ${d.events.area}`);
    s[L.ambushTarget + c] = unitSlot(tables, unit, `events.targets.${chit}`, "German") + 1;
  }
}

function readCombat(tables: Tables, d: PositionDocument, s: State): void {
  const c = d.combat;
  if (!c) return;
  if (phaseOf(s) !== PHASE.combat) throw bad("combat", "a combat goes on in the phase combat only");
  const a = areaIndex(tables, c.area, "combat.area");
  s[L.combatArea] = a + 1;
  s[L.combatStage] = STAGE_NAMES.indexOf(c.stage);
  s[L.combatStuka] = answer(c.stuka);
  s[L.combatSchwere] = answer(c.schwere);
  s[L.combatPionier] = answer(c.pionier);
  s[L.combatEngineer] = answer(c.engineer);
  for (const [gun, target] of Object.entries(c.targets ?? {}))
    s[L.gunTarget + unitSlot(tables, gun, `combat.targets.${gun}`, "Soviet") - GERMANS] =
      unitSlot(tables, target, `combat.targets.${gun}`, "German") + 1;
  for (const kind of c.done ?? []) s[L.dieChoicesDone]! |= 1 << DIE_KINDS.indexOf(kind);
  const g = c.germanDice ?? [];
  const v = c.sovietDice ?? [];
  if (s[L.combatStage]! >= STAGE.mods && (g.length === 0 || v.length === 0))
    throw bad("combat.germanDice", `stage ${c.stage} comes after the dice, and both sides roll some`);
  g.forEach((x, i) => (s[L.germanDice + i] = x));
  v.forEach((x, i) => (s[L.sovietDice + i] = x));
  s[L.germanDiceCount] = g.length;
  s[L.sovietDiceCount] = v.length;
  s[L.germanTotal] = c.totals?.[0] ?? 0;
  s[L.sovietTotal] = c.totals?.[1] ?? 0;
  s[L.combatWinner] = c.winner === "G" ? 1 : c.winner === "S" ? 2 : 0;
  if (s[L.combatStage]! >= STAGE.sovHits && s[L.combatWinner] === 0)
    throw bad("combat.winner", `stage ${c.stage} comes after the combat is decided`);
  s[L.sovietLossesLeft] = c.sovietHits ?? 0;
  (c.germanHits ?? []).forEach((h, i) => (s[L.germanHits + i] = HIT_NAMES.indexOf(h)));
  s[L.germanHitCount] = (c.germanHits ?? []).length;
  s[L.hqMustTakeHit] = c.mustHq === true ? 1 : 0;
  s[L.pionierMustTakeHit] = c.mustPionier === true ? 1 : 0;
  if (c.firstHit) s[L.firstHitUnit] = unitSlot(tables, c.firstHit, "combat.firstHit", "German") + 1;
  s[L.engineerTakesNextLoss] = c.engineerFirst === true ? 1 : 0;
  s[L.breakthroughEarned] = c.breakthrough === true ? 1 : 0;
}

function readDecision(tables: Tables, d: NonNullable<PositionDocument["decision"]>, s: State): void {
  const kind = decisions.kinds.indexOf(d.kind as DecisionName);
  if (kind <= DECISION.none) throw bad("decision.kind", `there is no decision ${d.kind}`);
  const { by, phases, stage, mode, holds = {} } = decisionOfKind(kind);
  const actor = by === GERMAN ? "G" : "S";
  if (d.actor !== actor) throw bad("decision.actor", `${d.kind} is a decision of ${actor}, not of ${d.actor}`);
  if (tables.solo && actor === "S") throw bad("decision.kind", "in the solitaire game the Soviet side decides nothing");
  const played = tables.solo ? "solo" : "duel";
  if (mode !== undefined && mode !== played) throw bad("decision.kind", `${d.kind} does not occur in mode ${played}`);
  const among = phases(tables);
  if (!among.includes(phaseOf(s)))
    throw bad(
      "decision.kind",
      `${d.kind} belongs to the phase ${among.map((p) => PHASE_NAMES[p]!).join(" or ")}, not ${PHASE_NAMES[phaseOf(s)]!}`,
    );
  if (stage !== undefined) {
    if (s[L.combatArea] === 0) throw bad("combat", `the decision ${d.kind} needs the combat`);
    if (s[L.combatStage] !== stage)
      throw bad(
        "combat.stage",
        `${d.kind} is decided in stage ${STAGE_NAMES[stage]!}, not ${STAGE_NAMES[s[L.combatStage]!]!}`,
      );
  }
  ask(s, kind);
  // a decision may name more than it needs
  const doc: Readonly<Record<string, Json | undefined>> = d;
  const held = Object.fromEntries(Object.keys(holds).map((key) => [key, doc[key]]));
  decisions.read(tables, held, s, kind, "decision");
  refuse(decisions.fault(tables, s, kind));
}
