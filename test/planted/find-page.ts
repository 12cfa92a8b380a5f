import { loadGame } from "../../env/index.js";
import { comparePairs } from "../server/page/leaks.js";
import { startPage } from "../server/page/guest.js";
import type { CodePlant } from "./plant.js";

/** Compares twin worlds over the page's socket while a leak is planted. @returns the first difference, or null */
export async function pageDifferenceOf(plant: CodePlant | null, pairs = 8): Promise<string | null> {
  const page = await startPage();
  const takeOut = plant?.install();
  try {
    return (
      (await comparePairs(page, loadGame(plant?.game ?? "savage-streets"), pairs, "planted")).differences[0] ?? null
    );
  } finally {
    takeOut?.();
    await page.close();
  }
}
