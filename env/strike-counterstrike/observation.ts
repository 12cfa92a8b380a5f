import { type Feature, newObservation, type Observation, type ObservationSpec } from "../core/game.js";
import type { State, StateView } from "../core/layout.js";
import type { Rng } from "../core/rng.js";
import features from "./data/observation.json" with { type: "json" };
import * as data from "./data.js";
import type { Tables } from "./data.js";
import { armySteps, K_CHECK } from "./rules/victory.js";
import * as state from "./state.js";
import type { World } from "./state.js";
import { setTargets } from "./turn.js";

// own constants, for speed: see core/layout.ts
const { FK8, JANUARY, MECH, NONMECH, RAID, SEC, SUPPORT } = data;
const { activeArmy, BATTLE, battleHex, BOX, DEAD, FACE_DOWN, GARRISON, P, P_GONE, P_TRACK, partisanHex, PHASES, POOL, REMOVED, TRACK } = state;

const FM = 26;
const FU = 24;

const feature = (f: { name: string; range: number[]; norm: string }): Feature => ({ name: f.name, range: [f.range[0]!, f.range[1]!], norm: f.norm });

export function observationSpec(t: Tables): ObservationSpec {
  return {
    globals: features.globals.map(feature),
    mapRows: t.grid.ids,
    map: features.map.map(feature),
    unitRows: [...t.armies.map((a) => a.id), t.engineer.id, t.interceptorId, t.partisanId, ...t.counters.map((c) => c.id)],
    units: features.units.map(feature),
    decision: features.decision.map(feature),
  };
}

const unit = (x: number): number => (x > 1 ? 1 : x);

/** Writes observations: what never changes lies ready in a template. */
export class Observer {
  private readonly template: Observation;
  /** Hexes that start German: the others never change hands. Rule: SC 3.8 */
  private readonly contested: Int16Array;
  private readonly column: Float32Array;
  private readonly row: Float32Array;
  /** Counters that lie open, by class. */
  private readonly seen = new Int32Array(4);
  /** Units in the battle by class, then support markers by kind, as `World.force`. */
  private readonly force = new Int32Array(10);

  constructor(
    private readonly w: World,
    spec: ObservationSpec,
  ) {
    const { t } = w;
    this.template = newObservation(spec);
    const { map, units } = this.template;
    this.contested = Int16Array.from(t.grid.ids.map((_, h) => h).filter((h) => t.startGerman[h] === 1));
    this.column = Float32Array.from(t.grid.columns, (c) => (c - t.columns[0]) / Math.max(1, t.columns[1] - t.columns[0]));
    this.row = Float32Array.from(t.grid.rows, (r) => r / Math.max(1, t.rows[1]));
    for (let h = 0; h < t.hexes; h++) {
      map.set([t.forest[h]!, t.fort[h]!, t.kLine[h]!, t.western[h]!, t.west.includes(h) ? 1 : 0, h === t.moscow ? 1 : 0, h === t.tula ? 1 : 0], h * FM);
      map[h * FM + 24] = t.guarded[h]!;
      map[h * FM + 7] = map[h * FM + 8] = 1 - t.startGerman[h]!; // what is Soviet stays Soviet (SC 3.8)
    }
    t.armies.forEach((a, i) => {
      units[i * FU] = 1;
      units[i * FU + 1] = a.shock ? 1 : 0;
      units[i * FU + 10] = unit(a.strength / 12);
    });
    const extra = t.armies.length * FU;
    units[extra + 2] = 1;
    units[extra + 10] = unit(t.engineer.strength / 12);
    units[extra + FU + 3] = 1;
    units[extra + 2 * FU + 4] = 1;
    t.counters.forEach((c, i) => {
      const row = extra + (3 + i) * FU;
      units[row + 5 + c.cls] = 1;
      units[row + 9] = c.cls === SUPPORT ? 0 : 1 / 12;
      units[row + 10] = units[row + 9]!;
      units[row + 20] = 1; // unseen until the state says otherwise
      units[row + 23] = 1;
    });
  }

  /** Everything a player may know is public, so every viewer gets the same. Rule: SC 3.1, SC 3.3 */
  observe(s: StateView, out: Observation): void {
    out.map.set(this.template.map);
    out.units.set(this.template.units);
    out.globals.fill(0);
    out.decision.fill(0);
    this.hexes(s, out.map);
    this.armies(s, out.map, out.units);
    this.markers(s, out.units);
    this.counters(s, out);
    this.globals(s, out.globals);
    this.decision(s, out.decision);
  }

  private hexes(s: StateView, map: Float32Array): void {
    const { w, contested } = this;
    const { L } = w;
    const { front, marker, cut } = L;
    for (let i = 0; i < contested.length; i++) {
      const h = contested[i]!;
      const side = s[front + h]!;
      if (side === 0) continue;
      const at = h * FM;
      if (side < 0) {
        map[at + 7] = 1;
        map[at + 8] = 1;
      } else {
        if (s[marker + h]! > 0) map[at + 9] = 1;
        const lost = s[cut + h]!;
        if (lost > 0) map[at + 22] = unit(lost / 10);
      }
    }
    const partisan = partisanHex(w, s);
    if (partisan >= 0) map[partisan * FM + 8] = 0;
    const battle = battleHex(w, s);
    if (battle >= 0) {
      map[battle * FM + 20] = 1;
      map[(s[L.from]! - 1) * FM + 21] = 1;
      if (s[L.pocketSize]! > 0) for (let h = 0; h < w.hexes; h++) if (s[L.pocket + h] === 1) map[h * FM + 23] = 1;
    }
    setTargets(w, s, map, 25, FM);
  }

  private armies(s: StateView, map: Float32Array, units: Float32Array): void {
    const { w } = this;
    const { L } = w;
    const active = activeArmy(w, s);
    for (let a = 0, at = 0; a < w.armies; a++, at += FU) {
      const hex = s[L.armyHex + a]!;
      if (hex === DEAD) units[at + 17] = 1;
      else if (hex === TRACK) units[at + (w.t.armies[a]!.enters === s[L.turn]! + 1 ? 18 : 19)] = 1;
      if (hex < 0) continue;
      const steps = unit(s[L.armySteps + a]! / 12);
      const stopped = s[L.armyStopped + a]!;
      this.place(units, at, hex);
      units[at + 9] = steps;
      units[at + 14] = stopped;
      units[at + 15] = s[L.armyFired + a]!;
      const m = hex * FM;
      map[m + 14] = 1;
      map[m + 15] = steps;
      map[m + 16] = w.t.armies[a]!.shock ? 1 : 0;
      map[m + 18] = stopped;
      if (a === active) {
        units[at + 16] = 1;
        units[at + 21] = s[L.battleHex]! > 0 ? 1 : 0;
        map[m + 19] = 1;
      }
      if (s[L.host] === a + 1) map[m + 17] = unit(s[L.engineer]! / 6);
    }
  }

  private place(units: Float32Array, at: number, hex: number): void {
    units[at + 11] = 1;
    units[at + 12] = this.column[hex]!;
    units[at + 13] = this.row[hex]!;
  }

  /** 1E, VI IC, the partisan marker. */
  private markers(s: StateView, units: Float32Array): void {
    const { w } = this;
    const { L } = w;
    let at = w.armies * FU;
    const host = s[L.host]! - 1;
    units[at + 9] = unit(s[L.engineer]! / 12);
    if (host >= 0) {
      const row = host * FU;
      this.place(units, at, s[L.armyHex + host]!);
      units[at + 14] = units[row + 14]!;
      units[at + 16] = units[row + 16]!;
      units[at + 21] = units[row + 21]!;
    } else if (s[L.engineer] === 0) units[at + 17] = 1;
    at += FU;
    if (s[L.interceptor] === 0) units[at + 18] = 1;
    units[at + 21] = s[L.committed]!;
    at += FU;
    const partisan = s[L.partisan]!;
    if (partisan === P_GONE) units[at + 17] = 1;
    else if (partisan === P_TRACK) units[at + (s[L.turn] === JANUARY - 1 ? 18 : 19)] = 1;
    else this.place(units, at, partisanHex(w, s));
  }

  /** German counters: only those that lie open are told apart from the template. */
  private counters(s: StateView, out: Observation): void {
    const { w, seen, force } = this;
    const { L, t } = w;
    const { units, map, globals } = out;
    const { place: places } = L;
    const { counters } = w;
    const rows = (w.armies + 3) * FU;
    force.fill(0);
    const next = BOX + s[L.turn]! + 1;
    seen.fill(0);
    for (let c = 0; c < counters; c++) {
      const place = s[places + c]!;
      if (place <= FACE_DOWN) continue;
      const cls = t.cls[c]!;
      const at = rows + c * FU;
      seen[cls]!++;
      units[at + 20] = 0;
      units[at + 23] = 0;
      if (place === GARRISON) {
        const hex = s[L.site + c]!;
        this.place(units, at, hex);
        units[at + 22] = 1;
        map[hex * FM + 10] = unit(map[hex * FM + 10]! + 0.125);
        map[hex * FM + 11 + cls] = unit(map[hex * FM + 11 + cls]! + 0.125);
      } else if (place === BATTLE) {
        this.place(units, at, battleHex(w, s));
        units[at + 21] = 1;
        force[cls === SUPPORT ? 4 + t.support[c]! : cls]!++;
      } else if (place === REMOVED) units[at + 17] = 1;
      else units[at + (place === next ? 18 : 19)] = 1;
    }
    globals[11] = unit((t.slotsOf[MECH]!.length - seen[MECH]!) / 40);
    globals[12] = unit((t.slotsOf[NONMECH]!.length - seen[NONMECH]!) / 80);
    globals[13] = unit((t.slotsOf[SEC]!.length - seen[SEC]!) / 20);
    globals[14] = unit((t.slotsOf[SUPPORT]!.length - seen[SUPPORT]!) / 6);
    const support = t.slotsOf[SUPPORT]!;
    for (let i = 0; i < support.length; i++) {
      const kind = t.support[support[i]!]!;
      if (s[L.place + support[i]!]! > FACE_DOWN) continue;
      if (kind === RAID) globals[19] = unit(globals[19]! + 0.5);
      else globals[14 + kind] = 1;
    }
    if (s[L.purge]! >= 0) units[(w.armies + 3 + t.guderian) * FU + 23] = 0;
  }

  private globals(s: StateView, out: Float32Array): void {
    const { w } = this;
    const { L } = w;
    const turn = s[L.turn]!;
    out[0] = turn / 6;
    out[turn] = 1;
    out[7] = unit(s[L.mp]! / 3);
    out[8] = unit(s[L.replacements]! / 10);
    out[9] = unit(s[L.poolSize]! / 130);
    out[10] = unit(s[L.faceDown]! / 80);
    out[20] = unit(s[L.boxed + turn + 1]! / 80);
    out[21] = s[L.interceptor]!;
    out[22] = unit(s[L.kHeld]! / 34);
    out[23] = unit(s[L.forts]! / 6);
    out[24] = unit(s[L.westHeld]! / 6);
    out[25] = unit(s[L.beside]! / 6);
    out[26] = unit(armySteps(w, s) / 130);
    out[27] = unit(s[L.engineer]! / 6);
    out[28] = s[L.place + w.t.guderian] === REMOVED ? 1 : 0;
    out[29] = partisanHex(w, s) >= 0 ? 1 : 0;
    out[30] = s[L.partisan] === P_TRACK ? 1 : 0;
    out[31] = turn > K_CHECK ? 1 : 0;
  }

  private decision(s: StateView, out: Float32Array): void {
    const { w, force } = this;
    const { L, t } = w;
    out[s[L.phase]!] = 1;
    const active = activeArmy(w, s);
    if (active < 0) return;
    out[23] = unit(active / 12);
    out[24] = s[L.host] === active + 1 ? 1 : 0;
    out[25] = unit(s[L.mp]! / 3);
    const waits = s[L.phase] === P.move || s[L.phase] === P.commit;
    out[27] = waits && t.armies[active]!.shock && s[L.armyFired + active] === 0 && s[L.relief] === 0 ? 1 : 0;
    if (s[L.battleHex] === 0) return;
    out[11] = s[L.relief]!;
    out[12] = unit(s[L.round]! / 4);
    out[13] = unit(s[L.hits]! / 8);
    for (let cls = MECH; cls <= SEC; cls++) out[14 + cls] = unit(force[cls]! / 8);
    for (let kind = FK8; kind < RAID; kind++) out[16 + kind] = force[4 + kind]! > 0 ? 1 : 0;
    out[21] = unit(force[4 + RAID]! / 2);
    out[22] = s[L.committed]!;
    out[26] = unit(s[L.pocketSize]! / 10);
  }
}

if (features.map.length !== FM || features.units.length !== FU || features.decision[0]!.name !== `phase_${PHASES[0]}`) throw new RangeError("observation.json does not fit observation.ts");

/** Deals what lies unseen anew. Exactly uniform over what the player's knowledge allows (spec section 7). */
export class Resampler {
  private readonly markers: Int16Array;
  private readonly free: Int16Array;

  constructor(private readonly w: World) {
    this.markers = new Int16Array(w.hexes);
    this.free = new Int16Array(w.counters);
  }

  /** Writes into `out` the situation of `s` with unseen counters dealt anew and a fresh stream. */
  resample(s: State, out: State, rng: Rng): void {
    out.set(s);
    rng.freshStream(out);
    this.deal(out, (n) => rng.below(n));
  }

  /**
   * Deals the counters at `POOL` and `FACE_DOWN` to the markers on the map, whatever lies under them now, by ascending
   * time of placement: each marker gets any of the counters that were in the pool then. The eligible sets are nested, so
   * all assignments are equally likely. From turn 3 on an unseen Guderian lies under a marker placed before he was
   * relieved; deals in which he doesn't are thrown away.
   */
  deal(s: State, below: (n: number) => number): void {
    const { w, markers, free } = this;
    const { L } = w;
    let n = 0;
    for (let h = 0; h < w.hexes; h++) {
      if (s[L.marker + h]! <= 0) continue;
      let i = n++;
      for (; i > 0 && s[L.placed + markers[i - 1]!]! > s[L.placed + h]!; i--) markers[i] = markers[i - 1]!;
      markers[i] = h;
    }
    const hunted = s[L.purge]! >= 0;
    do {
      let left = 0;
      for (let c = 0; c < w.counters; c++)
        if (s[L.place + c] === POOL || s[L.place + c] === FACE_DOWN) {
          s[L.place + c] = POOL;
          free[left++] = c;
        }
      for (let i = 0; i < n; i++) {
        const h = markers[i]!;
        const placed = s[L.placed + h]!;
        const guderian = !hunted || placed <= s[L.purge]!;
        let eligible = 0;
        for (let j = 0; j < left; j++) if (this.fits(s, free[j]!, placed, guderian)) eligible++;
        let k = below(eligible);
        let j = 0;
        while (!this.fits(s, free[j]!, placed, guderian) || k-- > 0) j++;
        const slot = free[j]!;
        free[j] = free[--left]!;
        s[L.marker + h] = slot + 1;
        s[L.place + slot] = FACE_DOWN;
      }
    } while (hunted && s[L.place + w.t.guderian] !== FACE_DOWN);
  }

  private fits(s: StateView, slot: number, placed: number, guderian: boolean): boolean {
    return s[this.w.L.entered + slot]! <= placed && (guderian || slot !== this.w.t.guderian);
  }
}
