import { KesselError, oneOf, shown } from "../core/errors.js";
import { withArticle } from "../core/words.js";
import type { UnitId } from "./layout.js";
import { type Kind, KINDS, type UnitType } from "./schema.js";

export const GERMAN = 0;
export const SOVIET = 1;
export const SIDES = ["german", "soviet"] as const;
export type SideIndex = 0 | 1;

/** Most counters of a side. */
const MOST = 768;
/** A side of more counters than this gives both sides the longer list of spare slots. */
const FEW = 40;

/** Counters that are made in play have slots from the start, so that actions and rows never change. Ruling R88. */
const SPARE = {
  few: ["brg-1 brg-2 mf-1 ft-1", "imm-1 imm-2 mf-2 ft-2"],
  many: [
    "brg-1 brg-2 brg-3 brg-4 mf-1 mf-2 mf-3 mf-4 mf-5 mf-6 ft-1 ft-2 ft-3 ft-4 G-HQ-51K G-HQ-6A",
    "imm-1 imm-2 imm-3 imm-4 imm-5 imm-6 imm-7 imm-8 mf-7 mf-8 mf-9 ft-5 ft-6 brg-5 brg-6 S-HQ-62A",
  ],
} as const;
const SPARE_KINDS: Record<string, Kind> = {
  brg: "bridge",
  mf: "minefield",
  ft: "fortification",
  imm: "immobilized-tank",
  G: "leader",
  S: "leader",
};
/** Parts of a path down to a regiment. */
const REGIMENT = 3;
const NOTHING = { af: 0, df: 0, range: 0, mp: 0 };

/** A counter: what is printed on it, both sides. Rule: SOS 2.2 */
export interface Counter {
  readonly id: string;
  readonly side: SideIndex;
  readonly type: UnitType;
  /** Name of its type in the data, empty for a spare slot. */
  readonly typeName: string;
  /** Path such as `51K/94ID/276/II`; empty for an independent unit without one. */
  readonly formation: string;
  /** What its back shows: a formation's flag, or a star or cross. Rule: SOS 2.23 */
  readonly tag: string;
  readonly name: string;
  /** A slot for a counter that play may make. Ruling R88. */
  readonly spare: boolean;
}

const isOneOf =
  (...kinds: Kind[]) =>
  (k: Kind) =>
    kinds.includes(k);
// The four senses of "combat unit". None of them is a transport: it takes no part in combat. Rule: SOS 16.47, ruling
// R2.
const isNotStack = isOneOf(
  "leader",
  "commissar",
  "op",
  "sniper",
  "mine-dog",
  "transport",
  "tank-repair",
  "river-flotilla",
  "fortification",
  "bridge",
  "minefield",
);
const isWork = isOneOf("fortification", "minefield", "bridge");
const isEngineer = isOneOf("engineer", "construction-engineer");
/** Sorts of passengers: a transport takes one of each. Rule: SOS 16.44 */
export const TROOP = 1;
export const CHIEF = 2;
const isTroop = isOneOf("infantry", "engineer", "construction-engineer", "mortar");
const isChief = isOneOf("leader", "commissar", "op", "sniper", "mine-dog");
const FOOT_MP = 8;
const isTowed = isOneOf("at-gun", "flak88", "aa");
const rides = isOneOf("infantry", "armored-infantry", "engineer", "construction-engineer", "flamethrower", "mortar");
const isLeader = isOneOf("leader", "commissar");
const isLostForGood = isOneOf(
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
  "bridge",
  "minefield",
  "fortification",
);
const HEADQUARTERS: readonly string[] = ["G-HQ-51K", "G-HQ-6A", "S-HQ-62A"];
/** What two counters may differ in that are exchanged for each other: values, and what they tell apart. Ruling R61. */
const VALUES: readonly (keyof UnitType)[] = ["af", "df", "range", "mp", "indirectRange", "battalion", "named"];

/** Kind and abilities, empty for a counter that is never exchanged. Rule: SOS 20.4, SOS 20.6, rulings R61, R110 */
function exchangeSort(side: SideIndex, type: UnitType): string {
  if (isLeader(type.kind)) return type.hero !== undefined || type.army === true ? "" : `${side} ${type.kind}`;
  if (isNotStack(type.kind) || type.kind === "immobilized-tank") return "";
  const abilities = Object.entries(type).filter(([key, on]) => on !== false && !VALUES.includes(key as keyof UnitType));
  return JSON.stringify(abilities.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Rule: SOS 16.26, SOS 16.64, SOS 21.42, SOS 21.43, SOS 21.44, SOS 21.45, ruling R112 */
const isReplaceable = (t: UnitType): boolean =>
  t.af > 0 && !isLostForGood(t.kind) && t.guards !== true && t.guardsMortar !== true;

const isInfantryType = isOneOf("infantry", "armored-infantry", "engineer", "construction-engineer", "flamethrower");

/**
 * The slots of both sides, German first, and what the rules ask of their counters. Arrays are over slots. The order is
 * fixed for the game.
 */
export class Roster {
  readonly size: number;
  /** True when a side has more than 40 counters, spare ones not counted. */
  readonly many: boolean;
  /** Slots 0..germans - 1 are German, the others Soviet. */
  readonly germans: number;
  readonly side: Uint8Array;
  /** Index into `KINDS`. */
  readonly kind: Uint8Array;
  readonly af: Uint8Array;
  readonly df: Uint8Array;
  readonly range: Uint8Array;
  readonly mp: Uint8Array;
  /** Index into `tags`; tags are in ascending order. */
  readonly tag: Uint16Array;
  readonly tags: readonly string[];
  /** Counts against the stacking limit. Ruling R2. */
  readonly stackUnit: Uint8Array;
  /** Has a zone of control. Ruling R2. */
  readonly zocUnit: Uint8Array;
  /** Satisfies a D result. Ruling R2. */
  readonly lossUnit: Uint8Array;
  /** May stay behind in a retreat before combat. Ruling R2. */
  readonly holder: Uint8Array;
  readonly infantryType: Uint8Array;
  readonly armored: Uint8Array;
  /** MP of 12 or more. */
  readonly vehicle: Uint8Array;
  /** Fires indirectly. */
  readonly indirect: Uint8Array;
  /** Fires indirectly and is no mortar: it can be hit in a box. Rule: SOS 14.54 */
  readonly battery: Uint8Array;
  /** Has AF or DF and does not fire indirectly. */
  readonly directFire: Uint8Array;
  /** Guards or Marines. */
  readonly guards: Uint8Array;
  readonly nkvd: Uint8Array;
  /** Tank, StuG or armored car: lifts the German stacking limit. */
  readonly liftsLimit: Uint8Array;
  /** Fires its AF at armor, by the anti-tank target chart. Rule: SOS 9.94 */
  readonly antiTank: Uint8Array;
  /**
   * Towed guns are not ready to fire after a move, nor is who fires indirectly, unless its MP are red. Rule: SOS 9.101,
   * SOS 14.11, ruling R41
   */
  readonly towed: Uint8Array;
  /** Motorised or armored infantry, engineers, mortars: they may leave their vehicles. Rule: SOS 8.71 */
  readonly carried: Uint8Array;
  /** Combat engineer or flame-thrower with a red AF. Rule: SOS 9.71 */
  readonly assaultEngineer: Uint8Array;
  /** The counter sees nothing. */
  readonly blind: Uint8Array;
  /** A slot for a counter that play may make; a headquarters has a face of its own, and is none. Ruling R88. */
  readonly spare: Uint8Array;
  /** Fires at Stukas. Rule: SOS 15.42 */
  readonly flak: Uint8Array;
  /**
   * German tanks and StuGs of one regiment or independent battalion have one number, all other counters -1. Rule: SOS
   * 9.73
   */
  readonly panzerBody: Int16Array;
  /** Transports, and their passengers: `TROOP`, `CHIEF` or 0; none without a transport. Rule: SOS 16.41 */
  readonly transports: readonly number[];
  readonly transport: Uint8Array;
  readonly rider: Uint8Array;
  /** Engineers, who build and remove. Rule: SOS 17.15, SOS 17.24, SOS 17.34 */
  readonly engineers: readonly number[];
  readonly mines: readonly number[];
  readonly bridges: readonly number[];
  /**
   * Is face up wherever it is on the map, and is no other counter's double: the flotilla, bridges, and works that are
   * made in play, which both sides saw being built. Rule: SOS 7.4, SOS 17.12
   */
  readonly open: Uint8Array;
  /** River flotilla. Rule: SOS 16.51 */
  readonly boat: Uint8Array;
  /** True when there is one. */
  readonly hasBoats: boolean;
  readonly dogs: readonly number[];
  /** Herman, -1 none. Rule: SOS 13.1 */
  readonly herman: number;
  /** Moves on rails; it fights and is armor. Rule: SOS 16.61, SOS 16.63 */
  readonly train: Uint8Array;
  readonly hasTrains: boolean;
  /** Observer of the Luftwaffe. Rule: SOS 15.14 */
  readonly airOp: Uint8Array;
  /** What a sniper adds to the fire of his hex. Rule: SOS 16.13 */
  readonly sniper: Uint8Array;
  /** Leader or commissar. */
  readonly leader: Uint8Array;
  /** Leader, commissar or OP: moves without regard of the ground. Rule: SOS 14.92, SOS 18.15 */
  readonly chief: Uint8Array;
  /** Hexes that a unit reaches with indirect fire, 0 none. */
  readonly gunRange: Uint8Array;
  /** Its indirect fire is rationed: all guns but the 88 and Guards Mortars. Rule: SOS 14.73, SOS 14.74 */
  readonly rationed: Uint8Array;
  /** May spot for guns. */
  readonly spotter: Uint8Array;
  /** The units that can fire indirectly. */
  readonly guns: readonly number[];
  /** Regiments of the NKVD, in the order of their first units. */
  readonly regiments: readonly string[];
  /** Regiment of an NKVD unit in `regiments`, of other counters -1. */
  readonly regiment: Int8Array;
  /** Leads an army, or is the headquarters in his place. Rule: SOS 18.43 */
  readonly army: Uint8Array;
  /** Leaders of armies and headquarters. */
  readonly armyLeaders: readonly number[];
  /** The headquarters that comes for a leader of an army, of other counters -1. Rule: SOS 18.44, SOS 18.46 */
  readonly headquarters: Int16Array;
  /** Counters of one number may be exchanged for each other; -1 none. Rule: SOS 20.4, SOS 20.6 */
  readonly exchange: Int16Array;
  /** Can be had for points of its kind. Rule: SOS 21.42, SOS 21.43, SOS 21.44 */
  readonly replaceable: Uint8Array;
  /** Formation paths cut into parts. */
  readonly path: readonly (readonly string[])[];

  private readonly byId: ReadonlyMap<string, number>;

  constructor(readonly counters: readonly Counter[]) {
    const n = counters.length;
    this.size = n;
    this.many = SIDES.some((_, side) => counters.filter((c) => c.side === side && !c.spare).length > FEW);
    this.germans = counters.filter((c) => c.side === GERMAN).length;
    this.byId = new Map(counters.map((c, u) => [c.id, u]));
    const numbers = (of: (t: UnitType) => number) => Uint8Array.from(counters, (c) => of(c.type));
    const flags = (test: (t: UnitType) => boolean | undefined) =>
      Uint8Array.from(counters, (c) => (test(c.type) === true ? 1 : 0));
    this.side = Uint8Array.from(counters, (c) => c.side);
    this.kind = numbers((t) => KINDS.indexOf(t.kind));
    this.af = numbers((t) => t.af);
    this.df = numbers((t) => t.df);
    this.range = numbers((t) => t.range);
    this.mp = numbers((t) => t.mp);
    this.tags = [...new Set(counters.map((c) => c.tag))].sort();
    this.tag = Uint16Array.from(counters, (c) => this.tags.indexOf(c.tag));
    this.stackUnit = flags((t) => !isNotStack(t.kind));
    // Rule: SOS 6.1, ruling R2
    this.zocUnit = flags((t) => !isNotStack(t.kind) || t.kind === "sniper");
    this.holder = this.zocUnit;
    this.lossUnit = flags((t) => !isNotStack(t.kind) || ["sniper", "mine-dog", "river-flotilla"].includes(t.kind));
    this.infantryType = flags((t) => isInfantryType(t.kind));
    this.armored = flags((t) => t.armored);
    // Rule: SOS 16.48
    this.vehicle = flags((t) => t.mp >= 12 && (!isNotStack(t.kind) || t.kind === "transport"));
    this.indirect = flags((t) => t.indirect);
    this.battery = flags((t) => t.indirect === true && t.kind !== "mortar" && t.af > 0 && t.range > 0);
    this.directFire = flags((t) => t.indirect !== true && (t.af > 0 || t.df > 0));
    this.guards = flags((t) => t.guards === true || t.marine === true);
    this.nkvd = flags((t) => t.nkvd);
    this.liftsLimit = flags((t) => t.kind === "tank" || t.kind === "stug" || t.kind === "armored-car");
    this.antiTank = flags((t) => t.afUnderlined);
    this.towed = flags((t) => t.redMp !== true && (t.indirect === true || isTowed(t.kind)));
    this.carried = flags((t) => t.mp > 8 && (t.motorized === true || t.armored === true) && rides(t.kind));
    this.assaultEngineer = flags((t) => t.redAf === true && (t.kind === "engineer" || t.kind === "flamethrower"));
    this.blind = flags((t) => isWork(t.kind));
    this.spare = Uint8Array.from(counters, (c) => (c.spare && !isLeader(c.type.kind) ? 1 : 0));
    this.flak = flags((t) => t.aaCircled);
    // Rule: SOS 16.51
    this.boat = flags((t) => t.kind === "river-flotilla");
    this.hasBoats = this.boat.includes(1);
    const slots = (test: (t: UnitType) => boolean) => counters.flatMap(({ type }, u) => (test(type) ? [u] : []));
    this.transports = slots((t) => t.kind === "transport");
    this.transport = flags((t) => t.kind === "transport");
    this.rider = Uint8Array.from(counters, ({ side, type }) => {
      if (side === GERMAN || this.transports.length === 0) return 0;
      return isChief(type.kind) ? CHIEF : isTroop(type.kind) && type.mp <= FOOT_MP ? TROOP : 0;
    });
    this.engineers = slots((t) => isEngineer(t.kind));
    this.mines = slots((t) => t.kind === "minefield");
    this.bridges = slots((t) => t.kind === "bridge");
    this.open = Uint8Array.from(counters, ({ spare, type }) =>
      type.kind === "river-flotilla" || type.kind === "bridge" || (spare && isWork(type.kind)) ? 1 : 0,
    );
    this.train = flags((t) => t.kind === "armored-train");
    this.hasTrains = this.train.includes(1);
    this.herman = counters.findIndex((c) => c.type.hero === "herman");
    this.dogs = slots((t) => t.kind === "mine-dog");
    this.airOp = flags((t) => t.opLevel === "LW");
    this.sniper = numbers((t) => t.sniper ?? 0);
    this.leader = flags((t) => t.kind === "leader" || t.kind === "commissar");
    this.chief = flags((t) => t.kind === "leader" || t.kind === "commissar" || t.kind === "op");
    this.spotter = flags(
      (t) =>
        (t.kind === "op" && t.opLevel !== "LW") ||
        t.kind === "leader" ||
        t.kind === "commissar" ||
        (!isNotStack(t.kind) && t.kind !== "immobilized-tank"),
    );
    // an 88 has a range for each way of firing. Rule: SOS 2.21, SOS 2.25, SOS 14.38
    this.gunRange = numbers((t) => (t.indirect === true ? t.range : (t.indirectRange ?? 0)));
    this.guns = counters.flatMap((_, u) => (this.gunRange[u]! > 0 && this.af[u]! > 0 ? [u] : []));
    // Rule: SOS 14.73, SOS 14.74
    this.rationed = Uint8Array.from(counters, ({ type }, u) =>
      this.guns.includes(u) && type.kind !== "flak88" && type.guardsMortar !== true ? 1 : 0,
    );
    this.path = counters.map((c) => (c.formation === "" ? [] : c.formation.split("/")));
    const regimentOf = (u: number) => this.path[u]!.slice(0, REGIMENT).join("/");
    this.regiments = [
      ...new Set(
        counters.flatMap((_, u) => (this.nkvd[u] === 1 && this.path[u]!.length >= REGIMENT ? [regimentOf(u)] : [])),
      ),
    ];
    this.regiment = Int8Array.from(counters, (_, u) =>
      this.nkvd[u] === 1 ? this.regiments.indexOf(regimentOf(u)) : -1,
    );
    this.army = flags((t) => t.army === true && isLeader(t.kind));
    this.armyLeaders = counters.flatMap((_, u) => (this.army[u] === 1 ? [u] : []));
    // of two German headquarters the one with the leader's back
    this.headquarters = Int16Array.from(counters, ({ id, side, tag }, u) => {
      if (this.army[u] === 0 || HEADQUARTERS.includes(id)) return -1;
      const own = HEADQUARTERS.map((hq) => this.index(hq)).filter((hq) => hq >= 0 && counters[hq]!.side === side);
      return own.find((hq) => counters[hq]!.tag === tag) ?? own[0] ?? -1;
    });
    const sorts = counters.map(({ side, spare, type }) => (spare ? "" : exchangeSort(side, type)));
    this.exchange = Int16Array.from(sorts, (sort) => (sort === "" ? -1 : sorts.indexOf(sort)));
    this.replaceable = Uint8Array.from(counters, ({ spare, type }) => (!spare && isReplaceable(type) ? 1 : 0));
    const bodies = counters.map((c, u) => c.type.battalion ?? regimentOf(u));
    this.panzerBody = Int16Array.from(counters, (c, u) =>
      c.side === GERMAN &&
      (c.type.kind === "tank" || c.type.kind === "stug") &&
      (c.type.battalion !== undefined || this.path[u]!.length >= REGIMENT)
        ? bodies.indexOf(bodies[u]!)
        : -1,
    );
  }

  /** Slot of a counter, -1 when there is none of that id. */
  index(id: string): UnitId {
    return (this.byId.get(id) ?? -1) as UnitId;
  }
  /** First slot of a side. */
  first(side: number): UnitId {
    return (side === GERMAN ? 0 : this.germans) as UnitId;
  }
  /** One past the last slot of a side. */
  end(side: number): UnitId {
    return (side === GERMAN ? this.germans : this.size) as UnitId;
  }
  /** True when two slots contain counters that neither side can tell apart. */
  sameFace(a: number, b: number): boolean {
    const [x, y] = [this.counters[a]!, this.counters[b]!];
    return x.type === y.type && x.formation === y.formation && x.tag === y.tag;
  }
}

/**
 * The default back of a counter: the flag of its division or brigade, or the mark of independents.
 * Rule: SOS 2.22
 */
export function backOf(side: SideIndex, formation: string): string {
  return formation.split("/")[1] ?? (side === GERMAN ? "cross" : "star");
}

/**
 * Orders counters by side and adds the spare slots that no counter of the list uses.
 *
 * @param wreck values of immobilised tanks
 * @param headquarters what is printed on a headquarters
 * @throws KesselError `bad-data`: an id twice, or too many counters
 */
export function makeRoster(
  counters: readonly Counter[],
  where: string,
  wreck?: UnitType,
  headquarters?: (id: string) => Omit<Counter, "id" | "side" | "spare"> | undefined,
): Roster {
  const ids = counters.map((c) => c.id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new KesselError("bad-data", `${where}: unit ${shown(twice)} is listed twice`);
  const sides = ([GERMAN, SOVIET] as const).map((side) => counters.filter((c) => c.side === side));
  for (const [i, list] of sides.entries())
    if (list.length > MOST)
      throw new KesselError(
        "bad-data",
        `${where}: a side has at most ${MOST} counters, the ${SIDES[i]} one ${list.length}`,
      );
  const spare = sides.some((list) => list.length > FEW) ? SPARE.many : SPARE.few;
  return new Roster(
    ([GERMAN, SOVIET] as const).flatMap((side) => [
      ...sides[side]!,
      ...spare[side]
        .split(" ")
        .filter((id) => !ids.includes(id))
        .map((id): Counter => {
          const kind = SPARE_KINDS[id.split("-")[0]!]!;
          // a headquarters has a face of its own, and is in the pool until it comes. Rule: SOS 18.44, SOS 18.46
          const printed = kind === "leader" ? headquarters?.(id) : undefined;
          if (printed !== undefined) return { id, side, ...printed, spare: true };
          return {
            id,
            side,
            type: wreck?.kind === kind ? wreck : { side: SIDES[side], kind, ...NOTHING },
            typeName: "",
            formation: "",
            tag: backOf(side, ""),
            name: "",
            spare: true,
          };
        }),
    ]),
  );
}

/** The side of a counter type. @throws KesselError `bad-data` for counters that belong to nobody */
export function sideOf(type: UnitType, where: string): SideIndex {
  if (type.side === "none")
    throw new KesselError(
      "bad-data",
      `${where}: ${withArticle(type.kind)} belongs to no side; units are ${oneOf(SIDES)}`,
    );
  return type.side === "german" ? GERMAN : SOVIET;
}
