import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { counted } from "../../../env/core/words.js";
import type { Choice, OpenWay } from "../../../env/index.js";
import type { Frame, Piece } from "../frame.js";
import { type Counter, names } from "./geometry.js";
import { nameOf, unitName } from "./names.js";
import type { Picks } from "./picks.js";

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

/** True when the open question is about what is gripped. */
const isAsked = ({ prompt }: Frame, { counters }: Grip): boolean =>
  counters.some((c) => c.unit !== undefined && prompt.units.includes(c.unit));

/** True when a counter is the unit of this name. */
const unitNamed = (c: Counter, unit: string): boolean => c.key === unit || c.unit === unit;

/** The choices that take some unit, whichever, from one place to another. */
const fromTo = (choices: readonly Choice[], from: string): readonly Choice[] =>
  choices.filter((c) => c.units.length === 0 && c.places.length > 1 && c.places.includes(from));

/** True when something can be carried: it can be picked up, or the question is where it goes. */
export const canLift = (choices: readonly Choice[], frame: Frame, grip: Grip): boolean =>
  choices.length > 0 &&
  (isAsked(frame, grip) || liftsOf(choices, grip).length > 0 || fromTo(choices, grip.place).length > 0);

/** Why what is gripped can't be picked up now, in one line; null where it can, and for spectators. */
export function whyNotLifted(
  choices: readonly Choice[],
  frame: Frame,
  grip: Grip & { readonly piece: Piece },
): string | null {
  const { prompt, seat } = frame;
  const { piece } = grip;
  if (seat === null || frame.result !== null || canLift(choices, frame, grip)) return null;
  const title = piece.title.replace(/, .*/, "");
  const is = (side: string): string => `${nameOf(frame, side)} counter`;
  if (piece.side !== undefined && piece.side !== seat) return `${title}: you can't move a ${is(piece.side)}.`;
  if (choices.length === 0) return `${title} can't move now: it is not your decision.`;
  const [asked] = prompt.units;
  if (asked !== undefined) return `${title} can't move now: the question is about ${unitName(frame, asked)}.`;
  const others = choices.some((c) => c.units.length > 0);
  return `${title} can't move now: ${others ? "it is none of those that the question is about" : prompt.text}`;
}

/** What is chosen when something is carried to a place. */
function carried(choices: readonly Choice[], frame: Frame, grip: Grip, to: string): Carried {
  const ends = choices.filter((c) => c.places.includes(to));
  const own = ends.filter((c) => grip.counters.some((counter) => names(c, counter)));
  const asked = isAsked(frame, grip) ? ends.filter((c) => c.units.length === 0) : [];
  const whichever = fromTo(ends, grip.place);
  const there = own.length > 0 ? own : asked.length > 0 ? asked : whichever;
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
  /** Units that go together. */
  readonly picks: Pick<Picks, "of" | "on" | "units" | "takes" | "countOf" | "pickAll">;
  choose(choice: Choice): void;
  order(text: string): void;
  askWays(unit: string): void;
}

/** Carries counters from place to place, near by one choice and far by an order. */
export class Hand {
  /** What is being carried. */
  readonly held = signal<Grip | null>(null);
  /** A counter that was gripped in a tray, and where the pointer is. */
  readonly lifted = signal<{
    readonly grip: Grip;
    readonly svg: string;
    readonly size: number;
    readonly x: number;
    readonly y: number;
  } | null>(null);
  /** Where orders can send one unit from the decision that is asked; null: not known yet. */
  readonly ways = signal<{ readonly unit: string; readonly ways: readonly OpenWay[] } | null>(null);
  /** The unit that was asked about last, in the frame of this number. */
  private asked: string | null = null;
  private frameNumber = -1;
  /** Where the units that are picked are to go, when it is known where they can. */
  private togetherTo: string | null = null;
  /** Where a counter that was picked up is to go next. */
  private goal: { readonly grip: Grip; readonly to: string } | null = null;

  constructor(private readonly table: Reached) {}

  /** A decision is asked. If it is another one than before, ways are asked again, also those of what is carried. */
  begin(): void {
    const { frame, choices } = this.table;
    if (frame.value === null || choices.value.length === 0 || frame.value.n === this.frameNumber) return;
    this.frameNumber = frame.value.n;
    this.asked = null;
    this.ways.value = null;
    const unit = this.carriedUnit() ?? this.underWay();
    if (unit !== null) this.ask(unit);
  }

  /** Asks where a unit can be sent, unless that is known, or another one is carried. */
  ask(unit: string): void {
    const { frame, choices } = this.table;
    if (this.asked === unit || choices.value.length === 0 || frame.value?.puzzle !== null) return;
    if ((this.carriedUnit() ?? unit) !== unit) return;
    if (!frame.value.sendable.includes(unit)) return;
    this.asked = unit;
    this.table.askWays(unit);
  }

  /** Asks the same of what is gripped. */
  grip(grip: Grip): void {
    const unit = this.unitOf(grip);
    if (unit !== null) this.ask(unit);
  }

  hear(unit: string, ways: readonly OpenWay[]): void {
    if (this.asked !== unit) return;
    const stands = this.table.frame.value?.pieces.find((p) => (p.stack ?? [p]).some((c) => unitNamed(c, unit)))?.place;
    this.ways.value = { unit, ways: ways.filter((w) => w.place !== stands) }; // nobody goes out and back again
    if (this.goal !== null && this.underWay() === unit) this.putDown();
    const { togetherTo } = this;
    this.togetherTo = null;
    if (togetherTo !== null) this.sendTogether(togetherTo);
  }

  /** Sends all units that are picked to a place. @returns whether the last of them can go there */
  sendTogether(place: string): boolean {
    const { units } = this.table.picks;
    const { ways } = this;
    if (ways.value === null || !units.includes(ways.value.unit)) return false;
    const way = this.wayTo(place);
    if (way === undefined) return false;
    this.table.order(way.order.replace(` ${ways.value.unit} `, () => ` ${units.join(", ")} `));
    return true;
  }

  /** The way of what is asked about to a place, or undefined. */
  wayTo(place: string): OpenWay | undefined {
    return this.ways.value?.ways.find((w) => w.place === place);
  }

  /** True when the unit that is under way can go to a place that no choice names. */
  canSend(place: string): boolean {
    return this.underWay() !== null && this.wayTo(place)?.warning === null;
  }

  /** What sending the unit that was asked about there means, in words; null where its way isn't known. */
  sending(place: string): string | null {
    const way = this.wayTo(place);
    if (way === undefined) return null;
    const { cost, path, warning, stopping } = way;
    const { unit } = this.ways.value!;
    const { units } = this.table.picks;
    const goes = this.isPicked(unit)
      ? `${counted(units.length, "unit")} go`
      : `${unitName(this.table.frame.value!, unit)} goes`;
    const price = cost === null ? counted(path.length, "step") : `cost ${cost}`;
    return [`${goes} to ${place}, ${price}.`, warning ?? "", stopping ?? ""].join(" ").trimEnd();
  }

  /** What letting go of what is carried over a place does, in words; null where that is nothing, or not known yet. */
  dropping(to: string): string | null {
    const grip = this.held.value;
    const frame = this.table.frame.value;
    if (grip === null || frame === null || to === grip.place) return null;
    const unit = this.unitOf(grip);
    if (unit === null || !this.isPicked(unit)) {
      const found = carried(this.table.choices.value, frame, grip, to);
      if (found.does === "go") return [found.choice.text, found.choice.warning ?? ""].join(" ").trimEnd();
      if (found.does === "ask") return null;
    }
    return unit !== null && this.ways.value?.unit === unit ? this.sending(to) : null;
  }

  /** Sends it there. @returns whether it can go there */
  send(place: string): boolean {
    if (!this.canSend(place)) return false;
    this.table.order(this.wayTo(place)!.order);
    return true;
  }

  /** Something was let go over another place. */
  carry(grip: Grip, to: string): void {
    const { frame, choices, error, open } = this.table;
    if (frame.value === null) return;
    const unit = this.unitOf(grip);
    if (unit !== null && this.isPicked(unit)) {
      if (this.ways.value?.unit !== unit) this.togetherTo = to;
      else if (!this.sendTogether(to)) error.value = "They cannot go there.";
      return;
    }
    const found = carried(choices.value, frame.value, grip, to);
    const way = this.ways.value?.unit === this.unitOf(grip) ? this.wayTo(to) : undefined;
    if (found.does === "go") this.table.choose(found.choice);
    else if (found.does === "ask") open.value = to;
    else if (way?.warning === null) this.table.order(way.order);
    else if (found.does === "nothing") error.value = "It cannot go there.";
    else {
      this.goal = { grip, to };
      this.table.choose(found.choice);
    }
  }

  /** Picks everything that is gripped, so that it goes together. */
  together(grip: Grip): void {
    const { picks, choices } = this.table;
    if (picks.of.value !== "units") return;
    picks.on.value = true;
    const able = liftsOf(choices.value, grip).filter((c) => picks.takes(c) && picks.countOf(c) === 0);
    if (able.length > 0) picks.pickAll(able);
  }

  /** What is seen to be carried: of a stack the counter that goes, unless several of it go together. */
  drawn(grip: Grip, piece: Piece): Pick<Piece, "svg" | "size"> {
    const unit = this.unitOf(grip);
    if (unit === null || piece.stack === undefined || this.isPicked(unit)) return piece;
    return piece.stack.find((c) => unitNamed(c, unit)) ?? piece;
  }

  /** Puts down what was picked up, as soon as the next decision is there. */
  putDown(): void {
    const { goal } = this;
    const { frame, choices, error, open } = this.table;
    if (goal === null || frame.value === null || choices.value.length === 0) return;
    const found = carried(choices.value, frame.value, goal.grip, goal.to);
    const unit = this.underWay();
    if (found.does !== "go" && found.does !== "ask" && unit !== null && this.ways.value?.unit !== unit) return; // not known yet
    this.goal = null;
    if (found.does === "go") this.table.choose(found.choice);
    else if (found.does === "ask") open.value = goal.to;
    else if (!this.send(goal.to)) error.value = "It cannot go there in one move.";
  }

  /** True when a unit goes together with others. */
  private isPicked(unit: string): boolean {
    const { units } = this.table.picks;
    return units.length > 1 && units.includes(unit);
  }

  /** The unit that is in the hand. */
  private carriedUnit(): string | null {
    return this.held.value === null ? null : this.unitOf(this.held.value);
  }

  /** The unit that is asked where it goes. */
  private underWay(): string | null {
    const frame = this.table.frame.value;
    const [unit, ...others] = frame?.sendable ?? [];
    return unit !== undefined && others.length === 0 && frame!.prompt.units[0] === unit ? unit : null;
  }

  /** The unit that carrying something means: the first of its counters that orders can send. */
  private unitOf({ counters }: Grip): string | null {
    const units = this.table.frame.value?.sendable ?? [];
    const named = (c: Counter): string | undefined => units.find((u) => unitNamed(c, u));
    return counters.flatMap((c) => named(c) ?? [])[0] ?? null;
  }
}
