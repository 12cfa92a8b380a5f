import type { z } from "zod";
import { KesselError } from "../core/errors.js";
import type { GameData } from "../core/game.js";
import { parseWith } from "../core/schema.js";
import {
  ATTACKS,
  type boardSchema,
  CHIT_KINDS,
  chitsSchema,
  LANDINGS,
  mapSchema,
  setupSchema,
  tablesSchema,
  unitsSchema,
} from "./data/schemas.js";
import type { By, Names, Row } from "../core/brand.js";
import type { Data, DrawnBoard, Regiment } from "./data/types.js";
import {
  type AreaId,
  AREAS,
  type ChitId,
  type ChitKind,
  CHITS,
  GERMANS,
  NO_UNIT,
  type UnitId,
  type UnitType,
} from "./layout.js";

export { CHIT_KINDS };
export type { Data, Tables } from "./data/types.js";
/** Codes of `CHIT_KINDS`. */
export const CHIT = {
  sniper: 0 as ChitKind,
  molotov: 1 as ChitKind,
  artillery: 2 as ChitKind,
  ambush: 3 as ChitKind,
  strongpoint: 4 as ChitKind,
  counterattack: 5 as ChitKind,
  dummy: 6 as ChitKind,
} as const;
/** Codes of the two result tables. */
export const LANDING = { land: 0, away: 1, eliminated: 2 } as const;
export const ATTACK = { none: 0, suppressed: 1, stepLoss: 2 } as const;
export const TYPE = {
  infantry: 0 as UnitType,
  engineer: 1 as UnitType,
  hq: 2 as UnitType,
  armor: 3 as UnitType,
  antitank: 4 as UnitType,
} as const;
const TYPE_OF: Readonly<Record<string, UnitType>> = { ...TYPE, pionier: TYPE.engineer };

const bad = (file: string, path: string, reason: string): KesselError =>
  new KesselError("bad-data", `savage-streets ${file}.json: ${path}: ${reason}`);

function readMap(doc: unknown) {
  const map = parseWith(mapSchema, doc, "bad-data", "savage-streets map.json");
  const ids = map.areas.map((a) => a.id);
  const index = (name: string, path: string): AreaId => {
    const i = ids.indexOf(name) as AreaId;
    if (i < 0) throw bad("map", path, `there is no area ${name}`);
    return i;
  };
  const mask = (names: readonly string[], path: string): number =>
    names.reduce((m, n, k) => m | (1 << index(n, `${path}[${k}]`)), 0);
  map.areas.forEach((a, i) => {
    const at = `areas[${i}]`;
    if (a.index !== i) throw bad("map", `${at}.index`, `expected areas in index order: ${i}, got ${a.index}`);
    if (ids.indexOf(a.id) !== i) throw bad("map", `${at}.id`, `area ${a.id} is there twice`);
    if ((a.kind === "entry") !== /^[A-Z]$/.test(a.id))
      throw bad("map", `${at}.kind`, "entry areas are lettered and city areas numbered");
    if ((a.kind === "entry") !== (a.entryFor !== undefined))
      throw bad("map", `${at}.entryFor`, "entry areas name the divisions that enter there, city areas don't");
    if ((a.kind === "entry") !== (a.stars === null))
      throw bad("map", `${at}.stars`, "city areas have 1 to 3 stars, entry areas null");
    a.adjacent.forEach((b, k) => {
      const j = index(b, `${at}.adjacent[${k}]`);
      if (j === i) throw bad("map", `${at}.adjacent[${k}]`, `area ${a.id} is linked with itself`);
      if (!map.areas[j]!.adjacent.includes(a.id))
        throw bad("map", `${at}.adjacent[${k}]`, `${a.id} names ${b} as a neighbour, but ${b} does not name ${a.id}`);
      if (!map.edges.some(([x, y]) => (x === a.id && y === b) || (x === b && y === a.id)))
        throw bad("map", "edges", `the link ${a.id}-${b} is missing`);
    });
  });
  map.edges.forEach(([x, y], k) => {
    if (!map.areas[index(x, `edges[${k}][0]`)]!.adjacent.includes(y))
      throw bad("map", `edges[${k}]`, `${x}-${y} is no link of area ${x}`);
  });
  for (let n = 2; n <= 12; n++) if (!ids.includes(String(n))) throw bad("map", "areas", `area ${n} is missing`);
  return { map, ids, index, mask };
}

function distances(neighbours: readonly (readonly AreaId[])[], to: AreaId): Int32Array {
  const d = new Int32Array(AREAS).fill(-1);
  const queue = [to];
  d[to] = 0;
  for (const a of queue) {
    for (const b of neighbours[a]!) {
      if (d[b]! >= 0) continue;
      d[b] = d[a]! + 1;
      queue.push(b);
    }
  }
  return d;
}

function readUnits(doc: unknown) {
  const file = parseWith(unitsSchema, doc, "bad-data", "savage-streets units.json");
  const all = [...file.german, ...file.soviet];
  const ids = all.map((u) => u.id);
  all.forEach((u, slot) => {
    const path = slot < GERMANS ? `german[${slot}]` : `soviet[${slot - GERMANS}]`;
    if (u.slot !== slot) throw bad("units", `${path}.slot`, `expected units in slot order: ${slot}, got ${u.slot}`);
    if (ids.indexOf(u.id) !== slot) throw bad("units", `${path}.id`, `unit ${u.id} is there twice`);
  });
  const regiments: (Regiment & { name: string })[] = [];
  for (const [name, members] of Object.entries(file.battalionsOf)) {
    const battalions = members.map((m, k) => {
      const slot = ids.indexOf(m) as UnitId;
      if (slot < 0 || all[slot]!.regiment !== name)
        throw bad("units", `battalionsOf.${name}[${k}]`, `${m} is no unit of regiment ${name}`);
      return slot;
    });
    const hq = (file.german.find((u) => u.type === "hq" && u.regiment === name)?.slot ?? NO_UNIT) as UnitId;
    const three = file.regimentsOfThree.german.includes(name) || file.regimentsOfThree.soviet.includes(name);
    if (three && battalions.length !== 3)
      throw bad("units", `regimentsOfThree`, `regiment ${name} has ${battalions.length} battalions, not 3`);
    regiments.push({ name, battalions, hq, three });
  }
  for (const name of [...file.regimentsOfThree.german, ...file.regimentsOfThree.soviet])
    if (!(name in file.battalionsOf)) throw bad("units", "regimentsOfThree", `regiment ${name} is not in battalionsOf`);
  file.german.forEach((u, k) => {
    if (u.type === "hq" && !regiments.some((g) => g.hq === u.slot))
      throw bad("units", `german[${k}].regiment`, `regiment ${u.regiment} of ${u.id} is not in battalionsOf`);
  });
  const atStart = file.soviet.filter((u) => u.entryTurn === 0);
  return { file, all, ids, regiments, atStart };
}

function readChits(doc: unknown) {
  const file = parseWith(chitsSchema, doc, "bad-data", "savage-streets chits.json");
  const wanted = file.kinds.flatMap((k) =>
    Array.from({ length: k.count }, (_, i) => ({ id: `${k.kind}-${i + 1}`, kind: k.kind })),
  );
  file.kinds.forEach((k, i) => {
    if (k.kind !== CHIT_KINDS[i]) throw bad("chits", `kinds[${i}].kind`, `expected the order ${CHIT_KINDS.join(", ")}`);
  });
  if (wanted.length !== CHITS) throw bad("chits", "kinds", `the counts add up to ${wanted.length}, not to ${CHITS}`);
  file.chits.forEach((c, i) => {
    if (c.slot !== i || c.id !== wanted[i]!.id || c.kind !== wanted[i]!.kind)
      throw bad(
        "chits",
        `chits[${i}]`,
        `by the counts of the kinds slot ${i} is ${wanted[i]!.id}, not ${c.id} in slot ${c.slot}`,
      );
  });
  return file.chits;
}

/**
 * Checks the data files against each other and compiles them.
 *
 * @param even whether the house rule of `balance=even` is played, `setup.json`, `even`
 * @throws KesselError `bad-data` with file, path and reason
 */
export function readData(data: GameData, even = false): Data {
  const { map, ids, index, mask } = readMap(data["map"]);
  const { file, all, ids: unitIds, regiments, atStart } = readUnits(data["units"]);
  const chits = readChits(data["chits"]);
  const tables = parseWith(tablesSchema, data["tables"], "bad-data", "savage-streets tables.json");
  const setup = parseWith(setupSchema, data["setup"], "bad-data", "savage-streets setup.json");

  const neighbours = map.areas.map((a) => a.adjacent.map((b) => ids.indexOf(b) as AreaId).sort((x, y) => x - y));
  const lettered = map.areas.reduce((m, a, i) => (a.kind === "entry" ? m | (1 << i) : m), 0);
  const goals = map.victoryAreas.areas.map((a, k) => index(a, `victoryAreas.areas[${k}]`)) as [AreaId, AreaId];
  const priority = map.solitairePriority.order.map((a, k) => index(a, `solitairePriority.order[${k}]`));
  if (new Set(priority).size !== AREAS - 3 || priority.length !== AREAS - 3)
    throw bad("map", "solitairePriority.order", "it names every numbered area once");
  const distance = goals.map((g) => distances(neighbours, g)) as [Int32Array, Int32Array];
  if (distance[0].includes(-1))
    throw bad("map", "areas", `area ${ids[distance[0].indexOf(-1)]!} can't be reached from area ${ids[goals[0]]!}`);

  const entry = file.german.map((u, k) => {
    const at = map.areas.reduce((m, a, i) => (a.entryFor?.includes(u.division) ? m | (1 << i) : m), 0);
    if ((at & lettered) === 0)
      throw bad("units", `german[${k}].division`, `no entry area of the map takes division ${u.division}`);
    return at & lettered;
  });
  const listed = [...setup.sovietAtStart.units].sort().join(", ");
  const zero = atStart
    .map((u) => u.id)
    .sort()
    .join(", ");
  if (listed !== zero)
    throw bad("setup", "sovietAtStart.units", `units of entry turn 0 in units.json are ${zero}, not ${listed}`);
  if (setup.solo.oneEachIn.length + setup.solo.byDiceRoll !== atStart.length)
    throw bad("setup", "solo", `fixed areas and dice rolls place ${atStart.length} units`);
  const slots = (f: (u: (typeof all)[number]) => number): Int32Array => Int32Array.from(all, f);
  const table = (names: readonly string[], results: Record<string, string>): Int32Array =>
    Int32Array.from({ length: 7 }, (_, d) => (d === 0 ? -1 : names.indexOf(results[d]!)));
  return {
    areaIds: ids as unknown as Names<AreaId>,
    areaNames: map.areas.map((a) => a.name),
    points: map.areas.map((a) => a.xy),
    board: drawnBoard(map.board, ids),
    stars: Int32Array.from(map.areas, (a) => a.stars ?? 0),
    adjacent: Int32Array.from(neighbours, (list) => list.reduce((m, b) => m | (1 << b), 0)),
    neighbours,
    lettered,
    numbered: ((1 << AREAS) - 1) & ~lettered,
    landings: mask(map.landing.normal, "landing.normal"),
    redLanding: mask(map.landing.redCircle, "landing.redCircle"),
    landingOrder: [...map.landing.normal, ...map.landing.redCircle].map((a) => ids.indexOf(a) as AreaId),
    goals,
    distance,
    pathTo: mask(map.victoryAreas.pathTo, "victoryAreas.pathTo"),
    priority,
    byRoll: Int32Array.from({ length: 13 }, (_, n) => ids.indexOf(String(n))) as Row<AreaId, Int32Array>,
    unitIds: unitIds as unknown as Names<UnitId>,
    type: slots((u) => TYPE_OF[u.type]!) as By<UnitId> as By<UnitId, UnitType>,
    full: slots((u) => (u.side === "G" ? u.full : u.cv)),
    depleted: slots((u) => (u.side === "G" ? u.depleted : 0)),
    mp: slots((u) => (u.side === "G" ? u.mp : 0)),
    entryTurn: slots((u) => u.entryTurn + (even && u.side === "S" && u.entryTurn > 0 ? setup.even.sovietDelay : 0)),
    entry: Int32Array.from(entry),
    red: slots((u) => (u.side === "S" && u.redCircle ? 1 : 0)),
    smg: slots((u) => (u.side === "S" && u.smg ? 1 : 0)),
    regimentOf: slots((u) => regiments.findIndex((g) => g.hq === u.slot || g.battalions.includes(u.slot as UnitId))),
    regiments,
    chitIds: chits.map((c) => c.id) as unknown as Names<ChitId>,
    chitKind: Int32Array.from(chits, (c) => CHIT_KINDS.indexOf(c.kind)) as By<ChitId, number> as By<ChitId, ChitKind>,
    underFire: table(LANDINGS, tables.underFire.results),
    attack: table(ATTACKS, tables.attackOnUnit.results),
    commandMax: tables.command.moveUpTo,
    commandDrm: tables.command.drmHq,
    pool: tables.dicePool,
    stacking: {
      units: tables.stacking.duel.units,
      armor: tables.stacking.duel.extraArmorOrAntitank,
      hq: tables.stacking.duel.extraHqGerman,
      chits: tables.stacking.duel.sovietChits,
      soloUnits: tables.stacking.solo.sovietUnits,
      soloArmor: tables.stacking.solo.sovietExtraArmor,
      soloChits: tables.stacking.solo.sovietChits,
    },
    draw: even ? setup.even.draw : tables.chitsPerTurn.draw,
    soloFixed: setup.solo.oneEachIn.map((a, k) => {
      if (!ids.includes(a)) throw bad("setup", `solo.oneEachIn[${k}]`, `there is no area ${a}`);
      return ids.indexOf(a) as AreaId;
    }),
    soloByRoll: setup.solo.byDiceRoll,
    soloChits: setup.solo.eventChitsByDiceRoll,
  };
}

export const isArmed = (data: Data, u: UnitId): boolean => data.type[u]! >= TYPE.armor;

/** Outlines with their corners looked up. @throws KesselError `bad-data` */
function drawnBoard(board: z.infer<typeof boardSchema>, ids: readonly string[]): DrawnBoard {
  const refuse = (path: string, reason: string): never => {
    throw new KesselError("bad-data", `savage-streets/map.json: board.${path}: ${reason}`);
  };
  for (const id of Object.keys(board.areas)) if (!ids.includes(id)) refuse(`areas.${id}`, "there is no such area");
  for (const id of ids) if (!(id in board.areas)) refuse("areas", `area ${id} has no outline`);
  const used = new Set(Object.values(board.areas).flatMap((a) => a.outline));
  for (const c of Object.keys(board.corners)) if (!used.has(c)) refuse(`corners.${c}`, "no outline has this corner");
  const areas = ids.map((id) => {
    const { outline, room } = board.areas[id]!;
    const points = outline.map((c) => board.corners[c] ?? refuse(`areas.${id}.outline`, `there is no corner ${c}`));
    return [id, { outline: points, room }] as const;
  });
  return { ...board, areas: Object.fromEntries(areas) };
}
