import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Game, gameType, loadGame } from "../../env/index.js";
import { Complaints } from "./complaints.js";
import { Coverage, type CoverageCounts, listedKinds } from "./coverage.js";
import { leakPairs } from "./leaks.js";
import { optionSets } from "./option-sets.js";
import { Starts } from "./starts.js";

/** Games of heuristics for each option set, and the most of them while a kind of decision was not met. */
const GAMES_PLAYED = 4;
const MOST_GAMES = 40;
/** Comparisons in a round, over all option sets; progress is reported and saved after each. */
const ROUND = 50_000;
/** Rounds that begin in the same situations. */
const ROUNDS_OF_STARTS = 4;

/** What is saved after each round, so that a run that was stopped goes on. */
interface Progress {
  rounds: number;
  seconds: number;
  compared: number;
  different: number;
  followed: number;
  parted: number;
  unfollowed: number;
  fallbacks: number;
  /** Of each option set: comparisons, and how many were of truly different worlds. */
  sets: Record<string, { compared: number; different: number }>;
  coverage: CoverageCounts;
  leaks: string[];
}

// `npm run leaks -- GAME [PAIRS] [SEED] [OPTION=VALUE ...] [--save FILE]`: a long run of the leak kit, over all option
// sets of the game or with the options given, until PAIRS pairs of truly different worlds were compared; --save goes on
// where a run with that file was stopped. Exit status 1 when a leak was found or a kind of decision was never met.
const { values, positionals } = parseArgs({ allowPositionals: true, options: { save: { type: "string" } } });
const [id = "", pairs = "10000", seed = "leaks", ...chosen] = positionals;
const wanted = Number(pairs);
const type = gameType(id);
const sets =
  chosen.length === 0
    ? optionSets(type)
    : [{ name: chosen.join(" "), game: loadGame(id, Object.fromEntries(chosen.map((c) => c.split("=")))) }];
const counted = ["compared", "different", "followed", "parted", "unfollowed", "fallbacks"] as const;
const p: Progress =
  values.save !== undefined && existsSync(values.save)
    ? (JSON.parse(readFileSync(values.save, "utf8")) as Progress)
    : {
        ...{ rounds: 0, seconds: 0, compared: 0, different: 0, followed: 0, parted: 0, unfollowed: 0, fallbacks: 0 },
        sets: Object.fromEntries(sets.map(({ name }) => [name, { compared: 0, different: 0 }])),
        coverage: {},
        leaks: [],
      };
const total = new Coverage(sets[0]!.game, p.coverage);
const complaints = new Complaints();
const starts = new Map<string, { of: string; starts: Starts }>();

while (p.different < wanted && (p.rounds === 0 || p.different > 0)) {
  const began = performance.now();
  const comparisons = Math.min(ROUND, Math.ceil((wanted - p.different) / Math.max(0.1, share(p))));
  const active = sets.filter(({ name }) => p.rounds === 0 || share(p.sets[name]!) > 0);
  for (const { name, game } of active) {
    const { coverage, ...count } = leakPairs(
      game,
      Math.ceil(comparisons / active.length),
      `${seed}/${p.rounds}`,
      complaints,
      startsOf(name, game),
    );
    total.add(coverage);
    for (const key of counted) p[key] += count[key];
    p.sets[name]!.compared += count.compared;
    p.sets[name]!.different += count.different;
  }
  p.rounds++;
  p.seconds += (performance.now() - began) / 1000;
  p.coverage = total.counts();
  p.leaks = [
    ...new Set([
      ...p.leaks,
      ...complaints.list().map(({ code, says }) => `${code}: ${says.replace(/ \(\d+ times\)$/, "")}`),
    ]),
  ];
  if (values.save !== undefined) {
    writeFileSync(`${values.save}.new`, JSON.stringify(p));
    renameSync(`${values.save}.new`, values.save);
  }
  if (p.different < wanted)
    console.error(
      `${p.different} of ${wanted} pairs after ${p.rounds} rounds and ${p.seconds.toFixed(0)} s, ${p.leaks.length} leaks`,
    );
}

/** How many comparisons were of truly different worlds, 0 to 1. */
function share({ compared, different }: { compared: number; different: number }): number {
  return compared === 0 ? 0 : different / compared;
}

/** Situations to begin in, made again every few rounds. Kinds that only an option brings are met where it is on. */
function startsOf(name: string, game: Game): Starts {
  const of = `${seed}/${Math.trunc(p.rounds / ROUNDS_OF_STARTS)}`;
  const known = starts.get(name);
  if (known?.of === of) return known.starts;
  const made = new Starts(game, of, GAMES_PLAYED, sets.length === 1 ? MOST_GAMES : GAMES_PLAYED);
  starts.set(name, { of, starts: made });
  return made;
}

const missed = total.missed();
for (const leak of p.leaks) console.log(leak);
for (const line of total.lines()) console.log(line);
if (missed.length > 0) console.log(`never met: ${missed.join(", ")}`);
const kinds = listedKinds(sets[0]!.game).length;
if (kinds === 0)
  console.log(`${id} lists no kinds of decisions: give the features of \`decision\` that name them the norm "one-hot"`);
if (sets.length > 1)
  console.log(
    `option sets: ${Object.entries(p.sets)
      .map(([name, { compared, different }]) => `${name} ${different} of ${compared}`)
      .join(", ")}`,
  );
console.log(
  `actions: ${p.followed} followed in the twin, ${p.parted} rightly told the worlds apart, ${p.unfollowed} had nothing in the twin that looks the same`,
);
if (p.fallbacks > 0) console.log(`samples: ${p.fallbacks} ignored some of the history, and made no pair`);
console.log(
  `${id}: ${p.compared} pairs of worlds compared over ${sets.length} option sets, ${p.different} of them truly different, ${p.leaks.length} leaks, ${p.seconds.toFixed(0)} s`,
);
if (p.different === 0) console.log(`${id} hides nothing: no two worlds look the same to a player`);
process.exitCode = p.leaks.length > 0 || missed.length > 0 || kinds === 0 ? 1 : 0;
