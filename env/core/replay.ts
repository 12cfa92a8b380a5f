import { z } from "zod";
import { ScriptedDice, type ScriptEntry } from "./dice/dice.js";
import { Env } from "./env.js";
import { KesselError, oneOf, shown } from "./errors.js";
import type { Game, GameType, Json, JsonObject, Viewer } from "./game.js";
import { gameFor } from "./position-options.js";
import type { Narrator } from "./narration.js";
import { MOST_SEED } from "./dice/rng.js";
import { parseWith } from "./schema.js";

/**
 * A whole game as a document: options, start, actions. With `seed` the dice follow from the seed; with
 * `dice` (one list for the start, one per action) they are given, as in play with real dice.
 */
export interface Replay {
  readonly format: 1;
  readonly game: string;
  readonly version: number;
  readonly options: JsonObject;
  readonly seed: string;
  readonly position?: JsonObject;
  readonly actions: readonly string[];
  readonly dice?: readonly (readonly ScriptEntry[])[];
  /** Return of each side, by name; absent in an unfinished game. */
  readonly returns?: Readonly<Record<string, number>>;
  /** The side that gave up, and so ended the game; the others have won. */
  readonly resigned?: string;
  /** Names of the players, by side; not needed to replay. */
  readonly agents?: Readonly<Record<string, string>>;
}

/** A name that a file holds. */
const name = z.string().max(200);
/** An agent with its settings. */
const who = z.string().max(2000);

const replaySchema = z.strictObject({
  format: z.literal(1),
  game: name,
  version: z.number().int(),
  options: z.record(name, z.union([name, z.number(), z.boolean()])),
  seed: z.string().max(MOST_SEED),
  position: z.record(z.string(), z.any()).optional(),
  actions: z.array(name),
  dice: z.array(z.array(z.union([z.number().int(), name]))).optional(),
  returns: z.record(name, z.number()).optional(),
  resigned: name.optional(),
  agents: z.record(name, who).optional(),
});

/** @throws KesselError `bad-replay` with path and reason */
export function parseReplay(doc: unknown): Replay {
  return parseWith(replaySchema, doc, "bad-replay", "replay") as Replay;
}

/** The replay of a game that an `Env` has played. */
export function toReplay(
  game: Game,
  seed: string,
  actions: readonly string[],
  env: Env,
  extra: Partial<Replay> = {},
): Replay {
  const replay: Replay = {
    format: 1,
    game: game.type.id,
    version: game.type.version,
    options: game.options,
    seed,
    actions,
    ...extra,
  };
  return env.terminated ? { ...replay, returns: returnsByName(game, env) } : replay;
}

/** The state of a game at the end of its replay. */
export interface ReplayEnd {
  readonly over: boolean;
  /** The side that has won; `draw`; `nobody` in a lost game for one; null while it goes on. */
  readonly won: string | null;
  /** By side; null while it goes on. */
  readonly returns: Readonly<Record<string, number>> | null;
}

/**
 * How a replay ends: played out, given up by a side, or not yet.
 *
 * @param players all sides
 */
export function endOf(
  { returns, resigned }: Pick<Replay, "returns" | "resigned">,
  players: readonly string[],
): ReplayEnd {
  const lost = resigned === undefined ? null : Object.fromEntries(players.map((p) => [p, p === resigned ? -1 : 1]));
  const end = lost ?? returns;
  if (end === undefined) return { over: false, won: null, returns: null };
  const winner = Object.entries(end).find(([, r]) => r > 0)?.[0];
  return { over: true, won: winner ?? (Object.keys(end).length > 1 ? "draw" : "nobody"), returns: end };
}

function returnsByName(game: Game, env: Env): Record<string, number> {
  const out = new Float32Array(game.players.length);
  game.returns(env.state, out);
  return Object.fromEntries(game.players.map((p, i) => [p, out[i]!]));
}

/**
 * Plays a replay again, calling `each` after the start (with null) and after every action.
 *
 * @param narrator receives the events, those of the start included
 * @param loaded the game of the replay's options and position, when it is loaded already
 * @throws KesselError `bad-replay` when the game, its version or the recorded end doesn't fit
 */
export function playReplay(
  type: GameType,
  replay: Replay,
  each: (env: Env, action: string | null) => void = () => {},
  narrator: Narrator | null = null,
  loaded?: Game,
): Env {
  if (replay.game !== type.id)
    throw new KesselError("bad-replay", `the replay is of ${replay.game}, not of ${type.id}`);
  if (replay.version !== type.version)
    throw new KesselError(
      "bad-replay",
      `the replay was made with version ${replay.version} of ${type.id}; these rules are version ${type.version}`,
    );
  if (replay.dice && replay.dice.length !== replay.actions.length + 1)
    throw new KesselError(
      "bad-replay",
      `${replay.actions.length} actions need ${replay.actions.length + 1} lists of dice, not ${replay.dice.length}`,
    );
  const game = loaded ?? gameFor(type, replay.position ?? {}, replay.options);
  const env = new Env(game);
  const dice = (i: number) => (replay.dice ? new ScriptedDice(replay.dice[i]!) : undefined);
  if (replay.position) env.resetTo(replay.position, replay.seed, dice(0));
  else env.reset(replay.seed, dice(0), narrator);
  each(env, null);
  replay.actions.forEach((action, i) => {
    try {
      env.step(action, dice(i + 1), narrator);
    } catch (e) {
      if (e instanceof KesselError) throw new KesselError("bad-replay", `action ${i + 1}: ${e.message}`);
      throw e;
    }
    each(env, action);
  });
  if (replay.resigned !== undefined) {
    if (!game.players.includes(replay.resigned))
      throw new KesselError("bad-replay", `${shown(replay.resigned)} can't have given up; ${oneOf(game.players)} can`);
    if (env.terminated)
      throw new KesselError("bad-replay", `the replay records that ${replay.resigned} gave up, but the game is over`);
  }
  if (replay.returns) {
    if (!env.terminated) throw new KesselError("bad-replay", "the replay records an end but the game goes on");
    const now = returnsByName(game, env);
    for (const [side, value] of Object.entries(replay.returns))
      if (now[side] !== value)
        throw new KesselError("bad-replay", `the replay records ${value} for ${side}, played again it is ${now[side]}`);
  }
  return env;
}

/** A game as one viewer saw it: positions and actions, without what that viewer could not know. */
export function replayView(type: GameType, replay: Replay, viewer: Viewer): Json[] {
  const lines: Json[] = [];
  let before: Int32Array | null = null;
  playReplay(type, replay, (env, action) => {
    const { game } = env;
    const seen =
      action === null || before === null
        ? null
        : game.describeFor(before, game.actions.indexOf(action), env.state, viewer);
    lines.push({ action: seen, view: game.view(env.state, viewer) });
    before = env.state.slice();
  });
  return lines;
}
