import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { heuristicNames } from "../../../agents/heuristics/index.js";
import { makeAgent } from "../../../agents/registry.js";
import { type Game, loadGame, Rng } from "../../../env/index.js";
import { PlayTable } from "../../../server/cli/terminal/table.js";
import { type Seat, Session } from "../../../server/session/session.js";

/** Typed now and then before a choice. */
const COMMANDS = [
  "why",
  "words",
  "words Command die",
  "board",
  "look",
  "choices",
  "standing",
  "log 12",
  "rule",
  "odds 1",
  "odds",
  "orders",
  "?",
];

/** A terminal with somebody at it who answers every question; keeps what stood on the screen between two of them. */
class Terminal extends Writable {
  readonly isTTY = true;
  readonly input = new PassThrough();
  readonly widest = { line: "", width: 0 };
  readonly tallest = { screen: "", height: 0 };
  private text = "";

  constructor(
    readonly columns: number,
    readonly rows: number,
    private readonly answer: (question: string) => string,
  ) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    if (!this.text.endsWith("\n")) this.look();
    done();
  }

  /** Something was asked. */
  private look(): void {
    const lines = this.text.split("\n");
    for (const line of lines)
      if (line.length > this.widest.width) Object.assign(this.widest, { line, width: line.length });
    if (lines.length > this.tallest.height) Object.assign(this.tallest, { screen: this.text, height: lines.length });
    this.text = "";
    const question = lines.at(-1)!;
    setImmediate(() => this.input.write(`${this.answer(question)}\n`));
  }
}

/** One person plays at random against the strongest heuristic, and asks for everything now and then. */
async function played(game: Game, person: number, columns: number, rows: number): Promise<Terminal> {
  const seed = `screen/${person}`;
  const strongest = `heuristic:${heuristicNames(game.type.id).at(-1)!}`;
  const seats: Seat[] = [];
  for (const i of game.players.keys()) seats.push(i === person ? "human" : await makeAgent(strongest, { game, seed }));
  const session = new Session(game, seats, seed);
  const rng = new Rng(seed);
  let asked = 0;
  const terminal = new Terminal(columns, rows, (question) => {
    if (question.includes("more")) return "";
    if (question.startsWith("Type yes")) return "yes";
    if (asked++ % 4 < 3 && rng.below(20) > 0) return String(1 + rng.below(session.env.legalCount));
    return COMMANDS[rng.below(COMMANDS.length)]!;
  });
  expect(await new PlayTable(session, terminal.input, terminal).run()).toBe(true);
  return terminal;
}

describe.each(["pocket-stalingrad", "savage-streets", "strike-counterstrike", "night-fight"])(
  "%s in the terminal",
  (id) => {
    const game = loadGame(id);
    it.each([...game.players.keys()].map((person) => ({ person, side: game.players[person]! })))(
      "fits 80 columns and 24 rows from the first to the last decision of $side",
      async ({ person }) => {
        const { widest, tallest } = await played(game, person, 80, 24);
        expect(widest.width, widest.line).toBeLessThanOrEqual(80);
        expect(tallest.height, tallest.screen).toBeLessThanOrEqual(24);
      },
    );
  },
);

it("a board with lists that are wider than the screen is shown where there are rows for it", async () => {
  const session = new Session(loadGame("strike-counterstrike"), ["human"], "wide");
  const board = session.game.render(session.env.state, 0).split("\n");
  expect(Math.max(...board.map((line) => line.length))).toBeGreaterThan(80);
  const terminal = new Terminal(80, 100, () => "quit");
  await new PlayTable(session, terminal.input, terminal).run();
  for (const line of board.filter((l) => l.length > 40 && l.length <= 80))
    expect(terminal.tallest.screen).toContain(line);
});
