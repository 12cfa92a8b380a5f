import { Play } from "../../core/play.js";
import { KesselError, oneOf } from "../../core/errors.js";
import type { StateView } from "../../core/layout.js";
import { isArmed, TYPE, type Tables } from "../data.js";
import { decisionOfKind } from "../decisions/index.js";
import { modifierFault } from "../decisions/held.js";
import { breakthroughTargets, mayBreakThrough } from "../rules/breakthrough.js";
import { type DrawNames, run } from "../turn/run.js";
import { bad } from "./schema.js";
import { counterId } from "./write.js";
import {
  ANSWER,
  type AreaId,
  askedArea,
  askedChit,
  breakthroughEnd,
  breakthroughStart,
  CHITS,
  clearDecision,
  combatAreaOf,
  commandAreaOf,
  DECISION,
  DECISION_NAMES,
  decisionOf,
  eventAreaOf,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMAN,
  GERMANS,
  germansIn,
  HIT,
  HIT_NAMES,
  L,
  PHASE,
  phaseOf,
  placeOf,
  sovietOf,
  SOVIETS,
  STAGE,
  STAGE_NAMES,
  unitHas,
  type UnitId,
} from "../state.js";

/** Refuses events, a command, a breakthrough or a combat that cannot be under way in this phase, or not so. */
export function checkProcedures(tables: Tables, s: StateView): void {
  const phase = phaseOf(s);
  const commands = tables.solo && phase === PHASE.gerMove;
  if (s[L.areaQueue] !== 0 && phase !== PHASE.events && !commands)
    throw bad("queue", "areas wait in the phase events, or in mode solo are closed in the phase ger-move");
  checkEvents(tables, s);
  if (s[L.commandArea] !== 0) {
    if (!commands) throw bad("command", "commands are given in mode solo, in the phase ger-move, only");
    const a = commandAreaOf(s);
    if ((s[L.areaQueue]! >> a) & 1) throw bad("command.area", `area ${tables.data.areaIds[a]!} is closed`);
    const wrong = modifierFault(tables, s[L.commandModifier]!);
    if (wrong !== null) throw bad("command.drm", wrong);
  }
  checkBreakthrough(tables, s);
  if (s[L.combatArea] !== 0) checkCombat(tables, s);
}

function checkEvents(tables: Tables, s: StateView): void {
  const a = eventAreaOf(s);
  if (a < 0) return;
  const id = tables.data.areaIds[a]!;
  const phase = phaseOf(s);
  if (phase !== PHASE.events && phase !== PHASE.combat)
    throw bad("events", "events are resolved in the phases events and combat only");
  if (phase === PHASE.combat && s[L.combatArea] !== 0)
    throw bad("combat", `it begins when the events of area ${id} are over`);
  const broke = s[L.eventsAfterBreakthrough] === 1;
  if (phase === PHASE.combat ? !broke : broke && !tables.dummyAtOnce)
    throw bad(
      "events.breakthrough",
      `in the phase ${phase === PHASE.combat ? "combat it is true" : "events it is false"}`,
    );
  for (let c = FIRST_CHIT; c < CHITS; c++) {
    const u = (s[L.ambushTarget + c]! - 1) as UnitId;
    if (u < 0) continue;
    const path = `events.targets.${tables.data.chitIds[c]!}`;
    if (placeOf(s, u) !== a || tables.data.type[u] === TYPE.hq)
      throw bad(
        path,
        `${tables.data.unitIds[u]!} is no target in area ${id}: a German unit there that is no HQ is one`,
      );
    if ((s[L.eventChitsLeft]! >> c) & 1) throw bad(path, "it stands in events.todo too, and so has no target yet");
  }
}

function checkBreakthrough(tables: Tables, s: StateView): void {
  const a = breakthroughStart(s);
  if (a < 0) return;
  const id = tables.data.areaIds[a]!;
  if (phaseOf(s) !== PHASE.combat && !(tables.dummyAtOnce && phaseOf(s) === PHASE.events))
    throw bad(
      "breakthrough",
      `a breakthrough is made in the phase combat${tables.dummyAtOnce ? " or events" : ""} only`,
    );
  for (let u = FIRST_UNIT; u < GERMANS; u++)
    if ((s[L.breakthroughUnits]! >> u) & 1 && unitHas(s, u, FLAG.brokeThrough))
      throw bad(
        `breakthrough.units[${countBits(s[L.breakthroughUnits]! & ((1 << u) - 1))}]`,
        `${tables.data.unitIds[u]!} has broken through this turn`,
      );
  let able = false;
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (mayBreakThrough(s, u, a)) able = true;
  const targets = breakthroughTargets(tables, s, a);
  if (!able || targets === 0) throw bad("breakthrough.area", `no unit can break through from area ${id}`);
  const to = breakthroughEnd(s);
  if (to >= 0 && ((targets >> to) & 1) === 0)
    throw bad(
      "breakthrough.dest",
      `from area ${id} units break through to ${oneOf(tables.data.areaIds.filter((_, b) => (targets >> b) & 1))}`,
    );
  if (to < 0 && s[L.breakthroughUnits] !== 0) throw bad("breakthrough.units", "they follow the destination");
  if (s[L.combatArea] !== 0 && (s[L.combatArea] !== a + 1 || s[L.combatStage] !== STAGE.fin))
    throw bad("combat", `a breakthrough follows a combat in area ${id} in stage fin`);
}

const countBits = (mask: number): number => {
  let n = 0;
  for (let m = mask; m !== 0; m &= m - 1) n++;
  return n;
};

/** Rule: SS 7.0 to SS 7.32; ruling R19: the order. */
function checkCombat(tables: Tables, s: StateView): void {
  const a = combatAreaOf(s);
  const id = tables.data.areaIds[a]!;
  const stage = s[L.combatStage]!;
  const name = STAGE_NAMES[stage]!;
  const early = (set: boolean, key: string, what: string): void => {
    if (set) throw bad(`combat.${key}`, `stage ${name} comes before ${what}`);
  };
  if ((s[L.pendingCombats]! >> a) & 1) throw bad("pending", `the combat in area ${id} has begun, it waits no more`);
  if (stage < STAGE.fin && germansIn(s, a) === 0 && s[L.germanHitCount] === 0)
    throw bad("combat.area", `there are no German units in area ${id}`);
  const [g, v] = [s[L.germanDiceCount]!, s[L.sovietDiceCount]!];
  if (stage < STAGE.mods) {
    early(g > 0, "germanDice", "the dice");
    early(v > 0, "sovietDice", "the dice");
    early(s[L.germanTotal]! + s[L.sovietTotal]! > 0, "totals", "the dice");
    early(s[L.dieChoicesDone] !== 0, "done", "the dice");
  }
  if (stage < STAGE.sovHits) {
    early(s[L.combatWinner] !== 0, "winner", "the combat is decided");
    early(s[L.sovietLossesLeft] !== 0, "sovietHits", "the combat is decided");
    early(s[L.germanHitCount] !== 0, "germanHits", "the combat is decided");
    early(s[L.hqMustTakeHit] !== 0, "mustHq", "the combat is decided");
    early(s[L.pionierMustTakeHit] !== 0, "mustPionier", "the combat is decided");
    early(s[L.engineerTakesNextLoss] !== 0, "engineerFirst", "the combat is decided");
    early(s[L.breakthroughEarned] !== 0, "breakthrough", "the combat is decided");
  }
  if (stage < STAGE.gerHits) early(s[L.firstHitUnit] !== 0, "firstHit", "the German hits");
  checkGuns(tables, s, a);
  if (stage >= STAGE.sovHits) checkOutcome(s, g, v);
  if (stage > STAGE.sovHits && s[L.sovietLossesLeft] !== 0)
    throw bad("combat.sovietHits", `stage ${name} comes after the Soviet losses`);
}

/** Rule: SS 9.3. */
function checkGuns(tables: Tables, s: StateView, a: AreaId): void {
  for (let i = 0; i < SOVIETS; i++) {
    const u = (s[L.gunTarget + i]! - 1) as UnitId;
    if (u < 0) continue;
    const gun = tables.data.unitIds[sovietOf(i)]!;
    const id = tables.data.areaIds[a]!;
    if (s[L.combatStage] !== STAGE.at) throw bad(`combat.targets.${gun}`, "guns are aimed in stage at only");
    if (placeOf(s, sovietOf(i)) !== a || !isArmed(tables.data, sovietOf(i)))
      throw bad(`combat.targets.${gun}`, `it is no tank or gun in area ${id}`);
    if (placeOf(s, u) !== a || tables.data.type[u] !== TYPE.armor)
      throw bad(`combat.targets.${gun}`, `${tables.data.unitIds[u]!} is no German armour in area ${id}`);
  }
}

/** Winner and hits by the dice; a tie may have been broken by what is gone now. Rule: SS 7.2, SS 7.3, SS 6.6, SS 9.6. */
function checkOutcome(s: StateView, g: number, v: number): void {
  const german = Array.from({ length: g }, (_, i) => s[L.germanDice + i]!);
  const soviet = Array.from({ length: v }, (_, i) => s[L.sovietDice + i]!);
  const [high, low] = [Math.max(...german), Math.max(...soviet)];
  const count = (dice: readonly number[], least: number): number => dice.filter((d) => d >= least).length;
  const edge = high !== low ? high - low : count(german, high) - count(soviet, high);
  const won = s[L.combatWinner] === GERMAN + 1;
  if (edge !== 0 && won !== edge > 0)
    throw bad("combat.winner", `the dice make ${edge > 0 ? "G" : "S"} the winner, not ${won ? "G" : "S"}`);
  const most = won ? count(german, low) : 0;
  if (s[L.sovietLossesLeft]! > most)
    throw bad("combat.sovietHits", `the dice make ${most} hits on the Soviet side, not ${s[L.sovietLossesLeft]}`);
  if (s[L.engineerTakesNextLoss] === 1 && !(won && s[L.combatEngineer] === ANSWER.yes))
    throw bad("combat.engineerFirst", "Engineers take the first loss when they were committed and G has won");
  if (s[L.pionierMustTakeHit] === 1 && (won || s[L.combatPionier] !== ANSWER.yes))
    throw bad("combat.mustPionier", "Pioniers take a hit when they were committed and S has won");
  if (s[L.breakthroughEarned] === 1 && !won) throw bad("combat.breakthrough", "G breaks through when it has won");
  for (let i = 0; i < s[L.germanHitCount]!; i++) {
    const hit = s[L.germanHits + i]!;
    const fail = (needs: string) => bad(`combat.germanHits[${i}]`, `${HIT_NAMES[hit]!} needs ${needs}`);
    const before = i > 0 ? s[L.germanHits + i - 1]! : -1;
    if (hit < before || (hit === before && hit !== HIT.counterattack))
      throw bad(
        `combat.germanHits[${i}]`,
        `they are one base, one extra and ca, in this order, not ${HIT_NAMES[hit]!}`,
      );
    if (hit === HIT.base && s[L.firstHitUnit] !== 0) throw fail("no unit in firstHit: it took that one");
    if (hit === HIT.extra && s[L.combatSchwere] !== ANSWER.yes) throw fail("schwere to be true");
    if (hit === HIT.counterattack && won) throw fail("a combat that S has won");
  }
}

/** Nothing is drawn here. */
const UNNAMED: DrawNames = { chit: () => "", startUnit: () => "", waiting: [() => "", () => ""] };

/**
 * Refuses a decision that the game does not ask in this position: the game runs on from it without the decision and
 * without dice, and must ask just that.
 */
export function checkAsked(tables: Tables, s: StateView): void {
  const { opener, unasked } = decisionOfKind(decisionOf(s));
  if (unasked === undefined || opener !== undefined) checkNext(tables, s, opener);
  const wrong = unasked?.(tables, s) ?? null;
  if (wrong !== null) throw bad(wrong.path, wrong.reason);
}

/** @param opener the decision to be asked, if it is not the one pending */
function checkNext(tables: Tables, s: StateView, opener: number | undefined): void {
  const kind = decisionOf(s);
  const now = Int32Array.from(s);
  clearDecision(now);
  try {
    run(tables, now, new Play(), UNNAMED, decisionOfKind(kind).afterPicks?.(s) ?? false);
  } catch (e) {
    if (!(e instanceof KesselError) || e.code !== "bad-dice") throw e;
    clearDecision(now); // dice fall first, so nothing is asked
  }
  const asked = decisionOf(now);
  if (asked !== (opener ?? kind) || phaseOf(now) !== phaseOf(s))
    throw bad(
      "decision.kind",
      asked === DECISION.none || phaseOf(now) !== phaseOf(s)
        ? `nothing is asked before the game goes on, so not ${told(tables, s)}`
        : `the game asks ${told(tables, now)} here, not ${told(tables, s)}`,
    );
  if (opener !== undefined) return;
  for (const [key, at] of [
    ["unit", L.decisionUnit],
    ["area", L.decisionArea],
    ["chit", L.decisionChit],
  ] as const)
    if (s[at] !== now[at]) {
      const name = DECISION_NAMES[kind]!;
      throw bad(
        `decision.${key}`,
        `the game asks ${name} ${place(tables, now, key)} here, not ${place(tables, s, key)}`,
      );
    }
}

/** `of UNIT`, `in area AREA` or `of CHIT`, as a decision has it. */
function place(tables: Tables, s: StateView, key: "unit" | "area" | "chit"): string {
  if (key === "unit") return `of ${counterId(tables, s[L.decisionUnit]!)}`;
  if (key === "area") return `in area ${tables.data.areaIds[askedArea(s)]}`;
  return `of ${tables.data.chitIds[askedChit(s)]}`;
}

function told(tables: Tables, s: StateView): string {
  const parts: string[] = [DECISION_NAMES[decisionOf(s)]!];
  if (s[L.decisionUnit] !== 0) parts.push(place(tables, s, "unit"));
  if (s[L.decisionChit] !== 0) parts.push(place(tables, s, "chit"));
  if (s[L.decisionArea] !== 0) parts.push(place(tables, s, "area"));
  return parts.join(" ");
}
