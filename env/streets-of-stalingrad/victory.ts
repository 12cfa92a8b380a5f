import type { StateView } from "../core/layout.js";
import { GERMAN } from "./roster.js";
import { DEAD, HELD } from "./layout.js";
import { firstIn, isOver, nextIn, placeOf } from "./state.js";
import { isAbsent } from "./divisions.js";
import type { Tables } from "./state.js";

/** True when a German stack unit is in the hex. Rule: SOS 3.2, ruling R5 */
export function isHeldByGermans(tables: Tables, s: StateView, hex: number): boolean {
  const { layout, roster } = tables;
  if (s[layout.toldHolders] === 1) return (s[layout.hexState + hex]! & HELD) !== 0;
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (roster.side[u] === GERMAN && roster.stackUnit[u] === 1) return true;
  return false;
}

/** German points now; divisions that have not come count. Rule: SOS 3.2, SOS 3.4, SOS 3.5, ruling R114 */
export function germanPoints(tables: Tables, s: StateView): number {
  const { points, valued } = tables;
  let sum = s[tables.layout.adjust]!;
  for (const h of valued) if (isHeldByGermans(tables, s, h)) sum += points[h]!;
  for (const division of tables.setting.divisions) if (isAbsent(tables, s, division)) sum += division.points;
  return sum;
}

/** Levels of victory from the German's best to the worst. Rule: SOS 3.3 */
export const LEVELS = ["german-decisive", "german-marginal", "draw", "soviet-marginal", "soviet-decisive"] as const;
export type Level = (typeof LEVELS)[number];

/** The level that a number of German points gives; null where the position names none. Rule: SOS 3.3, ruling R84 */
export function levelOf(tables: Tables, points: number): Level | null {
  const { levels } = tables;
  if (levels === null) return null;
  if (points >= levels.germanDecisive) return "german-decisive";
  if (points >= levels.germanMarginal) return "german-marginal";
  if (levels.draw !== undefined && points >= levels.draw[0] && points <= levels.draw[1]) return "draw";
  return points <= levels.sovietDecisive ? "soviet-decisive" : "soviet-marginal";
}

/** What the German gets; the Soviet gets the negative. Spec 8. */
export function germanReturn(tables: Tables, s: StateView): number {
  if (!isOver(tables, s)) return 0;
  const level = levelOf(tables, germanPoints(tables, s));
  if (level === null || level === "draw") return 0;
  const worth = tables.graded && level.endsWith("marginal") ? 0.5 : 1;
  return level.startsWith("german") ? worth : -worth;
}

/**
 * German points beyond what a draw or a Soviet victory has, as a share of the range between the two decisive victories;
 * 0 where the position names no levels. Rule: SOS 3.3
 */
export function pointsMargin(tables: Tables, s: StateView): number {
  const { levels } = tables;
  if (levels === null) return 0;
  const { germanMarginal, germanDecisive, sovietDecisive, draw } = levels;
  const even = draw === undefined ? germanMarginal - 0.5 : (draw[0] + draw[1]) / 2;
  return Math.max(-1, Math.min(1, (germanPoints(tables, s) - even) / Math.max(1, germanDecisive - sovietDecisive)));
}

/** Points, and a little for what each side has lost. Spec 8. */
export function pointsPotential(tables: Tables, s: StateView): number {
  if (isOver(tables, s)) return 0;
  const { roster } = tables;
  let lost = 0;
  for (let u = 0; u < tables.units; u++)
    if (placeOf(tables, s, u) === DEAD) lost += roster.side[u] === GERMAN ? -roster.af[u]! : roster.af[u]!;
  return 0.05 * germanPoints(tables, s) + 0.002 * lost;
}
