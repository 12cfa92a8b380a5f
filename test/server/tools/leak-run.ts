import { loadGame } from "../../../env/index.js";
import { comparePairs } from "./leak-pairs.js";

// `npm run leaks -- tools GAME [ANSWERS] [SEED]`: a long run of the pairs over the tools; exit status 1 when a leak was
// found
const [id = "", answers = "10000", seed = "tools"] = process.argv.slice(2);
const { compared, different, leaks } = await comparePairs(loadGame(id), Number(answers), seed);
for (const leak of leaks) console.log(leak);
console.log(
  `${id}: ${compared} pairs of answers compared, ${different} of truly different worlds, ${leaks.length} leaks`,
);
process.exitCode = leaks.length > 0 ? 1 : 0;
