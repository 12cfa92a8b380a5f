import type { Choice, LogEntry, Prompt, Viewer } from "../../env/index.js";
import type { Session } from "../session/session.js";
import { aroundLine } from "../../agents/text/hexes.js";
import { compacted } from "../../agents/text/news.js";
import { FEW_CHOICES, nearLines, nearOf } from "../../agents/text/near.js";
import { MOST_TOKENS, roughTokens } from "../../agents/text/tokens.js";
import { changedChoices, everyChoice, MOST_CHOICES, shortList } from "../../agents/text/choices.js";
import {
  briefStanding,
  promptText,
  reports,
  type SideName,
  sideNames,
  standingLine,
  standingText,
} from "../../agents/text/sentences.js";
import {
  changedLines,
  mapLines,
  openingMap,
  situationLines,
  type SituationLines,
  wholeLines,
} from "../../agents/text/situation.js";

/** Lines are not wrapped, because readers have no screen. */
const WIDTH = Infinity;

/** Limit of characters of reports in one text. The log has earlier reports. */
const MOST_REPORTED = 5000;

/** Limit of characters of a text, and the characters that are always left for its list of actions. */
const MOST = 8300;
const LEAST_CHOICES = 1500;
/** Tokens that are always left for the question and its actions. */
const LEAST_TOKENS = 700;

/** Text when an earlier report is void because of an undo; the new reports follow. */
const TAKEN_BACK = "  Part of what an earlier text reported has been undone.";

/** Number of texts after which a list of choices is shown in full again. */
const RECENT = 6;

/** A list of choices in an earlier text. */
interface Asked {
  readonly choices: readonly Choice[];
  /** Number of the decision. */
  readonly number: string;
  /** Index of the text. */
  readonly text: number;
}

/** A seat of a session as text: the first decision in full, later ones as changes. */
export class TextSeat {
  private readonly nameOf: SideName;
  private last: SituationLines | null = null;
  /** The standing in the last text. */
  private lastStanding: string | null = null;
  /** Lists of choices in earlier texts, by kind of decision. */
  private readonly asked = new Map<string, Asked>();
  /** Rules that were cited since the last text in full. */
  private readonly cited = new Set<string>();
  private texts = 0;
  private opened: ReturnType<typeof openingMap> | null = null;
  /** Version of the session at the last text. */
  private version: number;

  /**
   * @param viewer the player, or `SPECTATOR`
   * @param seen entries of the viewer's log that earlier texts had
   */
  constructor(
    private readonly session: Session,
    private readonly viewer: Viewer,
    private seen = 0,
  ) {
    this.nameOf = sideNames(session.game, session.env.state);
    this.version = session.version;
  }

  /** The parts that never change: the board, and how to win. */
  map(): string {
    const { game, env } = this.session;
    return mapLines(game, env.state, this.viewer).join("\n");
  }

  /** The text before the first decision of a seat: the map, then the situation in full. */
  opening(): string {
    return ["The map:", ...this.openingMap().lines, "", this.next(true)].join("\n");
  }

  /** The changes since the seat's last text; before the first one, `opening`. */
  changes(): string {
    return this.last === null ? this.opening() : this.next();
  }

  /**
   * The situation, the events since the last text, the standing, the prompt and the legal actions.
   *
   * @param full whether to give the whole board and standing, not only changes
   */
  next(full = false): string {
    const { session, viewer } = this;
    const { game, env } = session;
    const whole = full || this.last === null;
    if (whole) this.cited.clear();
    const now = situationLines(game, env.state, viewer);
    const changed = whole ? wholeLines(now) : changedLines(this.last!, now);
    this.last = now;
    const log = session.log(viewer);
    const kept = Math.min(this.seen, session.stillTold(viewer, this.version));
    const news = [...(kept < this.seen ? [TAKEN_BACK] : []), ...this.reports(log.slice(kept))];
    this.seen = log.length;
    this.version = session.version;
    const standing = session.standing(viewer);
    const last = this.lastStanding;
    this.lastStanding = standingLine(standing, WIDTH);
    const happened = section("What happened", news);
    const stands = (words: string): string[] =>
      section("How it stands", whole ? [words] : last === this.lastStanding ? [] : [this.lastStanding!]);
    const before = [
      ...happened,
      ...section(whole ? "The board" : "Changed on the board", changed),
      ...stands(standingText(standing, this.nameOf, WIDTH)),
    ];
    const { lines: map, whole: mapped } = this.openingMap();
    const most = MOST_TOKENS - (whole ? roughTokens(map.join("\n")) : 0);
    const isLarge = (whole && !mapped) || roughTokens(before.join("\n")) > most - LEAST_TOKENS;
    const room = isLarge ? FEW_CHOICES : MOST - before.join("\n").length;
    const question = session.over ? () => this.result() : this.question(whole);
    if (!isLarge) {
      const text = [...before, ...question(room)].join("\n");
      return roughTokens(text) <= most ? text : [...before, ...question(Math.min(room, FEW_CHOICES))].join("\n");
    }
    // on a very large board: what is near what is at hand
    const after = [...stands(briefStanding(standing, this.nameOf)), ...question(room)];
    const near = nearOf(game, env.state, viewer, session.over ? null : session.prompt(viewer), standing);
    const left = most - roughTokens([...happened, ...after].join("\n"));
    const { ground, board } = nearLines(near, now, mapped || !whole, left);
    return [...happened, ...section("The board", board), ...ground, ...after].join("\n");
  }

  /** The map as the opening has it. */
  private openingMap(): ReturnType<typeof openingMap> {
    const { game, env } = this.session;
    this.opened ??= openingMap(game, env.state, this.viewer);
    return this.opened;
  }

  /** Every legal action with its effect; its number is its place in the list. A very long list has no names. */
  choices(): string {
    return everyChoice(this.session.prompt(this.viewer).choices);
  }

  standing(): string {
    return standingText(this.session.standing(this.viewer), this.nameOf, WIDTH);
  }

  /** The last `count` reports. */
  log(count: number): string {
    const { game } = this.session;
    const all = reports(game, this.session.log(this.viewer), this.nameOf, WIDTH, count);
    return all.length === 0 ? "Nothing has happened yet." : all.join("\n");
  }

  /** The result of the game. */
  result(): string[] {
    const { session } = this;
    if (!session.over) return ["The game goes on."];
    const returns = session.returns();
    const points = session.game.players.map((p, i) => `${this.nameOf(p)} ${returns[i]! > 0 ? "+" : ""}${returns[i]!}`);
    const gaveUp = session.gaveUp === null ? [] : [`The ${this.nameOf(session.gaveUp)} side gave up.`];
    return [...gaveUp, `The game is over. Returns: ${points.join(", ")}.`];
  }

  /**
   * @param whole list all actions, even if an earlier text had nearly the same
   * @returns the question as a function of the characters left in the text
   */
  private question(whole: boolean): (room: number) => string[] {
    const { game, env, actor } = this.session;
    const prompt = this.session.prompt(this.viewer);
    const { kind, choices } = prompt;
    if (choices.length === 0) return () => [promptText(prompt, WIDTH), "It is not your decision."];
    const around = aroundLine(game, env.state, this.viewer, prompt);
    const number = this.session.numberOf(this.viewer);
    const last = this.asked.get(kind);
    this.asked.set(kind, { choices, number, text: ++this.texts });
    const isRecent = !whole && last !== undefined && this.texts - last.text <= RECENT;
    const changed = isRecent ? changedChoices(last, choices, WIDTH) : null;
    const head = [
      `Decision ${number}.`,
      `${whole || game.players.length > 1 ? `You are the ${this.nameOf(game.players[actor]!)} side. ` : ""}${this.asks(prompt)}`,
      ...(around === null ? [] : [around]),
    ];
    return (room) => {
      const most = Math.min(MOST_CHOICES, Math.max(LEAST_CHOICES, room));
      const isShort = changed !== null && changed.join("\n").length <= most;
      return [...head, ...(isShort ? changed : shortList(choices, most))];
    };
  }

  /** The question, with its rule where that was not cited before. */
  private asks(prompt: Prompt): string {
    const known = this.cited.has(prompt.rule);
    this.cited.add(prompt.rule);
    return promptText(known ? { ...prompt, rule: "" } : prompt, WIDTH);
  }

  private reports(entries: readonly LogEntry[]): string[] {
    const all = reports(this.session.game, entries, this.nameOf, WIDTH, Infinity, this.cited);
    let from = all.length;
    for (let size = 0; from > 0; from--) if ((size += all[from - 1]!.length) > MOST_REPORTED) break;
    const lines = compacted(all.slice(from).join("\n").split("\n"));
    return from === 0 ? lines : [`  (${from} earlier reports are in the log)`, ...lines];
  }
}

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${heading}:`, ...lines];
