import type { Place } from "../../env/index.js";
import { boxOf, type Frame, px, slotRow, TITLE } from "./geometry.js";
import { el, group, num, polygon, type Point, polyline, scatter, text } from "./svg.js";
import { glyph, starPath } from "./symbols.js";
import type { Theme } from "./theme.js";

/** Areas of a map: districts that border each other, or cards with lines between them. */
export function drawAreas(f: Frame, theme: Theme): string {
  const districts = f.board.places.filter((p) => p.outline !== undefined);
  const cards = f.board.places.filter((p) => p.outline === undefined);
  return [...districts.map((p) => district(f, p, theme)), links(f, theme), ...cards.map((p) => card(f, p, theme))].join(
    "",
  );
}

/** The text over the rooms of districts; a card has its title in a band that no counter covers. */
export const drawHeadings = (f: Frame, theme: Theme): string =>
  group({ class: "names" }, ...f.board.places.filter((p) => p.outline !== undefined).map((p) => heading(f, p, theme)));

/** Lines between centres; two districts that share a border need none. */
function links(f: Frame, theme: Theme): string {
  const at = new Map(f.board.places.map((p) => [p.id, px(f, p.at)]));
  const district = new Set(f.board.places.filter((p) => p.outline !== undefined).map((p) => p.id));
  const shown = f.board.links.filter((l) => !(district.has(l.from) && district.has(l.to)));
  const one = shown.filter((l) => !f.board.links.some((m) => m.from === l.to && m.to === l.from && l.from > l.to));
  return group(
    { class: "links" },
    ...one.map((l) =>
      el("path", {
        d: polyline([at.get(l.from)!, at.get(l.to)!]),
        fill: "none",
        stroke: theme.line,
        "stroke-width": Math.max(1.5, f.board.counterSize * f.unit * 0.07),
        "stroke-dasharray": l.by === undefined ? undefined : "2 6",
        "stroke-linecap": "round",
      }),
    ),
  );
}

function district(f: Frame, p: Place, theme: Theme): string {
  const points = p.outline!.map((q) => px(f, q));
  const d = polygon(points);
  const clip = `clip-${f.board.places.indexOf(p)}`;
  return group(
    { class: "district" },
    el("clipPath", { id: clip }, el("path", { d })),
    el("path", { d, fill: theme[p.terrain] }),
    el("g", { "clip-path": `url(#${clip})` }, p.terrain === "box" ? "" : blocks(f, p, points, theme)),
    el("path", { d, fill: "none", stroke: theme.sheet, "stroke-width": 7, "stroke-linejoin": "round" }),
    el("path", {
      d,
      fill: "none",
      stroke: p.terrain === "box" ? theme.line : theme.muted,
      "stroke-width": 1.6,
      "stroke-linejoin": "round",
      "stroke-dasharray": p.terrain === "box" ? "7 5" : undefined,
    }),
  );
}

/** A tenth of a pixel is enough for what there are thousands of. */
const coarse = (value: number): string => num(Math.round(value * 10) / 10);

/** City blocks between streets, at the district's angle. */
function blocks(f: Frame, p: Place, points: readonly Point[], theme: Theme): string {
  const xs = points.map((q) => q[0]);
  const ys = points.map((q) => q[1]);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [cx, cy] = [(left + right) / 2, (top + bottom) / 2];
  const turn = (scatter(p.id, 3) - 0.5) * 0.9;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const cell = f.board.counterSize * f.unit * 0.62;
  const reach = Math.hypot(right - left, bottom - top) / 2;
  let d = "";
  let n = 0;
  for (let y = -reach; y < reach; y += cell * 0.72)
    for (let x = -reach; x < reach; x += cell) {
      n++;
      if (scatter(p.id, 300 + n) < 0.22) continue;
      const w = cell * (0.3 + 0.14 * scatter(p.id, 900 + n));
      const h = cell * (0.18 + 0.1 * scatter(p.id, 1900 + n));
      // only what the outline leaves of them is seen
      if (Math.abs(x * c - y * s) > (right - left) / 2 + cell || Math.abs(x * s + y * c) > (bottom - top) / 2 + cell)
        continue;
      d += `M${coarse(x - w)} ${coarse(y - h)}h${coarse(2 * w)}v${coarse(2 * h)}h-${coarse(2 * w)}Z`;
    }
  return el("path", {
    d,
    transform: `translate(${num(cx)} ${num(cy)}) rotate(${num((turn * 180) / Math.PI)})`,
    fill: theme.townInk,
    "fill-opacity": p.terrain === "city" ? 0.2 : 0.12,
  });
}

/** The place of a flag in a district: on the disc of its number. */
export function headingAt(f: Frame, p: Place): Point {
  const box = boxOf(f, p);
  const s = f.board.counterSize * f.unit;
  const r = Math.max(s * 0.3, 5.5);
  return [box.x + r * 0.5, headingY(f, p) - r * 0.8];
}

/** The middle of the heading of a district. */
function headingY(f: Frame, p: Place): number {
  const valued = (p.stars ?? 0) + (p.glyphs ?? []).length > 0;
  return boxOf(f, p).y - f.board.counterSize * f.unit * (valued ? 0.54 : 0.38);
}

/** Over the room of a district: number and name, and under the name stars and signs. */
function heading(f: Frame, p: Place, theme: Theme): string {
  const box = boxOf(f, p);
  const s = f.board.counterSize * f.unit;
  const valued = (p.stars ?? 0) + (p.glyphs ?? []).length > 0;
  const signs = (p.glyphs ?? []).filter((g) => g.glyph !== "flag"); // it is drawn in the colours of who holds the place
  const r = Math.max(s * 0.3, 5.5);
  const y = headingY(f, p);
  const left = box.x + r * 2.4;
  const name = { size: Math.max(s * 0.38, 8), fill: theme.ink, serif: true, weight: 600, halo: theme[p.terrain] };
  const line = y + s * 0.32;
  return group(
    { class: "heading" },
    el("circle", { cx: box.x + r, cy: y, r, fill: theme.ink }),
    text(box.x + r, y + r * 0.45, p.id, {
      size: r * 1.3,
      fill: theme.sheet,
      anchor: "middle",
      weight: 600,
      fit: r * 1.6,
    }),
    text(left, y + s * (valued ? 0.06 : 0.13), p.name, { ...name, fit: roomFor(f, p, left, y, s) }),
    stars(p, left, line, s * 0.13, theme),
    ...signs.map((g, i) =>
      glyph(g.glyph, left + s * ((p.stars ?? 0) * 0.32 + 0.3 + i * 0.42), line, s * 0.16, theme.goal),
    ),
  );
}

/** Width from `left` to the side of the place at the height of its name, less the band of control and a gap. */
function roomFor(f: Frame, p: Place, left: number, y: number, s: number): number {
  const box = boxOf(f, p);
  const corners = (p.outline ?? []).map((q) => px(f, q));
  let right = box.x + box.width;
  for (const height of [y - s * 0.3, y + s * 0.15])
    corners.forEach(([x1, y1], i) => {
      const [x2, y2] = corners[(i + 1) % corners.length]!;
      if (y1 <= height === y2 <= height) return;
      const x = x1 + ((height - y1) / (y2 - y1)) * (x2 - x1);
      if (x > left) right = Math.min(right, x - s * 0.32);
    });
  return Math.max(right - left, s);
}

function stars(p: Place, x: number, y: number, r: number, theme: Theme): string {
  const one = { fill: theme.star, stroke: theme.sheet, "stroke-width": r * 0.2, "paint-order": "stroke" };
  return Array.from({ length: p.stars ?? 0 }, (_, i) =>
    el("path", { d: starPath(x + r + i * r * 2.4, y, r), ...one }),
  ).join("");
}

/** A card: a title band, and under it room for counters or a row of slots a side. */
function card(f: Frame, p: Place, theme: Theme): string {
  const box = boxOf(f, p);
  const r = Math.min(box.width, box.height) * 0.045;
  const band = box.width * TITLE;
  const pad = box.width * 0.045;
  const parts = [
    el("rect", { ...box, x: box.x + 2, y: box.y + 3, rx: r, fill: theme.shadow, "fill-opacity": 0.22 }),
    el("rect", {
      ...box,
      rx: r,
      fill: p.terrain === "box" ? theme.box : theme.panel,
      stroke: theme.muted,
      "stroke-width": 1.4,
    }),
    el("path", {
      d: `M${num(box.x)} ${num(box.y + band)}V${num(box.y + r)}q0 ${num(-r)} ${num(r)} ${num(-r)}H${num(box.x + box.width - r)}q${num(r)} 0 ${num(r)} ${num(r)}V${num(box.y + band)}Z`,
      fill: theme[p.terrain],
      stroke: theme.muted,
      "stroke-width": 1,
    }),
  ];
  const disc = band * 0.36;
  const cx = box.x + pad + disc;
  const cy = box.y + band / 2;
  const value = p.values?.[0];
  const right = value === undefined ? box.x + box.width - pad : box.x + box.width - pad - disc * 2.4;
  parts.push(
    el("circle", { cx, cy, r: disc, fill: theme.ink }),
    text(cx, cy + disc * 0.45, p.id, {
      size: disc * 1.3,
      fill: theme.panel,
      anchor: "middle",
      weight: 600,
      fit: disc * 1.7,
    }),
    text(cx + disc * 1.4, cy + (p.stars ? -band * 0.02 : band * 0.12), p.name, {
      size: band * 0.38,
      fill: theme.ink,
      serif: true,
      weight: 600,
      fit: right - cx - disc * 1.6,
    }),
    stars(p, cx + disc * 1.4, cy + band * 0.25, band * 0.13, theme),
  );
  if (value !== undefined)
    parts.push(
      text(box.x + box.width - pad, cy + band * 0.12, String(value.value), {
        size: band * 0.6,
        fill: theme.ink,
        anchor: "end",
        weight: 600,
      }),
      text(box.x + box.width - pad, cy + band * 0.4, value.name, {
        size: band * 0.24,
        fill: theme.muted,
        anchor: "end",
      }),
    );
  p.slots?.forEach((slot, i) => {
    const row = slotRow(f, p, i);
    const size = Math.min(row.slot * 0.88, row.height * 0.86);
    for (let k = 0; k < slot.count; k++)
      parts.push(
        el("rect", {
          x: row.x + k * row.slot + (row.slot - size) / 2,
          y: row.y + (row.height - size) / 2,
          width: size,
          height: size,
          rx: size * 0.1,
          fill: theme.sheet,
          stroke: theme.line,
          "stroke-width": 0.8,
          "stroke-dasharray": "3 2.4",
          "stroke-opacity": 0.8,
        }),
      );
    if (p.stars !== undefined && p.stars < slot.count) {
      const x = row.x + p.stars * row.slot;
      parts.push(
        el("path", {
          d: `M${num(x)} ${num(row.y + 2)}V${num(row.y + row.height - 2)}`,
          stroke: theme.star,
          "stroke-width": 2.4,
        }),
      );
    }
  });
  return group({ class: "card" }, ...parts);
}
