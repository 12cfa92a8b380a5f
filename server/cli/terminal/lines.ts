import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** What a terminal or a pipe is to the game. */
export type Input = Readable & { readonly isTTY?: boolean };
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** The lines of the input, one at a time; null at its end. */
export class Lines {
  private readonly queue: string[] = [];
  private waiting: ((line: string | null) => void) | null = null;
  private ended = false;
  private readonly reader: Interface;

  constructor(
    private readonly input: Input,
    private readonly output: Output,
    /** How many lines the arrow up brings back: none where the next who types must not read the last one's. */
    historySize = 30,
  ) {
    this.reader = createInterface({ input, historySize, ...(input.isTTY ? { output } : {}) });
    this.reader.on("line", (line) => {
      if (this.waiting === null) this.queue.push(line);
      else this.give(line);
    });
    this.reader.on("close", () => {
      this.ended = true;
      this.give(null);
    });
  }

  next(prompt: string): Promise<string | null> {
    if (this.input.isTTY) {
      this.reader.setPrompt(prompt);
      this.reader.prompt();
    } else this.output.write(prompt);
    const line = this.queue.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (this.ended) return Promise.resolve(null);
    return new Promise((done) => (this.waiting = done));
  }

  close(): void {
    this.reader.close();
  }

  private give(line: string | null): void {
    this.waiting?.(line);
    this.waiting = null;
  }
}
