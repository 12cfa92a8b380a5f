import type { Agent } from "../../../agents/agent.js";
import {
  type Choice,
  type Game,
  KesselError,
  NOBODY,
  type Prompt,
  ruleById,
  searchRules,
  shown,
  SPECTATOR,
} from "../../../env/index.js";
import { OneDecision } from "../../session/one-decision.js";
import type { LogEntry, Session } from "../../session/session.js";
import { writeOut } from "../common.js";
import { type Input, Lines, type Output } from "./lines.js";
import {
  choicesText,
  entryText,
  findAction,
  HELP,
  oddsText,
  promptText,
  ruleText,
  standingLine,
  standingText,
} from "./text.js";

/** What the terminal may ask of whoever set the game up. */
export interface TableServices {
  /** Makes an agent for `hint`; by default there is none. */
  readonly advisor?: (name: string | null) => Promise<Agent>;
  /** Decisions that are not on the disk yet; 0 for a game that isn't kept. */
  readonly unsaved?: () => number;
}

/** The conversation with whoever sits at the terminal. */
export class PlayTable {
  private readonly game: Game;
  private readonly people: readonly number[];
  /** Whose view the terminal shows. */
  private viewer = SPECTATOR;
  private lines: Lines | null = null;
  /** Stop after each decision of an opponent. */
  private stepping = false;
  /** Lines printed since somebody last typed. */
  private printed = 0;

  constructor(
    private readonly session: Session,
    private readonly input: Input,
    private readonly output: Output,
    private readonly services: TableServices = {},
  ) {
    this.game = session.game;
    this.people = this.game.players.flatMap((_, i) => (session.seats[i] === "human" ? [i] : []));
    if (this.people.length === 1) this.viewer = this.people[0]!;
  }

  /** @returns whether the game was played to its end */
  async run(): Promise<boolean> {
    const { session, game } = this;
    const who = game.players.map((p, i) => {
      const seat = session.seats[i]!;
      return `${p}: ${seat === "human" ? "human" : seat.name}`;
    });
    await this.print(`${game.type.title}. ${who.join(", ")}. Type ? for help.`);
    if (game.type.reconstructed !== null) await this.print(`Reconstructed: ${game.type.reconstructed}.`);
    this.lines = this.people.length > 0 ? new Lines(this.input, this.output) : null;
    try {
      for (;;) {
        await this.letOthersPlay();
        if (session.over) break;
        if (this.people.length > 1) await this.turnTo(session.actor);
        await this.tell();
        if (!(await this.decide())) {
          await this.print(`The game was left after ${session.actions.length} decisions.`);
          return false;
        }
      }
    } finally {
      this.lines?.close();
    }
    await this.finish();
    return true;
  }

  /** Agents decide until a person has to; with `step on`, one at a time. */
  private async letOthersPlay(): Promise<void> {
    const { session } = this;
    const alone = this.people.length < 2;
    for (;;) {
      let steps = 0;
      const one = this.stepping && this.lines !== null;
      const before = session.actions.length;
      const pending: LogEntry[] = [];
      await session.advance(
        () => {
          steps++;
          if (alone) pending.push(...session.news(this.viewer));
          if (this.lines === null) this.tellNow(pending.splice(0));
        },
        () => !one || steps === 0,
      );
      await this.tellEntries(pending);
      const waiting = session.over || session.seats[session.actor] === "human";
      if (waiting || session.actions.length === before) return;
      if (one && (await this.ask("-- Enter goes on, a: all -- ")) === "a") this.stepping = false;
    }
  }

  /** Two people at one terminal: hides what the last one saw. */
  private async turnTo(actor: number): Promise<void> {
    if (actor === this.viewer) return;
    this.viewer = actor;
    if (this.output.isTTY) {
      this.output.write("\u001b[2J\u001b[3J\u001b[H");
      await this.ask(`${this.game.players[actor]!} to decide; press Enter `);
    }
    await this.print(`\n--- ${this.game.players[actor]!} ---`);
  }

  private async tell(): Promise<void> {
    await this.tellEntries(this.session.news(this.viewer));
  }

  private async tellEntries(entries: readonly LogEntry[]): Promise<void> {
    for (const e of entries) await this.print(entryText(e, this.width));
  }

  /** As `tellEntries`, for games that nobody interrupts. */
  private tellNow(entries: readonly LogEntry[]): void {
    for (const e of entries) this.output.write(`${entryText(e, this.width)}\n`);
  }

  /** Asks until an action is chosen. @returns false when the game is left */
  private async decide(): Promise<boolean> {
    const { session } = this;
    await this.show();
    for (;;) {
      const prompt = session.prompt(this.viewer);
      const line = (await this.ask(`${this.game.players[this.viewer]!}> `))?.trim();
      if (line === undefined || line === "quit" || line === "q") return false;
      if (line === "") continue;
      const found = findAction(
        prompt.choices.map((c) => c.name),
        line,
      );
      if (typeof found === "string") {
        const choice = prompt.choices.find((c) => c.name === found)!;
        if (!(await this.confirmed(choice))) continue;
        session.choose(choice.action);
        await this.warnUnsaved();
        return true;
      }
      const done = await this.command(line, prompt, found);
      if (done !== null) return done;
    }
  }

  /** @returns whether the game goes on; null to ask again */
  private async command(line: string, prompt: Prompt, found: readonly string[]): Promise<boolean | null> {
    const [word = "", ...rest] = line.split(/\s+/);
    const argument = rest.join(" ");
    switch (word) {
      case "?":
      case "help":
        await this.print(HELP);
        return null;
      case "board":
        await this.print(`\n${this.board()}\n`);
        return null;
      case "choices":
        await this.print(choicesText(prompt.choices, this.width, Infinity));
        return null;
      case "standing":
        await this.print(standingText(this.session.standing(this.viewer), this.width));
        return null;
      case "log":
        for (const e of this.session.log(this.viewer).slice(-(Number(argument) || 10)))
          await this.print(entryText(e, this.width));
        return null;
      case "odds":
        await this.odds(prompt, argument);
        return null;
      case "rule":
        await this.rule(prompt, argument);
        return null;
      case "hint":
        await this.hint(argument === "" ? null : argument);
        return null;
      case "step":
        this.stepping = argument !== "off";
        await this.print(
          this.stepping ? "Stops after each decision of the opponent." : "Opponents play on without a stop.",
        );
        return null;
      case "undo": {
        const refused = this.session.undo();
        if (refused === null) return true;
        await this.print(`That can't be taken back: ${refused}.`);
        return null;
      }
      case "resign":
        if ((await this.ask("Give up? You lose. Type yes: "))?.trim() !== "yes") return null;
        this.session.resign(this.viewer);
        return true;
      case "save":
        await this.trySave(argument);
        return null;
      default:
        await this.print(
          found.length === 0
            ? `${shown(line)} is no legal action; type a number from 1 to ${prompt.choices.length}, an action's name or its beginning, or ?`
            : `${shown(line)} may be any of:\n${found.map((a) => `  ${a}`).join("\n")}`,
        );
        return null;
    }
  }

  /** The situation, as far as the screen has room: board, standing, prompt, choices. */
  private async show(): Promise<void> {
    const { session, viewer } = this;
    const prompt = session.prompt(viewer);
    const standing = standingLine(session.standing(viewer), this.width);
    const choices = choicesText(prompt.choices, this.width, Math.max(6, Math.min(14, this.rows - 8)));
    const text = `${standing === "" ? "" : `${standing}\n`}${promptText(prompt, this.width)}\n${choices}`;
    const board = this.board();
    const room = this.rows - text.split("\n").length - 2;
    const lines = board.split("\n");
    const fits = lines.length <= room && (!this.output.isTTY || lines.every((l) => l.length <= this.width));
    await this.print(`\n${fits ? `${board}\n` : ""}`);
    await this.print(fits ? text : `(board: type board)\n${text}`);
  }

  private board(): string {
    return this.game.render(this.session.env.state, this.viewer);
  }

  private async confirmed(choice: Choice): Promise<boolean> {
    if (choice.warning === null || !this.output.isTTY) return true;
    const answer = await this.ask(`${choice.name}: ${choice.warning} Type yes to do it: `);
    return answer?.trim() === "yes" || answer?.trim() === "y";
  }

  private async odds(prompt: Prompt, argument: string): Promise<void> {
    const name =
      argument === ""
        ? null
        : findAction(
            prompt.choices.map((c) => c.name),
            argument,
          );
    if (name !== null && typeof name !== "string")
      return this.print(
        `${shown(argument)} is no legal action; say odds and a number from 1 to ${prompt.choices.length}`,
      );
    const chosen = name === null ? prompt.choices : prompt.choices.filter((c) => c.name === name);
    let told = 0;
    for (const c of chosen) {
      const odds = this.session.odds(this.viewer, c.action);
      const only = odds.results.length === 1 ? odds.results[0]! : null;
      if (name === null && (odds.method === "certain" || only?.outcomes.length === 0)) continue; // nothing to weigh
      await this.print(oddsText(odds, this.width, name === null ? 3 : 8));
      if (++told === 12) break;
    }
    if (told === 0) await this.print("None of these throws dice.");
  }

  private async rule(prompt: Prompt, argument: string): Promise<void> {
    const { type } = this.game;
    if (argument === "") {
      const ids = [prompt.rule, ...prompt.seeAlso].filter((id) => id !== "");
      if (ids.length === 0) return this.print("No rule is named here.");
      for (const id of ids) await this.print(ruleText(ruleById(type, id), this.width));
      return;
    }
    try {
      await this.print(ruleText(ruleById(type, argument), this.width));
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      const found = searchRules(type, argument);
      if (found.length === 0) return this.print(e.message);
      for (const r of found.slice(0, 8)) await this.print(ruleText(r, this.width));
    }
  }

  private async hint(name: string | null): Promise<void> {
    if (this.services.advisor === undefined) return this.print("Nobody is here to ask.");
    let agent: Agent;
    try {
      agent = await this.services.advisor(name);
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      return this.print(e.message);
    }
    const choice = new Int32Array(1);
    const decision = new OneDecision(this.session.env);
    await agent.act(decision, choice);
    const chosen = this.session.prompt(this.viewer).choices.find((c) => c.action === choice[0])!;
    const value = await agent.expectedReturn?.(decision);
    const valued =
      value === undefined ? "" : `; it expects a return of ${value >= 0 ? "+" : ""}${value.toFixed(2)} for you`;
    await this.print(
      `${agent.name} would choose: ${chosen.text}${chosen.text === chosen.name ? "" : ` [${chosen.name}]`}${valued}.`,
    );
    await agent.close?.();
  }

  private async warnUnsaved(): Promise<void> {
    const unsaved = this.services.unsaved?.() ?? 0;
    if (unsaved > 0)
      await this.print(
        `Not saved yet: ${unsaved} decisions (is the disk full?). They are written as soon as there is space.`,
      );
  }

  /** Writes the game so far as a replay. @throws KesselError */
  save(file: string): void {
    writeOut(file, `${JSON.stringify(this.session.replay(), null, 1)}\n`);
    this.output.write(`Saved to ${file}. The file holds the whole game, hidden things included.\n`);
  }

  private async trySave(file: string): Promise<void> {
    if (file === "") return this.print("Say where: save FILE");
    try {
      this.save(file);
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      await this.print(e.message);
    }
  }

  private async finish(): Promise<void> {
    const { session, game } = this;
    await this.tell();
    const returns = session.returns();
    if (this.people.length > 1) this.viewer = SPECTATOR;
    await this.print(`\n${this.board()}\n`);
    if (session.gaveUp !== null) await this.print(`${session.gaveUp} gave up.`);
    else await this.print(session.standing(this.viewer).ifEndedNow);
    const points = game.players.map((p, i) => `${p} ${returns[i]! > 0 ? "+" : ""}${returns[i]!}`);
    await this.print(
      `The game is over after ${session.actions.length} decisions: ${points.join(", ")} (seed ${session.seed}).`,
    );
  }

  private get width(): number {
    return Math.max(40, this.output.columns ?? 80);
  }

  private get rows(): number {
    return this.output.isTTY ? Math.max(10, this.output.rows ?? 24) : 60;
  }

  private async ask(prompt: string): Promise<string | null> {
    this.printed = 0;
    if (this.lines === null) return null;
    return this.lines.next(prompt);
  }

  /** Prints; on a terminal, waits before what was printed since somebody typed leaves the screen. */
  private async print(text: string): Promise<void> {
    for (const line of text.split("\n")) {
      if (this.output.isTTY && this.lines !== null && this.session.actor !== NOBODY && this.printed >= this.rows - 2)
        await this.ask("-- more: Enter -- ");
      this.output.write(`${line}\n`);
      this.printed++;
    }
  }
}
