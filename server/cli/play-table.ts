import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type Game, KesselError, shown, SPECTATOR } from "../../env/index.js";
import { writeOut } from "./common.js";
import { columns, eventText, findAction, HELP } from "./play-text.js";
import type { Session } from "../session/session.js";

/** What a terminal or a pipe is to the game. */
export type Input = Readable & { readonly isTTY?: boolean };
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The lines of the input, one at a time; null at its end. */
class Lines {
  private readonly queue: string[] = [];
  private waiting: ((line: string | null) => void) | null = null;
  private ended = false;
  private readonly reader: Interface;

  constructor(
    private readonly input: Input,
    private readonly output: Output,
  ) {
    this.reader = createInterface({ input, ...(input.isTTY ? { output } : {}) });
    this.reader.on("line", (line) => {
      if (this.waiting === null) this.queue.push(line);
      else this.give(line);
    });
    this.reader.on("close", () => {
      this.ended = true;
      this.give(null);
    });
  }

  next(prompt: string): Promise<string | null> {
    if (this.input.isTTY) {
      this.reader.setPrompt(prompt);
      this.reader.prompt();
    } else this.output.write(prompt);
    const line = this.queue.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (this.ended) return Promise.resolve(null);
    return new Promise((done) => (this.waiting = done));
  }

  close(): void {
    this.reader.close();
  }

  private give(line: string | null): void {
    this.waiting?.(line);
    this.waiting = null;
  }
}

/** The conversation with whoever sits at the terminal. */
export class PlayTable {
  private readonly game: Game;
  private readonly people: readonly number[];
  /** Whose view the terminal shows. */
  private viewer = SPECTATOR;

  constructor(
    private readonly session: Session,
    private readonly input: Input,
    private readonly output: Output,
  ) {
    this.game = session.game;
    this.people = this.game.players.flatMap((_, i) => (session.seats[i] === "human" ? [i] : []));
    if (this.people.length === 1) this.viewer = this.people[0]!;
  }

  async run(): Promise<void> {
    const { session, game } = this;
    const who = game.players.map(
      (p, i) => `${p}: ${session.seats[i] === "human" ? "human" : (session.seats[i] as { name: string }).name}`,
    );
    this.print(`${game.type.title}. ${who.join(", ")}. Type ? for help.`);
    if (game.type.reconstructed !== null) this.print(`Reconstructed: ${game.type.reconstructed}.`);
    const lines = this.people.length > 0 ? new Lines(this.input, this.output) : null;
    try {
      for (;;) {
        await session.advance(() => this.people.length < 2 && this.tell());
        if (session.over) break;
        if (this.people.length > 1) await this.turnTo(session.env.actor, lines!);
        this.tell();
        if (!(await this.decide(lines!)))
          return this.print(`The game was left after ${session.actions.length} decisions.`);
      }
    } finally {
      lines?.close();
    }
    this.finish();
  }

  /** Two people at one terminal: hides what the last one saw. */
  private async turnTo(actor: number, lines: Lines): Promise<void> {
    if (actor === this.viewer) return;
    this.viewer = actor;
    if (this.output.isTTY) {
      this.output.write("\u001b[2J\u001b[3J\u001b[H");
      await lines.next(`${this.game.players[actor]!} to decide; press Enter `);
    }
    this.print(`\n--- ${this.game.players[actor]!} ---`);
  }

  private tell(): void {
    for (const e of this.session.news(this.viewer)) this.print(eventText(e));
  }

  /** Asks until an action is chosen. @returns false when the game is left */
  private async decide(lines: Lines): Promise<boolean> {
    const { session, game, viewer } = this;
    const { env } = session;
    this.print(`\n${game.render(env.state, viewer)}\n`);
    this.print(columns(env.legal(), this.output.columns ?? 80));
    for (;;) {
      const line = (await lines.next(`${game.players[viewer]!}> `))?.trim();
      if (line === undefined || line === "quit") return false;
      if (line === "") continue;
      const legal = env.legal();
      const found = findAction(legal, line);
      if (typeof found === "string") {
        session.choose(game.actions.indexOf(found));
        return true;
      }
      if (line === "?" || line === "help") this.print(HELP);
      else if (line === "board")
        this.print(`\n${game.render(env.state, viewer)}\n\n${columns(legal, this.output.columns ?? 80)}`);
      else if (line === "undo") {
        const refused = session.undo();
        if (refused === null) return true;
        this.print(`That can't be taken back: ${refused}.`);
      } else if (/^save(\s|$)/.test(line)) this.trySave(line.slice(4).trim());
      else
        this.print(
          found.length === 0
            ? `${shown(line)} is no legal action; type a number from 1 to ${legal.length}, an action's name or its beginning, or ?`
            : `${shown(line)} may be any of:\n${found.map((a) => `  ${a}`).join("\n")}`,
        );
    }
  }

  /** Writes the game so far as a replay. @throws KesselError */
  save(file: string): void {
    writeOut(file, `${JSON.stringify(this.session.replay(), null, 1)}\n`);
    this.print(`Saved to ${file}. The file holds the whole game, hidden things included.`);
  }

  private trySave(file: string): void {
    if (file === "") return this.print("Say where: save FILE");
    try {
      this.save(file);
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      this.print(e.message);
    }
  }

  private finish(): void {
    const { session, game } = this;
    this.tell();
    const out = new Float32Array(game.players.length);
    game.returns(session.env.state, out);
    this.print(`\n${game.render(session.env.state, this.people.length > 1 ? SPECTATOR : this.viewer)}\n`);
    this.print(
      `The game is over after ${session.actions.length} decisions: ${game.players.map((p, i) => `${p} ${out[i]! > 0 ? "+" : ""}${out[i]!}`).join(", ")} (seed ${session.seed}).`,
    );
  }

  private print(text: string): void {
    this.output.write(`${text}\n`);
  }
}
