import type { Choice, Reach } from "../../../env/index.js";
import type { Base, BasePlace, Frame, LogEvent, Piece } from "../frame.js";

const shapes = new WeakMap<BasePlace, Path2D>();
const canvas = document.createElement("canvas").getContext("2d")!;

/** The place at a point of the base's drawing, or null. */
export function placeAt(base: Base, x: number, y: number): BasePlace | null {
  let best: BasePlace | null = null;
  let least = Infinity;
  for (const p of base.places) {
    const d = (p.x - x) ** 2 + (p.y - y) ** 2;
    if (d < least) {
      least = d;
      best = p;
    }
  }
  if (best === null) return null;
  if (base.hexes) return holds(best, x, y) ? best : null;
  return base.places.find((p) => holds(p, x, y)) ?? null;
}

function holds(place: BasePlace, x: number, y: number): boolean {
  let shape = shapes.get(place);
  if (shape === undefined) {
    shape = new Path2D(place.outline);
    shapes.set(place, shape);
  }
  return canvas.isPointInPath(shape, x, y);
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The nearest place in the direction of an arrow key; null for other keys and at the edge. */
export function placeTowards(base: Base, from: BasePlace, key: string): BasePlace | null {
  const way = WAYS[key];
  if (way === undefined) return null;
  let best: BasePlace | null = null;
  let least = Infinity;
  for (const p of base.places) {
    const [dx, dy] = [p.x - from.x, p.y - from.y];
    const along = dx * way[0] + dy * way[1];
    const across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (along <= 0 || across > along * 1.8) continue;
    const cost = along + across * 1.5;
    if (cost < least) {
      least = cost;
      best = p;
    }
  }
  return best;
}

/** A counter, alone or in a stack. */
export type Counter = Pick<Piece, "key" | "unit">;

/** Every counter at a place, also those under others. */
export const countersAt = (frame: Frame, place: string): readonly Counter[] =>
  frame.pieces.filter((p) => p.place === place).flatMap((p): readonly Counter[] => p.stack ?? [p]);

/** What is said of a place besides its counters. */
export const notesAt = (frame: Frame, place: string): readonly string[] => [
  ...new Set(frame.notes.filter((n) => n.places.includes(place)).map((n) => n.text)),
];

/** The choices that a click on a place means: those that name it, otherwise those that name a unit there. */
export function touching(choices: readonly Choice[], place: string, frame: Frame): readonly Choice[] {
  const named = choices.filter((c) => c.places.includes(place));
  if (named.length > 0) return named;
  const here = countersAt(frame, place);
  return choices.filter((c) => c.places.length === 0 && here.some((p) => names(c, p)));
}

/** True when what a choice ends tells it from others; where each of several ends the phase, none is held back. */
export const endsApart = (all: readonly Choice[]): boolean =>
  all.some((c) => c.ends !== all[0]!.ends) || all.length === 1;

/** True when a choice names this counter. */
export const names = (choice: Choice, p: Counter): boolean =>
  choice.units.includes(p.key) || (p.unit !== undefined && choice.units.includes(p.unit));

/**
 * Where the units of a place can go, and what it costs the cheapest.
 *
 * @param key a counter there, which alone is meant
 */
export function reachFrom(
  frame: Frame,
  choices: readonly Choice[],
  place: string,
  key: string | null,
): readonly Reach[] {
  const piece = countersAt(frame, place).find((p) => p.key === key);
  const here = touching(choices, place, frame).filter((c) => piece === undefined || names(c, piece));
  const least = new Map<string, number>();
  for (const { place: to, cost } of here.flatMap((c) => c.reach ?? []))
    least.set(to, Math.min(cost, least.get(to) ?? cost));
  return [...least].map(([to, cost]) => ({ place: to, cost }));
}

/** What happens in more places than these is no news of any of them. */
const FEW = 4;

/** Where an event happened: a way over the map from its first to its last place, or each of its places. */
export function waysOf(base: Base, event: Pick<LogEvent, "places" | "moved">): readonly (readonly BasePlace[])[] {
  const places = event.places.flatMap((id) => base.places.find((p) => p.id === id) ?? []);
  if (event.moved && places.length > 1) return [places];
  return places.length > FEW ? [] : places.map((p) => [p]);
}
