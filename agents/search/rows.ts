import { KesselError } from "../../env/index.js";
import type { Decisions } from "../agent.js";

/** The rows with a choice; the others get their only action. */
export function openRows({ size, mask, game }: Decisions, out: Int32Array): number[] {
  const A = game.actions.length;
  const open: number[] = [];
  for (let i = 0; i < size; i++) {
    const first = mask.indexOf(1, i * A);
    const second = mask.indexOf(1, first + 1);
    if (second < 0 || second >= (i + 1) * A) out[i] = first - i * A;
    else open.push(i);
  }
  return open;
}

/** @param limit milliseconds */
export const thinksTooLong = (name: string, limit: number): KesselError =>
  new KesselError(
    "time-limit",
    `${name} thinks longer than ${limit / 1000} seconds about one decision; give it fewer iterations or ms`,
  );
