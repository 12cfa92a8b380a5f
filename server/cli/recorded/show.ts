import { importGame } from "../../../agents/import-game.js";
import type { Command } from "commander";
import {
  actorName,
  EventLog,
  EVERYTHING,
  gameFor,
  gameType,
  KesselError,
  parseReplay,
  playReplay,
  replayView,
  type Replay,
  type LogEntry,
} from "../../../env/index.js";
import { Lines } from "../terminal/lines.js";
import { entryText, sideNames } from "../../../agents/text/sentences.js";
import { example, ownerType, print, printJson, readJson, viewerFrom } from "../common.js";

interface Flags {
  as?: string;
  data?: string;
  json?: boolean;
  step?: boolean;
}

export function register(command: Command): void {
  command
    .argument("<file>", "a replay document")
    .option("--as <seat>", "show what this seat (or `spectator`) could see, instead of everything")
    .option("--data <dir>", "the folder of data files that the game was played with")
    .option("--step", "walk through it with events and dice: Enter continues, b shows the board, q quits")
    .option("--json", "positions and actions, machine-readable")
    .addHelpText("after", example("kessel games show game.json --as spectator"))
    .action(async (file: string, flags: Flags) => {
      const replay = parseReplay(readJson(file, "bad-replay"));
      await importGame(replay.game);
      if (flags.step) return walk(replay, flags);
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

/** Shows one decision after another with what came of it, at the reader's pace; piped, all at once. */
async function walk(replay: Replay, flags: Flags): Promise<void> {
  if (flags.json) throw new KesselError("bad-option", "--step is for reading, --json for programs: give one of them");
  const type = ownerType(gameType(replay.game), flags.data);
  const viewer =
    flags.as === undefined ? EVERYTHING : viewerFrom(gameFor(type, replay.position ?? {}, replay.options), flags.as);
  const narrator = new EventLog([viewer]);
  const steps: { readonly entry: LogEntry; readonly board: string }[] = [];
  let actor = "";
  const env = playReplay(
    type,
    replay,
    (now) => {
      const entry = { number: steps.length, actor, action: null, forced: false, events: narrator.take(viewer) };
      narrator.clear();
      steps.push({ entry, board: now.game.render(now.state, viewer) });
      actor = actorName(now.game, now.state) ?? "";
    },
    narrator,
  );
  // what a seat may read of an action is in the view, not in the document
  const views = flags.as === undefined ? null : (replayView(type, replay, viewer) as { action: string | null }[]);
  const lines = process.stdin.isTTY ? new Lines(process.stdin, process.stdout) : null;
  const width = Math.min(process.stdout.columns ?? 80, 120);
  const shownAction = (i: number): string | null =>
    i === 0 ? null : views === null ? replay.actions[i - 1]! : (views[i]?.action ?? null);
  const nameOf = sideNames(env.game, env.state);
  print(steps[0]!.board);
  for (const [i, { entry, board }] of steps.entries()) {
    if (i === 0 && entry.events.length === 0) continue;
    print(entryText({ ...entry, action: shownAction(i) ?? (i === 0 ? null : "(hidden)") }, nameOf, width, true));
    if (lines === null) continue;
    let word = await lines.next(`${i} of ${steps.length - 1}: `);
    for (; word?.trim() === "b"; word = await lines.next(`${i} of ${steps.length - 1}: `)) print(board);
    if (word === null || word.trim() === "q") break;
  }
  lines?.close();
  print(ending(replay, env.terminated));
}

function ending(replay: Replay, over: boolean): string {
  const moves = `${replay.actions.length} decisions played again, all as recorded`;
  if (replay.resigned !== undefined) return `${moves}; ${replay.resigned} gave up`;
  if (!over || replay.returns === undefined) return `${moves}; the game is ${over ? "over" : "not over"}`;
  return `${moves}; returns: ${Object.entries(replay.returns)
    .map(([side, r]) => `${side} ${r}`)
    .join(", ")}`;
}
