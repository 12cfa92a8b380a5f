import type { Counter, Place, Scene } from "../../env/index.js";
import { drawCounter, type Look, looksOf } from "./counter.js";
import { type Box, boxOf, type Frame, px, slotRow, TITLE } from "./geometry.js";
import { el, num } from "./svg.js";

/** A counter with its place in the picture: centre, size, and what is under it. */
export interface Placed {
  readonly counter: Counter;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Edges of counters drawn under it. */
  readonly below: number;
  /** Printed on the stack, when over 1. */
  readonly badge: number;
}

/** By how much counters in areas may be larger than the board says, where there is room. */
const GROWN = [1.7, 1.5, 1.3, 1.15, 1];

/** Counters drawn of a closed stack. */
const DRAWN = 3;

/**
 * The place of every counter. On a hex those of one place are a stack, the first of the scene on top; in areas they are
 * side
 * by side, a row or more for each side, and overlap when there is no room.
 */
export function arranged(f: Frame, scene: Scene): Placed[] {
  const byPlace = new Map<string, Counter[]>();
  for (const c of scene.counters) byPlace.set(c.place!, [...(byPlace.get(c.place!) ?? []), c]);
  const out: Placed[] = [];
  for (const place of f.board.places) {
    const here = byPlace.get(place.id);
    if (here === undefined) continue;
    if (f.board.kind === "hexes") out.push(...stack(f, place, here));
    else if (place.slots !== undefined) out.push(...inSlots(f, place, here));
    else
      out.push(
        ...inArea(
          f,
          place,
          here,
          scene.sides.map((s) => s.id),
        ),
      );
  }
  return out;
}

function stack(f: Frame, place: Place, here: readonly Counter[]): Placed[] {
  const [x, y] = px(f, place.at);
  const size = f.board.counterSize * f.unit;
  const below = Math.min(DRAWN, here.length) - 1;
  const middle = (below * size * 0.06) / 2;
  return [{ counter: here[0]!, x: x + middle, y: y + f.unit * 0.03 - middle, size, below, badge: here.length }];
}

function inSlots(f: Frame, place: Place, here: readonly Counter[]): Placed[] {
  const out: Placed[] = [];
  const loose: Counter[] = [];
  const taken = new Map<string, number>();
  for (const counter of here) {
    const i = place.slots!.findIndex((s) => s.side === counter.side);
    if (i < 0 || (counter.symbol === undefined && counter.slot === undefined)) {
      loose.push(counter);
      continue;
    }
    const n = counter.slot ?? taken.get(counter.side!) ?? 0;
    if (counter.slot === undefined) taken.set(counter.side!, n + 1);
    const row = slotRow(f, place, i);
    const size = Math.min(row.slot * 0.88, row.height * 0.86);
    out.push({ counter, x: row.x + (n + 0.5) * row.slot, y: row.y + row.height / 2, size, below: 0, badge: 0 });
  }
  // tokens of the place itself hang over its right edge
  const box = boxOf(f, place);
  const size = f.board.counterSize * f.unit;
  const x = box.x + box.width + size * 0.08;
  const top = box.y + box.width * TITLE + size * 0.55;
  loose.forEach((counter, i) => out.push({ counter, x, y: top + i * size * 1.08, size, below: 0, badge: 0 }));
  return out;
}

/** The room for counters: on a card below its title, in an outline everywhere. */
function roomOf(f: Frame, place: Place): Box {
  const box = boxOf(f, place);
  if (place.outline !== undefined) return box;
  const title = box.width * TITLE;
  return { ...box, y: box.y + title, height: box.height - title };
}

function inArea(f: Frame, place: Place, here: readonly Counter[], sides: readonly string[]): Placed[] {
  const box = roomOf(f, place);
  const groups = [...sides, undefined].map((s) => here.filter((c) => c.side === s)).filter((g) => g.length > 0);
  const fits = (factor: number) => {
    const size = f.board.counterSize * f.unit * factor;
    const columns = Math.max(1, Math.floor(box.width / (size * 1.07)));
    const wanted = groups.reduce((n, g) => n + Math.ceil(g.length / columns), 0);
    const room = Math.max(groups.length, Math.floor(box.height / (size * 1.02)));
    return { size, columns, wanted, room };
  };
  // as large as the place allows
  const { size, columns, wanted, room } =
    GROWN.map(fits).find((s) => s.wanted * s.size * 1.02 <= box.height && s.size <= box.width) ?? fits(1);
  // too many: one row a side, overlapping like a hand of cards
  const crowded = wanted > room;
  const rows: Counter[][] = groups.flatMap((g) =>
    crowded ? split(g, Math.max(1, Math.floor(room / groups.length))) : split(g, Math.ceil(g.length / columns)),
  );
  const stepY = Math.min(size * 1.1, box.height / rows.length);
  const top = box.y + (box.height - stepY * rows.length) / 2;
  return rows.flatMap((row, r) => {
    const stepX = row.length > 1 ? Math.min(size * 1.07, (box.width - size) / (row.length - 1)) : 0;
    const left = box.x + (box.width - size - stepX * (row.length - 1)) / 2 + size / 2;
    return row.map((counter, i): Placed => ({
      counter,
      x: left + i * stepX,
      y: top + (r + 0.5) * stepY,
      size,
      below: 0,
      badge: 0,
    }));
  });
}

/** `list` in `n` rows as even as can be. */
function split<T>(list: readonly T[], n: number): T[][] {
  const long = Math.ceil(list.length / n);
  return Array.from({ length: Math.ceil(list.length / long) }, (_, i) => list.slice(i * long, (i + 1) * long));
}

/** All counters, each a group that carries its id and place for whoever clicks. Order is that of places. */
export function drawPieces(f: Frame, scene: Scene): string {
  const looks = looksOf(scene);
  return el("g", { class: "pieces" }, ...arranged(f, scene).map((p) => placedCounter(p, looks)));
}

function placedCounter(p: Placed, looks: ReadonlyMap<string, Look>): string {
  const { counter } = p;
  return el(
    "g",
    {
      class: "counter",
      "data-id": counter.id,
      "data-place": counter.place,
      "data-unit": counter.unit,
      transform: `translate(${num(p.x)} ${num(p.y)})`,
    },
    drawCounter(counter, looks.get(counter.side ?? "") ?? "neutral", p.size, p.below, p.badge),
  );
}
