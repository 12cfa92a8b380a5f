import { readFileSync } from "node:fs";
import type { GameData, Json } from "../core/game.js";

/**
 * A game's data files, each read when it is first asked for and kept, so that games and scenarios that are not played
 * cost no start-up time.
 *
 * @param folder folder of `NAME.json`, with a slash at the end
 */
export function filesOf(folder: URL, names: readonly string[]): () => GameData {
  const files: Record<string, Json> = {};
  for (const name of names)
    Object.defineProperty(files, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as Json;
        Object.defineProperty(files, name, { value, enumerable: true });
        return value;
      },
    });
  return () => files;
}

/** The data with one file replaced; of the others none is read. */
export const replaceFile = (data: GameData, name: string, value: Json): GameData =>
  Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(data), [name]: { value, enumerable: true } });
