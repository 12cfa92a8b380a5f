import { importGame } from "../../agents/import-game.js";
import { heuristicNames } from "../../agents/heuristics/index.js";
import { makeAgent } from "../../agents/registry.js";
import { Env, EventLog, EVERYTHING, type Game, loadGame, NOBODY, Rng } from "../../env/index.js";
import { Session } from "./session.js";

/** Times of one question, in milliseconds. */
export interface VoiceRow {
  readonly name: string;
  /** How often it was asked. */
  readonly count: number;
  readonly median: number;
  /** 99 of 100 took no longer. */
  readonly most: number;
  readonly worst: number;
}

export interface VoiceTimes {
  readonly game: string;
  readonly games: number;
  readonly rows: readonly VoiceRow[];
  /** Told to one listener, in random play: rules, dice and texts together. */
  readonly eventsPerSecond: number;
}

/** Of this many decisions, the odds of one choice of one are asked for. */
const ODDS_EVERY = 10;
/** Games that compile everything first. */
const WARM_UP = 2;
const EVENTS_SECONDS = 2;
/** Number of measurements whose shortest counts: on a busy machine others take the processor away in between. */
const ASKED = 3;

/** What prompts, standing, odds and events of a game cost, over positions of games between its strongest heuristic. */
export async function voiceTimes(id: string, games: number): Promise<VoiceTimes> {
  await importGame(id);
  const game = loadGame(id);
  const times = new Map<string, number[]>();
  for (let g = 0; g < WARM_UP + games; g++) {
    if (g === WARM_UP) times.clear();
    await playOne(game, `voice/${g}`, times);
  }
  const rows = [...times].map(([name, list]): VoiceRow => {
    const sorted = list.sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
    return { name, count: sorted.length, median: at(0.5), most: at(0.99), worst: sorted.at(-1)! };
  });
  return { game: id, games, rows, eventsPerSecond: eventRate(game) };
}

async function playOne(game: Game, seed: string, times: Map<string, number[]>): Promise<void> {
  const rng = new Rng(seed);
  const timed = <T>(nameOf: (answer: T) => string, ask: () => T): void => {
    let took = Infinity;
    let name = "";
    for (let k = 0; k < ASKED; k++) {
      const began = performance.now();
      const answer = ask();
      took = Math.min(took, performance.now() - began);
      name = nameOf(answer);
    }
    const list = times.get(name) ?? [];
    times.set(name, list);
    list.push(took);
  };
  const strongest = `heuristic:${heuristicNames(game.type.id).at(-1)!}`;
  const seats = await Promise.all(game.players.map((p) => makeAgent(strongest, { game, seed: `${seed}/${p}` })));
  const session = new Session(game, seats, seed);
  await session.advance(() => {
    const { actor } = session;
    if (actor === NOBODY) return;
    timed(
      () => "prompt",
      () => session.prompt(actor),
    );
    timed(
      () => "standing",
      () => session.standing(actor),
    );
    if (rng.below(ODDS_EVERY) > 0) return;
    const legal = [...session.env.mask.keys()].filter((a) => session.env.mask[a] === 1);
    timed(
      (odds) => `odds, ${odds.method === "certain" ? "exact" : odds.method}`,
      () => session.odds(actor, legal[rng.below(legal.length)]!),
    );
  });
}

function eventRate(game: Game): number {
  const env = new Env(game);
  const log = new EventLog([EVERYTHING]);
  const rng = new Rng("events");
  let eventCount = 0;
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  for (let g = 0; seconds() < EVENTS_SECONDS; g++) {
    env.reset(`events/${g}`, undefined, log);
    while (!env.terminated && !env.truncated) {
      let k = rng.below(env.legalCount);
      env.step(
        env.mask.findIndex((legal) => legal === 1 && k-- === 0),
        undefined,
        log,
      );
      eventCount += log.take(EVERYTHING).length;
    }
  }
  return eventCount / seconds();
}
