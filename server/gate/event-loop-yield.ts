import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds for which this thread answers before it lets the event loop turn. */
const TURN_MS = 1;

/** Lets the event loop turn while many requests wait: promises alone would never let it. */
export class EventLoopYield {
  private turned: number;

  /** @param clock milliseconds, never going back */
  constructor(private readonly clock: () => number) {
    this.turned = clock();
  }

  /** True when the event loop has not turned for a while, so other connections should get their turn. */
  get due(): boolean {
    return this.clock() - this.turned >= TURN_MS;
  }

  async turn(): Promise<void> {
    await nextTurn();
    this.turned = this.clock();
  }
}
