import type { StateView } from "../core/layout.js";
import { GERMAN } from "./roster.js";
import * as words from "./layout.js";
import * as state from "./state.js";
import type { World } from "./state.js";

// own constants, for speed: see core/layout.ts
const { DEAD } = words;
const { firstIn, isOver, nextIn, placeOf } = state;

/** Is a German stack unit in the hex? Rule: SOS 3.2, ruling R5 */
export function isHeldByGermans(world: World, s: StateView, hex: number): boolean {
  const { roster } = world;
  for (let u = firstIn(world, s, hex); u >= 0; u = nextIn(world, s, u))
    if (roster.side[u] === GERMAN && roster.stackUnit[u] === 1) return true;
  return false;
}

/** German points now. Rule: SOS 3.2, 3.4 */
export function germanPoints(world: World, s: StateView): number {
  const { points, valued } = world;
  let sum = s[world.layout.adjust]!;
  for (const h of valued) if (isHeldByGermans(world, s, h)) sum += points[h]!;
  return sum;
}

/** Levels of victory from the German's best to his worst. Rule: SOS 3.3 */
export const LEVELS = ["german-decisive", "german-marginal", "draw", "soviet-marginal", "soviet-decisive"] as const;
export type Level = (typeof LEVELS)[number];

/** The level that a number of German points gives; null where the position names none. Rule: SOS 3.3, ruling R84 */
export function levelOf(world: World, points: number): Level | null {
  const { levels } = world;
  if (levels === null) return null;
  if (points >= levels.germanDecisive) return "german-decisive";
  if (points >= levels.germanMarginal) return "german-marginal";
  if (levels.draw !== undefined && points >= levels.draw[0] && points <= levels.draw[1]) return "draw";
  return points <= levels.sovietDecisive ? "soviet-decisive" : "soviet-marginal";
}

/** What the German gets; the Soviet gets the negative. Spec 8. */
export function germanReturn(world: World, s: StateView): number {
  if (!isOver(world, s)) return 0;
  const level = levelOf(world, germanPoints(world, s));
  if (level === null || level === "draw") return 0;
  const worth = world.graded && level.endsWith("marginal") ? 0.5 : 1;
  return level.startsWith("german") ? worth : -worth;
}

/** Points, and a little for what each side has lost. Spec 8. */
export function pointsPotential(world: World, s: StateView): number {
  if (isOver(world, s)) return 0;
  const { roster } = world;
  let lost = 0;
  for (let u = 0; u < world.units; u++)
    if (placeOf(world, s, u) === DEAD) lost += roster.side[u] === GERMAN ? -roster.af[u]! : roster.af[u]!;
  return 0.05 * germanPoints(world, s) + 0.002 * lost;
}
