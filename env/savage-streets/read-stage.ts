import type { State } from "../core/layout.js";
import { CHIT, type Rules } from "./data.js";
import { DIE_KINDS } from "./notation.js";
import { areaIndex, bad, chitSlot, type PositionDocument, unitSlot } from "./position-schema.js";
import { firstInHand } from "./rules/chits.js";
import {
  ANSWER,
  ask,
  chitPlaceOf,
  CHITS,
  deciderOf,
  F,
  FUTURE,
  GERMAN,
  GERMANS,
  germansIn,
  HAND,
  HIT_NAMES,
  KIND,
  KIND_NAMES,
  L,
  PHASE,
  PHASE_NAMES,
  phaseOf,
  placeOf,
  STAGE,
  STAGE_NAMES,
  UNITS,
  unitHas,
  WAITING,
} from "./state.js";

const answer = (v: boolean | null | undefined): number =>
  v === undefined || v === null ? ANSWER.open : v ? ANSWER.yes : ANSWER.no;

/** Phases a kind of decision can stand in. */
const PHASES: Readonly<Record<number, readonly number[]>> = {
  [KIND.setupPlace]: [PHASE.setup],
  [KIND.gerPlace]: [PHASE.gerReinf],
  [KIND.gerExcess]: [PHASE.gerReinf, PHASE.gerMove],
  [KIND.reinfPick]: [PHASE.sovReinf],
  [KIND.reinfArea]: [PHASE.sovReinf],
  [KIND.chitPlace]: [PHASE.chits],
  [KIND.sovPick]: [PHASE.sovMove],
  [KIND.sovDest]: [PHASE.sovMove],
  [KIND.sovExcess]: [PHASE.sovMove],
  [KIND.gerPick]: [PHASE.gerMove],
  [KIND.gerStep]: [PHASE.gerMove],
  [KIND.cmdArea]: [PHASE.gerMove],
  [KIND.cmdUnit]: [PHASE.gerMove],
  [KIND.sniperTarget]: [PHASE.events, PHASE.combat],
  [KIND.molotovTarget]: [PHASE.events, PHASE.combat],
  [KIND.ambushTarget]: [PHASE.events, PHASE.combat],
};

/** Stage of the combat that a decision belongs to. */
const STAGES: Readonly<Record<number, number>> = {
  [KIND.stuka]: STAGE.stuka,
  [KIND.atTarget]: STAGE.at,
  [KIND.schwere]: STAGE.decl,
  [KIND.pionier]: STAGE.decl,
  [KIND.engineer]: STAGE.decl,
  [KIND.diePionier]: STAGE.mods,
  [KIND.dieArmor]: STAGE.mods,
  [KIND.dieEngineer]: STAGE.mods,
  [KIND.sovHit]: STAGE.sovHits,
  [KIND.gerHit]: STAGE.gerHits,
};

/** Reads what is under way: events, command, breakthrough, combat, decision. @returns true when there is a decision */
export function readStage(r: Rules, d: PositionDocument, s: State): boolean {
  readEvents(r, d, s);
  if (d.command) {
    s[L.cmdArea] = areaIndex(r, d.command.area, "command.area") + 1;
    s[L.cmdDrm] = d.command.drm ?? 0;
  }
  if (d.breakthrough) {
    const a = areaIndex(r, d.breakthrough.area, "breakthrough.area");
    s[L.btArea] = a + 1;
    if (d.breakthrough.dest) s[L.btDest] = areaIndex(r, d.breakthrough.dest, "breakthrough.dest") + 1;
    (d.breakthrough.units ?? []).forEach((id, k) => {
      const u = unitSlot(r, id, `breakthrough.units[${k}]`, "German");
      if (placeOf(s, u) !== a) throw bad(`breakthrough.units[${k}]`, `${id} is not in area ${d.breakthrough!.area}`);
      s[L.btUnits]! |= 1 << u;
    });
  }
  readCombat(r, d, s);
  if (!d.decision) return false;
  readDecision(r, d.decision, s);
  return true;
}

function readEvents(r: Rules, d: PositionDocument, s: State): void {
  if (!d.events) return;
  const a = areaIndex(r, d.events.area, "events.area");
  s[L.evArea] = a + 1;
  s[L.evBreakthrough] = d.events.breakthrough === true ? 1 : 0;
  (d.events.todo ?? []).forEach((id, k) => {
    const c = chitSlot(r, id, `events.todo[${k}]`);
    if (chitPlaceOf(s, c) !== a) throw bad(`events.todo[${k}]`, `${id} is not in area ${d.events!.area}`);
    s[L.evTodo]! |= 1 << c;
  });
  for (const [chit, unit] of Object.entries(d.events.targets ?? {})) {
    const c = chitSlot(r, chit, `events.targets.${chit}`);
    if (chitPlaceOf(s, c) !== a || r.data.chitKind[c] !== CHIT.ambush)
      throw bad(`events.targets.${chit}`, `it is no ambush in area ${d.events.area}`);
    s[L.evTarget + c] = unitSlot(r, unit, `events.targets.${chit}`, "German") + 1;
  }
}

function readCombat(r: Rules, d: PositionDocument, s: State): void {
  const c = d.combat;
  if (!c) return;
  if (phaseOf(s) !== PHASE.combat) throw bad("combat", "a combat goes on in the phase combat only");
  const a = areaIndex(r, c.area, "combat.area");
  s[L.cbArea] = a + 1;
  s[L.cbStage] = STAGE_NAMES.indexOf(c.stage);
  s[L.cbStuka] = answer(c.stuka);
  s[L.cbSchwere] = answer(c.schwere);
  s[L.cbPionier] = answer(c.pionier);
  s[L.cbEngineer] = answer(c.engineer);
  for (const [gun, target] of Object.entries(c.targets ?? {}))
    s[L.cbTarget + unitSlot(r, gun, `combat.targets.${gun}`, "Soviet") - GERMANS] =
      unitSlot(r, target, `combat.targets.${gun}`, "German") + 1;
  for (const kind of c.done ?? []) s[L.cbDone]! |= 1 << DIE_KINDS.indexOf(kind);
  const g = c.germanDice ?? [];
  const v = c.sovietDice ?? [];
  if (s[L.cbStage]! >= STAGE.mods && (g.length === 0 || v.length === 0))
    throw bad("combat.germanDice", `stage ${c.stage} comes after the dice, and both sides roll some`);
  g.forEach((x, i) => (s[L.gerDice + i] = x));
  v.forEach((x, i) => (s[L.sovDice + i] = x));
  s[L.gerDiceN] = g.length;
  s[L.sovDiceN] = v.length;
  s[L.gerTotal] = c.totals?.[0] ?? 0;
  s[L.sovTotal] = c.totals?.[1] ?? 0;
  s[L.cbWinner] = c.winner === "G" ? 1 : c.winner === "S" ? 2 : 0;
  if (s[L.cbStage]! >= STAGE.sovHits && s[L.cbWinner] === 0)
    throw bad("combat.winner", `stage ${c.stage} comes after the combat is decided`);
  s[L.cbSovHits] = c.sovietHits ?? 0;
  (c.germanHits ?? []).forEach((h, i) => (s[L.gerHits + i] = HIT_NAMES.indexOf(h)));
  s[L.gerHitsN] = (c.germanHits ?? []).length;
  s[L.cbMustHq] = c.mustHq === true ? 1 : 0;
  s[L.cbMustPionier] = c.mustPionier === true ? 1 : 0;
  if (c.firstHit) s[L.cbFirstHit] = unitSlot(r, c.firstHit, "combat.firstHit", "German") + 1;
  s[L.cbEngineerFirst] = c.engineerFirst === true ? 1 : 0;
  s[L.cbBreakthrough] = c.breakthrough === true ? 1 : 0;
}

function readDecision(r: Rules, d: NonNullable<PositionDocument["decision"]>, s: State): void {
  const kind = KIND_NAMES.indexOf(d.kind as (typeof KIND_NAMES)[number]) + 1;
  if (kind === 0) throw bad("decision.kind", `there is no decision ${d.kind}`);
  const actor = deciderOf(kind) === GERMAN ? "G" : "S";
  if (d.actor !== actor) throw bad("decision.actor", `${d.kind} is a decision of ${actor}, not of ${d.actor}`);
  if (r.solo && actor === "S") throw bad("decision.kind", "in the solitaire game the Soviet side decides nothing");
  if (r.solo ? kind === KIND.gerPick : kind === KIND.cmdArea || kind === KIND.cmdUnit)
    throw bad("decision.kind", `${d.kind} does not occur in mode ${r.solo ? "solo" : "duel"}`);
  const phases = PHASES[kind] ?? [PHASE.combat];
  if (!phases.includes(phaseOf(s)))
    throw bad(
      "decision.kind",
      `${d.kind} belongs to the phase ${phases.map((p) => PHASE_NAMES[p]!).join(" or ")}, not ${PHASE_NAMES[phaseOf(s)]!}`,
    );
  const stage = STAGES[kind];
  if (stage !== undefined) {
    if (s[L.cbArea] === 0) throw bad("combat", `the decision ${d.kind} needs the combat`);
    if (s[L.cbStage] !== stage)
      throw bad(
        "combat.stage",
        `${d.kind} is decided in stage ${STAGE_NAMES[stage]!}, not ${STAGE_NAMES[s[L.cbStage]!]!}`,
      );
  }
  const need = <K extends "unit" | "area" | "chit">(key: K): string => {
    const v = d[key];
    if (v === undefined) throw bad(`decision.${key}`, `the decision ${d.kind} needs it`);
    return v;
  };
  const area = (): number => areaIndex(r, need("area"), "decision.area");
  switch (kind) {
    case KIND.setupPlace:
    case KIND.reinfArea: {
      const u = unitSlot(r, need("unit"), "decision.unit", "Soviet");
      if (placeOf(s, u) !== (kind === KIND.setupPlace ? FUTURE : WAITING) || unitHas(s, u, F.tried))
        throw bad("decision.unit", `${d.unit} is not there to be placed`);
      return ask(s, kind, -1, u);
    }
    case KIND.gerPlace: {
      const u = unitSlot(r, need("unit"), "decision.unit", "German");
      if (placeOf(s, u) !== FUTURE) throw bad("decision.unit", `${d.unit} is not there to be placed`);
      return ask(s, kind, -1, u);
    }
    case KIND.chitPlace: {
      const c = d.chit === undefined ? firstInHand(s) : chitSlot(r, d.chit, "decision.chit");
      if (c < 0 || chitPlaceOf(s, c) !== HAND || c !== firstInHand(s))
        throw bad("decision.chit", "it is the first chit of the hand");
      return ask(s, kind, -1, -1, c);
    }
    case KIND.sovDest: {
      const id = need("unit");
      const c = r.data.chitIds.indexOf(id);
      return ask(s, kind, -1, c >= 0 ? UNITS + c : unitSlot(r, id, "decision.unit", "Soviet"));
    }
    case KIND.gerStep: {
      const u = unitSlot(r, need("unit"), "decision.unit", "German");
      ask(s, kind, -1, u);
      s[L.dMp] = d.mp ?? r.data.mp[u]!;
      s[L.dFirst] = (d.first ?? s[L.dMp] === r.data.mp[u]!) ? 1 : 0;
      return;
    }
    case KIND.cmdUnit:
      if (s[L.cmdArea] === 0) {
        s[L.cmdArea] = area() + 1;
        s[L.cmdDrm] = d.drm ?? 0;
      }
      return ask(s, kind, s[L.cmdArea]! - 1);
    case KIND.sniperTarget:
    case KIND.molotovTarget:
    case KIND.ambushTarget:
      return readTarget(r, s, kind, area(), chitSlot(r, need("chit"), "decision.chit"));
    case KIND.atTarget:
      return ask(s, kind, area(), unitSlot(r, need("unit"), "decision.unit", "Soviet"));
    case KIND.btDest:
    case KIND.btUnit:
      if (s[L.btArea] === 0) s[L.btArea] = area() + 1;
      if (kind === KIND.btUnit && s[L.btDest] === 0)
        throw bad("breakthrough.dest", "bt-unit comes after the destination is chosen");
      return ask(s, kind, s[L.btArea]! - 1);
    case KIND.gerExcess:
    case KIND.sovExcess:
      return ask(s, kind, area());
    default:
      return ask(s, kind, stage === undefined ? -1 : s[L.cbArea]! - 1);
  }
}

function readTarget(r: Rules, s: State, kind: number, a: number, c: number): void {
  const chitKind = kind === KIND.sniperTarget ? CHIT.sniper : kind === KIND.molotovTarget ? CHIT.molotov : CHIT.ambush;
  if (chitPlaceOf(s, c) !== a || r.data.chitKind[c] !== chitKind || germansIn(s, a) === 0)
    throw bad("decision.chit", `${r.data.chitIds[c]!} does not shoot in area ${r.data.areaIds[a]!}`);
  if (s[L.evArea] === 0) {
    s[L.evArea] = a + 1;
    for (let i = c; i < CHITS; i++) {
      const k = r.data.chitKind[i]!;
      const resolves = k === CHIT.sniper || k === CHIT.molotov || k === CHIT.ambush || k === CHIT.dummy;
      if (resolves && chitPlaceOf(s, i) === a) s[L.evTodo]! |= 1 << i;
    }
  }
  if (s[L.evArea] !== a + 1 || ((s[L.evTodo]! >> c) & 1) === 0)
    throw bad("events.todo", `${r.data.chitIds[c]!} has nothing to do`);
  ask(s, kind, a, -1, c);
}
