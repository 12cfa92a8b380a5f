import { gameType, loadGame } from "../../env/index.js";
import { Complaints } from "./complaints.js";
import { Coverage, listedKinds } from "./coverage.js";
import { leakPairs } from "./leaks.js";
import { optionSets } from "./option-sets.js";
import { Starts } from "./starts.js";

/** Games of heuristics for each option set, and the most of them while a kind of decision was not met. */
const GAMES_PLAYED = 4;
const MOST_GAMES = 40;

// `npm run leaks -- GAME [PAIRS] [SEED] [OPTION=VALUE ...]`: a long run of the leak kit, over all option sets of the
// game or with the options given; exit status 1 when a leak was found or a kind of decision was never met
const [id = "", pairs = "10000", seed = "leaks", ...chosen] = process.argv.slice(2);
const type = gameType(id);
const sets =
  chosen.length === 0
    ? optionSets(type)
    : [{ name: chosen.join(" "), game: loadGame(id, Object.fromEntries(chosen.map((c) => c.split("=")))) }];
const complaints = new Complaints();
const total = new Coverage(sets[0]!.game);
const counts = { compared: 0, different: 0, followed: 0, parted: 0, unfollowed: 0 };
for (const { game } of sets) {
  // kinds that only an option brings are met where the option is on
  const starts = new Starts(game, seed, GAMES_PLAYED, sets.length === 1 ? MOST_GAMES : GAMES_PLAYED);
  const count = leakPairs(game, Math.ceil(Number(pairs) / sets.length), seed, complaints, starts);
  total.add(count.coverage);
  for (const key of Object.keys(counts) as (keyof typeof counts)[]) counts[key] += count[key];
}
const missed = total.missed();
for (const { code, says } of complaints.list()) console.log(`${code}: ${says}`);
for (const line of total.lines()) console.log(line);
if (missed.length > 0) console.log(`never met: ${missed.join(", ")}`);
const kinds = listedKinds(sets[0]!.game).length;
if (kinds === 0)
  console.log(`${id} lists no kinds of decisions: give the features of \`decision\` that name them the norm "one-hot"`);
console.log(
  `actions: ${counts.followed} followed in the twin, ${counts.parted} rightly told the worlds apart, ${counts.unfollowed} had nothing in the twin that looks the same`,
);
console.log(
  `${id}: ${counts.compared} pairs of worlds compared over ${sets.length} option sets, ${counts.different} of them truly different, ${complaints.list().length} kinds of leaks`,
);
process.exitCode = complaints.list().length > 0 || missed.length > 0 || kinds === 0 ? 1 : 0;
