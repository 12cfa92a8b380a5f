import { type ReadonlySignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { BasePlace, Piece } from "../../frame.js";
import { canLift, type Grip, gripAt, whyNotLifted } from "../carry.js";
import { placeAt } from "../geometry.js";
import type { SeatStore } from "../store.js";
import type { BoardLayers } from "./layers.js";

/** Pixels that a tap may wander. */
export const TAP = 8;

/** What a drag over the map needs, and does with the pointer. */
interface Drag {
  /** What is seen to be carried: `Ghost`. */
  readonly ghost: RefObject<HTMLDivElement | null>;
  /** Grips what is pressed. */
  grip(e: PointerEvent): void;
  /** Carries what is gripped. */
  drag(e: PointerEvent): void;
  /** Lets go. @returns whether something was carried */
  release(e: PointerEvent): boolean;
  /** What was pressed and can't be carried is let go: nobody asks why. */
  stay(): void;
  /** What is carried stays where it was. */
  drop(): void;
}

/** Counters are carried over the map by a mouse or a pen, also from the trays. */
export function useDrag(seat: SeatStore, layers: ReadonlySignal<BoardLayers | null>): Drag {
  /** What is in the hand, and whether it has been moved yet. */
  const hand = useRef<{
    readonly grip: Grip;
    /** How what is carried is drawn, asked once it is. */
    readonly drawn: () => { readonly svg: string; readonly size: number };
    x: number;
    y: number;
    moves: boolean;
  } | null>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const drop = (): void => {
    hand.current = null;
    seat.hand.held.value = null;
    if (ghost.current !== null) ghost.current.hidden = true;
  };
  /** Why what was pressed stays where it is, until it is known whether it is dragged. */
  const stays = useRef<{ readonly why: string; readonly x: number; readonly y: number } | null>(null);
  const grip = (e: PointerEvent): void => {
    stays.current = null;
    seat.error.value = null;
    const at = place(e, layers.value);
    const frame = seat.frame.value;
    // a finger scrolls the map; a mouse and a pen carry
    if (e.pointerType === "touch" || e.button !== 0 || at === null || frame === null) return;
    const grip = gripAt(frame, at.id, ...layers.value!.point(e));
    if (seat.map.asking.value !== null || grip === null) return;
    const why = whyNotLifted(seat.choices.value, frame, grip);
    if (why !== null) stays.current = { why, x: e.clientX, y: e.clientY };
    if (!canLift(seat.choices.value, frame, grip)) return;
    seat.hand.grip(grip);
    const whole = e.shiftKey || e.ctrlKey || e.metaKey;
    const drawn = (): Pick<Piece, "svg" | "size"> => {
      if (whole) seat.hand.together(grip);
      return seat.hand.drawn(grip, grip.piece);
    };
    hand.current = { grip, drawn, x: e.clientX, y: e.clientY, moves: false };
  };
  const drag = (e: PointerEvent): void => {
    const still = stays.current;
    if (still !== null && Math.hypot(e.clientX - still.x, e.clientY - still.y) > TAP) {
      stays.current = null;
      seat.error.value = still.why;
    }
    const held = hand.current;
    if (held === null || ghost.current === null) return;
    if (!held.moves) {
      if (Math.hypot(e.clientX - held.x, e.clientY - held.y) <= TAP) return;
      held.moves = true;
      seat.hand.held.value = held.grip;
      seat.hand.grip(held.grip); // the decision may be another one than when it was pressed
      const { svg, size } = held.drawn();
      const view = [-0.56, -0.56, 1.12, 1.12].map((v) => v * size).join(" ");
      ghost.current.firstElementChild!.innerHTML = `<svg viewBox="${view}" aria-hidden="true">${svg}</svg>`;
      ghost.current.hidden = false;
      if (e.currentTarget instanceof Element) e.currentTarget.setPointerCapture(e.pointerId);
    }
    ghost.current.style.translate = `${e.clientX}px ${e.clientY}px`;
  };
  const release = (e: PointerEvent): boolean => {
    const held = hand.current;
    if (held?.moves !== true) {
      hand.current = null;
      return false;
    }
    drop();
    layers.value?.cancelled();
    const to = overMap(e) ? place(e, layers.value) : null;
    if (to !== null && to.id !== held.grip.place) seat.hand.carry(held.grip, to.id);
    return true;
  };
  // what is gripped in a tray is carried over the page to the map
  useSignalEffect(() => {
    const lifted = seat.hand.lifted.value;
    if (lifted === null) return;
    hand.current = { ...lifted, drawn: () => lifted, moves: false };
    const move = (e: PointerEvent): void => {
      drag(e);
      seat.pointed.value = overMap(e) ? (place(e, layers.value)?.id ?? null) : null;
    };
    const up = (e: PointerEvent): void => {
      seat.hand.lifted.value = null;
      release(e);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
    };
  });
  useEffect(() => {
    const letGo = (e: KeyboardEvent): void => void (e.key === "Escape" && drop());
    addEventListener("keydown", letGo);
    return () => removeEventListener("keydown", letGo);
  }, []);
  return { ghost, grip, drag, release, stay: () => (stays.current = null), drop };
}

/** What is seen to be carried. */
export function Ghost({ seat, ghost }: { seat: SeatStore; ghost: RefObject<HTMLDivElement | null> }) {
  return (
    <div class="ghost" ref={ghost} hidden>
      <div />
      <Dropping seat={seat} />
    </div>
  );
}

/** Under what is carried: what letting go of it here does. */
function Dropping({ seat }: { seat: SeatStore }) {
  const to = seat.pointed.value;
  const text = to === null ? null : seat.hand.dropping(to);
  return text === null ? null : <p>{text}</p>;
}

/** True when the pointer is over the map, and not over a panel. */
const overMap = (e: PointerEvent): boolean =>
  (document.elementFromPoint(e.clientX, e.clientY)?.closest(".board-box") ?? null) !== null;

/** The place under a pointer. */
export const place = (e: PointerEvent, layers: BoardLayers | null): BasePlace | null =>
  layers === null ? null : placeAt(layers.base, ...layers.point(e));
