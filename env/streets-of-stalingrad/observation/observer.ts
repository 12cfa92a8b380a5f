import { bitWords, hasBit } from "../../core/bits.js";
import type { Observation, ObservationSpec, Viewer } from "../../core/game.js";
import { newState, type State, type StateView } from "../../core/layout.js";
import type { Knowledge } from "../knowledge.js";
import {
  ANNOUNCED_SHIFT,
  boxOf,
  FIRED_AF,
  isBox,
  NO_MOVE,
  DEAD,
  UNTOLD,
  DISMOUNTED,
  KNOWN,
  OOS_SHIFT,
  OP_FIRED,
  ORDERED,
  PATH_HEX,
  PINNED,
  POOL,
  SPENT,
  TASK_BITS,
  UNREADY,
} from "../layout.js";
import { UNIT, UNIT_FEATURES } from "./columns.js";
import { MapWriter } from "./observer-map.js";
import { missionAt } from "../rules/artillery/missions.js";
import { writeDecision, writeGlobals, writePicks } from "./observer-scalars.js";
import { GERMAN, SOVIET } from "../roster.js";
import { BOXES } from "../schema.js";
import { MOST_PHASES } from "../rules/units/tasks.js";
import { phasesLeft, taskHex, taskOf } from "../state.js";
import type { Tables } from "../state.js";

/** Markers in a hex's row. A counter's place, and who knows it, are in the rows of its neighbours too. */
const ON_MAP = PINNED | SPENT;
const RESULTS_KEPT = 1;

/**
 * Writes observations: everything is made from what `Knowledge.redact` leaves of the state, so that nothing else can
 * come in. A row with a cache keeps the redacted state it was written from and rewrites only what has changed since.
 *
 * Words of a cache: 1 once written, then 2 + viewer, the redacted state, the hexes seen, the focus, the picks.
 */
export class Observer {
  readonly cacheWords: number;
  private readonly known: State;
  private readonly map: MapWriter;
  private readonly dirty: Uint8Array;
  private readonly picks: Int32Array;
  private readonly pickWords: number;
  private readonly hexWords: number;

  constructor(
    private readonly tables: Tables,
    private readonly knowledge: Knowledge,
    private readonly spec: ObservationSpec,
  ) {
    const { layout, units, hexes } = tables;
    this.known = newState(layout.size);
    this.map = new MapWriter(tables);
    this.dirty = new Uint8Array(hexes);
    this.pickWords = bitWords(units);
    this.picks = new Int32Array(this.pickWords);
    this.hexWords = bitWords(hexes);
    this.cacheWords = 2 + RESULTS_KEPT + layout.size + this.hexWords + this.pickWords;
  }

  observe(s: StateView, viewer: Viewer, out: Observation): void {
    const { known, tables } = this;
    this.knowledge.redact(s, viewer, known);
    const { cache } = out;
    if (cache !== undefined && cache[0] === 1 && cache[1] === viewer + 2) this.update(viewer, out, cache);
    else this.writeAll(viewer, out, cache);
    writeGlobals(tables, known, viewer, out.globals);
    writeDecision(tables, known, viewer, this.map.focus, this.picks, out.decision);
  }

  private writeAll(viewer: Viewer, out: Observation, cache: Int32Array | undefined): void {
    const { known, map, tables } = this;
    const side = viewer === SOVIET ? SOVIET : GERMAN;
    map.begin(known, viewer, side);
    writePicks(tables, known, this.picks);
    out.map.fill(0);
    for (let h = 0; h < tables.hexes; h++) map.write(known, viewer, side, h, out.map);
    const { mapRows } = this.spec;
    if (mapRows.length !== tables.hexes + BOXES.length + 1)
      throw new RangeError("rows of map are hexes, boxes and pools");
    if (tables.river.any) map.writeBoxes(known, viewer, side, out.map);
    for (let u = 0; u < tables.units; u++) this.writeUnit(viewer, u, out.units);
    if (cache !== undefined) this.keep(viewer, cache);
  }

  private keep(viewer: Viewer, cache: Int32Array): void {
    const { known, map } = this;
    cache[0] = 1;
    cache[1] = viewer + 2;
    cache[2] = map.focus;
    cache.set(known, 3);
    cache.set(map.seen, 3 + known.length);
    cache.set(this.picks, 3 + known.length + this.hexWords);
  }

  private update(viewer: Viewer, out: Observation, cache: Int32Array): void {
    const { dirty, known, map, tables } = this;
    const { layout } = tables;
    const side = viewer === SOVIET ? SOVIET : GERMAN;
    const was = 3;
    dirty.fill(0);
    map.begin(known, viewer, side);
    writePicks(tables, known, this.picks);
    const pickAt = was + known.length + this.hexWords;
    for (let u = 0; u < tables.units; u++) {
      const place = known[layout.place + u]!;
      const before = cache[was + layout.place + u]!;
      const flags = known[layout.flags + u]! ^ cache[was + layout.flags + u]!;
      const extra = known[layout.extra + u]! ^ cache[was + layout.extra + u]!;
      if (place !== before) {
        this.markAround(place);
        this.markAround(before);
      } else if (place >= 0) {
        if ((flags & KNOWN) !== 0) this.markAround(place);
        else if ((flags & ON_MAP) !== 0 || ((extra >> OOS_SHIFT) & 15) !== 0) dirty[place] = 1;
      }
      if (place !== before || flags !== 0 || extra !== 0 || hasBit(this.picks, 0, u) !== hasBit(cache, pickAt, u))
        this.writeUnit(viewer, u, out.units);
    }
    for (const side of tables.engineers)
      for (const u of side)
        if (((known[layout.work + u]! | cache[was + layout.work + u]!) & TASK_BITS) !== 0)
          this.writeUnit(viewer, u, out.units);
    for (let h = 0; h < tables.hexes; h++) {
      const changed = known[layout.hexState + h]! ^ cache[was + layout.hexState + h]!;
      if (changed !== 0) {
        dirty[h] = 1;
        if (changed >> ANNOUNCED_SHIFT !== 0) this.markAround(h);
      }
      if (known[layout.bombs + h] !== cache[was + layout.bombs + h]) dirty[h] = 1;
      if (known[layout.bombs + tables.hexes + h] !== cache[was + layout.bombs + tables.hexes + h]) dirty[h] = 1;
    }
    for (let i = 0; i < tables.missions; i++) {
      const mission = missionAt(tables, i);
      const before = cache[was + mission]!;
      if (known[mission] === before) continue;
      for (const word of [before, known[mission]!]) if (word !== 0) dirty[(word & 0xfff) - 1] = 1; // of a box: nothing
    }
    for (let w = 0; w < this.hexWords; w++) {
      let changed = map.seen[w]! ^ cache[was + known.length + w]!;
      for (; changed !== 0; changed &= changed - 1) dirty[w * 32 + (31 - Math.clz32(changed & -changed))] = 1;
    }
    this.touchPath(known, 0);
    this.touchPath(cache, was);
    if (map.focus !== cache[2]) {
      if (map.focus >= 0) dirty[map.focus] = 1;
      if (cache[2]! >= 0) dirty[cache[2]!] = 1;
    }
    for (let h = 0; h < tables.hexes; h++) {
      if (dirty[h] === 0) continue;
      out.map.fill(0, h * map.features, (h + 1) * map.features);
      map.write(known, viewer, side, h, out.map);
    }
    if (tables.river.any) map.writeBoxes(known, viewer, side, out.map);
    this.keep(viewer, cache);
  }

  /** Marks a hex and its neighbours, which its zone of control covers, for writing. */
  private markAround(hex: number): void {
    if (hex < 0) return;
    const { neighbours } = this.tables.board;
    this.dirty[hex] = 1;
    for (let d = hex * 6; d < hex * 6 + 6; d++) if (neighbours[d]! >= 0) this.dirty[neighbours[d]!] = 1;
  }

  private touchPath(s: StateView, at: number): void {
    const { path, pathLength } = this.tables.layout;
    for (let i = 0; i < s[at + pathLength]!; i++) this.dirty[s[at + path + i]! & PATH_HEX] = 1;
  }

  private writeUnit(viewer: Viewer, u: number, out: Float32Array): void {
    const { known, tables } = this;
    const { board, layout, roster } = tables;
    const at = u * UNIT_FEATURES;
    const place = known[layout.place + u]!;
    const flags = known[layout.flags + u]!;
    const own = roster.side[u] === viewer;
    out.fill(0, at, at + UNIT_FEATURES);
    if (roster.spare[u] === 1) return;
    if (place === DEAD || (place === UNTOLD && own)) out[at + UNIT.dead] = 1;
    if (place === POOL && own) out[at + UNIT.notArrived] = 1;
    if (place < 0 && !isBox(place)) return;
    if (!(own || (flags & KNOWN) !== 0)) return;
    out[at + UNIT.identified] = 1;
    if (place >= 0) {
      out[at + UNIT.column] = board.columns[place]! / 40;
      out[at + UNIT.row] = board.rows[place]! / 79;
    } else out[at + UNIT.box] = (boxOf(place) + 1) / BOXES.length;
    out[at + UNIT.pinned] = (flags & PINNED) !== 0 ? 1 : 0;
    out[at + UNIT.spent] = (flags & SPENT) !== 0 ? 1 : 0;
    out[at + UNIT.faceUp] = (flags & KNOWN) !== 0 ? 1 : 0;
    out[at + UNIT.dismounted] = (flags & DISMOUNTED) !== 0 ? 1 : 0;
    out[at + UNIT.ordered] = (flags & ORDERED) !== 0 ? 1 : 0;
    out[at + UNIT.fired] = (flags & (OP_FIRED | FIRED_AF)) !== 0 ? 1 : 0;
    out[at + UNIT.unready] = (flags & (UNREADY | NO_MOVE)) !== 0 ? 1 : 0;
    out[at + UNIT.outOfSupply] = ((known[layout.extra + u]! >> OOS_SHIFT) & 15) / 4;
    if (own && taskOf(tables, known, u) !== 0)
      out[at + UNIT.task] = phasesLeft(tables, known, roster.side[u]!, taskHex(tables, known, u)) / MOST_PHASES;
    out[at + UNIT.picked] = hasBit(this.picks, 0, u) ? 1 : 0;
  }
}
