import type { JsonObject } from "../../../../env/index.js";

/** What the chart reader asks of a position document: counters with their printed values, ground, distances. */
export interface Unit {
  readonly id: string;
  readonly german: boolean;
  readonly kind: string;
  readonly at: string;
  readonly path: readonly string[];
  /** Printed values and flags of its type. */
  readonly type: Readonly<Record<string, unknown>>;
  /** Its own keys in the position. */
  readonly doc: Readonly<Record<string, unknown>>;
}

type Types = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Rows = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const LIFELESS = ["fortification", "minefield", "bridge"];
const CHIEFS = ["leader", "commissar", "op"];
const NOT_STACKED = [...LIFELESS, ...CHIEFS, "sniper", "mine-dog", "transport", "tank-repair", "river-flotilla"];
const HEADS = ["leader", "commissar"];

/** Column and row of a hex id; columns grow west, rows north. */
const at = (id: string): [number, number] => [Number(id.slice(0, 2)), Number(id.slice(2))];
const name = (c: number, r: number): string => `${String(c).padStart(2, "0")}${String(r).padStart(2, "0")}`;

/** The six neighbours in order round the hex. Even columns are half a hex towards higher rows. Rule: SOS 9.38 */
export function neighbours(id: string): string[] {
  const [c, r] = at(id);
  const up = c % 2 === 0 ? r + 1 : r;
  const pairs = [
    [c, r + 1],
    [c + 1, up],
    [c + 1, up - 1],
    [c, r - 1],
    [c - 1, up - 1],
    [c - 1, up],
  ] as const;
  return pairs.map(([x, y]) => name(x, y));
}

export function distance(a: string, b: string): number {
  const cube = (id: string) => {
    const [c, r] = at(id);
    return [c, r - Math.floor((c + 1) / 2)] as const;
  };
  const [[ax, az], [bx, bz]] = [cube(a), cube(b)];
  const [dx, dz] = [ax - bx, az - bz];
  return Math.max(Math.abs(dx), Math.abs(dz), Math.abs(dx + dz));
}

/** A position, read by itself. */
export class Position {
  readonly units: readonly Unit[];
  readonly turn: number;
  private readonly ground: Rows;

  constructor(
    readonly doc: JsonObject,
    types: Types,
  ) {
    this.turn = doc["turn"] as number;
    this.ground = ((doc["map"] as JsonObject)["hexes"] ?? {}) as Rows;
    this.units = Object.entries(doc["units"] as Rows).flatMap(([id, unit]): Unit[] => {
      const type = { ...types[unit["type"] as string]!, ...unit };
      const place = unit["at"];
      if (typeof place !== "string" || !/^\d{4}$/.test(place)) return [];
      const formation = (unit["formation"] ?? "") as string;
      return [
        {
          ...{ id, at: place, doc: unit, type },
          german: type["side"] === "german",
          kind: type["kind"] as string,
          path: formation === "" ? [] : formation.split("/"),
        },
      ];
    });
  }

  terrain(hex: string): string {
    return (this.ground[hex]?.["t"] ?? "clear") as string;
  }
  features(hex: string): readonly string[] {
    return (this.ground[hex]?.["f"] ?? []) as string[];
  }
  isBuiltUp(hex: string): boolean {
    return ["city", "industrial"].includes(this.terrain(hex)); // strong points take pins and zones (data.md D14)
  }
  isClear(hex: string): boolean {
    return this.terrain(hex) === "clear";
  }
  unit(id: string): Unit {
    return this.units.find((u) => u.id === id)!;
  }
  in(hex: string, german: boolean): Unit[] {
    return this.units.filter((u) => u.at === hex && u.german === german);
  }
}

export const af = (u: Unit): number => u.type["af"] as number;
export const df = (u: Unit): number => u.type["df"] as number;
export const isArmored = (u: Unit): boolean => u.type["armored"] === true && u.doc["dismounted"] !== true;
export const isVehicle = (u: Unit): boolean =>
  (u.type["mp"] as number) >= 12 && isStacked(u) && u.doc["dismounted"] !== true;
export const isUnderlined = (u: Unit): boolean => u.type["afUnderlined"] === true;
export const isHead = (u: Unit): boolean => HEADS.includes(u.kind);
export const isStacked = (u: Unit): boolean => !NOT_STACKED.includes(u.kind);
export const hasZone = (u: Unit): boolean => isStacked(u) || u.kind === "sniper";
export const isGuards = (u: Unit): boolean => u.type["guards"] === true;
export const isMarine = (u: Unit): boolean => u.type["marine"] === true;
export const isFoot = (u: Unit): boolean => ["infantry", "armored-infantry"].includes(u.kind);
/** Of one formation as far down as a number of parts. */
export const together = (a: Unit, b: Unit, parts: number): boolean =>
  a.path.length >= parts &&
  b.path.length >= parts &&
  a.path.slice(0, parts).join("/") === b.path.slice(0, parts).join("/");
/** True when a unit is in the command of a leader or OP. */
export const leads = (chief: Unit, unit: Unit): boolean =>
  chief.path.length > 0 && chief.german === unit.german && chief.path.every((part, i) => part === unit.path[i]);
