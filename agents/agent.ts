import type { Game, JsonObject, Observation, Rng, Seed, State } from "../env/index.js";

/**
 * Decisions waiting for one agent, one row each. It holds what the deciding seat may know: tensors, mask, and on
 * request the readable position or a sampled state; never the true state.
 */
export interface Decisions {
  readonly game: Game;
  /** Number of rows, n. */
  readonly size: number;
  /** int32 [n]: the deciding player of each row. */
  readonly actors: Int32Array;
  /**
   * float32, n rows: `globals [n, G]`, `map [n, N, Fm]`, `units [n, U, Fu]`, `decision [n, D]`. Longer buffers may back
   * it.
   */
  readonly observation: Observation;
  /**
   * float32 [n, G + N*Fm + U*Fu + D]: the same, whole rows one after another, where the agent asked for `joined` and
   * the caller keeps them so. Longer buffers may back it.
   */
  readonly joined?: Float32Array;
  /** uint8 [n, A] */
  readonly mask: Uint8Array;
  /** The position as the deciding seat of row `i` sees it. */
  view(i: number): JsonObject;
  /**
   * int32, at least n long: the game that each row is a decision of, for agents that keep something from one to the
   * next. Left out: all are of one game.
   */
  readonly rows?: Int32Array;
  /** Writes into `out` a complete state that fits what the seat of row `i` knows, with a stream from `rng`. */
  sample(i: number, out: State, rng: Rng): boolean;
  /**
   * Writes into `out` the state as the seat of row `i` knows it (`Game.redact`).
   *
   * @throws KesselError `unsupported` for a game that has none
   */
  known(i: number, out: State): void;
}

/** True when `agent` can play the player `seat` of a game. */
export const canPlay = ({ players }: Pick<Agent, "players">, seat: number): boolean => players?.includes(seat) ?? true;

/** A player for a seat. Answers batches of decisions; has a random stream of its own. */
export interface Agent {
  /** As written on the command line: `random`, `heuristic:greedy`, `onnx:FILE`. */
  readonly name: string;
  /** Players it can play, by index; left out: all. */
  readonly players?: readonly number[];
  /** It reads `Decisions.joined`, which saves the making of one row from four tensors. */
  readonly joined?: boolean;
  /** Decisions with one legal action may be made for it: it draws nothing there and keeps nothing of them. */
  readonly leavesForced?: boolean;
  /**
   * Chooses an action for each row.
   *
   * @param out int32, at least n long; row i gets an action that is set in its mask
   */
  act(decisions: Decisions, out: Int32Array): void | Promise<void>;
  /**
   * What agents have in common that can be asked together, such as a model: one call of `actFor` answers for all of
   * them, with what `act` of each would.
   */
  readonly group?: object;
  /** As `act`, where row `i` is a decision of `agents[i]`, which is of the same group. Present with `group`. */
  actFor?(decisions: Decisions, agents: readonly Agent[], out: Int32Array): void | Promise<void>;
  /** The return it expects for the deciding seat of row 0, -1..1; absent where it estimates none. */
  expectedReturn?(decisions: Decisions): Promise<number>;
  /**
   * Logits float32 `[n, A]` and the deciding seat's expected return float32 `[n]`. Present where a model gives them.
   */
  evaluate?(decisions: Decisions): Promise<{ readonly policy: Float32Array; readonly value: Float32Array }>;
  /** Stops the search; `instead` makes the pending decision. Present where an agent can be interrupted. */
  interrupt?(instead: Agent): void;
  /** Frees sessions and threads. */
  close?(): void | Promise<void>;
}

export interface AgentContext {
  readonly game: Game;
  readonly seed: Seed;
  /** Folder that model files may be read from; names in agent strings are relative to it. */
  readonly models?: string;
  /** Seconds that it may think about one decision; then it throws `time-limit`. Default: as long as it takes. */
  readonly decisionSeconds?: number;
  /**
   * Time limit for loading a model and for each of its runs, in seconds. Model files then run in processes of their
   * own, which end at the limit. Default: in this thread, without a limit.
   */
  readonly modelSeconds?: number;
  /** Allow agents in other processes (`external:ADDRESS`). Default false. */
  readonly connect?: boolean;
}

/** Makes one kind of agent from the text behind the colon (empty when there is no colon). */
export type AgentMaker = (argument: string, context: AgentContext) => Agent | Promise<Agent>;
