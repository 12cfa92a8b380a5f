import { type Game, gameFor, gameType, type JsonObject } from "../../../env/index.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";

/** What a row of the book's scenarios says of a start: who begins where, counters in a box by the name of the box. */
export interface Deployment {
  readonly id: string;
  readonly firstTurn: number;
  readonly turns: number;
  readonly bounds: { readonly cols: readonly number[]; readonly rows: readonly number[] };
  readonly victory: JsonObject;
  readonly stukas: { readonly first: number };
  readonly deploy: Readonly<Record<string, readonly string[]>>;
}

/** The position of a large scenario under the rules that are built: whoever begins in a box is in the pool. */
export function positionOf({ bounds, deploy, firstTurn, stukas, turns, victory }: Deployment): JsonObject {
  const places = new Map(Object.entries(deploy).flatMap(([at, ids]) => ids.map((id) => [id, at] as const)));
  const { units } = streetsOfStalingrad.data["units"] as unknown as { units: readonly (readonly string[])[] };
  const counters = units.flatMap(([id, type, formation, tag, name]) => {
    const at = places.get(id!);
    if (at === undefined) return [];
    const known = Object.entries({ formation, tag, name }).filter(([, v]) => v !== undefined && v !== "");
    return [[id!, { type: type!, at: /^\d{4}$/.test(at) ? at : "pool", ...Object.fromEntries(known) }] as const];
  });
  return {
    game: "streets-of-stalingrad",
    notation: 1,
    scenario: "sandbox",
    map: { base: "standard" },
    bounds: { cols: [...bounds.cols], rows: [...bounds.rows] },
    victory,
    turn: firstTurn,
    lastTurn: firstTurn + turns - 1,
    phase: 1,
    stage: "end",
    stukas: { available: stukas.first },
    units: Object.fromEntries(counters) as JsonObject,
  };
}

/** A game that starts from such a position. */
export const gameOf = (row: Deployment): Game => gameFor(gameType("streets-of-stalingrad"), positionOf(row));
