import { type Board, HEX_RADIUS, type Place } from "../../env/index.js";
import { num, type Point } from "./svg.js";

/** The position of a board's units in a picture: `unit` px each, with the board's top left corner at the origin. */
export interface Frame {
  readonly board: Board;
  /** Pixels a unit. */
  readonly unit: number;
}

export const px = (f: Frame, [x, y]: Point): [number, number] => [
  (x - f.board.bounds[0]) * f.unit,
  (y - f.board.bounds[1]) * f.unit,
];
export const widthOf = (f: Frame): number => (f.board.bounds[2] - f.board.bounds[0]) * f.unit;
export const heightOf = (f: Frame): number => (f.board.bounds[3] - f.board.bounds[1]) * f.unit;

const COS = [1, 0.5, -0.5, -1, -0.5, 0.5];
const SIN = [0, Math.sqrt(3) / 2, Math.sqrt(3) / 2, 0, -Math.sqrt(3) / 2, -Math.sqrt(3) / 2];

/** Corners of a hex, from the east clockwise; `grow` 1 is the hex itself. */
export function hexCorners(f: Frame, place: Place, grow = 1): Point[] {
  const [x, y] = px(f, place.at);
  const r = HEX_RADIUS * f.unit * grow;
  return COS.map((c, i): Point => [x + c * r, y + SIN[i]! * r]);
}

/** The same as a short relative path, for merging thousands. */
export function hexPath(f: Frame, place: Place, grow = 1): string {
  const [x, y] = px(f, place.at);
  const r = HEX_RADIUS * f.unit * grow;
  const [a, b] = [num(r / 2), num((r * Math.sqrt(3)) / 2)];
  return `M${num(x + r)} ${num(y)}l-${a} ${b}h-${num(r)}l-${a}-${b}l${a}-${b}h${num(r)}Z`;
}

/** The side that two neighbouring hexes share, as its two ends; `shift` moves it towards the first. */
export function sharedSide(f: Frame, a: Place, b: Place, shift = 0): [Point, Point] {
  const [ax, ay] = px(f, a.at);
  const [bx, by] = px(f, b.at);
  const d = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / d, (by - ay) / d];
  const half = (HEX_RADIUS * f.unit) / 2;
  const [mx, my] = [(ax + bx) / 2 - ux * shift, (ay + by) / 2 - uy * shift];
  return [
    [mx - uy * half, my + ux * half],
    [mx + uy * half, my - ux * half],
  ];
}

/** Joins segments end to end into as few lines as possible. */
export function chained(segments: readonly (readonly [Point, Point])[]): Point[][] {
  const key = ([x, y]: Point): string => `${Math.round(x * 4)},${Math.round(y * 4)}`;
  const at = new Map<string, number[]>();
  segments.forEach((s, i) => s.forEach((p) => at.set(key(p), [...(at.get(key(p)) ?? []), i])));
  const used = new Set<number>();
  const lines: Point[][] = [];
  const extend = (line: Point[]): void => {
    for (;;) {
      const end = line.at(-1)!;
      const next = at.get(key(end))!.find((i) => !used.has(i));
      if (next === undefined) return;
      used.add(next);
      const [p, q] = segments[next]!;
      line.push(key(p) === key(end) ? q : p);
    }
  };
  segments.forEach((s, i) => {
    if (used.has(i)) return;
    used.add(i);
    const line: Point[] = [...s];
    extend(line);
    line.reverse();
    extend(line);
    lines.push(line);
  });
  return lines;
}

/** Sides of hexes of a set that border no other of the set, map's edge included. */
export function outlineOf(f: Frame, places: readonly Place[], shift: number): [Point, Point][] {
  const key = (x: number, y: number): string => `${Math.round(x * 100)},${Math.round(y * 100)}`;
  const inside = new Set(places.map((p) => key(...p.at)));
  const sides: [Point, Point][] = [];
  for (const p of places)
    for (let d = 0; d < 6; d++) {
      const angle = (Math.PI / 3) * d + Math.PI / 6;
      const at: [number, number] = [p.at[0] + Math.cos(angle), p.at[1] + Math.sin(angle)];
      if (!inside.has(key(...at))) sides.push(sharedSide(f, p, { ...p, at }, shift));
    }
  return sides;
}

/** A polygon drawn in by `d` px on every side; corners stay where their two sides meet. */
export function inset(points: readonly Point[], d: number): Point[] {
  const n = points.length;
  let area = 0;
  for (let i = 0; i < n; i++) {
    const [a, b] = [points[i]!, points[(i + 1) % n]!];
    area += a[0] * b[1] - b[0] * a[1];
  }
  const turn = area > 0 ? 1 : -1;
  return points.map((p, i): Point => {
    const a = points[(i + n - 1) % n]!;
    const b = points[(i + 1) % n]!;
    const u = unit(a, p);
    const v = unit(p, b);
    // inner normals of the two sides; the corner moves along their sum
    const [ux, uy] = [-u[1] * turn, u[0] * turn];
    const [vx, vy] = [-v[1] * turn, v[0] * turn];
    const k = d / Math.max(0.35, 1 + ux * vx + uy * vy);
    return [p[0] + (ux + vx) * k, p[1] + (uy + vy) * k];
  });
}

function unit(a: Point, b: Point): Point {
  const d = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [(b[0] - a[0]) / d, (b[1] - a[1]) / d];
}

/** A rectangle of the picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The card of an area, or the room for counters inside its outline. */
export function boxOf(f: Frame, place: Place): Box {
  const [w, h] = place.size ?? [f.board.counterSize * 3, f.board.counterSize * 3];
  const [x, y] = px(f, place.at);
  return { x: x - (w * f.unit) / 2, y: y - (h * f.unit) / 2, width: w * f.unit, height: h * f.unit };
}

/** Height of a card's title, by the card's width. */
export const TITLE = 0.15;

/** The place of one side's counters on a card with slots: a row for each side. */
export function slotRow(f: Frame, place: Place, index: number): Box & { readonly slot: number } {
  const box = boxOf(f, place);
  const rows = place.slots!.length;
  const pad = box.width * 0.045;
  const top = box.y + box.width * TITLE + pad * 0.4;
  const high = (box.y + box.height - top - pad * 0.5) / rows;
  const most = Math.max(1, ...place.slots!.map((s) => s.count));
  return {
    x: box.x + pad,
    y: top + index * high,
    width: box.width - 2 * pad,
    height: high,
    slot: (box.width - 2 * pad) / most,
  };
}
