import { KesselError, oneOf, shown } from "./errors.js";
import type { GameType, Rule } from "./game.js";

/** One rule of the rule index, with its id. */
export interface FoundRule extends Rule {
  readonly id: string;
}

/**
 * The rule that `id` names; the game's prefix may be left out (`7.31` for `SS 7.31`), capitals don't matter.
 *
 * @throws KesselError `unknown-rule`, naming rules that are near
 */
export function ruleById(type: GameType, id: string): FoundRule {
  const wanted = id.trim().toLowerCase();
  const key = Object.keys(type.rules).find((k) => {
    const name = k.toLowerCase();
    return name === wanted || name.replace(/^\S+ /, "") === wanted;
  });
  if (key !== undefined) return { id: key, ...type.rules[key]! };
  const near = Object.keys(type.rules).filter((k) => k.toLowerCase().includes(wanted));
  const named = near.length > 0 ? near : Object.keys(type.rules);
  throw new KesselError("unknown-rule", `${type.id} has no rule ${shown(id)}; there are ${oneOf(named, 12)}`);
}

/** Shorter words would match across the boundary of two words. */
const COMPOUND = 8;

/** Rules whose id or text holds every word, best first: those with a word in the id, then in the order of the index. */
export function searchRules(type: GameType, words: string): FoundRule[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== "");
  if (wanted.length === 0) return [];
  const found = Object.entries(type.rules).flatMap(([id, rule]) => {
    const name = id.toLowerCase();
    const text = `${name} ${rule.says.toLowerCase()}`;
    const joined = text.replace(/[\s-]/g, ""); // finds `breakthrough` in `break through`
    const holds = (w: string): boolean => text.includes(w) || (w.length >= COMPOUND && joined.includes(w));
    return wanted.every(holds) ? [{ named: wanted.some((w) => name.includes(w)), id, rule }] : [];
  });
  return found.sort((a, b) => Number(b.named) - Number(a.named)).map(({ id, rule }) => ({ id, ...rule }));
}
