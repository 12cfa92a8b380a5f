import { type Input, Lines, type Output } from "./lines.js";
import { printable } from "../../../env/core/safe-text.js";
import { broken } from "../../../agents/text/sentences.js";

/** Prints on a terminal, or a pipe, and asks. A terminal stops before what nobody has read leaves the screen. */
export class Screen {
  private lines: Lines | null = null;
  /** Lines printed since somebody last typed. */
  private printed = 0;

  constructor(
    private readonly input: Input,
    private readonly output: Output,
  ) {}

  get isTerminal(): boolean {
    return this.output.isTTY === true;
  }

  get width(): number {
    return Math.max(40, this.output.columns ?? 80);
  }

  /** Of a pipe, more than any text needs. */
  get rows(): number {
    return this.isTerminal ? Math.max(10, this.output.rows ?? 24) : 1000;
  }

  /** True when a person can be asked. */
  get isOpen(): boolean {
    return this.lines !== null;
  }

  /** @param shared several people type here, and none may bring back what another typed */
  open(shared = false): void {
    this.lines = new Lines(this.input, this.output, shared ? 0 : undefined);
  }

  close(): void {
    this.lines?.close();
    this.lines = null;
  }

  /** @returns what was typed; null at the end of the input */
  async ask(prompt: string): Promise<string | null> {
    this.printed = 0;
    return this.lines === null ? null : this.lines.next(prompt);
  }

  /** Prints, and waits whenever a screen is full. */
  async print(text: string): Promise<void> {
    for (const line of this.fitted(text)) {
      if (this.isTerminal && this.lines !== null && this.printed >= this.rows - 1) await this.ask("-- more: Enter -- ");
      this.line(line);
    }
  }

  /** Prints without waiting, for games that nobody interrupts. */
  printOn(text: string): void {
    for (const line of this.fitted(text)) this.line(line);
  }

  /** Begins a new screen if what comes next would not fit below the lines shown. */
  async room(lines: number): Promise<void> {
    if (this.isTerminal && this.lines !== null && this.printed > 0 && this.printed + lines > this.rows - 1)
      await this.ask("-- more: Enter -- ");
  }

  clear(): void {
    if (this.isTerminal) this.output.write("\u001b[2J\u001b[3J\u001b[H");
    this.printed = 0;
  }

  private line(line: string): void {
    this.output.write(`${printable(line)}\n`);
    this.printed++;
  }

  /** Lines that a terminal would break are broken between words. */
  private fitted(text: string): string[] {
    const lines = text.split("\n");
    if (!this.isTerminal) return lines;
    return lines.flatMap((line) => broken(line, this.width));
  }
}
