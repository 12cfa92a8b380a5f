import { join } from "node:path";
import { GAMES, gameIds } from "../../env/index.js";
import { optionSets } from "../conformance/option-sets.js";
import { playthrough } from "./playthrough.js";
import { citationsOf } from "../../server/cli/rule/citations.js";
import { rulesText } from "./rules.js";

export const ROOT = join(import.meta.dirname, "../..");

/**
 * Golden files by their path in the repository, with their contents.
 *
 * @param ids games; all by default
 */
export function goldenFiles(ids: readonly string[] = gameIds()): { path: string; text: () => string }[] {
  return GAMES.filter((type) => ids.includes(type.id)).flatMap((type) => {
    const sets = optionSets(type);
    const shown = sets.length > 1 ? [sets[0]!, sets.at(-1)!] : sets;
    return [
      { path: `test/golden/${type.id}/rules.txt`, text: () => rulesText(type, citationsOf(type, ROOT)) },
      ...shown.map(({ name, game }, i) => ({
        path: `test/golden/${type.id}/playthrough-${i + 1}.txt`,
        text: () => playthrough(game, name, `golden/${i + 1}`),
      })),
    ];
  });
}
