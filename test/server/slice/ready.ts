import { afterEach, expect } from "vitest";
import { Handler, type HandlerOptions } from "../../../server/handler.js";
import { type Answer, ask, tensor as read } from "../ask.js";
import { LAST_LIBRARY } from "./last-agent.js";

export const B = 12;
export const K = 4;
export const TENSORS = [
  "globals",
  "map",
  "units",
  "decision",
  "mask",
  "actors",
  "rewards",
  "terminated",
  "truncated",
  "decisions",
  "episodes",
];

/** Tensors that have been read. */
const known = new WeakMap<Answer, Map<string, number[]>>();
export function tensor(answer: Answer, name: string): number[] {
  const of = known.get(answer) ?? new Map<string, number[]>();
  known.set(answer, of);
  return of.get(name) ?? of.set(name, read(answer, name)).get(name)!;
}

const closing: Handler[] = [];
afterEach(async () => {
  for (const h of closing.splice(0)) await h.close();
});

export function handlerWith(options: HandlerOptions = {}): Handler {
  const handler = new Handler({ ...LAST_LIBRARY, ...options });
  closing.push(handler);
  return handler;
}
export const ok = (a: Answer): Answer => {
  expect(a.header.error).toBeUndefined();
  return a;
};
export async function make(handler: Handler, args: Record<string, unknown> = {}): Promise<string> {
  return ok(await ask(handler, { op: "make", game: "toy-ambush", size: B, ready: K, ...args })).header[
    "batch"
  ] as string;
}

/** What a reply shows of its row `r`. */
export function shown(answer: Answer, r: number, rows: number): string {
  return JSON.stringify(
    TENSORS.map((t) => {
      const all = tensor(answer, t);
      return all.slice((r * all.length) / rows, ((r + 1) * all.length) / rows);
    }),
  );
}

/** All of a reply. */
export function all(answer: Answer): string {
  const rows = tensor(answer, "environments");
  return JSON.stringify(rows) + rows.map((_, r) => shown(answer, r, rows.length)).join("");
}

/** The lowest legal action of row `r`, or 0. */
export function lowest(answer: Answer, r: number, rows: number): number {
  const mask = tensor(answer, "mask");
  const A = mask.length / rows;
  return Math.max(0, mask.slice(r * A, (r + 1) * A).indexOf(1));
}

/** Environments of a reply and an action for each, as a step of theirs has them. */
export function reply(answer: Answer, which = tensor(answer, "environments")): Int32Array {
  const rows = tensor(answer, "environments");
  return Int32Array.from([...which, ...which.map((i) => lowest(answer, rows.indexOf(i), rows.length))]);
}

/** What each environment of a batch shows at its first `n` decisions, all stepped together. */
export async function together(
  handler: Handler,
  n: number,
  args: Record<string, unknown>,
  size = B,
): Promise<string[][]> {
  const { header } = ok(await ask(handler, { op: "make", game: "toy-ambush", size, ...args }));
  const seen = Array.from({ length: size }, (): string[] => []);
  let answer = ok(await ask(handler, { op: "reset", batch: header["batch"], seed: 3 }));
  for (let step = 0; step < n; step++) {
    for (let i = 0; i < size; i++) seen[i]!.push(shown(answer, i, size));
    answer = ok(
      await ask(
        handler,
        { op: "step", batch: header["batch"] },
        Int32Array.from({ length: size }, (_, i) => lowest(answer, i, size)),
      ),
    );
  }
  return seen;
}
