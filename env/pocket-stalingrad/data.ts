import { z } from "zod";
import type { GameData, Options } from "../core/game.js";
import { KesselError } from "../core/errors.js";
import type { Brand, By, Row } from "../core/brand.js";
import { dataBlock, dataFile, parseWith } from "../core/schema.js";

/** Rows of the map tensor, and the area index used everywhere: Z, the city areas 1..5, Volga, Gumrak. */
export const AREA_IDS = ["Z", "1", "2", "3", "4", "5", "S6", "G6"] as const;
export const AREAS = AREA_IDS.length;
/** A place in `AREA_IDS`; below 0 where there is none. */
export type AreaId = Brand<"area">;
export type SideId = Brand<"side">;
export const Z = 0 as AreaId;
export const CITY_FIRST = 1 as AreaId;
export const CITY_LAST = 5 as AreaId;
export const VOLGA = 6 as AreaId;
export const GUMRAK = 7 as AreaId;
export const NO_AREA = -1 as AreaId;

const areaId = z.enum(AREA_IDS);
const whole = z.number().int().min(0);

const point = z.tuple([z.number(), z.number()]);

const GAME = "pocket-stalingrad";

const mapSchema = dataFile(GAME, {
  combatOrder: dataBlock({ order: z.array(areaId) }),
  areas: z.array(
    dataBlock({
      id: areaId,
      name: z.string(),
      vp: whole.optional(),
      stars: whole.optional(),
      sideCap: whole.max(6).optional(),
      airTarget: z.boolean().optional(),
      special: z
        .enum(["noCaptureWithEnemyPresent", "controllerMayForceRattReroll", "controllerGainsCommandOnOwnTurn"])
        .optional(),
      reinforcements: whole.optional(),
    }),
  ),
  adjacency: dataBlock({ pairs: z.array(z.tuple([areaId, areaId])) }),
  layout: dataBlock({
    points: z.record(areaId, point),
    board: dataBlock({
      bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
      counterSize: z.number().positive(),
      cardSize: point,
      lowCardHeight: z.number().positive(),
      cards: z.record(areaId, point),
      volga: z.array(point).min(3),
      volgaName: point,
    }),
  }),
});

const effect = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("loseUnit"), who: z.literal("roller") }),
  z.strictObject({ op: z.literal("cmd"), amount: z.number().int(), floor: z.literal(0).optional() }),
  z.strictObject({ op: z.literal("grant"), right: z.enum(["artillery", "deploy", "guards", "pioneers", "sturm"]) }),
  z.strictObject({ op: z.literal("scheduleRatzel") }),
  z.strictObject({ op: z.literal("damageArea6"), sides: z.literal("both"), amount: whole }),
  z.strictObject({ op: z.literal("addUnit"), area: z.literal("Z"), who: z.enum(["roller", "soviet", "german"]) }),
  z.strictObject({ op: z.literal("fortify") }),
  z.strictObject({ op: z.literal("placeNight") }),
]);
export type Effect = z.infer<typeof effect>;
export type CmdEffect = Effect & { readonly op: "cmd" };

const face = z.strictObject({ name: z.string(), effects: z.array(effect) });
const sixFaces = dataBlock({ "1": face, "2": face, "3": face, "4": face, "5": face, "6": face });

const tablesSchema = dataFile(GAME, {
  dice: dataBlock({ units: z.literal(5), command: z.literal(1), tactics: z.literal(1), ratt: z.literal(1) }),
  ratt: sixFaces,
  sovietTactics: sixFaces,
  germanTactics: sixFaces,
  costs: dataBlock({
    fortify: whole,
    volgaCrossing: whole,
    airAttack: z.literal(1),
    nightCancel: whole,
    artillery: whole,
    zCombat: whole,
    pioneer: whole,
    guardsFromVolga: whole,
    guardsFromZ: whole,
  }),
  limits: dataBlock({ area6MaxFloor: whole, nightFreeReduction: whole }),
  bonuses: dataBlock({ mamayevCmd: whole }),
});

const unitsSchema = dataFile(GAME, { unitsPerSide: dataBlock({ soviet: z.literal(20), german: z.literal(20) }) });

const scenarioSchema = dataFile(GAME, {
  turns: z.number().int().min(1).max(99),
  areasForSuddenVictory: z.number().int().min(1).max(5),
});

const cityStart = dataBlock({ fort: z.boolean().optional(), soviet: whole.optional(), german: whole.optional() });
const setupSchema = dataFile(GAME, {
  areas: z.strictObject({
    Z: dataBlock({ soviet: whole.optional(), german: whole.optional() }).optional(),
    "1": cityStart.optional(),
    "2": cityStart.optional(),
    "3": cityStart.optional(),
    "4": cityStart.optional(),
    "5": cityStart.optional(),
    S6: dataBlock({ soviet: whole.optional(), max: whole.max(6) }),
    G6: dataBlock({ german: whole.optional(), max: whole.max(6) }),
  }),
});

/** The data and options of a game, bound together and laid out by index. */
export interface Tables {
  readonly turns: number;
  readonly areasToWin: number;
  readonly unitsPerSide: number;
  /** Per area index. */
  readonly vp: By<AreaId>;
  readonly stars: By<AreaId>;
  readonly cap: By<AreaId>;
  readonly airTarget: By<AreaId>;
  /** Area indices in combat order (ruling R45). */
  readonly combatOrder: Row<AreaId, Int32Array>;
  /** City areas with rules of their own, -1 for none. Rule: PS Area 1, PS Area 2, PS Area 3, PS Area 4 */
  readonly grainElevator: AreaId;
  readonly pavlov: AreaId;
  readonly mamayev: AreaId;
  /** Units a turn per side (the German one by option). */
  readonly reinforcements: By<SideId>;
  readonly area6Floor: number;
  readonly nightWaste: number;
  readonly mamayevCmd: number;
  readonly costs: z.infer<typeof tablesSchema>["costs"];
  /** Effects by face - 1. */
  readonly ratt: readonly (readonly Effect[])[];
  /** Effects by side, then face - 1. */
  readonly tactics: By<SideId, readonly (readonly Effect[])[]>;
  readonly nightTotal: boolean;
  /** Breach takes its CMD when the Deploy is over. Ruling R22 */
  readonly breachLate: boolean;
  /** The CMD that Breach takes; null when the data gives it no such effect. Rule: PS 3 Ratt 2 */
  readonly breach: CmdEffect | null;
  /** The Guards unit enters Z between the halves of the Deploy. Ruling R28 */
  readonly guardsBetween: boolean;
  /** Air attacks need something to attack when they are paid for. Ruling R39 */
  readonly airNeedsTarget: boolean;
  /** Declined Pioneers open another Artillery window. Ruling R34 */
  readonly windowAfterAsking: boolean;
  readonly sturmSurcharge: number;
  readonly gumrakOption: number;
  readonly start: {
    readonly fort: readonly AreaId[];
    readonly units: readonly { side: SideId; area: AreaId; n: number }[];
    readonly max: readonly [number, number];
  };
  readonly names: readonly string[];
  /** Areas as sentences name them: `Pavlov's House (2)`, `Z`. */
  readonly areaTexts: By<AreaId, string>;
  readonly neighbours: readonly (readonly number[])[];
  readonly points: readonly (readonly [number, number])[];
  /** Where cards and river are drawn. */
  readonly board: z.infer<typeof mapSchema>["layout"]["board"];
  /** Names of the faces of the special dice, by face - 1; Tactics by side first. */
  readonly rattNames: readonly string[];
  readonly tacticsNames: By<SideId, readonly string[]>;
}

/** What a card says beside its name, by kind of area. The maxima of the Areas 6 are in setup.json. */
const CARD_KEYS = ["vp", "stars", "sideCap", "airTarget", "reinforcements"] as const;
const CITY_CARD: readonly string[] = ["vp", "stars", "sideCap", "airTarget"];
const OTHER_CARDS: Readonly<Record<number, readonly string[]>> = {
  [Z]: ["sideCap"],
  [VOLGA]: ["airTarget", "reinforcements"],
  [GUMRAK]: [], // its reinforcements are the option gumrakReinforcements
};

/** @throws KesselError `bad-data` when the card of an area lacks a value or has one that nothing would read */
function checkCard(card: z.infer<typeof mapSchema>["areas"][number], area: number): void {
  for (const key of CARD_KEYS) {
    const due = (OTHER_CARDS[area] ?? CITY_CARD).includes(key);
    if (due !== (card[key] !== undefined))
      throw new KesselError(
        "bad-data",
        `pocket-stalingrad/map.json: areas: area ${card.id} ${due ? `needs ${key}` : `has ${key}, which nothing reads there`}`,
      );
  }
}

/** @throws KesselError `bad-data` with file, path and reason */
export function loadTables(data: GameData, options: Options): Tables {
  const map = parseWith(mapSchema, data["map"], "bad-data", "pocket-stalingrad/map.json");
  const tables = parseWith(tablesSchema, data["tables"], "bad-data", "pocket-stalingrad/tables.json");
  const units = parseWith(unitsSchema, data["units"], "bad-data", "pocket-stalingrad/units.json");
  const scenario = parseWith(scenarioSchema, data["scenario"], "bad-data", "pocket-stalingrad/scenario.json");
  const setup = parseWith(setupSchema, data["setup"], "bad-data", "pocket-stalingrad/setup.json");

  const row = (id: string): AreaId => AREA_IDS.indexOf(id as (typeof AREA_IDS)[number]) as AreaId;
  const areas = AREA_IDS.map((id, i) => {
    const found = map.areas.filter((a) => a.id === id);
    if (found.length !== 1)
      throw new KesselError(
        "bad-data",
        `pocket-stalingrad/map.json: areas: expected area ${id} once, got it ${found.length} times`,
      );
    checkCard(found[0]!, i);
    return found[0]!;
  });
  const special = (name: string): AreaId => areas.findIndex((a) => a.special === name) as AreaId;
  const order = map.combatOrder.order.map(row);
  if (new Set(order).size !== order.length || order.includes(VOLGA) || order.includes(GUMRAK))
    throw new KesselError(
      "bad-data",
      "pocket-stalingrad/map.json: combatOrder.order: each of Z and 1 to 5 once, no Area 6",
    );
  const neighbours: number[][] = AREA_IDS.map(() => []);
  for (const [a, b] of map.adjacency.pairs) neighbours[row(a)]!.push(row(b));
  neighbours.forEach((list, a) => {
    for (const b of list)
      if (!neighbours[b]!.includes(a))
        throw new KesselError(
          "bad-data",
          `pocket-stalingrad/map.json: adjacency.pairs: ${AREA_IDS[a]} lists ${AREA_IDS[b]} but not the other way round`,
        );
  });
  const faces = (t: z.infer<typeof sixFaces>): (readonly Effect[])[] =>
    [t["1"], t["2"], t["3"], t["4"], t["5"], t["6"]].map((f) => f.effects);
  const faceNames = (t: z.infer<typeof sixFaces>): string[] =>
    [t["1"], t["2"], t["3"], t["4"], t["5"], t["6"]].map((f) => f.name);

  const starts = Object.entries(setup.areas).flatMap(([id, a]) => (a === undefined ? [] : [[id, a] as const]));

  return {
    turns: scenario.turns,
    areasToWin: scenario.areasForSuddenVictory,
    unitsPerSide: units.unitsPerSide.soviet,
    vp: Int32Array.from(areas, (a) => a.vp ?? 0),
    stars: Int32Array.from(areas, (a) => a.stars ?? 0),
    cap: Int32Array.from(areas, (a) => a.sideCap ?? 0),
    airTarget: Uint8Array.from(areas, (a) => (a.airTarget ? 1 : 0)),
    combatOrder: Int32Array.from(order) as Row<AreaId, Int32Array>,
    grainElevator: special("noCaptureWithEnemyPresent"),
    pavlov: special("controllerMayForceRattReroll"),
    mamayev: special("controllerGainsCommandOnOwnTurn"),
    reinforcements: Int32Array.of(areas[VOLGA]!.reinforcements!, Number(options["gumrakReinforcements"])),
    area6Floor: tables.limits.area6MaxFloor,
    nightWaste: tables.limits.nightFreeReduction,
    mamayevCmd: tables.bonuses.mamayevCmd,
    costs: tables.costs,
    ratt: faces(tables.ratt),
    tactics: [faces(tables.sovietTactics), faces(tables.germanTactics)],
    nightTotal: options["nightResponse"] === "total",
    breachLate: options["breach"] === "after-deploy",
    breach: tables.ratt["2"].effects.find((e): e is CmdEffect => e.op === "cmd") ?? null,
    guardsBetween: options["guards"] === "between",
    airNeedsTarget: options["airTargets"] === "needed",
    windowAfterAsking: options["artilleryWindow"] === "asked",
    sturmSurcharge: Number(options["sturmSurcharge"]),
    gumrakOption: Number(options["gumrakReinforcements"]),
    start: {
      fort: starts.flatMap(([id, a]) => ("fort" in a && a.fort === true ? [row(id)] : [])),
      units: starts.flatMap(([id, a]) => [
        { side: 0 as SideId, area: row(id), n: ("soviet" in a ? a.soviet : undefined) ?? 0 },
        { side: 1 as SideId, area: row(id), n: ("german" in a ? a.german : undefined) ?? 0 },
      ]),
      max: [setup.areas.S6.max, setup.areas.G6.max],
    },
    names: areas.map((a) => a.name),
    areaTexts: areas.map((a) => (a.id === "Z" ? "Z" : `${a.name.replace(/^The /, "")} (${a.id})`)),
    neighbours,
    points: AREA_IDS.map((id) => map.layout.points[id]),
    board: map.layout.board,
    rattNames: faceNames(tables.ratt),
    tacticsNames: [faceNames(tables.sovietTactics), faceNames(tables.germanTactics)],
  };
}
