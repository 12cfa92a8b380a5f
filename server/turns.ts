import { setImmediate as turn } from "node:timers/promises";

/** So long this thread answers without a turn of the event loop, which brings other connections and replies of threads. */
const TURN_MS = 1;

/** Keeps what waits in one thread from being worked off in one go: promises alone never let the event loop turn. */
export class Turns {
  private turned = performance.now();

  /** Has the event loop not turned for so long that others should have theirs? */
  get due(): boolean {
    return performance.now() - this.turned >= TURN_MS;
  }

  async take(): Promise<void> {
    await turn();
    this.turned = performance.now();
  }
}

/** Waits for `done`, but no longer than `ms`. */
export async function atMost(ms: number, done: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  await Promise.race([done, new Promise((resolve) => (late = setTimeout(resolve, ms)))]);
  clearTimeout(late);
}
