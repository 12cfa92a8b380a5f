import { isMainThread } from "node:worker_threads";
import type { GameData } from "../../../env/index.js";
import type { HandlerOptions } from "../../../server/handler.js";
import { TOY_LIBRARY } from "../toys.js";

/** Toy games that can't be observed in other threads than the first. */
export const FAULTY_LIBRARY = {
  ...TOY_LIBRARY,
  module: import.meta.url,
  load(id: string, options: unknown, data: GameData) {
    const game = TOY_LIBRARY.load(id, options, data);
    if (isMainThread) return game;
    return Object.assign(Object.create(game) as typeof game, {
      observe() {
        throw new Error("not here");
      },
    });
  },
} satisfies HandlerOptions;

export const library = { load: FAULTY_LIBRARY.load };
