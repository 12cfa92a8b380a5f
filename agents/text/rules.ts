import { type GameType, ruleById, searchRules } from "../../env/index.js";
import { ruleText } from "./sentences.js";

/** Rules that a search gives at once. */
const MOST_RULES = 20;

/**
 * A rule by its id, or the rules that contain some words.
 *
 * @throws KesselError `unknown-rule` where there is none
 */
export function foundRules(type: GameType, words: string, width: number): string {
  try {
    return ruleText(ruleById(type, words), width);
  } catch (e) {
    const found = searchRules(type, words);
    if (found.length === 0) throw e;
    const more = found.length > MOST_RULES ? [`and ${found.length - MOST_RULES} more`] : [];
    return [...found.slice(0, MOST_RULES).map((r) => ruleText(r, width)), ...more].join("\n");
  }
}
