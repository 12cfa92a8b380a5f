import { lowest } from "../../core/bits.js";
import type { Observation } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { type ArmyId, type CounterId, FIRST_ARMY, type HexId, JANUARY, NO_HEX, SUPPORT, type Tables } from "../data.js";
import { BATTLE, BOX, DEAD, FACE_DOWN, GARRISON, PARTISAN_GONE, PARTISAN_ON_TRACK, REMOVED, TRACK } from "../layout.js";
import { battleHex, partisanHex } from "../state.js";
import { ARMY_WORD, CACHED, COUNTER_WORD, HEX_MASK, MAP, UNIT } from "./columns.js";
import type { CacheLayout } from "./columns.js";
import type { MapRows } from "./map-rows.js";

/** Values of `place` in a state, boxes included. */
const PLACES = 16;

const clipped = (x: number): number => (x > 1 ? 1 : x);

/** The features of armies, markers and counters, and those of the armies' hexes. */
export class UnitRows {
  /** Column and row of each hex, as observed. */
  private readonly column: Float32Array;
  private readonly row: Float32Array;
  /** Where the row of the first counter begins. */
  private readonly counterRows: number;
  /** [turn][place]: word of a counter there; in garrisons and battles its hex is added. */
  private readonly wordAt: Int16Array;

  constructor(
    private readonly tables: Tables,
    private readonly at: CacheLayout,
    private readonly mapRows: MapRows,
  ) {
    const { grid, columns: span, rows } = tables;
    this.counterRows = (tables.armyCount + 3) * UNIT.width;
    this.column = Float32Array.from(grid.columns, (c) => (c - span[0]) / Math.max(1, span[1] - span[0]));
    this.row = Float32Array.from(grid.rows, (r) => r / Math.max(1, rows[1]));
    this.wordAt = new Int16Array(8 * PLACES);
    for (let turn = 0; turn < 8; turn++)
      for (let place = 0; place < PLACES; place++) this.wordAt[turn * PLACES + place] = wordOf(turn, place);
  }

  /** The values that an empty cache implies. */
  writeAllUnseen(units: Float32Array): void {
    this.tables.counters.forEach((c, i) => {
      units[this.counterRows + i * UNIT.width + UNIT.steps] = c.cls === SUPPORT ? 0 : 1 / 12;
      this.writeCounter(units, i, COUNTER_WORD.unseen);
    });
  }

  write(s: StateView, out: Observation, cache: Int32Array): void {
    this.writeArmies(s, out, cache);
    this.writeEngineer(s, out.units, cache);
    this.writeInterceptor(s, out.units, cache);
    this.writePartisan(s, out.units, cache);
    this.writeCounters(s, out, cache);
  }

  /** Armies in both tables: those that changed are lifted off the map first, as another may have taken their hex. */
  private writeArmies(s: StateView, out: Observation, cache: Int32Array): void {
    const { armyCount } = this.tables;
    const { armies } = this.at;
    const { map, units } = out;
    let changed = 0;
    for (let a = FIRST_ARMY; a < armyCount; a++) {
      const before = cache[armies + a]!;
      const now = this.armyWord(s, a);
      if (now === before) continue;
      changed |= 1 << a;
      const hex = (before & HEX_MASK) - 1;
      if (hex >= 0) for (let f = MAP.army; f <= MAP.active; f++) map[hex * MAP.width + f] = 0;
      cache[armies + a] = now;
    }
    for (; changed !== 0; changed &= changed - 1) {
      const a = lowest(changed) as ArmyId;
      this.writeArmy(map, units, a, cache[armies + a]!);
    }
  }

  private armyWord(s: StateView, a: ArmyId): number {
    const { tables } = this;
    const { L } = tables;
    const hex = s[L.armyHex + a]!;
    if (hex === DEAD) return 1 << ARMY_WORD.out;
    if (hex === TRACK)
      return 1 << (tables.armies[a]!.enters === s[L.turn]! + 1 ? ARMY_WORD.nextBox : ARMY_WORD.laterBox);
    const active = s[L.active] === a + 1 ? 1 : 0;
    return (
      ((hex + 1) << ARMY_WORD.hex) |
      (s[L.armySteps + a]! << ARMY_WORD.steps) |
      ((s[L.host] === a + 1 ? s[L.engineer]! : 0) << ARMY_WORD.engineer) |
      (s[L.armyStopped + a]! << ARMY_WORD.stopped) |
      (s[L.armyFired + a]! << ARMY_WORD.fired) |
      (active << ARMY_WORD.active) |
      ((s[L.battleHex]! > 0 ? active : 0) << ARMY_WORD.inBattle)
    );
  }

  private writeArmy(map: Float32Array, units: Float32Array, a: ArmyId, word: number): void {
    const row = a * UNIT.width;
    const hex = ((word & HEX_MASK) - 1) as HexId;
    const steps = clipped(((word >> ARMY_WORD.steps) & 127) / 12);
    const stopped = (word >> ARMY_WORD.stopped) & 1;
    const active = (word >> ARMY_WORD.active) & 1;
    units[row + UNIT.steps] = steps;
    this.writeHex(units, row, hex);
    units[row + UNIT.stopped] = stopped;
    units[row + UNIT.fired] = (word >> ARMY_WORD.fired) & 1;
    units[row + UNIT.active] = active;
    units[row + UNIT.out] = (word >> ARMY_WORD.out) & 1;
    units[row + UNIT.nextBox] = (word >> ARMY_WORD.nextBox) & 1;
    units[row + UNIT.laterBox] = (word >> ARMY_WORD.laterBox) & 1;
    units[row + UNIT.inBattle] = (word >> ARMY_WORD.inBattle) & 1;
    if (hex < 0) return;
    const mapRow = hex * MAP.width;
    map[mapRow + MAP.army] = 1;
    map[mapRow + MAP.armySteps] = steps;
    map[mapRow + MAP.shock] = this.tables.armies[a]!.shock ? 1 : 0;
    map[mapRow + MAP.engineer] = clipped(((word >> ARMY_WORD.engineer) & 63) / 6);
    map[mapRow + MAP.stopped] = stopped;
    map[mapRow + MAP.active] = active;
  }

  /** @param hex -1 for a unit that is nowhere on the map */
  private writeHex(units: Float32Array, row: number, hex: HexId): void {
    units[row + UNIT.onMap] = hex < 0 ? 0 : 1;
    units[row + UNIT.column] = hex < 0 ? 0 : this.column[hex]!;
    units[row + UNIT.row] = hex < 0 ? 0 : this.row[hex]!;
  }

  /** 1E shares the hex and the state of its host. */
  private writeEngineer(s: StateView, units: Float32Array, cache: Int32Array): void {
    const { L, armyCount } = this.tables;
    const host = s[L.host]! - 1;
    const steps = s[L.engineer]!;
    const row = armyCount * UNIT.width;
    const word = host >= 0 ? cache[this.at.armies + host]! : -1 - steps;
    if (word === cache[CACHED.engineer]) return;
    cache[CACHED.engineer] = word;
    units[row + UNIT.steps] = clipped(steps / 12);
    this.writeHex(units, row, host < 0 ? NO_HEX : (((word & HEX_MASK) - 1) as HexId));
    units[row + UNIT.stopped] = host < 0 ? 0 : (word >> ARMY_WORD.stopped) & 1;
    units[row + UNIT.active] = host < 0 ? 0 : (word >> ARMY_WORD.active) & 1;
    units[row + UNIT.inBattle] = host < 0 ? 0 : (word >> ARMY_WORD.inBattle) & 1;
    units[row + UNIT.out] = steps === 0 ? 1 : 0;
  }

  /** VI IC */
  private writeInterceptor(s: StateView, units: Float32Array, cache: Int32Array): void {
    const { L, armyCount } = this.tables;
    const row = (armyCount + 1) * UNIT.width;
    const word = s[L.interceptor]! | (s[L.committed]! << 1);
    if (word === cache[CACHED.interceptor]) return;
    cache[CACHED.interceptor] = word;
    units[row + UNIT.nextBox] = 1 - s[L.interceptor]!;
    units[row + UNIT.inBattle] = s[L.committed]!;
  }

  /** The partisan marker. */
  private writePartisan(s: StateView, units: Float32Array, cache: Int32Array): void {
    const { tables } = this;
    const { L } = tables;
    const row = (tables.armyCount + 2) * UNIT.width;
    const partisan = s[L.partisan]!;
    const nextTurn = partisan === PARTISAN_ON_TRACK && s[L.turn] === JANUARY - 1 ? 1 : 0;
    const word = partisan * 2 + nextTurn;
    if (word === cache[CACHED.partisan]) return;
    cache[CACHED.partisan] = word;
    const hex = partisanHex(tables, s);
    this.writeHex(units, row, hex < 0 ? NO_HEX : hex);
    units[row + UNIT.out] = partisan === PARTISAN_GONE ? 1 : 0;
    units[row + UNIT.nextBox] = nextTurn;
    units[row + UNIT.laterBox] = partisan === PARTISAN_ON_TRACK ? 1 - nextTurn : 0;
  }

  /** German counters: those that are open now, or were when the row was written. */
  private writeCounters(s: StateView, out: Observation, cache: Int32Array): void {
    const { tables, wordAt } = this;
    const { open, counters } = this.at;
    const { L, cls, counterWords } = tables;
    const { place: places, site, openBits } = L;
    const fights = battleHex(tables, s);
    const row = s[L.turn]! * PLACES;
    let moved = 0;
    for (let i = 0; i < counterWords; i++) {
      const now = s[openBits + i]!;
      for (let rest = now | cache[open + i]!; rest !== 0; rest &= rest - 1) {
        const c = (i * 32 + lowest(rest)) as CounterId;
        const place = s[places + c]!;
        let word = wordAt[row + place]!;
        if (place === GARRISON) word += s[site + c]!;
        else if (place === BATTLE) word += fights;
        const before = cache[counters + c]!;
        if (word === before) continue;
        moved |= word | before;
        cache[CACHED.openOfClass + cls[c]!]! +=
          (word > COUNTER_WORD.underMarker ? 1 : 0) - (before > COUNTER_WORD.underMarker ? 1 : 0);
        cache[counters + c] = word;
        this.writeCounter(out.units, c, word);
      }
      cache[open + i] = now;
    }
    this.writeGuderian(s, out.units, cache);
    if ((moved & COUNTER_WORD.garrison) !== 0) this.mapRows.writeGarrisons(s, out.map, cache);
  }

  /** From turn 3 on an unseen Guderian is known to be under a marker. Ruling R15 */
  private writeGuderian(s: StateView, units: Float32Array, cache: Int32Array): void {
    const { L, guderian } = this.tables;
    const { counters } = this.at;
    if (s[L.place + guderian]! > FACE_DOWN) return;
    const word = s[L.purge]! >= 0 ? COUNTER_WORD.underMarker : COUNTER_WORD.unseen;
    if (word === cache[counters + guderian]) return;
    cache[counters + guderian] = word;
    this.writeCounter(units, guderian, word);
  }

  private writeCounter(units: Float32Array, c: CounterId, word: number): void {
    const row = this.counterRows + c * UNIT.width;
    this.writeHex(units, row, word < COUNTER_WORD.garrison ? NO_HEX : ((word & HEX_MASK) as HexId));
    units[row + UNIT.out] = word === COUNTER_WORD.out ? 1 : 0;
    units[row + UNIT.nextBox] = word === COUNTER_WORD.nextBox ? 1 : 0;
    units[row + UNIT.laterBox] = word === COUNTER_WORD.laterBox ? 1 : 0;
    units[row + UNIT.unseen] = word <= COUNTER_WORD.underMarker ? 1 : 0;
    units[row + UNIT.inBattle] = word >= COUNTER_WORD.battle ? 1 : 0;
    units[row + UNIT.inGarrison] = (word & COUNTER_WORD.garrison) !== 0 ? 1 : 0;
    units[row + UNIT.mayBeInPool] = word === COUNTER_WORD.unseen ? 1 : 0;
  }
}

/** The word of a counter at `place` in `turn`, without its hex. */
function wordOf(turn: number, place: number): number {
  if (place <= FACE_DOWN) return COUNTER_WORD.unseen;
  if (place === GARRISON) return COUNTER_WORD.garrison;
  if (place === BATTLE) return COUNTER_WORD.battle;
  if (place === REMOVED) return COUNTER_WORD.out;
  return place === BOX + turn + 1 ? COUNTER_WORD.nextBox : COUNTER_WORD.laterBox;
}
