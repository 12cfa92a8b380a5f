import type { Json, JsonObject, Rng } from "../../../../env/index.js";
import { neighbours } from "./position.js";

type Counter = readonly [id: string, type: string, formation: string, more?: JsonObject];

const GERMANS: readonly Counter[] = [
  ["g1", "g-inf", "51K/71ID/191/I"],
  ["g2", "g-inf", "51K/71ID/191/I"],
  ["g3", "g-inf", "51K/71ID/191/II"],
  ["g4", "g-inf", "51K/71ID/191/II"],
  ["g5", "g-inf", "51K/71ID/194/I"],
  ["g6", "g-inf", "51K/295ID/516/I"],
  ["g7", "g-inf", "51K/295ID"],
  ["g8", "g-motinf", "48K/29MD/15/I"],
  ["ge", "g-eng", "51K/71ID/171"],
  ["gc", "g-ceng", ""],
  ["ga", "g-ainf", "48K/24PD/21/I"],
  ["gt", "g-tank", "48K/24PD/24PR/I"],
  ["gu", "g-tank", "48K/24PD/24PR/II"],
  ["gv", "g-tank", "48K/24PD/24PR/I"],
  ["gs", "g-stug", "", { battalion: "244" }],
  ["gr", "g-stug", "", { battalion: "244" }],
  ["gp", "g-at", "51K/71ID/171"],
  ["gm", "g-mortar", "51K/71ID/191/I"],
  ["gi", "g-ig", "51K/71ID/191"],
  ["gh", "g-how", "51K/71ID"],
  ["gn", "g-neb", ""],
  ["gf", "g-88", ""],
  ["gl", "g-leader", "51K/71ID/191"],
  ["gk", "g-leader", "51K/71ID"],
  ["go", "g-op", "51K/71ID"],
  ["gq", "g-op-li", "51K"],
  ["gw", "g-op-lw", ""],
  ["gy", "g-fort", ""],
  ["gx", "g-inf", ""],
];

const SOVIETS: readonly Counter[] = [
  ["s1", "s-inf", "62A/112RD/385/1"],
  ["s2", "s-inf", "62A/112RD/416/1"],
  ["s3", "s-inf", "62A/10ND/271/1"],
  ["s4", "s-guards", "62A/13GRD/42/1"],
  ["s5", "s-guards", "62A/13GRD/42/1"],
  ["s6", "s-guards", "62A/13GRD/42/2"],
  ["s7", "s-guards", "62A/13GRD/39/1"],
  ["s8", "s-marine", "62A/92NB/1/1"],
  ["s9", "s-marine", "62A/92NB/1/1"],
  ["sn", "s-nkvd", "62A/10ND/272/1"],
  ["se", "s-eng", "62A/112RD"],
  ["sf", "s-flame", ""],
  ["st", "s-tank", "62A/99TB"],
  ["su", "s-ltank", "62A/6TB"],
  ["sp", "s-at", ""],
  ["sm", "s-mortar", "62A/112RD/385"],
  ["sh", "s-how", "62A"],
  ["sd", "s-how", "62A/112RD"],
  ["sa", "s-aa", ""],
  ["sl", "s-leader", "62A/112RD"],
  ["sk", "s-leader", "62A/13GRD/42"],
  ["sc", "s-commissar", "62A/13GRD"],
  ["sw", "s-chuikov", "62A"],
  ["so", "s-op", "62A"],
  ["sz", "s-sniper", "62A/284RD"],
  ["sv", "s-zaitsev", "62A/284RD"],
  ["sy", "s-fort", ""],
  ["sx", "s-inf", ""],
];

const HEADS = ["leader", "commissar", "chuikov"];
const HEX = "2010";
const GROUNDS = ["clear", "clear", "clear", "suburb", "forest", "city", "industrial", "strongpoint", "balka", "volga"];

/** Part of the map in which all of it is fought. */
export const BOUNDS: JsonObject = { cols: [15, 28], rows: [6, 19] };
/** Hexes at most two off the middle. */
const NEAR = [HEX, ...new Set([...neighbours(HEX), ...neighbours(HEX).flatMap(neighbours)].filter((h) => h !== HEX))];

/** Ground of a game: about a third of the hexes round the middle are not open. */
export function generateMap(rng: Rng): JsonObject {
  const hexes: Record<string, JsonObject> = {};
  for (const hex of NEAR) {
    const t = GROUNDS[rng.below(GROUNDS.length)]!;
    const hill = t === "clear" && rng.below(4) === 0 ? { f: ["hilltop"] } : {};
    if (t !== "clear" || "f" in hill) hexes[hex] = { t, ...hill };
  }
  if (hexes[HEX]?.["t"] === "volga") hexes[HEX] = { t: "suburb" };
  return { base: "blank", hexes };
}

/** The counters of a game, where they are not yet. */
export function counters(): Record<string, JsonObject> {
  return Object.fromEntries(
    [...GERMANS, ...SOVIETS].map(([id, type, formation, more = {}]): [string, JsonObject] => [
      id,
      { type, ...(formation === "" ? {} : { formation }), ...more },
    ]),
  );
}

const isHead = (type: string): boolean => HEADS.some((kind) => type.endsWith(kind));
const isOp = (type: string): boolean => type.includes("-op");

/**
 * A fight about 2010: one side is there, the other on some of the hexes round it and behind it, a few of them far off.
 *
 * @returns a position of the stage in which it is fought
 */
export function generatePosition(map: JsonObject, rng: Rng): JsonObject {
  const pick = <T>(list: readonly T[]): T => list[rng.below(list.length)]!;
  const [phase, stage] = pick([
    [5, "attack"],
    [5, "attack"],
    [12, "attack"],
    [12, "attack"],
    [3, "breakthrough"],
    [3, "normal"],
    [10, "normal"],
    [2, "plot-first"],
    [9, "plot-first"],
    [9, "plot-first"],
  ] as const);
  const germanActs = phase <= 8 && phase !== 9;
  const ring = neighbours(HEX);
  // each hex of the ring is one side's: those of the actors surround the middle more or less
  const actsFrom = ring.filter(() => rng.below(3) > 0);
  const holds = ring.filter((h) => !actsFrom.includes(h) && rng.below(2) === 0);
  // Germans never go on the Volga
  const hexes = map["hexes"] as Readonly<Record<string, JsonObject>>;
  const dry = (h: string) => hexes[h]?.["t"] !== "volga";
  const theirs = germanActs ? actsFrom.filter(dry) : actsFrom;
  const ours = germanActs ? holds : holds.filter(dry);
  const units: Record<string, JsonObject> = {};
  const stacks = new Map<string, number>();
  const heads = new Set<string>();
  const place = (list: readonly Counter[], near: readonly string[], far: readonly string[], share: number) => {
    for (const [id, type, formation, more = {}] of list) {
      if (units[id] !== undefined) continue;
      const at = near.length > 0 && rng.below(10) < share ? pick(near) : pick(far);
      const key = isHead(type)
        ? "head"
        : isOp(type)
          ? type
          : type.endsWith("sniper") || type.endsWith("zaitsev")
            ? "sniper"
            : type;
      const special = isHead(type) || isOp(type) || key === "sniper" || type.endsWith("fort");
      if (special ? heads.has(`${at} ${key}`) : (stacks.get(at) ?? 0) >= 3) continue;
      if (special) heads.add(`${at} ${key}`);
      else stacks.set(at, (stacks.get(at) ?? 0) + 1);
      const marks: Record<string, Json> = {};
      const lifeless = special && !isOp(type) && key !== "sniper";
      if (!lifeless && rng.below(12) === 0) marks["spent"] = true;
      else if (!lifeless && rng.below(12) === 0) marks["pinned"] = true;
      if (!lifeless && !id.startsWith("g") && rng.below(12) === 0) marks["oos"] = 1 + rng.below(3);
      units[id] = { type, at, ...(formation === "" ? {} : { formation }), ...more, ...marks };
    }
  };
  const [actors, others] = germanActs ? [GERMANS, SOVIETS] : [SOVIETS, GERMANS];
  const behind = Array.from({ length: 20 }, (_, i) => `${17 + (i % 5)}${i < 10 ? 16 : 18}`);
  const away = Array.from({ length: 20 }, (_, i) => `${24 + (i % 4)}${i < 10 ? 13 : 17}`);
  // by chance three tanks of one regiment hardly ever attack from one hex
  if (germanActs && theirs.length > 0 && rng.below(8) === 0) {
    const at = pick(theirs);
    stacks.set(at, 3);
    for (const [id, type, formation] of GERMANS) if (type === "g-tank") units[id] = { type, at, formation };
  }
  place(actors, theirs, [...behind], 5);
  place(others, [HEX, HEX, ...ours], [...away], 4);
  const held = Object.values(units).some((u) => u["at"] === HEX);
  const marks = stage === "attack" && held ? { [HEX]: ["attack"] } : {};
  return {
    ...{ scenario: "sandbox", turn: pick([2, 20]), phase, stage, map, bounds: BOUNDS, units, marks },
    ...(germanActs ? { stukas: { available: 2, used: 0 } } : {}),
  };
}
