import type { LogEntry, Viewer } from "../../env/index.js";

/** What one viewer saw of a game. */
interface Log {
  readonly entries: LogEntry[];
  /** For each entry, the number of decisions played when it was written: no viewer may count what it didn't see. */
  readonly written: number[];
  /** Entries that `news` has reported. */
  read: number;
}

/** What each viewer of a game saw, entry by entry, and what was taken back of it. */
export class Logs {
  private readonly byViewer: ReadonlyMap<Viewer, Log>;
  /** For each time that choices were taken back, the version that it made and how much it left of the logs. */
  private readonly cuts: { readonly version: number; readonly left: ReadonlyMap<Viewer, number> }[] = [];

  /** How often choices were taken back. */
  undone = 0;

  constructor(readonly viewers: readonly Viewer[]) {
    this.byViewer = new Map(viewers.map((v) => [v, { entries: [], written: [], read: 0 }]));
  }

  /** Everything `viewer` saw. */
  of(viewer: Viewer): readonly LogEntry[] {
    return this.log(viewer).entries;
  }

  /** @param played decisions played until then */
  enter(viewer: Viewer, played: number, entry: Omit<LogEntry, "number">): void {
    const { entries, written } = this.log(viewer);
    written.push(played);
    entries.push({ number: entries.length + 1, ...entry });
  }

  /** For each entry that was written after a decision, how many had been played before that one. */
  moments(viewer: Viewer): number[] {
    return this.log(viewer).written.flatMap((n) => (n === 0 ? [] : [n - 1]));
  }

  /** What `viewer` saw since it was last asked. */
  news(viewer: Viewer): LogEntry[] {
    const log = this.log(viewer);
    const from = log.read;
    log.read = log.entries.length;
    return log.entries.slice(from);
  }

  /** Nothing that was seen until now is news. */
  allRead(): void {
    for (const log of this.byViewer.values()) log.read = log.entries.length;
  }

  /** Takes back what was written after `played` decisions. @param version that this makes */
  cut(played: number, version: number): void {
    for (const log of this.byViewer.values()) {
      log.written.length = log.entries.length = log.written.findLastIndex((n) => n <= played) + 1;
      log.read = Math.min(log.read, log.entries.length);
    }
    this.undone++;
    this.cuts.push({ version, left: new Map([...this.byViewer].map(([v, { entries }]) => [v, entries.length])) });
  }

  /** How many entries are as they were at a version: what was taken back and chosen again is not. */
  kept(viewer: Viewer, version: number): number {
    const cuts = this.cuts.filter((c) => c.version > version).map((c) => c.left.get(viewer)!);
    return Math.min(this.of(viewer).length, ...cuts);
  }

  private log(viewer: Viewer): Log {
    return this.byViewer.get(viewer)!;
  }
}
