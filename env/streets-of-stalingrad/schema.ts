import { z } from "zod";

/** Kinds of counters in the order of observations (SOS 2.25, SOS 5.5). */
export const KINDS = [
  "infantry",
  "engineer",
  "construction-engineer",
  "flamethrower",
  "tank",
  "stug",
  "armored-car",
  "armored-infantry",
  "sp-gun",
  "at-gun",
  "infantry-gun",
  "mortar",
  "howitzer",
  "field-gun",
  "rocket",
  "flak88",
  "aa",
  "leader",
  "commissar",
  "op",
  "sniper",
  "mine-dog",
  "immobilized-tank",
  "transport",
  "river-flotilla",
  "armored-train",
  "tank-repair",
  "stuka",
  "bridge",
  "minefield",
  "fortification",
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Boxes off the map in the order of actions and observations: the Soviet ones on the East Bank, then the German ones.
 */
export const BOXES = ["eb-s", "eb-c", "eb-n", "off-1", "off-2", "off-3", "off-4"] as const;

/** Terrain kinds in the order of the static observation. */
export const TERRAINS = [
  "clear",
  "suburb",
  "city",
  "industrial",
  "strongpoint",
  "forest",
  "balka",
  "cliff",
  "volga",
] as const;
export type Terrain = (typeof TERRAINS)[number];

/** Features of a hex in the order of the static observation; the last is scenery. */
export const FEATURES = [
  "road",
  "railroad",
  "bridge",
  "hilltop",
  "slope",
  "slopetop",
  "tartar-wall",
  "embankment",
  "rr-cut",
  "cemetery",
  "balka",
  "cliff",
  "bank",
  "airfield",
] as const;
export type HexFeature = (typeof FEATURES)[number];

const hexId = z.string().regex(/^\d{4}$/, "a hex is four digits, column and row");
const sides = z.string().regex(/^[0-5]+$/, "sides are digits 0 to 5");
const point = z.tuple([z.number(), z.number()]);
const polygon = z.array(point);

/** What a hex may carry; the keys are explained in `terrain.json` (`hexKeys`). */
export const hexSchema = z.strictObject({
  t: z.enum(TERRAINS),
  f: z.array(z.enum(FEATURES)).optional(),
  balka: sides.optional(),
  road: sides.optional(),
  rail: sides.optional(),
  emb: sides.optional(),
  cut: sides.optional(),
  wall: polygon.optional(),
  cliff: z.array(polygon).optional(),
  los: z
    .string()
    .regex(/^(all|[C0-5]+)$/, 'cells are "all" or some of C and 0 to 5')
    .optional(),
  down: sides.optional(),
  ht: z.string().nullable().optional(),
  block: z.enum(["list", "rule"]).optional(),
  cross: z.enum(["road", "rail", "break"]).optional(),
  landing: z.number().int().min(1).max(19).optional(),
  arrow: z.number().int().min(1).max(19).optional(),
  vp: z.number().int().optional(),
  east: z.partialRecord(z.enum(["eb-s", "eb-c", "eb-n"]), z.number().int()).optional(),
  name: z.string().optional(),
  p: z.literal("rulebook").optional(),
});
/** A hex without its id. */
export type HexRow = z.infer<typeof hexSchema>;

export const mapSchema = z.strictObject({
  game: z.string(),
  provenance: z.string(),
  specialSight: z.strictObject({ from: hexId, volga: z.array(hexId), mutual: z.array(hexId) }),
  hexes: z.array(hexSchema.extend({ h: hexId })),
});

const boxId = z.enum(BOXES);
const box = { id: boxId, name: z.string() };
const inOrder = (first: number) => (list: readonly { readonly id: string }[]) =>
  list.every(({ id }, k) => id === BOXES[first + k]);
export const boxesSchema = z.strictObject({
  game: z.string(),
  provenance: z.string(),
  /** The hexes of the river are in these rows, and by example in these hexes besides. */
  eastBank: z
    .array(
      z.strictObject({
        ...box,
        rows: z.tuple([z.number().int(), z.number().int()]),
        /** Points of anti-aircraft fire that it has without counters. */
        aa: z.number().int().min(0),
        adjacent: z.array(boxId),
        alsoReaches: z.array(hexId).optional(),
      }),
    )
    .length(3)
    .refine(inOrder(0), "the boxes are eb-s, eb-c and eb-n in this order"),
  /** By which hexes units come from a box. */
  offMap: z
    .array(
      z.strictObject({
        ...box,
        adjacent: z.array(boxId),
        /** Those that a road leads to the box from. */
        roads: z.array(hexId),
        between: z.array(hexId),
      }),
    )
    .length(4)
    .refine(inOrder(3), "the boxes are off-1 to off-4 in this order"),
});
export type BoxesFile = z.infer<typeof boxesSchema>;

export const terrainSchema = z.strictObject({
  game: z.string(),
  provenance: z.string(),
  kinds: z.record(
    z.enum(TERRAINS),
    z.strictObject({
      losShape: z.enum(["none", "cells", "lines"]),
      zocEnters: z.boolean(),
      pin: z.enum(["pinned", "spent", "back to box"]),
      road: z.boolean(),
      retreatOnP: z.enum(["must", "retreat-or-lose-one", "no", "back to box"]),
    }),
  ),
  flagRules: z.record(z.string(), z.string()),
  features: z.record(z.enum(FEATURES), z.strictObject({ clearAlone: z.boolean(), rule: z.string() })),
  losCells: z.record(z.enum(["C", "0", "1", "2", "3", "4", "5"]), polygon),
  hexKeys: z.record(z.string(), z.string()),
});

/** Last turn of the campaign, 18 November. */
export const LAST_TURN = 67;
export const turnSchema = z.number().int().min(1).max(LAST_TURN);

/** A number of a counter takes a byte (`Roster`), and ways are measured to 52 MP (`PATH`). */
const byte = z.number().int().min(0).max(255);
const attributes = {
  side: z.enum(["german", "soviet", "none"]),
  kind: z.enum(KINDS),
  af: byte,
  df: byte,
  range: byte,
  mp: z.number().int().min(0).max(52),
  indirectRange: z.number().int().min(1).optional(),
  armored: z.boolean().optional(),
  motorized: z.boolean().optional(),
  afUnderlined: z.boolean().optional(),
  redAf: z.boolean().optional(),
  redMp: z.boolean().optional(),
  indirect: z.boolean().optional(),
  aaCircled: z.boolean().optional(),
  guards: z.boolean().optional(),
  marine: z.boolean().optional(),
  nkvd: z.boolean().optional(),
  guardsMortar: z.boolean().optional(),
  nebelwerfer: z.boolean().optional(),
  named: z.boolean().optional(),
  anyCommand: z.boolean().optional(),
  hero: z.enum(["pavlov", "herman"]).optional(),
  army: z.boolean().optional(),
  opLevel: z.enum(["62A", "LI", "division", "LW"]).optional(),
  sniper: z.number().int().min(1).max(2).optional(),
  movesBy: z.literal("railroad").optional(),
  /** An independent battalion, as the colours of its counters show. Rule: SOS 2.24, SOS 9.73 */
  battalion: z.string().min(1).optional(),
};
/** A counter type. Rule: SOS 2.25 */
export const typeSchema = z.strictObject({
  ...attributes,
  af: attributes.af.default(0),
  df: attributes.df.default(0),
  range: attributes.range.default(0),
  mp: attributes.mp.default(0),
});
export type UnitType = z.infer<typeof typeSchema>;

/** The same keys, all optional: a unit of a position may override them in place. */
export const overrideSchema = z.strictObject(attributes).partial();
export const OVERRIDES = Object.keys(attributes) as readonly (keyof UnitType)[];

export const unitsSchema = z.strictObject({
  game: z.string(),
  provenance: z.string(),
  defaults: z.strictObject({ af: z.number(), df: z.number(), range: z.number(), mp: z.number() }),
  types: z.record(z.string(), typeSchema),
  unitColumns: z.tuple([
    z.literal("id"),
    z.literal("type"),
    z.literal("formation"),
    z.literal("tag"),
    z.literal("name"),
  ]),
  units: z.array(z.array(z.string().nullable()).min(4).max(5)),
});

const result = z.enum(["-", "P", "D1", "D1P", "D2", "D3", "DE"]);
const cost = z.number().multipleOf(0.5).nullable();
const ammunitionRow = z.strictObject({
  fromTurn: turnSchema,
  toTurn: turnSchema,
  multiplier: z.number().int().min(1).max(50),
});
export const tablesSchema = z.strictObject({
  $comment: z.string(),
  crt: z.strictObject({
    provenance: z.string(),
    transcription: z.string(),
    clampLow: z.number().int(),
    clampHigh: z.number().int(),
    columns: z
      .array(z.strictObject({ name: z.string(), min: z.number().int(), results: z.record(z.string(), result) }))
      .min(1),
  }),
  wbbt: z.strictObject({
    provenance: z.string(),
    clampLow: z.number().int(),
    missFrom: z.number().int(),
    columns: z
      .array(z.strictObject({ name: z.string(), min: z.number().int(), results: z.record(z.string(), result) }))
      .min(1),
  }),
  ebbt: z.strictObject({
    provenance: z.string(),
    note: z.string(),
    clampLow: z.number().int(),
    clampHigh: z.number().int(),
    columns: z
      .array(
        z.strictObject({
          name: z.string(),
          min: z.number().int(),
          pinned: z.record(z.string(), z.number().int().min(0).max(15)),
          eliminated: z.record(z.string(), z.number().int().min(0).max(15)),
        }),
      )
      .min(1),
  }),
  leaderSurvival: z.strictObject({
    provenance: z.string(),
    maxPenalty: z.number().int().min(0),
    eliminatedUpTo: z.number().int(),
    woundedUpTo: z.number().int(),
  }),
  immobilizedTank: z.strictObject({
    provenance: z.string(),
    success: z.tuple([z.literal(1), z.number().int()]),
    /** From this turn on tanks may break down. Rule: SOS 16.33 */
    breakdownFrom: turnSchema,
  }),
  /** Rule: SOS 16.71, SOS 16.72 */
  tankRepair: z.strictObject({
    provenance: z.string(),
    fromTurn: turnSchema,
    every: turnSchema,
    /** The hexes of the factory. */
    hexes: z.array(hexId).min(1),
  }),
  mineDog: z.strictObject({
    provenance: z.string(),
    success: z.tuple([z.literal(1), z.number().int()]),
  }),
  nkvdReliability: z.strictObject({
    provenance: z.string(),
    removedOnFire: z.tuple([z.number().int(), z.literal(10)]),
    removedWhenIsolated: z.tuple([z.number().int(), z.literal(10)]),
  }),
  /** What the die of the Stukas is taken from. Rule: SOS 15.52 */
  stukaAvailability: z.strictObject({ provenance: z.string(), base: z.number().int().min(10).max(31) }),
  /** Points for each division that never comes. Rule: SOS 3.5 */
  divisionsNotCommitted: z.strictObject({
    provenance: z.string(),
    points: z.record(z.string(), z.number().int().min(0)),
  }),
  /** By side and turns: what the die is multiplied by. Rule: SOS 14.72 */
  ammunition: z.strictObject({
    provenance: z.string(),
    german: z.array(ammunitionRow),
    soviet: z.array(ammunitionRow),
  }),
  /** Rule: SOS 15.53 */
  weather: z.strictObject({
    provenance: z.string(),
    badUpTo: z.number().int().min(0).max(10),
    fromTurn: turnSchema,
  }),
  spotting: z.strictObject({
    provenance: z.string(),
    drm: z.strictObject({
      "op-own": z.number().int(),
      self: z.number().int(),
      "adjacent-own": z.number().int(),
      "op-other": z.number().int(),
      "adjacent-other": z.number().int(),
      "area-own": z.number().int(),
      "area-other": z.number().int(),
    }),
    namedLeaderAdjacent: z.number().int(),
    lwOp: z.number().int(),
    ebbtDate: z.array(z.strictObject({ from: turnSchema, to: turnSchema, value: z.number().int() })),
    capacity: z.strictObject({
      "62A": z.number().int(),
      LI: z.number().int(),
      division: z.number().int(),
      leaderUnits: z.number().int(),
    }),
  }),
  ica: z.strictObject({
    provenance: z.string(),
    die: z.string(),
    rows: z
      .array(
        z.strictObject({
          min: z.number().int().optional(),
          max: z.number().int().optional(),
          result: z.enum(["A1", "D1", "D1R2"]),
          meaning: z.string(),
        }),
      )
      .length(3),
  }),
  tec: z.strictObject({
    provenance: z.string(),
    constraintsMet: z.array(z.string()),
    mpUnit: z.string(),
    terrain: z.record(
      z.enum(TERRAINS),
      z.strictObject({ footMp: cost, vehicleMp: cost, drm: z.number().int(), drmFor: z.literal("foot").optional() }),
    ),
    features: z.partialRecord(
      z.enum(FEATURES),
      z.strictObject({
        footMp: cost.optional(),
        vehicleMp: cost.optional(),
        addMp: cost.optional(),
        crossFootAddMp: cost.optional(),
        vehicleCross: z.literal("appendix").optional(),
        replacesTerrainCost: z.boolean().optional(),
        asTerrain: z.enum(TERRAINS).optional(),
        drm: z.number().int(),
        drmFor: z.literal("foot").optional(),
        provenance: z.string().optional(),
      }),
    ),
    drmRule: z.string(),
  }),
  attc: z.strictObject({
    provenance: z.string(),
    rounding: z.string(),
    multiplier: z.strictObject({ "1": z.number(), "2": z.number(), "3": z.number(), "4+": z.number() }),
    minimum: z.number().int(),
  }),
  stacking: z.strictObject({
    provenance: z.string(),
    german: z.strictObject({ combat: z.number().int(), combatWithTankStugOrArmoredCar: z.number().int() }),
    soviet: z.strictObject({ combat: z.number().int() }),
    extra: z.partialRecord(z.enum(KINDS), z.number().int()),
    withMinefield: z.strictObject({ combat: z.number().int(), oneOf: z.array(z.enum(KINDS)) }),
    note: z.string(),
  }),
  setupSandbox: z.strictObject({
    provenance: z.string(),
    map: z.string(),
    stukaAf: z.number().int(),
    types: z.record(z.string(), typeSchema),
  }),
});

export const boundsSchema = z.strictObject({
  cols: z.tuple([z.number().int(), z.number().int()]),
  rows: z.tuple([z.number().int(), z.number().int()]),
});
export const levelsSchema = z.strictObject({
  germanMarginal: z.number().int(),
  germanDecisive: z.number().int(),
  sovietDecisive: z.number().int(),
  draw: z.tuple([z.number().int(), z.number().int()]).optional(),
});
export const victorySchema = z.strictObject({ hexes: z.record(hexId, z.number().int()), levels: levelsSchema });
export type Victory = z.infer<typeof victorySchema>;

/**
 * What an even game (`balance=even`) changes at the start of a scenario, a house rule: where units are, how many Stukas
 * there are.
 */
const evenStartSchema = z.strictObject({
  provenance: z.string(),
  at: z.record(z.string(), hexId).default({}),
  stukas: z.number().int().min(0).optional(),
});
export type EvenStart = z.infer<typeof evenStartSchema>;

/** Replacement points of a side: the first and last turn, and the number of turns between them. Rule: SOS 21.41 */
const replacementSchema = z.strictObject({
  fromTurn: turnSchema,
  toTurn: turnSchema,
  every: turnSchema,
  side: z.enum(["german", "soviet"]),
  pz: z.number().int().min(0).optional(),
  af: z.number().int().min(0),
});
export type ReplacementRow = z.infer<typeof replacementSchema>;

/**
 * Germans who have to leave in a turn: a number of them, or all. A division that may stay costs points then, brings
 * some when it leaves by an earlier turn, and goes unasked in a later one. Rule: SOS 21.51, SOS 21.54
 */
const withdrawalSchema = z.strictObject({
  turn: turnSchema,
  date: z.string().optional(),
  formation: z.string(),
  units: z.array(z.string()).min(1),
  minimum: z.union([z.number().int().min(1), z.literal("all")]),
  bonusIfAllBy: turnSchema.optional(),
  bonus: z.number().int().optional(),
  penalty: z.number().int().optional(),
  /** The formation whose penalty and bonus it shares. */
  penaltyWith: z.string().optional(),
  forcedTurn: turnSchema.optional(),
  provenance: z.string().optional(),
});

/**
 * Units that come into a box, and points for replacements, at the start of the main movement phase of their side. Rule:
 * SOS 21.1
 */
export const scheduleSchema = z.strictObject({
  withdrawals: z.array(withdrawalSchema).default([]),
  replacements: z.array(replacementSchema).default([]),
  reinforcements: z
    .array(
      z.strictObject({
        turn: turnSchema,
        date: z.string().optional(),
        side: z.enum(["german", "soviet"]),
        box: boxId,
        units: z.array(z.string()).min(1),
        provenance: z.string().optional(),
      }),
    )
    .default([]),
});

/** Where units of a formation may be set up: infantry on its front, others in its area too. */
const setupSchema = z.strictObject({
  group: z.string(),
  side: z.enum(["german", "soviet"]),
  units: z.array(z.string()).min(1),
  front: z.array(hexId),
  /** Row, lowest and highest column. */
  area: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int()])),
});

/** In place of a number of Stukas: a die of every turn gives it. Rule: SOS 15.52 */
export const STUKA_DIE = "22-1d10";
/** As many as a mission can count. */
const stukas = z.number().int().min(0).max(31);

const scenarioSchema = z.strictObject({
  id: z.string(),
  number: z.number().int(),
  title: z.string(),
  provenance: z.string(),
  firstTurn: turnSchema,
  turns: turnSchema,
  dates: z.tuple([z.string(), z.string()]),
  bounds: boundsSchema,
  victory: victorySchema,
  /** In the first turn and in those after it. */
  stukas: z.strictObject({ first: stukas, later: z.union([stukas, z.literal(STUKA_DIE)]) }).optional(),
  stukaAf: z.number().int().optional(),
  armyLeaders: z.boolean().optional(),
  notes: z.array(z.string()).optional(),
  options: z.strictObject({ ammunition: z.boolean().optional() }).optional(),
  /** Units by hex or box where the game can be played: its ready deployment. */
  deploy: z.record(z.union([hexId, boxId]), z.array(z.string())).optional(),
  reinforcements: scheduleSchema.shape.reinforcements.optional(),
  replacements: z.array(replacementSchema).optional(),
  withdrawals: z.array(withdrawalSchema).optional(),
  setup: z.array(setupSchema).optional(),
  evenLevels: z.strictObject({ provenance: z.string(), levels: levelsSchema }).optional(),
  evenStart: evenStartSchema.optional(),
  decisions: z.array(z.string()).min(1).optional(),
  river: z.literal(false).optional(),
  administration: z.literal(false).optional(),
  works: z.literal(false).optional(),
});
export type ScenarioRow = z.infer<typeof scenarioSchema>;
/** A scenario that has a file of its own can be played. */
export const ownScenarioSchema = scenarioSchema.required({ deploy: true });
export const scenariosSchema = z.strictObject({ game: z.string(), scenarios: z.array(scenarioSchema) });

export const mapPatchSchema = z.strictObject({
  base: z.enum(["standard", "blank"]).default("blank"),
  hexes: z.record(hexId, hexSchema).default({}),
});
/** The part of a unit of a position that its counter is made from. */
export const counterSchema = z.looseObject({
  type: z.string(),
  formation: z.string().optional(),
  tag: z.string().optional(),
  name: z.string().optional(),
});

export const sandboxScenariosSchema = z.strictObject({
  game: z.string(),
  notation: z.number(),
  provenance: z.string(),
  scenarios: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      provenance: z.string(),
      options: z.strictObject({ maxTurns: z.number().int() }),
      decisions: z.array(z.string()).min(1),
      /** False: it was published before the river was built, and is played without boxes and supply. */
      river: z.literal(false).optional(),
      /**
       * False: it was published before the rules of the Administrative Phase were built, and is played without them.
       */
      administration: z.literal(false).optional(),
      /** False: it was published before engineering was built, and is played without. */
      works: z.literal(false).optional(),
      evenLevels: z.strictObject({ provenance: z.string(), levels: levelsSchema }).optional(),
      evenStart: evenStartSchema.optional(),
      position: z.record(z.string(), z.any()),
    }),
  ),
});
