/** Draws the pictures of the README again: `npm run pictures`. */
import { buildProgram } from "./run.js";

const PICTURES: readonly (readonly string[])[] = [
  ["pocket-stalingrad", "--seed", "2", "--decisions", "150", "--seat", "soviet=heuristic:greedy", "--seat", "german=heuristic:greedy"],
  ["savage-streets", "--seed", "4", "--decisions", "266", "--seat", "G=heuristic:g-storm", "--seat", "S=heuristic:s-bluff", "--viewer", "G"],
  ["strike-counterstrike", "--seed", "2", "--decisions", "212", "--seat", "soviet=heuristic:encircler"],
  ["night-fight", "--seed", "7", "--decisions", "300", "--seat", "german=heuristic:stalker", "--theme", "dark"],
  ["streets-of-stalingrad", "--seed", "3", "--decisions", "30", "--seat", "german=heuristic:planner", "--seat", "soviet=heuristic:holder", "--viewer", "german", "--width", "660"],
]; // prettier-ignore

for (const [game, ...flags] of PICTURES)
  await (await buildProgram()).parseAsync(["draw", game!, ...flags, "--out", `.github/${game}.png`], { from: "user" });
