import type { Decisions } from "../../agent.js";
import { columnOf, type Feature, type Game } from "../../../env/index.js";
import { AREAS, GERMANS, UNITS } from "../../../env/savage-streets/state.js";

/** Worth of an area by its distance to the nearer landing. */
const WORTH = [10, 5, 3, 2, 1] as const;
/** What a face-down counter is thought to be worth in a fight, in combat value. */
const FACE_DOWN = 1.3;

/** Features that the German reads, by their names in env/savage-streets/data/observation.json. */
const MAP = {
  lettered: "lettered",
  stars: "stars",
  german: "German control",
  soviet: "Soviet control",
  contested: "Contested",
  down: "face-down Soviet counters",
  chits: "face-down chits",
  up: "face-up Soviet units",
  upCv: "face-up Soviet CV",
  strongpoint: "face-up strongpoint",
  distance7: "distance to 7",
  distance8: "distance to 8",
} as const;
const UNIT = {
  type: "type infantry",
  mp: "MP",
  at: "in A",
  depleted: "depleted",
  moved: "moved or tried",
  cv: "current CV",
} as const;
const DECISION = { focus: "focus A", unit: "selected I/194", mp: "MP left" } as const;

/** The column of each feature. */
const columns = <K extends string>(features: readonly Feature[], names: Readonly<Record<K, string>>) =>
  Object.fromEntries(Object.entries<string>(names).map(([k, name]) => [k, columnOf(features, name)])) as Record<
    K,
    number
  >;

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
  /** Columns of what is read. */
  private readonly on;

  constructor(game: Game) {
    const o = game.observation;
    this.sizes = { globals: o.globals.length, map: o.map.length, units: o.units.length, decision: o.decision.length };
    this.on = {
      solo: columnOf(o.globals, "solo"),
      turn: columnOf(o.globals, "turn"),
      map: columns(o.map, MAP),
      units: columns(o.units, UNIT),
      decision: columns(o.decision, DECISION),
    };
    this.neighbours = game.statics.neighbours;
  }

  /** Reads row `i` of a German's decisions. */
  read(d: Decisions, i: number): void {
    const { globals, map, units, decision } = d.observation;
    const { on, sizes } = this;
    const g = i * sizes.globals;
    this.solo = globals[g + on.solo] === 1;
    this.turn = Math.round(globals[g + on.turn]! * 9);
    this.total = 0;
    for (let a = 0; a < AREAS; a++) {
      const m = (i * AREAS + a) * sizes.map;
      this.lettered[a] = map[m + on.map.lettered]!;
      this.stars[a] = map[m + on.map.stars]! * 3;
      this.control[a] =
        map[m + on.map.soviet] === 1 ? 1 : map[m + on.map.german] === 1 ? 2 : map[m + on.map.contested] === 1 ? 3 : 0;
      const d7 = map[m + on.map.distance7]! * 5;
      const d8 = map[m + on.map.distance8]! * 5;
      this.distance[a] = Math.round(Math.min(d7, d8));
      this.goal[a] = this.distance[a] === 0 ? 1 : 0;
      this.worth[a] = WORTH[Math.min(4, this.distance[a]!)]!;
      const down = map[m + on.map.down]! * 8 + map[m + on.map.chits]! * 3;
      let shown = map[m + on.map.up]! * 5;
      for (let k = 0; k < 7; k++) shown += map[m + on.map.strongpoint + k]! > 0 ? 1 : 0;
      this.counters[a] = Math.round(down + shown);
      this.total += this.counters[a]!;
      this.strength[a] =
        this.stars[a]! -
        (this.control[a] === 2 ? 1 : 0) +
        map[m + on.map.upCv]! * 12 +
        FACE_DOWN * down +
        (map[m + on.map.strongpoint]! > 0 ? 1 : 0);
    }
    for (let u = 0; u < GERMANS; u++) {
      const row = (i * UNITS + u) * sizes.units;
      this.place[u] = -1;
      for (let a = 0; a < AREAS; a++) if (units[row + on.units.at + a] === 1) this.place[u] = a;
      this.cv[u] = units[row + on.units.cv]! * 4;
      this.mp[u] = Math.round(units[row + on.units.mp]! * 3);
      this.depleted[u] = units[row + on.units.depleted]!;
      this.moved[u] = units[row + on.units.moved]!;
      for (let t = 0; t < 5; t++) if (units[row + on.units.type + t] === 1) this.type[u] = t;
    }
    const at = i * sizes.decision;
    this.focus = -1;
    for (let a = 0; a < AREAS; a++) if (decision[at + on.decision.focus + a] === 1) this.focus = a;
    this.unit = -1;
    for (let u = 0; u < GERMANS; u++) if (decision[at + on.decision.unit + u] === 1) this.unit = u;
    this.mpLeft = Math.round(decision[at + on.decision.mp]! * 3);
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
