import { deflateRawSync, inflateRawSync } from "node:zlib";
import { parseReplay, type Replay } from "../../env/index.js";

/** Most files that are kept, and most bytes of them, compressed: of everybody together, and of one guest. */
export const MOST_KEPT = { files: 100, bytes: 16 << 20, guestFiles: 25, guestBytes: 4 << 20 } as const;

interface Kept {
  readonly text: Buffer;
  /** Who opened it. */
  readonly from: string;
}

/**
 * Replays that were opened from files, by link. The oldest goes first: of the guest who has too many, otherwise of all.
 */
export class OpenedReplays {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly most: Readonly<Record<keyof typeof MOST_KEPT, number>> = MOST_KEPT) {}

  /** @param text of a replay that has been read without an error */
  keep(link: string, text: string, from: string): void {
    this.kept.delete(link);
    this.kept.set(link, { text: deflateRawSync(text), from });
    const { files, bytes, guestFiles, guestBytes } = this.most;
    const own = [...this.kept].filter(([, k]) => k.from === from);
    this.trim(own, guestFiles, guestBytes);
    this.trim([...this.kept], files, bytes);
  }

  find(link: string): Replay | null {
    const found = this.kept.get(link);
    return found === undefined ? null : parseReplay(JSON.parse(inflateRawSync(found.text).toString()));
  }

  private trim(of: readonly (readonly [string, Kept])[], files: number, most: number): void {
    let [left, bytes] = [of.length, of.reduce((sum, [, { text }]) => sum + text.length, 0)];
    for (const [link, { text }] of of) {
      if (left <= files && bytes <= most) return;
      this.kept.delete(link);
      left--;
      bytes -= text.length;
    }
  }
}
