import type { Place } from "../../env/index.js";
import { drawHeadings } from "./areas.js";
import { type Frame, px } from "./geometry.js";
import { el, group, text, textWidth } from "./svg.js";
import { starPath } from "./symbols.js";
import type { Theme } from "./theme.js";

/** Baseline of a hex's name below its centre: between its own counter and that of the hex below. */
const BASELINE = 0.52;
/** Width between the counters of the two hexes beside it. */
const ROOM = 1.04;
/** Width of a star and the gap behind it, in sizes of the letters. */
const STAR = 1;
/** Letters smaller than this are a blur, px. */
const LEAST = 5;

/** Names of places, and stars on hexes that count: drawn over the counters, where these leave room. */
export function drawNames(f: Frame, theme: Theme): string {
  if (f.board.kind === "areas") return drawHeadings(f, theme);
  return group({ class: "names" }, ...f.board.places.map((p) => hexName(f, p, theme)));
}

function hexName(f: Frame, p: Place, theme: Theme): string {
  const u = f.unit;
  const full = u * (has(p, "capital") ? 0.22 : 0.18);
  const name = printed(p.name);
  const wide = textWidth(name, 1);
  const star = has(p, "star") ? STAR : 0;
  const ems = wide + star;
  if (full < LEAST || ems === 0) return "";
  const size = Math.min(full, (u * ROOM) / ems);
  const [x, y] = px(f, p.at);
  const [left, line] = [x - (ems * size) / 2, y + u * BASELINE];
  const style = { size, fill: theme.ink, anchor: "middle", weight: 600, halo: theme.clear } as const;
  return (
    (star === 0 ? "" : starAt(left + size * 0.4, line - size * 0.33, size * 0.4, theme)) +
    (name === "" ? "" : text(left + (star + wide / 2) * size, line, name, style))
  );
}

const has = (p: Place, glyph: string): boolean => p.glyphs?.some((g) => g.glyph === glyph) ?? false;

/** The part of a name in brackets shows only when you point at the place. */
const printed = (name: string): string => name.replace(/ \(.*\)$/, "");

const starAt = (x: number, y: number, r: number, theme: Theme): string =>
  el("path", {
    d: starPath(x, y, r),
    fill: theme.star,
    stroke: theme.clear,
    "stroke-width": r * 0.5,
    "stroke-linejoin": "round",
    "paint-order": "stroke",
  });
