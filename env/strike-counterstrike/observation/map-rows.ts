import { lowest } from "../../core/bits.js";
import type { Row } from "../../core/brand.js";
import type { StateView } from "../../core/layout.js";
import { type CounterId, FIRST_HEX, type HexId, type Tables } from "../data.js";
import { GARRISON } from "../layout.js";
import { activeArmy, hexOfArmy, partisanHex, phaseOf } from "../state.js";
import { HEXES_OF } from "../decisions/index.js";
import { CACHED, MAP } from "./columns.js";
import type { CacheLayout } from "./columns.js";

/** The features of hexes, but for the armies there. */
export class MapRows {
  /** Hexes that start German: the others never change hands. Rule: SC 3.8 */
  private readonly contested: Row<HexId>;

  constructor(
    private readonly tables: Tables,
    private readonly at: CacheLayout,
  ) {
    this.contested = Int16Array.from(
      tables.ids.flatMap((_, h) => (tables.startGerman[h] === 1 ? [h] : [])),
    ) as Row<HexId>;
  }

  /** The values that an empty cache implies. */
  writeAllSoviet(map: Float32Array): void {
    for (let h = FIRST_HEX; h < this.tables.hexCount; h++)
      map[h * MAP.width + MAP.soviet] = map[h * MAP.width + MAP.mainArea] = 1;
  }

  write(s: StateView, map: Float32Array, cache: Int32Array): void {
    this.writeControl(s, map, cache);
    this.writeMarkers(s, map, cache);
    this.writeBattle(s, map, cache);
    this.writeTargets(s, map, cache);
  }

  /** Control of the hexes, and what follows from it. */
  private writeControl(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { tables } = this;
    const { german } = this.at;
    const { L, hexWords } = tables;
    let changed = false;
    for (let i = 0; i < hexWords; i++) {
      const now = s[L.germanBits + i]!;
      let differ = now ^ cache[german + i]!;
      if (differ === 0) continue;
      changed = true;
      cache[german + i] = now;
      for (; differ !== 0; differ &= differ - 1) {
        const bit = lowest(differ);
        const row = (i * 32 + bit) * MAP.width;
        map[row + MAP.soviet] = map[row + MAP.mainArea] = 1 - ((now >>> bit) & 1);
      }
    }
    const partisan = partisanHex(tables, s) + 1;
    const before = cache[CACHED.partisanHex]!;
    if (changed) this.writeCuts(s, map, cache);
    else if (partisan === before) return;
    if (before > 0) map[(before - 1) * MAP.width + MAP.mainArea] = map[(before - 1) * MAP.width + MAP.soviet]!;
    if (partisan > 0) map[(partisan - 1) * MAP.width + MAP.mainArea] = 0;
    cache[CACHED.partisanHex] = partisan;
  }

  /** How many hexes each front hex links to the west; it follows from control. */
  private writeCuts(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { contested } = this;
    const { cutting } = this.at;
    const { L, hexWords } = this.tables;
    for (let i = 0; i < hexWords; i++) {
      for (let rest = cache[cutting + i]!; rest !== 0; rest &= rest - 1)
        map[(i * 32 + lowest(rest)) * MAP.width + MAP.cut] = 0;
      cache[cutting + i] = 0;
    }
    for (let i = 0; i < contested.length; i++) {
      const h = contested[i]!;
      const cut = s[L.cut + h]!;
      if (cut <= 0 || s[L.front + h]! <= 0) continue;
      map[h * MAP.width + MAP.cut] = cut > 10 ? 1 : cut / 10;
      cache[cutting + (h >> 5)]! |= 1 << h;
    }
  }

  /** Counters face down. */
  private writeMarkers(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { marked } = this.at;
    const { L, hexWords } = this.tables;
    for (let i = 0; i < hexWords; i++) {
      const now = s[L.markerBits + i]!;
      let differ = now ^ cache[marked + i]!;
      if (differ === 0) continue;
      cache[marked + i] = now;
      for (; differ !== 0; differ &= differ - 1) {
        const bit = lowest(differ);
        map[(i * 32 + bit) * MAP.width + MAP.marker] = (now >>> bit) & 1;
      }
    }
  }

  private writeBattle(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { L, hexCount } = this.tables;
    const hex = s[L.battleHex]!;
    const origin = s[L.from]!;
    const before = cache[CACHED.battleHex]!;
    const originBefore = cache[CACHED.originHex]!;
    if (hex !== before || origin !== originBefore) {
      if (before > 0) {
        map[(before - 1) * MAP.width + MAP.battle] = 0;
        map[(originBefore - 1) * MAP.width + MAP.origin] = 0;
      }
      if (hex > 0) {
        map[(hex - 1) * MAP.width + MAP.battle] = 1;
        map[(origin - 1) * MAP.width + MAP.origin] = 1;
      }
      cache[CACHED.battleHex] = hex;
      cache[CACHED.originHex] = origin;
    }
    const pocket = s[L.pocketSize]! > 0 ? 1 : 0;
    if ((pocket | cache[CACHED.pocket]!) === 0) return;
    for (let h = FIRST_HEX; h < hexCount; h++) map[h * MAP.width + MAP.pocket] = s[L.pocket + h]!;
    cache[CACHED.pocket] = pocket;
  }

  private writeTargets(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { tables } = this;
    const { neighbours } = tables.grid;
    const before = cache[CACHED.targets]!;
    if (before < 0) for (let h = FIRST_HEX; h < tables.hexCount; h++) map[h * MAP.width + MAP.target] = 0;
    else if (before > 0)
      for (let d = (before - 1) * 6; d < before * 6; d++) {
        const h = neighbours[d]!;
        if (h >= 0) map[h * MAP.width + MAP.target] = 0;
      }
    const mark = HEXES_OF[phaseOf(tables, s)];
    const army = activeArmy(tables, s);
    cache[CACHED.targets] = mark === undefined ? 0 : army < 0 ? -1 : hexOfArmy(tables, s, army) + 1;
    if (mark !== undefined) mark(tables, s, map, MAP.target, MAP.width);
  }

  /** Writes the counters of each garrison again: called when a counter has joined or left one. */
  writeGarrisons(s: StateView, map: Float32Array, cache: Int32Array): void {
    const { garrisoned } = this.at;
    const { L, cls, hexWords, counterWords } = this.tables;
    for (let i = 0; i < hexWords; i++) {
      for (let rest = cache[garrisoned + i]!; rest !== 0; rest &= rest - 1) {
        const row = (i * 32 + lowest(rest)) * MAP.width;
        map.fill(0, row + MAP.garrison, row + MAP.army);
      }
      cache[garrisoned + i] = 0;
    }
    for (let i = 0; i < counterWords; i++)
      for (let rest = s[L.openBits + i]!; rest !== 0; rest &= rest - 1) {
        const c = (i * 32 + lowest(rest)) as CounterId;
        if (s[L.place + c] !== GARRISON) continue;
        const hex = s[L.site + c]!;
        const row = hex * MAP.width;
        const ofClass = row + MAP.garrisonOfClass + cls[c]!;
        cache[garrisoned + (hex >> 5)]! |= 1 << hex;
        map[row + MAP.garrison] = Math.min(1, map[row + MAP.garrison]! + 0.125);
        map[ofClass] = Math.min(1, map[ofClass]! + 0.125);
      }
  }
}
