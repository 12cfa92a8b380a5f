import type { Base, BasePlace, Frame } from "../../frame.js";
import { countersAt, names, touching } from "../geometry.js";
import type { SeatStore } from "../store.js";

/** What the keys and buttons of the map go to, one after the other. */
export type Aim = "act" | "goal";

/** Places where something can be done: those of counters that can act, otherwise those that can be chosen. */
function acting({ choices }: SeatStore, base: Base, frame: Frame): readonly BasePlace[] {
  const legal = base.places.filter((p) => touching(choices.value, p.id, frame).length > 0);
  const own = legal.filter((p) => {
    const here = touching(choices.value, p.id, frame);
    return countersAt(frame, p.id).some((counter) => here.some((c) => names(c, counter)));
  });
  return own.length > 0 ? own : legal;
}

/** Places that count for victory. */
const goals = (base: Base, frame: Frame): readonly BasePlace[] =>
  base.places.filter((p) => frame.notes.some((n) => n.goal === true && n.places.includes(p.id)));

export function aims(seat: SeatStore, aim: Aim): readonly BasePlace[] {
  const frame = seat.frame.value;
  const base = seat.base.value;
  if (frame === null || base === null) return [];
  return aim === "act" ? acting(seat, base, frame) : goals(base, frame);
}

/** Brings the next place of a kind into sight, and the cursor there; behind the last comes the first. */
export function jump(seat: SeatStore, aim: Aim, by: 1 | -1 = 1): void {
  const places = aims(seat, aim);
  if (places.length === 0) return;
  const now = places.findIndex((p) => p.id === seat.pointed.value);
  const next = now < 0 ? (by > 0 ? 0 : places.length - 1) : (now + by + places.length) % places.length;
  const { id } = places[next]!;
  seat.pointed.value = id;
  seat.sought.value = { place: id };
}
