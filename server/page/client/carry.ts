import type { Choice } from "../../../env/index.js";
import type { Frame, Piece } from "../frame.js";
import { type Counter, names } from "./geometry.js";

/** What a counter that is carried from one place to another asks for. */
export type Carried =
  /** The choice that takes it there. */
  | { readonly does: "go"; readonly choice: Choice }
  /** It has to be picked up first; then the question is where it goes. */
  | { readonly does: "lift"; readonly choice: Choice }
  /** Several choices end there. */
  | { readonly does: "ask" }
  /** It cannot get there. */
  | { readonly does: "nothing" };

/** What somebody grips on the map: a counter, or a stack, the top one first. */
export interface Grip {
  readonly place: string;
  readonly counters: readonly Counter[];
}

/** What lies at a point of a place, in the base's pixels; null for bare ground. */
export function gripAt(frame: Frame, place: string, x: number, y: number): (Grip & { readonly piece: Piece }) | null {
  const piece = frame.pieces.findLast(
    (p) => p.place === place && Math.abs(p.x - x) <= p.size / 2 && Math.abs(p.y - y) <= p.size / 2,
  );
  return piece === undefined ? null : { place, counters: piece.stack ?? [piece], piece };
}

/** The choices that pick up what is gripped, the top counter's first. */
const liftsOf = (choices: readonly Choice[], { counters }: Grip): readonly Choice[] =>
  counters.flatMap((counter) => choices.filter((c) => names(c, counter)));

/** Whether the open question is about what is gripped. */
const isAsked = ({ prompt }: Frame, { counters }: Grip): boolean =>
  counters.some((c) => c.unit !== undefined && prompt.units.includes(c.unit));

/** Whether something can be carried: it can be picked up, or the question is where it goes. */
export const canLift = (choices: readonly Choice[], frame: Frame, grip: Grip): boolean =>
  choices.length > 0 && (isAsked(frame, grip) || liftsOf(choices, grip).length > 0);

/** What is chosen when something is carried to a place. */
export function carried(choices: readonly Choice[], frame: Frame, grip: Grip, to: string): Carried {
  const ends = choices.filter((c) => c.places.includes(to));
  const own = ends.filter((c) => grip.counters.some((counter) => names(c, counter)));
  const asked = isAsked(frame, grip) ? ends.filter((c) => c.units.length === 0) : [];
  const there = own.length > 0 ? own : asked;
  if (there.length === 1) return { does: "go", choice: there[0]! };
  if (there.length > 1) return { does: "ask" };
  const lift = liftsOf(choices, grip).find((c) => c.places.every((p) => p === grip.place));
  return lift === undefined ? { does: "nothing" } : { does: "lift", choice: lift };
}
