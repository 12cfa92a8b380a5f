import { z } from "zod";
import { KesselError } from "../core/errors.js";
import type { GameData, Options } from "../core/game.js";
import type { Narrator } from "../core/narration.js";
import { HexGrid } from "../core/hex.js";
import { parseWith } from "../core/schema.js";

/** Sizes of the action space and the observation; data of other sizes are refused. */
export const HEXES = 320;
export const GERMANS = 20;
export const SOVIETS = 24;
/** Counters in one numbering: Germans 0..19, Soviets 20..43. */
export const UNITS = GERMANS + SOVIETS;
export const COLUMNS = 2;

export const GERMAN_TYPES = ["vs", "panther", "gren", "jagd", "stug", "marder", "sdk", "truck"] as const;
export const SOVIET_TYPES = ["rifle", "atgun", "t34", "hunter", "dummy"] as const;
/** Types whose gun a truck's ammunition can restore, in the order of the state's `reinstated`. */
export const RESTORABLE = ["jagd", "stug"] as const;
export const TRUCK = GERMAN_TYPES.indexOf("truck");

/** Results of an attack, as the results table holds them. */
export const NOTHING = 0;
export const SUPPRESS = 1;
export const ELIMINATE = 2;

/** Kinds of ground, in the order of `Tables.terrain`. */
export const TERRAINS = ["clear", "woods", "town"] as const;
const WEIGHTS = ["light", "medium", "heavy"] as const;
/** `weight` of a counter from which on only anti-tank units may attack it. */
export const MEDIUM = 2;

const whole = z.number().int().min(0);
const few = whole.max(99);
const cost = z.number().int().min(1).max(9);
const face = z.number().int().min(1).max(6);
const modifier = z.number().int().min(-9).max(9);
const hexId = z.string().regex(/^\d{4}$/, "a hex is written with four digits");
const head = { game: z.literal("night-fight"), version: z.literal(1), provenance: z.record(z.string(), z.string()) };

const mapSchema = z.strictObject({
  ...head,
  grid: z.strictObject({ columns: z.tuple([few, few]), rows: z.tuple([few, few]), lower: z.enum(["odd", "even"]) }),
  exitColumn: few,
  entryColumn: few,
  contacts: z.array(hexId).max(SOVIETS),
  columnEntries: z.array(hexId).length(6, "six entry hexes, one for each face of a die"),
  hexes: z
    .array(
      z.strictObject({
        id: hexId,
        terrain: z.enum(TERRAINS),
        road: z.boolean().optional(),
        ablaze: z.boolean().optional(),
      }),
    )
    .length(HEXES),
});

const counter = {
  strength: whole.max(8),
  antitank: z.boolean(),
  weight: z.enum(WEIGHTS).nullable(),
  count: few,
  range: whole.max(8),
};
const unitsSchema = z.strictObject({
  ...head,
  budget: z.number().int().min(1).max(999),
  german: z.array(
    z.strictObject({
      type: z.enum(GERMAN_TYPES),
      name: z.string(),
      cost: few.min(1),
      ...counter,
      mp: z.number().int().min(1).max(6),
      kind: z.enum(["infantry", "vehicle"]),
      night: whole.max(3),
      panzerfaust: z.boolean().optional(),
      restoredRange: whole.max(8).optional(),
    }),
  ),
  soviet: z.array(
    z.strictObject({
      type: z.enum(SOVIET_TYPES),
      ...counter,
      kind: z.enum(["infantry", "vehicle", "dummy"]),
      engineer: z.boolean().optional(),
    }),
  ),
});

const terrainCosts = z.strictObject({ clear: cost, woods: cost, town: cost });
const result = z.enum(["-", "S", "E"]);
const tablesSchema = z.strictObject({
  ...head,
  turns: z.number().int().min(1).max(15),
  stacking: z.number().int().min(1).max(GERMANS),
  moveCost: z.strictObject({
    infantry: terrainCosts,
    vehicle: terrainCosts,
    road: cost,
    perFriendlyUnitOrWreck: few,
    exit: cost,
  }),
  spotting: z.strictObject({
    needBeyondDistance: modifier,
    maxRange: z.number().int().min(1).max(8),
    flareInOrAdjacent: modifier,
    targetInWoodsOrTown: modifier,
    adjacent: modifier,
    nightVoidAblazeDistance: few,
  }),
  sovietSpotting: z.strictObject({ needBeyondDistance: modifier, lit: modifier, unspottedReach: whole.max(8) }),
  attackModifiers: z.strictObject({
    coverTarget: modifier,
    infantryCloseVehicleInCover: modifier,
    panzerfaust: modifier,
    engineerAdjacentVehicle: modifier,
    ace: modifier,
    antitank: z.strictObject({ light: modifier, medium: modifier, heavy: modifier }),
  }),
  crt: z.strictObject({
    rows: z.array(z.string()),
    upTo: z.array(z.number().int()).min(1),
    results: z.array(z.array(result).length(6)),
  }),
  columns: z.strictObject({
    unitsEach: whole.max(9),
    firstTurn: z.number().int().min(1),
    enterOn: z.array(face),
    moveOn: z.array(face),
    moveHexes: few,
  }),
  flare: z.strictObject({ on: z.array(face) }),
  victory: z.strictObject({ dice: z.literal(2), perTruckLost: few }),
});
type TablesFile = z.infer<typeof tablesSchema>;

function wrong(file: string, path: string, reason: string): KesselError {
  return new KesselError("bad-data", `night-fight/${file}.json: ${path}: ${reason}`);
}

/** The data and options of a game, bound together and laid out by index. */
export interface Tables {
  /** Receives the events of the current `apply`; null without a listener. */
  narrator: Narrator | null;
  readonly grid: HexGrid;
  readonly ids: readonly string[];
  readonly terrain: Uint8Array;
  readonly road: Uint8Array;
  readonly ablaze: Uint8Array;
  /** Woods or town. */
  readonly cover: Uint8Array;
  /** So near to an ablaze hex that there is no night bonus. Rule: NF 11.2 */
  readonly nearFire: Uint8Array;
  /** Cost of the terrain by `kind * HEXES + hex`; kind 0 infantry, 1 vehicle. */
  readonly enterCost: Uint8Array;
  /** Where German units come on. Rule: NF N1, NF 11.3 G */
  readonly entryColumn: number;
  readonly exitColumn: number;
  /** Hexes of the entry column. */
  readonly entry: Int16Array;
  readonly contacts: Int16Array;
  readonly columnEntries: Int16Array;
  readonly unitNames: readonly string[];
  readonly types: readonly { readonly type: string; readonly name: string }[];
  readonly firstOfType: Int32Array;
  readonly count: Int32Array;
  readonly cost: Int32Array;
  readonly budget: number;
  /** By counter. `type` counts on through both sides: 0..7 German, 8..12 Soviet. */
  readonly type: Uint8Array;
  readonly strength: Int32Array;
  readonly antitank: Uint8Array;
  /** 0 none, 1 light, 2 medium, 3 heavy. */
  readonly weight: Uint8Array;
  readonly vehicle: Uint8Array;
  readonly dummy: Uint8Array;
  readonly range: Int32Array;
  readonly restoredRange: Int32Array;
  /** 1 + index into RESTORABLE, 0 for other types. */
  readonly restorable: Uint8Array;
  readonly panzerfaust: Uint8Array;
  readonly engineer: Uint8Array;
  readonly mp: Int32Array;
  readonly night: Int32Array;
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
  /** 0 not traced yet, 1 clear, 2 blocked, by `from * HEXES + to`: filled by `sees` of rules/sight.ts. */
  readonly sight: Uint8Array;
  readonly distance: Uint8Array;
  /** Scratch by hex: units while legal moves are found, contacts near a German in a Soviet step. */
  readonly hexCounts: Uint8Array;
  readonly line: Int16Array;
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
  // ruling N1: entry on the east edge, or by option where the text puts it
  const entryColumn = options["entryEdge"] === "right" ? map.exitColumn : map.entryColumn;
  const all = [...units.german, ...units.soviet];
  checkTypes(units);
  checkTable(crt);
  const place = (path: string, id: string): number => {
    const h = grid.index(id);
    if (h < 0) throw wrong("map", path, `there is no hex ${id}`);
    if (ablaze[h] === 1) throw wrong("map", path, `hex ${id} is ablaze, nothing can stand there`);
    return h;
  };
  const contacts = Int16Array.from(map.contacts, (id, i) => place(`contacts[${i}]`, id));
  if (new Set(contacts).size < contacts.length) throw wrong("map", "contacts", "a hex stands twice");
  const per = <T>(f: (t: (typeof all)[number], i: number) => T): T[] =>
    all.flatMap((t, i) => Array.from({ length: t.count }, () => f(t, i)));
  const columnHexes = (c: number): Int16Array =>
    Int16Array.from(map.hexes.map((_, h) => h).filter((h) => grid.columns[h] === c));
  for (const [key, c] of [
    ["entryColumn", map.entryColumn],
    ["exitColumn", map.exitColumn],
  ] as const)
    if (columnHexes(c).length === 0)
      throw wrong("map", key, `the map has columns ${map.grid.columns.join(" to ")}, not ${c}`);
  const distance = new Uint8Array(HEXES * HEXES);
  for (let a = 0; a < HEXES; a++) for (let b = 0; b < HEXES; b++) distance[a * HEXES + b] = grid.distance(a, b);
  const nearFire = Uint8Array.from(ablaze, (_, h) =>
    ablaze.some((f, b) => f === 1 && distance[h * HEXES + b]! <= rules.spotting.nightVoidAblazeDistance) ? 1 : 0,
  );
  const costs = (kind: "infantry" | "vehicle"): number[] =>
    map.hexes.map((h) => (h.road ? rules.moveCost.road : rules.moveCost[kind][h.terrain]));
  const faces = (list: readonly number[]): Uint8Array =>
    Uint8Array.from({ length: 7 }, (_, f) => (list.includes(f) ? 1 : 0));
  let next = 0;
  return {
    narrator: null,
    grid,
    ids: grid.ids,
    terrain: Uint8Array.from(map.hexes, (h) => TERRAINS.indexOf(h.terrain)),
    road: Uint8Array.from(map.hexes, (h) => (h.road ? 1 : 0)),
    ablaze,
    cover: Uint8Array.from(map.hexes, (h) => (h.terrain === "clear" ? 0 : 1)),
    nearFire,
    enterCost: Uint8Array.from([...costs("infantry"), ...costs("vehicle")]),
    entryColumn,
    exitColumn: map.exitColumn,
    entry: columnHexes(entryColumn),
    contacts,
    columnEntries: Int16Array.from(map.columnEntries, (id, i) => place(`columnEntries[${i}]`, id)),
    unitNames: all.flatMap((t) => Array.from({ length: t.count }, (_, k) => `${t.type}-${k + 1}`)),
    types: all.map((t) => ({ type: t.type, name: "name" in t ? t.name : t.type })),
    firstOfType: Int32Array.from(all, (t) => (next += t.count) - t.count),
    count: Int32Array.from(all, (t) => t.count),
    cost: Int32Array.from(units.german, (t) => t.cost),
    budget: units.budget,
    type: Uint8Array.from(per((_, i) => i)),
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
    sight: new Uint8Array(HEXES * HEXES),
    distance,
    hexCounts: new Uint8Array(HEXES),
    line: new Int16Array(64),
  };
}

function gridOf(map: z.infer<typeof mapSchema>): HexGrid {
  const { columns, rows, lower } = map.grid;
  map.hexes.forEach((h, i) => {
    const c = Number(h.id.slice(0, 2));
    const r = Number(h.id.slice(2));
    if (c < columns[0] || c > columns[1] || r < rows[0] || r > rows[1])
      throw wrong(
        "map",
        `hexes[${i}].id`,
        `${h.id} lies outside the grid, columns ${columns.join(" to ")}, rows ${rows.join(" to ")}`,
      );
    if (i > 0 && h.id <= map.hexes[i - 1]!.id)
      throw wrong(
        "map",
        `hexes[${i}].id`,
        `hexes stand in rising order without doubles, ${h.id} follows ${map.hexes[i - 1]!.id}`,
      );
  });
  return new HexGrid(
    map.hexes.map((h) => h.id),
    lower,
  );
}

/** Types stand in the order of the action space; counters add up to the rows of the observation. */
function checkTypes(units: z.infer<typeof unitsSchema>): void {
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
