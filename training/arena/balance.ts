import { z } from "zod";
import { BALANCE, loadGame, type Options } from "../../env/index.js";
import { parseWith } from "../../env/core/schema.js";
import { importGame } from "../../agents/import-game.js";
import { arena } from "./arena.js";

/** Share of the points that a seat of an even game gets, at least and at most. */
export const EVEN = [0.45, 0.55] as const;

const share = z.number().min(0).max(1);
const measured = z.strictObject({ score: share, interval: z.tuple([share, share]) });
const rowSchema = z.strictObject({
  game: z.string(),
  /** The fight, where a game has several. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Who plays the seats, in their order. */
  agents: z.tuple([z.string(), z.string()]),
  /** Of the game's rules, when it was measured. */
  version: z.int().min(1),
  games: z.int().min(2),
  /** Points of the first seat. */
  seat: z.string(),
  printed: measured,
  even: measured,
});
/** Points of the first seat of a fight in the printed and in the even game, its strongest agents in the seats. */
export type BalanceRow = z.infer<typeof rowSchema>;
const fileSchema = z.strictObject({ about: z.string(), command: z.string(), rows: z.array(rowSchema) });
export type BalanceFile = z.infer<typeof fileSchema>;

/** `models/balance.json`. @param file named where it is wrong @throws KesselError `bad-data` */
export const readBalance = (doc: unknown, file = "models/balance.json"): BalanceFile =>
  parseWith(fileSchema, doc, "bad-data", file);

export interface BalanceOptions {
  readonly games: number;
  readonly jobs: number;
  readonly progress?: (done: number, all: number) => void;
}

/**
 * Plays the fights of some rows, printed and even, on the same seeds.
 *
 * @returns the rows with what was measured now
 */
export async function measureBalance(
  rows: readonly BalanceRow[],
  { games, jobs, progress }: BalanceOptions,
): Promise<BalanceRow[]> {
  let done = 0;
  const found: BalanceRow[] = [];
  for (const row of rows) {
    await importGame(row.game);
    const play = async (balance: string): Promise<z.infer<typeof measured>> => {
      const game = loadGame(row.game, { ...row.options, [BALANCE]: balance });
      const [seat] = game.players;
      const result = await arena(game, { agents: row.agents, games, jobs, seed: BALANCE, seat: seat! });
      progress?.(++done, 2 * rows.length);
      const { score, interval } = result.pairs[0]!.seats[0];
      return { score, interval: [interval[0], interval[1]] };
    };
    const { type, players } = loadGame(row.game, row.options);
    const now = { version: type.version, games, seat: players[0]! };
    found.push({ ...row, ...now, printed: await play("printed"), even: await play("even") });
  }
  return found;
}

/** A fight as people write it on a command line. */
const optionsText = (options: Options): string =>
  Object.entries(options)
    .map(([id, value]) => `\`${id}=${value}\``)
    .join(" ");

const agentText = (name: string): string => name.replace(/^onnx:.*\/|\.onnx$|^heuristic:/g, "");

/** The rows of a Markdown table: game, fight, agents, points of the first seat in both games. */
export function balanceTable(rows: readonly BalanceRow[]): string[] {
  const percent = (x: number): string => (100 * x).toFixed(1);
  const points = ({ score, interval: [low, high] }: z.infer<typeof measured>): string =>
    `${percent(score)} [${percent(low)}, ${percent(high)}]`;
  return [
    "| game | agents | games | seat | printed | even |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map((r) => {
      const [one, other] = r.agents.map(agentText);
      const cells = [
        `\`${r.game}\`${Object.keys(r.options).length === 0 ? "" : ` ${optionsText(r.options)}`}`,
        one === other ? `${one} against itself` : `${one} against ${other}`,
        String(r.games),
        r.seat,
        points(r.printed),
        points(r.even),
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ];
}

/** The file with one row a line. */
export const balanceText = ({ about, command, rows }: BalanceFile): string =>
  [
    "{",
    `  "about": ${JSON.stringify(about)},`,
    `  "command": ${JSON.stringify(command)},`,
    '  "rows": [',
    rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n"),
    "  ]",
    "}\n",
  ].join("\n");
