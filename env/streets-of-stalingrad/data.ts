import type { z } from "zod";
import { filesOf, replaceFile } from "./data-files.js";
import { KesselError, oneOf, shown } from "../core/errors.js";
import type { GameData, JsonObject } from "../core/game.js";
import { parseWith } from "../core/schema.js";
import { Board } from "./map/board.js";
import { River } from "./map/river.js";
import { backOf, type Counter, makeRoster, type Roster, sideOf, SIDES } from "./roster.js";
import {
  boundsSchema,
  BOXES,
  type BoxesFile,
  boxesSchema,
  counterSchema,
  type EvenStart,
  type HexRow,
  LAST_TURN,
  mapPatchSchema,
  mapSchema,
  OVERRIDES,
  ownScenarioSchema,
  sandboxScenariosSchema,
  STUKA_DIE,
  type ScenarioRow,
  scenariosSchema,
  tablesSchema,
  terrainSchema,
  turnSchema,
  typeSchema,
  unitsSchema,
  type UnitType,
  type Victory,
  victorySchema,
} from "./schema.js";
import { Charts } from "./charts.js";
import { type Division, divisionsOf, scheduleOf } from "./schedule.js";

/** The scenario whose map, bounds and counters a position brings along. */
export const SANDBOX = "sandbox";
/** Scenarios of the book that have a file of their own, by its name. */
const OWN_FILES = [
  "scenario-1",
  "scenario-2",
  "scenario-4",
  "scenario-5",
  "scenario-6",
  "scenario-7",
  "scenario-8",
  "campaign",
];
/** The number of the campaign. */
const CAMPAIGN = 3;
/** The data files, each read when it is first asked for: the map alone is 170 KB. */
export const dataFiles = filesOf(new URL("./data/", import.meta.url), [
  "boxes",
  "map",
  "sandbox",
  "sandbox-scenarios",
  "scenarios",
  "tables",
  "terrain",
  "units",
  ...OWN_FILES,
]);

/** Parsed files by their JSON, because a scenario needs some of them in several places. Both are read-only. */
const parsed = new WeakMap<object, unknown>();

/** @throws KesselError `bad-data` */
function fileOf<T>(schema: z.ZodType<T>, data: GameData, name: string): T {
  const raw = data[name];
  const known = typeof raw === "object" && raw !== null ? raw : undefined;
  const kept = known === undefined ? undefined : (parsed.get(known) as T | undefined);
  if (kept !== undefined) return kept;
  const file = parseWith(schema, raw, "bad-data", `${name}.json`);
  if (known !== undefined) parsed.set(known, file);
  return file;
}

const COLUMNS = 40;
const ROWS = 79;
type MapFile = z.infer<typeof mapSchema>;
type UnitsFile = z.infer<typeof unitsSchema>;

/** Set-up by hand. Rule: SOS 2.33 */
export interface Zones {
  /** By unit: its group, -1 for those that keep their ready place. Ruling R3. */
  readonly group: Int8Array;
  /** By unit: its hex in the ready set-up. */
  readonly ready: Int16Array;
  readonly side: readonly number[];
  /** By group and hex: `FRONT`, `AREA` or 0. */
  readonly hexes: readonly Uint8Array[];
}
export const FRONT = 2;
export const AREA = 1;

/** A scenario made ready: its ground, its counters, the tables, and the position it starts from. */
export interface Setting extends ReturnType<typeof scheduleOf> {
  readonly scenario: string;
  readonly board: Board;
  readonly roster: Roster;
  readonly charts: Charts;
  /** Position document from which a game starts. */
  readonly start: JsonObject;
  readonly lastTurn: number;
  readonly stukaAf: number;
  /** German points for each hex that a German stack unit occupies. Rule: SOS 3.2 */
  readonly points: Int8Array;
  /** Null where only the last turn ends the game. Ruling R84. */
  readonly levels: Victory["levels"] | null;
  /** Levels with which both sides win about equally often; null where they were not measured. */
  readonly evenLevels: Victory["levels"] | null;
  /** Kinds of decisions that can come up; null for a position's own fight. */
  readonly decisions: readonly string[] | null;
  readonly river: River;
  /** True when engineers build and remove. */
  readonly works: boolean;
  /** Divisions that the German side may refuse, in the order in which they come. Rule: SOS 3.5, SOS 3.6 */
  readonly divisions: readonly Division[];
  /** What a die of every turn but the first is taken from, for Stukas; 0: their number is fixed. Rule: SOS 15.52 */
  readonly stukaBase: number;
  /** True when the rules of the Administrative Phase are played. */
  readonly administration: boolean;
  /** What the options of these names are where they are left to the scenario. Rule: SOS 2.32 */
  readonly own: { readonly ammunition: boolean; readonly armyLeaders: boolean };
  /** Where units may be set up; null where the set-up is given. */
  readonly zones: Zones | null;
  /** What a scenario of the book says beside its position; null for others. */
  readonly book: ScenarioRow | null;
}

/**
 * The data with the position's own map and counters in place of `sandbox.json`. A position of another scenario has
 * nothing of its own.
 */
export function dataFor(position: JsonObject, data: GameData): GameData {
  const scenario = position["scenario"] ?? SANDBOX;
  return scenario === SANDBOX ? replaceFile(data, SANDBOX, position) : data;
}

/**
 * @param even whether units start as in an even game (`balance=even`)
 * @throws KesselError `bad-data` with file, path and reason
 */
export function loadSetting(data: GameData, scenario: string, even = false): Setting {
  const file = fileOf(sandboxScenariosSchema, data, "sandbox-scenarios");
  if (scenario === SANDBOX)
    return settle(data, scenario, (data["sandbox"] ?? {}) as JsonObject, "position of scenario sandbox");
  const i = file.scenarios.findIndex((s) => s.id === scenario);
  if (i < 0) {
    const book = bookRow(data, scenario);
    if (book?.deploy === undefined)
      throw new KesselError(
        "bad-option",
        `scenario is ${oneOf([...file.scenarios.map((s) => s.id), SANDBOX])}, not ${shown(scenario)}`,
      );
    const where = OWN_FILES.includes(scenario) ? `${scenario}.json` : `scenarios.json: ${scenario}`;
    const start = evenly(positionOf(data, book, where), even ? book.evenStart : undefined, where);
    const setting = settle(data, scenario, start, where, book);
    checkPlaces(setting, book, where);
    return {
      ...setting,
      book,
      own: { ammunition: book.options?.ammunition ?? true, armyLeaders: book.armyLeaders ?? false },
      zones: book.setup === undefined ? null : zonesOf(data, setting, book.setup, where),
      stukaAf: book.stukaAf ?? setting.stukaAf,
      evenLevels: book.evenLevels?.levels ?? null,
      decisions: book.decisions ?? null,
      divisions: book.number === CAMPAIGN ? divisionsOf(setting.charts, setting.arrivals, setting.roster) : [],
      stukaBase: book.stukas?.later === STUKA_DIE ? setting.charts.stukaBase : 0,
    };
  }
  const row = file.scenarios[i]!;
  const where = `sandbox-scenarios.json: scenarios[${i}]`;
  const start = evenly(row.position as JsonObject, even ? row.evenStart : undefined, where);
  return {
    ...settle(data, scenario, start, `${where}.position`, row),
    evenLevels: row.evenLevels?.levels ?? null,
    decisions: row.decisions,
  };
}

/** Everybody is deployed inside the bounds, or in a box that is in play. @throws KesselError `bad-data` */
function checkPlaces({ board, river }: Setting, { deploy }: ScenarioRow, where: string): void {
  for (const at of Object.keys(deploy ?? {})) {
    const box = BOXES.indexOf(at as (typeof BOXES)[number]);
    if (box < 0 ? board.index(at) < 0 : river.inPlay[box] !== true)
      throw new KesselError("bad-data", `${where}: deploy.${at}: there is no such hex or box in play`);
  }
}

/** The start as an even game has it. @throws KesselError `bad-data` for a unit that isn't in the scenario */
function evenly(start: JsonObject, even: EvenStart | undefined, where: string): JsonObject {
  if (even === undefined) return start;
  const units = { ...(start["units"] as Record<string, JsonObject>) };
  for (const [id, at] of Object.entries(even.at)) {
    const unit = units[id];
    if (unit === undefined) throw new KesselError("bad-data", `${where}: evenStart.at: there is no unit ${shown(id)}`);
    units[id] = { ...unit, at };
  }
  const stukas = even.stukas === undefined ? {} : { stukas: { available: even.stukas, used: 0 } };
  return { ...start, units, ...stukas };
}

/** @throws KesselError `bad-data` */
export function chartsOf(data: GameData): Charts {
  return new Charts(fileOf(tablesSchema, data, "tables"), fileOf(terrainSchema, data, "terrain"));
}

/** A scenario of the book, undefined where there is none. @throws KesselError `bad-data` */
export function bookRow(data: GameData, id: string): ScenarioRow | undefined {
  return OWN_FILES.includes(id)
    ? fileOf(ownScenarioSchema, data, id)
    : fileOf(scenariosSchema, data, "scenarios").scenarios.find((s) => s.id === id);
}

/**
 * The position from which a scenario of the book starts: its units in the order of `units.json`. Spec 9.7.
 *
 * @throws KesselError `bad-data`
 */
function positionOf(data: GameData, row: ScenarioRow, where: string): JsonObject {
  const { units } = unitTypes(data);
  const reinforcements = (row.reinforcements ?? []).map((r): { readonly units: string[] } & JsonObject => ({
    turn: r.turn,
    side: r.side,
    box: r.box,
    units: select(r.units, units),
  }));
  const places = new Map<string, string>();
  const once = new Set<string>();
  const place = (id: string, at: string, path: string): void => {
    if (once.has(id)) throw new KesselError("bad-data", `${where}: ${path}: ${id} is in two places`);
    once.add(id);
    places.set(id, at);
  };
  for (const { units: entries } of row.setup ?? []) for (const id of select(entries, units)) places.set(id, "pool");
  for (const [at, ids] of Object.entries(row.deploy!)) ids.forEach((id, i) => place(id, at, `deploy.${at}[${i}]`));
  const withdrawals = (row.withdrawals ?? []).map((r) => ({ ...r, units: select(r.units, units) }));
  reinforcements.forEach((r, i) => r.units.forEach((id) => place(id, "pool", `reinforcements[${i}].units`)));
  const counters = units.units.flatMap(([id, type, formation, tag, name]): [string, JsonObject][] => {
    const at = places.get(id!);
    if (at === undefined) return [];
    places.delete(id!);
    const known = { formation, tag, name };
    const rest = Object.fromEntries(Object.entries(known).filter(([, v]) => typeof v === "string" && v !== ""));
    return [[id!, { type: type!, at, ...rest } as JsonObject]];
  });
  for (const id of places.keys()) throw new KesselError("bad-data", `${where}: there is no unit ${id} in units.json`);
  const schedule = {
    ...(reinforcements.length === 0 ? {} : { reinforcements }),
    ...(withdrawals.length === 0 ? {} : { withdrawals: withdrawals as unknown as JsonObject[] }),
    ...(row.replacements === undefined ? {} : { replacements: row.replacements as unknown as JsonObject[] }),
  };
  return {
    map: { base: "standard" },
    bounds: row.bounds,
    victory: row.victory as unknown as JsonObject,
    turn: row.firstTurn,
    lastTurn: row.firstTurn + row.turns - 1,
    phase: 1,
    stage: "end",
    ...(row.stukas === undefined ? {} : { stukas: { available: row.stukas.first } }),
    ...(Object.keys(schedule).length === 0 ? {} : { schedule }),
    ...settled(row, counters),
    units: Object.fromEntries(counters),
  };
}

/** From 27 September on the reliability of all regiments of the NKVD is settled but that of one. Rule: SOS 16.84 */
const SETTLED_FROM = 4;
const UNSETTLED = "273";

/** Regiments of the NKVD that have thrown before a scenario begins. */
function settled(row: ScenarioRow, counters: readonly [string, JsonObject][]): { nkvdChecked?: string[] } {
  if (row.number < SETTLED_FROM) return {};
  const regiments = counters.flatMap(([, { formation }]) => {
    const path = String(formation ?? "").split("/");
    return path[1] === "10NKVD" && path[2] !== undefined && path[2] !== UNSETTLED ? [path.slice(0, 3).join("/")] : [];
  });
  return regiments.length === 0 ? {} : { nkvdChecked: [...new Set(regiments)] };
}

/** Ids that a list names: ids, `@path` all of a formation, `prefix*`, and with `-` those that are taken away. */
function select(entries: readonly string[], { units }: UnitsFile): string[] {
  const chosen = new Set<string>();
  for (const entry of entries) {
    const away = entry.startsWith("-");
    const name = away ? entry.slice(1) : entry;
    const fits = (id: string, path: string): boolean =>
      name.startsWith("@")
        ? path === name.slice(1) || path.startsWith(`${name.slice(1)}/`)
        : name.endsWith("*")
          ? id.startsWith(name.slice(0, -1))
          : id === name;
    const found = units.flatMap(([id, , path]) => (fits(id!, path ?? "") ? [id!] : []));
    for (const id of found.length === 0 ? [name] : found)
      if (away) chosen.delete(id);
      else chosen.add(id);
  }
  return [...chosen];
}

/** Zones of the groups of a row. @throws KesselError `bad-data` */
function zonesOf(
  data: GameData,
  { board, roster, start }: Setting,
  groups: NonNullable<ScenarioRow["setup"]>,
  where: string,
): Zones {
  const { units } = unitTypes(data);
  const places = start["units"] as Record<string, JsonObject>;
  const group = new Int8Array(roster.size).fill(-1);
  const ready = Int16Array.from(roster.counters, ({ id }) => board.index(String(places[id]?.["at"] ?? "")));
  const hexes = groups.map(({ front, area }, g) => {
    const zone = new Uint8Array(board.size);
    board.ids.forEach((id, h) => {
      const [c, r] = [Number(id.slice(0, 2)), Number(id.slice(2))];
      if (area.some(([row, low, high]) => r === row && c >= low && c <= high)) zone[h] = AREA;
    });
    front.forEach((id, i) => {
      const h = board.index(id);
      if (h < 0) throw new KesselError("bad-data", `${where}: setup[${g}].front[${i}]: there is no hex ${shown(id)}`);
      zone[h] = FRONT;
    });
    return zone;
  });
  groups.forEach(({ side, units: entries }, g) => {
    for (const id of select(entries, units)) {
      const u = roster.index(id);
      const refuse = (why: string) => new KesselError("bad-data", `${where}: setup[${g}].units: ${id} ${why}`);
      if (SIDES[roster.side[u]!] !== side) throw refuse("is of the other side");
      if (group[u] !== -1) throw refuse("is in two groups");
      if (ready[u]! < 0) throw refuse("has no hex in the ready set-up");
      group[u] = g;
    }
  });
  return { group, ready, side: groups.map(({ side }) => SIDES.indexOf(side)), hexes };
}

/** Rules that a scenario which is older than they are is played without. */
type Played = { readonly [K in "river" | "works" | "administration"]?: boolean | undefined };

/** The ground inside the bounds, the counters, the aims. Rule: SOS 2.34 */
function settle(
  data: GameData,
  scenario: string,
  start: JsonObject,
  where: string,
  { river = true, works = true, administration = true }: Played = {},
): Setting {
  const charts = chartsOf(data);
  const bounds = parseWith(
    boundsSchema,
    start["bounds"] ?? { cols: [1, COLUMNS], rows: [1, ROWS] },
    "bad-data",
    `${where}: bounds`,
  );
  const patch = parseWith(mapPatchSchema, start["map"] ?? {}, "bad-data", `${where}: map`);
  const rows = new Map<string, HexRow>();
  const inBounds = (id: string) => {
    const [c, r] = [Number(id.slice(0, 2)), Number(id.slice(2))];
    return c >= bounds.cols[0] && c <= bounds.cols[1] && r >= bounds.rows[0] && r <= bounds.rows[1];
  };
  const blank = patch.base === "blank";
  const base = blank ? blankMap(bounds, river ? fileOf(boxesSchema, data, "boxes") : null) : standardMap(data);
  const around = new Map<string, HexRow>();
  for (const [id, hex] of base) (inBounds(id) ? rows : around).set(id, hex);
  for (const [id, hex] of Object.entries(patch.hexes)) {
    if (!rows.has(id))
      throw new KesselError("bad-data", `${where}: map.hexes.${id}: the map has no such hex inside the bounds`);
    rows.set(id, fillSight(hex, charts));
  }
  if (rows.size === 0)
    throw new KesselError(
      "bad-data",
      `${where}: bounds: no hex is inside columns ${bounds.cols.join(" to ")}, rows ${bounds.rows.join(" to ")}`,
    );
  const board = new Board(rows, charts.ground, around, blank ? null : mapFile(data).specialSight);
  const points = new Int8Array(board.size);
  const victory =
    start["victory"] === undefined ? null : parseWith(victorySchema, start["victory"], "bad-data", `${where}: victory`);
  for (const [id, n] of Object.entries(victory?.hexes ?? {})) {
    const h = board.index(id);
    if (h >= 0) points[h] = n; // a victory hex outside the bounds does not count
  }
  const roster = rosterOf(data, start, where);
  const water = new River(board, charts.ground, fileOf(boxesSchema, data, "boxes"), river, around);
  const lastTurn = parseWith(turnSchema, start["lastTurn"] ?? LAST_TURN, "bad-data", `${where}: lastTurn`);
  return {
    scenario,
    board,
    roster,
    charts,
    start,
    lastTurn,
    points,
    levels: victory?.levels ?? null,
    evenLevels: null,
    decisions: null,
    zones: null,
    book: null,
    stukaAf: charts.stukaAf,
    river: water,
    works,
    ...scheduleOf(start, scenario === SANDBOX, roster, water, where),
    divisions: [],
    stukaBase: 0,
    administration,
    own: { ammunition: true, armyLeaders: false },
  };
}

/** Number of hexes to its box that each Volga hex of the blank map has. Rule: SOS 2.16 */
const BLANK_RANGE = 2;

/**
 * Column 01 is the Volga, everything else clear. Of the boxes that share a row the one further north begins there.
 *
 * @param boxes null: the river is closed
 */
function blankMap(bounds: z.infer<typeof boundsSchema>, boxes: BoxesFile | null): Map<string, HexRow> {
  const volga = (row: number): HexRow => {
    const box = boxes?.eastBank.findLast(({ rows: [first] }) => row >= first);
    return box === undefined ? { t: "volga" } : { t: "volga", east: { [box.id]: BLANK_RANGE } };
  };
  const map = new Map<string, HexRow>();
  const two = (n: number) => String(n).padStart(2, "0");
  for (let c = Math.max(1, bounds.cols[0]); c <= Math.min(COLUMNS, bounds.cols[1]); c++)
    for (let r = Math.max(1, bounds.rows[0]); r <= Math.min(ROWS, bounds.rows[1]); r++)
      map.set(two(c) + two(r), c === 1 ? volga(r) : { t: "clear" });
  return map;
}

const mapFile = (data: GameData): MapFile => fileOf(mapSchema, data, "map");

/** The map of the game. */
export function standardMap(data: GameData): Map<string, HexRow> {
  const file = mapFile(data);
  const map = new Map<string, HexRow>();
  file.hexes.forEach(({ h, ...hex }, i) => {
    if (map.has(h)) throw new KesselError("bad-data", `map.json: hexes[${i}].h: hex ${h} is listed twice`);
    map.set(h, hex);
  });
  return map;
}

/** A hex that a position gives without blocking cells is full of them if its kind blocks at all. */
function fillSight(hex: HexRow, charts: Charts): HexRow {
  return hex.los === undefined && charts.ground.fillsHex(hex.t) ? { ...hex, los: "all" } : hex;
}

/** The whole board of the game. */
export const standardBoard = (data: GameData): Board =>
  new Board(standardMap(data), chartsOf(data).ground, new Map(), mapFile(data).specialSight);

/**
 * The attributes of a counter type, of the game's list or of the generic counters. The list is long: it is read only
 * for a counter in it.
 */
export function unitTypes(data: GameData): { readonly units: UnitsFile; find(name: string): UnitType | undefined } {
  const generic = fileOf(tablesSchema, data, "tables").setupSandbox.types;
  const listed = Object((data["units"] as JsonObject | undefined)?.["types"]) as object;
  const all = (): UnitsFile => fileOf(unitsSchema, data, "units");
  return {
    get units() {
      return all();
    },
    find: (name) => (Object.hasOwn(listed, name) ? all().types[name] : generic[name]),
  };
}

function rosterOf(data: GameData, start: JsonObject, where: string): Roster {
  const types = unitTypes(data);
  const counters = Object.entries((start["units"] ?? {}) as JsonObject).map(([id, row]): Counter => {
    const at = `${where}: units.${id}`;
    if (!/^[A-Za-z0-9._-]+$/.test(id))
      throw new KesselError("bad-data", `${at}: an id has letters, digits, dots, dashes and underscores only`);
    const unit = parseWith(counterSchema, row, "bad-data", at);
    const type = types.find(unit.type);
    if (type === undefined)
      throw new KesselError("bad-data", `${at}.type: there is no counter type ${shown(unit.type)}`);
    const changed = Object.fromEntries(OVERRIDES.flatMap((k) => (k in unit ? [[k, unit[k]]] : [])));
    const own =
      Object.keys(changed).length === 0 ? type : parseWith(typeSchema, { ...type, ...changed }, "bad-data", at);
    const side = sideOf(own, at);
    const formation = unit.formation ?? "";
    return {
      id,
      side,
      type: own,
      typeName: unit.type,
      formation,
      tag: unit.tag ?? backOf(side, formation),
      name: unit.name ?? "",
      spare: false,
    };
  });
  return makeRoster(counters, where, types.find("s-immob"), (id) => {
    const row = types.units.units.find(([name]) => name === id);
    const type = row === undefined ? undefined : types.find(row[1]!);
    return row === undefined || type === undefined
      ? undefined
      : { type, typeName: row[1]!, formation: row[2] ?? "", tag: row[3]!, name: row[4] ?? "" };
  });
}
