import { type Place, type Terrain } from "../../env/index.js";
import { type Frame, hexPath, px } from "./geometry.js";
import { el, num, type Point, scatter } from "./svg.js";
import type { Theme, Token } from "./theme.js";

/** Ground with a soft edge of its own that flows from hex to hex; all else fills its hexes to the grid. */
const SOFT: ReadonlySet<Terrain> = new Set(["woods", "marsh"]);

/** Paths of one terrain: its tint, and a sign of its own, for tints alone fail colour-blind eyes. */
export function terrainPaths(f: Frame, terrain: Terrain, places: readonly Place[], theme: Theme): string {
  const token: Token = terrain;
  const shape = places.map((p) => (SOFT.has(terrain) ? blob(f, p) : hexPath(f, p))).join("");
  const tint = el("path", { d: shape, fill: theme[token], "fill-rule": "nonzero", class: `t-${terrain}` });
  const sign = f.unit < 14 ? "" : (SIGNS[terrain]?.(f, places, theme) ?? "");
  return tint + sign;
}

/** A hex with a bulging, uneven edge: neighbours of one kind melt into one wood. */
function blob(f: Frame, place: Place): string {
  const [x, y] = px(f, place.at);
  const points: Point[] = [];
  const n = 18;
  for (let i = 0; i < n; i++) {
    const angle = (i / n) * Math.PI * 2;
    // to the hex's own edge in this direction, and a little less or more
    const edge = 0.5 / Math.cos(((angle + Math.PI * 2) % (Math.PI / 3)) - Math.PI / 6);
    const r = f.unit * edge * (0.93 + 0.17 * scatter(place.id, i));
    points.push([x + Math.cos(angle) * r, y + Math.sin(angle) * r]);
  }
  let d = "";
  for (let i = 0; i < n; i++) {
    const a = points[i]!;
    const b = points[(i + 1) % n]!;
    const mid: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    d += i === 0 ? `M${num((points[n - 1]![0] + a[0]) / 2)} ${num((points[n - 1]![1] + a[1]) / 2)}` : "";
    d += `Q${num(a[0])} ${num(a[1])} ${num(mid[0])} ${num(mid[1])}`;
  }
  return `${d}Z`;
}

/** `n` points in a hex, evenly spread with some disorder. */
function pointsIn(f: Frame, place: Place, n: number, reach: number): Point[] {
  const [x, y] = px(f, place.at);
  return Array.from({ length: n }, (_, i): Point => {
    const angle = (i * 2.39996 + scatter(place.id, 40) * 6.28) % 6.2832;
    const r = Math.sqrt((i + 0.5) / n) * reach * f.unit;
    const wobble = f.unit * 0.05;
    return [
      x + Math.cos(angle) * r + (scatter(place.id, 50 + i) - 0.5) * wobble,
      y + Math.sin(angle) * r + (scatter(place.id, 80 + i) - 0.5) * wobble,
    ];
  });
}

type Sign = (f: Frame, places: readonly Place[], theme: Theme) => string;
const lines = (d: string, stroke: string, width: number): string =>
  el("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
const all = (places: readonly Place[], each: (p: Place) => string): string => places.map(each).join("");

const trees: Sign = (f, places, theme) => {
  const n = f.unit < 24 ? 4 : f.unit < 40 ? 7 : 11;
  const size = f.unit * (f.unit < 24 ? 0.085 : 0.068);
  const d = all(places, (p) =>
    pointsIn(f, p, n, 0.46)
      .sort((a, b) => a[1] - b[1])
      .map(([x, y], i) => {
        const r = size * (0.85 + 0.3 * scatter(p.id, 120 + i));
        return `M${num(x)} ${num(y - r * 1.5)}l${num(r)} ${num(r * 2)}h${num(-2 * r)}Z`; // a fir
      })
      .join(""),
  );
  return el("path", { d, fill: theme.woodsInk, "fill-opacity": 0.85 });
};

const houses =
  (n: number, reach: number): Sign =>
  (f, places, theme) => {
    const d = all(places, (p) =>
      pointsIn(f, p, n, reach)
        .map(([x, y], i) => {
          const turn = (scatter(p.id, 7) - 0.5) * 0.7;
          const w = f.unit * (0.05 + 0.035 * scatter(p.id, 150 + i));
          const h = f.unit * (0.035 + 0.025 * scatter(p.id, 170 + i));
          const [c, s] = [Math.cos(turn), Math.sin(turn)];
          const at = (dx: number, dy: number): string => `${num(x + dx * c - dy * s)} ${num(y + dx * s + dy * c)}`;
          return `M${at(-w, -h)}L${at(w, -h)}L${at(w, h)}L${at(-w, h)}Z`;
        })
        .join(""),
    );
    return el("path", { d, fill: theme.townInk, "fill-opacity": 0.8 });
  };

const strokes =
  (token: Token, n: number, each: (x: number, y: number, u: number) => string): Sign =>
  (f, places, theme) =>
    lines(
      all(places, (p) =>
        pointsIn(f, p, n, 0.38)
          .map(([x, y]) => each(x, y, f.unit))
          .join(""),
      ),
      theme[token],
      Math.max(0.7, f.unit * 0.02),
    );

const waves = strokes(
  "waterInk",
  4,
  (x, y, u) =>
    `M${num(x - u * 0.12)} ${num(y)}q${num(u * 0.06)} ${num(-u * 0.06)} ${num(u * 0.12)} 0t${num(u * 0.12)} 0`,
);
const tufts = strokes(
  "marshInk",
  5,
  (x, y, u) =>
    `M${num(x - u * 0.09)} ${num(y)}h${num(u * 0.18)}M${num(x)} ${num(y)}v${num(-u * 0.09)}M${num(x - u * 0.04)} ${num(y)}l${num(-u * 0.025)} ${num(-u * 0.06)}M${num(x + u * 0.04)} ${num(y)}l${num(u * 0.025)} ${num(-u * 0.06)}`,
);
const hachures = strokes(
  "roughInk",
  6,
  (x, y, u) =>
    `M${num(x - u * 0.06)} ${num(y + u * 0.03)}L${num(x)} ${num(y - u * 0.04)}L${num(x + u * 0.06)} ${num(y + u * 0.03)}`,
);
const contours = strokes(
  "roughInk",
  3,
  (x, y, u) => `M${num(x - u * 0.14)} ${num(y + u * 0.05)}q${num(u * 0.14)} ${num(-u * 0.16)} ${num(u * 0.28)} 0`,
);
const furrows = strokes(
  "roughInk",
  5,
  (x, y, u) => `M${num(x - u * 0.1)} ${num(y + u * 0.05)}l${num(u * 0.2)} ${num(-u * 0.1)}`,
);
const stones = strokes(
  "townInk",
  6,
  (x, y, u) =>
    `M${num(x - u * 0.05)} ${num(y)}l${num(u * 0.04)} ${num(-u * 0.05)}l${num(u * 0.05)} ${num(u * 0.03)}l${num(-u * 0.02)} ${num(u * 0.05)}Z`,
);
const chimneys = strokes(
  "townInk",
  4,
  (x, y, u) =>
    `M${num(x - u * 0.09)} ${num(y + u * 0.06)}v${num(-u * 0.08)}l${num(u * 0.06)} ${num(-u * 0.04)}v${num(u * 0.04)}l${num(u * 0.06)} ${num(-u * 0.04)}v${num(u * 0.12)}Z`,
);

const SIGNS: Partial<Record<Terrain, Sign>> = {
  woods: trees,
  town: houses(7, 0.36),
  suburb: houses(6, 0.42),
  city: houses(16, 0.46),
  industrial: chimneys,
  rubble: stones,
  marsh: tufts,
  water: waves,
  rough: hachures,
  cliff: hachures,
  balka: contours,
  hill: contours,
  field: furrows,
};
