import { type Agent, canPlay } from "../../../agents/agent.js";
import {
  KesselError,
  type Odds,
  type Prompt,
  ruleById,
  searchRules,
  shown,
  type Viewer,
  waysOf,
} from "../../../env/index.js";
import { OneDecision } from "../../session/one-decision.js";
import type { Session } from "../../session/session.js";
import { writeOut } from "../common.js";
import { lookText } from "../../../agents/text/look.js";
import { whyText, wordText } from "../../../agents/text/primer.js";
import { HELP } from "./help.js";
import type { Screen } from "./screen.js";
import { formsLines } from "../../../agents/text/orders.js";
import { handingLine, waysLines } from "../../text/orders.js";
import { choicesSection } from "../../../agents/text/choices.js";
import {
  boardText,
  findAction,
  oddsText,
  reports,
  ruleText,
  type SideName,
  standingText,
  wrap,
} from "../../../agents/text/sentences.js";

/** What the terminal may ask of the program around it. */
export interface TableServices {
  /** Makes an agent for `hint`, by its name or one that plays the seat; by default there is none. */
  readonly advisor?: (name: string | null, seat: number) => Promise<Agent>;
  /** Decisions that are not on the disk yet; 0 for a game that isn't kept. */
  readonly unsaved?: () => number;
}

/** What a typed command came to: the question is asked again, the game has changed, or there is no such command. */
type Answered = "asked again" | "changed" | "unknown";

/** Choices whose odds `odds` gives at once. */
const MOST_ODDS = 12;

/** Answers what is typed beside actions. */
export class Commands {
  /** Stop after each decision of an opponent. */
  stepping = false;

  constructor(
    private readonly session: Session,
    private readonly screen: Screen,
    private readonly services: TableServices,
    private readonly nameOf: SideName,
  ) {}

  async run(line: string, prompt: Prompt, viewer: Viewer): Promise<Answered> {
    const [word = "", ...rest] = line.split(/\s+/);
    const argument = rest.join(" ");
    const { session, screen } = this;
    const { width } = screen;
    switch (word) {
      case "?":
      case "help":
        await screen.print(HELP);
        break;
      case "board":
        await screen.print(boardText(session.game, session.env.state, viewer, width));
        break;
      case "look":
        await screen.print(lookText(session.game, session.env.state, viewer, argument, width));
        break;
      case "choices":
        await screen.print(choicesSection(prompt.choices, width)[1]);
        break;
      case "orders":
        await this.orders(argument, viewer);
        break;
      case "standing":
        await screen.print(standingText(session.standing(viewer), this.nameOf, width));
        break;
      case "log":
        for (const text of reports(session.game, session.log(viewer), this.nameOf, width, Number(argument) || 10))
          await screen.print(text);
        break;
      case "odds":
        await this.odds(prompt, argument, viewer);
        break;
      case "rule":
        await this.rule(prompt, argument);
        break;
      case "why":
        await screen.print(whyText(session.game.type, prompt, width) ?? "Nothing is written of these choices.");
        break;
      case "words":
        await screen.print(wordText(session.game.type, argument, width) ?? "This game explains no words.");
        break;
      case "hint":
        await this.hint(argument === "" ? null : argument, viewer);
        break;
      case "step":
        this.stepping = argument !== "off";
        await screen.print(
          this.stepping ? "Stops after each decision of the opponent." : "Opponents play on without a stop.",
        );
        break;
      case "undo": {
        const refused = session.undo();
        if (refused === null) return "changed";
        await screen.print(`That can't be taken back: ${refused}.`);
        break;
      }
      case "resign":
        if ((await screen.ask("Give up? You lose. Type yes: "))?.trim() !== "yes") break;
        session.resign(viewer);
        return "changed";
      case "save":
        await this.trySave(argument);
        break;
      default:
        return "unknown";
    }
    return "asked again";
  }

  /** The orders that fit, or where one unit can be sent. */
  private async orders(unit: string, viewer: Viewer): Promise<void> {
    const { game, env } = this.session;
    try {
      const lines =
        unit === ""
          ? [...formsLines(game, env.state, viewer), handingLine(game, viewer)]
          : waysLines(waysOf(game, env.state, viewer, unit));
      for (const line of lines) await this.screen.print(wrap(line, this.screen.width));
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      await this.screen.print(e.message);
    }
  }

  private async odds(prompt: Prompt, argument: string, viewer: Viewer): Promise<void> {
    const { screen, session } = this;
    const names = prompt.choices.map((c) => c.name);
    const name = argument === "" ? null : findAction(names, argument);
    if (name !== null && typeof name !== "string")
      return screen.print(
        `${shown(argument)} is no legal action; say odds and a number from 1 to ${prompt.choices.length}`,
      );
    const chosen = name === null ? prompt.choices : prompt.choices.filter((c) => c.name === name);
    // choices with the same outcome share their lines
    const listed = new Map<string, { readonly odds: Odds; readonly texts: string[] }>();
    for (const c of chosen) {
      const odds = session.odds(viewer, c.action);
      const only = odds.results.length === 1 ? odds.results[0]! : null;
      if (name === null && (odds.method === "certain" || only?.outcomes.length === 0)) continue; // nothing to weigh
      const same = JSON.stringify([odds.results, odds.each]);
      if (!listed.has(same) && listed.size === MOST_ODDS) {
        listed.set("", { odds, texts: [] });
        break;
      }
      const known = listed.get(same);
      if (known === undefined) listed.set(same, { odds, texts: [c.text] });
      else known.texts.push(c.text);
    }
    for (const { odds, texts } of listed.values())
      await screen.print(
        texts.length === 0
          ? "and more: say odds and the number of a choice"
          : oddsText(odds, texts.join("; "), screen.width, name === null ? 3 : 8),
      );
    if (listed.size === 0) await screen.print("None of these throws dice.");
  }

  private async rule(prompt: Prompt, argument: string): Promise<void> {
    const { screen } = this;
    const { type } = this.session.game;
    if (argument === "") {
      const ids = [prompt.rule, ...prompt.seeAlso].filter((id) => id !== "");
      if (ids.length === 0) return screen.print("No rule is named here.");
      for (const id of ids) await screen.print(ruleText(ruleById(type, id), screen.width));
      return;
    }
    try {
      await screen.print(ruleText(ruleById(type, argument), screen.width));
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      const found = searchRules(type, argument);
      if (found.length === 0) return screen.print(e.message);
      for (const r of found.slice(0, 8)) await screen.print(ruleText(r, screen.width));
    }
  }

  private async hint(name: string | null, viewer: Viewer): Promise<void> {
    const { screen } = this;
    if (this.services.advisor === undefined) return screen.print("Nobody is here to ask.");
    let text: string;
    try {
      const agent = await this.services.advisor(name, viewer);
      try {
        text = await this.advice(agent, viewer);
      } finally {
        await agent.close?.();
      }
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      text = e.message;
    }
    await screen.print(text);
  }

  /** What an agent would do. @throws KesselError when it doesn't play the seat, or fails */
  private async advice(agent: Agent, viewer: Viewer): Promise<string> {
    const { session } = this;
    const side = session.game.players[viewer]!;
    if (!canPlay(agent, viewer)) throw new KesselError("bad-agent", `${agent.name} does not play ${this.nameOf(side)}`);
    const choice = new Int32Array(1);
    const decision = new OneDecision(session.env);
    await agent.act(decision, choice);
    const chosen = session.prompt(viewer).choices.find((c) => c.action === choice[0])!;
    const value = await agent.expectedReturn?.(decision);
    session.noteHelp(); // the game may go on at the page, which tells games with hints from those without
    const valued =
      value === undefined ? "" : `; it expects a return of ${value >= 0 ? "+" : ""}${value.toFixed(2)} for you`;
    return `${agent.name} would choose: ${chosen.text}${chosen.text === chosen.name ? "" : ` [${chosen.name}]`}${valued}.`;
  }

  /** Writes the game so far as a replay. @throws KesselError */
  save(file: string): void {
    writeOut(file, `${JSON.stringify(this.session.replay(), null, 1)}\n`);
    this.screen.printOn(`Saved to ${file}. The file holds the whole game, hidden things included.`);
  }

  private async trySave(file: string): Promise<void> {
    if (file === "") return this.screen.print("Say where: save FILE");
    try {
      this.save(file);
    } catch (e) {
      if (!(e instanceof KesselError)) throw e;
      await this.screen.print(e.message);
    }
  }
}
