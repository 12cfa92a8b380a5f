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
  columnOf,
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

/** Places of the features in a row of `map`. */
const GERMAN_UNITS = 0;
const SOVIET_STRENGTH = 1;
const CONTACT = 2;
const COLUMN = 3;
const WRECKS = 4;
const FLARE = 5;
const BRIGHT = 6;
const LEGAL = 7;
const MAP_FEATURES = 8;

/** Places of the features in a row of `units`. */
const PRESENT = 0;
const ANTITANK = 1;
const UNIT_COLUMN = 2;
const UNIT_ROW = 3;
const HAS_MOVED = 4;
const HAS_FIRED = 5;
const IS_SUPPRESSED = 6;
const IS_OUT = 7;
const ACTIVE = 8;
const IS_DEAD = 9;
const UNIT_FEATURES = 10;

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
    decision: [...decisions.features("phase_"), ...features(observationData.decision)],
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
  for (let c = FIRST_COLUMN; c < COLUMNS; c++) if (columnOf(s, c) >= 0) map[columnOf(s, c) * MAP_FEATURES + COLUMN] = 1;
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
  out[0] = turnOf(s) / tables.rules.turns;
  out[1] = s[L.budget]! / tables.budget;
  out[2] = waiting / GERMANS;
  out[3] = there / GERMANS;
  out[4] = exited / GERMANS;
  out[5] = dead / GERMANS;
  out[6] = lost / tables.count[TRUCK]!;
  out[7] = s[L.reinstated]!;
  out[8] = s[L.reinstated + 1]!;
  out[9] = ((columnOf(s, FIRST_COLUMN) >= 0 ? 1 : 0) + (columnOf(s, SECOND_COLUMN) >= 0 ? 1 : 0)) / COLUMNS;
  out[10] = flare;
  out[11] = Math.min(1, s[L.contacts]! / CONTACTS);
}

function writeDecision(tables: Tables, s: StateView, out: Float32Array): void {
  out.fill(0);
  out[phaseOf(s)] = 1;
  const u = activeOf(s);
  if (u < 0) return;
  out[8] = mpOf(s) / MAX_MP;
  out[9] = (tables.type[u]! + 1) / GERMAN_TYPES.length;
  if (phaseOf(s) !== FOLLOW || !onMap(s, u)) return;
  const h = targetOf(s);
  const distance = tables.distance[placeOf(s, u) * HEXES + h]!;
  out[10] = distance / 8;
  out[11] = attackNeed(tables, s, u, targetIn(tables, s, u, h), h, distance) / 8;
}
