import type { State } from "../../core/layout.js";
import { CHIT, type Tables } from "../data.js";
import { checkAsked, checkModifier, checkProcedures } from "./check-stage.js";
import { DIE_KINDS } from "./write.js";
import { areaIndex, bad, chitSlot, type PositionDocument, unitSlot } from "./schema.js";
import { firstInHand } from "../rules/chits.js";
import {
  ANSWER,
  ask,
  chitPlaceOf,
  CHITS,
  deciderOf,
  GERMAN,
  GERMANS,
  germansIn,
  HIT_NAMES,
  DECISION,
  DECISION_NAMES,
  L,
  PHASE,
  PHASE_NAMES,
  phaseOf,
  placeOf,
  STAGE,
  STAGE_NAMES,
  UNITS,
} from "../state.js";

const answer = (v: boolean | null | undefined): number =>
  v === undefined || v === null ? ANSWER.open : v ? ANSWER.yes : ANSWER.no;

/** Phases a kind of decision can stand in. */
const PHASES: Readonly<Record<number, readonly number[]>> = {
  [DECISION.setupPlace]: [PHASE.setup],
  [DECISION.gerPlace]: [PHASE.gerReinf],
  [DECISION.gerExcess]: [PHASE.gerReinf, PHASE.gerMove],
  [DECISION.reinfPick]: [PHASE.sovReinf],
  [DECISION.reinfArea]: [PHASE.sovReinf],
  [DECISION.chitPlace]: [PHASE.chits],
  [DECISION.sovPick]: [PHASE.sovMove],
  [DECISION.sovDest]: [PHASE.sovMove],
  [DECISION.sovExcess]: [PHASE.sovMove],
  [DECISION.gerPick]: [PHASE.gerMove],
  [DECISION.gerStep]: [PHASE.gerMove],
  [DECISION.cmdArea]: [PHASE.gerMove],
  [DECISION.cmdUnit]: [PHASE.gerMove],
  [DECISION.sniperTarget]: [PHASE.events, PHASE.combat],
  [DECISION.molotovTarget]: [PHASE.events, PHASE.combat],
  [DECISION.ambushTarget]: [PHASE.events, PHASE.combat],
};

/** Stage of the combat that a decision belongs to. */
const STAGES: Readonly<Record<number, number>> = {
  [DECISION.stuka]: STAGE.stuka,
  [DECISION.atTarget]: STAGE.at,
  [DECISION.schwere]: STAGE.decl,
  [DECISION.pionier]: STAGE.decl,
  [DECISION.engineer]: STAGE.decl,
  [DECISION.diePionier]: STAGE.mods,
  [DECISION.dieArmor]: STAGE.mods,
  [DECISION.dieEngineer]: STAGE.mods,
  [DECISION.sovHit]: STAGE.sovHits,
  [DECISION.gerHit]: STAGE.gerHits,
};

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
  checkProcedures(tables, s);
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
  const kind = DECISION_NAMES.indexOf(d.kind as (typeof DECISION_NAMES)[number]) + 1;
  if (kind === 0) throw bad("decision.kind", `there is no decision ${d.kind}`);
  const actor = deciderOf(kind) === GERMAN ? "G" : "S";
  if (d.actor !== actor) throw bad("decision.actor", `${d.kind} is a decision of ${actor}, not of ${d.actor}`);
  if (tables.solo && actor === "S") throw bad("decision.kind", "in the solitaire game the Soviet side decides nothing");
  if (tables.solo ? kind === DECISION.gerPick : kind === DECISION.cmdArea || kind === DECISION.cmdUnit)
    throw bad("decision.kind", `${d.kind} does not occur in mode ${tables.solo ? "solo" : "duel"}`);
  const breaksThrough = kind === DECISION.btDest || kind === DECISION.btUnit;
  const among = tables.dummyAtOnce && breaksThrough ? [PHASE.events] : []; // ruling R18, option `dummy`
  const phases = PHASES[kind] ?? [...among, PHASE.combat];
  if (!phases.includes(phaseOf(s)))
    throw bad(
      "decision.kind",
      `${d.kind} belongs to the phase ${phases.map((p) => PHASE_NAMES[p]!).join(" or ")}, not ${PHASE_NAMES[phaseOf(s)]!}`,
    );
  const stage = STAGES[kind];
  if (stage !== undefined) {
    if (s[L.combatArea] === 0) throw bad("combat", `the decision ${d.kind} needs the combat`);
    if (s[L.combatStage] !== stage)
      throw bad(
        "combat.stage",
        `${d.kind} is decided in stage ${STAGE_NAMES[stage]!}, not ${STAGE_NAMES[s[L.combatStage]!]!}`,
      );
  }
  const need = <K extends "unit" | "area" | "chit">(key: K): string => {
    const v = d[key];
    if (v === undefined) throw bad(`decision.${key}`, `the decision ${d.kind} needs it`);
    return v;
  };
  const area = (): number => areaIndex(tables, need("area"), "decision.area");
  /** The area `a` that another key names; if the decision names one too, it is the same. */
  const given = (what: string, a: number): number => {
    if (d.area !== undefined && area() !== a)
      throw bad("decision.area", `${what} in area ${tables.data.areaIds[a]!}, not in area ${d.area}`);
    return a;
  };
  switch (kind) {
    case DECISION.setupPlace:
    case DECISION.reinfArea:
      return ask(s, kind, -1, unitSlot(tables, need("unit"), "decision.unit", "Soviet"));
    case DECISION.gerPlace:
      return ask(s, kind, -1, unitSlot(tables, need("unit"), "decision.unit", "German"));
    case DECISION.chitPlace:
      return ask(s, kind, -1, -1, d.chit === undefined ? firstInHand(s) : chitSlot(tables, d.chit, "decision.chit"));
    case DECISION.sovDest: {
      const id = need("unit");
      const c = tables.data.chitIds.indexOf(id);
      return ask(s, kind, -1, c >= 0 ? UNITS + c : unitSlot(tables, id, "decision.unit", "Soviet"));
    }
    case DECISION.gerStep: {
      const u = unitSlot(tables, need("unit"), "decision.unit", "German");
      ask(s, kind, -1, u);
      s[L.decisionMp] = d.mp ?? tables.data.mp[u]!;
      s[L.decisionIsFirstStep] = (d.first ?? s[L.decisionMp] === tables.data.mp[u]!) ? 1 : 0;
      return;
    }
    case DECISION.cmdUnit:
      if (s[L.commandArea] === 0) {
        s[L.commandArea] = area() + 1;
        s[L.commandModifier] = d.drm ?? 0;
        checkModifier(tables, "decision.drm", s[L.commandModifier]!);
      }
      return ask(s, kind, given("the command is", s[L.commandArea]! - 1));
    case DECISION.sniperTarget:
    case DECISION.molotovTarget:
    case DECISION.ambushTarget:
      return readTarget(tables, s, kind, area(), chitSlot(tables, need("chit"), "decision.chit"));
    case DECISION.atTarget:
      return ask(s, kind, area(), unitSlot(tables, need("unit"), "decision.unit", "Soviet"));
    case DECISION.btDest:
    case DECISION.btUnit:
      if (s[L.breakthroughFrom] === 0) s[L.breakthroughFrom] = area() + 1;
      if (kind === DECISION.btUnit && s[L.breakthroughTo] === 0)
        throw bad("breakthrough.dest", "bt-unit comes after the destination is chosen");
      return ask(s, kind, given("the breakthrough begins", s[L.breakthroughFrom]! - 1));
    case DECISION.gerExcess:
    case DECISION.sovExcess:
      return ask(s, kind, area());
    default:
      return ask(s, kind, stage === undefined ? -1 : given("the combat goes on", s[L.combatArea]! - 1));
  }
}

function readTarget(tables: Tables, s: State, kind: number, a: number, c: number): void {
  const chitKind =
    kind === DECISION.sniperTarget ? CHIT.sniper : kind === DECISION.molotovTarget ? CHIT.molotov : CHIT.ambush;
  if (chitPlaceOf(s, c) !== a || tables.data.chitKind[c] !== chitKind || germansIn(s, a) === 0)
    throw bad("decision.chit", `${tables.data.chitIds[c]!} does not shoot in area ${tables.data.areaIds[a]!}`);
  if (s[L.eventArea] === 0) {
    s[L.eventArea] = a + 1;
    s[L.eventsAfterBreakthrough] = phaseOf(s) === PHASE.combat ? 1 : 0;
    for (let i = c; i < CHITS; i++) {
      const k = tables.data.chitKind[i]!;
      const resolves = k === CHIT.sniper || k === CHIT.molotov || k === CHIT.ambush || k === CHIT.dummy;
      if (resolves && chitPlaceOf(s, i) === a) s[L.eventChitsLeft]! |= 1 << i;
    }
  }
  if (s[L.eventArea] !== a + 1 || ((s[L.eventChitsLeft]! >> c) & 1) === 0)
    throw bad("events.todo", `${tables.data.chitIds[c]!} has nothing to do`);
  ask(s, kind, a, -1, c);
}
