import type { Command } from "commander";
import type { RosterEntry } from "../../agents/roster.js";
import type { Game } from "../../env/index.js";
import { table } from "../../training/report/table.js";
import { example, type GameFlags, gameFrom, print, printJson, withGameOptions } from "./common.js";

export function register(program: Command): void {
  withGameOptions(program.command("agents"))
    .description("who can play a game: trained levels with their measured strength, scripted players, search")
    .argument("<game>", "as `kessel list` names it")
    .option("--json", "machine-readable")
    .addHelpText("after", example("kessel agents pocket-stalingrad", "kessel agents savage-streets -o mode=solo"))
    .action(async (id: string, flags: GameFlags & { json?: boolean }) => {
      const { roster } = await import("../../agents/roster.js");
      const game = gameFrom(id, flags);
      const list = roster(game);
      if (flags.json) return printJson(list.map((e) => ({ ...e, players: e.players.map((p) => game.players[p]!) })));
      print(
        table(
          ["short name", "plays", "what it is"],
          list.map((e) => [e.short, seatsText(e, game), e.about]),
          3,
        ),
      );
      for (const e of list.filter((e) => e.results.length > 0)) print(`\n${strength(e, game)}`);
      print(
        `\nShort names work wherever an agent is named: kessel play ${id} --seat ${game.players[0]!}=human${game.players[1] === undefined ? "" : ` --seat ${game.players[1]}=${list[0]!.short}`}`,
      );
    });
}

const seatsText = (e: RosterEntry, game: Game): string =>
  e.players.length === game.players.length ? "any seat" : e.players.map((p) => game.players[p]!).join(", ");

/** What its card says: points in percent against others, overall and by seat. */
function strength(e: RosterEntry, game: Game): string {
  const percent = (x: number): string => (100 * x).toFixed(1);
  const seats = game.players.length > 1 ? game.players.map((p) => `as ${p}`) : [];
  const rows = e.results.map((r) => [
    `  ${r.against}`,
    `${percent(r.score)} [${r.interval.map(percent).join(", ")}]`,
    ...seats.map((_, i) => percent(r.seats[i] ?? Number.NaN)),
    String(r.games),
  ]);
  return table([`${e.short}: points in % against`, "all [95 %]", ...seats, "games"], rows);
}
