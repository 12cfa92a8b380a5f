import { loadGame } from "../../env/index.js";
import { Starts } from "./starts.js";
import { wirePairs } from "./wire.js";

// `npm run leaks:wire -- GAME [PAIRS] [SEED]`: worlds that a seat can't tell apart, served twice; every byte of every reply to
// that seat is compared. Exit status 1 when something differs.
const [id = "", pairs = "1000", seed = "wire"] = process.argv.slice(2);
const game = loadGame(id);
const {
  pairs: done,
  replies,
  parted,
  operations,
  differences,
} = await wirePairs(game, Number(pairs), seed, new Starts(game, seed, 4));
for (const d of [...new Set(differences)].slice(0, 10)) console.log(d);
console.log(`replies: ${[...operations].map(([op, n]) => `${op} ${n}`).join(", ")}`);
console.log(
  `${id}: ${done} pairs of truly different worlds over the wire, ${replies} replies compared, ${parted} pairs rightly told apart while they were played, ${differences.length} differences`,
);
process.exitCode = differences.length > 0 || done < Number(pairs) ? 1 : 0;
