import { join } from "node:path";
import { buildProgram } from "./run.js";

/** Arguments of `kessel draw` for the picture of each game: real positions of seeded games. */
const PICTURES: readonly (readonly string[])[] = [
  ["pocket-stalingrad", "--seed", "2", "--decisions", "150", "--seat", "soviet=heuristic:greedy", "--seat", "german=heuristic:greedy"],
  ["savage-streets", "--seed", "4", "--decisions", "266", "--seat", "G=heuristic:g-storm", "--seat", "S=heuristic:s-bluff", "--viewer", "G"],
  ["strike-counterstrike", "--seed", "2", "--decisions", "212", "--seat", "soviet=heuristic:encircler"],
  ["night-fight", "--seed", "7", "--decisions", "300", "--seat", "german=heuristic:stalker", "--theme", "dark"],
  ["streets-of-stalingrad", "--option", "scenario=drill-landing", "--seed", "3", "--decisions", "60", "--seat", "german=heuristic:planner", "--seat", "soviet=heuristic:holder", "--viewer", "german"],
]; // prettier-ignore

/** Draws the picture of each game into a folder, as `GAME.png`. */
export async function drawPictures(folder: string): Promise<void> {
  for (const [game, ...flags] of PICTURES) {
    const file = join(folder, `${game!}.png`);
    await (await buildProgram()).parseAsync(["draw", game!, ...flags, "--out", file], { from: "user" });
  }
}
