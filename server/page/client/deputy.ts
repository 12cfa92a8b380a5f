import { type ReadonlySignal, signal } from "@preact/signals";
import type { Frame, LogLine, Request } from "../frame.js";
import { calm, SPEEDS, speed } from "./settings.js";

/** What the pace of a deputy needs of the table. */
interface Seen {
  readonly frame: ReadonlySignal<Frame | null>;
  readonly behind: ReadonlySignal<number>;
  /** The log entries of the last step. */
  readonly news: ReadonlySignal<readonly LogLine[]>;
  ask(request: Request): void;
}

/** Asks for the decisions of a deputy one after another, each when the one before has been seen. */
export class DeputyPace {
  /** The next decision waits until it is asked for. */
  readonly paused = signal(false);
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** One step was asked for, and nothing of it has been seen yet. */
  private stepping = false;
  /** The frame whose decision was asked for. */
  private asked = 0;

  constructor(private readonly table: Seen) {}

  /** Everything that has come is shown. */
  goOn(): void {
    this.stopWaiting();
    const frame = this.table.frame.value;
    if ((frame?.deputy ?? null) === null) {
      this.paused.value = false;
      return;
    }
    if (!this.isAsked) return;
    const last = this.table.news.value.at(-1);
    // a unit was chosen, say: there is nothing to see yet
    const isSilent = last?.deputy === undefined || last.events.length === 0;
    if (this.paused.value) {
      if (this.stepping && isSilent) this.ask(false);
      else this.stepping = false;
      return;
    }
    const wait = calm() ? 0 : SPEEDS[speed.value];
    if (wait === 0) this.ask(true);
    else if (isSilent) this.ask(false);
    else if (wait === Infinity) this.paused.value = true;
    else this.timer = setTimeout(() => this.ask(false), wait);
  }

  pause(on: boolean): void {
    this.paused.value = on;
    if (on) this.stopWaiting();
    else this.ask(false);
  }

  /** The next decision now. */
  oneStep(): void {
    this.paused.value = true;
    this.stepping = true;
    this.ask(false);
  }

  toTheEnd(): void {
    this.ask(true);
  }

  /** A connection was lost: what was asked for may not have arrived. */
  again(): void {
    this.asked = 0;
  }

  private get isAsked(): boolean {
    const frame = this.table.frame.value;
    if (frame === null || frame.deputy === null) return false;
    return frame.prompt.choices.length > 0 && this.table.behind.value === 0;
  }

  private ask(all: boolean): void {
    this.stopWaiting();
    const frame = this.table.frame.value;
    if (!this.isAsked || this.asked === frame!.n) return;
    this.asked = frame!.n;
    this.table.ask({ op: "deputyOn", n: frame!.n, all });
  }

  private stopWaiting(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
