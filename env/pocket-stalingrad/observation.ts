import type { Feature, Observation, ObservationSpec } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import { AREA_IDS, AREAS, CITY_FIRST, CITY_LAST, GUMRAK, VOLGA, Z, type AreaId } from "./data.js";
import type { Tables } from "./data.js";
import { decisions } from "./decisions/index.js";
import observationData from "./data/observation.json" with { type: "json" };
import {
  AIR,
  captor,
  controller,
  GERMAN,
  DECISION,
  L,
  NO_SIDE,
  PHASES,
  phaseOf,
  SOVIET,
  activeOf,
  actorOf,
  areaOf,
  markerOf,
} from "./state.js";

const unitRows = (n: number): string[] => [
  ...Array.from({ length: n }, (_, i) => `soviet ${i + 1}`),
  ...Array.from({ length: n }, (_, i) => `german ${i + 1}`),
];
const features = (list: readonly { name: string; range: number[]; norm: string }[]): Feature[] =>
  list.map((f) => ({ name: f.name, range: [f.range[0]!, f.range[1]!], norm: f.norm }));

export const OBSERVATION: ObservationSpec = {
  globals: features(observationData.globals),
  mapRows: [...AREA_IDS],
  map: features(observationData.map),
  unitRows: unitRows(20),
  units: features(observationData.units),
  decision: [...decisions.features("kind_"), ...features(observationData.decision)],
};

const FM = OBSERVATION.map.length;
const FU = OBSERVATION.units.length;
const CMD_MAX = 9;
const VP_ALL = 39;
const COMBAT = PHASES.indexOf("combat");
const ROLL = PHASES.indexOf("roll");
const RESOLVE = PHASES.indexOf("resolve");

/**
 * Words of the state that determine `units`, and `map` except the columns of the decision's area and of combats to
 * come.
 */
const BOARD = L.units;
const BOARD_END = L.artillery + 1;
/** Cache of a row: 1 when it has been written, then those words as they were. */
export const CACHE_WORDS = 1 + BOARD_END - BOARD;

const clip = (x: number): number => (x > 1 ? 1 : x);

/** Constant values, as whole tensors that each observation starts from. */
export function templateOf(tables: Tables): Observation {
  const globals = new Float32Array(OBSERVATION.globals.length);
  globals[36] = tables.nightTotal ? 1 : 0;
  globals[37] = tables.sturmSurcharge;
  globals[38] = tables.gumrakOption / 3;
  const map = new Float32Array(AREAS * FM);
  for (let a = Z; a < AREAS; a++) {
    const type = a === Z ? 0 : a < VOLGA ? 1 : a === VOLGA ? 2 : 3;
    map[a * FM + type] = 1;
    map[a * FM + 4] = clip(tables.vp[a]! / 12);
    map[a * FM + 5] = clip(tables.stars[a]! / 4);
  }
  const units = new Float32Array(OBSERVATION.unitRows.length * FU);
  for (let i = 0; i < OBSERVATION.unitRows.length; i++) units[i * FU + (i < tables.unitsPerSide ? SOVIET : GERMAN)] = 1;
  return { globals, map, units, decision: new Float32Array(OBSERVATION.decision.length) };
}

/** Everything is public: viewers differ in globals 0-2 only. @param template `templateOf(t)` */
export function observe(tables: Tables, template: Observation, s: StateView, viewer: number, out: Observation): void {
  const phase = phaseOf(s);
  out.globals.set(template.globals);
  writeGlobals(tables, s, viewer, phase, out.globals);
  if (out.cache === undefined || boardChanged(s, out.cache)) {
    out.map.set(template.map);
    writeMap(tables, s, out.map);
    out.units.set(template.units);
    writeUnits(tables, s, out.units);
  }
  writeOrder(tables, s, phase, out.map);
  out.decision.set(template.decision);
  writeDecision(s, phase, out.decision);
}

/**
 * Brings a row's cache up to date. @returns whether the board differs from the row's contents
 */
function boardChanged(s: StateView, cache: Int32Array): boolean {
  let changed = cache[0] !== 1;
  for (let i = BOARD, k = 1; i < BOARD_END; i++, k++) {
    if (cache[k] === s[i]) continue;
    cache[k] = s[i]!;
    changed = true;
  }
  cache[0] = 1;
  return changed;
}

function writeGlobals(tables: Tables, s: StateView, viewer: number, phase: number, g: Float32Array): void {
  const kind = s[L.kind]!;
  const active = activeOf(s);
  if (viewer >= 0) g[viewer] = 1;
  if (kind !== DECISION.over && kind !== DECISION.chance && s[L.actor] === viewer) g[2] = 1;
  g[3] = tables.turns > 1 ? (s[L.turn]! - 1) / (tables.turns - 1) : 0;
  if (active !== NO_SIDE) g[4 + active] = 1;
  g[6 + phase] = 1;
  for (let side = SOVIET; side <= GERMAN; side++) {
    g[12 + side] = clip(s[L.cmd + side]! / CMD_MAX);
    g[14 + side] = s[L.reserve + side]! / tables.unitsPerSide;
    g[16 + side] = s[L.max6 + side]! / 6;
    let areas = 0;
    let vp = 0;
    for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
      if (s[L.captured + a] !== side + 1) continue;
      areas++;
      vp += tables.vp[a]!;
    }
    g[18 + side] = clip(areas / tables.areasToWin);
    g[20 + side] = clip(vp / VP_ALL);
  }
  const soviet = s[L.rights + SOVIET]!;
  const german = s[L.rights + GERMAN]!;
  for (let i = 0; i < 3; i++) g[22 + i] = (soviet >> i) & 1; // artillery, deploy, guards
  g[25] = german & 1;
  g[26] = (german >> 1) & 1;
  g[27] = (german >> 3) & 1;
  g[28] = (german >> 4) & 1;
  g[29] = s[L.ratzel]!;
  g[30] = s[L.night]!;
  g[31] = s[L.artillery] === 0 ? 0 : 1;
  const pavlov = tables.pavlov > 0 ? controller(s, tables.pavlov) : -1;
  const mamayev = tables.mamayev > 0 ? controller(s, tables.mamayev) : -1;
  if (pavlov >= 0) g[32 + pavlov] = 1;
  if (mamayev >= 0) g[34 + mamayev] = 1;
}

/** Place in the combat order from which areas are still to be resolved; beyond the end outside combat. */
function todoFrom(tables: Tables, s: StateView, phase: number): number {
  const none = tables.combatOrder.length;
  if (phase !== COMBAT) return none;
  if (s[L.kind] === DECISION.fight) return tables.combatOrder.indexOf(Z);
  return s[L.area] === 0 ? none : tables.combatOrder.indexOf(areaOf(s));
}

/** The area that a decision is about, and those where combat is still to come. */
function writeOrder(tables: Tables, s: StateView, phase: number, m: Float32Array): void {
  const { combatOrder } = tables;
  for (let cell = 18; cell < AREAS * FM; cell += FM) m[cell] = m[cell + 1] = 0;
  if (s[L.area] !== 0) m[areaOf(s) * FM + 18] = 1;
  for (let i = todoFrom(tables, s, phase); i < combatOrder.length; i++) m[combatOrder[i]! * FM + 19] = 1;
}

function writeMap(tables: Tables, s: StateView, m: Float32Array): void {
  const marker = markerOf(s);
  const { cap } = tables;
  writeForces(s, m, Z, cap[Z]!, cap[Z]!);
  writeForces(s, m, VOLGA, s[L.max6]!, 0);
  writeForces(s, m, GUMRAK, 0, s[L.max6 + 1]!);
  if (s[L.units + VOLGA]! > 0) m[VOLGA * FM + 17] = 1;
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    const r = a * FM;
    const by = s[L.captured + a]!;
    if (by !== 0) {
      m[r + 12 + by] = 1;
      continue;
    }
    writeForces(s, m, a, cap[a]!, cap[a]!);
    if (s[L.fort + a] === 1) {
      m[r + 10] = 1;
      if (s[L.shieldUsed + a] === 0) m[r + 11] = 1;
    }
    const side = captor(tables, s, a);
    if (side >= 0) m[r + 15 + side] = 1;
    if (marker === a) m[r + 12] = 1;
    else if (s[L.units + a]! > 0) m[r + 17] = 1;
  }
}

/** Units of both sides in an area and the room left for them. */
function writeForces(s: StateView, m: Float32Array, area: AreaId, sovietCap: number, germanCap: number): void {
  const r = area * FM;
  const soviet = s[L.units + area]!;
  const german = s[L.units + AREAS + area]!;
  m[r + 6] = soviet / 6;
  m[r + 7] = german / 6;
  m[r + 8] = (sovietCap - soviet) / 6;
  m[r + 9] = (germanCap - german) / 6;
}

/** Rows are filled by place, because markers have no identity: Z, 1..5, own Area 6, then the reserve. */
function writeUnits(tables: Tables, s: StateView, u: Float32Array): void {
  for (let side = SOVIET; side <= GERMAN; side++) {
    let cell = side * tables.unitsPerSide * FU + 2; // goes down a row with each unit, to the right with each place
    for (let a = Z; a <= GUMRAK; a++, cell++) {
      for (let n = s[L.units + side * AREAS + a]!; n > 0; n--, cell += FU) u[cell] = 1;
    }
    for (let n = s[L.reserve + side]!; n > 0; n--, cell += FU) u[cell] = 1;
  }
}

function writeDecision(s: StateView, phase: number, d: Float32Array): void {
  const kind = s[L.kind]!;
  const actor = actorOf(s);
  d[kind] = 1;
  if (actor !== NO_SIDE) d[21 + actor] = 1;
  if (phase === ROLL || phase === RESOLVE) {
    let any = 0;
    for (let f = 0; f < 6; f++) {
      d[23 + f] = s[L.loose + f]! / 5;
      d[29 + f] = s[L.kept + f]! / 5;
      any += s[L.loose + f]! + s[L.kept + f]!;
    }
    for (let i = 0; i < 3; i++) {
      const loose = s[L.looseSpecialDice + i]!;
      const kept = s[L.keptSpecialDice + i]!;
      if (loose > 0) d[34 + 12 * i + loose] = 1;
      if (kept > 0) d[40 + 12 * i + kept] = 1;
      any += loose + kept;
    }
    d[71] = s[L.picked]!;
    if (phase === ROLL && any === 0 && s[L.awaiting] === 0) d[72] = 1;
  }
  if (kind === DECISION.place) for (let f = 0; f < 6; f++) d[73 + f] = s[L.pending + f]! / 5;
  d[79] = s[L.attacks]! / 6;
  d[80] = s[L.paid]! / 6;
  d[81] = s[L.left]! / 6;
  d[82] = s[L.surchargePaid]!;
  d[83] = s[L.kills]! / 6;
  if (kind === DECISION.raze) d[s[L.source] === AIR ? 84 : 85] = 1;
  if (kind === DECISION.artillery) {
    d[86 + s[L.window]!] = 1;
    d[89] = s[L.passed]! & 1;
    d[90] = (s[L.passed]! >> 1) & 1;
  }
  if (kind === DECISION.ratzel && actor !== s[L.active]) d[91] = 1;
}
