import type { Answer, Body } from "../slice/body.js";
import { cutOf, type LongQuestion, rowsOf } from "../slice/long-question.js";
import { joinBodies } from "./join-bodies.js";

/** Milliseconds of a piece of an answer: between pieces, other connections have their turn. */
const PIECE_MS = 4;
/** Questions that take no longer are answered in place. */
const SHORT_MS = 1;
/** Weight of the last measurement. */
const NEW = 0.3;

/** Has another thread answer a piece. @returns the answer, and the milliseconds that it took there */
export type AnswerOffThread = (piece: LongQuestion) => Promise<{ readonly body: Body; readonly ms: number }>;

/** Measured milliseconds per row, by kind of question. */
export class RowCosts {
  private readonly byKind = new Map<string, number>();

  note(kind: string, rows: number, ms: number): void {
    const cost = ms / Math.max(1, rows);
    const known = this.byKind.get(kind);
    this.byKind.set(kind, known === undefined ? cost : (1 - NEW) * known + NEW * cost);
  }

  /** Rows that make a piece: one while nothing is known. */
  piece(kind: string): number {
    const cost = this.byKind.get(kind);
    return cost === undefined ? 1 : Math.max(1, Math.floor(PIECE_MS / Math.max(cost, 1e-3)));
  }

  isShort(kind: string, rows: number): boolean {
    return rows * (this.byKind.get(kind) ?? Infinity) <= SHORT_MS;
  }
}

/** Has another thread answer the long questions of a batch. That thread plays no games. */
export class OffThread {
  private readonly costs = new RowCosts();

  constructor(private readonly answer: AnswerOffThread) {}

  /** @param inPlace answers in this thread, if that is short */
  async ask(question: LongQuestion, inPlace?: () => Answer): Promise<Body> {
    const kind = question.what;
    const rows = rowsOf(question);
    if (inPlace !== undefined && this.costs.isShort(kind, rows)) {
      const began = performance.now();
      const body = await inPlace();
      this.costs.note(kind, rows, performance.now() - began);
      return body;
    }
    const bodies: Body[] = [];
    const places: number[][] = [];
    for (let from = 0; bodies.length === 0 || from < rows;) {
      const to = Math.min(rows, from + this.costs.piece(kind));
      const { body, ms } = await this.answer(cutOf(question, from, to));
      this.costs.note(kind, to - from, ms);
      bodies.push(body);
      places.push(Array.from({ length: to - from }, (_, k) => from + k));
      from = to;
    }
    return joinBodies(bodies, places, rows);
  }
}
