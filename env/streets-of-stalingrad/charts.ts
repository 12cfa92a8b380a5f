import { KesselError } from "../core/errors.js";
import type { z } from "zod";
import type { SideIndex } from "./roster.js";
import {
  type HexFeature,
  type HexRow,
  type Kind,
  KINDS,
  type Terrain,
  type tablesSchema,
  type terrainSchema,
} from "./schema.js";

/** Combat results in the order of their codes. Rule: SOS 9.81 */
export const RESULTS = ["-", "P", "D1", "D1P", "D2", "D3", "DE"] as const;
export const P = 1;
export const D1P = 3;
export const D3 = 5;
export const DE = 6;
/** Units lost by result code; `DE` takes all. */
export const LOSSES = [0, 0, 1, 1, 2, 3, 255] as const;

/** Results of an instant counter-attack in the order of their codes. Rule: SOS 12.6 */
export const ICA_RESULTS = ["A1", "D1", "D1R2"] as const;
export const ICA_A1 = 0;
export const ICA_D1 = 1;
export const ICA_D1R2 = 2;

/** What becomes of a leader, in the order of its codes. Rule: SOS 18.33 */
export const FATES = ["eliminated", "wounded", "survives"] as const;
export const ELIMINATED = 0;
export const WOUNDED = 1;
export const SURVIVES = 2;

/** Counters that take no place in a stack. */
const WORKS: readonly Kind[] = ["bridge", "minefield", "fortification"];

type TablesFile = z.infer<typeof tablesSchema>;
type TerrainFile = z.infer<typeof terrainSchema>;

/** A table of fire: columns by points, rows by the modified die. */
export interface FireTable {
  readonly columns: readonly string[];
  /** Least points of each column, ascending; fewer points than the first can't fire. */
  readonly least: readonly number[];
  readonly low: number;
  readonly high: number;
}

/** The combat results table. Rule: SOS 9.19 */
export interface Crt extends FireTable {
  /** Result codes, `high - low + 1` a column. */
  readonly results: Uint8Array;
}

/** What a bombardment of a box does to the batteries there. Rule: SOS 14.54 */
export interface BoxTable extends FireTable {
  /** Batteries pinned, and batteries eliminated besides, `high - low + 1` a column. */
  readonly pinned: Uint8Array;
  readonly eliminated: Uint8Array;
}

/** Modifiers of spotting and what a spotter can do in a phase. Rule: SOS 14.24, SOS 14.31 */
export type Spotting = TablesFile["spotting"];

/** Costs, modifiers and flags of ground, by kind and feature. */
export class Ground {
  readonly kinds: TerrainFile["kinds"];
  readonly losCells: TerrainFile["losCells"];

  constructor(
    private readonly tec: TablesFile["tec"],
    private readonly terrain: TerrainFile,
  ) {
    this.kinds = terrain.kinds;
    this.losCells = terrain.losCells;
  }

  /**
   * MP to enter a hex, null where the class can't; features add up, a ravine or cliff counts if it costs more.
   * Rule: SOS 8.11
   */
  cost(hex: HexRow, vehicle: boolean, byRoad: boolean): number | null {
    const key = vehicle ? "vehicleMp" : "footMp";
    if (byRoad && this.kinds[hex.t].road) return this.tec.features["road"]![key]!;
    let base = this.tec.terrain[hex.t][key];
    if (base === null) return null;
    let added = 0;
    for (const f of hex.f ?? []) {
      const row = this.tec.features[f]!;
      if (row.asTerrain !== undefined) base = Math.max(base, this.tec.terrain[row.asTerrain][key] ?? 0);
      added += (row.addMp ?? 0) + (vehicle ? 0 : (row.crossFootAddMp ?? 0));
    }
    return base + added;
  }

  /** Die modifier: the highest value of the hex and its features; never added up. Ruling R21. */
  drm(hex: HexRow, foot: boolean): number {
    const value = (row: { drm: number; drmFor?: "foot" | undefined }) => (row.drmFor === "foot" && !foot ? 0 : row.drm);
    return Math.max(value(this.tec.terrain[hex.t]), ...(hex.f ?? []).map((f) => value(this.tec.features[f]!)));
  }

  /** True when a hex of this kind blocks every line through it by default. Rule: SOS 9.33 */
  fillsHex(kind: Terrain): boolean {
    return this.kinds[kind].losShape === "cells";
  }

  /** Counts as clear: nothing in it hides or covers. Rule: SOS 7.1, SOS 11.4, SOS 11.6 */
  isClear(hex: HexRow, vehicle: boolean): boolean {
    const plain = (f: HexFeature) => this.terrain.features[f].clearAlone || (vehicle && f === "balka");
    return (hex.t === "clear" || (vehicle && hex.t === "balka")) && (hex.f ?? []).every(plain);
  }
}

/** The printed charts, which no scenario changes. */
export class Charts {
  readonly ground: Ground;
  readonly crt: Crt;
  /** The table for bombardments of the West Bank. Rule: SOS 14.45 */
  readonly wbbt: Crt;
  /** The table for bombardments of boxes of the East Bank. Rule: SOS 14.29 */
  readonly ebbt: BoxTable;
  readonly spotting: Spotting;
  /** The greatest die that leaves an immobilised tank. Rule: SOS 16.32 */
  readonly wreckUpTo: number;
  /** What the die of the Stukas is taken from. Rule: SOS 15.52 */
  readonly stukaBase: number;
  /** Points for each division that never comes, by its name. Rule: SOS 3.5 */
  readonly divisions: Readonly<Record<string, number>>;
  /** From this turn on tanks may break down. Rule: SOS 16.33 */
  readonly breakdownFrom: number;
  /** When and where tanks are repaired. Rule: SOS 16.71, SOS 16.72 */
  private readonly repair: TablesFile["tankRepair"];
  /** The greatest die with which a mine dog destroys its target. Rule: SOS 16.23 */
  readonly dogUpTo: number;
  /** The least die that removes an NKVD unit. Rule: SOS 16.83, SOS 16.85 */
  readonly nkvd: { readonly onFire: number; readonly whenIsolated: number };
  /** By side: turns and what the die of ammunition is multiplied by in them. Rule: SOS 14.72 */
  private readonly ammunition: readonly [TablesFile["ammunition"]["german"], TablesFile["ammunition"]["soviet"]];
  /** The greatest die that makes bad weather, and the turn from which it is thrown. Rule: SOS 15.53 */
  readonly weather: { readonly badUpTo: number; readonly fromTurn: number };
  private readonly fates: TablesFile["leaderSurvival"];
  /** Greatest sum of an ICA for `A1`, and for `D1`. */
  readonly icaMost: readonly [number, number];
  /** Stack units in a hex by side, and for Germans with a tank, StuG or armored car. Ruling R12. */
  readonly stackLimit: readonly [number, number];
  readonly germanLimitWithArmor: number;
  /** Most counters in a hex besides, by index of kind; 255 for stack units. Rule: SOS 5.5 */
  readonly extraLimit: Uint8Array;
  /**
   * By kind, how many of one that may be beside a combat unit with a minefield it counts as: 0 works, 1 who may be, 2
   * who may not. Rule: SOS 5.6, SOS 17.21
   */
  readonly besideMine: Uint8Array;
  /** AF of a Stuka of the generic counters. */
  readonly stukaAf: number;
  /** Factors of the anti-tank target chart by range from 1 on, the last for all beyond. Rule: SOS 9.94 */
  private readonly attc: readonly number[];
  private readonly attcLeast: number;

  constructor(tables: TablesFile, terrain: TerrainFile) {
    this.ground = new Ground(tables.tec, terrain);
    this.crt = compileCrt(tables.crt, "crt");
    this.wbbt = compileCrt({ ...tables.wbbt, clampHigh: tables.wbbt.missFrom }, "wbbt");
    this.ebbt = compileBoxTable(tables.ebbt);
    this.spotting = tables.spotting;
    const { removedOnFire, removedWhenIsolated } = tables.nkvdReliability;
    this.wreckUpTo = tables.immobilizedTank.success[1];
    this.stukaBase = tables.stukaAvailability.base;
    this.divisions = tables.divisionsNotCommitted.points;
    this.breakdownFrom = tables.immobilizedTank.breakdownFrom;
    this.repair = tables.tankRepair;
    this.dogUpTo = tables.mineDog.success[1];
    this.nkvd = { onFire: removedOnFire[0], whenIsolated: removedWhenIsolated[0] };
    this.ammunition = [tables.ammunition.german, tables.ammunition.soviet];
    this.weather = tables.weather;
    this.fates = tables.leaderSurvival;
    const [a1, d1, rest] = tables.ica.rows as [IcaRow, IcaRow, IcaRow];
    if (
      a1.result !== "A1" ||
      d1.result !== "D1" ||
      rest.result !== "D1R2" ||
      a1.max === undefined ||
      d1.min !== a1.max + 1 ||
      d1.max === undefined ||
      rest.min !== d1.max + 1
    )
      throw new KesselError(
        "bad-data",
        "tables.json: ica.rows: rows are A1, D1, D1R2, and each min is one above the max before it",
      );
    this.icaMost = [a1.max, d1.max];
    const { attc } = tables;
    this.attc = [attc.multiplier["1"], attc.multiplier["2"], attc.multiplier["3"], attc.multiplier["4+"]];
    this.attcLeast = attc.minimum;
    this.stukaAf = tables.setupSandbox.stukaAf;
    const { stacking } = tables;
    this.stackLimit = [stacking.german.combat, stacking.soviet.combat];
    this.germanLimitWithArmor = stacking.german.combatWithTankStugOrArmoredCar;
    const extra = stacking.extra as Partial<Record<Kind, number>>;
    // a commissar is a leader for stacking
    this.extraLimit = Uint8Array.from(KINDS, (k) => extra[k === "commissar" ? "leader" : k] ?? 255);
    const { oneOf } = stacking.withMinefield;
    this.besideMine = Uint8Array.from(KINDS, (k) =>
      WORKS.includes(k) ? 0 : oneOf.includes(k === "commissar" ? "leader" : k) ? 1 : 2,
    );
  }

  /** Column of a sum of points, -1 when it can't fire. Ruling R77. @param table combat results where nothing is said */
  column(points: number, table: FireTable = this.crt): number {
    let c = table.least.length - 1;
    while (c >= 0 && points < table.least[c]!) c--;
    return c;
  }
  /** The modified die, kept inside the table. */
  clamp(die: number, table: FireTable = this.crt): number {
    return Math.min(table.high, Math.max(table.low, die));
  }
  /** Result code of a column and a modified die. */
  result(column: number, die: number, table: Crt = this.crt): number {
    return table.results[this.cell(column, die, table)]!;
  }
  /** Index of a column and a modified die in the results of a table. */
  cell(column: number, die: number, table: FireTable): number {
    return column * (table.high - table.low + 1) + this.clamp(die, table) - table.low;
  }
  /** What the date adds to fire at boxes. Rule: SOS 14.31 */
  dateDrm(turn: number): number {
    const row = this.spotting.ebbtDate.find(({ from, to }) => turn >= from && turn <= to);
    return row === undefined ? 0 : row.value;
  }
  /** Factor of a side's ammunition die in a turn; 0 without a die. Rule: SOS 14.71, SOS 14.72 */
  ammunitionFactor(side: SideIndex, turn: number): number {
    const row = this.ammunition[side].find(({ fromTurn, toTurn }) => turn >= fromTurn && turn <= toTurn);
    return row === undefined ? 0 : row.multiplier;
  }
  /** First turn in which a side throws for its ammunition. Rule: SOS 14.71 */
  firstAmmunition(side: SideIndex): number {
    return Math.min(...this.ammunition[side].map(({ fromTurn }) => fromTurn));
  }
  /** True when tanks are repaired in a turn. Rule: SOS 16.72, ruling R54 */
  repairsIn(turn: number): boolean {
    return turn >= this.repair.fromTurn && (turn - this.repair.fromTurn) % this.repair.every === 0;
  }
  /** True when a hex belongs to the factory in which tanks are repaired. Rule: SOS 16.71 */
  isWorkshop(hex: string): boolean {
    return this.repair.hexes.includes(hex);
  }
  /** What becomes of a leader by his modified die. Rule: SOS 18.33 */
  leaderFate(die: number): number {
    return die <= this.fates.eliminatedUpTo ? 0 : die <= this.fates.woundedUpTo ? WOUNDED : SURVIVES;
  }
  /** Most that units lost and snipers take from a leader's die. */
  get leaderMostPenalty(): number {
    return this.fates.maxPenalty;
  }
  /** Underlined AF against armor at a range, fractions up. Rule: SOS 9.94, SOS 9.95 */
  antiTank(af: number, range: number): number {
    const factor = this.attc[Math.min(Math.max(range, 1), this.attc.length) - 1]!;
    return Math.max(this.attcLeast, Math.ceil(af * factor));
  }
  /** Result code of an instant counter-attack. Rule: SOS 12.6 */
  ica(sum: number): number {
    return sum <= this.icaMost[0] ? ICA_A1 : sum <= this.icaMost[1] ? ICA_D1 : ICA_D1R2;
  }
}

type IcaRow = TablesFile["ica"]["rows"][number];

function compileBoxTable(file: TablesFile["ebbt"]): BoxTable {
  const [low, high] = [file.clampLow, file.clampHigh];
  const list = (of: "pinned" | "eliminated") =>
    Uint8Array.from(
      file.columns.flatMap((c, i) =>
        Array.from({ length: high - low + 1 }, (_, k) => {
          const n = c[of][String(low + k)];
          if (n === undefined)
            throw new KesselError("bad-data", `tables.json: ebbt.columns[${i}].${of}: there is no row ${low + k}`);
          return n;
        }),
      ),
    );
  file.columns.forEach((c, i) => {
    if (i > 0 && c.min <= file.columns[i - 1]!.min)
      throw new KesselError("bad-data", `tables.json: ebbt.columns[${i}].min: columns are in ascending order`);
    for (const row of [...Object.keys(c.pinned), ...Object.keys(c.eliminated)])
      if (!(Number(row) >= low && Number(row) <= high))
        throw new KesselError("bad-data", `tables.json: ebbt.columns[${i}]: rows are ${low} to ${high}, not ${row}`);
  });
  return {
    columns: file.columns.map((c) => c.name),
    least: file.columns.map((c) => c.min),
    low,
    high,
    pinned: list("pinned"),
    eliminated: list("eliminated"),
  };
}

function compileCrt(file: Pick<TablesFile["crt"], "clampLow" | "clampHigh" | "columns">, name: string): Crt {
  const [low, high] = [file.clampLow, file.clampHigh];
  const results: number[] = [];
  file.columns.forEach((c, i) => {
    if (i > 0 && c.min <= file.columns[i - 1]!.min)
      throw new KesselError("bad-data", `tables.json: ${name}.columns[${i}].min: columns are in ascending order`);
    for (let die = low; die <= high; die++) {
      const result = c.results[String(die)];
      if (result === undefined)
        throw new KesselError("bad-data", `tables.json: ${name}.columns[${i}].results: there is no row ${die}`);
      results.push(RESULTS.indexOf(result));
    }
  });
  return {
    columns: file.columns.map((c) => c.name),
    least: file.columns.map((c) => c.min),
    low,
    high,
    results: Uint8Array.from(results),
  };
}
