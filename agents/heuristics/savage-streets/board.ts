import type { Decisions } from "../../agent.js";
import type { Game } from "../../../env/index.js";
import { AREAS, GERMANS, UNITS } from "../../../env/savage-streets/state.js";

/** Worth of an area by its distance to the nearer landing. */
const WORTH = [10, 5, 3, 2, 1] as const;
/** What a face-down counter is thought to be worth in a fight, in combat value. */
const FACE_DOWN = 1.3;

/** Columns of the observation that the German reads (env/savage-streets/data/observation.json). */
const MAP_COLUMN = {
  lettered: 0,
  stars: 1,
  german: 2,
  soviet: 3,
  contested: 4,
  units: 5,
  down: 12,
  chits: 13,
  up: 14,
  upCv: 15,
  strongpoint: 16,
  first: 17,
  distance7: 35,
  distance8: 36,
} as const;
const UNIT_COLUMN = { type: 2, mp: 10, future: 13, at: 18, depleted: 34, moved: 36, broke: 37, cv: 54 } as const;
const DECISION_COLUMN = { focus: 29, unit: 43, mp: 108 } as const;
const TURN = 7;

/** The public situation as the German's observation holds it, in whole numbers. */
export class Board {
  turn = 1;
  solo = false;
  readonly lettered = new Uint8Array(AREAS);
  readonly stars = new Float64Array(AREAS);
  /** 1 Soviet, 2 German, 3 Contested, 0 lettered */
  readonly control = new Uint8Array(AREAS);
  readonly worth = new Float64Array(AREAS);
  readonly distance = new Float64Array(AREAS);
  readonly goal = new Uint8Array(AREAS);
  /** Soviet counters and what a fight against them is thought to take. */
  readonly counters = new Float64Array(AREAS);
  readonly strength = new Float64Array(AREAS);
  readonly place = new Int8Array(GERMANS);
  readonly cv = new Float64Array(GERMANS);
  readonly type = new Uint8Array(GERMANS);
  readonly mp = new Float64Array(GERMANS);
  readonly depleted = new Uint8Array(GERMANS);
  readonly moved = new Uint8Array(GERMANS);
  /** Area and unit of the decision, -1 for none; movement points left. */
  focus = -1;
  unit = -1;
  mpLeft = 0;
  total = 0;
  readonly neighbours: readonly (readonly number[])[];
  private readonly sizes;

  constructor(game: Game) {
    const o = game.observation;
    this.sizes = { globals: o.globals.length, map: o.map.length, units: o.units.length, decision: o.decision.length };
    this.neighbours = game.statics.neighbours;
  }

  /** Reads row `i` of a German's decisions. */
  read(d: Decisions, i: number): void {
    const { globals, map, units, decision } = d.observation;
    const { sizes } = this;
    const g = i * sizes.globals;
    this.solo = globals[g] === 1;
    this.turn = Math.round(globals[g + TURN]! * 9);
    this.total = 0;
    for (let a = 0; a < AREAS; a++) {
      const m = (i * AREAS + a) * sizes.map;
      this.lettered[a] = map[m]!;
      this.stars[a] = map[m + MAP_COLUMN.stars]! * 3;
      this.control[a] =
        map[m + MAP_COLUMN.soviet] === 1
          ? 1
          : map[m + MAP_COLUMN.german] === 1
            ? 2
            : map[m + MAP_COLUMN.contested] === 1
              ? 3
              : 0;
      const d7 = map[m + MAP_COLUMN.distance7]! * 5;
      const d8 = map[m + MAP_COLUMN.distance8]! * 5;
      this.distance[a] = Math.round(Math.min(d7, d8));
      this.goal[a] = this.distance[a] === 0 ? 1 : 0;
      this.worth[a] = WORTH[Math.min(4, this.distance[a]!)]!;
      const down = map[m + MAP_COLUMN.down]! * 8 + map[m + MAP_COLUMN.chits]! * 3;
      let shown = map[m + MAP_COLUMN.up]! * 5;
      for (let k = 0; k < 7; k++) shown += map[m + MAP_COLUMN.strongpoint + k]! > 0 ? 1 : 0;
      this.counters[a] = Math.round(down + shown);
      this.total += this.counters[a]!;
      this.strength[a] =
        this.stars[a]! -
        (this.control[a] === 2 ? 1 : 0) +
        map[m + MAP_COLUMN.upCv]! * 12 +
        FACE_DOWN * down +
        (map[m + MAP_COLUMN.strongpoint]! > 0 ? 1 : 0);
    }
    for (let u = 0; u < GERMANS; u++) {
      const row = (i * UNITS + u) * sizes.units;
      this.place[u] = -1;
      for (let a = 0; a < AREAS; a++) if (units[row + UNIT_COLUMN.at + a] === 1) this.place[u] = a;
      this.cv[u] = units[row + UNIT_COLUMN.cv]! * 4;
      this.mp[u] = Math.round(units[row + UNIT_COLUMN.mp]! * 3);
      this.depleted[u] = units[row + UNIT_COLUMN.depleted]!;
      this.moved[u] = units[row + UNIT_COLUMN.moved]!;
      for (let t = 0; t < 5; t++) if (units[row + UNIT_COLUMN.type + t] === 1) this.type[u] = t;
    }
    const at = i * sizes.decision;
    this.focus = -1;
    for (let a = 0; a < AREAS; a++) if (decision[at + DECISION_COLUMN.focus + a] === 1) this.focus = a;
    this.unit = -1;
    for (let u = 0; u < GERMANS; u++) if (decision[at + DECISION_COLUMN.unit + u] === 1) this.unit = u;
    this.mpLeft = Math.round(decision[at + DECISION_COLUMN.mp]! * 3);
  }

  /** Combat value of the Germans in `a`. */
  germanCv(a: number): number {
    let sum = 0;
    for (let u = 0; u < GERMANS; u++) if (this.place[u] === a) sum += this.cv[u]!;
    return sum;
  }

  /** Mask of areas that a unit in `from` can reach with `mp`; it stops at Soviet counters. */
  reach(from: number, mp: number): number {
    let seen = 1 << from;
    let edge = [from];
    for (let k = 0; k < mp; k++) {
      const next: number[] = [];
      for (const a of edge) {
        if (a !== from && this.counters[a]! > 0) continue;
        for (const b of this.neighbours[a]!) {
          if ((seen >> b) & 1) continue;
          seen |= 1 << b;
          next.push(b);
        }
      }
      edge = next;
    }
    return seen;
  }
}

/** Worth of attacking at a ratio of combat values: bad below 0.6, half at 1, full from 2 on. */
export function promise(ratio: number): number {
  if (ratio < 0.6) return -0.5;
  if (ratio < 1) return (ratio - 0.6) * 1.25;
  return Math.min(1, 0.5 + (ratio - 1) / 2);
}
