import { newObservation, type Observation, type ObservationSpec } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import features from "../data/observation.json" with { type: "json" };
import type { Tables } from "../data.js";
import { PHASES } from "../layout.js";
import { CACHED, cacheLayout, DECISION, MAP, UNIT } from "./columns.js";
import { MapRows } from "./map-rows.js";
import { writeDecision, writeGlobals } from "./scalars.js";
import { UnitRows } from "./unit-rows.js";

/**
 * Writes observations. The cache of a row records its contents, so that only changes are written: a decision changes
 * a few dozen of 7,760 values. Groups of features that share no column are brought up to date one after the other.
 */
export class Observer {
  /** Length of the cache of a row. */
  readonly cacheWords: number;
  /** The start of a game: what a row without cache is written from. */
  private readonly first: Observation & { readonly cache: Int32Array };
  /** Cache for a row that has none. */
  private readonly scratch: Int32Array;
  private readonly mapRows: MapRows;
  private readonly unitRows: UnitRows;

  /** @param ready the set-up before the first draw */
  constructor(
    private readonly tables: Tables,
    spec: ObservationSpec,
    ready: StateView,
  ) {
    const at = cacheLayout(tables.hexWords, tables.armyCount, tables.counterWords, tables.counterCount);
    this.cacheWords = at.size;
    this.scratch = new Int32Array(at.size);
    this.mapRows = new MapRows(tables, at);
    this.unitRows = new UnitRows(tables, at, this.mapRows);
    this.first = { ...newObservation(spec), cache: new Int32Array(at.size) };
    this.writeFirst(ready);
  }

  /** Starts from empty tensors, which mean: all hexes Soviet and empty, no counter seen. */
  private writeFirst(ready: StateView): void {
    const { first } = this;
    this.mapRows.writeAllSoviet(first.map);
    this.unitRows.writeAllUnseen(first.units);
    first.cache[CACHED.written] = 1;
    first.cache[CACHED.engineer] = first.cache[CACHED.interceptor] = first.cache[CACHED.partisan] = -1000;
    this.observe(ready, first);
  }

  /** All that the player may know is public, so every viewer gets the same. Rule: SC 3.1, SC 3.3 */
  observe(s: StateView, out: Observation): void {
    const { first } = this;
    const cache = out.cache ?? this.scratch;
    if (out.cache === undefined || cache[CACHED.written] === 0) {
      out.map.set(first.map);
      out.units.set(first.units);
      cache.set(first.cache);
    }
    this.mapRows.write(s, out.map, cache);
    this.unitRows.write(s, out, cache);
    writeGlobals(this.tables, s, out.globals, cache);
    writeDecision(this.tables, s, out.decision);
  }
}

if (features.map.length !== MAP.width || features.units.length !== UNIT.width || DECISION.breakIn !== PHASES.length)
  throw new RangeError("data/observation.json does not fit observation/columns.ts");
