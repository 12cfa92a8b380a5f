import { importGame } from "../../../agents/import-game.js";
import { shownName } from "../../../env/core/safe-text.js";
import { importGames } from "../../../env/index.js";
import type { Command } from "commander";
import { gameIds, gameType, KesselError, loadGame, oneOf, shown } from "../../../env/index.js";
import type { GameFilter, RecordedGame } from "../../session/library.js";
import { example, print, printJson, whole } from "../common.js";

interface Flags extends GameFilter {
  readonly json?: boolean;
}

/** @throws KesselError `bad-option` for what is no side of a game that may be listed */
async function checkWon(won: string, game: string | undefined, games: readonly RecordedGame[]): Promise<void> {
  await (game === undefined ? importGames() : importGame(game));
  const played = games.filter((g) => game === undefined || g.game === game);
  const sides = new Set([
    ...(game === undefined ? gameIds() : [game]).flatMap((id) => loadGame(id).players),
    ...played.flatMap((g) => Object.keys(g.agents)), // options give some games other sides
    "draw",
    "nobody",
  ]);
  if (!sides.has(won)) throw new KesselError("bad-option", `--won is ${oneOf([...sides], 20)}, not ${shown(won)}`);
}

export function register(command: Command): void {
  command
    .argument("<dir>", "a folder of replays")
    .option("--game <game>", "only this game")
    .option("--seed <seed>", "only games with this seed")
    .option("--agent <name>", "only games of an agent whose name contains this, or SIDE=NAME")
    .option("--won <side>", "only games won by this side; `draw`, or `nobody` for lost solitaire games")
    .option("--least <decisions>", "only games with at least this many decisions", whole(0))
    .option("--most <decisions>", "only games with at most this many decisions", whole(0))
    .option("--json", "machine-readable")
    .addHelpText("after", example("kessel games list games/ --agent soviet=commander --won german --most 200"))
    .action(async (dir: string, { json, ...filter }: Flags) => {
      const { Library } = await import("../../session/library.js");
      const library = new Library(dir);
      if (filter.game !== undefined) gameType(filter.game);
      if (filter.won !== undefined) await checkWon(filter.won, filter.game, await library.list());
      const games = await library.list(filter);
      if (json) return printJson(games);
      for (const g of games) {
        const players = Object.entries(g.agents).map(([side, name]) => `${side} ${name}`);
        const end = g.won === null ? "not over" : g.won === "draw" || g.won === "nobody" ? g.won : `${g.won} won`;
        const facts = [g.file, `${g.decisions} decisions`, end, `seed ${g.seed}`, players.join(", ")];
        print(facts.map(shownName).join("  "));
      }
      print(`${games.length} ${games.length === 1 ? "game" : "games"}`);
    });
}
