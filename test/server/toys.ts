import { type GameData, KesselError, resolveOptions } from "../../env/index.js";
import type { HandlerOptions } from "../../server/handler.js";
import { TOYS } from "../toys/index.js";

/** The toy games as a server's library. */
export const TOY_LIBRARY = {
  games: TOYS,
  module: import.meta.url,
  load(id: string, options: unknown, data: GameData) {
    const type = TOYS.find((t) => t.id === id);
    if (type === undefined) throw new KesselError("unknown-game", `there is no toy ${id}`);
    return type.load(resolveOptions(type, options), { ...type.data, ...data });
  },
} satisfies HandlerOptions;

/** For worker threads, which import this module. */
export const library = { load: TOY_LIBRARY.load };
