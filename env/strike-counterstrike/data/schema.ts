import { z } from "zod";
import { KesselError } from "../../core/errors.js";

/** Schemas of the data files, which an owner of the boxed game may replace. `../data.ts` documents the values. */

const hexId = z.string().regex(/^\d{4}$/, "a hex number has four digits");
/** Limits of the bit fields in the observation cache (`observation/columns.ts`). */
const MOST = { hexes: 1022, armies: 32, strength: 127, engineer: 63 };

const whole = z.number().int().min(0);
const positive = z.number().int().min(1);
const offsets = z.array(z.tuple([z.number().int(), z.number().int()])).length(6);

export const mapSchema = z.object({
  grid: z.object({
    columns: z.tuple([whole, whole]),
    rows: z.tuple([whole, whole]),
    neighboursEvenColumn: offsets,
    neighboursOddColumn: offsets,
  }),
  moscow: hexId,
  tula: hexId,
  edges: z.object({ west: z.array(hexId).min(1), east: z.array(hexId), north: z.array(hexId), south: z.array(hexId) }),
  westVictoryMaxColumn: whole,
  frontOrder: z.array(hexId).min(1),
  hexes: z
    .array(
      z.object({
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

export const unitsSchema = z.object({
  soviet: z
    .array(
      z.object({
        slot: whole,
        id: z.string().min(1),
        name: z.string(),
        type: z.enum(["army", "shock"]),
        strength: positive.max(MOST.strength),
        setup: z.string().regex(/^(\d{4}|track:\d)$/, "a hex number or track:TURN"),
      }),
    )
    .min(1)
    .max(MOST.armies),
  engineer: z.object({ id: z.string().min(1), name: z.string(), strength: positive.max(MOST.engineer) }),
  interceptor: z.object({ id: z.string().min(1), name: z.string() }),
  partisan: z.object({ id: z.string().min(1), name: z.string() }),
  german: z
    .array(
      z.object({
        slot: whole,
        id: z.string().min(1),
        name: z.string(),
        class: z.enum(CLASSES),
        type: z.string(),
        enters: whole.max(6),
      }),
    )
    .min(1),
  counterCensus: z
    .object({
      total: whole,
      otherGame: whole,
      german: whole,
      sovietArmies: whole,
      sovietMarkers: z.record(z.string(), whole),
    })
    .optional(),
});

/** An id of `rules.json`; owners' files may leave the prefix out. */
const ruleId = z.string().transform((id) => (id.startsWith("SC ") ? id : `SC ${id}`));

/** CRT columns, in the order of the compiled table. */
export const COLUMNS = ["shockFirst", "sovietOther", "mech", "nonmech", "sec", "interceptor"] as const;

const terrain = z.object({ moveCost: positive, germanMechModifier: z.number().int() });
const garrison = z.object({ dice: positive, add: z.number().int() });

export const tablesSchema = z.object({
  movement: z.strictObject({
    "1": positive,
    "2": positive,
    "3": positive,
    "4": positive,
    "5": positive,
    "6": positive,
  }),
  extraRoundCost: positive,
  terrain: z.object({ clear: terrain, forest: terrain }),
  garrison: z.object({
    regular: garrison,
    relief: garrison,
    breakoutPerHex: garrison.extend({ drawBeyondPocket: z.boolean() }),
  }),
  crt: z.object({
    rows: z.array(z.string()).length(8),
    columns: z.object(
      Object.fromEntries(COLUMNS.map((c) => [c, z.array(whole).length(8)])) as Record<
        (typeof COLUMNS)[number],
        z.ZodArray<typeof whole>
      >,
    ),
  }),
  modifiers: z.array(z.object({ when: z.string(), value: z.number().int(), rounds: z.string(), rule: ruleId })),
  replacementsPerTurn: whole,
});

const need = z.object({ fortified: whole, west: whole });

export const scenariosSchema = z.object({
  scenarios: z.tuple([
    z.object({
      turns: z.literal(6),
      turnNames: z.array(z.string()).length(6),
      checks: z.tuple([
        z.object({ endOfTurn: z.literal(1) }),
        z.object({ endOfTurn: z.literal(3), kRequired: whole }),
        z.object({ endOfTurn: z.literal(6), win: need, draw: need }),
      ]),
    }),
  ]),
  options: z.object({ concede: z.object({ default: z.boolean() }) }),
});

export const setupSchema = z.object({
  start: z.object({ engineer: z.object({ steps: positive }), replacements: z.literal(0) }),
});

/** @throws KesselError `bad-data` with file, path and reason */
export function refuseData(file: string, path: string, reason: string): never {
  throw new KesselError("bad-data", `${file}.json: ${path}: ${reason}`);
}

/** @throws KesselError `bad-data` when an id is not unique */
export function requireUnique(file: string, path: string, ids: readonly string[]): void {
  ids.forEach((id, i) => {
    if (ids.indexOf(id) !== i) refuseData(file, path, `"${id}" stands twice`);
  });
}
