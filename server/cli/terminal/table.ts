import { counted } from "../../../env/core/words.js";
import { type Choice, type Game, KesselError, type LogEntry, shown, SPECTATOR } from "../../../env/index.js";
import type { Deputy } from "../../session/deputy.js";
import { handedOver, parseHandOver } from "../../session/hand-over.js";
import type { Session } from "../../session/session.js";
import { Commands, type TableServices } from "./commands.js";
import type { Input, Output } from "./lines.js";
import { Screen } from "./screen.js";
import { orderedLines } from "../../text/orders.js";
import { choicesOnScreen } from "../../../agents/text/choices.js";
import {
  boardText,
  findAction,
  promptText,
  reports,
  type SideName,
  sideNames,
  standingLine,
  wrap,
} from "../../../agents/text/sentences.js";

const BEGINNERS =
  "New here? standing: how to win; rule: the rule of this decision; look: the board; hint: what an agent would do.";

/** The conversation with the people at the terminal. */
export class PlayTable {
  private readonly game: Game;
  private readonly screen: Screen;
  private readonly commands: Commands;
  private readonly nameOf: SideName;
  private readonly people: readonly number[];
  /** Whose view the terminal shows. */
  private viewer = SPECTATOR;
  /** Who decides for a person, until that person has seen what came of it. */
  private deputy: Deputy | null = null;
  /** The standing as it was last shown. */
  private stood = "";

  constructor(
    private readonly session: Session,
    input: Input,
    output: Output,
    private readonly services: TableServices = {},
  ) {
    this.game = session.game;
    this.screen = new Screen(input, output);
    this.nameOf = sideNames(this.game, session.env.state);
    this.commands = new Commands(session, this.screen, services, this.nameOf);
    this.people = this.game.players.flatMap((_, i) => (session.seats[i] === "human" ? [i] : []));
    if (this.people.length === 1) this.viewer = this.people[0]!;
  }

  /** @returns whether the game was played to its end */
  async run(): Promise<boolean> {
    const { session, game, screen } = this;
    const who = game.players.map((p, i) => {
      const seat = session.seats[i]!;
      return `${this.nameOf(p)}: ${seat === "human" ? (this.people.length > 1 ? "a person" : "you") : seat.name}`;
    });
    await screen.print(`${game.type.title}. ${who.join(", ")}. Type ? for help.`);
    if (game.type.reconstructed !== null)
      await screen.print(wrap(`Reconstructed: ${game.type.reconstructed.replace(/\.$/, "")}.`, screen.width, "  "));
    if (this.people.length > 0) await screen.print(wrap(BEGINNERS, screen.width, "  "));
    if (this.people.length > 0) screen.open(this.people.length > 1);
    try {
      for (;;) {
        await this.letOthersPlay();
        if (session.over) break;
        if (this.people.length > 1) await this.turnTo(session.actor);
        await this.tell();
        if (!(await this.decide())) {
          await screen.print(`The game was left after ${counted(session.actions.length, "decision")}.`);
          return false;
        }
      }
      await this.finish();
    } finally {
      screen.close();
    }
    return true;
  }

  /** Writes the game so far as a replay. @throws KesselError */
  save(file: string): void {
    this.commands.save(file);
  }

  /** Agents decide until a person has to; with `step on`, one at a time. */
  private async letOthersPlay(): Promise<void> {
    const { session, screen, commands } = this;
    const alone = this.people.length < 2;
    for (;;) {
      let steps = 0;
      const one = commands.stepping && screen.isOpen;
      const before = session.actions.length;
      const pending: LogEntry[] = [];
      await session.advance(
        () => {
          steps++;
          if (alone) pending.push(...session.news(this.viewer));
          if (!screen.isOpen) for (const text of this.texts(pending.splice(0))) screen.printOn(text);
        },
        () => !one || steps === 0,
      );
      await this.tellEntries(pending);
      const { deputy } = this;
      const decides = deputy !== null && session.deputyOf(deputy.player) === deputy;
      if (deputy !== null && !decides) {
        this.deputy = null;
        await screen.print(wrap(deputy.report, screen.width));
      }
      const waiting = session.over || (session.seats[session.actor] === "human" && !decides);
      if (waiting || session.actions.length === before) return;
      if (!one) continue;
      const answer = await screen.ask(`-- Enter goes on, a: all${decides ? ", s: you decide again" : ""} -- `);
      if (answer === "a") commands.stepping = false;
      if (answer === "s" && decides) session.handBack(deputy.player);
    }
  }

  /** Two people at one terminal: hides what the last one saw. */
  private async turnTo(actor: number): Promise<void> {
    if (actor === this.viewer) return;
    this.viewer = actor;
    this.screen.clear();
    if (this.screen.isTerminal)
      await this.screen.ask(`${this.nameOf(this.game.players[actor]!)} to decide; press Enter `);
    await this.screen.print(`\n--- ${this.nameOf(this.game.players[actor]!)} ---`);
  }

  private async tell(): Promise<void> {
    await this.tellEntries(this.session.news(this.viewer));
  }

  private async tellEntries(entries: readonly LogEntry[]): Promise<void> {
    for (const text of this.texts(entries)) await this.screen.print(text);
  }

  private texts(entries: readonly LogEntry[]): string[] {
    return reports(this.game, entries, this.nameOf, this.screen.width);
  }

  /** Asks until an action is chosen. @returns false when the game is left */
  private async decide(): Promise<boolean> {
    const { session, screen, viewer } = this;
    await this.show();
    for (;;) {
      const prompt = session.prompt(viewer);
      const line = (await screen.ask(`${this.nameOf(this.game.players[viewer]!)}> `))?.trim();
      if (line === undefined || line === "quit" || line === "q") return false;
      if (line === "") continue;
      const names = prompt.choices.map((c) => c.name);
      const found = findAction(names, line);
      if (typeof found === "string") {
        const choice = prompt.choices.find((c) => c.name === found)!;
        if (!(await this.confirmed(choice))) continue;
        session.choose(choice.action);
        await this.warnUnsaved();
        return true;
      }
      const answered = await this.commands.run(line, prompt, viewer);
      if (answered === "changed") return true;
      if (answered === "asked again") continue;
      if (found.length > 0)
        await screen.print(`${shown(line)} may be any of:\n${found.map((a) => `  ${a}`).join("\n")}`);
      else if (await this.order(line, names.length)) return true;
    }
  }

  /** Carries out what was typed if it is an order. @returns whether anything was done */
  private async order(line: string, choices: number): Promise<boolean> {
    const { session, screen } = this;
    let answerLines: string[];
    let done = false;
    try {
      const handOver = parseHandOver(line);
      if (handOver !== null) {
        this.deputy = await handedOver(session, handOver);
        return true;
      }
      const ordered = session.order(line);
      done = ordered.actions.length > 0;
      answerLines = orderedLines(ordered);
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      answerLines = [
        `${shown(line)} is no legal action; type a number from 1 to ${choices}, an action's name or its beginning, or ?`,
        ...(/[ ,]/.test(line) ? [e.message] : []),
      ];
    }
    for (const text of answerLines) await screen.print(wrap(text, screen.width));
    if (done) await this.warnUnsaved();
    return done;
  }

  /** The situation, as far as the screen has room: board, standing, prompt, choices. */
  private async show(): Promise<void> {
    const { session, screen, viewer } = this;
    const { width, rows } = screen;
    const prompt = session.prompt(viewer);
    const standing = standingLine(session.standing(viewer), width);
    const asked = `${standing === this.stood ? "" : `${standing}\n`}${promptText(prompt, width)}`;
    this.stood = standing;
    const choices = choicesOnScreen(prompt.choices, width, Math.min(30, rows - asked.split("\n").length - 3));
    const text = `${asked}\n${choices}`;
    const board = this.board().split("\n");
    const lines = text.split("\n").length;
    const fits = board.length + lines + 2 <= rows && (!screen.isTerminal || board.every((l) => l.length <= width));
    await screen.room(lines + 1 + (fits ? board.length + 1 : 0));
    if (fits) await screen.print(`\n${board.join("\n")}`);
    await screen.print(`\n${text}`);
  }

  private board(): string {
    return boardText(this.game, this.session.env.state, this.viewer, this.screen.width);
  }

  private async confirmed(choice: Choice): Promise<boolean> {
    if (choice.warning === null || !this.screen.isTerminal) return true;
    await this.screen.print(`${choice.name}: ${choice.warning}`);
    const answer = await this.screen.ask("Type yes to do it: ");
    return answer?.trim() === "yes" || answer?.trim() === "y";
  }

  private async warnUnsaved(): Promise<void> {
    const unsaved = this.services.unsaved?.() ?? 0;
    if (unsaved > 0)
      await this.screen.print(
        `Not saved yet: ${unsaved} decisions (is the disk full?). They are written as soon as there is space.`,
      );
  }

  private async finish(): Promise<void> {
    const { session, game, screen } = this;
    await this.tell();
    const returns = session.returns();
    if (this.people.length > 1) this.viewer = SPECTATOR;
    await screen.print(`\n${this.board()}\n`);
    if (session.gaveUp !== null) await screen.print(`The ${this.nameOf(session.gaveUp)} side gave up.`);
    else await screen.print(session.standing(this.viewer).ifEndedNow);
    const points = game.players.map((p, i) => `${this.nameOf(p)} ${returns[i]! > 0 ? "+" : ""}${returns[i]!}`);
    await screen.print(
      `The game is over after ${session.actions.length} decisions: ${points.join(", ")} (seed ${session.seed}).`,
    );
  }
}
