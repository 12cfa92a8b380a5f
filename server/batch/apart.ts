import type { Answer, Body } from "../slice/body.js";
import { cutOf, type Later, rowsOf } from "../slice/later.js";
import { joinBodies } from "./joining.js";

/** Milliseconds of a piece of an answer: between pieces, other connections have their turn. */
const PIECE_MS = 4;
/** What takes no longer is answered in place. */
const SHORT_MS = 1;
/** Weight of the last measurement. */
const NEW = 0.3;

/** Has a piece answered by another thread. @returns the answer, and how many milliseconds it took there */
export type AnswerApart = (piece: Later) => Promise<{ readonly body: Body; readonly ms: number }>;

/** What rows of each kind of question take, in milliseconds, as measured. */
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

/** Long questions of a batch, answered by a thread that plays nothing. */
export class Apart {
  private readonly costs = new RowCosts();

  constructor(private readonly answer: AnswerApart) {}

  /** @param inPlace answers in this thread, if that is short */
  async ask(later: Later, inPlace?: () => Answer): Promise<Body> {
    const kind = later.what;
    const rows = rowsOf(later);
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
      const { body, ms } = await this.answer(cutOf(later, from, to));
      this.costs.note(kind, to - from, ms);
      bodies.push(body);
      places.push(Array.from({ length: to - from }, (_, k) => from + k));
      from = to;
    }
    return joinBodies(bodies, places, rows);
  }
}
