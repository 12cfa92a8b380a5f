import { boardRows, type Game, SPECTATOR, sceneFault, sceneOf, sceneSchema } from "../../env/index.js";
import type { Complaints } from "./complaints.js";
import type { Point } from "./play.js";

/** Scenes fit their schema, name only what is there, and keep one board through the whole game. */
export function checkScenes(game: Game, points: readonly Point[], complaints: Complaints): void {
  const boards = new Set<string>();
  for (const { s } of points)
    for (const viewer of [...game.players.keys(), SPECTATOR]) {
      const scene = sceneOf(game, s, viewer);
      const read = sceneSchema.safeParse(scene);
      if (!read.success) {
        const [issue] = read.error.issues;
        complaints.add("scene", `${issue!.path.join(".")}: ${issue!.message}`);
        continue;
      }
      const fault = sceneFault(scene, boardRows(game));
      if (fault !== null) complaints.add("scene", fault);
      boards.add(JSON.stringify(scene.board));
    }
  complaints.expect(boards.size <= 1, "scene", () => `the board changes: ${boards.size} were drawn`);
}
