/** Number of times a thread may end before it is ready; after that it is not started again for a while. */
const START_TRIES = 3;
const REST_MS = 5_000;

/** When a thread that has ended may be started again: at once, but not on and on where it doesn't get ready. */
export class Restarts {
  private starts = 0;
  private endedAt = 0;

  begun(): void {
    this.starts++;
  }

  ready(): void {
    this.starts = 0;
  }

  ended(): void {
    this.endedAt = performance.now();
  }

  /** Milliseconds until the next start; 0 for at once. */
  restMs(): number {
    if (this.starts < START_TRIES) return 0;
    const left = REST_MS - (performance.now() - this.endedAt);
    if (left > 0) return left;
    this.starts = 0;
    return 0;
  }
}
