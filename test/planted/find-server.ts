import { Starts } from "../conformance/starts.js";
import { wirePairs } from "../conformance/wire/wire.js";
import { type CodePlant, toyAmbush } from "./plant.js";

/** Compares twin worlds over the wire while a leak is planted. @returns the first difference, or null */
export async function differenceOf(plant: CodePlant | null, pairs = 200): Promise<string | null> {
  const game = toyAmbush();
  const starts = new Starts(game, "planted", 12);
  const takeOut = plant?.install();
  try {
    return (await wirePairs(game, pairs, "planted", starts, { wide: 1 })).differences[0] ?? null;
  } finally {
    takeOut?.();
  }
}
