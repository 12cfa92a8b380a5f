import { loadGame } from "../../env/index.js";
import { comparePairs } from "../server/tools/leak-pairs.js";
import type { CodePlant } from "./plant.js";

/** Compares twin worlds over the tools while a leak is planted. @returns the first difference, or null */
export async function toolsDifferenceOf(plant: CodePlant | null, answers = 300): Promise<string | null> {
  const takeOut = plant?.install();
  try {
    return (await comparePairs(loadGame("savage-streets"), answers, "planted")).leaks[0] ?? null;
  } finally {
    takeOut?.();
  }
}
