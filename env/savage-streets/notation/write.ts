import { unordered } from "../../core/describe.js";
import type { Json, JsonObject } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { listedOptions } from "../../core/options.js";
import type { Tables } from "../data.js";
import { deciderOf, decisions } from "../decisions/index.js";
import { publicLogDocument } from "./public-log.js";
import {
  ANSWER,
  type AreaId,
  type ChitId,
  CHITS,
  CONTROL,
  controlOf,
  DEAD,
  DECISION,
  DECISION_NAMES,
  decisionOf,
  eventAreaOf,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  FUTURE,
  GERMAN,
  GERMANS,
  HAND,
  HIT_NAMES,
  L,
  PHASE_NAMES,
  phaseOf,
  PILE,
  SOVIETS,
  STAGE_NAMES,
  type UnitId,
  UNITS,
  WAITING,
} from "../state.js";

/** Letters of flags, in alphabetical order. */
export const UNIT_LETTERS: readonly (readonly [string, number])[] = [
  ["b", FLAG.brokeThrough],
  ["d", FLAG.depleted],
  ["f", FLAG.commandFailed],
  ["m", FLAG.moved],
  ["n", FLAG.revealedThisTurn],
  ["s", FLAG.suppressed],
  ["u", FLAG.faceUp],
];
const CONTROL_NAMES = [null, "S", "G", "C"] as const;

export function flagged(name: string, flags: number): string {
  let letters = "";
  for (const [letter, bit] of UNIT_LETTERS) if (flags & bit) letters += letter;
  return letters === "" ? name : `${name}:${letters}`;
}

/** Unit ids at a place, in slot order. */
const unitsAt = (tables: Tables, s: StateView, place: AreaId): string[] =>
  tables.data.unitIds.filter((_, u) => s[L.unitPlace + u] === place);

/** Slots at a place in stack order. */
export function stack<I extends number>(
  s: StateView,
  places: number,
  ranks: number,
  first: I,
  end: number,
  place: AreaId,
): I[] {
  const found: I[] = [];
  for (let i = first; i < end; i++) if (s[places + i] === place) found.push(i);
  return found.sort((x, y) => s[ranks + x]! - s[ranks + y]! || x - y);
}

export const unitStack = (s: StateView, first: UnitId, end: number, a: AreaId): UnitId[] =>
  stack(s, L.unitPlace, L.unitRank, first, end, a);
export const chitStack = (s: StateView, place: AreaId): ChitId[] =>
  stack(s, L.chitPlace, L.chitRank, FIRST_CHIT, CHITS, place);
export const areaList = (tables: Tables, mask: number): string[] =>
  tables.data.areaIds.filter((_, a) => (mask >> a) & 1);
export const idOrNull = (ids: readonly string[], word: number): string | null => (word === 0 ? null : ids[word - 1]!);

/** A unit or chit by the code of `dUnit`. */
export const counterId = (tables: Tables, word: number): string | null =>
  word > UNITS ? tables.data.chitIds[word - UNITS - 1]! : idOrNull(tables.data.unitIds, word);

/** The public part of the position, without face-down counters. */
export function publicParts(tables: Tables, s: StateView): Record<string, Json> {
  const { mode, ...options } = listedOptions(tables.options);
  return {
    game: "savage-streets",
    mode: mode!,
    options,
    turn: s[L.turn]!,
    phase: PHASE_NAMES[phaseOf(s)]!,
    result: s[L.result] === 0 ? null : s[L.result] === GERMAN + 1 ? "G" : "S",
    stuka: s[L.stuka] === 1,
    schwereAvailable: s[L.schwere] === 1,
    pending: areaList(tables, s[L.pendingCombats]!),
    free: areaList(tables, s[L.freeBreakthroughs]!),
    queue: areaList(tables, s[L.areaQueue]!),
    command:
      s[L.commandArea] === 0
        ? null
        : { area: idOrNull(tables.data.areaIds, s[L.commandArea]!), drm: s[L.commandModifier]! },
    breakthrough: breakthroughDocument(tables, s),
    combat: combatDocument(tables, s),
    ledger: publicLogDocument(tables, s),
  };
}

export function germanList(tables: Tables, s: StateView, a: AreaId): string[] {
  return unitStack(s, FIRST_UNIT, GERMANS, a).map((u) => flagged(tables.data.unitIds[u]!, s[L.unitFlags + u]!));
}

export const controlName = (s: StateView, a: AreaId): string | null =>
  CONTROL_NAMES[controlOf(s, a)] ?? CONTROL_NAMES[CONTROL.none];

function breakthroughDocument(tables: Tables, s: StateView): Json {
  if (s[L.breakthroughFrom] === 0) return null;
  return {
    area: idOrNull(tables.data.areaIds, s[L.breakthroughFrom]!),
    dest: idOrNull(tables.data.areaIds, s[L.breakthroughTo]!),
    units: tables.data.unitIds.filter((_, u) => u < GERMANS && (s[L.breakthroughUnits]! >> u) & 1),
  };
}

const answer = (word: number): boolean | null => (word === ANSWER.open ? null : word === ANSWER.yes);
/** Die kinds by the bits of `cbDone`. */
export const DIE_KINDS = ["die-pionier", "die-armor", "die-engineer"] as const;
const words = (s: StateView, at: number, n: number): number[] => Array.from({ length: n }, (_, i) => s[at + i]!);

function combatDocument(tables: Tables, s: StateView): Json {
  if (s[L.combatArea] === 0) return null;
  const targets: Record<string, string> = {};
  for (let i = 0; i < SOVIETS; i++)
    if (s[L.gunTarget + i] !== 0)
      targets[tables.data.unitIds[GERMANS + i]!] = tables.data.unitIds[s[L.gunTarget + i]! - 1]!;
  const rolled = s[L.germanDiceCount]! > 0;
  return {
    area: idOrNull(tables.data.areaIds, s[L.combatArea]!),
    stage: STAGE_NAMES[s[L.combatStage]!]!,
    stuka: answer(s[L.combatStuka]!),
    schwere: answer(s[L.combatSchwere]!),
    pionier: answer(s[L.combatPionier]!),
    engineer: answer(s[L.combatEngineer]!),
    targets,
    done: DIE_KINDS.filter((_, k) => (s[L.dieChoicesDone]! >> k) & 1),
    germanDice: words(s, L.germanDice, s[L.germanDiceCount]!),
    sovietDice: words(s, L.sovietDice, s[L.sovietDiceCount]!),
    totals: rolled ? [s[L.germanTotal]!, s[L.sovietTotal]!] : null,
    winner: s[L.combatWinner] === 0 ? null : s[L.combatWinner] === GERMAN + 1 ? "G" : "S",
    sovietHits: s[L.sovietLossesLeft]!,
    germanHits: words(s, L.germanHits, s[L.germanHitCount]!).map((h) => HIT_NAMES[h]!),
    mustHq: s[L.hqMustTakeHit] === 1,
    mustPionier: s[L.pionierMustTakeHit] === 1,
    firstHit: idOrNull(tables.data.unitIds, s[L.firstHitUnit]!),
    engineerFirst: s[L.engineerTakesNextLoss] === 1,
    breakthrough: s[L.breakthroughEarned] === 1,
  };
}

export function decisionDocument(tables: Tables, s: StateView): Record<string, Json> | null {
  const kind = decisionOf(s);
  if (kind === DECISION.none) return null;
  const actor = deciderOf(kind) === GERMAN ? "G" : "S";
  return { actor, kind: DECISION_NAMES[kind]!, ...decisions.write(tables, s, kind) };
}

/** The whole position, canonical: every key, lists in index or stack order. */
export function writePosition(tables: Tables, s: StateView): JsonObject {
  const { data } = tables;
  const areas: Record<string, Json> = {};
  data.areaIds.forEach((id, a) => {
    areas[id] = {
      control: controlName(s, a),
      german: germanList(tables, s, a),
      soviet: unitStack(s, GERMANS, UNITS, a).map((u) => flagged(data.unitIds[u]!, s[L.unitFlags + u]!)),
      chits: chitStack(s, a).map((c) => flagged(data.chitIds[c]!, s[L.chitFlags + c]!)),
    };
  });
  const todo = data.chitIds.filter((_, c) => (s[L.eventChitsLeft]! >> c) & 1);
  const targets = Object.fromEntries(
    data.chitIds.flatMap((id, c) =>
      s[L.ambushTarget + c] === 0 ? [] : [[id, data.unitIds[s[L.ambushTarget + c]! - 1]!]],
    ),
  );
  return {
    ...publicParts(tables, s),
    areas,
    hand: chitStack(s, HAND).map((c) => data.chitIds[c]!),
    pile: chitStack(s, PILE).map((c) => data.chitIds[c]!),
    waiting: unitsAt(tables, s, WAITING),
    future: unitsAt(tables, s, FUTURE),
    dead: unitsAt(tables, s, DEAD),
    tried: data.unitIds.filter((_, u) => s[L.unitFlags + u]! & FLAG.triedLanding),
    events:
      s[L.eventArea] === 0
        ? null
        : { area: data.areaIds[eventAreaOf(s)]!, todo, targets, breakthrough: s[L.eventsAfterBreakthrough] === 1 },
    decision: decisionDocument(tables, s),
  };
}

/** Lists whose order matters; the others are sets of `id:flags`, flags in any order. */
const ORDERED: readonly string[] = ["hand", "todo", "germanDice", "sovietDice", "totals", "germanHits"];

/** A list of a position as rule cases compare it. */
export function comparableList(key: string | null, list: readonly Json[]): readonly Json[] {
  if (key !== null && ORDERED.includes(key)) return list;
  return unordered(list.map((x) => (typeof x === "string" ? flagsInOrder(x) : x)));
}

function flagsInOrder(text: string): string {
  const [id, flags] = text.split(":") as [string, string | undefined];
  return flags === undefined ? text : `${id}:${[...flags].sort().join("")}`;
}
