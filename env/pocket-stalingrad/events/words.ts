import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { AREA_IDS, type Tables, type AreaId, type SideId } from "../data.js";
import { L, SIDES } from "../state.js";

/** The sides as sentences name them. */
export const SIDE_WORDS = ["Soviet", "German"] as const;

export const RIGHT_WORDS = {
  artillery: "Artillery",
  deploy: "Deploy",
  guards: "Guards",
  pioneers: "Pioneers",
  sturm: "Sturm",
} as const;

export const unitsOf = (n: number): string => counted(n, "unit");

/** `Pavlov's House (2)`, `Z`. */
export const areaText = (tables: Tables, area: AreaId): string => tables.areaTexts[area]!;

export const areaId = (area: AreaId): string => AREA_IDS[area]!;
export const sideId = (side: SideId): string => SIDES[side]!;

/** Units of both sides in an area: `Soviet 3, German 2`. */
export function forces(s: StateView, area: AreaId): string {
  return `Soviet ${s[L.units + area]}, German ${s[L.units + AREA_IDS.length + area]}`;
}

/** Counts per number as an ascending list of faces. */
export function facesAt(s: StateView, at: number): number[] {
  const list: number[] = [];
  for (let f = 0; f < 6; f++) for (let n = s[at + f]!; n > 0; n--) list.push(f + 1);
  return list;
}
