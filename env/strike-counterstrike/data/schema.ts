import { z } from "zod";
import { KesselError } from "../../core/errors.js";
import { dataBlock, dataFile } from "../../core/schema.js";

/** Schemas of the data files, which an owner of the boxed game may replace. `../data.ts` documents the values. */

const GAME = "strike-counterstrike";

const hexId = z.string().regex(/^\d{4}$/, "a hex number has four digits");
/** Limits of the bit fields in the observation cache (`observation/columns.ts`). */
const MOST = { hexes: 1022, armies: 32, strength: 127, engineer: 63 };

const whole = z.number().int().min(0);
const positive = z.number().int().min(1);
const offsets = z.array(z.tuple([z.number().int(), z.number().int()])).length(6);

export const mapSchema = dataFile(GAME, {
  grid: dataBlock({
    columns: z.tuple([whole, whole]),
    rows: z.tuple([whole, whole]),
    neighboursEvenColumn: offsets,
    neighboursOddColumn: offsets,
  }),
  moscow: hexId,
  tula: hexId,
  edges: z.strictObject({
    west: z.array(hexId).min(1),
    east: z.array(hexId),
    north: z.array(hexId),
    south: z.array(hexId),
  }),
  westVictoryMaxColumn: whole,
  frontOrder: z.array(hexId).min(1),
  hexes: z
    .array(
      dataBlock({
        id: hexId,
        terrain: z.enum(["clear", "forest"]),
        control: z.enum(["german", "soviet"]),
        name: z.string().optional(),
        fortified: z.boolean().optional(),
        kLine: z.boolean().optional(),
        front: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(MOST.hexes),
});

export const CLASSES = ["mech", "nonmech", "sec", "support"] as const;

const army = {
  id: z.string().min(1),
  name: z.string(),
  type: z.enum(["army", "shock"]),
  strength: positive.max(MOST.strength),
  setup: z.string().regex(/^(\d{4}|track:\d)$/, "a hex number or track:TURN"),
};
const census = dataBlock({
  total: whole,
  otherGame: whole,
  german: whole,
  sovietArmies: whole,
  sovietMarkers: whole,
});

export const unitsSchema = dataFile(GAME, {
  soviet: z
    .array(dataBlock({ slot: whole, ...army }))
    .min(1)
    .max(MOST.armies),
  engineer: dataBlock({ id: z.string().min(1), name: z.string(), strength: positive.max(MOST.engineer) }),
  interceptor: dataBlock({ id: z.string().min(1), name: z.string() }),
  partisan: dataBlock({ id: z.string().min(1), name: z.string() }),
  german: z
    .array(
      dataBlock({
        slot: whole,
        id: z.string().min(1),
        name: z.string(),
        class: z.enum(CLASSES),
        type: z.string(),
        enters: whole.max(6),
      }),
    )
    .min(1),
  counterCensus: census,
});

/** What the option `counters=half-sheet` changes of `units.json`. */
export const halfSheetSchema = dataFile(GAME, {
  soviet: z.array(dataBlock(army)),
  withoutGerman: z.array(z.string()),
  counterCensus: census,
});

/** An id of `rules.json`; owners' files may leave the prefix out. */
const ruleId = z.string().transform((id) => (id.startsWith("SC ") ? id : `SC ${id}`));

/** CRT columns, in the order of the compiled table. */
export const COLUMNS = ["shockFirst", "sovietOther", "mech", "nonmech", "sec", "interceptor"] as const;

const terrain = dataBlock({ moveCost: positive, germanMechModifier: z.number().int() });
const garrison = dataBlock({ dice: positive, add: z.number().int() });

export const tablesSchema = dataFile(GAME, {
  movement: z.strictObject({
    "1": positive,
    "2": positive,
    "3": positive,
    "4": positive,
    "5": positive,
    "6": positive,
  }),
  extraRoundCost: positive,
  terrain: dataBlock({ clear: terrain, forest: terrain }),
  garrison: dataBlock({
    regular: garrison,
    relief: garrison,
    breakoutPerHex: garrison,
  }),
  crt: dataBlock({
    rows: z.array(z.string()).length(8),
    columns: z.strictObject(
      Object.fromEntries(COLUMNS.map((c) => [c, z.array(whole).length(8)])) as Record<
        (typeof COLUMNS)[number],
        z.ZodArray<typeof whole>
      >,
    ),
  }),
  modifiers: z.array(dataBlock({ value: z.number().int(), rounds: z.enum(["all", "first"]), rule: ruleId })),
  replacementsPerTurn: whole,
});

const need = dataBlock({ fortified: whole, west: whole });

export const scenarioSchema = dataFile(GAME, {
  turns: z.literal(6),
  turnNames: z.array(z.string()).length(6),
  checks: z.tuple([
    dataBlock({ endOfTurn: z.literal(1) }),
    dataBlock({ endOfTurn: z.literal(3), kRequired: whole }),
    dataBlock({ endOfTurn: z.literal(6), win: need, draw: need }),
  ]),
});

/** @throws KesselError `bad-data` with file, path and reason */
export function refuseData(file: string, path: string, reason: string): never {
  throw new KesselError("bad-data", `${file}.json: ${path}: ${reason}`);
}

/** @throws KesselError `bad-data` when an id is not unique */
export function requireUnique(file: string, path: string, ids: readonly string[]): void {
  ids.forEach((id, i) => {
    if (ids.indexOf(id) !== i) refuseData(file, path, `"${id}" is listed twice`);
  });
}
