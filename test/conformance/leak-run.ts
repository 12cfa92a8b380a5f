import { loadGame } from "../../env/index.js";
import { Complaints } from "./complaints.js";
import { leakPairs } from "./leaks.js";

// `npm run leaks -- GAME [PAIRS] [SEED] [OPTION=VALUE ...]`: a long run of the leak kit; exit status 1 when a leak was found
const [id = "", pairs = "10000", seed = "leaks", ...chosen] = process.argv.slice(2);
const game = loadGame(id, Object.fromEntries(chosen.map((c) => c.split("="))));
const complaints = new Complaints();
const { compared, different } = leakPairs(game, Number(pairs), seed, complaints);
for (const { code, says } of complaints.list()) console.log(`${code}: ${says}`);
console.log(
  `${id}: ${compared} pairs of worlds compared, ${different} of them truly different, ${complaints.list().length} kinds of leaks`,
);
process.exitCode = complaints.list().length > 0 ? 1 : 0;
