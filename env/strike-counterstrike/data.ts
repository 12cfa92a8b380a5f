import type { z } from "zod";
import { KesselError } from "../core/errors.js";
import type { GameData } from "../core/game.js";
import { HexGrid, type HexShift } from "../core/hex.js";
import { parseWith } from "../core/schema.js";
import { CLASSES, COLUMNS, mapSchema, scenariosSchema, setupSchema, tablesSchema, unitsSchema } from "./schema.js";

/** Classes of German counters, in the order of `schema.ts`. Rule: SC 2.8, SC 2.14 */
export const MECH = 0;
export const NONMECH = 1;
export const SEC = 2;
export const SUPPORT = 3;

/** Kinds of support markers; 0 for a unit. Rule: SC 8.2, SC 10.6 to SC 10.10 */
export const FK8 = 1;
export const GUDERIAN = 2;
export const ELEFANT = 3;
export const ROTKOPF = 4;
export const RAID = 5;
const SUPPORT_TYPES = ["", "fk8", "guderian", "elefant", "rotkopf", "raid"];

/** Guderian leaves, and the partisan marker and the reinforcement army come, at the start of this turn. Rule: SC 7.2, SC 7.3, SC 10.7 */
export const JANUARY = 3;
/** Least row in which Guderian helps. Rule: SC 10.7 */
export const GUDERIAN_ROW = 9;

/** Columns of the compiled CRT, in the order of `schema.ts`. */
export const SHOCK_FIRST = 0;
export const SOVIET_OTHER = 1;
export const GERMAN_COLUMN = 2; // + class
export const INTERCEPTOR = 5;

/** A Soviet army, shock or combined arms. Rule: SC 2.5 */
export interface Army {
  readonly id: string;
  readonly name: string;
  /** Steps at full strength, and dice. Rule: SC 2.4, SC 2.7 */
  readonly strength: number;
  readonly shock: boolean;
  /** Hex where it starts, -1 when it enters later. */
  readonly setup: number;
  /** Turn in which it enters, 0 when it starts on the map. */
  readonly enters: number;
}

/** A German counter: a unit of one step and one die, of which only the class matters, or a marker. Rule: SC 2.3, SC 2.9, SC 2.11 */
export interface Counter {
  readonly id: string;
  readonly name: string;
  readonly cls: number;
  readonly support: number;
  /** What it is, as the data name it. */
  readonly type: string;
  readonly enters: number;
}

/** A modifier of German or Soviet dice and whether it holds in the first round only. */
export interface Modifier {
  readonly value: number;
  readonly firstOnly: boolean;
}

/** The data files, checked and compiled. Arrays over hexes follow the order of the map file. */
export interface Tables {
  readonly grid: HexGrid;
  readonly hexes: number;
  readonly names: readonly string[];
  readonly forest: Uint8Array;
  readonly fort: Uint8Array;
  readonly kLine: Uint8Array;
  /** In or west of the column that counts for victory. Rule: SC 4.5 */
  readonly western: Uint8Array;
  /** Touches Moscow or Tula. Rule: SC 4.2 */
  readonly guarded: Uint8Array;
  /** Where an army may enter: north, south, east edge, Moscow, Tula. Rule: SC 7.2 */
  readonly entry: Uint8Array;
  readonly startGerman: Uint8Array;
  /** West-edge hexes, to which pockets have lost the way. Rule: SC 1.6, SC 8.4 */
  readonly west: Int16Array;
  /** Hexes that carry a marker at the start, ascending. Rule: SC 3.4 */
  readonly front: Int16Array;
  /** Rule: SC 2.2 */
  readonly moscow: number;
  readonly tula: number;
  readonly columns: readonly [number, number];
  readonly rows: readonly [number, number];

  readonly armies: readonly Army[];
  readonly engineer: { readonly id: string; readonly name: string; readonly strength: number };
  readonly interceptorId: string;
  readonly partisanId: string;
  readonly counters: readonly Counter[];
  /** Class and support kind of each counter, for loops. */
  readonly cls: Int8Array;
  readonly support: Int8Array;
  /** Slots of each class, ascending. */
  readonly slotsOf: readonly Int16Array[];
  readonly guderian: number;

  /** MP by turn, 1..6. Rule: SC 2.10 */
  readonly movement: readonly number[];
  readonly extraRoundCost: number;
  /** MP to enter, clear and forest. Rule: SC 9.10 */
  readonly moveCost: readonly [number, number];
  /** Modifier of German mech dice, clear and forest. Rule: SC 10.4 */
  readonly mechModifier: readonly [number, number];
  readonly regular: { readonly dice: number; readonly add: number };
  readonly relief: { readonly dice: number; readonly add: number };
  readonly breakout: { readonly dice: number; readonly add: number; readonly drawBeyondPocket: boolean };
  /** Hits by column and modified roll 0..7. */
  readonly crt: Int8Array;
  /** By support kind (index 1..5). */
  readonly supportModifier: readonly Modifier[];
  readonly breakInModifier: number;
  readonly breakoutModifier: number;
  readonly replacements: number;
  readonly kRequired: number;
  readonly win: { readonly fortified: number; readonly west: number };
  readonly draw: { readonly fortified: number; readonly west: number };
  readonly turnNames: readonly string[];
}

function refuse(file: string, path: string, reason: string): never {
  throw new KesselError("bad-data", `${file}.json: ${path}: ${reason}`);
}

/** @throws KesselError `bad-data` with file, path and reason */
export function loadTables(data: GameData): Tables {
  const map = parseWith(mapSchema, data["map"], "bad-data", "map.json");
  const units = parseWith(unitsSchema, data["units"], "bad-data", "units.json");
  const tables = parseWith(tablesSchema, data["tables"], "bad-data", "tables.json");
  const scenario = parseWith(scenariosSchema, data["scenarios"], "bad-data", "scenarios.json").scenarios[0];
  const setup = parseWith(setupSchema, data["setup"], "bad-data", "setup.json");
  const ground = loadMap(map);
  const counters = units.german.map((c, i) => {
    const support = SUPPORT_TYPES.indexOf(c.type);
    if (c.slot !== i) refuse("units", `german[${i}].slot`, `slots run from 0 in file order; this is ${c.slot}`);
    if ((c.class === "support") !== support > 0)
      refuse("units", `german[${i}].type`, `${c.type} does not go with class ${c.class}`);
    return {
      id: c.id,
      name: c.name,
      cls: CLASSES.indexOf(c.class),
      support: Math.max(0, support),
      type: c.type,
      enters: c.enters,
    };
  });
  const armies = loadArmies(units, ground.grid, ground.startGerman);
  unique(
    "units",
    "german",
    counters.map((c) => c.id),
  );
  unique("units", "soviet", [...armies.map((a) => a.id), units.engineer.id, units.interceptor.id, units.partisan.id]);
  for (let kind = FK8; kind < RAID; kind++)
    if (counters.filter((c) => c.support === kind).length !== 1)
      refuse("units", "german", `there is one counter of type ${SUPPORT_TYPES[kind]}`);
  if (setup.start.engineer.steps !== units.engineer.strength)
    refuse("setup", "start.engineer.steps", `${units.engineer.id} starts with its ${units.engineer.strength} steps`);
  checkCensus(units);
  const pool = counters.filter((c) => c.enters === 0).length;
  if (pool <= ground.front.length)
    refuse("units", "german", `${pool} counters in the pool do not cover ${ground.front.length} front hexes`);
  if (tables.terrain.clear.moveCost > Math.min(...Object.values(tables.movement)))
    refuse("tables", "terrain.clear.moveCost", "no army could move");
  const modifier = modifiersOf(tables);
  const mech = modifier("10.4").value;
  if (mech !== tables.terrain.forest.germanMechModifier)
    refuse("tables", "terrain.forest.germanMechModifier", `the modifier list says ${mech}`);
  return {
    ...ground,
    armies,
    engineer: units.engineer,
    interceptorId: units.interceptor.id,
    partisanId: units.partisan.id,
    counters,
    cls: Int8Array.from(counters, (c) => c.cls),
    support: Int8Array.from(counters, (c) => c.support),
    slotsOf: CLASSES.map((_, k) => Int16Array.from(counters.flatMap((c, i) => (c.cls === k ? [i] : [])))),
    guderian: counters.findIndex((c) => c.support === GUDERIAN),
    movement: [0, ...([1, 2, 3, 4, 5, 6] as const).map((t) => tables.movement[`${t}`])],
    extraRoundCost: tables.extraRoundCost,
    moveCost: [tables.terrain.clear.moveCost, tables.terrain.forest.moveCost],
    mechModifier: [tables.terrain.clear.germanMechModifier, mech],
    regular: tables.garrison.regular,
    relief: tables.garrison.relief,
    breakout: tables.garrison.breakoutPerHex,
    crt: Int8Array.from(COLUMNS.flatMap((c) => tables.crt.columns[c])),
    supportModifier: ["", "10.6", "10.7", "10.8", "10.9", "10.10"].map((rule) =>
      rule === "" ? { value: 0, firstOnly: false } : modifier(rule),
    ),
    breakInModifier: modifier("10.2").value,
    breakoutModifier: modifier("8.6").value,
    replacements: tables.replacementsPerTurn,
    kRequired: scenario.checks[1].kRequired,
    win: scenario.checks[2].win,
    draw: scenario.checks[2].draw,
    turnNames: scenario.turnNames,
  };
}

function unique(file: string, path: string, ids: readonly string[]): void {
  ids.forEach((id, i) => {
    if (ids.indexOf(id) !== i) refuse(file, path, `"${id}" stands twice`);
  });
}

/** The counters in the box add up. Rule: SC 2.1 */
function checkCensus(units: z.infer<typeof unitsSchema>): void {
  const census = units.counterCensus;
  if (census === undefined) return;
  const armies = [...units.soviet, units.engineer].reduce((n, a) => n + Math.ceil(a.strength / 2), 0);
  if (census.sovietArmies !== armies)
    refuse("units", "counterCensus.sovietArmies", `the armies have ${armies} counters, not ${census.sovietArmies}`);
  if (census.german !== units.german.length)
    refuse("units", "counterCensus.german", `${units.german.length} German counters are listed, not ${census.german}`);
  const sum =
    census.otherGame +
    census.german +
    census.sovietArmies +
    Object.values(census.sovietMarkers).reduce((n, x) => n + x, 0);
  if (census.total !== sum) refuse("units", "counterCensus.total", `the parts add up to ${sum}, not ${census.total}`);
}

function modifiersOf(tables: z.infer<typeof tablesSchema>): (rule: string) => Modifier {
  return (rule) => {
    const found = tables.modifiers.filter((m) => m.rule === rule);
    if (found.length !== 1)
      refuse("tables", "modifiers", `there is one modifier for rule ${rule}, not ${found.length}`);
    return { value: found[0]!.value, firstOnly: found[0]!.rounds === "first" };
  };
}

type MapFile = z.infer<typeof mapSchema>;

/** The column that lies lower, from the two neighbour tables. */
function shiftOf(map: MapFile): HexShift {
  const high = "0,-1;1,-1;1,0;0,1;-1,0;-1,-1";
  const low = "0,-1;1,0;1,1;0,1;-1,1;-1,0";
  const even = map.grid.neighboursEvenColumn.map(String).join(";");
  const odd = map.grid.neighboursOddColumn.map(String).join(";");
  if (even === high && odd === low) return "odd";
  if (even === low && odd === high) return "even";
  return refuse("map", "grid", "the neighbours of even and odd columns do not fit each other (order N NE SE S SW NW)");
}

function loadMap(map: MapFile) {
  const ids = map.hexes.map((h) => h.id);
  unique("map", "hexes", ids);
  ids.forEach((id, i) => {
    if (i > 0 && id <= ids[i - 1]!)
      refuse("map", `hexes[${i}].id`, `hexes stand in ascending order; ${id} follows ${ids[i - 1]}`);
  });
  const grid = new HexGrid(ids, shiftOf(map));
  const find = (path: string, id: string): number => {
    const h = grid.index(id);
    return h >= 0 ? h : refuse("map", path, `hex ${id} is not on the map`);
  };
  const flags = (test: (h: MapFile["hexes"][number], i: number) => boolean): Uint8Array =>
    Uint8Array.from(map.hexes, (h, i) => (test(h, i) ? 1 : 0));
  const moscow = find("moscow", map.moscow);
  const tula = find("tula", map.tula);
  const startGerman = flags((h) => h.control === "german");
  for (const [path, h] of [
    ["moscow", moscow],
    ["tula", tula],
  ] as const)
    if (startGerman[h] === 1) refuse("map", path, `hex ${ids[h]} starts under German control`);
  const entry = new Uint8Array(ids.length);
  for (const side of ["north", "south", "east"] as const)
    map.edges[side].forEach((id, i) => (entry[find(`edges.${side}[${i}]`, id)] = 1));
  entry[moscow] = 1;
  entry[tula] = 1;
  const west = Int16Array.from(map.edges.west, (id, i) => find(`edges.west[${i}]`, id)).sort();
  const front = Int16Array.from(map.frontOrder, (id, i) => find(`frontOrder[${i}]`, id)).sort();
  unique("map", "frontOrder", map.frontOrder);
  ids.forEach((id, h) => {
    let touches = false;
    for (let d = 0; d < 6; d++) {
      const k = grid.neighbour(h, d);
      if (k >= 0 && startGerman[k] === 0) touches = true;
    }
    const line = startGerman[h] === 1 && touches;
    if (line !== front.includes(h))
      refuse(
        "map",
        "frontOrder",
        line
          ? `hex ${id} is German and touches a Soviet hex; it belongs to the front`
          : `hex ${id} does not lie on the front`,
      );
    if (line !== (map.hexes[h]!.front ?? false))
      refuse("map", `hexes[${h}].front`, `the front list says ${line} for hex ${id}`);
  });
  const fort = flags((h) => h.fortified === true);
  if (!fort.includes(1)) refuse("map", "hexes", "there is no fortified locality");
  return {
    grid,
    hexes: ids.length,
    names: map.hexes.map((h) => h.name ?? ""),
    forest: flags((h) => h.terrain === "forest"),
    fort,
    kLine: flags((h) => h.kLine === true),
    western: flags((_, i) => grid.columns[i]! <= map.westVictoryMaxColumn),
    guarded: flags((_, i) => grid.adjacent(moscow, i) || grid.adjacent(tula, i)),
    entry,
    startGerman,
    west,
    front,
    moscow,
    tula,
    columns: map.grid.columns,
    rows: map.grid.rows,
  };
}

function loadArmies(units: z.infer<typeof unitsSchema>, grid: HexGrid, startGerman: Uint8Array): Army[] {
  const taken = new Map<string, string>();
  const armies = units.soviet.map((a, i) => {
    if (a.slot !== i) refuse("units", `soviet[${i}].slot`, `slots run from 0 in file order; this is ${a.slot}`);
    const later = /^track:(\d)$/.exec(a.setup);
    const enters = later ? Number(later[1]) : 0;
    const setup = later ? -1 : grid.index(a.setup);
    if (later && enters !== JANUARY)
      refuse("units", `soviet[${i}].setup`, `reinforcements enter on turn ${JANUARY}, not ${enters}`);
    if (!later) {
      if (setup < 0) refuse("units", `soviet[${i}].setup`, `hex ${a.setup} is not on the map`);
      if (startGerman[setup] === 1) refuse("units", `soviet[${i}].setup`, `hex ${a.setup} is German`);
      if (taken.has(a.setup))
        refuse("units", `soviet[${i}].setup`, `army ${taken.get(a.setup)} starts in hex ${a.setup} already`);
      taken.set(a.setup, a.id);
    }
    return { id: a.id, name: a.name, strength: a.strength, shock: a.type === "shock", setup, enters };
  });
  if (armies.every((a) => a.setup < 0)) refuse("units", "soviet", "no army starts on the map");
  return armies;
}
