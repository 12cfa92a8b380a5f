import { join } from "node:path";
import { buildProgram } from "./run.js";

/** Arguments of `kessel draw` for each picture, by its name: real positions of seeded games. */
export const PICTURES: Readonly<Record<string, readonly string[]>> = {
  "pocket-stalingrad": ["pocket-stalingrad", "--seed", "2", "--decisions", "150", "--seat", "soviet=heuristic:greedy", "--seat", "german=heuristic:greedy"],
  "savage-streets": ["savage-streets", "--seed", "4", "--decisions", "266", "--seat", "G=heuristic:g-storm", "--seat", "S=heuristic:s-bluff", "--viewer", "G"],
  "strike-counterstrike": ["strike-counterstrike", "--seed", "2", "--decisions", "212", "--seat", "soviet=heuristic:encircler"],
  "night-fight": ["night-fight", "--seed", "7", "--decisions", "300", "--seat", "german=heuristic:stalker", "--theme", "dark"],
  "streets-of-stalingrad": ["streets-of-stalingrad", "--option", "scenario=drill-landing", "--seed", "3", "--decisions", "60", "--seat", "german=heuristic:planner", "--seat", "soviet=heuristic:holder", "--viewer", "german"],
  "streets-of-stalingrad-campaign": ["streets-of-stalingrad", "--option", "scenario=campaign", "--seed", "3", "--decisions", "1", "--viewer", "german"],
}; // prettier-ignore

/** Draws the pictures of the games into a folder, as `NAME.png`. */
export async function drawPictures(folder: string): Promise<void> {
  for (const [name, args] of Object.entries(PICTURES)) {
    const file = join(folder, `${name}.png`);
    await (await buildProgram()).parseAsync(["draw", ...args, "--out", file], { from: "user" });
  }
}
