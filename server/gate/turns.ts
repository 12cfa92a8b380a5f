import { setImmediate as turn } from "node:timers/promises";

/** So long this thread answers without a turn of the event loop, which brings other connections and replies of threads. */
const TURN_MS = 1;

/** Keeps what waits in one thread from being worked off in one go: promises alone never let the event loop turn. */
export class Turns {
  private turned: number;

  /** @param clock milliseconds, never going back */
  constructor(private readonly clock: () => number) {
    this.turned = clock();
  }

  /** Has the event loop not turned for so long that others should have theirs? */
  get due(): boolean {
    return this.clock() - this.turned >= TURN_MS;
  }

  async take(): Promise<void> {
    await turn();
    this.turned = this.clock();
  }
}
