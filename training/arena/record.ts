import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Dice, Env, type Game, KesselError, RecordingDice, type Replay, toReplay } from "../../env/index.js";

/** Where the games of a chunk are written. */
export interface RecordTo {
  readonly dir: string;
  /** Beginning of the files' names, unlike that of other pairs and runs. */
  readonly name: string;
  /** Number of the chunk's first seed. */
  readonly first: number;
}

/** A game that is over. */
export interface PlayedGame {
  readonly seed: string;
  readonly actions: readonly number[];
  /** By seat. */
  readonly agents: readonly string[];
}

/**
 * Writes the replay of a game: whole or not at all, whenever the process is killed.
 *
 * @param keyed where the dice come from, if not from the seed: the replay then has them
 * @throws KesselError `bad-option` when it can't be written
 */
export function writeGame(game: Game, to: RecordTo, file: string, played: PlayedGame, keyed: Dice | null): void {
  const path = join(to.dir, `${to.name}-${file}.json`);
  const draft = `${path}.draft`;
  try {
    writeFileSync(draft, `${JSON.stringify(replayOf(game, played, keyed))}\n`);
    renameSync(draft, path);
  } catch (e) {
    rmSync(draft, { force: true });
    if ((e as NodeJS.ErrnoException).code === undefined || e instanceof KesselError) throw e;
    throw new KesselError("bad-option", `the game can't be recorded in ${path}: ${(e as Error).message}`);
  }
}

function replayOf(game: Game, { seed, actions, agents }: PlayedGame, keyed: Dice | null): Replay {
  const env = new Env(game);
  const thrown: RecordingDice[] = [];
  const next = (): Dice | undefined => {
    if (keyed === null) return undefined;
    thrown.push(new RecordingDice(keyed));
    return thrown.at(-1);
  };
  env.reset(seed, next());
  for (const action of actions) env.step(action, next());
  const names = actions.map((a) => game.actions[a]!);
  return toReplay(game, seed, names, env, {
    ...(keyed === null ? {} : { dice: thrown.map((d) => d.script) }),
    agents: Object.fromEntries(game.players.map((p, i) => [p, agents[i]!])),
  });
}
