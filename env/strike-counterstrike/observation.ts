import { type Feature, newObservation, type Observation, type ObservationSpec, type Statics } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import features from "./data/observation.json" with { type: "json" };
import * as data from "./data.js";
import type { Tables } from "./data.js";
import { armySteps, K_CHECK } from "./rules/victory.js";
import * as state from "./state.js";
import type { World } from "./state.js";
import { setTargets } from "./turn.js";

// own constants, for speed: see core/layout.ts
const { FK8, JANUARY, MECH, NONMECH, RAID, SEC, SUPPORT } = data;
const { activeArmy, BATTLE, battleHex, BOX, DEAD, FACE_DOWN, GARRISON, P, P_GONE, P_TRACK, partisanHex, PHASES, REMOVED, TRACK } = state;

/** Places of the features in a row of `map`. */
const SOVIET = 0;
const MAIN_AREA = 1;
const MARKER = 2;
const UNITS_THERE = 3;
const THERE = 4; // + class
const ARMY = 7;
const ARMY_STEPS = 8;
const SHOCK = 9;
const ENGINEER = 10;
const HAS_MOVED = 11;
const MOVES = 12;
const BATTLE_HEX = 13;
const ORIGIN = 14;
const CUT = 15;
const POCKET = 16;
const TARGET = 17;
const FM = 18;

/** Places of the features in a row of `units`. */
const STEPS = 0;
const ON_MAP = 1;
const COLUMN = 2;
const ROW = 3;
const STOPPED = 4;
const FIRED = 5;
const ACTIVE = 6;
const OUT = 7;
const NEXT_BOX = 8;
const LATER_BOX = 9;
const UNSEEN = 10;
const IN_BATTLE = 11;
const IN_GARRISON = 12;
const MAYBE_POOL = 13;
const FU = 14;

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
const flag = (x: boolean): number => (x ? 1 : 0);

/** What `describe` tells of each row once. */
export function staticTables(t: Tables): Required<Pick<Statics, "map" | "units">> {
  const kinds = ["army", "shock", "engineer", "interceptor", "partisan", "mech", "nonmech", "sec", "support"];
  const row = (strength: number, ...is: string[]): number[] => [...kinds.map((k) => flag(is.includes(k))), unit(strength / 12)];
  return {
    map: {
      features: features.static.map.map(feature),
      values: t.grid.ids.map((_, h) => [t.forest[h]!, t.fort[h]!, t.kLine[h]!, t.western[h]!, flag(t.west.includes(h)), flag(h === t.moscow), flag(h === t.tula), t.guarded[h]!]),
    },
    units: {
      features: features.static.units.map(feature),
      values: [
        ...t.armies.map((a) => row(a.strength, "army", a.shock ? "shock" : "")),
        row(t.engineer.strength, "engineer"),
        row(0, "interceptor"),
        row(0, "partisan"),
        ...t.counters.map((c) => row(c.cls === SUPPORT ? 0 : 1, kinds[5 + c.cls]!)),
      ],
    },
  };
}

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
    for (let h = 0; h < t.hexes; h++) map[h * FM + SOVIET] = map[h * FM + MAIN_AREA] = 1 - t.startGerman[h]!; // what is Soviet stays Soviet (SC 3.8)
    t.counters.forEach((c, i) => {
      const row = (t.armies.length + 3 + i) * FU;
      units[row + STEPS] = c.cls === SUPPORT ? 0 : 1 / 12;
      units[row + UNSEEN] = 1; // until the state says otherwise
      units[row + MAYBE_POOL] = 1;
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
        map[at + SOVIET] = 1;
        map[at + MAIN_AREA] = 1;
      } else {
        if (s[marker + h]! > 0) map[at + MARKER] = 1;
        const lost = s[cut + h]!;
        if (lost > 0) map[at + CUT] = unit(lost / 10);
      }
    }
    const partisan = partisanHex(w, s);
    if (partisan >= 0) map[partisan * FM + MAIN_AREA] = 0;
    const battle = battleHex(w, s);
    if (battle >= 0) {
      map[battle * FM + BATTLE_HEX] = 1;
      map[(s[L.from]! - 1) * FM + ORIGIN] = 1;
      if (s[L.pocketSize]! > 0) for (let h = 0; h < w.hexes; h++) if (s[L.pocket + h] === 1) map[h * FM + POCKET] = 1;
    }
    setTargets(w, s, map, TARGET, FM);
  }

  private armies(s: StateView, map: Float32Array, units: Float32Array): void {
    const { w } = this;
    const { L } = w;
    const active = activeArmy(w, s);
    for (let a = 0, at = 0; a < w.armies; a++, at += FU) {
      const hex = s[L.armyHex + a]!;
      if (hex === DEAD) units[at + OUT] = 1;
      else if (hex === TRACK) units[at + (w.t.armies[a]!.enters === s[L.turn]! + 1 ? NEXT_BOX : LATER_BOX)] = 1;
      if (hex < 0) continue;
      const steps = unit(s[L.armySteps + a]! / 12);
      const stopped = s[L.armyStopped + a]!;
      this.place(units, at, hex);
      units[at + STEPS] = steps;
      units[at + STOPPED] = stopped;
      units[at + FIRED] = s[L.armyFired + a]!;
      const m = hex * FM;
      map[m + ARMY] = 1;
      map[m + ARMY_STEPS] = steps;
      map[m + SHOCK] = w.t.armies[a]!.shock ? 1 : 0;
      map[m + HAS_MOVED] = stopped;
      if (a === active) {
        units[at + ACTIVE] = 1;
        units[at + IN_BATTLE] = s[L.battleHex]! > 0 ? 1 : 0;
        map[m + MOVES] = 1;
      }
      if (s[L.host] === a + 1) map[m + ENGINEER] = unit(s[L.engineer]! / 6);
    }
  }

  private place(units: Float32Array, at: number, hex: number): void {
    units[at + ON_MAP] = 1;
    units[at + COLUMN] = this.column[hex]!;
    units[at + ROW] = this.row[hex]!;
  }

  /** 1E, VI IC, the partisan marker. */
  private markers(s: StateView, units: Float32Array): void {
    const { w } = this;
    const { L } = w;
    let at = w.armies * FU;
    const host = s[L.host]! - 1;
    units[at + STEPS] = unit(s[L.engineer]! / 12);
    if (host >= 0) {
      const row = host * FU;
      this.place(units, at, s[L.armyHex + host]!);
      units[at + STOPPED] = units[row + STOPPED]!;
      units[at + ACTIVE] = units[row + ACTIVE]!;
      units[at + IN_BATTLE] = units[row + IN_BATTLE]!;
    } else if (s[L.engineer] === 0) units[at + OUT] = 1;
    at += FU;
    if (s[L.interceptor] === 0) units[at + NEXT_BOX] = 1;
    units[at + IN_BATTLE] = s[L.committed]!;
    at += FU;
    const partisan = s[L.partisan]!;
    if (partisan === P_GONE) units[at + OUT] = 1;
    else if (partisan === P_TRACK) units[at + (s[L.turn] === JANUARY - 1 ? NEXT_BOX : LATER_BOX)] = 1;
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
      units[at + UNSEEN] = 0;
      units[at + MAYBE_POOL] = 0;
      if (place === GARRISON) {
        const hex = s[L.site + c]!;
        this.place(units, at, hex);
        units[at + IN_GARRISON] = 1;
        map[hex * FM + UNITS_THERE] = unit(map[hex * FM + UNITS_THERE]! + 0.125);
        map[hex * FM + THERE + cls] = unit(map[hex * FM + THERE + cls]! + 0.125);
      } else if (place === BATTLE) {
        this.place(units, at, battleHex(w, s));
        units[at + IN_BATTLE] = 1;
        force[cls === SUPPORT ? 4 + t.support[c]! : cls]!++;
      } else if (place === REMOVED) units[at + OUT] = 1;
      else units[at + (place === next ? NEXT_BOX : LATER_BOX)] = 1;
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
    if (s[L.purge]! >= 0) units[(w.armies + 3 + t.guderian) * FU + MAYBE_POOL] = 0;
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
