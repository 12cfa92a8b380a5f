import { columnOf } from "../core/observation-rows.js";
import type { Feature, Observation, ObservationSpec, Statics } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import observationData from "./data/observation.json" with { type: "json" };
import {
  COLUMNS,
  GERMAN_TYPES,
  GERMANS,
  HEXES,
  SOVIET_TYPES,
  TRUCK,
  UNITS,
  type HexId,
  FIRST_UNIT,
  FIRST_HEX,
  FIRST_COLUMN,
  SECOND_COLUMN,
} from "./data.js";
import type { Tables } from "./data.js";
import { decisions } from "./decisions/index.js";
import { attackNeed, targetIn } from "./rules/combat.js";
import { markSteps } from "./rules/movement.js";
import { markTargets } from "./rules/spotting.js";
import {
  activeOf,
  BUY,
  columnOf as hexOfColumn,
  DEAD,
  EXITED,
  FIRED,
  FOLLOW,
  GROUND_WORDS,
  groundOf,
  hasGun,
  isLit,
  L,
  MOVED,
  mpOf,
  onMap,
  phaseOf,
  placeOf,
  POOL,
  SEEN,
  STEP,
  SUPPRESSED,
  TARGET,
  targetOf,
  turnOf,
  WAITING,
  wrecksIn,
  contactHex,
} from "./state.js";

/** Columns of a row of `map`, by the names of their features. */
const GERMAN_UNITS = columnOf(observationData.map, "german_units");
const SOVIET_STRENGTH = columnOf(observationData.map, "soviet_strength");
const CONTACT = columnOf(observationData.map, "contact");
const COLUMN = columnOf(observationData.map, "column");
const WRECKS = columnOf(observationData.map, "wrecks");
const FLARE = columnOf(observationData.map, "flare");
const BRIGHT = columnOf(observationData.map, "bright");
const LEGAL = columnOf(observationData.map, "legal_target");
const MAP_FEATURES = observationData.map.length;

/** Columns of a row of `units`. */
const PRESENT = columnOf(observationData.units, "present");
const ANTITANK = columnOf(observationData.units, "antitank");
const UNIT_COLUMN = columnOf(observationData.units, "column");
const UNIT_ROW = columnOf(observationData.units, "row");
const HAS_MOVED = columnOf(observationData.units, "moved");
const HAS_FIRED = columnOf(observationData.units, "fired");
const IS_SUPPRESSED = columnOf(observationData.units, "suppressed");
const IS_OUT = columnOf(observationData.units, "exited");
const ACTIVE = columnOf(observationData.units, "active");
const IS_DEAD = columnOf(observationData.units, "dead");
const UNIT_FEATURES = observationData.units.length;

/** Columns of `globals`. */
const GLOBAL = {
  turn: columnOf(observationData.globals, "turn"),
  budget: columnOf(observationData.globals, "budget"),
  waiting: columnOf(observationData.globals, "waiting"),
  onMap: columnOf(observationData.globals, "on_map"),
  exited: columnOf(observationData.globals, "exited"),
  eliminated: columnOf(observationData.globals, "eliminated"),
  trucksLost: columnOf(observationData.globals, "trucks_lost"),
  restored: columnOf(observationData.globals, "restored_jagd"), // + gun
  columns: columnOf(observationData.globals, "columns"),
  flare: columnOf(observationData.globals, "flare"),
  contacts: columnOf(observationData.globals, "contacts"),
} as const;

/** Columns of `decision`: behind those of the phases. */
const PHASE_FEATURES = decisions.features("phase_");
const decisionColumn = (name: string): number => PHASE_FEATURES.length + columnOf(observationData.decision, name);
const ASKED = {
  mp: decisionColumn("mp"),
  activeType: decisionColumn("active_type"),
  targetDistance: decisionColumn("target_distance"),
  dieNeed: decisionColumn("die_need"),
} as const;

const TYPES = GERMAN_TYPES.length + SOVIET_TYPES.length;
const MAX_STRENGTH = 8;
const MAX_MP = 6;
const MAX_NIGHT = 3;
const MAX_COLUMN = 30;
const MAX_ROW = 24;
const CONTACTS = 14;

const features = (list: readonly { name: string; range: readonly number[]; norm: string }[]): Feature[] =>
  list.map((f) => ({ name: f.name, range: [f.range[0]!, f.range[1]!], norm: f.norm }));

export function observationSpec(tables: Tables): ObservationSpec {
  return {
    globals: features(observationData.globals),
    mapRows: tables.ids,
    map: features(observationData.map),
    unitRows: tables.unitNames,
    units: features(observationData.units),
    decision: [...PHASE_FEATURES, ...features(observationData.decision)],
  };
}

/** Constant features of each row, for `describe`. */
export function staticTables(tables: Tables): Required<Pick<Statics, "map" | "units">> {
  const flag = (x: boolean): number => (x ? 1 : 0);
  return {
    map: {
      features: features(observationData.static.map),
      values: tables.ids.map((_, h) =>
        [0, 1, 2]
          .map((k) => flag(tables.terrain[h] === k))
          .concat(
            tables.road[h]!,
            tables.ablaze[h]!,
            flag(tables.grid.columns[h] === tables.exitColumn),
            flag(tables.grid.columns[h] === tables.entryColumn),
          ),
      ),
    },
    units: {
      features: features(observationData.static.units),
      values: tables.unitNames.map((_, u) => [
        (tables.type[u]! + 1) / TYPES,
        tables.strength[u]! / MAX_STRENGTH,
        tables.weight[u]! / 3,
        tables.mp[u]! / MAX_MP,
        tables.night[u]! / MAX_NIGHT,
      ]),
    },
  };
}

/** Writes observations. All constant values are computed once, here. */
export class Observer {
  /** The map tensor of an empty board. */
  private readonly map = new Float32Array(HEXES * MAP_FEATURES);
  private readonly column: Float32Array;
  private readonly row: Float32Array;
  /** The features that a counter adds to its hex. */
  private readonly share: Float32Array;

  constructor(private readonly tables: Tables) {
    this.column = Float32Array.from(tables.grid.columns, (c) => c / MAX_COLUMN);
    this.row = Float32Array.from(tables.grid.rows, (r) => r / MAX_ROW);
    this.share = Float32Array.from(
      tables.unitNames.map((_, u) => (u < GERMANS ? 1 / tables.rules.stacking : tables.strength[u]! / 12)),
    );
    for (let h = FIRST_HEX; h < HEXES; h++) this.map[h * MAP_FEATURES + BRIGHT] = tables.nearFire[h]!;
  }

  /** The knowledge of the player, which any spectator shares. */
  observe(s: StateView, out: Observation): void {
    const { tables } = this;
    out.map.set(this.map);
    const flare = writeGround(tables, s, out.map);
    this.writeUnits(s, out.units, out.map);
    writeGlobals(tables, s, out.globals, flare);
    writeDecision(tables, s, out.decision);
    const phase = phaseOf(s);
    if (phase === STEP) markSteps(tables, s, out.map, LEGAL, MAP_FEATURES);
    else if (phase === TARGET) markTargets(tables, s, activeOf(s), out.map, LEGAL, MAP_FEATURES);
  }

  private writeUnits(s: StateView, units: Float32Array, map: Float32Array): void {
    const { tables } = this;
    units.fill(0);
    const active = activeOf(s);
    for (let u = FIRST_UNIT; u < UNITS; u++) {
      const place = placeOf(s, u);
      const flags = s[L.flags + u]!;
      // a row stays zero while the player does not have the counter or does not know it
      if (u < GERMANS ? place === POOL : place !== DEAD && (flags & SEEN) === 0) continue;
      const at = u * UNIT_FEATURES;
      if (hasGun(tables, s, u)) units[at + ANTITANK] = 1;
      units[at + HAS_MOVED] = flags & MOVED; // bit 0
      units[at + HAS_FIRED] = (flags & FIRED) >> 1;
      units[at + IS_SUPPRESSED] = (flags & SUPPRESSED) >> 2;
      if (u === active) units[at + ACTIVE] = 1;
      if (place < 0) {
        units[at + (place === WAITING ? PRESENT : place === EXITED ? IS_OUT : IS_DEAD)] = 1;
        continue;
      }
      units[at + PRESENT] = 1;
      units[at + UNIT_COLUMN] = this.column[place]!;
      units[at + UNIT_ROW] = this.row[place]!;
      const cell = place * MAP_FEATURES + (u < GERMANS ? GERMAN_UNITS : SOVIET_STRENGTH);
      const sum = map[cell]! + this.share[u]!;
      map[cell] = sum > 1 ? 1 : sum;
    }
  }
}

/** Wrecks, flares and their light, contacts, columns. @returns 1 when a flare burns */
function writeGround(tables: Tables, s: StateView, map: Float32Array): number {
  let flare = 0;
  for (let w = 0; w < GROUND_WORDS; w++) {
    if (s[L.ground + w] === 0) continue;
    for (let h = (w * 4) as HexId; h < w * 4 + 4; h++) if (groundOf(s, h) !== 0) flare |= writeMarks(tables, s, h, map);
  }
  for (let j = 0; j < s[L.contacts]!; j++) map[contactHex(s, j) * MAP_FEATURES + CONTACT] = 1;
  for (let c = FIRST_COLUMN; c < COLUMNS; c++)
    if (hexOfColumn(s, c) >= 0) map[hexOfColumn(s, c) * MAP_FEATURES + COLUMN] = 1;
  return flare;
}

function writeMarks(tables: Tables, s: StateView, h: HexId, map: Float32Array): number {
  const { neighbours } = tables.grid;
  const at = h * MAP_FEATURES;
  const flare = isLit(s, h) ? 1 : 0;
  map[at + WRECKS] = Math.min(3, wrecksIn(s, h)) / 3;
  map[at + FLARE] = flare;
  map[at + BRIGHT] = 1;
  for (let d = h * 6; d < h * 6 + 6; d++) if (neighbours[d]! >= 0) map[neighbours[d]! * MAP_FEATURES + BRIGHT] = 1;
  return flare;
}

function writeGlobals(tables: Tables, s: StateView, out: Float32Array, flare: number): void {
  let waiting = 0;
  let exited = 0;
  let dead = 0;
  let there = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) {
    const place = placeOf(s, u);
    if (place >= 0) there++;
    else if (place === WAITING) waiting++;
    else if (place === EXITED) exited++;
    else if (place === DEAD) dead++;
  }
  let lost = 0;
  const truck = tables.firstOfType[TRUCK]!;
  for (let u = truck; u < truck + tables.count[TRUCK]!; u++)
    if (placeOf(s, u) === DEAD || (placeOf(s, u) === POOL && phaseOf(s) !== BUY)) lost++;
  out[GLOBAL.turn] = turnOf(s) / tables.rules.turns;
  out[GLOBAL.budget] = s[L.budget]! / tables.budget;
  out[GLOBAL.waiting] = waiting / GERMANS;
  out[GLOBAL.onMap] = there / GERMANS;
  out[GLOBAL.exited] = exited / GERMANS;
  out[GLOBAL.eliminated] = dead / GERMANS;
  out[GLOBAL.trucksLost] = lost / tables.count[TRUCK]!;
  out[GLOBAL.restored] = s[L.reinstated]!;
  out[GLOBAL.restored + 1] = s[L.reinstated + 1]!;
  out[GLOBAL.columns] =
    ((hexOfColumn(s, FIRST_COLUMN) >= 0 ? 1 : 0) + (hexOfColumn(s, SECOND_COLUMN) >= 0 ? 1 : 0)) / COLUMNS;
  out[GLOBAL.flare] = flare;
  out[GLOBAL.contacts] = Math.min(1, s[L.contacts]! / CONTACTS);
}

function writeDecision(tables: Tables, s: StateView, out: Float32Array): void {
  out.fill(0);
  out[phaseOf(s)] = 1;
  const u = activeOf(s);
  if (u < 0) return;
  out[ASKED.mp] = mpOf(s) / MAX_MP;
  out[ASKED.activeType] = (tables.type[u]! + 1) / GERMAN_TYPES.length;
  if (phaseOf(s) !== FOLLOW || !onMap(s, u)) return;
  const h = targetOf(s);
  const distance = tables.distance[placeOf(s, u) * HEXES + h]!;
  out[ASKED.targetDistance] = distance / 8;
  out[ASKED.dieNeed] = attackNeed(tables, s, u, targetIn(tables, s, u, h), h, distance) / 8;
}
