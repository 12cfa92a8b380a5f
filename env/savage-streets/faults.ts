import { type Fault, fault } from "../core/decision.js";
import { oneOf } from "../core/errors.js";
import type { StateView } from "../core/layout.js";
import { CHIT, isArmed, TYPE, type Tables } from "./data.js";
import { modifierFault } from "./decisions/held.js";
import { hiddenByPublicLog } from "./public-log.js";
import { breakthroughTargets, mayBreakThrough } from "./rules/breakthrough.js";
import { chitLimit, germanStackFits, sovietStackFits } from "./rules/counters.js";
import {
  ANSWER,
  type AreaId,
  AREAS,
  breakthroughEnd,
  breakthroughStart,
  chitHas,
  chitPlaceOf,
  CHITS,
  chitsIn,
  combatAreaOf,
  commandAreaOf,
  eventAreaOf,
  FIRST_AREA,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMAN,
  GERMANS,
  germansIn,
  HIT,
  HIT_NAMES,
  L,
  NO_UNIT,
  PHASE,
  phaseOf,
  placeOf,
  sovietCounterIn,
  sovietOf,
  SOVIETS,
  STAGE,
  STAGE_NAMES,
  unitHas,
  type UnitId,
  UNITS,
} from "./state.js";

/**
 * Why a state can't be one of the game, and where its document shows it; or null. The reader refuses what has one, in
 * three parts as it reads them, and play never reaches one.
 */
export const stateFault = (tables: Tables, s: StateView): Fault | null =>
  countersFault(tables, s) ?? publicLogFault(tables, s) ?? proceduresFault(tables, s);

/** True when commands are given in this phase. */
const givesCommands = (tables: Tables, s: StateView): boolean => tables.solo && phaseOf(s) === PHASE.gerMove;

/** Events, a command, a breakthrough or a combat that cannot be under way in this phase, or not so. */
export function proceduresFault(tables: Tables, s: StateView): Fault | null {
  if (s[L.areaQueue] !== 0 && phaseOf(s) !== PHASE.events && !givesCommands(tables, s))
    return fault("queue", "areas wait in the phase events, or in mode solo are closed in the phase ger-move");
  return (
    eventsFault(tables, s) ??
    commandFault(tables, s) ??
    breakthroughFault(tables, s) ??
    chitsFault(tables, s) ??
    (s[L.combatArea] === 0 ? null : combatFault(tables, s))
  );
}

function commandFault(tables: Tables, s: StateView): Fault | null {
  if (s[L.commandArea] === 0) return null;
  if (!givesCommands(tables, s))
    return fault("command", "commands are given in mode solo, in the phase ger-move, only");
  const a = commandAreaOf(s);
  if ((s[L.areaQueue]! >> a) & 1) return fault("command.area", `area ${tables.data.areaIds[a]!} is closed`);
  const wrong = modifierFault(tables, s[L.commandModifier]!);
  return wrong === null ? null : fault("command.drm", wrong);
}

function eventsFault(tables: Tables, s: StateView): Fault | null {
  const a = eventAreaOf(s);
  if (a < 0) return null;
  const id = tables.data.areaIds[a]!;
  const phase = phaseOf(s);
  if (phase !== PHASE.events && phase !== PHASE.combat)
    return fault("events", "events are resolved in the phases events and combat only");
  if (phase === PHASE.combat && s[L.combatArea] !== 0)
    return fault("combat", `it begins when the events of area ${id} are over`);
  const broke = s[L.eventsAfterBreakthrough] === 1;
  if (phase === PHASE.combat ? !broke : broke && !tables.dummyAtOnce)
    return fault(
      "events.breakthrough",
      `in the phase ${phase === PHASE.combat ? "combat it is true" : "events it is false"}`,
    );
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const u = (s[L.ambushTarget + c]! - 1) as UnitId;
    if (u < 0) continue;
    const path = `events.targets.${tables.data.chitIds[c]!}`;
    if (placeOf(s, u) !== a || tables.data.type[u] === TYPE.hq)
      return fault(
        path,
        `${tables.data.unitIds[u]!} is no target in area ${id}: a German unit there that is no HQ is one`,
      );
    if ((s[L.eventChitsLeft]! >> c) & 1) return fault(path, "it is in events.todo too, and so has no target yet");
  }
  return null;
}

function breakthroughFault(tables: Tables, s: StateView): Fault | null {
  const a = breakthroughStart(s);
  if (a < 0) return null;
  const id = tables.data.areaIds[a]!;
  if (phaseOf(s) !== PHASE.combat && !(tables.dummyAtOnce && phaseOf(s) === PHASE.events))
    return fault(
      "breakthrough",
      `a breakthrough is made in the phase combat${tables.dummyAtOnce ? " or events" : ""} only`,
    );
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if ((s[L.breakthroughUnits]! >> u) & 1 && unitHas(s, u, FLAG.brokeThrough))
      return fault(
        `breakthrough.units[${countBits(s[L.breakthroughUnits]! & ((1 << u) - 1))}]`,
        `${tables.data.unitIds[u]!} has broken through this turn`,
      );
  let able = false;
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (mayBreakThrough(s, u, a)) able = true;
  const targets = breakthroughTargets(tables, s, a);
  if (!able || targets === 0) return fault("breakthrough.area", `no unit can break through from area ${id}`);
  const to = breakthroughEnd(s);
  if (to >= 0 && ((targets >> to) & 1) === 0)
    return fault(
      "breakthrough.dest",
      `from area ${id} units break through to ${oneOf(tables.data.areaIds.filter((_, b) => (targets >> b) & 1))}`,
    );
  if (to < 0 && s[L.breakthroughUnits] !== 0) return fault("breakthrough.units", "they follow the destination");
  if (s[L.combatArea] !== 0 && (s[L.combatArea] !== a + 1 || s[L.combatStage] !== STAGE.fin))
    return fault("combat", `a breakthrough follows a combat in area ${id} in stage fin`);
  return null;
}

/**
 * In the phase combat a chit but a strongpoint is face up only until the combat of its area is over. Rule: SS 6.2, SS
 * 6.3, SS 6.6
 */
function chitsFault(tables: Tables, s: StateView): Fault | null {
  if (phaseOf(s) !== PHASE.combat) return null;
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const a = chitPlaceOf(s, c);
    if (a >= AREAS || !chitHas(s, c, FLAG.faceUp) || tables.data.chitKind[c] === CHIT.strongpoint) continue;
    if ((s[L.pendingCombats]! >> a) & 1 || combatAreaOf(s) === a || eventAreaOf(s) === a) continue;
    return fault(
      `areas.${tables.data.areaIds[a]!}.chits`,
      `${tables.data.chitIds[c]!} is face up, and no combat is to come there`,
    );
  }
  return null;
}

const countBits = (mask: number): number => {
  let n = 0;
  for (let m = mask; m !== 0; m &= m - 1) n++;
  return n;
};

/** What a combat has from a stage on only: its key, what comes first, and whether it is there. */
const EARLY: readonly (readonly [before: number, key: string, comes: string, is: (s: StateView) => boolean])[] = [
  [STAGE.mods, "germanDice", "the dice", (s) => s[L.germanDiceCount]! > 0],
  [STAGE.mods, "sovietDice", "the dice", (s) => s[L.sovietDiceCount]! > 0],
  [STAGE.mods, "totals", "the dice", (s) => s[L.germanTotal]! + s[L.sovietTotal]! > 0],
  [STAGE.mods, "done", "the dice", (s) => s[L.dieChoicesDone] !== 0],
  [STAGE.sovHits, "winner", "the combat is decided", (s) => s[L.combatWinner] !== 0],
  [STAGE.sovHits, "sovietHits", "the combat is decided", (s) => s[L.sovietLossesLeft] !== 0],
  [STAGE.sovHits, "germanHits", "the combat is decided", (s) => s[L.germanHitCount] !== 0],
  [STAGE.sovHits, "mustHq", "the combat is decided", (s) => s[L.hqMustTakeHit] !== 0],
  [STAGE.sovHits, "mustPionier", "the combat is decided", (s) => s[L.pionierMustTakeHit] !== 0],
  [STAGE.sovHits, "engineerFirst", "the combat is decided", (s) => s[L.engineerTakesNextLoss] !== 0],
  [STAGE.sovHits, "breakthrough", "the combat is decided", (s) => s[L.breakthroughEarned] !== 0],
  [STAGE.gerHits, "firstHit", "the German hits", (s) => s[L.firstHitUnit] !== 0],
];

/** Rule: SS 7.0 to SS 7.32; ruling R19: the order. */
function combatFault(tables: Tables, s: StateView): Fault | null {
  const a = combatAreaOf(s);
  const id = tables.data.areaIds[a]!;
  const stage = s[L.combatStage]!;
  if ((s[L.pendingCombats]! >> a) & 1) return fault("pending", `the combat in area ${id} has begun, it waits no more`);
  if (stage < STAGE.fin && germansIn(s, a) === 0 && s[L.germanHitCount] === 0)
    return fault("combat.area", `there are no German units in area ${id}`);
  const [g, v] = [s[L.germanDiceCount]!, s[L.sovietDiceCount]!];
  const early = EARLY.find(([before, , , is]) => stage < before && is(s));
  if (early !== undefined) return fault(`combat.${early[1]}`, `stage ${STAGE_NAMES[stage]!} comes before ${early[2]}`);
  const wrong = gunsFault(tables, s, a) ?? (stage >= STAGE.sovHits ? outcomeFault(s, g, v) : null);
  if (wrong !== null) return wrong;
  if (stage > STAGE.sovHits && s[L.sovietLossesLeft] !== 0)
    return fault("combat.sovietHits", `stage ${STAGE_NAMES[stage]!} comes after the Soviet losses`);
  return null;
}

/** Rule: SS 9.3. */
function gunsFault(tables: Tables, s: StateView, a: AreaId): Fault | null {
  for (let i = 0; i < SOVIETS; i++) {
    const u = (s[L.gunTarget + i]! - 1) as UnitId;
    if (u < 0) continue;
    const gun = tables.data.unitIds[sovietOf(i)]!;
    const id = tables.data.areaIds[a]!;
    if (s[L.combatStage] !== STAGE.at) return fault(`combat.targets.${gun}`, "guns are aimed in stage at only");
    if (placeOf(s, sovietOf(i)) !== a || !isArmed(tables.data, sovietOf(i)))
      return fault(`combat.targets.${gun}`, `it is no tank or gun in area ${id}`);
    if (placeOf(s, u) !== a || tables.data.type[u] !== TYPE.armor)
      return fault(`combat.targets.${gun}`, `${tables.data.unitIds[u]!} is no German armour in area ${id}`);
  }
  return null;
}

/**
 * Winner and hits by the dice; a tie may have been broken by what is gone now. Rule: SS 7.2, SS 7.3, SS 6.6, SS 9.6.
 */
function outcomeFault(s: StateView, g: number, v: number): Fault | null {
  const german = Array.from({ length: g }, (_, i) => s[L.germanDice + i]!);
  const soviet = Array.from({ length: v }, (_, i) => s[L.sovietDice + i]!);
  const [high, low] = [Math.max(...german), Math.max(...soviet)];
  const count = (dice: readonly number[], least: number): number => dice.filter((d) => d >= least).length;
  const edge = high !== low ? high - low : count(german, high) - count(soviet, high);
  const won = s[L.combatWinner] === GERMAN + 1;
  if (edge !== 0 && won !== edge > 0)
    return fault("combat.winner", `the dice make ${edge > 0 ? "G" : "S"} the winner, not ${won ? "G" : "S"}`);
  const most = won ? count(german, low) : 0;
  if (s[L.sovietLossesLeft]! > most)
    return fault("combat.sovietHits", `the dice make ${most} hits on the Soviet side, not ${s[L.sovietLossesLeft]}`);
  if (s[L.engineerTakesNextLoss] === 1 && !(won && s[L.combatEngineer] === ANSWER.yes))
    return fault("combat.engineerFirst", "Engineers take the first loss when they were committed and G has won");
  if (s[L.pionierMustTakeHit] === 1 && (won || s[L.combatPionier] !== ANSWER.yes))
    return fault("combat.mustPionier", "Pioniers take a hit when they were committed and S has won");
  if (s[L.breakthroughEarned] === 1 && !won) return fault("combat.breakthrough", "G breaks through when it has won");
  for (let i = 0; i < s[L.germanHitCount]!; i++) {
    const hit = s[L.germanHits + i]!;
    const needs = (what: string) => fault(`combat.germanHits[${i}]`, `${HIT_NAMES[hit]!} needs ${what}`);
    const before = i > 0 ? s[L.germanHits + i - 1]! : -1;
    if (hit < before || (hit === before && hit !== HIT.counterattack))
      return fault(
        `combat.germanHits[${i}]`,
        `they are one base, one extra and ca, in this order, not ${HIT_NAMES[hit]!}`,
      );
    if (hit === HIT.base && s[L.firstHitUnit] !== 0) return needs("no unit in firstHit: it took that one");
    if (hit === HIT.extra && s[L.combatSchwere] !== ANSWER.yes) return needs("schwere to be true");
    if (hit === HIT.counterattack && won) return needs("a combat that S has won");
  }
  return null;
}

/**
 * Stacking, faces and marks that cannot occur in the phase. A side may overstack while it moves or enters
 * (ruling R11).
 */
export function countersFault(tables: Tables, s: StateView): Fault | null {
  const phase = phaseOf(s);
  const fighting = phase === PHASE.events || phase === PHASE.combat;
  for (let a = FIRST_AREA; a < AREAS; a++) {
    const at = `areas.${tables.data.areaIds[a]!}`;
    if (phase !== PHASE.gerReinf && phase !== PHASE.gerMove && !germanStackFits(tables, s, a, NO_UNIT))
      return fault(`${at}.german`, `${germansIn(s, a)} German units break the stacking limit`);
    if (phase !== PHASE.sovMove && !sovietStackFits(tables, s, a, NO_UNIT))
      return fault(`${at}.soviet`, `${s[L.soviets + a]!} Soviet units break the stacking limit`);
    if (phase !== PHASE.sovMove && chitsIn(s, a) > chitLimit(tables))
      return fault(`${at}.chits`, `${chitsIn(s, a)} chits are more than ${chitLimit(tables)}`);
    if ((s[L.pendingCombats]! >> a) & 1 && !(germansIn(s, a) > 0 && sovietCounterIn(s, a)))
      return fault("pending", `there is no combat in area ${tables.data.areaIds[a]!}`);
    if ((s[L.freeBreakthroughs]! >> a) & 1 && germansIn(s, a) === 0)
      return fault("free", `there is no German unit in area ${tables.data.areaIds[a]!}`);
  }
  if ((s[L.pendingCombats] !== 0 || s[L.freeBreakthroughs] !== 0) && !fighting)
    return fault(
      s[L.pendingCombats] !== 0 ? "pending" : "free",
      "combats and breakthroughs wait in the phases events and combat only",
    );
  for (let u = GERMANS; u < UNITS; u++) {
    const a = placeOf(s, u);
    if (a >= AREAS) continue;
    const at = `areas.${tables.data.areaIds[a]!}.soviet`;
    const up = unitHas(s, u, FLAG.faceUp);
    if (phase === PHASE.setup && (up || tables.data.entryTurn[u] !== 0))
      return fault(at, `${tables.data.unitIds[u]!} can't be there ${up ? "face-up " : ""}during setup`);
    if (!up && fighting && germansIn(s, a) > 0)
      return fault(at, `${tables.data.unitIds[u]!} is face-down among Germans after their movement`);
  }
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const a = chitPlaceOf(s, c);
    if (a >= AREAS) continue;
    const at = `areas.${tables.data.areaIds[a]!}.chits`;
    const up = chitHas(s, c, FLAG.faceUp);
    if (!up && fighting && germansIn(s, a) > 0)
      return fault(at, `${tables.data.chitIds[c]!} is face-down among Germans after their movement`);
    if (up && tables.data.chitKind[c] !== CHIT.strongpoint && !(fighting && germansIn(s, a) > 0))
      return fault(at, `${tables.data.chitIds[c]!} can be face-up only beside Germans in the phases events and combat`);
  }
  if (phase === PHASE.setup && s[L.turn] !== 1) return fault("turn", "setup is in turn 1");
  return null;
}

/** Face-down units, or chits, of an area. */
export function countHidden(s: StateView, a: AreaId, units: boolean): number {
  let n = 0;
  if (units) for (let u = GERMANS; u < UNITS; u++) n += placeOf(s, u) === a && !unitHas(s, u, FLAG.faceUp) ? 1 : 0;
  else for (let c = FIRST_CHIT; c < CHITS; c++) n += chitPlaceOf(s, c) === a && !chitHas(s, c, FLAG.faceUp) ? 1 : 0;
  return n;
}

/** The ledger accounts for every face-down counter. */
export function publicLogFault(tables: Tables, s: StateView): Fault | null {
  if (phaseOf(s) === PHASE.setup) return null;
  const hidden = hiddenByPublicLog(s);
  for (let a = FIRST_AREA; a < AREAS; a++) {
    const n = hidden[a]!;
    const there = countHidden(s, a, true) + countHidden(s, a, false);
    if (n < 0)
      return fault("ledger", `it takes a face-down counter from area ${tables.data.areaIds[a]!} when none is there`);
    if (n !== there)
      return fault(
        "ledger",
        `by the ledger ${n} counters are face-down in area ${tables.data.areaIds[a]!}, not ${there}`,
      );
  }
  return null;
}
