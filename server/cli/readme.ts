import type { GameSummary } from "../../env/core/game.js";
import { type Game, type GameType, minutesOf } from "../../env/index.js";
import { KesselError } from "../../env/core/errors.js";
import { resolveOptions } from "../../env/core/options.js";

/** What the README's table takes from a game's data. */
export interface GameFacts {
  /** Numbers of players, fewest first: an option may leave out a side. */
  readonly players: readonly number[];
  /** Shortest and longest time of a game for a person; the same number where all scenarios take as long. */
  readonly minutes: readonly [least: number, most: number];
  /** From 1 to 5. */
  readonly complexity: number;
}

/** @param type a game whose code is loaded and which has an entry for the lobby */
export function factsOf(type: GameType): GameFacts {
  const { lobby } = type;
  if (lobby === undefined) throw new Error(`${type.id} has no "lobby" in its game.json`);
  const players = new Set(variants(type).map((game) => game.players.length));
  return {
    players: [...players].sort((a, b) => a - b),
    minutes: minutesOf(type.briefings ?? [], lobby.minutes),
    complexity: lobby.complexity,
  };
}

/** The game with its defaults, and with each other value of each option. */
function variants(type: GameType): Game[] {
  const sets = type.options.flatMap((o) => o.values.map((value) => ({ [o.id]: value })));
  return [{}, ...sets].flatMap((chosen) => {
    try {
      return [type.load(resolveOptions(type, chosen), type.data)];
    } catch (e) {
      if (e instanceof KesselError) return []; // a value that positions alone can use
      throw e;
    }
  });
}

/** Filled and empty dots, as the lobby shows complexity. */
export const dots = (complexity: number): string => "●".repeat(complexity) + "○".repeat(5 - complexity);

/** The title without what follows its colon. */
export const shortTitle = (title: string): string => title.split(":")[0]!;

/** Cells of a row that no data have: they are written by hand. */
export interface GameWords {
  /** What playing it is like, in a few words. */
  readonly like: string;
  readonly hidden: string;
}

/** A row of the README's table of games. */
export function gameRow(game: Pick<GameSummary, "id" | "title">, facts: GameFacts, words: GameWords): string {
  const { players, minutes, complexity } = facts;
  const [least, most] = minutes;
  const cells = [
    `[${shortTitle(game.title)}](env/${game.id}/README.md)`,
    words.like,
    players.join(" or "),
    least === most ? String(least) : `${least} to ${most}`,
    dots(complexity),
    words.hidden,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A game's lines in the README's credits. */
export function creditLines({ title, credits, reconstructed }: GameSummary): string[] {
  const sentence = (text: string): string => text.replace(/\.?$/, ".");
  const made = reconstructed === null ? "All data are as printed." : `Reconstructed: ${sentence(reconstructed)}`;
  return wrapped(`- **${shortTitle(title)}**: ${sentence(credits)} ${made}`);
}

/** An item of a list in lines of at most 120 characters. */
function wrapped(item: string): string[] {
  const lines: string[] = [];
  for (const word of item.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length === 0) lines.push(word);
    else if (longer.length <= 120) lines.push(`${lines.pop()!} ${word}`);
    else lines.push(`  ${word}`);
  }
  return lines;
}

/** Lines of the README's table of games, by the game's id. */
export function rowsOf(readme: string): Map<string, GameWords & { readonly line: string }> {
  const rows = readme.split("\n").flatMap((line) => {
    const id = /^\| \[[^\]]+\]\(env\/([^/]+)\/README\.md\)/.exec(line)?.[1];
    const cells = line.replace(/ \|$/, "").split(" | ");
    return id === undefined ? [] : [[id, { line, like: cells[1] ?? "", hidden: cells.at(-1)! }] as const];
  });
  return new Map(rows);
}

/**
 * The README with a row for each game, in the place of the rows that it has, and a line of credits for each.
 *
 * @param readme has a table of games; the words of a row that are written by hand stay
 * @param types games whose code is loaded
 */
export function withGames(readme: string, types: readonly GameType[]): string {
  const rows = rowsOf(readme);
  const table = types.map((type) => gameRow(type, factsOf(type), rows.get(type.id) ?? { like: "?", hidden: "?" }));
  return withBlock(withBlock(readme, /^\| \[.*\]\(env\//, table), /^- \*\*.*\*\*: |^  /, types.flatMap(creditLines));
}

/**
 * A page with figures that were measured in the place of a table of its own: what is between two comments,
 * `<!-- NAME -->` and `<!-- end NAME -->`.
 */
export function withTable(page: string, name: string, rows: readonly string[]): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from)
    throw new KesselError("bad-option", `the page has no table between ${begin.trim()} and ${end.trim()}`);
  return [page.slice(0, from + begin.length), ...rows, page.slice(to)].join("\n");
}

/** @param lines in the place of the last block of lines that all begin with `start` */
function withBlock(text: string, start: RegExp, lines: readonly string[]): string {
  const all = text.split("\n");
  const end = all.findLastIndex((line) => start.test(line)) + 1;
  const before = all.slice(0, end).findLastIndex((line) => !start.test(line)) + 1;
  return [...all.slice(0, before), ...lines, ...all.slice(end)].join("\n");
}
