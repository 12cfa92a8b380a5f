import { signal } from "@preact/signals";
import type { Frame } from "../frame.js";
import { calm, SPEEDS, speed } from "./settings.js";

/** What steps need of the table. */
interface Shown {
  /** The frame that is shown. */
  shown(): Frame | null;
  show(frame: Frame): void;
  /** Nothing goes on while something else is read. */
  isHeld(): boolean;
  /** Everything that came is shown. */
  caughtUp(): void;
}

/** Frames that came and are not shown yet: steps of others are shown one after another. */
export class Steps {
  /** How many are left. */
  readonly left = signal(0);
  private readonly queue: Frame[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** A step is shown until the person asks for the next one. */
  private waits = false;
  /** Each step waits, whatever the speed. */
  readonly paused = signal(false);

  constructor(private readonly table: Shown) {}

  /** A whole frame takes the place of what is left. */
  replace(frame: Frame): void {
    this.queue.length = 0;
    this.stopWaiting();
    this.show(frame);
  }

  /** True when more are queued beyond the one on display. */
  get more(): boolean {
    return this.queue.length > 0;
  }

  add(frame: Frame): void {
    this.queue.push(frame);
    this.left.value = this.queue.length;
    this.next();
  }

  /** Stops at the step that is shown, or goes on. */
  pause(on: boolean): void {
    this.paused.value = on;
    this.stopWaiting();
    if (on) this.waits = this.queue.length > 0;
    else this.next();
  }

  /** Shows everything that has come. */
  toTheEnd(): void {
    this.paused.value = false;
    this.stopWaiting();
    while (this.queue.length > 0) this.show(this.queue.shift()!);
    this.next();
  }

  /** Shows the next step now. */
  oneStep(): void {
    this.stopWaiting();
    this.next();
  }

  /** Shows frames up to the next step of somebody else, then waits until it has been seen for long enough. */
  next(): void {
    while (!this.table.isHeld() && this.timer === null && !this.waits && this.queue.length > 0) {
      const from = this.table.shown()?.log.length ?? 0;
      const frame = this.queue.shift()!;
      this.show(frame);
      const steps = frame.log.slice(from);
      const mine = steps.every((l) => l.actor === frame.seat);
      // after the last step the person chooses at once
      // a unit was chosen, say: there is nothing to see yet
      const silent = steps.every((l) => l.events.length === 0);
      if (mine || silent || (this.queue.length === 0 && frame.prompt.choices.length > 0) || frame.result !== null)
        continue;
      const wait = this.paused.value ? Infinity : calm() ? 0 : SPEEDS[speed.value];
      if (wait === Infinity) this.waits = true;
      else if (wait > 0)
        this.timer = setTimeout(() => {
          this.timer = null;
          this.next();
        }, wait);
    }
    if (this.queue.length > 0) return;
    this.paused.value = false; // there is nothing left to stop
    this.table.caughtUp();
  }

  private show(frame: Frame): void {
    this.table.show(frame);
    this.left.value = this.queue.length; // after it: nothing can be chosen on the frame before
  }

  private stopWaiting(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.waits = false;
  }
}
