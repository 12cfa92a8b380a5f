import { hundredths } from "../../env/core/words.js";
import type { Command } from "commander";
import type { RosterEntry } from "../../agents/roster.js";
import type { Game } from "../../env/index.js";
import { table } from "../../training/report/table.js";
import { example, type GameFlags, gameFrom, print, printJson, withGameOptions } from "./common.js";

export function register(command: Command): void {
  withGameOptions(command)
    .argument("<game>", "as `kessel list` names it")
    .option("--json", "machine-readable")
    .addHelpText("after", example("kessel agents pocket-stalingrad", "kessel agents savage-streets -o mode=solo"))
    .action(async (id: string, flags: GameFlags & { json?: boolean }) => {
      const game = await gameFrom(id, flags);
      const { roster } = await import("../../agents/roster.js");
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
      const unmeasured = elsewhere(list, id);
      if (unmeasured !== "") print(unmeasured);
      const [{ CHOICES_TEXT, COMPARED }, { SETTINGS }] = await Promise.all([
        import("../../agents/llm/named.js"),
        import("../../agents/llm/settings.js"),
      ]);
      const others = SETTINGS.filter((key) => !(COMPARED as readonly string[]).includes(key));
      print(
        `\nA language model plays as llm:URL,model=NAME, in kessel arena and kessel play. Settings to compare: ${CHOICES_TEXT}. Others: ${others.join(", ")}.`,
      );
      print(
        `\nShort names work wherever an agent is named: kessel play ${id} --seat ${game.players[0]!}=human${game.players[1] === undefined ? "" : ` --seat ${game.players[1]}=${list[0]!.short}`}`,
      );
    });
}

const seatsText = (e: RosterEntry, game: Game): string =>
  e.players.length === game.players.length ? "any seat" : e.players.map((p) => game.players[p]!).join(", ");

/** What its card says: points in percent against others, overall and by seat; where one plays alone, what each gets. */
function strength(e: RosterEntry, game: Game): string {
  const seatText = (x: number | null | undefined): string => (typeof x === "number" ? hundredths(x) : "");
  const { version = null } = e.measured ?? {};
  const rules = version === null ? "" : `, by the rules of version ${version}`;
  if (game.players.length === 1) {
    const rows = e.results.flatMap(({ against, alone }) =>
      alone === undefined ? [] : [[`  ${against}`, alone.other.toFixed(3)]],
    );
    const own = e.results.find((r) => r.alone !== undefined)?.alone?.own ?? Number.NaN;
    return table([`${e.short} and others: mean return${rules}`, ""], [[`  ${e.short}`, own.toFixed(3)], ...rows]);
  }
  const rows = e.results.map((r) => [
    `  ${r.against}`,
    `${hundredths(r.score)} [${r.interval.map((x) => hundredths(x)).join(", ")}]`,
    ...game.players.map((_, i) => seatText(r.seats[i])),
    String(r.games),
  ]);
  const seats = game.players.map((p) => `as ${p}`);
  return table([`${e.short}: points in % against${rules}`, "all [95 %]", ...seats, "games"], rows);
}

/** Levels whose cards are of other options, and how to see them. */
function elsewhere(list: readonly RosterEntry[], id: string): string {
  const others = new Map<string, string[]>();
  for (const { short, measured } of list) {
    const options = Object.entries(measured?.otherwise ?? {}).map(([o, value]) => `-o ${o}=${value}`);
    if (options.length > 0) others.set(options.join(" "), [...(others.get(options.join(" ")) ?? []), short]);
  }
  return [...others]
    .map(([options, who]) => `\nNot measured with these options: ${who.join(", ")}; see kessel agents ${id} ${options}`)
    .join("");
}
