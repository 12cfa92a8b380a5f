import { importGame } from "../../agents/import-game.js";
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { Command } from "commander";
import { GAMES, type Game, gameType, KesselError, type Replay, resolveOptions } from "../../env/index.js";
import type { SessionHeader } from "../session/record.js";
import {
  checkWritable,
  example,
  type GameFlags,
  ownerData,
  ownerType,
  print,
  readJson,
  withGameOptions,
} from "./common.js";
import { collectSeat } from "./seats.js";

interface Flags extends GameFlags {
  seat: Record<string, string>;
  seed?: string;
  save?: string;
  resume?: string;
  keep: boolean;
}

export function register(command: Command): void {
  withGameOptions(command)
    .argument("[game]", "as `kessel list` names it; without one, the games are listed")
    .option(
      "--seat <side=who>",
      "`human` or an agent (`kessel agents GAME`) in a seat; seats not named are human",
      collectSeat,
      {},
    )
    .option(
      "-s, --seed <seed>",
      "seed of the dice; by default one is drawn. Anyone who knows it can compute what is hidden",
    )
    .option("--save <file>", "write the replay there at the end")
    .option("--resume <id>", "continue a saved game (`kessel sessions`), or a replay from a file")
    .option("--no-keep", "keep nothing on disk")
    .addHelpText(
      "after",
      example(
        "kessel play pocket-stalingrad --seat soviet=human --seat german=recruit",
        "kessel play --resume ab2cd3ef4gh5",
      ),
    )
    .action(async (id: string | undefined, flags: Flags) => {
      if (id === undefined && flags.resume === undefined) return listGames();
      if (flags.save !== undefined) checkWritable(flags.save);
      const open = flags.resume === undefined ? await begin(id!, flags) : await goOn(id, flags, flags.resume);
      const { PlayTable } = await import("./terminal/table.js");
      try {
        const table = new PlayTable(open.session, process.stdin, process.stdout, {
          advisor: advisorFor(open.session.game),
          unsaved: () => open.file.unsaved,
        });
        const ended = await table.run();
        if (flags.save !== undefined) table.save(flags.save);
        if (!ended && flags.keep) print(`Continue with: kessel play --resume ${open.header.id}`);
      } finally {
        await open.close();
      }
    });
}

function listGames(): void {
  for (const g of GAMES) print(`${g.id.padEnd(22)} ${g.title}; ${g.credits}`);
  print("\nSay which: kessel play GAME. Opponents: kessel agents GAME.");
}

async function begin(id: string, flags: Flags) {
  const { startSession } = await import("../session/open.js");
  const type = await importGame(id);
  const files = ownerData(type, flags.data);
  return startSession(await storeFor(flags), {
    game: id,
    options: resolveOptions(type, flags.option),
    seats: flags.seat,
    seed: flags.seed ?? randomBytes(12).toString("hex"),
    ...(flags.data === undefined ? {} : { data: { dir: flags.data, files } }),
  });
}

async function goOn(id: string | undefined, flags: Flags, from: string) {
  if (flags.seed !== undefined || Object.keys(flags.option).length > 0)
    throw new KesselError(
      "bad-option",
      "a game that goes on brings its seed and options with it; leave --seed and --option out",
    );
  const { resumeSession } = await import("../session/open.js");
  if (/^[a-z0-9]{12,64}$/.test(from)) {
    if (Object.keys(flags.seat).length > 0)
      throw new KesselError("bad-option", "a kept game brings its opponents with it; leave --seat out");
    const { SessionStore } = await import("../session/store.js");
    const store = new SessionStore();
    checkKept(store.read(from).header, id, flags);
    return resumeSession(store, from, (game, dir) => ownerData(gameType(game), dir));
  }
  const replay = await loadReplay(id, from, flags);
  const { startSession } = await import("../session/open.js");
  const type = gameType(replay.game);
  const open = await startSession(await storeFor(flags), {
    game: replay.game,
    options: resolveOptions(type, replay.options),
    seats: { ...agentsIn(replay), ...flags.seat },
    seed: replay.seed,
    ...(flags.data === undefined ? {} : { data: { dir: flags.data, files: ownerData(type, flags.data) } }),
  });
  const end = replay.resigned === undefined ? [] : [{ resign: replay.resigned }];
  const lines = [...replay.actions.map((action) => ({ do: action })), ...end];
  for (const line of lines) open.file.append(line);
  open.session.resume(lines);
  return open;
}

/** True when the command line asks for the same as the kept game. @throws KesselError */
function checkKept({ id, game, data }: SessionHeader, wanted: string | undefined, flags: Flags): void {
  if (!flags.keep)
    throw new KesselError(
      "bad-option",
      `session ${id} is kept, and so is what is played in it; leave --no-keep out, or \`save FILE\` in it and resume that file with --no-keep`,
    );
  if (wanted !== undefined && wanted !== game)
    throw new KesselError("bad-session", `session ${id} is a game of ${game}, not of ${wanted}`);
  if (flags.data !== undefined && (data === null || resolve(data.dir) !== resolve(flags.data)))
    throw new KesselError(
      "bad-option",
      `session ${id} was begun with ${data === null ? "the game's own data" : `the data in ${data.dir}`}, not with those in ${flags.data}; leave --data out`,
    );
}

/** Agents of a replay, by side; people and those without a name are left out. */
const agentsIn = (replay: Replay): Record<string, string> => ({ ...replay.agents });

async function storeFor(flags: Flags) {
  const { NullStore, SessionStore } = await import("../session/store.js");
  if (!flags.keep) return new NullStore();
  const store = new SessionStore();
  store.expire();
  return store;
}

/** Who is asked for a hint: by default the strongest that plays the seat. */
const advisorFor = (game: Game) => async (name: string | null, seat: number) => {
  const { makeAgent } = await import("../../agents/registry.js");
  const { roster } = await import("../../agents/roster.js");
  const all = roster(game).filter((e) => e.players.includes(seat));
  const strongest = all.filter((e) => e.kind === "level").at(-1) ?? all[0]!;
  return makeAgent(name ?? strongest.name, { game, seed: randomBytes(8).toString("hex") });
};

/** A saved game, played again to be sure that it fits. */
async function loadReplay(id: string | undefined, file: string, flags: Flags): Promise<Replay> {
  const { parseReplay, playReplay } = await import("../../env/core/replay.js");
  const replay = parseReplay(readJson(file, "bad-replay"));
  if (id !== undefined && replay.game !== id)
    throw new KesselError("bad-replay", `${file} is a game of ${replay.game}, not of ${id}`);
  if (replay.position !== undefined || replay.dice !== undefined)
    throw new KesselError(
      "unsupported",
      `${file} has dice or a position of its own; only games saved by \`kessel play\` can go on`,
    );
  playReplay(ownerType(await importGame(replay.game), flags.data), replay);
  return replay;
}
