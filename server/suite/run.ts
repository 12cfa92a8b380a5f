import { type Agent } from "../../agents/agent.js";
import type { Message, Offer } from "../../agents/llm/api.js";
import { ServerDown } from "../../agents/llm/endpoint.js";
import { LlmAgent } from "../../agents/llm/llm.js";
import { LanguageModel, type Usage } from "../../agents/llm/model.js";
import type { LlmSettings } from "../../agents/llm/settings.js";
import { makeAgent } from "../../agents/registry.js";
import { roster } from "../../agents/roster.js";
import { boardText, introText } from "../../agents/text/briefing.js";
import { promptText } from "../../agents/text/sentences.js";
import { type AnswerCount, ThroughText } from "../../agents/text/through-text.js";
import { type Game, promptOf, type Seed, type State, type Viewer } from "../../env/index.js";
import { arena } from "../../training/arena/arena.js";
import type { Tally } from "../../training/arena/tally.js";
import { ratingsOf } from "../page/learn/ratings.js";
import type { PlayedSum, SeatRating } from "../page/learn/rating.js";
import { comparedOf, labelsOf, settingsOf } from "./agents.js";
import { askBelief } from "./belief-questions.js";
import type { PuzzleBook } from "../puzzles/puzzle.js";
import { type Book, bookHash, type SuiteDocument } from "./document.js";
import { isRight, logLoss, lossBounds, readBelief, readRuleAnswer } from "./grade.js";
import { Positions } from "./positions.js";
import { type Course, Courses } from "./progress.js";
import { askRule } from "./rule-questions.js";
import { solvePuzzles } from "./solve.js";

export const PARTS = ["games", "puzzles", "rules", "beliefs"] as const;
export type Part = (typeof PARTS)[number];

/** Whole games of one agent. */
export interface GamesResult {
  /** Against each level, weakest first, and random play; in solitaire games one entry without a level. */
  readonly against: readonly { readonly level: string | null; readonly total: Tally }[];
  /** In each seat, on the scale of all agents; empty in solitaire games. */
  readonly ratings: readonly SeatRating[];
  /** The course of each game: progress from 0 to 100, decisions, regrets. */
  readonly courses: readonly Course[];
  readonly usage: Usage;
}

export interface QuestionsResult {
  /** Number of answered questions, neither skipped nor left out. */
  readonly asked: number;
  /** Number of questions skipped because the model's server was down. A run with the same transcript asks them. */
  readonly aside: number;
  /** For each question: 1 for a best action or a right answer, otherwise 0; or a belief's log loss. */
  readonly scores: readonly number[];
  /** For puzzles: the value of the best action minus that of the action played. */
  readonly regrets?: readonly number[];
  /** For beliefs: the lowest possible log loss of each question. */
  readonly least?: readonly number[];
  /** `illegal` counts answers without a legal action, or unreadable ones: wrong, or the uniform belief. */
  readonly usage: Usage;
}

/** The results of one agent in the suite of one game; null for parts that were not asked or not finished. */
export interface SuiteResult {
  readonly game: string;
  /** Hash of questions, puzzles and dice. */
  readonly book: string;
  readonly agent: string;
  /** Of a language model, as `comparedOf` gives them. */
  readonly settings: readonly string[] | null;
  readonly games: GamesResult | null;
  /** Why the games were skipped: the model's server was down. A run with the same transcript continues them. */
  readonly gamesAside: string | null;
  readonly puzzles: QuestionsResult | null;
  readonly rules: QuestionsResult | null;
  readonly beliefs: QuestionsResult | null;
}

export interface SuiteOptions {
  readonly parts: readonly Part[];
  /** Whole games against each level. */
  readonly games: number;
  /** Limit of puzzles, of rule questions of each kind, and of belief questions. Those asked are spread evenly. */
  readonly items?: number;
  /** Replaces the suite's secret, for dice that nobody has seen. */
  readonly secret?: string;
  readonly progress?: (done: number, all: number) => void;
  /** Label of the agent in the result (`labelsOf`). */
  readonly label?: string;
}

/**
 * Runs the suite of one game with one agent, as text. A language model is asked; any other agent's choices are written
 * as answers and parsed. Only a language model is asked about rules and beliefs.
 *
 * @throws KesselError as `makeAgent`, `arena` and `Endpoint.ask`
 */
export async function runSuite(book: Book, name: string, options: SuiteOptions): Promise<SuiteResult> {
  const { game } = book;
  const { suite, puzzles } = options.items === undefined ? book : fewer(book, options.items);
  const settings = settingsOf(name);
  const asks = (part: Part, own: Partial<LlmSettings> = {}): LanguageModel | null =>
    settings !== null && options.parts.includes(part) ? new LanguageModel({ ...settings, ...own }) : null;
  const forGames = asks("games");
  // a random action in place of an answer would solve some puzzles
  const forPuzzles = asks("puzzles", { illegal: "error" });
  const [rules, beliefs] = [asks("rules"), asks("beliefs")];
  const played = options.parts.includes("games")
    ? await orDown(() => playGames(game, suite, name, forGames, options))
    : null;
  const wasDown = played instanceof ServerDown;
  return {
    game: game.type.id,
    book: bookHash(book),
    agent: options.label ?? labelsOf([name])[0]!,
    settings: comparedOf(name),
    games: wasDown ? null : played,
    gamesAside: wasDown ? played.message : null,
    puzzles: options.parts.includes("puzzles") ? await playPuzzles(suite, puzzles, name, forPuzzles) : null,
    rules: rules === null ? null : await askRules(game, suite, rules),
    beliefs: beliefs === null || suite.beliefs.length === 0 ? null : await askBeliefs(game, suite, beliefs),
  };
}

/** The result of asking a model, or that its server was down. @throws any other error */
async function orDown<T>(ask: () => Promise<T>): Promise<T | ServerDown> {
  try {
    return await ask();
  } catch (e) {
    if (e instanceof ServerDown) return e;
    throw e;
  }
}

/** A book with a limit of puzzles, of rule questions of each kind, and of belief questions. */
function fewer({ suite, puzzles }: Book, most: number): Pick<Book, "suite" | "puzzles"> {
  const kinds = [...new Set(suite.rules.map((q) => q.kind))];
  const rules = kinds.flatMap((kind) =>
    spread(
      suite.rules.filter((q) => q.kind === kind),
      most,
    ),
  );
  return {
    suite: { ...suite, rules, beliefs: spread(suite.beliefs, most) },
    puzzles: puzzles === null ? null : { ...puzzles, puzzles: spread(puzzles.puzzles, most) },
  };
}

/** At most `most` of a list, spread evenly over it. */
export function spread<T>(list: readonly T[], most: number): T[] {
  const n = Math.min(most, list.length);
  return Array.from({ length: n }, (_, k) => list[Math.floor(((k + 0.5) * list.length) / n)]!);
}

/** Asks a model about each item. @returns the result, and the items that were not set aside */
async function scored<T>(
  items: readonly T[],
  model: LanguageModel,
  score: (item: T) => Promise<number>,
): Promise<{ readonly result: QuestionsResult; readonly items: readonly T[] }> {
  const found = await Promise.all(items.map((item) => orDown(() => score(item))));
  const scores = found.filter((x) => typeof x === "number");
  return {
    result: { asked: scores.length, aside: found.length - scores.length, scores, usage: model.usage },
    items: items.filter((_, i) => typeof found[i] === "number"),
  };
}

async function playGames(
  game: Game,
  suite: SuiteDocument,
  name: string,
  model: LanguageModel | null,
  { games, secret = suite.secret, progress }: SuiteOptions,
): Promise<GamesResult> {
  // an agent may meet itself
  const label = `text:${name}`;
  const reader = new Reader(label, name, model);
  const agentFor = (wanted: string, seed: Seed): Promise<Agent> =>
    wanted === label ? reader.make(game, seed) : Promise.resolve(makeAgent(wanted, { game, seed }));
  const levels =
    game.players.length === 1 ? [null] : roster(game).filter((e) => e.kind === "level" || e.kind === "random");
  const against: { level: string | null; total: Tally }[] = [];
  const played: PlayedSum[] = [];
  const courses = new Courses();
  try {
    for (const [k, level] of levels.entries()) {
      const result = await arena(game, {
        agents: level === null ? [label] : [label, level.name],
        games,
        seed: suite.seed,
        secret,
        agentFor,
        record: courses.dir,
        progress: (done, all) => progress?.(k * all + done, levels.length * all),
      });
      const total = result.standings.find((s) => s.agent === label)!.total;
      against.push({ level: level?.short ?? null, total });
      if (level !== null)
        result.pairs[0]!.seats.forEach(({ games: n, wins, losses }, seat) => {
          if (n > 0)
            played.push({
              seat: game.players[seat]!,
              opponent: level.name,
              games: n,
              sum: wins - losses,
              squares: wins + losses,
            });
        });
    }
    return {
      against,
      ratings: game.players.length === 1 ? [] : ratingsOf(game, played),
      courses: await courses.read(game, label),
      usage: reader.usage,
    };
  } finally {
    courses.remove();
  }
}

async function playPuzzles(
  suite: SuiteDocument,
  puzzles: PuzzleBook | null,
  name: string,
  model: LanguageModel | null,
): Promise<QuestionsResult | null> {
  const reader = new Reader(name, name, model);
  const found = await solvePuzzles(puzzles, model !== null, (g) => reader.make(g, suite.seed));
  const solved = found.filter((x) => x !== null);
  if (found.length === 0) return null;
  return {
    asked: solved.length,
    aside: found.length - solved.length,
    scores: solved.map((x) => (x.right ? 1 : 0)),
    regrets: solved.map((x) => x.regret),
    usage: reader.usage,
  };
}

/** Makes an agent that plays as text, and sums up its answers. */
class Reader {
  private readonly counts: AnswerCount[] = [];

  constructor(
    private readonly label: string,
    private readonly name: string,
    private readonly model: LanguageModel | null,
  ) {}

  async make(game: Game, seed: Seed): Promise<Agent> {
    const { label, name, model } = this;
    if (model !== null) return new LlmAgent(label, game, seed, model);
    const through = new ThroughText(label, await makeAgent(name, { game, seed, connect: true }), game, seed);
    this.counts.push(through.count);
    return through;
  }

  get usage(): Usage {
    if (this.model !== null) return this.model.usage;
    const sum = (of: (c: AnswerCount) => number): number => this.counts.reduce((s, c) => s + of(c), 0);
    return {
      answers: sum((c) => c.answers),
      illegal: sum((c) => c.illegal),
      asked: 0,
      answered: 0,
      money: 0,
      asides: 0,
      silent: {},
    };
  }
}

/** What a model may call in place of its last line. */
const ANSWER: Offer = {
  name: "answer",
  about: "Answers the question.",
  arguments: { answer: "the answer, in the form that the question asks for" },
};

async function askRules(game: Game, suite: SuiteDocument, model: LanguageModel): Promise<QuestionsResult> {
  const positions = new Positions(game, suite.games);
  const asked = suite.rules.map((q) => {
    const { state, viewer, text } = askRule(game, positions, q);
    const prompt = q.kind === "hidden" ? [] : [promptText(promptOf(game, state, viewer), Infinity)];
    return { q, messages: messagesFor(game, state, viewer, model, [...prompt, text]) };
  });
  const { result } = await scored(asked, model, async ({ q, messages }) => {
    const about = { game: game.type.id, seat: "rules", offer: ANSWER };
    const { meant } = await model.ask(messages, about, readRuleAnswer);
    return meant !== null && isRight(meant, q) ? 1 : 0;
  });
  return result;
}

async function askBeliefs(game: Game, suite: SuiteDocument, model: LanguageModel): Promise<QuestionsResult> {
  const positions = new Positions(game, suite.games);
  const asked = suite.beliefs.map((q) => {
    const s = positions.of(q);
    return { q, messages: messagesFor(game, s, game.players.indexOf(q.seat), model, [askBelief(game, s, q)]) };
  });
  const { result, items } = await scored(asked, model, async ({ q, messages }) => {
    let believed = q.what.map(() => 1 / q.what.length);
    const about = { game: game.type.id, seat: q.seat, offer: ANSWER };
    await model.ask(messages, about, (text) => {
      believed = readBelief(text, q.what.length);
      return believed.map((p) => p.toFixed(3)).join(" ");
    });
    return logLoss(q, believed);
  });
  return { ...result, least: items.map(({ q }) => lossBounds(q).least) };
}

function messagesFor(
  game: Game,
  s: State,
  viewer: Viewer,
  { settings }: LanguageModel,
  question: readonly string[],
): Message[] {
  return [
    { role: "system", content: introText(game, s, viewer, settings.rules) },
    {
      role: "user",
      content: [boardText(game, s, viewer), ...question, "Think briefly, then end with one line: Answer: ..."].join(
        "\n",
      ),
    },
  ];
}
