import type { Feature, Observation, ObservationSpec } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import observationData from "./data/observation.json" with { type: "json" };
import { AREA_IDS, AREAS, CITY_FIRST, CITY_LAST, GUMRAK, type Tables, VOLGA, Z } from "./data.js";
import {
  AIR, captor, controller, GERMAN, K, L, NO_SIDE, PHASES, phaseOf, SOVIET,
} from "./state.js";

const unitRows = (n: number): string[] => [...Array.from({ length: n }, (_, i) => `soviet ${i + 1}`), ...Array.from({ length: n }, (_, i) => `german ${i + 1}`)];
const features = (list: readonly { name: string; range: number[]; norm: string }[]): Feature[] => list.map((f) => ({ name: f.name, range: [f.range[0]!, f.range[1]!], norm: f.norm }));

export const OBSERVATION: ObservationSpec = {
  globals: features(observationData.globals),
  mapRows: [...AREA_IDS],
  map: features(observationData.map),
  unitRows: unitRows(20),
  units: features(observationData.units),
  decision: features(observationData.decision),
};

const FM = OBSERVATION.map.length;
const FU = OBSERVATION.units.length;
const CMD_MAX = 9;
const VP_ALL = 39;
const COMBAT = PHASES.indexOf("combat");

/** Everything is public: viewers differ in globals 0-2 only. @param template `mapTemplate(t)` */
export function observe(t: Tables, template: Float32Array, s: StateView, viewer: number, out: Observation): void {
  writeGlobals(t, s, viewer, out.globals);
  writeMap(t, template, s, out.map);
  writeUnits(t, s, out.units);
  writeDecision(s, out.decision);
}

const clip = (x: number): number => (x > 1 ? 1 : x);

function writeGlobals(t: Tables, s: StateView, viewer: number, g: Float32Array): void {
  const kind = s[L.kind]!;
  const active = s[L.active]!;
  g.fill(0);
  if (viewer >= 0) g[viewer] = 1;
  if (kind !== K.over && kind !== K.chance && s[L.actor] === viewer) g[2] = 1;
  g[3] = t.turns > 1 ? (s[L.turn]! - 1) / (t.turns - 1) : 0;
  if (active !== NO_SIDE) g[4 + active] = 1;
  g[6 + phaseOf(s)] = 1;
  for (let side = SOVIET; side <= GERMAN; side++) {
    g[12 + side] = clip(s[L.cmd + side]! / CMD_MAX);
    g[14 + side] = s[L.reserve + side]! / t.unitsPerSide;
    g[16 + side] = s[L.max6 + side]! / 6;
  }
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    const by = s[L.captured + a]!;
    if (by === 0) continue;
    g[17 + by]!++;
    g[19 + by]! += t.vp[a]!;
  }
  for (let side = SOVIET; side <= GERMAN; side++) {
    g[18 + side] = clip(g[18 + side]! / t.areasToWin);
    g[20 + side] = clip(g[20 + side]! / VP_ALL);
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
  const pavlov = t.pavlov > 0 ? controller(s, t.pavlov) : -1;
  const mamayev = t.mamayev > 0 ? controller(s, t.mamayev) : -1;
  if (pavlov >= 0) g[32 + pavlov] = 1;
  if (mamayev >= 0) g[34 + mamayev] = 1;
  g[36] = t.nightTotal ? 1 : 0;
  g[37] = t.sturmSurcharge;
  g[38] = t.gumrakOption / 3;
}

/** Place in the combat order from which areas are still to be resolved; beyond the end outside combat. */
function todoFrom(t: Tables, s: StateView): number {
  const none = t.combatOrder.length;
  if (phaseOf(s) !== COMBAT) return none;
  if (s[L.kind] === K.fight) return t.combatOrder.indexOf(Z);
  return s[L.area] === 0 ? none : t.combatOrder.indexOf(s[L.area]! - 1);
}

/** What no game changes: type, VP and stars of each row, as a whole map tensor. */
export function mapTemplate(t: Tables): Float32Array {
  const m = new Float32Array(AREAS * FM);
  for (let a = 0; a < AREAS; a++) {
    const type = a === Z ? 0 : a < VOLGA ? 1 : a === VOLGA ? 2 : 3;
    m[a * FM + type] = 1;
    m[a * FM + 4] = clip(t.vp[a]! / 12);
    m[a * FM + 5] = clip(t.stars[a]! / 4);
  }
  return m;
}

function writeMap(t: Tables, template: Float32Array, s: StateView, m: Float32Array): void {
  const marker = s[L.artillery]!;
  m.set(template);
  writeForces(s, m, Z, t.cap[Z]!, t.cap[Z]!);
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
    writeForces(s, m, a, t.cap[a]!, t.cap[a]!);
    if (s[L.fort + a] === 1) {
      m[r + 10] = 1;
      if (s[L.shieldUsed + a] === 0) m[r + 11] = 1;
    }
    const side = captor(t, s, a);
    if (side >= 0) m[r + 15 + side] = 1;
    if (marker === a) m[r + 12] = 1;
    else if (s[L.units + a]! > 0) m[r + 17] = 1;
  }
  if (s[L.area] !== 0) m[(s[L.area]! - 1) * FM + 18] = 1;
  for (let i = todoFrom(t, s); i < t.combatOrder.length; i++) m[t.combatOrder[i]! * FM + 19] = 1;
}

/** Units of both sides in an area and the room left for them. */
function writeForces(s: StateView, m: Float32Array, area: number, sovietCap: number, germanCap: number): void {
  const r = area * FM;
  const soviet = s[L.units + area]!;
  const german = s[L.units + AREAS + area]!;
  m[r + 6] = soviet / 6;
  m[r + 7] = german / 6;
  m[r + 8] = (sovietCap - soviet) / 6;
  m[r + 9] = (germanCap - german) / 6;
}

function writeUnits(t: Tables, s: StateView, u: Float32Array): void {
  u.fill(0);
  for (let side = SOVIET; side <= GERMAN; side++) {
    let r = side * t.unitsPerSide * FU;
    // area order Z, 1..5, own Area 6: rows are filled by place, so that a row is nobody in particular
    for (let a = 0; a <= GUMRAK; a++) {
      for (let n = s[L.units + side * AREAS + a]!; n > 0; n--) {
        u[r + side] = 1;
        u[r + 2 + a] = 1;
        r += FU;
      }
    }
    for (let n = s[L.reserve + side]!; n > 0; n--) {
      u[r + side] = 1;
      u[r + 10] = 1;
      r += FU;
    }
  }
}

function writeDecision(s: StateView, d: Float32Array): void {
  const kind = s[L.kind]!;
  const actor = s[L.actor]!;
  const phase = phaseOf(s);
  d.fill(0);
  d[kind] = 1;
  if (actor !== NO_SIDE) d[21 + actor] = 1;
  if (phase <= 1) {
    let any = 0;
    for (let f = 0; f < 6; f++) {
      d[23 + f] = s[L.loose + f]! / 5;
      d[29 + f] = s[L.kept + f]! / 5;
      any += s[L.loose + f]! + s[L.kept + f]!;
    }
    for (let i = 0; i < 3; i++) {
      const loose = s[L.looseSpecial + i]!;
      const kept = s[L.keptSpecial + i]!;
      if (loose > 0) d[34 + 12 * i + loose] = 1;
      if (kept > 0) d[40 + 12 * i + kept] = 1;
      any += loose + kept;
    }
    d[71] = s[L.picked]!;
    if (phase === 0 && any === 0 && s[L.awaiting] === 0) d[72] = 1;
  }
  for (let f = 0; f < 6; f++) d[73 + f] = s[L.pending + f]! / 5;
  d[79] = s[L.attacks]! / 6;
  d[80] = s[L.paid]! / 6;
  d[81] = s[L.left]! / 6;
  d[82] = s[L.surchargePaid]!;
  d[83] = s[L.kills]! / 6;
  if (kind === K.raze) d[s[L.source] === AIR ? 84 : 85] = 1;
  if (kind === K.artillery) {
    d[86 + s[L.window]!] = 1;
    d[89] = s[L.passed]! & 1;
    d[90] = (s[L.passed]! >> 1) & 1;
  }
  if (kind === K.ratzel && actor !== s[L.active]) d[91] = 1;
}
