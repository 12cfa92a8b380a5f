import { RandomAgent } from "../../../agents/random.js";
import { type Game, type GameData, loadGame, RNG_WORDS, type State } from "../../../env/index.js";
import type { AgentFactory } from "../../../server/slice/slice.js";
import { Handler } from "../../../server/handler.js";
import { wrapped } from "../../planted/plant.js";

// Servers whose episodes begin where a test wants them to. Worker threads import this module as their library.

/** The true state of a server's first environment, for planted leaks. */
export const TRUTHS = new WeakMap<Handler, () => State>();

/** Serves as any agent whose name is not `random`: batches with such a seat are played by worker threads. */
export const OPPONENT = "heuristic:twin";

const STATE_KEY = new Uint8Array(32).fill(7);
const makeAgent: AgentFactory = (_name, { seed }) => Promise.resolve(new RandomAgent(seed));

/** A game in which every episode of the n-th environment begins in the n-th start. */
class StagedGame {
  readonly game: Game;
  starts: readonly ArrayLike<number>[] = [];
  /** The states of its environments, in the order of their first start. */
  states: State[] = [];
  /** States at the ends of episodes since the last look. */
  ends: State[] = [];
  /** Actions applied so far. */
  applied = 0;

  constructor(game: Game) {
    this.game = wrapped(game, (honest) => ({
      start: (s) => {
        if (!this.states.includes(s)) this.states.push(s);
        const start = this.starts[this.states.indexOf(s) % this.starts.length]!;
        for (let i = RNG_WORDS; i < s.length; i++) s[i] = start[i]!;
      },
      apply: (s, action, dice, narrator) => {
        honest.apply(s, action, dice, narrator);
        this.applied++;
        if (honest.actor(s) < 0) this.ends.push(s.slice());
      },
    }));
  }

  begin(starts: readonly ArrayLike<number>[]): void {
    this.starts = starts;
    this.states = [];
    this.ends = [];
    this.applied = 0;
  }
}

/** A server of one game, used for one batch after another. */
export class World {
  readonly handler: Handler;
  private readonly staged: StagedGame;
  token = "";
  /** What the server had counted when its batch was made. */
  before: Readonly<Record<string, number>> = {};
  /** The memory of replies that are not sent. */
  memory: { path: string; slotBytes: number } | null = null;

  /** @param workers threads that play; 0: the socket's thread */
  constructor(
    readonly game: Game,
    private readonly workers: number,
  ) {
    this.staged = new StagedGame(game);
    this.handler = new Handler({
      games: [game.type],
      load: () => this.staged.game,
      makeAgent,
      stateKey: STATE_KEY,
      shares: true,
      workers,
      module: import.meta.url,
    });
    TRUTHS.set(this.handler, () => this.staged.states[0] ?? (this.staged.starts[0] as State));
  }

  /** The next batch begins in these states. @returns what its `make` has to say of them */
  begin(starts: readonly State[]): { data?: GameData } {
    this.staged.begin(starts);
    this.before = this.handler.stats();
    return this.workers === 0 ? {} : { data: { starts: starts.map((s) => [...s]) } };
  }

  get states(): readonly State[] {
    return this.staged.states;
  }

  get applied(): number {
    return this.staged.applied;
  }

  /** States at the ends of episodes since the last call. */
  takeEnds(): State[] {
    return this.staged.ends.splice(0);
  }

  close(): Promise<void> {
    return this.handler.close();
  }
}

const staged = new Map<string, StagedGame>();

/** For worker threads. */
export const library = {
  makeAgent,
  load(id: string, options: unknown, data: GameData): Game {
    const key = `${id} ${JSON.stringify(options)}`;
    const known = staged.get(key) ?? staged.set(key, new StagedGame(loadGame(id, options))).get(key)!;
    known.begin(data["starts"] as unknown as number[][]);
    return known.game;
  },
};
