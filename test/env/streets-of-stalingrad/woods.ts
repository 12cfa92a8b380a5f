import type { Game, JsonObject, StateView } from "../../../env/index.js";

/**
 * Rifles, a leader, a commissar and an OP with one back are face down, so that backs show nothing of zones of control.
 */
export const WOODS: JsonObject = {
  scenario: "sandbox",
  turn: 2,
  lastTurn: 3,
  phase: 3,
  bounds: { cols: [2, 8], rows: [6, 14] },
  map: {
    base: "blank",
    hexes: {
      "0409": { t: "forest" },
      "0410": { t: "forest" },
      "0509": { t: "suburb" },
      "0510": { t: "suburb" },
      "0609": { t: "city" },
      "0608": { t: "city" },
      "0709": { t: "forest" },
      "0408": { t: "city" },
    },
  },
  victory: { hexes: { "0409": 1, "0609": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
  units: {
    g1: { type: "g-inf", at: "0412", formation: "51K/71ID/191/I" },
    g2: { type: "g-inf", at: "0512", formation: "51K/71ID/191/I" },
    g3: { type: "g-inf", at: "0612", formation: "51K/71ID/191/I" },
    g4: { type: "g-inf", at: "0513", formation: "51K/71ID/191/I" },
    gl: { type: "g-leader", at: "0513", formation: "51K/71ID/191" },
    s1: { type: "s-inf", at: "0409", formation: "62A/112RD/1" },
    s2: { type: "s-guards", at: "0509", formation: "62A/112RD/1" },
    sl: { type: "s-leader", at: "0510", formation: "62A/112RD/1" },
    s3: { type: "s-inf", at: "0609", formation: "62A/112RD/1" },
    sc: { type: "s-commissar", at: "0709", formation: "62A/112RD/1" },
    s4: { type: "s-inf", at: "0408", formation: "62A/112RD/1" },
    so: { type: "s-op", at: "0410", formation: "62A/112RD/1" },
  },
};

const leader = (at: string): JsonObject => ({ type: "g-leader", at, formation: "51K/71ID/191" });
const forest = { t: "forest" };

/**
 * The same by night: the face-down Soviets come first, and where they walk in the woods German leaders have to make
 * way.
 */
export const NIGHT: JsonObject = {
  ...WOODS,
  ...{ phase: 10, stage: "normal" },
  map: {
    ...(WOODS["map"] as JsonObject),
    hexes: {
      ...((WOODS["map"] as JsonObject)["hexes"] as JsonObject),
      ...{ "0310": forest, "0508": forest, "0511": forest, "0611": forest, "0610": forest },
    },
  },
  units: {
    ...(WOODS["units"] as JsonObject),
    ...{ gl: leader("0511"), gm: leader("0610"), gn: leader("0310"), gk: leader("0508") },
  },
  known: { soviet: ["gl", "gm", "gn", "gk"] },
};

/** Where a unit is: the index of its hex. */
export const place = (game: Game, s: StateView, id: string): number =>
  s[game.fields.find((f) => f.name === "place")!.offset + game.observation.unitRows.indexOf(id)]!;

/**
 * Boxes of two sectors hold counters of several backs; others with these backs are face down on the near bank.
 */
export const LANDING: JsonObject = {
  scenario: "sandbox",
  turn: 2,
  lastTurn: 4,
  phase: 9,
  stage: "plot-first",
  bounds: { cols: [1, 7], rows: [20, 32] },
  map: {
    base: "blank",
    hexes: {
      "0130": { t: "volga", arrow: 8 },
      "0230": { t: "forest", landing: 8 },
      "0222": { t: "city" },
      "0226": { t: "city" },
      "0227": { t: "forest" },
      "0228": { t: "suburb" },
      "0330": { t: "city" },
    },
  },
  victory: { hexes: { "0230": 1, "0226": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
  units: {
    g1: { type: "g-inf", at: "0430", formation: "51K/71ID/191/I" },
    g2: { type: "g-inf", at: "0427", formation: "51K/71ID/191/I" },
    g3: { type: "g-inf", at: "0424", formation: "51K/94ID/191/I" },
    gl: { type: "g-leader", at: "0424", formation: "51K/94ID" },
    gh: { type: "g-how", at: "0627", formation: "51K/71ID" },
    go: { type: "g-op", at: "0427", formation: "51K/71ID" },
    gt: { type: "g-tank", at: "0329", formation: "51K/24PZ/24PR/I" },
    s1: { type: "s-guards", at: "eb-c", formation: "62A/13GRD/42/1" },
    s2: { type: "s-guards", at: "eb-s", formation: "62A/13GRD/42/1" },
    s3: { type: "s-inf", at: "eb-c", formation: "62A/112RD/385/1" },
    s4: { type: "s-inf", at: "eb-s", formation: "62A/112RD/385/2" },
    s5: { type: "s-inf", at: "0226", formation: "62A/112RD/385/2" },
    n1: { type: "s-nkvd", at: "0227", formation: "62A/10NKVD/272/1" },
    n2: { type: "s-nkvd", at: "0228", formation: "62A/10NKVD/272/2" },
    sl: { type: "s-leader", at: "eb-s", formation: "62A/13GRD/42" },
    sc: { type: "s-commissar", at: "0228", formation: "62A/10NKVD" },
    st: { type: "s-tank", at: "eb-c", formation: "62A/6TB" },
    sm: { type: "s-mortar", at: "0226", formation: "62A/112RD/385" },
  },
};

/**
 * An Administrative Phase in November: both sides throw for ammunition and the weather, have units to exchange and to
 * replace, and guns with one back in the woods and in a box, of which some stay silent. Chuikov is beyond the river.
 */
export const DAWN: JsonObject = {
  scenario: "sandbox",
  options: { armyLeaders: true },
  turn: 60,
  lastTurn: 62,
  phase: 1,
  stage: "end",
  bounds: { cols: [1, 9], rows: [24, 32] },
  stukas: { available: 2 },
  map: {
    base: "blank",
    hexes: {
      "0130": { t: "volga", arrow: 8 },
      "0230": { t: "forest", landing: 8 },
      ...Object.fromEntries(["0226", "0228", "0327", "0329", "0728", "0726", "0729"].map((h) => [h, { t: "city" }])),
    },
  },
  victory: { hexes: { "0226": 1, "0329": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
  schedule: { replacements: [{ fromTurn: 60, toTurn: 62, every: 1, side: "soviet", af: 5 }] },
  replacements: { soviet: { af: 8 } },
  units: {
    g1: { type: "g-inf", at: "0528", formation: "51K/71ID/191/I" },
    g2: { type: "g-inf", at: "0728", formation: "51K/71ID/191/I" },
    g3: { type: "g-inf", at: "0729", formation: "51K/71ID/191/II" },
    gd: { type: "g-inf", at: "dead", formation: "51K/71ID/194/I" },
    ge: { type: "g-inf", at: "dead", formation: "51K/94ID/276/I" },
    h1: { type: "g-how", at: "0726", formation: "51K/71ID" },
    h2: { type: "g-how", at: "0728", formation: "51K/71ID" },
    h3: { type: "g-ig", at: "0729", formation: "51K/71ID" },
    gl: { type: "g-leader", at: "0728", formation: "51K/71ID/191" },
    gp: { type: "g-leader", army: true, at: "0726", formation: "51K" },
    s1: { type: "s-inf", at: "0226", formation: "62A/95RD/241/1" },
    s2: { type: "s-inf", at: "0327", formation: "62A/95RD/241/2" },
    s3: { type: "s-inf", at: "0329", formation: "62A/138RD/344/1" },
    sd: { type: "s-inf", at: "dead", formation: "62A/95RD/161/1" },
    se: { type: "s-inf", at: "dead", formation: "62A/138RD/650/1" },
    sf: { type: "s-marine", at: "dead", formation: "62A/138RD/650/2" },
    m1: { type: "s-mortar", at: "0226", formation: "62A/95RD/241" },
    m2: { type: "s-mortar", at: "0228", formation: "62A/95RD/241" },
    m3: { type: "s-how", at: "eb-c", formation: "62A/138RD" },
    m4: { type: "s-how", at: "eb-c", formation: "62A/138RD" },
    sl: { type: "s-leader", at: "0327", formation: "62A/95RD/241" },
    sk: { type: "s-chuikov", at: "eb-c", formation: "62A" },
  },
};

const units = DAWN["units"] as Record<string, JsonObject>;

/** The same after its dice: some guns of both sides stay silent, and Chuikov has come back. */
export const SILENT: JsonObject = {
  ...DAWN,
  phase: 2,
  stage: "plot-first",
  ammo: { german: { short: 9 }, soviet: { short: 10 } },
  commandSince: { soviet: 60 },
  units: {
    ...units,
    h1: { ...units["h1"]!, silenced: true },
    m3: { ...units["m3"]!, silenced: true },
    sk: { ...units["sk"]!, at: "0228" },
  },
};

/**
 * Engineers among others with their backs build and remove where nobody sees them; minefields and forts are with
 * counters of independents; a bridge spans a ravine.
 */
export const WORKS: JsonObject = {
  scenario: "sandbox",
  turn: 2,
  lastTurn: 4,
  phase: 3,
  stage: "normal",
  bounds: { cols: [2, 8], rows: [5, 16] },
  map: {
    base: "blank",
    hexes: {
      "0407": { t: "balka" },
      "0507": { t: "balka" },
      "0607": { t: "forest" },
      "0408": { t: "suburb", f: ["road"] },
      "0508": { t: "forest" },
      "0411": { t: "forest" },
      "0511": { t: "suburb" },
      "0412": { t: "forest" },
      "0512": { t: "balka" },
      "0612": { t: "forest", f: ["road"] },
      "0613": { t: "forest" },
      "0714": { t: "suburb" },
      "0510": { t: "city" },
      "0610": { t: "forest" },
    },
  },
  victory: { hexes: { "0510": 1, "0508": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
  units: {
    e1: { type: "g-eng", at: "0412", formation: "51K/71ID", task: { kind: "fort", hex: "0412", left: 3 } },
    e2: { type: "g-ceng", at: "0512", formation: "51K/71ID", task: { kind: "bridge", hex: "0512", left: 2 } },
    e3: { type: "g-eng", at: "0613", formation: "51K/71ID" },
    g1: { type: "g-inf", at: "0412", formation: "51K/71ID/191/I" },
    g2: { type: "g-inf", at: "0613", formation: "51K/71ID/191/I" },
    g3: { type: "g-inf", at: "0612", formation: "51K/71ID/191/II" },
    gt: { type: "g-tank", at: "0714", formation: "51K/24PZ/24PR/I" },
    gl: { type: "g-leader", at: "0612", formation: "51K/71ID/191" },
    gm: { type: "g-mine", at: "0411" },
    gx: { type: "g-inf", at: "0511" },
    gf: { type: "g-fort", at: "0511" },
    s1: { type: "s-inf", at: "0508", formation: "62A/112RD/385/1" },
    s2: { type: "s-inf", at: "0607", formation: "62A/112RD/385/1" },
    s3: { type: "s-guards", at: "0510", formation: "62A/112RD/416" },
    se: { type: "s-eng", at: "0508", formation: "62A/112RD", task: { kind: "minefield", hex: "0408", left: 2 } },
    sf: { type: "s-eng", at: "0607", formation: "62A/112RD", task: { kind: "fort", hex: "0607", left: 12 } },
    sg: { type: "s-eng", at: "0607", formation: "62A/112RD", task: { kind: "fort", hex: "0607", left: 12 } },
    sl: { type: "s-leader", at: "0508", formation: "62A/112RD" },
    so: { type: "s-op", at: "0407", formation: "62A/112RD" },
    sm: { type: "s-mine", at: "0610" },
    sx: { type: "s-inf", at: "0610" },
    sy: { type: "s-mine", at: "0507" },
    br: { type: "bridge", side: "soviet", at: "0407" },
  },
};

/** Soviet transports and whoever they may carry are face down with others of their backs, by night. */
export const CARTS: JsonObject = {
  scenario: "sandbox",
  turn: 2,
  lastTurn: 4,
  phase: 10,
  stage: "normal",
  bounds: { cols: [2, 8], rows: [5, 16] },
  map: {
    base: "blank",
    hexes: {
      "0406": { t: "forest" },
      "0506": { t: "suburb" },
      "0407": { t: "balka" },
      "0507": { t: "forest" },
      "0508": { t: "forest" },
      "0409": { t: "city" },
      "0510": { t: "forest" },
      "0511": { t: "suburb" },
      "0612": { t: "forest" },
    },
  },
  victory: { hexes: { "0510": 1, "0409": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
  units: {
    g1: { type: "g-inf", at: "0510", formation: "51K/71ID/191/I" },
    g2: { type: "g-inf", at: "0511", formation: "51K/71ID/191/I" },
    g3: { type: "g-inf", at: "0612", formation: "51K/71ID/191/II" },
    ga: { type: "g-at", at: "0612", formation: "51K/71ID" },
    gl: { type: "g-leader", at: "0511", formation: "51K/71ID/191" },
    s1: { type: "s-inf", at: "0406", formation: "62A/112RD/385/1" },
    s2: { type: "s-guards", at: "0406", formation: "62A/112RD/416" },
    s3: { type: "s-inf", at: "0507", formation: "62A/112RD/385/1" },
    sm: { type: "s-mortar", at: "0506", formation: "62A/112RD/385" },
    se: { type: "s-eng", at: "0508", formation: "62A/112RD" },
    sl: { type: "s-leader", at: "0406", formation: "62A/112RD" },
    sc: { type: "s-commissar", at: "0507", formation: "62A/112RD" },
    so: { type: "s-op", at: "0506", formation: "62A/112RD" },
    sn: { type: "s-sniper", at: "0409", formation: "62A/112RD" },
    s4: { type: "s-inf", at: "0409", formation: "62A/112RD/385/2" },
    t1: { type: "s-transport", at: "0406", formation: "62A/112RD" },
    t2: { type: "s-transport", at: "0406", formation: "62A/112RD" },
    t3: { type: "s-transport", at: "0507", formation: "62A/112RD" },
  },
};

const rides = { at: "0609", ordered: true };
/** The same while a transport with one of two companies goes past a gun. */
export const UNDER_FIRE: JsonObject = {
  ...CARTS,
  units: {
    ...(CARTS["units"] as JsonObject),
    s1: { type: "s-inf", formation: "62A/112RD/385/1", carried: true, aboard: true, ...rides },
    s3: { type: "s-inf", formation: "62A/112RD/385/1", ...rides },
    t1: { type: "s-transport", formation: "62A/112RD", tookTroop: true, ...rides },
  },
  frames: [
    { ask: "move.select", actor: "soviet" },
    { ask: "walk", actor: "soviet", group: ["s1", "s3", "t1"], path: ["0608"], mp: 5, kind: "normal" },
  ],
  decision: { ask: "op.fire", actor: "german", hex: "0609" },
};

/** Germans of one back, armor among them, are face down in a town, and mine dogs are beside them. */
export const KENNEL: JsonObject = {
  scenario: "sandbox",
  turn: 2,
  lastTurn: 3,
  phase: 3,
  bounds: { cols: [2, 8], rows: [6, 14] },
  map: {
    base: "blank",
    hexes: Object.fromEntries(
      ["0409", "0410", "0411", "0509", "0510", "0511", "0609", "0610", "0611", "0510"].map((h) => [h, { t: "city" }]),
    ),
  },
  victory: { hexes: { "0409": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
  units: {
    g1: { type: "g-inf", at: "0411", formation: "51K/24PZ/21/I" },
    g2: { type: "g-inf", at: "0511", formation: "51K/24PZ/21/I" },
    g3: { type: "g-tank", at: "0511", formation: "51K/24PZ/21/I" },
    g4: { type: "g-tank", at: "0611", formation: "51K/24PZ/21/I" },
    g5: { type: "g-inf", at: "0611", formation: "51K/24PZ/21/I" },
    g6: { type: "g-stug", at: "0411", formation: "51K/24PZ/21/I" },
    s1: { type: "s-inf", at: "0410", formation: "62A/10NKVD/1" },
    sd: { type: "s-dog", at: "0510", formation: "62A/10NKVD" },
    s2: { type: "s-inf", at: "0510", formation: "62A/10NKVD/1" },
    se: { type: "s-dog", at: "0610", formation: "62A/10NKVD" },
    s3: { type: "s-inf", at: "0610", formation: "62A/10NKVD/1" },
  },
};

/** Germans of one back are face down in a town, a leader and an OP among them, and Herman is about to come. */
export const RAID: JsonObject = {
  scenario: "sandbox",
  turn: 14,
  lastTurn: 15,
  phase: 15,
  stage: "infiltrate",
  bounds: { cols: [2, 8], rows: [6, 14] },
  map: {
    base: "blank",
    hexes: Object.fromEntries(
      ["0408", "0409", "0410", "0411", "0508", "0509", "0510", "0511", "0609", "0610"].map((h) => [h, { t: "city" }]),
    ),
  },
  victory: { hexes: { "0409": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
  units: {
    g1: { type: "g-inf", at: "0410", formation: "51K/71ID/191/I" },
    g2: { type: "g-inf", at: "0410", formation: "51K/71ID/191/I" },
    gl: { type: "g-leader", at: "0510", formation: "51K/71ID/191" },
    g3: { type: "g-tank", at: "0510", formation: "51K/71ID/191/I" },
    go: { type: "g-op", at: "0509", formation: "51K/71ID" },
    g4: { type: "g-inf", at: "0409", formation: "51K/71ID/191/II" },
    sh: { type: "s-herman", at: "0411", formation: "62A/112RD" },
    s1: { type: "s-inf", at: "0411", formation: "62A/112RD/1" },
    s2: { type: "s-guards", at: "0411", formation: "62A/112RD/1" },
    s3: { type: "s-inf", at: "0511", formation: "62A/112RD/1" },
    s4: { type: "s-inf", at: "0610", formation: "62A/112RD/1" },
  },
};
