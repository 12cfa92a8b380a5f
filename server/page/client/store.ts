import { Hand } from "./carry.js";
import { computed, signal } from "@preact/signals";
import { DeputyPace } from "./deputy.js";
import type { Choice, MapQuestion, Reach } from "../../../env/index.js";
import { type Base, type Frame, type LogLine, patched, type Reply, type Request } from "../frame.js";
import { answered, type Asked } from "./asked-odds.js";
import { reachFrom } from "./geometry.js";
import { loadBase } from "./load-base.js";
import { capitalized, inNames } from "./names.js";
import type { LessonView } from "../learn/lesson-view.js";
import type { Solved } from "../learn/puzzle-view.js";
import type { Moment } from "../review-frame.js";
import { MapQuestions } from "./map-question.js";
import { loadPrimer } from "./words/primer.js";
import { Picks } from "./picks.js";
import { ReviewStore } from "./review-store.js";
import { briefingsOn, rememberBriefed, wasBriefed } from "./settings.js";
import { SeatSocket } from "./socket.js";
import { spoken } from "./spoken.js";
import { Steps } from "./steps.js";
import { Typed } from "./typed-words.js";

export interface RuleText {
  readonly id: string;
  readonly says: string;
  readonly note: string;
}

/** More choices than these get a field that filters them. */
export const MANY = 12;

export const TABS = ["play", "log", "standing", "table"] as const;
export type Tab = (typeof TABS)[number];

/** No pointer here that hovers. */
const TOUCH = matchMedia("(hover: none)");

/** What is asked again before it is done. */
export interface Confirming {
  readonly text: string;
  readonly warning: string;
  /** The choice that it is about; absent for an order. */
  readonly action?: number;
  go(): void;
}

/** Where the log goes on after the last choice of who sits here: who comes back sees what has happened meanwhile. */
function afterOwn({ log, seat }: Frame): number {
  const own = log.findLastIndex((line) => line.actor === seat && !line.forced && line.deputy === undefined);
  return own < 0 || seat === null ? log.length : own;
}

/** What one seat's page shows, and what it waits for. Holds nothing that the server hasn't said. */
export class SeatStore {
  readonly frame = signal<Frame | null>(null);
  readonly base = signal<Base | null>(null);
  /** A frame has come since the socket was opened: before, what is shown may be long over. */
  readonly connected = signal(false);
  /** The link leads nowhere any more: nothing is tried. */
  readonly gone = signal(false);
  /** An answer was sent and nothing has come back. */
  readonly sent = signal(false);
  readonly odds = signal<Asked | null>(null);
  readonly hint = signal<{ readonly by: string; readonly text: string; readonly action: number } | null>(null);
  readonly rules = signal<{ readonly words: string; readonly rules: readonly RuleText[] } | null>(null);
  readonly error = signal<string | null>(null);
  /** Frames that came and are not shown yet. */
  readonly steps = new Steps({
    shown: () => this.frame.value,
    show: (frame) => this.show(frame),
    isHeld: () => this.briefing.value,
    caughtUp: () => {
      this.hand.begin();
      this.picks.begin();
      this.hand.putDown();
      this.pace.goOn();
    },
  });
  readonly behind = this.steps.left;
  /** Log entries of the step shown now; after the last step, all since this seat's own last choice. */
  readonly news = signal<readonly LogLine[]>([]);
  /** This seat's own last choice, and what others have done since. */
  readonly since = signal<readonly LogLine[]>([]);
  /** What waits for "yes". */
  readonly confirming = signal<Confirming | null>(null);
  /** The place whose choices are listed, and whose counters stay shown. */
  readonly open = signal<string | null>(null);
  /** The counter at the open place whose choices alone are listed. */
  readonly openPiece = signal<string | null>(null);
  /** The place under the pointer or the cursor. */
  readonly pointed = signal<string | null>(null);
  /** What another tap on a place does. */
  readonly again = signal<{ readonly place: string; readonly text: string } | null>(null);
  /** The place that is to come into sight, with the cursor on it. */
  readonly sought = signal<{ readonly place: string } | null>(null);
  /** The choice under the pointer or the cursor. */
  readonly considered = signal<Choice | null>(null);
  /** The panel shown on narrow screens. */
  readonly tab = signal<Tab>("play");
  /** True when the player is reading the briefing. What others do waits meanwhile. */
  readonly briefing = signal(false);
  /** True when the panel shows what can be done now, and why. */
  readonly why = signal(false);
  /** True when the player is choosing a deputy. */
  readonly handOverOpen = signal(false);
  /** Why the lesson expects another choice. */
  readonly refused = signal<string | null>(null);
  /** Pages of the lesson turned since the last step of it. */
  private readonly turned = signal(0);
  /** What the last answer to a puzzle was worth. */
  readonly solved = signal<Solved | null>(null);
  /** The page of the lesson that is read; null while others play, or where no lesson is taken. */
  readonly lessonPage = computed<LessonView["pages"][number] | null>(() => {
    const lesson = this.frame.value?.lesson ?? null;
    return lesson === null || this.behind.value > 0 ? null : (lesson.pages[this.turned.value] ?? null);
  });
  /** Names of the choices that the lesson expects now, or of the answer to a puzzle; null where there is none. */
  readonly wanted = computed<readonly string[] | null>(() => {
    if (this.solved.value !== null) return [this.solved.value.best];
    const lesson = this.frame.value?.lesson ?? null;
    return lesson !== null && this.lessonPage.value === lesson.pages.at(-1) ? lesson.do : null;
  });
  /** What is said to screen readers. */
  readonly said = signal("");

  /** Choices that can be taken now: none while something is shown or sent. */
  readonly choices = computed<readonly Choice[]>(() =>
    this.behind.value > 0 ||
    this.sent.value ||
    !this.connected.value ||
    this.review.inPlay.value ||
    (this.frame.value?.deputy ?? null) !== null
      ? []
      : this.ordered.value,
  );

  /**
   * As they are listed: of many, those that touch a counter, then those of empty places, then those of none: to stop
   * and the like.
   */
  readonly ordered = computed<readonly Choice[]>(() => {
    const frame = this.frame.value;
    const all = frame?.prompt.choices ?? [];
    if (frame === null || all.length <= MANY) return all;
    const held = new Set(frame.pieces.map((p) => p.place));
    const rank = ({ places }: Choice): number => (places.length === 0 ? 0 : places.some((p) => held.has(p)) ? 1 : 2);
    return [0, 1, 2].flatMap((r) => all.filter((c) => rank(c) === r));
  });

  /** What is picked, to be done or sent together. */
  readonly picks = new Picks(this);

  /** What is typed. */
  readonly typed = new Typed(this);

  /** Counters that are carried over the map. */
  readonly hand = new Hand(this);

  /** How far the unit of the choice considered can go; otherwise the units of the place that is open or pointed at. */
  readonly reach = computed<readonly Reach[]>(() => {
    const frame = this.frame.value;
    const one = this.considered.value;
    const place = this.hand.held.value?.place ?? this.open.value ?? this.pointed.value;
    if (frame === null || this.choices.value.length === 0) return [];
    const ways = this.hand.ways.value;
    const sent = (ways?.ways ?? []).map((w): Reach => ({ place: w.place, cost: w.cost ?? w.path.length }));
    if (ways !== null && this.picks.units.includes(ways.unit)) return sent;
    if (one !== null) return one.reach ?? (ways !== null && one.units[0] === ways.unit ? sent : []);
    if (ways !== null && (this.hand.held.value !== null || frame.prompt.units[0] === ways.unit)) return sent;
    if (place === null) return [];
    return reachFrom(frame, this.choices.value, place, this.openPiece.value);
  });

  /** Decisions of who decides in the place of who sits here. */
  readonly pace = new DeputyPace({
    frame: this.frame,
    behind: this.behind,
    news: this.news,
    ask: (request) => this.socket.send(request),
  });

  /** Looking back, and beliefs. */
  readonly review: ReviewStore;
  readonly map = new MapQuestions(
    (request) => this.socket.send(request),
    (text) => this.say(text),
  );

  /** Log entries there were when this seat chose last. */
  private chosenAt = 0;
  private latest: Frame | null = null;
  /** The order given last, as a person reads it. */
  private inWords = "";
  /** Lines of the log when a choice was sent that the connection died with. */
  private unanswered: number | null = null;
  private readonly socket: SeatSocket;

  /** @param token of the link that it sits at */
  constructor(readonly token: string) {
    this.socket = new SeatSocket(
      token,
      (reply) => this.hear(reply),
      (open) => {
        if (open) return; // the first frame says that it is connected
        this.connected.value = false;
        this.gone.value = this.socket.over;
        if (this.sent.value) this.unanswered = this.latest!.log.length;
        this.sent.value = false;
        this.review.lost();
      },
    );
    this.review = new ReviewStore(
      (request) => this.socket.send(request),
      (moment) => this.look(moment),
    );
  }

  choose(choice: Choice, confirmed = false): void {
    if (!this.choices.value.includes(choice)) return;
    if (this.picks.takes(choice)) return this.pick([choice]);
    if (this.picks.wait) return this.picks.commit(choice);
    this.close();
    const why = this.refusal(choice);
    this.refused.value = why;
    if (why !== null) return;
    const isAnswer = this.frame.value!.puzzle !== null; // which changes nothing
    if (choice.warning !== null && !confirmed && this.wanted.value === null && !isAnswer) {
      const { text, warning } = choice;
      this.askOdds(choice, false);
      this.confirming.value = { text, warning, action: choice.action, go: () => this.choose(choice, true) };
      return;
    }
    this.confirming.value = null;
    this.chosenAt = this.frame.value!.log.length;
    if (TOUCH.matches) this.pointed.value = null; // its card would stay in front of the map
    this.send({ op: "act", n: this.frame.value!.n, action: choice.action });
  }

  /** Picks choices, or lets go of them. */
  pick(choices: readonly Choice[]): void {
    this.picks.on.value = true;
    this.picks.pickAll(choices);
    const last = this.picks.units.at(-1);
    if (last !== undefined) this.hand.ask(last);
  }

  /** Lists the choices of the whole table again. */
  close(): void {
    this.open.value = null;
    this.openPiece.value = null;
  }

  /** Turns the pages of the lesson. */
  turnPage(by: number): void {
    this.refused.value = null;
    this.turned.value += by;
  }

  /** From the end of a lesson. */
  playOn(): void {
    this.socket.send({ op: "playOn" });
  }

  /** Why the lesson doesn't want this choice now, or null. */
  private refusal(choice: Choice): string | null {
    const lesson = this.frame.value?.lesson ?? null;
    if (lesson === null) return null;
    if (lesson.over) return "The lesson ends here: play on from here to choose freely.";
    if (this.wanted.value === null) return "Read on first: the lesson says what comes next.";
    return lesson.do.includes(choice.name) ? null : lesson.otherwise;
  }

  undo(): void {
    if (this.frame.value?.noUndo === null) this.send({ op: "undo", n: this.frame.value.n });
  }

  askOdds(choice: Choice, wanted: boolean): void {
    const known = this.odds.value?.action === choice.action ? this.odds.value : null;
    if (!this.choices.value.includes(choice)) return;
    this.odds.value = { action: choice.action, wanted, odds: known?.odds ?? null, leads: known?.leads ?? null };
    if (this.odds.value.odds !== null) return;
    this.socket.send({ op: "odds", n: this.frame.value!.n, action: choice.action });
  }

  /**
   * Gives an order in words.
   *
   * @param said what a person reads when it warns
   */
  order(text: string, said = inNames(this.frame.value!, text)): void {
    if (this.choices.value.length === 0) return;
    this.inWords = said;
    this.confirming.value = null;
    this.close();
    this.chosenAt = this.frame.value!.log.length;
    this.send({ op: "order", n: this.frame.value!.n, order: text });
  }

  /** On with an order that has warned. */
  private goOn(order: string): void {
    if (this.choices.value.length === 0) return;
    this.confirming.value = null;
    this.send({ op: "goOn", n: this.frame.value!.n, order });
  }

  /** Somebody decides in the place of who sits here. */
  handOver(what: "phase" | "turn" | readonly string[], who: string): void {
    if (this.choices.value.length === 0) return;
    this.close();
    this.handOverOpen.value = false;
    this.chosenAt = this.frame.value!.log.length;
    this.send({ op: "handOver", n: this.frame.value!.n, what, who });
  }

  /** Who sits here decides again. */
  handBack(): void {
    this.socket.send({ op: "handBack" });
  }

  askWays(unit: string): void {
    this.socket.send({ op: "ways", n: this.frame.value!.n, unit });
  }

  askHint(): void {
    this.socket.send({ op: "hint", n: this.frame.value!.n });
  }

  askRule(words: string): void {
    this.socket.send({ op: "rule", words });
  }

  /** Begins to ask the map, or leaves off. */
  ask(question: MapQuestion | null): void {
    if (question !== null) this.close();
    this.map.ask(question);
  }

  resign(): void {
    this.socket.send({ op: "resign" });
  }

  moveNow(): void {
    this.socket.send({ op: "moveNow" });
  }

  private send(request: Request): void {
    this.sent.value = true;
    this.socket.send(request);
  }

  private hear(reply: Exclude<Reply, { op: "pong" }>): void {
    switch (reply.op) {
      case "frame":
        this.latest = reply.frame;
        this.brief(reply.frame);
        this.steps.replace(reply.frame);
        // what was chosen as the connection died: if it came through, the log has it
        if (this.unanswered === reply.frame.log.length)
          this.error.value = "Your last choice did not arrive. Choose again.";
        this.unanswered = null;
        this.connected.value = true;
        this.hand.begin();
        this.picks.begin();
        this.pace.again();
        this.pace.goOn();
        return this.review.again();
      case "patch":
        this.latest = patched(this.latest!, reply.patch);
        return this.steps.add(this.latest);
      case "odds":
        if (this.odds.value?.action === reply.action && this.frame.value?.n === reply.n)
          this.odds.value = answered(this.odds.value, reply.odds, reply.leads);
        return;
      case "solved":
        this.sent.value = false;
        this.solved.value = reply;
        return this.say(reply.right ? "Right." : "Not the best.");
      case "hint":
        if (this.frame.value?.n === reply.n) this.hint.value = reply;
        return;
      case "rules":
        this.rules.value = reply;
        return;
      case "ways":
        if (this.frame.value?.n === reply.n) this.hand.hear(reply.unit, reply.ways);
        return;
      case "ordered":
        this.sent.value = false;
        if (reply.warning !== null) {
          const { order, warning } = reply;
          this.confirming.value = {
            text: capitalized(this.inWords),
            warning,
            go: () => this.goOn(order),
          };
        } else if (reply.stopped !== null) this.error.value = reply.stopped;
        return this.say(reply.lines.join(" "));
      case "answer":
        return this.map.hear(reply);
      case "error":
        this.sent.value = false;
        this.error.value = reply.message;
        this.review.fail();
        if (reply.code === "stale") this.socket.send({ op: "whole" });
        return;
      default:
        return this.review.hear(reply);
    }
  }

  /** What can be looked back at now; null for nothing. */
  readonly lookBack = computed(() => this.frame.value?.result?.review ?? this.frame.value?.lookBack ?? null);

  /** Goes on with the game that was looked back at. */
  backToGame(): void {
    this.review.leave();
    if (this.latest !== null) this.show(this.latest);
  }

  /** Shows a moment of a game in the place of its end, or of what is asked now. */
  private look(moment: Moment): void {
    if (this.latest === null) return;
    const { base, under, over, pieces, trays, text, caption, notes, legend, standing, line } = moment;
    this.frame.value = { ...this.latest, base, under, over, pieces, trays, text, caption, notes, legend, standing };
    this.news.value = line === null ? [] : [line];
    if (line !== null) this.say(spoken(line));
    void this.load(base);
  }

  /** Opens the briefing of a new game, once for each seat: not where this seat has decided something already. */
  private brief({ briefing, log, result, seat, session }: Frame): void {
    if (seat === null || result !== null || briefing?.opens !== true || !briefingsOn.value) return;
    if (!wasBriefed(session, seat) && !log.some((line) => line.actor === seat && !line.forced))
      this.briefing.value = true;
  }

  /** Closes the briefing and goes on with what has happened meanwhile. */
  begin(): void {
    const { seat, session } = this.frame.value!;
    if (seat !== null) rememberBriefed(session, seat);
    this.briefing.value = false;
    this.steps.next();
  }

  private show(frame: Frame): void {
    const old = this.frame.value;
    const from = old === null || frame.log.length < old.log.length ? frame.log.length : old.log.length;
    const news = frame.log.slice(from);
    this.chosenAt = old === null ? afterOwn(frame) : Math.min(this.chosenAt, from);
    this.since.value = frame.seat === null ? [] : frame.log.slice(this.chosenAt);
    this.news.value = this.steps.more && news.length > 0 ? news : frame.log.slice(this.chosenAt);
    if (news.length > 0) this.say(news.map(spoken).join(" "));
    else if (old !== null && old.prompt.text !== frame.prompt.text) this.say(frame.prompt.text);
    this.frame.value = frame;
    if (old?.n !== frame.n) this.sent.value = false; // else only who is there has changed
    if (old?.lesson?.done !== frame.lesson?.done) {
      this.turned.value = 0;
      this.refused.value = null;
    }
    void loadPrimer(frame.game);
    if (old?.n !== frame.n) {
      this.odds.value = null;
      this.considered.value = null;
      this.hint.value = null;
      this.confirming.value = null;
      this.again.value = null;
      this.typed.begin();
      this.close();
      this.error.value = null;
    }
    void this.load(frame.base);
    if (this.review.inPlay.value && frame.lookBack === null) this.review.leave(); // it has ended, or nothing is left
    if (frame.result !== null && (old === null || old.result === null)) this.restoreMoment();
    const moment = this.review.moment.value;
    if (moment !== null) this.look(moment);
  }

  /** Goes to the moment that the address names, when the game is over. */
  restoreMoment(): void {
    const frame = this.frame.value;
    if (frame !== null && frame.result !== null)
      this.review.restore(
        frame.result.review.decisions,
        frame.seats.map((s) => s.side),
      );
  }

  /** A screen reader stays silent when the same text comes again: a blank makes it another. */
  private say(text: string): void {
    this.said.value = this.said.value === text ? `${text}\u00a0` : text;
  }

  private async load(name: string): Promise<void> {
    const base = await loadBase(name);
    if (this.frame.value?.base === name && this.base.value !== base) this.base.value = base;
  }
}
