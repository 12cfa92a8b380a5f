import { KesselError } from "../core/errors.js";
import type { GameData, Options } from "../core/game.js";
import { HexGrid } from "../core/hex.js";
import { parseWith } from "../core/schema.js";
import {
  FIRST_HEX,
  GERMAN_TYPES,
  GERMANS,
  type GunId,
  type HexId,
  HEXES,
  RESTORABLE,
  SOVIET_TYPES,
  SOVIETS,
  TERRAINS,
  type TypeId,
  type UnitId,
  WEIGHTS,
} from "./data/codes.js";
import { type MapFile, mapSchema, type TablesFile, tablesSchema, type UnitsFile, unitsSchema } from "./data/schema.js";
import type { By, Row, Names } from "../core/brand.js";

export * from "./data/codes.js";

function wrong(file: string, path: string, reason: string): KesselError {
  return new KesselError("bad-data", `night-fight/${file}.json: ${path}: ${reason}`);
}

/** The data and options of a game, bound together and laid out by index. */
export interface Tables {
  /** As position documents name them. */
  readonly options: Options;
  readonly grid: HexGrid<HexId>;
  readonly ids: Names<HexId>;
  readonly terrain: By<HexId>;
  readonly road: By<HexId>;
  readonly ablaze: By<HexId>;
  /** Woods or town. */
  readonly cover: By<HexId>;
  /** So near to an ablaze hex that there is no night bonus. Rule: NF 11.2 */
  readonly nearFire: By<HexId>;
  /** Cost of the terrain by `kind * HEXES + hex`; kind 0 infantry, 1 vehicle. */
  readonly enterCost: Uint8Array;
  /** Where German units come on. Rule: NF N1, NF 11.3 G */
  readonly entryColumn: number;
  /** Where they leave, the edge opposite. Rule: NF N1, NF 11.3 */
  readonly exitColumn: number;
  /** Hexes of the entry column. */
  readonly entry: Row<HexId>;
  readonly contacts: Row<HexId>;
  readonly columnEntries: Row<HexId>;
  /** Counters as actions, positions and events name them: `vs-2`. */
  readonly unitNames: Names<UnitId>;
  /** The same as texts name them, by the number that the counter shows: `Volkssturm 2`. */
  readonly unitTitles: By<UnitId, string>;
  readonly types: By<TypeId, { readonly type: string; readonly name: string }>;
  /** The type that a restorable gun belongs to. */
  readonly gunType: By<GunId, TypeId>;
  readonly firstOfType: By<TypeId, UnitId>;
  readonly count: By<TypeId>;
  readonly cost: By<TypeId>;
  readonly budget: number;
  /** By counter. `type` counts on through both sides: 0..7 German, 8..12 Soviet. */
  readonly type: By<UnitId, TypeId>;
  readonly strength: By<UnitId>;
  readonly antitank: By<UnitId>;
  /** 0 none, 1 light, 2 medium, 3 heavy. */
  readonly weight: By<UnitId>;
  readonly vehicle: By<UnitId>;
  readonly dummy: By<UnitId>;
  readonly range: By<UnitId>;
  readonly restoredRange: By<UnitId>;
  /** 1 + index into RESTORABLE, 0 for other types. */
  readonly restorable: By<UnitId>;
  readonly panzerfaust: By<UnitId>;
  readonly engineer: By<UnitId>;
  readonly mp: By<UnitId>;
  readonly night: By<UnitId>;
  readonly rules: Readonly<Omit<TablesFile, "crt" | "columns" | "flare">>;
  /** Attack modifier of anti-tank fire by weight. */
  readonly antitankBonus: Int32Array;
  readonly crtUpTo: Int32Array;
  /** Result by `row * 6 + face - 1`. */
  readonly crt: Uint8Array;
  /** One byte a face, from 1. */
  readonly enterOn: Uint8Array;
  readonly moveOn: Uint8Array;
  readonly flareOn: Uint8Array;
  readonly columnRules: Readonly<TablesFile["columns"]>;
  readonly panzerAce: boolean;
  /** The die for a flare falls before German fire, not after it. Rule: NF reconstructed flare */
  readonly flareBeforeFire: boolean;
  /** 0 not traced yet, 1 clear, 2 blocked, by `from * HEXES + to`: filled by `sees` of rules/sight.ts. */
  readonly sight: Uint8Array;
  readonly distance: Uint8Array;
  /** Scratch by hex: units while legal moves are found, contacts near a German in a Soviet step. */
  readonly hexCounts: Uint8Array;
  readonly line: Row<HexId>;
}

/** @throws KesselError `bad-data` with file, path and reason */
export function loadTables(data: GameData, options: Options): Tables {
  const map = parseWith(mapSchema, data["map"], "bad-data", "night-fight/map.json");
  const units = parseWith(unitsSchema, data["units"], "bad-data", "night-fight/units.json");
  const { crt, columns, flare, ...rules } = parseWith(
    tablesSchema,
    data["tables"],
    "bad-data",
    "night-fight/tables.json",
  );
  const grid = gridOf(map);
  const ablaze = Uint8Array.from(map.hexes, (h) => (h.ablaze ? 1 : 0));
  // Rule: NF N1: entry on the east edge, exit on the west; or the other way round
  const [entryColumn, exitColumn] =
    options["entryEdge"] === "right" ? [map.exitColumn, map.entryColumn] : [map.entryColumn, map.exitColumn];
  const all = [...units.german, ...units.soviet];
  checkTypes(units);
  checkTable(crt);
  const place = (path: string, id: string): HexId => {
    const h = grid.index(id);
    if (h < 0) throw wrong("map", path, `there is no hex ${id}`);
    if (ablaze[h] === 1) throw wrong("map", path, `hex ${id} is ablaze, and can hold no unit`);
    return h;
  };
  const contacts = Int16Array.from(map.contacts, (id, i) => place(`contacts[${i}]`, id)) as Row<HexId>;
  if (new Set(contacts).size < contacts.length) throw wrong("map", "contacts", "a hex is listed twice");
  const per = <T>(f: (t: (typeof all)[number], i: number) => T): T[] =>
    all.flatMap((t, i) => Array.from({ length: t.count }, () => f(t, i)));
  const columnHexes = (column: number) =>
    Int16Array.from(map.hexes.map((_, h) => h).filter((h) => grid.columns[h] === column)) as Row<HexId>;
  for (const [key, c] of [
    ["entryColumn", map.entryColumn],
    ["exitColumn", map.exitColumn],
  ] as const)
    if (columnHexes(c).length === 0)
      throw wrong("map", key, `the map has columns ${map.grid.columns.join(" to ")}, not ${c}`);
  const distance = new Uint8Array(HEXES * HEXES);
  for (let a = FIRST_HEX; a < HEXES; a++)
    for (let b = FIRST_HEX; b < HEXES; b++) distance[a * HEXES + b] = grid.distance(a, b);
  const nearFire = Uint8Array.from(ablaze, (_, h) =>
    ablaze.some((f, b) => f === 1 && distance[h * HEXES + b]! <= rules.spotting.nightVoidAblazeDistance) ? 1 : 0,
  );
  const costs = (kind: "infantry" | "vehicle"): number[] =>
    map.hexes.map((h) => (h.road ? rules.moveCost.road : rules.moveCost[kind][h.terrain]));
  const faces = (list: readonly number[]): Uint8Array =>
    Uint8Array.from({ length: 7 }, (_, f) => (list.includes(f) ? 1 : 0));
  let next = 0;
  return {
    options,
    grid,
    ids: grid.ids as Names<HexId>,
    terrain: Uint8Array.from(map.hexes, (h) => TERRAINS.indexOf(h.terrain)),
    road: Uint8Array.from(map.hexes, (h) => (h.road ? 1 : 0)),
    ablaze,
    cover: Uint8Array.from(map.hexes, (h) => (h.terrain === "clear" ? 0 : 1)),
    nearFire,
    enterCost: Uint8Array.from([...costs("infantry"), ...costs("vehicle")]),
    entryColumn,
    exitColumn,
    entry: columnHexes(entryColumn),
    contacts,
    columnEntries: Int16Array.from(map.columnEntries, (id, i) => place(`columnEntries[${i}]`, id)) as Row<HexId>,
    unitNames: all.flatMap((t) =>
      Array.from({ length: t.count }, (_, k) => `${t.type}-${k + 1}`),
    ) as readonly string[] as Names<UnitId>,
    unitTitles: all.flatMap((t) =>
      Array.from({ length: t.count }, (_, k) => (t.count === 1 ? t.called : `${t.called} ${k + 1}`)),
    ),
    types: all.map((t) => ({ type: t.type, name: t.name ?? t.type })),
    gunType: RESTORABLE.map((r) => GERMAN_TYPES.indexOf(r) as TypeId),
    firstOfType: Int32Array.from(all, (t) => (next += t.count) - t.count) as Row<UnitId, Int32Array>,
    count: Int32Array.from(all, (t) => t.count),
    cost: Int32Array.from(units.german, (t) => t.cost),
    budget: units.budget,
    type: Uint8Array.from(per((_, i) => i)) as Row<TypeId, Uint8Array>,
    strength: Int32Array.from(per((t) => t.strength)),
    antitank: Uint8Array.from(per((t) => (t.antitank ? 1 : 0))),
    weight: Uint8Array.from(per((t) => (t.weight === null ? 0 : WEIGHTS.indexOf(t.weight) + 1))),
    vehicle: Uint8Array.from(per((t) => (t.kind === "vehicle" ? 1 : 0))),
    dummy: Uint8Array.from(per((t) => (t.kind === "dummy" ? 1 : 0))),
    range: Int32Array.from(per((t) => t.range)),
    restoredRange: Int32Array.from(per((t) => ("restoredRange" in t ? (t.restoredRange ?? t.range) : t.range))),
    restorable: Uint8Array.from(per((t) => RESTORABLE.indexOf(t.type as "jagd") + 1)),
    panzerfaust: Uint8Array.from(per((t) => ("panzerfaust" in t && t.panzerfaust ? 1 : 0))),
    engineer: Uint8Array.from(per((t) => ("engineer" in t && t.engineer ? 1 : 0))),
    mp: Int32Array.from(per((t) => ("mp" in t ? t.mp : 0))),
    night: Int32Array.from(per((t) => ("night" in t ? t.night : 0))),
    rules,
    antitankBonus: Int32Array.from([0, ...WEIGHTS.map((w) => rules.attackModifiers.antitank[w])]),
    crtUpTo: Int32Array.from(crt.upTo),
    crt: Uint8Array.from(crt.results.flat(), (r) => ["-", "S", "E"].indexOf(r)),
    enterOn: faces(columns.enterOn),
    moveOn: faces(columns.moveOn),
    flareOn: faces(flare.on),
    columnRules: columns,
    panzerAce: options["panzerAce"] === true,
    flareBeforeFire: options["flare"] === "fire-phase",
    sight: new Uint8Array(HEXES * HEXES),
    distance,
    hexCounts: new Uint8Array(HEXES),
    line: new Int16Array(64) as Row<HexId>,
  };
}

function gridOf(map: MapFile): HexGrid<HexId> {
  const { columns, rows, lower } = map.grid;
  map.hexes.forEach((h, i) => {
    const c = Number(h.id.slice(0, 2));
    const r = Number(h.id.slice(2));
    if (c < columns[0] || c > columns[1] || r < rows[0] || r > rows[1])
      throw wrong(
        "map",
        `hexes[${i}].id`,
        `${h.id} is outside the grid, columns ${columns.join(" to ")}, rows ${rows.join(" to ")}`,
      );
    if (i > 0 && h.id <= map.hexes[i - 1]!.id)
      throw wrong(
        "map",
        `hexes[${i}].id`,
        `expected hexes in rising order without doubles; ${h.id} follows ${map.hexes[i - 1]!.id}`,
      );
  });
  return new HexGrid(
    map.hexes.map((h) => h.id),
    lower,
  );
}

/** Types are in the order of the action space; counters add up to the rows of the observation. */
function checkTypes(units: UnitsFile): void {
  const sides = [
    ["german", GERMAN_TYPES, GERMANS],
    ["soviet", SOVIET_TYPES, SOVIETS],
  ] as const;
  for (const [side, names, total] of sides) {
    const came = units[side].map((t) => t.type);
    if (came.join() !== names.join())
      throw wrong("units", side, `types are ${names.join(", ")} in this order, not ${came.join(", ")}`);
    const sum = units[side].reduce((n, t) => n + t.count, 0);
    if (sum !== total) throw wrong("units", side, `counts add up to ${sum}; there are ${total} counters`);
  }
  units.soviet.forEach((t, i) => {
    if ((t.type === "dummy") !== (t.kind === "dummy"))
      throw wrong("units", `soviet[${i}].kind`, "the type dummy, and no other, is of the kind dummy");
  });
}

function checkTable(crt: TablesFile["crt"]): void {
  const { rows, upTo, results } = crt;
  if (rows.length !== upTo.length || results.length !== upTo.length)
    throw wrong(
      "tables",
      "crt",
      `${rows.length} rows, ${upTo.length} limits and ${results.length} lines of results; there must be as many of each`,
    );
  for (let i = 1; i < upTo.length; i++)
    if (upTo[i]! <= upTo[i - 1]!)
      throw wrong("tables", `crt.upTo[${i}]`, `limits rise, ${upTo[i]!} follows ${upTo[i - 1]!}`);
}
