import {
  endOf,
  type Env,
  EventLog,
  EVERYTHING,
  type Game,
  type GameEvent,
  type GameType,
  playReplay,
  type Replay,
  type State,
  toReplay,
  type Viewer,
} from "../../env/index.js";

/** One decision of a recorded game. */
export interface Step {
  /** The state in which it was taken. */
  readonly before: State;
  readonly after: State;
  readonly actor: number;
  readonly action: number;
  /** Number of legal actions. */
  readonly legal: number;
  /** What it led to, as `viewer` of the record knows it. */
  readonly events: readonly GameEvent[];
}

/** A game played again from its replay. */
export interface GameRecord {
  readonly game: Game;
  readonly replay: Replay;
  readonly viewer: Viewer;
  readonly start: State;
  readonly steps: readonly Step[];
  /** Played to its end, or given up. */
  readonly over: boolean;
  /** In the order of the players; null while it goes on. */
  readonly returns: readonly number[] | null;
  /** A side gave up: the last position goes on, and its value is no result. */
  readonly resigned: boolean;
}

/**
 * Plays a replay again and keeps every state.
 *
 * @param viewerOf whose events are kept, once the game is known; default everything
 * @throws KesselError `bad-replay` when the game, its version or its actions don't fit
 */
export function recordOf(type: GameType, replay: Replay, viewerOf?: (game: Game) => Viewer): GameRecord {
  const steps: Step[] = [];
  let viewer: Viewer = EVERYTHING;
  let log: EventLog | null = null;
  let before: { readonly state: State; readonly actor: number; readonly legal: number } | null = null;
  const kept = (env: Env) => ({ state: env.state.slice(), actor: env.actor, legal: env.legalCount });
  let start: State | null = null;
  const env = playReplay(
    type,
    replay,
    (now, action) => {
      const here = kept(now);
      if (action === null || before === null) {
        viewer = viewerOf?.(now.game) ?? EVERYTHING;
        log = new EventLog([viewer]);
        start = here.state;
      } else {
        const { state, actor, legal } = before;
        const events = log!.take(viewer);
        steps.push({
          before: state,
          after: here.state,
          actor,
          action: now.game.actions.indexOf(action),
          legal,
          events,
        });
      }
      before = here;
    },
    { tell: (event) => log?.tell(event), tellEach: (version) => log?.tellEach(version) },
  );
  const { game } = env;
  // a replay that was written before its end has no returns
  const { over, returns } = endOf(env.terminated ? toReplay(game, replay.seed, [], env) : replay, game.players);
  return {
    game,
    replay,
    viewer,
    start: start!,
    steps,
    over,
    returns: returns === null ? null : game.players.map((p) => returns[p]!),
    resigned: replay.resigned !== undefined,
  };
}
