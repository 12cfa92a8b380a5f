import type { Fault } from "../core/decision.js";
import { badPosition } from "../core/schema.js";
import { boxOf, type HexId, isBox, type UnitId } from "./layout.js";
import type { Board } from "./map/board.js";
import { BOXES, type HexFeature } from "./schema.js";
import type { Tables } from "./state.js";

export const GAME = "streets-of-stalingrad";

/** @throws KesselError `bad-position` */
export function refuse(path: string, reason: string): never {
  throw badPosition(GAME, path, reason);
}

/** @throws KesselError `bad-position` where a fault is found */
export function refuseFault(found: Fault | null): void {
  if (found !== null) refuse(found.path, found.reason);
}

/** The hex named at `path`. */
export function hexNamed(tables: Tables, id: string, path: string): HexId {
  const h = tables.board.index(id);
  return h >= 0 ? h : refuse(path, `hex ${id} is not inside the bounds`);
}

/** The hex or box named at `path`, as a target: boxes come after the hexes. */
export function targetNamed(tables: Tables, id: string, path: string): HexId {
  const box = (BOXES as readonly string[]).indexOf(id);
  return box < 0 ? hexNamed(tables, id, path) : ((tables.hexes + box) as HexId);
}

/** A hex, or a box by its place or as a target. */
export const placeId = ({ board }: Tables, place: number): string =>
  isBox(place) ? BOXES[boxOf(place)]! : (board.ids[place] ?? BOXES[place - board.size]!);

const FEATURE_NAMES: Partial<Record<HexFeature, string>> = {
  slopetop: "slope top",
  "tartar-wall": "Tartar Wall",
  "rr-cut": "railroad cut",
};

/** What a hex has beside its terrain, in words. */
export const featureNames = (board: Board, h: number): string[] =>
  (board.hexes[h]!.f ?? []).filter((f) => f !== board.terrainOf(h)).map((f) => FEATURE_NAMES[f] ?? f);

/** The unit named at `path`. */
export function unitNamed(tables: Tables, id: string, path: string): UnitId {
  const u = tables.roster.index(id);
  return u >= 0 ? u : refuse(path, `there is no unit ${id}`);
}
