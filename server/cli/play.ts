import type { Command } from "commander";
import { gameType, KesselError, oneOf, parseReplay, playReplay, type Replay, shown } from "../../env/index.js";
import { checkWritable, example, type GameFlags, gameFrom, ownerType, readJson, withGameOptions } from "./common.js";
import { PlayTable } from "./play-table.js";
import { type Seat, Session } from "../session/session.js";

interface Flags extends GameFlags {
  seat: Record<string, string>;
  seed?: string;
  save?: string;
  resume?: string;
}

export function register(program: Command): void {
  withGameOptions(program.command("play"))
    .description("play in the terminal, people and agents in any seat")
    .argument("<game>", "as `kessel list` names it")
    .option(
      "--seat <side=who>",
      "`human` or an agent in a seat; repeat for more (seats not named are human)",
      collectSeat,
      {},
    )
    .option("-s, --seed <seed>", "seed of the dice; by default one is drawn")
    .option("--save <file>", "write the replay there at the end")
    .option("--resume <file>", "go on with a game that was saved")
    .addHelpText("after", example("kessel play pocket-stalingrad --seat soviet=human --seat german=random"))
    .action(async (id: string, flags: Flags) => {
      const { makeAgent } = await import("../../agents/registry.js");
      const earlier = flags.resume === undefined ? null : loadSaved(id, flags.resume, flags);
      const game = gameFrom(id, earlier ? { ...flags, option: textOptions(earlier) } : flags);
      const wrong = Object.keys(flags.seat).find((s) => !game.players.includes(s));
      if (wrong !== undefined)
        throw new KesselError("bad-seat", `${id} has no seat ${shown(wrong)}; seats are ${oneOf(game.players)}`);
      if (flags.save !== undefined) checkWritable(flags.save);
      const seed = earlier?.seed ?? flags.seed ?? String(Math.floor(Math.random() * 1e9));
      const seats: Seat[] = [];
      try {
        for (const p of game.players) {
          const who = flags.seat[p] ?? "human";
          seats.push(who === "human" ? "human" : await makeAgent(who, { game, seed: `${seed}/${p}`, connect: true }));
        }
        const session = new Session(game, seats, seed);
        if (earlier) session.resume(earlier.actions);
        const table = new PlayTable(session, process.stdin, process.stdout);
        await table.run();
        if (flags.save !== undefined) table.save(flags.save);
      } finally {
        for (const s of seats) if (s !== "human") await s.close?.();
      }
    });
}

function collectSeat(text: string, earlier: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1)
    throw new KesselError("bad-seat", `--seat takes SIDE=WHO, such as soviet=human, not ${shown(text)}`);
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}

/** A saved game, played again to be sure that it fits. */
function loadSaved(id: string, file: string, flags: Flags): Replay {
  const replay = parseReplay(readJson(file, "bad-replay"));
  if (replay.game !== id) throw new KesselError("bad-replay", `${file} is a game of ${replay.game}, not of ${id}`);
  if (replay.position !== undefined || replay.dice !== undefined)
    throw new KesselError(
      "unsupported",
      `${file} has dice or a position of its own; only games saved by \`kessel play\` can go on`,
    );
  if (flags.seed !== undefined || Object.keys(flags.option).length > 0)
    throw new KesselError(
      "bad-option",
      "a saved game brings its seed and options with it; leave --seed and --option out",
    );
  playReplay(ownerType(gameType(id), flags.data), replay);
  return replay;
}

const textOptions = (r: Replay): Record<string, string> =>
  Object.fromEntries(Object.entries(r.options).map(([k, v]) => [k, String(v)]));
