import { oneOf } from "../core/errors.js";
import type { Tables } from "./data.js";
import { type AreaId, type ChitId, GERMANS, type UnitId } from "./state.js";

/** Things by their names in documents. Each gives the thing, or why there is none. */

export function areaNamed(tables: Tables, id: string): AreaId | string {
  const a = tables.data.areaIds.indexOf(id);
  return a < 0 ? `there is no area ${id}; there are ${oneOf(tables.data.areaIds, 20)}` : a;
}

export function unitNamed(tables: Tables, id: string, side: "German" | "Soviet"): UnitId | string {
  const u = tables.data.unitIds.indexOf(id);
  if (u < 0) return `there is no unit ${id}`;
  return u < GERMANS === (side === "German") ? u : `${id} is no ${side} unit`;
}

export function chitNamed(tables: Tables, id: string): ChitId | string {
  const c = tables.data.chitIds.indexOf(id);
  return c < 0 ? `there is no chit ${id}` : c;
}
