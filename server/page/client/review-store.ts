import { computed, signal } from "@preact/signals";
import { isDark } from "./settings.js";
import type {
  ExportRequest,
  Eyes,
  Judged,
  Moment,
  PlaceBelief,
  Review,
  ReviewReply,
  ReviewRequest,
} from "../review-frame.js";
import { at } from "./address.js";

/** Milliseconds between two moments that are asked for while the slider is drawn. */
const PACE = 60;
/** Milliseconds that a moment is looked at before it is asked what is thought of it. */
const JUDGE_AFTER = 200;

/** Looking back at a game, and what the seat may believe while it goes on. */
export class ReviewStore {
  /** The moment that is shown; null for the end as it came. */
  readonly moment = signal<Moment | null>(null);
  /** The position of the slider. */
  readonly at = signal<number | null>(null);
  readonly eyes = signal<Eyes>("all");
  /** A game that goes on is looked back at: all of it is as the own side saw it. */
  readonly inPlay = signal(false);
  /** A file that was asked for is being made. */
  readonly drawing = signal(false);
  readonly review = signal<Review | null>(null);
  /** Share of the analysis that is done; null while none is made. */
  readonly progress = signal<number | null>(null);
  /** Who is asked for the best actions of each moment: nobody, one, or two who are compared. */
  readonly judges = signal<readonly string[]>([]);
  private readonly judged = signal<ReadonlyMap<string, Judged>>(new Map());
  /** What the judges think of the moment that is shown, as far as they have said it. */
  readonly opinions = computed<readonly Judged[]>(() => {
    const moment = this.moment.value;
    if (moment === null || moment.by === null || moment.at !== this.at.value) return [];
    return this.judges.value.flatMap((by) => this.judged.value.get(`${moment.at} ${by}`) ?? []);
  });
  readonly beliefs = signal<{
    readonly n: number;
    readonly habits: boolean;
    readonly places: readonly PlaceBelief[];
  } | null>(null);
  private believedAt = -1;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private judging: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly send: (request: ReviewRequest) => void,
    /** Shows a moment on the table. */
    private readonly show: (moment: Moment) => void,
  ) {}

  /** Goes to the moment that the address names, if it names one: `#at=57&eyes=german`. */
  restore(decisions: number, sides: readonly string[]): void {
    const named = new URLSearchParams(location.hash.slice(1));
    const eyes = named.get("eyes") ?? "all";
    const at = named.get("at");
    if (["all", "watch", ...sides].includes(eyes)) this.eyes.value = eyes;
    if (at !== null && /^\d{1,9}$/.test(at)) this.go(Number(at), decisions);
  }

  /** Looks back at a game that goes on, as the own side saw it. */
  enter(side: string, decisions: number): void {
    this.inPlay.value = true;
    this.eyes.value = side;
    this.go(decisions, decisions);
  }

  /** Back to the game. */
  leave(): void {
    this.inPlay.value = false;
    this.eyes.value = "all";
    this.at.value = null;
    this.moment.value = null;
    this.review.value = null;
    this.judges.value = [];
    this.judged.value = new Map();
  }

  /** Goes to a moment of a game with `decisions` decisions. */
  go(at: number, decisions: number): void {
    const to = Math.max(0, Math.min(decisions, at));
    if (this.at.value === to && this.moment.value?.eyes === this.eyes.value) return;
    this.at.value = to;
    this.ask();
  }

  step(by: number, decisions: number): void {
    this.go((this.at.value ?? decisions) + by, decisions);
  }

  lookAs(eyes: Eyes, decisions: number): void {
    this.eyes.value = eyes;
    this.at.value ??= decisions;
    this.ask();
  }

  analyse(by: string): void {
    this.progress.value = 0;
    this.send({ op: "analyse", by });
  }

  /** Asks one or two for their best actions, from now on; nobody for none. */
  consult(judges: readonly string[], decisions: number): void {
    this.judges.value = judges;
    if (this.moment.value === null) this.go(decisions - 1, decisions);
    else this.askJudges();
  }

  branch(seats: Readonly<Record<string, string>>): void {
    if (this.at.value !== null) this.send({ op: "branch", at: this.at.value, seats });
  }

  save(): void {
    this.send({ op: "replay" });
  }

  /** Asks for a file of the moment that is shown, or of the whole game. */
  export(what: ExportRequest["what"], decisions: number): void {
    this.drawing.value = true;
    const theme = isDark() ? "dark" : "light";
    this.send({ op: "export", what, at: this.at.value ?? decisions, eyes: this.eyes.value, theme });
  }

  /** Asks for beliefs of frame `n`, once. */
  askBeliefs(n: number): void {
    if (this.believedAt === n) return;
    this.believedAt = n;
    this.send({ op: "beliefs", n });
  }

  hear(reply: ReviewReply): void {
    switch (reply.op) {
      case "moment":
        if (reply.moment.at !== this.at.value || reply.moment.eyes !== this.eyes.value) return; // gone on since
        this.moment.value = reply.moment;
        this.askJudges();
        return this.show(reply.moment);
      case "progress":
        this.progress.value = reply.done;
        return;
      case "review":
        this.progress.value = null;
        this.review.value = reply.review;
        return;
      case "judged":
        this.judged.value = new Map(this.judged.value).set(`${reply.judged.at} ${reply.judged.by}`, reply.judged);
        return;
      case "beliefs":
        this.beliefs.value = reply;
        return;
      case "branched":
        return follow(reply.links);
      case "replay":
        return keep(reply.name, new Blob([reply.text], { type: "application/json" }));
      case "file": {
        this.drawing.value = false;
        const bytes = Uint8Array.from(atob(reply.base64), (c) => c.charCodeAt(0));
        return keep(reply.name, new Blob([bytes], { type: reply.type }));
      }
    }
  }

  /** An analysis will not come. */
  fail(): void {
    this.progress.value = null;
    this.drawing.value = false;
  }

  /** The connection is gone, and with it the answers to all that was asked. */
  lost(): void {
    this.fail();
    this.believedAt = this.beliefs.value?.n ?? -1;
  }

  /** The connection is there again: asks for the moment that is looked at, whose coming asks the judges too. */
  again(): void {
    if (this.at.value !== null) this.ask();
  }

  private askJudges(): void {
    if (this.judging !== null) clearTimeout(this.judging);
    this.judging = setTimeout(() => {
      const moment = this.moment.value;
      if (moment === null || moment.by === null || !this.maySee(moment.by)) return;
      for (const by of this.judges.value)
        if (!this.judged.value.has(`${moment.at} ${by}`)) this.send({ op: "judge", at: moment.at, by });
    }, JUDGE_AFTER);
  }

  /** True when the seat may ask what a side could do. */
  maySee(side: string): boolean {
    return !this.inPlay.value || side === this.eyes.value;
  }

  private ask(): void {
    if (!this.inPlay.value) keepInAddress({ at: String(this.at.value), eyes: this.eyes.value });
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (this.at.value !== null) this.send({ op: "moment", at: this.at.value, eyes: this.eyes.value });
    }, PACE);
  }
}

/** Sits down at a new game: at its one seat, at two that share this screen, or to watch. */
function follow(links: Readonly<Record<string, string>>): void {
  const [one, two] = Object.keys(links).filter((side) => side !== "watch");
  const first = links[one ?? "watch"]!;
  location.href = at(`/g/${first}${two === undefined ? "" : `#hot=${links[two]!}`}`);
}

/** The address of this moment, for whoever copies it; the browser goes back to the page before as it would have. */
function keepInAddress(named: Readonly<Record<string, string>>): void {
  const hash = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of Object.entries(named)) hash.set(name, value);
  history.replaceState(history.state, "", `#${hash.toString()}`);
}

/** Lets the browser save a file. */
function keep(name: string, file: Blob): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(file);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}
