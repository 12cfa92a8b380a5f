import type { Choice, LogEntry, Prompt, Viewer } from "../../env/index.js";
import type { Session } from "../session/session.js";
import { aroundLine } from "../../agents/text/hexes.js";
import { compacted } from "../../agents/text/news.js";
import {
  changedChoices,
  choicesSection,
  choicesText,
  namesText,
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
  situationLines,
  type SituationLines,
  wholeLines,
} from "../../agents/text/situation.js";

/** Texts here are for readers without a screen: no line is broken. */
const WIDTH = Infinity;

/** Characters of reports at once, when a game has gone on for long without this seat: earlier ones are in the log. */
const MOST_TOLD = 5000;

/** Characters of a list of actions with their names: beyond it numbers have to do. */
const MOST_CHOICES = 7000;
/** Characters of a whole text, of which its list of actions gets what the rest leaves, but at least so many. */
const MOST = 8300;
const LEAST_CHOICES = 1500;

/** Said where a choice that was told is void: what comes in its place follows. */
const TAKEN_BACK = "  Something of what was told before has been taken back.";

/** Texts after which a list of choices is shown again in full. */
const RECENT = 6;

/** A list of choices that was shown. */
interface Asked {
  readonly choices: readonly Choice[];
  /** Of the decision. */
  readonly number: string;
  /** Which text it was in. */
  readonly text: number;
}

/** One seat of a session as text: the first decision in full, later ones as what has changed. */
export class TextSeat {
  private readonly nameOf: SideName;
  private last: SituationLines | null = null;
  /** How it stood then. */
  private stood: string | null = null;
  /** Lists of choices that were shown, by the kind of the decision. */
  private readonly asked = new Map<string, Asked>();
  /** Rules that were cited since the last text in full. */
  private readonly cited = new Set<string>();
  private texts = 0;
  /** Of the session, when it was read. */
  private version: number;

  /**
   * @param viewer the player, or `SPECTATOR`
   * @param told entries of the viewer's log that were told before
   */
  constructor(
    private readonly session: Session,
    private readonly viewer: Viewer,
    private told = 0,
  ) {
    this.nameOf = sideNames(session.game, session.env.state);
    this.version = session.version;
  }

  /** What never changes: the board, and how it is won. */
  map(): string {
    const { game, env } = this.session;
    return mapLines(game, env.state, this.viewer).join("\n");
  }

  /** What a seat is told before its first decision: the map, then the situation in full. */
  opening(): string {
    return ["The map:", this.map(), "", this.next(true)].join("\n");
  }

  /** What has changed since the seat's last text; before the first, `opening`. */
  changes(): string {
    return this.last === null ? this.opening() : this.next();
  }

  /**
   * The situation with what happened since the last text, the standing, the prompt and the legal actions.
   *
   * @param full the whole board and standing again, not only what has changed
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
    const stands = Math.min(this.told, session.stillTold(viewer, this.version));
    const news = [...(stands < this.told ? [TAKEN_BACK] : []), ...this.reports(log.slice(stands))];
    this.told = log.length;
    this.version = session.version;
    const standing = session.standing(viewer);
    const last = this.stood;
    this.stood = standingLine(standing, WIDTH);
    const before = [
      ...section("What happened", news),
      ...section(whole ? "The board" : "Changed on the board", changed),
      ...section(
        "How it stands",
        whole ? [standingText(standing, this.nameOf, WIDTH)] : last === this.stood ? [] : [this.stood],
      ),
    ];
    const room = MOST - before.join("\n").length;
    return [...before, ...(session.over ? this.result() : this.question(whole, room))].join("\n");
  }

  /** Every legal action with what it does; its number is its place in this list. Of very many, names are left out. */
  choices(): string {
    const { choices } = this.session.prompt(this.viewer);
    const text = choicesText(choices, WIDTH, Infinity);
    return text.length <= MOST_CHOICES
      ? text
      : choicesText(
          choices.map((c) => ({ ...c, name: c.text })),
          WIDTH,
          Infinity,
        );
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

  /** How the game ended. */
  result(): string[] {
    const { session } = this;
    if (!session.over) return ["The game goes on."];
    const returns = session.returns();
    const points = session.game.players.map((p, i) => `${this.nameOf(p)} ${returns[i]! > 0 ? "+" : ""}${returns[i]!}`);
    const gaveUp = session.gaveUp === null ? [] : [`The ${this.nameOf(session.gaveUp)} side gave up.`];
    return [...gaveUp, `The game is over. Returns: ${points.join(", ")}.`];
  }

  /** @param whole all actions, also where they are nearly those of the last text @param room characters that the text has left */
  private question(whole: boolean, room: number): string[] {
    const { game, env, actor } = this.session;
    const prompt = this.session.prompt(this.viewer);
    const { kind, choices } = prompt;
    if (choices.length === 0) return [promptText(prompt, WIDTH), "It is not your decision."];
    const around = aroundLine(game, env.state, this.viewer, prompt);
    const number = this.session.numberOf(this.viewer);
    const last = this.asked.get(kind);
    this.asked.set(kind, { choices, number, text: ++this.texts });
    const isRecent = !whole && last !== undefined && this.texts - last.text <= RECENT;
    const changed = isRecent ? changedChoices(last, choices, WIDTH) : null;
    const most = Math.min(MOST_CHOICES, Math.max(LEAST_CHOICES, room));
    const isShort = changed !== null && changed.join("\n").length <= most;
    return [
      `Decision ${number}.`,
      `${whole || game.players.length > 1 ? `You are the ${this.nameOf(game.players[actor]!)} side. ` : ""}${this.asks(prompt)}`,
      ...(around === null ? [] : [around]),
      ...(isShort ? changed : this.listed(choices, most)),
    ];
  }

  /** The question, with its rule where that was not cited before. */
  private asks(prompt: Prompt): string {
    const known = this.cited.has(prompt.rule);
    this.cited.add(prompt.rule);
    return promptText(known ? { ...prompt, rule: "" } : prompt, WIDTH);
  }

  /** Of a list that is too long the numbers have to do, or the names. */
  private listed(choices: readonly Choice[], most: number): string[] {
    const [heading, list] = choicesSection(choices, WIDTH);
    if (list.length <= most) return [heading, list];
    const all = this.choices();
    return [heading, all.length <= most ? all : namesText(choices, WIDTH)];
  }

  private reports(entries: readonly LogEntry[]): string[] {
    const all = reports(this.session.game, entries, this.nameOf, WIDTH, Infinity, this.cited);
    let from = all.length;
    for (let told = 0; from > 0; from--) if ((told += all[from - 1]!.length) > MOST_TOLD) break;
    const told = compacted(all.slice(from).join("\n").split("\n"));
    return from === 0 ? told : [`  (${from} earlier reports are in the log)`, ...told];
  }
}

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${heading}:`, ...lines];
