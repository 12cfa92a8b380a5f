import * as bitwise from "../core/bits.js";
import { newObservation, type Observation, type ObservationSpec } from "../core/game.js";
import type { StateView } from "../core/layout.js";
import features from "./data/observation.json" with { type: "json" };
import * as data from "./data.js";
import * as observerPlaces from "./observer-places.js";
import * as scalars from "./observer-scalars.js";
import * as state from "./state.js";
import type { World } from "./state.js";
import { setTargets } from "./turn.js";

// own constants, for speed: see core/layout.ts
const { lowest } = bitwise;
const { JANUARY, SUPPORT } = data;
const { writeDecision, writeGlobals } = scalars;
const {
  activeArmy,
  BATTLE,
  battleHex,
  BOX,
  DEAD,
  FACE_DOWN,
  GARRISON,
  P,
  P_GONE,
  P_TRACK,
  partisanHex,
  PHASES,
  REMOVED,
  TRACK,
} = state;
const {
  SOVIET,
  MAIN_AREA,
  MARKER,
  UNITS_THERE,
  THERE,
  ARMY,
  ARMY_STEPS,
  SHOCK,
  ENGINEER,
  HAS_MOVED,
  MOVES,
  BATTLE_HEX,
  ORIGIN,
  CUT,
  POCKET,
  TARGET,
  FM,
  STEPS,
  ON_MAP,
  COLUMN,
  ROW,
  STOPPED,
  FIRED,
  ACTIVE,
  OUT,
  NEXT_BOX,
  LATER_BOX,
  UNSEEN,
  IN_BATTLE,
  IN_GARRISON,
  MAYBE_POOL,
  FU,
  A_HEX,
  A_STEPS,
  A_ENGINEER,
  A_STOPPED,
  A_FIRED,
  A_ACTIVE,
  A_BATTLE,
  A_OUT,
  A_NEXT,
  A_LATER,
  HEX_MASK,
  C_UNSEEN,
  C_UNDER_MARKER,
  C_OUT,
  C_NEXT,
  C_LATER,
  C_GARRISON,
  C_BATTLE,
  PLACES,
  N_WRITTEN,
  N_PARTISAN,
  N_BATTLE,
  N_FROM,
  N_POCKET,
  N_TARGETS,
  N_ENGINEER,
  N_INTERCEPTOR,
  N_MARKER,
  N_SEEN,
  N_WORDS,
} = observerPlaces;

const unit = (x: number): number => (x > 1 ? 1 : x);

/**
 * Writes observations. The cache of a row say what stands in it, so that only what differs is written: a decision changes
 * a few dozen of 7,760 values. Groups of features that don't share a column are brought up to date one after the other.
 */
export class Observer {
  /** Length of the cache of a row. */
  readonly cacheWords: number;
  /** The start of a game, what a row without cache is written from. */
  private readonly first: Observation & { readonly cache: Int32Array };
  private readonly scratch: Int32Array;
  /** Hexes that start German: the others never change hands. Rule: SC 3.8 */
  private readonly contested: Int16Array;
  private readonly column: Float32Array;
  private readonly row: Float32Array;
  /** Where cache about hexes, armies and counters begin. */
  private readonly german: number;
  private readonly cutting: number;
  private readonly marked: number;
  private readonly garrisoned: number;
  private readonly armies: number;
  private readonly open: number;
  private readonly counters: number;
  private readonly hexWords: number;
  private readonly counterWords: number;
  /** Row of the first counter in `units`, in values. */
  private readonly counterRows: number;
  /** [turn][place]: cache of counters that lie there; to those in garrisons and battles their hex is added. */
  private readonly codes: Int16Array;

  /** @param ready the set-up before the first draw */
  constructor(
    private readonly w: World,
    spec: ObservationSpec,
    ready: StateView,
  ) {
    const { t } = w;
    this.hexWords = w.hexWords;
    this.counterWords = w.counterWords;
    this.german = N_WORDS;
    this.cutting = this.german + this.hexWords;
    this.marked = this.cutting + this.hexWords;
    this.garrisoned = this.marked + this.hexWords;
    this.armies = this.garrisoned + this.hexWords;
    this.open = this.armies + w.armies;
    this.counters = this.open + this.counterWords;
    this.cacheWords = this.counters + w.counters;
    this.scratch = new Int32Array(this.cacheWords);
    this.counterRows = (w.armies + 3) * FU;
    this.contested = Int16Array.from(t.grid.ids.map((_, h) => h).filter((h) => t.startGerman[h] === 1));
    this.column = Float32Array.from(
      t.grid.columns,
      (c) => (c - t.columns[0]) / Math.max(1, t.columns[1] - t.columns[0]),
    );
    this.row = Float32Array.from(t.grid.rows, (r) => r / Math.max(1, t.rows[1]));
    this.codes = new Int16Array(8 * PLACES);
    for (let turn = 0; turn < 8; turn++)
      for (let place = 0; place < PLACES; place++) {
        const box = place === BOX + turn + 1 ? C_NEXT : C_LATER;
        this.codes[turn * PLACES + place] =
          place <= FACE_DOWN
            ? C_UNSEEN
            : place === GARRISON
              ? C_GARRISON
              : place === BATTLE
                ? C_BATTLE
                : place === REMOVED
                  ? C_OUT
                  : box;
      }
    this.first = { ...newObservation(spec), cache: new Int32Array(this.cacheWords) };
    this.writeFirst(ready);
  }

  /** From empty tensors, which stand for: all hexes Soviet, nobody and nothing anywhere, no counter seen. */
  private writeFirst(ready: StateView): void {
    const { w, first } = this;
    const { map, units, cache: cache } = first;
    for (let h = 0; h < w.hexes; h++) map[h * FM + SOVIET] = map[h * FM + MAIN_AREA] = 1;
    w.t.counters.forEach((c, i) => {
      units[this.counterRows + i * FU + STEPS] = c.cls === SUPPORT ? 0 : 1 / 12;
      this.writeCounter(units, i, C_UNSEEN);
    });
    cache[N_WRITTEN] = 1;
    cache[N_ENGINEER] = cache[N_INTERCEPTOR] = cache[N_MARKER] = -1000;
    this.observe(ready, first);
  }

  /** Everything a player may know is public, so every viewer gets the same. Rule: SC 3.1, SC 3.3 */
  observe(s: StateView, out: Observation): void {
    const { first } = this;
    const cache = out.cache ?? this.scratch;
    if (out.cache === undefined || cache[N_WRITTEN] === 0) {
      out.map.set(first.map);
      out.units.set(first.units);
      cache.set(first.cache);
    }
    this.control(s, out.map, cache);
    this.marks(s, out.map, cache);
    this.battle(s, out.map, cache);
    this.targets(s, out.map, cache);
    this.forces(s, out, cache);
    this.soviets(s, out.units, cache);
    this.germans(s, out, cache);
    writeGlobals(this.w, s, out.globals, cache);
    writeDecision(this.w, s, out.decision);
  }

  /** Who holds which hex, and what follows from that. */
  private control(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { w, german, hexWords } = this;
    const { L } = w;
    let changed = false;
    for (let i = 0; i < hexWords; i++) {
      const now = s[L.germanBits + i]!;
      let differ = now ^ cache[german + i]!;
      if (differ === 0) continue;
      changed = true;
      cache[german + i] = now;
      for (; differ !== 0; differ &= differ - 1) {
        const bit = lowest(differ);
        const at = (i * 32 + bit) * FM;
        map[at + SOVIET] = map[at + MAIN_AREA] = 1 - ((now >>> bit) & 1);
      }
    }
    const partisan = partisanHex(w, s) + 1;
    const before = cache[N_PARTISAN]!;
    if (changed) this.cuts(s, map, cache);
    else if (partisan === before) return;
    if (before > 0) map[(before - 1) * FM + MAIN_AREA] = map[(before - 1) * FM + SOVIET]!;
    if (partisan > 0) map[(partisan - 1) * FM + MAIN_AREA] = 0;
    cache[N_PARTISAN] = partisan;
  }

  /** What each front hex holds open; it follows from control. */
  private cuts(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { contested, cutting, hexWords } = this;
    const { cut, front } = this.w.L;
    for (let i = 0; i < hexWords; i++) {
      for (let rest = cache[cutting + i]!; rest !== 0; rest &= rest - 1) map[(i * 32 + lowest(rest)) * FM + CUT] = 0;
      cache[cutting + i] = 0;
    }
    for (let i = 0; i < contested.length; i++) {
      const h = contested[i]!;
      if (s[cut + h]! <= 0 || s[front + h]! <= 0) continue;
      map[h * FM + CUT] = unit(s[cut + h]! / 10);
      cache[cutting + (h >> 5)]! |= 1 << h;
    }
  }

  /** Counters face down. */
  private marks(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { marked, hexWords } = this;
    const { markerBits } = this.w.L;
    for (let i = 0; i < hexWords; i++) {
      const now = s[markerBits + i]!;
      let differ = now ^ cache[marked + i]!;
      if (differ === 0) continue;
      cache[marked + i] = now;
      for (; differ !== 0; differ &= differ - 1) {
        const bit = lowest(differ);
        map[(i * 32 + bit) * FM + MARKER] = (now >>> bit) & 1;
      }
    }
  }

  private battle(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { L, hexes } = this.w;
    const hex = s[L.battleHex]!;
    const from = s[L.from]!;
    if (hex !== cache[N_BATTLE] || from !== cache[N_FROM]) {
      if (cache[N_BATTLE]! > 0) {
        map[(cache[N_BATTLE]! - 1) * FM + BATTLE_HEX] = 0;
        map[(cache[N_FROM]! - 1) * FM + ORIGIN] = 0;
      }
      if (hex > 0) {
        map[(hex - 1) * FM + BATTLE_HEX] = 1;
        map[(from - 1) * FM + ORIGIN] = 1;
      }
      cache[N_BATTLE] = hex;
      cache[N_FROM] = from;
    }
    const pocket = s[L.pocketSize]! > 0 ? 1 : 0;
    if ((pocket | cache[N_POCKET]!) === 0) return;
    for (let h = 0; h < hexes; h++) map[h * FM + POCKET] = s[L.pocket + h]!;
    cache[N_POCKET] = pocket;
  }

  private targets(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { w } = this;
    const { L } = w;
    const { neighbours } = w.t.grid;
    const before = cache[N_TARGETS]!;
    if (before < 0) for (let h = 0; h < w.hexes; h++) map[h * FM + TARGET] = 0;
    else if (before > 0)
      for (let d = (before - 1) * 6; d < before * 6; d++) {
        const h = neighbours[d]!;
        if (h >= 0) map[h * FM + TARGET] = 0;
      }
    const phase = s[L.phase]!;
    const any = phase === P.enter || phase === P.partisan;
    cache[N_TARGETS] = any ? -1 : phase === P.move ? s[L.armyHex + activeArmy(w, s)]! + 1 : 0;
    if (any || phase === P.move) setTargets(w, s, map, TARGET, FM);
  }

  /** Armies in both tables: those that changed are lifted off the map first, as another may stand there now. */
  private forces(s: StateView, out: Observation, cache: Int32Array): void {
    const { w, armies } = this;
    const { map, units } = out;
    let changed = 0;
    for (let a = 0; a < w.armies; a++) {
      const before = cache[armies + a]!;
      const now = this.armyNote(s, a);
      if (now === before) continue;
      changed |= 1 << a;
      const hex = (before & HEX_MASK) - 1;
      if (hex >= 0) for (let f = ARMY; f <= MOVES; f++) map[hex * FM + f] = 0;
      cache[armies + a] = now;
    }
    for (; changed !== 0; changed &= changed - 1) {
      const a = lowest(changed);
      this.writeArmy(map, units, a, cache[armies + a]!);
    }
  }

  private armyNote(s: StateView, a: number): number {
    const { w } = this;
    const { L } = w;
    const hex = s[L.armyHex + a]!;
    if (hex < 0)
      return hex === DEAD
        ? 1 << A_OUT
        : hex !== TRACK
          ? 0
          : 1 << (w.t.armies[a]!.enters === s[L.turn]! + 1 ? A_NEXT : A_LATER);
    const active = s[L.active] === a + 1 ? 1 : 0;
    return (
      ((hex + 1) << A_HEX) |
      (s[L.armySteps + a]! << A_STEPS) |
      ((s[L.host] === a + 1 ? s[L.engineer]! : 0) << A_ENGINEER) |
      (s[L.armyStopped + a]! << A_STOPPED) |
      (s[L.armyFired + a]! << A_FIRED) |
      (active << A_ACTIVE) |
      ((s[L.battleHex]! > 0 ? active : 0) << A_BATTLE)
    );
  }

  private writeArmy(map: Float32Array, units: Float32Array, a: number, note: number): void {
    const at = a * FU;
    const hex = (note & HEX_MASK) - 1;
    const steps = unit(((note >> A_STEPS) & 127) / 12);
    const stopped = (note >> A_STOPPED) & 1;
    const active = (note >> A_ACTIVE) & 1;
    units[at + STEPS] = steps;
    this.place(units, at, hex);
    units[at + STOPPED] = stopped;
    units[at + FIRED] = (note >> A_FIRED) & 1;
    units[at + ACTIVE] = active;
    units[at + OUT] = (note >> A_OUT) & 1;
    units[at + NEXT_BOX] = (note >> A_NEXT) & 1;
    units[at + LATER_BOX] = (note >> A_LATER) & 1;
    units[at + IN_BATTLE] = (note >> A_BATTLE) & 1;
    if (hex < 0) return;
    const m = hex * FM;
    map[m + ARMY] = 1;
    map[m + ARMY_STEPS] = steps;
    map[m + SHOCK] = this.w.t.armies[a]!.shock ? 1 : 0;
    map[m + ENGINEER] = unit(((note >> A_ENGINEER) & 63) / 6);
    map[m + HAS_MOVED] = stopped;
    map[m + MOVES] = active;
  }

  /** @param hex -1 for a unit that is nowhere on the map */
  private place(units: Float32Array, at: number, hex: number): void {
    units[at + ON_MAP] = hex < 0 ? 0 : 1;
    units[at + COLUMN] = hex < 0 ? 0 : this.column[hex]!;
    units[at + ROW] = hex < 0 ? 0 : this.row[hex]!;
  }

  /** 1E, VI IC, the partisan marker. */
  private soviets(s: StateView, units: Float32Array, cache: Int32Array): void {
    const { w } = this;
    const { L } = w;
    const host = s[L.host]! - 1;
    const steps = s[L.engineer]!;
    let at = w.armies * FU;
    let note = host >= 0 ? cache[this.armies + host]! : -1 - steps;
    if (note !== cache[N_ENGINEER]) {
      cache[N_ENGINEER] = note;
      units[at + STEPS] = unit(steps / 12);
      this.place(units, at, host < 0 ? -1 : (note & HEX_MASK) - 1);
      units[at + STOPPED] = host < 0 ? 0 : (note >> A_STOPPED) & 1;
      units[at + ACTIVE] = host < 0 ? 0 : (note >> A_ACTIVE) & 1;
      units[at + IN_BATTLE] = host < 0 ? 0 : (note >> A_BATTLE) & 1;
      units[at + OUT] = steps === 0 ? 1 : 0;
    }
    at += FU;
    note = s[L.interceptor]! | (s[L.committed]! << 1);
    if (note !== cache[N_INTERCEPTOR]) {
      cache[N_INTERCEPTOR] = note;
      units[at + NEXT_BOX] = 1 - s[L.interceptor]!;
      units[at + IN_BATTLE] = s[L.committed]!;
    }
    at += FU;
    const partisan = s[L.partisan]!;
    const soon = partisan === P_TRACK && s[L.turn] === JANUARY - 1 ? 1 : 0;
    note = partisan * 2 + soon;
    if (note === cache[N_MARKER]) return;
    cache[N_MARKER] = note;
    this.place(units, at, partisanHex(w, s) < 0 ? -1 : partisanHex(w, s));
    units[at + OUT] = partisan === P_GONE ? 1 : 0;
    units[at + NEXT_BOX] = soon;
    units[at + LATER_BOX] = partisan === P_TRACK ? 1 - soon : 0;
  }

  /** German counters: those that lie open now, or did when the row was written. */
  private germans(s: StateView, out: Observation, cache: Int32Array): void {
    const { w, codes, open, counters, counterWords } = this;
    const { L, t } = w;
    const { place: places, site, openBits } = L;
    const fights = battleHex(w, s);
    const row = s[L.turn]! * PLACES;
    let moved = 0;
    for (let i = 0; i < counterWords; i++) {
      const now = s[openBits + i]!;
      for (let rest = now | cache[open + i]!; rest !== 0; rest &= rest - 1) {
        const c = i * 32 + lowest(rest);
        const place = s[places + c]!;
        let note = codes[row + place]!;
        if (place === GARRISON) note += s[site + c]!;
        else if (place === BATTLE) note += fights;
        const before = cache[counters + c]!;
        if (note === before) continue;
        moved |= note | before;
        cache[N_SEEN + t.cls[c]!]! += (note > C_UNDER_MARKER ? 1 : 0) - (before > C_UNDER_MARKER ? 1 : 0);
        cache[counters + c] = note;
        this.writeCounter(out.units, c, note);
      }
      cache[open + i] = now;
    }
    this.guderian(s, out.units, cache);
    if ((moved & C_GARRISON) !== 0) this.garrisons(s, out.map, cache);
  }

  /** Unseen he is known to be under a marker from turn 3 on. Ruling R15 */
  private guderian(s: StateView, units: Float32Array, cache: Int32Array): void {
    const { w, counters } = this;
    const c = w.t.guderian;
    if (s[w.L.place + c]! > FACE_DOWN) return;
    const note = s[w.L.purge]! >= 0 ? C_UNDER_MARKER : C_UNSEEN;
    if (note === cache[counters + c]) return;
    cache[counters + c] = note;
    this.writeCounter(units, c, note);
  }

  private writeCounter(units: Float32Array, c: number, note: number): void {
    const at = this.counterRows + c * FU;
    this.place(units, at, note < C_GARRISON ? -1 : note & HEX_MASK);
    units[at + OUT] = note === C_OUT ? 1 : 0;
    units[at + NEXT_BOX] = note === C_NEXT ? 1 : 0;
    units[at + LATER_BOX] = note === C_LATER ? 1 : 0;
    units[at + UNSEEN] = note <= C_UNDER_MARKER ? 1 : 0;
    units[at + IN_BATTLE] = note >= C_BATTLE ? 1 : 0;
    units[at + IN_GARRISON] = (note & C_GARRISON) !== 0 ? 1 : 0;
    units[at + MAYBE_POOL] = note === C_UNSEEN ? 1 : 0;
  }

  /** Who stands in each garrison, told anew. */
  private garrisons(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { garrisoned, hexWords, counterWords } = this;
    const { L, t } = this.w;
    for (let i = 0; i < hexWords; i++) {
      for (let rest = cache[garrisoned + i]!; rest !== 0; rest &= rest - 1) {
        const at = (i * 32 + lowest(rest)) * FM;
        map[at + UNITS_THERE] = map[at + THERE] = map[at + THERE + 1] = map[at + THERE + 2] = 0;
      }
      cache[garrisoned + i] = 0;
    }
    for (let i = 0; i < counterWords; i++)
      for (let rest = s[L.openBits + i]!; rest !== 0; rest &= rest - 1) {
        const c = i * 32 + lowest(rest);
        if (s[L.place + c] !== GARRISON) continue;
        const hex = s[L.site + c]!;
        const of = hex * FM + THERE + t.cls[c]!;
        cache[garrisoned + (hex >> 5)]! |= 1 << hex;
        map[hex * FM + UNITS_THERE] = unit(map[hex * FM + UNITS_THERE]! + 0.125);
        map[of] = unit(map[of]! + 0.125);
      }
  }
}

if (features.map.length !== FM || features.units.length !== FU || features.decision[0]!.name !== `phase_${PHASES[0]}`)
  throw new RangeError("observation.json does not fit observer.ts");
