import type { Command } from "commander";
import { Env, type Game, type JsonObject, KesselError, NOBODY, oneOf, sceneOf, shown } from "../../env/index.js";
import type { PictureOptions } from "../draw/picture.js";
import { OneDecision } from "../session/one-decision.js";
import {
  checkWritable,
  example,
  type GameFlags,
  gameFrom,
  print,
  readJson,
  viewerFrom,
  whole,
  withGameOptions,
  writeOut,
} from "./common.js";
import { collectSeat } from "./seats.js";

interface Flags extends GameFlags {
  out: string;
  position?: string;
  seed: string;
  decisions: number;
  seat: Record<string, string>;
  viewer?: string;
  theme: string;
  width: number;
  around?: string;
}

const FORMATS = [".svg", ".png"];
const DRAWN_THEMES = ["light", "dark"] as const;
/** Widths that give a picture one can read, and that fit in memory. */
const WIDTHS = [320, 8000] as const;

export function register(command: Command): void {
  withGameOptions(command)
    .argument("<game>", "as `kessel list` names it")
    .requiredOption("--out <file>", "where to write it; ends in .svg or .png")
    .option("--position <file>", "a position document to draw")
    .option("-s, --seed <seed>", "seed of the game that is played to get to a position", "1")
    .option("-n, --decisions <number>", "decisions to play before drawing", whole(0), 0)
    .option(
      "--seat <side=agent>",
      "the agent that plays a seat before that position; other seats play at random",
      collectSeat,
      {},
    )
    .option("--viewer <seat>", "the viewer: a seat, or `spectator`; by default the seat that decides")
    .option("--theme <name>", "light or dark", "light")
    .option("--width <pixels>", "width of the picture; below 700 it has one column", whole(...WIDTHS), 1440)
    .option("--around <place>", "draw a hex map at reading size around this hex, not all of it")
    .addHelpText("after", example("kessel draw night-fight --seed 7 --decisions 60 --out night.png"))
    .action(run);
}

async function run(id: string, flags: Flags): Promise<void> {
  const format = FORMATS.find((f) => flags.out.toLowerCase().endsWith(f));
  if (format === undefined)
    throw new KesselError("bad-option", `--out is a file that ends in ${oneOf(FORMATS)}, not ${shown(flags.out)}`);
  const theme = DRAWN_THEMES.find((t) => t === flags.theme);
  if (theme === undefined)
    throw new KesselError("bad-option", `--theme is ${oneOf(DRAWN_THEMES)}, not ${shown(flags.theme)}`);
  checkWritable(flags.out);
  const game = await gameFrom(id, flags);
  const env = await played(game, flags);
  const viewer = flags.viewer === undefined ? Math.max(env.actor, 0) : viewerFrom(game, flags.viewer);
  const { around, width } = flags;
  if (around !== undefined && !game.observation.mapRows.includes(around))
    throw new KesselError(
      "bad-option",
      `--around is a place of ${id}, such as ${shown(game.observation.mapRows[0])}, not ${shown(around)}`,
    );
  if (around !== undefined && sceneOf(game, env.state, viewer).board.kind !== "hexes")
    throw new KesselError("bad-option", `--around is for hex maps; ${id} has areas, and is drawn whole`);
  const options: PictureOptions = { theme, width, ...(around === undefined ? {} : { around }) };
  const { renderPng, renderSvg } = await import("../draw/render-scene.js");
  writeOut(
    flags.out,
    format === ".svg" ? renderSvg(game, env.state, viewer, options) : renderPng(game, env.state, viewer, options),
  );
  print(`${flags.out}: ${id}, as ${game.players[viewer] ?? "the spectator"} sees it`);
}

/** The game at the position to draw. @throws KesselError */
async function played(game: Game, flags: Flags): Promise<Env> {
  const env = new Env(game);
  if (flags.position === undefined) env.reset(flags.seed);
  else env.resetTo(readJson(flags.position, "bad-position") as JsonObject, flags.seed);
  const { makeAgent } = await import("../../agents/registry.js");
  for (const side of Object.keys(flags.seat))
    if (viewerFrom(game, side) < 0) throw new KesselError("bad-seat", "a spectator plays nothing");
  const agents = await Promise.all(
    game.players.map((side) => makeAgent(flags.seat[side] ?? "random", { game, seed: `${flags.seed}/${side}` })),
  );
  const choice = new Int32Array(1);
  try {
    while (env.decisions < flags.decisions && env.actor !== NOBODY && !env.truncated) {
      await agents[env.actor]!.act(new OneDecision(env), choice);
      env.step(choice[0]!);
    }
  } finally {
    for (const agent of agents) await agent.close?.();
  }
  return env;
}
