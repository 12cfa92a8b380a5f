import { type Game, Rng } from "../../env/index.js";
import { checkBatch } from "./batch.js";
import { checkChance, checkNoChance } from "./chance.js";
import { type Complaint, Complaints } from "./complaints.js";
import { checkDeterminism, checkReplays, checkRoundTrip } from "./documents.js";
import { checkSeen, checkViews, leakPairs } from "./leaks.js";
import { playAll } from "./play.js";
import { checkMasks, checkQuestions } from "./questions.js";
import { checkGuide } from "./guide.js";
import { checkNarration } from "./narration.js";
import { checkResample, checkSamplesPlay, checkIndistinguishable } from "./resample.js";
import { checkScenes } from "./scenes.js";
import { Starts } from "./starts.js";
import { checkOrders, checkRuleIndex, checkStatic } from "./static.js";
import { TWINS } from "./twins/index.js";

export interface CheckBudget {
  /** Whole random games. Default 12. */
  games?: number;
  /** Situations met in them that are looked at closely. Default 80. */
  points?: number;
  /** Pairs of worlds compared by the leak kit. Default 1,000. */
  pairs?: number;
  /** Actions whose outcomes are enumerated and sampled. Default 12. */
  chances?: number;
  /** Steps of each of nine batches of four. Default 60. */
  steps?: number;
  /** Another seed gives other games. Default `conformance`. */
  seed?: string;
}

/**
 * Holds a game against everything env/core/game.ts promises, over seeded random play.
 *
 * @returns what was not kept; empty for a sound game
 */
export function checkGame(game: Game, budget: CheckBudget = {}): Complaint[] {
  const { games = 12, points = 80, pairs = 1000, chances = 12, steps = 60, seed = "conformance" } = budget;
  const complaints = new Complaints();
  const rng = new Rng(seed);
  const again = () => game.type.load(game.options, game.type.data);
  complaints.guard("static", () => checkStatic(game, complaints));
  complaints.guard("rules", () => checkRuleIndex(game.type, complaints));
  complaints.guard("orders", () => checkOrders(game, complaints));
  complaints.guard("guide", () => checkGuide(game.type, complaints));
  complaints.guard("play", () => {
    const { played, kept } = playAll(game, seed, games, points, rng, complaints);
    complaints.guard("masks", () => checkMasks(game, kept, rng, complaints));
    complaints.guard("questions", () => checkQuestions(game, kept, complaints));
    complaints.guard("documents", () => checkRoundTrip(game, kept, rng, complaints));
    complaints.guard("determinism", () => checkDeterminism(game, again(), played, complaints));
    complaints.guard("replays", () => checkReplays(game, played, complaints));
    complaints.guard("resample", () => checkResample(game, kept, rng, complaints));
    complaints.guard("samples", () => checkSamplesPlay(game, kept, rng, complaints));
    complaints.guard("scenes", () => checkScenes(game, kept, complaints));
    complaints.guard("narration", () => checkNarration(game, kept, rng, complaints));
    complaints.guard("views", () => checkViews(game, kept, complaints));
    complaints.guard("seen", () => checkSeen(game, kept, rng, complaints));
    complaints.guard("no chance", () => checkNoChance(game, kept, rng, complaints));
    complaints.guard("chance", () => checkChance(game, kept, chances, rng, complaints));
  });
  complaints.guard("indistinguishable pairs", () => checkIndistinguishable(game, seed, complaints));
  complaints.guard("leaks", () => leakPairs(game, pairs, seed, complaints));
  const twins = TWINS[game.type.id]?.(game);
  if (twins !== undefined)
    complaints.guard("twins", () => leakPairs(game, pairs / 4, seed, complaints, new Starts(game, seed, 2), twins));
  complaints.guard("batch", () => checkBatch(game, 4, steps, rng, complaints));
  return complaints.list();
}
