import type { GameData } from "../../../env/index.js";
import { TOY_LIBRARY } from "../toys.js";

/** For worker threads, which import this module: a heuristic agent that ends its thread as its name says. */
export const library = {
  load: (id: string, options: unknown, data: GameData) => TOY_LIBRARY.load(id, options, data),
  makeAgent: (name: string) =>
    Promise.resolve({
      name,
      act(decisions: { size: number; mask: Uint8Array; game: { actions: readonly string[] } }, out: Int32Array) {
        const { size, mask, game } = decisions;
        const A = game.actions.length;
        for (let i = 0; i < size; i++) out[i] = mask.subarray(i * A, (i + 1) * A).indexOf(1);
        if (!name.startsWith("heuristic:")) return Promise.resolve();
        switch (name) {
          case "heuristic:throws-later":
            setTimeout(() => {
              throw new Error("the secret is a plum");
            });
            break;
          case "heuristic:exits":
            process.exit(3);
            break;
          case "heuristic:overflows": {
            const deeper = (n: number): number => 1 + deeper(n + 1);
            deeper(0);
            break;
          }
          case "heuristic:rejects":
            void Promise.reject(new Error("the secret is a plum"));
        }
        return new Promise<void>((done) => setTimeout(done, 200));
      },
    }),
};
