import { unordered } from "../core/describe.js";
import type { Json, JsonObject } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import type { Rules } from "./data.js";
import { ledgerDocument } from "./history.js";
import {
  ANSWER,
  CHITS,
  CONTROL,
  controlOf,
  DEAD,
  deciderOf,
  F,
  FUTURE,
  GERMAN,
  GERMANS,
  HAND,
  HIT_NAMES,
  KIND,
  KIND_NAMES,
  kindOf,
  L,
  PHASE_NAMES,
  phaseOf,
  PILE,
  SOVIETS,
  STAGE_NAMES,
  UNITS,
  WAITING,
} from "./state.js";

/** Letters of flags, in alphabetical order. */
export const UNIT_LETTERS: readonly (readonly [string, number])[] = [
  ["b", F.broke],
  ["d", F.depleted],
  ["f", F.failed],
  ["m", F.moved],
  ["n", F.fresh],
  ["s", F.suppressed],
  ["u", F.faceUp],
];
const CONTROL_NAMES = [null, "S", "G", "C"] as const;
export const SWITCHES = ["engineers", "armor", "antitank", "integrity", "infiltration", "schwere"] as const;

export function flagged(name: string, flags: number): string {
  let letters = "";
  for (const [letter, bit] of UNIT_LETTERS) if (flags & bit) letters += letter;
  return letters === "" ? name : `${name}:${letters}`;
}

/** Unit ids at a place, in slot order. */
const unitsAt = (r: Rules, s: StateView, place: number): string[] =>
  r.data.unitIds.filter((_, u) => s[L.unitPlace + u] === place);

/** Slots at a place in stack order. */
export function stack(
  s: StateView,
  places: number,
  ranks: number,
  first: number,
  end: number,
  place: number,
): number[] {
  const found: number[] = [];
  for (let i = first; i < end; i++) if (s[places + i] === place) found.push(i);
  return found.sort((x, y) => s[ranks + x]! - s[ranks + y]! || x - y);
}

export const unitStack = (s: StateView, first: number, end: number, a: number): number[] =>
  stack(s, L.unitPlace, L.unitRank, first, end, a);
export const chitStack = (s: StateView, place: number): number[] => stack(s, L.chitPlace, L.chitRank, 0, CHITS, place);
export const areaList = (r: Rules, mask: number): string[] => r.data.areaIds.filter((_, a) => (mask >> a) & 1);
export const idOrNull = (ids: readonly string[], word: number): string | null => (word === 0 ? null : ids[word - 1]!);

/** A unit or chit by the code of `dUnit`. */
export const counterId = (r: Rules, word: number): string | null =>
  word > UNITS ? r.data.chitIds[word - UNITS - 1]! : idOrNull(r.data.unitIds, word);

/** What both players may see of the position, as far as it does not touch face-down counters. */
export function publicParts(r: Rules, s: StateView): Record<string, Json> {
  const options = Object.fromEntries(SWITCHES.map((o) => [o, r[o]]));
  return {
    game: "savage-streets",
    mode: r.solo ? "solo" : "duel",
    options,
    turn: s[L.turn]!,
    phase: PHASE_NAMES[phaseOf(s)]!,
    result: s[L.result] === 0 ? null : s[L.result] === GERMAN + 1 ? "G" : "S",
    stuka: s[L.stuka] === 1,
    schwereAvailable: s[L.schwere] === 1,
    pending: areaList(r, s[L.pending]!),
    free: areaList(r, s[L.free]!),
    queue: areaList(r, s[L.queue]!),
    command: s[L.cmdArea] === 0 ? null : { area: idOrNull(r.data.areaIds, s[L.cmdArea]!), drm: s[L.cmdDrm]! },
    breakthrough: breakthroughDocument(r, s),
    combat: combatDocument(r, s),
    ledger: ledgerDocument(r, s),
  };
}

export function germanList(r: Rules, s: StateView, a: number): string[] {
  return unitStack(s, 0, GERMANS, a).map((u) => flagged(r.data.unitIds[u]!, s[L.unitFlags + u]!));
}

export const controlName = (s: StateView, a: number): string | null =>
  CONTROL_NAMES[controlOf(s, a)] ?? CONTROL_NAMES[CONTROL.none];

function breakthroughDocument(r: Rules, s: StateView): Json {
  if (s[L.btArea] === 0) return null;
  return {
    area: idOrNull(r.data.areaIds, s[L.btArea]!),
    dest: idOrNull(r.data.areaIds, s[L.btDest]!),
    units: r.data.unitIds.filter((_, u) => u < GERMANS && (s[L.btUnits]! >> u) & 1),
  };
}

const answer = (word: number): boolean | null => (word === ANSWER.open ? null : word === ANSWER.yes);
/** Die kinds by the bits of `cbDone`. */
export const DIE_KINDS = ["die-pionier", "die-armor", "die-engineer"] as const;
const words = (s: StateView, at: number, n: number): number[] => Array.from({ length: n }, (_, i) => s[at + i]!);

function combatDocument(r: Rules, s: StateView): Json {
  if (s[L.cbArea] === 0) return null;
  const targets: Record<string, string> = {};
  for (let i = 0; i < SOVIETS; i++)
    if (s[L.cbTarget + i] !== 0) targets[r.data.unitIds[GERMANS + i]!] = r.data.unitIds[s[L.cbTarget + i]! - 1]!;
  const rolled = s[L.gerDiceN]! > 0;
  return {
    area: idOrNull(r.data.areaIds, s[L.cbArea]!),
    stage: STAGE_NAMES[s[L.cbStage]!]!,
    stuka: answer(s[L.cbStuka]!),
    schwere: answer(s[L.cbSchwere]!),
    pionier: answer(s[L.cbPionier]!),
    engineer: answer(s[L.cbEngineer]!),
    targets,
    done: DIE_KINDS.filter((_, k) => (s[L.cbDone]! >> k) & 1),
    germanDice: words(s, L.gerDice, s[L.gerDiceN]!),
    sovietDice: words(s, L.sovDice, s[L.sovDiceN]!),
    totals: rolled ? [s[L.gerTotal]!, s[L.sovTotal]!] : null,
    winner: s[L.cbWinner] === 0 ? null : s[L.cbWinner] === GERMAN + 1 ? "G" : "S",
    sovietHits: s[L.cbSovHits]!,
    germanHits: words(s, L.gerHits, s[L.gerHitsN]!).map((h) => HIT_NAMES[h]!),
    mustHq: s[L.cbMustHq] === 1,
    mustPionier: s[L.cbMustPionier] === 1,
    firstHit: idOrNull(r.data.unitIds, s[L.cbFirstHit]!),
    engineerFirst: s[L.cbEngineerFirst] === 1,
    breakthrough: s[L.cbBreakthrough] === 1,
  };
}

export function decisionDocument(r: Rules, s: StateView): Record<string, Json> | null {
  const kind = kindOf(s);
  if (kind === KIND.none) return null;
  const doc: Record<string, Json> = { actor: deciderOf(kind) === GERMAN ? "G" : "S", kind: KIND_NAMES[kind - 1]! };
  if (s[L.dUnit] !== 0) doc["unit"] = counterId(r, s[L.dUnit]!);
  if (s[L.dArea] !== 0) doc["area"] = idOrNull(r.data.areaIds, s[L.dArea]!);
  if (s[L.dChit] !== 0) doc["chit"] = idOrNull(r.data.chitIds, s[L.dChit]!);
  if (kind === KIND.gerStep) {
    doc["mp"] = s[L.dMp]!;
    doc["first"] = s[L.dFirst] === 1;
  }
  if (kind === KIND.cmdUnit) doc["drm"] = s[L.cmdDrm]!;
  return doc;
}

/** The whole position, canonical: every key, lists in index or stack order. */
export function writePosition(r: Rules, s: StateView): JsonObject {
  const { data } = r;
  const areas: Record<string, Json> = {};
  data.areaIds.forEach((id, a) => {
    areas[id] = {
      control: controlName(s, a),
      german: germanList(r, s, a),
      soviet: unitStack(s, GERMANS, UNITS, a).map((u) => flagged(data.unitIds[u]!, s[L.unitFlags + u]!)),
      chits: chitStack(s, a).map((c) => flagged(data.chitIds[c]!, s[L.chitFlags + c]!)),
    };
  });
  const todo = data.chitIds.filter((_, c) => (s[L.evTodo]! >> c) & 1);
  const targets = Object.fromEntries(
    data.chitIds.flatMap((id, c) => (s[L.evTarget + c] === 0 ? [] : [[id, data.unitIds[s[L.evTarget + c]! - 1]!]])),
  );
  return {
    ...publicParts(r, s),
    areas,
    hand: chitStack(s, HAND).map((c) => data.chitIds[c]!),
    pile: chitStack(s, PILE).map((c) => data.chitIds[c]!),
    waiting: unitsAt(r, s, WAITING),
    future: unitsAt(r, s, FUTURE),
    dead: unitsAt(r, s, DEAD),
    tried: data.unitIds.filter((_, u) => s[L.unitFlags + u]! & F.tried),
    events:
      s[L.evArea] === 0
        ? null
        : { area: data.areaIds[s[L.evArea]! - 1]!, todo, targets, breakthrough: s[L.evBreakthrough] === 1 },
    decision: decisionDocument(r, s),
  };
}

/** Lists whose order says something; the others are sets of `id:flags`, flags in any order. */
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
