import type { Card, Count, Die, Scene, Track, Tray, TrayItem } from "../../env/index.js";
import { drawCounter, type Look, looksOf } from "./counter.js";
import type { Box } from "./geometry.js";
import { el, group, num, text, textWidth } from "./svg.js";
import { glyph } from "./symbols.js";
import { FACES, INK, PAPER, type Theme } from "./theme.js";

/** A drawing and how high it came out. */
export interface Block {
  readonly svg: string;
  readonly height: number;
}

/** A tray, and the corner of each of its pieces. */
export interface TrayBlock extends Block {
  readonly corners: readonly (readonly [x: number, y: number])[];
}

const GAP = 8;
/** Sides of a tray's pieces, px. */
const COUNTER = 42;
export const DIE = 34;
const CARD = { width: 74, height: 44 };
const ROW = 22;

/** A titled tray, `width` px wide, its items in rows from left to right. */
export function drawTray(tray: Tray, scene: Scene, width: number, theme: Theme): TrayBlock {
  const looks = looksOf(scene);
  const look = looks.get(tray.side ?? "") ?? "neutral";
  let x = 0;
  let y = 26;
  let high = 0;
  // dice move together until they fit in one row
  const spare = width - 20 - tray.items.reduce((sum, item) => sum + sizeOf(item, width - 20)[0], 0);
  const gap = tray.items.every((i) => i.kind === "die") ? fit(spare / (tray.items.length - 1)) : GAP;
  const parts: string[] = [];
  const corners: [number, number][] = [];
  for (const item of tray.items) {
    const [w, h] = sizeOf(item, width - 20);
    if (x > 0 && x + w > width - 20 + 0.01) {
      x = 0;
      y += high + GAP;
      high = 0;
    }
    const itemLook = looks.get(item.side ?? tray.side ?? "") ?? "neutral";
    corners.push([10 + x, y]);
    parts.push(
      el(
        "g",
        { transform: `translate(${num(10 + x)} ${num(y)})`, "data-id": item.id, class: item.kind },
        drawItem(item, itemLook, w, theme),
      ),
    );
    x += w + gap;
    high = Math.max(high, h);
  }
  if (tray.items.length === 0) {
    parts.push(text(10, y + 11, "none", { size: 13, fill: theme.muted, italic: true, serif: true }));
    high = 14;
  }
  const height = y + high + 10;
  const svg = group(
    { class: `tray tray-${tray.look}`, "data-tray": tray.id },
    el("rect", { x: 0, y: 0, width, height, rx: 5, fill: theme.panel, stroke: theme.faint, "stroke-width": 1 }),
    tray.side === undefined ? "" : el("path", { d: `M0 5q0-5 5-5V${num(height)}q-5 0-5-5Z`, fill: FACES[look].face }),
    text(10, 17, tray.name.toUpperCase(), { size: 12, fill: theme.muted, weight: 600, spacing: 0.8, fit: width - 20 }),
    ...parts,
  );
  return { svg, height, corners };
}

/** A gap of dice: no wider than usual, and as usual where they need several rows. */
const fit = (gap: number): number => (gap >= 2 && gap < GAP ? gap : GAP);

function sizeOf(item: TrayItem, width: number): [number, number] {
  switch (item.kind) {
    case "counter":
      return [COUNTER, COUNTER];
    case "die":
      return [DIE, item.name === undefined ? DIE : DIE + 13];
    case "card":
      return [CARD.width, CARD.height];
    case "count":
      return item.of === undefined
        ? [Math.max(64, Math.min(width, textWidth(item.name, 12.5) + 34)), ROW + 14]
        : [width, ROW];
  }
}

function drawItem(item: TrayItem, look: Look, width: number, theme: Theme): string {
  switch (item.kind) {
    case "counter":
      return el(
        "g",
        { transform: `translate(${COUNTER / 2} ${COUNTER / 2})` },
        drawCounter(item, look, COUNTER * 0.94),
      );
    case "die":
      return drawDie(item, look, theme);
    case "card":
      return drawCard(item, look);
    case "count":
      return drawCount(item, look, width, theme);
  }
}

const PIPS: readonly (readonly (readonly [number, number])[])[] = [
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
]; // prettier-ignore

/** A die with its pips; one with other faces than a cube shows its number. */
function drawDie(d: Die, look: Look, theme: Theme): string {
  const s = DIE - 2;
  const face = look === "neutral" ? PAPER : FACES[look].face;
  const loose = d.state === "loose" || d.state === "waiting";
  const parts = [
    el("rect", { x: 2, y: 3, width: s, height: s, rx: s * 0.2, fill: "#000", "fill-opacity": 0.25 }),
    el("rect", {
      x: 1,
      y: 1,
      width: s,
      height: s,
      rx: s * 0.2,
      fill: d.state === "miss" ? PAPER : face,
      "fill-opacity": d.state === "waiting" ? 0.35 : 1,
      stroke: INK,
      "stroke-width": loose ? 1.2 : 2,
      "stroke-dasharray": loose ? "4 2.5" : undefined,
    }),
  ];
  const c = s / 2 + 1;
  if (d.face !== undefined && d.faces === 6 && d.face >= 1 && d.face <= 6)
    parts.push(
      ...PIPS[d.face - 1]!.map(([x, y]) =>
        el("circle", { cx: c + x * s * 0.25, cy: c + y * s * 0.25, r: s * 0.09, fill: INK }),
      ),
    );
  else
    parts.push(
      text(c, c + s * 0.2, d.face === undefined ? "?" : String(d.face), {
        size: s * 0.6,
        fill: INK,
        anchor: "middle",
        weight: 600,
      }),
    );
  if (d.state === "hit")
    parts.push(el("path", { d: `M${num(s - 8)} 4l3 4 6-8`, fill: "none", stroke: theme.careful, "stroke-width": 3 }));
  if (d.state === "miss")
    parts.push(
      el("path", { d: `M3 ${num(s - 1)}L${num(s - 1)} 3`, stroke: INK, "stroke-width": 1.4, "stroke-opacity": 0.5 }),
    );
  if (d.name !== undefined)
    parts.push(text(c, s + 14, d.name, { size: 12, fill: theme.ink, anchor: "middle", fit: DIE + 4 }));
  return parts.join("");
}

function drawCard(c: Card, look: Look): string {
  const { width, height } = CARD;
  const face = FACES[look];
  const used = c.state === "used";
  return [
    el("rect", { x: 1.5, y: 2.5, width, height, rx: 5, fill: "#000", "fill-opacity": 0.2 }),
    el("rect", {
      x: 0,
      y: 0,
      width,
      height,
      rx: 5,
      fill: c.back === undefined ? PAPER : face.face,
      stroke: INK,
      "stroke-width": c.state === "active" ? 2.6 : 1.1,
      "fill-opacity": used ? 0.5 : 1,
    }),
    c.back === undefined
      ? el("path", { d: `M0 5q0-5 5-5H${width - 5}q5 0 5 5V8H0Z`, fill: face.face }) +
        (c.glyph === undefined ? "" : glyph(c.glyph, width / 2, 19, 8, INK)) +
        text(width / 2, height - 6, c.name, { size: 13, fill: INK, anchor: "middle", weight: 600, fit: width - 8 })
      : glyph(look === "soviet" ? "star" : "cross", width / 2, height / 2, 12, face.emblem),
    used ? el("path", { d: `M4 ${height - 4}L${width - 4} 12`, stroke: INK, "stroke-width": 1.6 }) : "",
  ].join("");
}

/**
 * A number with its name; with `of`, a row of boxes: full ones, empty ones, closed ones struck out, a line at what is
 * needed.
 */
function drawCount(c: Count, look: Look, width: number, theme: Theme): string {
  const face = FACES[look];
  if (c.of === undefined) {
    const r = 13;
    return [
      c.glyph === undefined
        ? el("circle", { cx: r, cy: 15, r, fill: face.face, stroke: INK, "stroke-width": 1.1 })
        : el("rect", { x: 0, y: 2, width: 26, height: 26, rx: 5, fill: face.face, stroke: INK, "stroke-width": 1.1 }),
      text(r, 20.5, String(c.value), { size: 16, fill: INK, anchor: "middle", weight: 600, fit: 22 }),
      text(31, 20, c.name, { size: 13.5, fill: theme.ink, fit: width - 31 }),
    ].join("");
  }
  const label = Math.min(130, width * 0.42);
  const most = Math.max(c.of, c.need ?? 0, 1);
  const cell = Math.min(17, (width - label - 34) / most);
  const parts = [text(0, 15, c.name, { size: 13.5, fill: theme.ink, fit: label - 6 })];
  for (let i = 0; i < c.of; i++) {
    const x = label + i * cell;
    const closed = c.open !== undefined && i >= c.open;
    parts.push(
      el("rect", {
        x: x + 1,
        y: 4,
        width: cell - 2,
        height: 13,
        rx: 2,
        fill: i < c.value ? face.face : theme.panel,
        stroke: i < c.value ? INK : theme.line,
        "stroke-width": 0.9,
      }),
    );
    if (closed)
      parts.push(
        el("path", {
          d: `M${num(x + 2)} 16L${num(x + cell - 2)} 5M${num(x + 2)} 5L${num(x + cell - 2)} 16`,
          stroke: theme.careful,
          "stroke-width": 1.3,
        }),
      );
  }
  if (c.need !== undefined) {
    const x = label + c.need * cell;
    parts.push(el("path", { d: `M${num(x)} 0V21`, stroke: theme.goal, "stroke-width": 2.4 }));
  }
  parts.push(
    text(width, 15, c.need === undefined ? String(c.value) : `${c.value}/${c.need}`, {
      size: 13.5,
      fill: theme.ink,
      anchor: "end",
      weight: 600,
    }),
  );
  return parts.join("");
}

/** Narrower boxes can't be read, px: of a long track some rows of boxes are made. */
const CELL = 20;

/** A track of boxes: those behind pale, the one of now in ink. */
export function drawTrack(track: Track, width: number, theme: Theme): Block {
  const { cells } = track;
  const rows = Math.ceil(cells.length / Math.floor(width / CELL));
  const inRow = Math.ceil(cells.length / rows);
  const cell = width / inRow;
  const noted = cells.some((c) => c.note !== undefined);
  const high = noted ? 40 : 26;
  // the disc on the corner of a box sticks out above it
  const step = high + (cells.some((c) => (c.count ?? 0) > 0) ? 8 : 3);
  const parts = cells.map((c, i) => {
    const [x, y] = [(i % inRow) * cell, 18 + Math.floor(i / inRow) * step];
    return el("g", { class: `cell ${c.state}` }, drawCell(c, { x, y, width: cell, height: high }, theme));
  });
  const title = text(0, 12, track.name.toUpperCase(), { size: 12, fill: theme.muted, weight: 600, spacing: 0.8 });
  const height = 18 + (rows - 1) * step + high + 2;
  return { svg: group({ class: "track", "data-track": track.id }, title, ...parts), height };
}

function drawCell(c: Track["cells"][number], { x, y, width, height }: Box, theme: Theme): string {
  const now = c.state === "now";
  const ink = now ? theme.panel : c.state === "past" ? theme.muted : theme.ink;
  const middle = x + width / 2;
  const corner = x + width - 8;
  return [
    el("rect", {
      x: x + 0.75,
      y,
      width: width - 1.5,
      height,
      rx: 3,
      fill: now ? theme.ink : c.state === "past" ? theme.faint : theme.panel,
      stroke: theme.line,
      "stroke-width": 0.9,
    }),
    text(middle, y + 18, c.label, {
      size: 14.5,
      fill: ink,
      anchor: "middle",
      weight: 600,
      fit: width - 6,
    }),
    c.note === undefined
      ? ""
      : text(middle, y + 32, c.note, { size: 11.5, fill: ink, anchor: "middle", fit: width - 5 }),
    c.count === undefined || c.count === 0
      ? ""
      : el("circle", { cx: corner, cy: y + 1, r: 7, fill: FACES.neutral.face, stroke: INK }) +
        text(corner, y + 5, String(c.count), { size: 11, fill: INK, anchor: "middle", weight: 600 }),
  ].join("");
}
