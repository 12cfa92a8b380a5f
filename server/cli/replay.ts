import type { Command } from "commander";
import { actorName, gameType, KesselError, parseReplay, playReplay, replayView, type Replay } from "../../env/index.js";
import { example, ownerType, print, printJson, readJson, viewerFrom } from "./common.js";

interface Flags {
  as?: string;
  data?: string;
  json?: boolean;
}

export function register(program: Command): void {
  program
    .command("replay")
    .description("play a recorded game again and check that it comes out as recorded")
    .argument("<file>", "a replay document")
    .option("--as <seat>", "show what this seat (or `spectator`) could see, instead of everything")
    .option("--data <dir>", "the folder of data files that the game was played with")
    .option("--json", "positions and actions, machine-readable")
    .addHelpText("after", example("kessel replay game.json --as spectator"))
    .action((file: string, flags: Flags) => {
      const replay = parseReplay(readJson(file, "bad-replay"));
      if (flags.as === undefined) whole(replay, flags);
      else seen(replay, flags.as, flags);
    });
}

/** The true state, hidden facts included: the file's owner may see them. */
function whole(replay: Replay, flags: Flags): void {
  const type = ownerType(gameType(replay.game), flags.data);
  const steps: { actor: string | null; action: string | null; position: unknown }[] = [];
  let actor: string | null = null;
  const env = playReplay(type, replay, (now, action) => {
    steps.push({ actor, action, position: now.game.write(now.state) });
    actor = actorName(now.game, now.state);
  });
  if (flags.json)
    return printJson({
      verified: true,
      game: type.id,
      seed: replay.seed,
      options: replay.options,
      steps,
      returns: replay.returns ?? null,
    });
  for (const [i, s] of steps.entries())
    if (s.action !== null) print(`${String(i).padStart(4)}  ${s.actor ?? ""}: ${s.action}`);
  print(`\n${env.game.render(env.state, -1)}`);
  print(ending(replay, env.terminated));
}

function seen(replay: Replay, seat: string, flags: Flags): void {
  const type = ownerType(gameType(replay.game), flags.data);
  let viewer = -1;
  const actors: (string | null)[] = [];
  let board = "";
  const env = playReplay(type, replay, (now) => {
    viewer = viewerFrom(now.game, seat);
    actors.push(actorName(now.game, now.state));
    board = now.game.render(now.state, viewer);
  });
  const steps = replayView(type, replay, viewer) as { action: string | null; view: unknown }[];
  if (steps.length !== actors.length)
    throw new KesselError("internal", "the view of a replay has another length than the replay");
  if (flags.json) return printJson({ verified: true, game: type.id, seat, steps, returns: replay.returns ?? null });
  for (const [i, s] of steps.entries()) if (i > 0 && s.action !== null) print(`${String(i).padStart(4)}  ${s.action}`);
  print(`\n${board}`);
  print(ending(replay, env.terminated));
}

function ending(replay: Replay, over: boolean): string {
  const moves = `${replay.actions.length} decisions played again, all as recorded`;
  if (!over || replay.returns === undefined) return `${moves}; the game is ${over ? "over" : "not over"}`;
  return `${moves}; returns: ${Object.entries(replay.returns)
    .map(([side, r]) => `${side} ${r}`)
    .join(", ")}`;
}
