import { roster, type RosterEntry } from "../../agents/roster.js";
import { EVERYTHING, type Game, KesselError, type Replay } from "../../env/index.js";
import { type Evaluator, makeEvaluator } from "../analysis/evaluator.js";
import { recordOf } from "../analysis/record.js";
import { type Candidate, candidatesOf, chosenOf, sharpened } from "./candidates.js";
import { DEFAULTS } from "./defaults.js";
import { confirmed, keyOf, puzzleOf, type Trial, weighed } from "./check.js";
import type { Puzzle, PuzzleBook } from "./puzzle.js";
import { selected } from "./select.js";

export interface Making extends Trial {
  /** What looks for candidates: a level or a model. */
  readonly with: string;
  /** What plays the games out, for both sides. */
  readonly playing: string;
  /** The second judge: a search. */
  readonly check: string;
  /** Candidates that are judged. */
  readonly looked: number;
  /** Puzzles at most. */
  readonly most: number;
  /** CPU minutes after which no further candidate is judged. */
  readonly minutes?: number;
  /**
   * What became of candidates that were judged before, by the key of their position: null for those that are no
   * puzzles.
   */
  readonly known?: ReadonlyMap<string, Judged>;
  /** Called after each candidate. */
  readonly tell?: (id: string, judged: Judged) => void;
  readonly progress?: (done: number, all: number) => void;
}

/** Iterations of the search that is the second judge. */
const ITERATIONS = 800;
/** Of the net that plays the games out: nearly always what it prefers most. */
const TEMPERATURE = 0.5;

/** How puzzles are made where nothing else is asked. @param net a model file, or a level's */
export const judgesOf = (net: string): Pick<Making, "playing" | "check"> => ({
  playing: `onnx:${net}?temperature=${TEMPERATURE}`,
  check: `search:net=${net},iterations=${ITERATIONS}`,
});

/** By the strongest level. @throws KesselError `bad-agent` for a game without levels */
export function makingFor(game: Game): Making {
  const level = levelsFor(game).at(-1);
  if (level === undefined) throw new KesselError("bad-agent", `${game.type.id} has no level that could judge puzzles`);
  return { with: level.short, ...judgesOf(level.name.replace(/^onnx:/, "")), ...DEFAULTS };
}

/** `found`: the intervals were apart; `puzzle`: the second judge agreed, too. */
export interface Judged {
  readonly found: boolean;
  readonly puzzle: Puzzle | null;
}

/** Least chance that some level gives a right answer: what no agent plays is more likely a fault of the judges. */
const SOLVED = 0.15;

/**
 * Makes puzzles of recorded games: positions where a net sees few actions far ahead, games that are played out from
 * each action say so too, and a search prefers one of the same.
 *
 * @param replays of one game with one set of options
 * @throws KesselError `bad-option` where there is no game; as `makeEvaluator`
 */
export async function makePuzzles(game: Game, replays: readonly Replay[], making: Making): Promise<PuzzleBook> {
  const { playing, check, worlds, depth, least, progress, minutes = Infinity } = making;
  if (replays.length === 0) throw new KesselError("bad-option", `there is no recorded game of ${game.type.id} there`);
  const open: Evaluator[] = [];
  const made = async (name: string): Promise<Evaluator> => {
    open.push(await makeEvaluator(name, game));
    return open.at(-1)!;
  };
  const begun = cpuMinutes();
  try {
    const [net, player, judge] = [await made(making.with), await made(playing), await made(check)];
    const solvers = new Map<string, Evaluator>();
    for (const e of levelsFor(game)) solvers.set(e.short, await made(e.name));
    const all: Candidate[] = [];
    const seen = new Set<string>();
    for (const [i, replay] of replays.entries()) {
      const candidates = await candidatesOf(
        recordOf(game.type, replay, () => EVERYTHING),
        i,
        net,
        least / 2,
      );
      for (const c of candidates) {
        const key = keyOf(game, c.state);
        if (!seen.has(key)) all.push(c);
        seen.add(key);
      }
      progress?.(i + 1, replays.length + making.looked);
    }
    const chosen = chosenOf(
      game,
      await sharpened(game, all, net, { least: least / 2, looked: making.looked }),
      making.looked,
    );
    const judged: Judged[] = [];
    for (const candidate of chosen) {
      const key = keyOf(game, candidate.state);
      let one = making.known?.get(key);
      if (one === undefined) {
        if (cpuMinutes() - begun > minutes) continue;
        const weighing = await weighed(game, candidate, player, making);
        const visits = weighing === null ? null : await confirmed(judge, weighing);
        const puzzle = visits === null ? null : await puzzleOf(game, weighing!, visits, solvers);
        one = { found: weighing !== null, puzzle };
        making.tell?.(key, one);
      }
      judged.push(one);
      progress?.(replays.length + judged.length, replays.length + chosen.length);
    }
    const found = judged.filter((j) => j.found).length;
    const puzzles = judged.flatMap((j) => j.puzzle ?? []);
    const held = puzzles.filter(({ solvedBy }) =>
      Object.entries(solvedBy).some(([who, share]) => who !== "random" && share >= SOLVED),
    );
    const { id, version } = game.type;
    return {
      kessel: "puzzles",
      format: 2,
      game: id,
      version,
      made: {
        with: making.with,
        playing,
        worlds,
        depth,
        check,
        least,
        judged: judged.length,
        found,
        held: held.length,
      },
      puzzles: selected(game, held, making.most),
    };
  } finally {
    for (const evaluator of open) await evaluator.close();
  }
}

const cpuMinutes = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 6e7;
};

/** Levels that play every side, so that they can try every puzzle. */
export const levelsFor = (game: Game): readonly RosterEntry[] =>
  roster(game).filter((e) => e.kind === "level" && e.players.length === game.players.length);
