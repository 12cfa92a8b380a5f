import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Choice } from "../../../env/index.js";
import type { Frame, Piece } from "../frame.js";
import { type Counter, names } from "./geometry.js";

/** What a counter that is carried from one place to another asks for. */
type Carried =
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

/** The counter or stack at a point of a place, in the base's pixels; null for bare ground. */
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
function carried(choices: readonly Choice[], frame: Frame, grip: Grip, to: string): Carried {
  const ends = choices.filter((c) => c.places.includes(to));
  const own = ends.filter((c) => grip.counters.some((counter) => names(c, counter)));
  const asked = isAsked(frame, grip) ? ends.filter((c) => c.units.length === 0) : [];
  const there = own.length > 0 ? own : asked;
  if (there.length === 1) return { does: "go", choice: there[0]! };
  if (there.length > 1) return { does: "ask" };
  const lift = liftsOf(choices, grip).find((c) => c.places.every((p) => p === grip.place));
  return lift === undefined ? { does: "nothing" } : { does: "lift", choice: lift };
}

/** What a hand needs of the table. */
interface Reached {
  readonly frame: ReadonlySignal<Frame | null>;
  readonly choices: ReadonlySignal<readonly Choice[]>;
  /** The place whose choices are listed. */
  readonly open: Signal<string | null>;
  readonly error: Signal<string | null>;
  choose(choice: Choice): void;
}

/** Carries counters from place to place: picks them up where that is a decision of its own, and puts them down. */
export class Hand {
  /** The place that something is being carried from. */
  readonly from = signal<string | null>(null);
  /** Where a counter that was picked up is to go next. */
  private goal: { readonly grip: Grip; readonly to: string } | null = null;

  constructor(private readonly table: Reached) {}

  /** Something was let go over another place. */
  carry(grip: Grip, to: string): void {
    const { frame, choices, error, open } = this.table;
    if (frame.value === null) return;
    const found = carried(choices.value, frame.value, grip, to);
    if (found.does === "nothing") error.value = "It cannot go there.";
    else if (found.does === "ask") open.value = to;
    else {
      if (found.does === "lift") this.goal = { grip, to };
      this.table.choose(found.choice);
    }
  }

  /** Puts down what was picked up, as soon as the next decision is there. */
  putDown(): void {
    const { goal } = this;
    const { frame, choices, error, open } = this.table;
    if (goal === null || frame.value === null || choices.value.length === 0) return;
    this.goal = null;
    const found = carried(choices.value, frame.value, goal.grip, goal.to);
    if (found.does === "go") this.table.choose(found.choice);
    else if (found.does === "ask") open.value = goal.to;
    else error.value = "It cannot go there in one move.";
  }
}
