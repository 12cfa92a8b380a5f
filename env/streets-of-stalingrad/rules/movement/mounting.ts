import type { Play } from "../../../core/play.js";
import type { State, StateView } from "../../../core/layout.js";
import { BANK_SHIFT, DISMOUNTED, GROUP, MODE_CHANGED, OOS_SHIFT } from "../../layout.js";
import * as events from "../../events/armor.js";
import { extraOf, give, has, placeOf, setExtra, take } from "../../state.js";
import type { Tables } from "../../state.js";
import { inKnownZoc, isBlocked } from "../units/zoc.js";

/** True when a unit may leave its vehicles now. Rule: SOS 8.71, SOS 8.72, ruling R70 */
export const mayDismount = (tables: Tables, s: StateView, unit: number): boolean =>
  tables.roster.carried[unit] === 1 && !has(tables, s, unit, DISMOUNTED | MODE_CHANGED);

/**
 * True when a unit may mount again. Its vehicles must reach it from a road, free of the enemy. Rule: SOS 8.73, SOS 8.74
 */
export function mayRemount(tables: Tables, s: StateView, unit: number): boolean {
  if (!has(tables, s, unit, DISMOUNTED) || has(tables, s, unit, MODE_CHANGED)) return false;
  const { board, roster } = tables;
  const hex = placeOf(tables, s, unit);
  const onRoad = board.hasFeature(hex, "road") || board.hasFeature(hex, "bridge");
  const rough = ["balka", "cliff"].includes(board.terrainOf(hex)) || board.hasFeature(hex, "balka");
  if ((rough || board.hasFeature(hex, "cliff")) && !onRoad) return false;
  return extraOf(tables, s, unit, OOS_SHIFT) === 0 && reachesRoad(tables, s, roster.side[unit]!, hex, null);
}

/**
 * True when there is a way for vehicles from a hex to a road, by hexes without enemies and their zones of control.
 *
 * @param gates other hexes that will do, null: none
 */
export function reachesRoad(
  tables: Tables,
  s: StateView,
  side: number,
  hex: number,
  gates: Uint8Array | null,
): boolean {
  const { board, from, reached } = tables;
  if (inKnownZoc(tables, s, side, hex)) return false;
  // nodes of `banks` in the order found; `from` notes which were met
  const { banks } = board;
  from.fill(-1);
  reached[0] = banks.node(hex, 0);
  from[reached[0]!] = 0;
  for (let i = 0, n = 1; i < n; i++) {
    const node = reached[i]!;
    const h = banks.hexOf[node]!;
    if (board.hasFeature(h, "road") || gates?.[h] === 1) return true;
    for (let d = 0; d < 6; d++) {
      const to = board.neighbours[h * 6 + d]!;
      if (to < 0 || board.vehicleCost[h * 6 + d] === 0) continue;
      if (!banks.mayLeave(h, banks.bankOf[node]!, d, side === 1, true)) continue;
      const next = banks.node(to, banks.enter(h, banks.bankOf[node]!, d, to));
      if (from[next] !== -1 || isBlocked(tables, s, side, to) || inKnownZoc(tables, s, side, to)) continue;
      from[next] = 0;
      reached[n++] = next;
    }
  }
  return false;
}

/** All units of the group that may leave their vehicles, or mount again. */
export function changeMode(tables: Tables, s: State, dismounts: boolean, play: Play): void {
  const changed: number[] | null = play.narrator === null ? null : [];
  for (let u = 0; u < tables.units; u++) {
    if (!has(tables, s, u, GROUP) || !(dismounts ? mayDismount(tables, s, u) : mayRemount(tables, s, u))) continue;
    changed?.push(u);
    give(tables, s, u, MODE_CHANGED);
    if (dismounts) give(tables, s, u, DISMOUNTED);
    else take(tables, s, u, DISMOUNTED);
    setExtra(tables, s, u, BANK_SHIFT, 0);
    tables.stirred.note(u);
  }
  if (changed !== null) events.mounts(tables, s, changed, dismounts, play);
}

/** True when a unit of the group may leave its vehicles, or mount again. */
export function canChangeMode(tables: Tables, s: StateView, dismounts: boolean): boolean {
  for (let u = 0; u < tables.units; u++)
    if (has(tables, s, u, GROUP) && (dismounts ? mayDismount(tables, s, u) : mayRemount(tables, s, u))) return true;
  return false;
}
