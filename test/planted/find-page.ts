import { loadGame } from "../../env/index.js";
import { comparePairs } from "../server/page/leaks.js";
import { compareLookBack } from "../server/page/look-back-pairs.js";
import { comparePuzzles } from "../server/page/puzzle-pairs.js";
import { startPage } from "../server/page/guest.js";
import type { CodePlant } from "./plant.js";

/** Pairs of who looks back: each asks about all its past. */
const FEW = 2;

/** Compares twin worlds over the page's socket while a leak is planted. @returns the first difference, or null */
export async function pageDifferenceOf(plant: CodePlant | null, pairs = 8): Promise<string | null> {
  const page = await startPage();
  const takeOut = plant?.install();
  try {
    const game = loadGame(plant?.game ?? "savage-streets");
    const { differences } =
      plant?.looksBack === true
        ? await compareLookBack(page, game, FEW, "planted", false)
        : plant?.puzzles === true
          ? await comparePuzzles(page, FEW, "planted")
          : await comparePairs(page, game, pairs, "planted");
    return differences[0] ?? null;
  } finally {
    takeOut?.();
    await page.close();
  }
}
