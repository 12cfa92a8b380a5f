import { createHash } from "node:crypto";
import { type Board, HEX_RADIUS, type Place, type Terrain, TERRAINS } from "../../env/index.js";
import { drawAreas } from "./areas.js";
import { chained, type Frame, hexCorners, hexPath, outlineOf, px, sharedSide } from "./geometry.js";
import { curve, el, loop, group, num, type Point, polygon, polyline, text } from "./svg.js";
import { glyph, starPath } from "./symbols.js";
import { terrainPaths } from "./terrain.js";
import type { Theme } from "./theme.js";

/** Hexes narrower than this have no number. */
const NUMBER_FROM = 26;

export interface BaseOptions {
  readonly theme: Theme;
  /**
   * Print hex numbers. A page draws them itself, for what is in sight: text is what costs. Default: from 26 px a hex.
   */
  readonly numbers?: boolean;
}

/** Name of a board's drawing, for caches: the same for equal boards. */
export const boardHash = (board: Board): string =>
  createHash("sha256").update(JSON.stringify(board)).digest("hex").slice(0, 16);

/**
 * What never changes and is under the counters: ground, grid, rivers, ways, zones, towns. A path for each kind of
 * thing, whatever the map's size.
 */
export function drawBase(f: Frame, options: BaseOptions): string {
  const { board } = f;
  const { theme } = options;
  const waters = el("path", {
    d: board.waters.map((w) => loop(w.map((p) => px(f, p)))).join(""),
    fill: theme.water,
  });
  const parts = [board.waters.length > 0 ? waters + shore(f, theme) : ""];
  if (board.kind === "hexes") parts.push(...hexLayers(f, options));
  else parts.push(drawAreas(f, theme));
  parts.push(group({ class: "labels" }, ...board.labels.map((l) => label(f, l, theme))));
  return el("g", { class: "base" }, ...parts);
}

/** Lines that follow the bank ever more faintly, as on old maps. */
function shore(f: Frame, theme: Theme): string {
  const d = f.board.waters.map((w) => loop(w.map((p) => px(f, p)))).join("");
  const s = f.board.counterSize * f.unit;
  const id = "water-edge";
  const line = (width: number, opacity: number): string =>
    el("path", {
      d,
      fill: "none",
      stroke: theme.waterInk,
      "stroke-width": width,
      "stroke-opacity": opacity,
      "clip-path": `url(#${id})`,
    });
  return el("clipPath", { id }, el("path", { d })) + line(s * 0.7, 0.12) + line(s * 0.36, 0.16) + line(s * 0.07, 1);
}

function hexLayers(f: Frame, { theme, numbers }: BaseOptions): string[] {
  const { places } = f.board;
  const byTerrain = new Map<Terrain, Place[]>(TERRAINS.map((t) => [t, []]));
  for (const p of places) byTerrain.get(p.terrain)!.push(p);
  const u = f.unit;
  const layers = [
    // paper under everything, one pixel wider than the hexes, so that no seam shows between them
    el("path", { d: places.map((p) => hexPath(f, p, 1.02)).join(""), fill: theme.clear }),
    ...TERRAINS.filter((t) => t !== "clear" && byTerrain.get(t)!.length > 0).map((t) =>
      terrainPaths(f, t, byTerrain.get(t)!, theme),
    ),
    el("path", {
      d: places.map((p) => hexPath(f, p)).join(""),
      fill: "none",
      stroke: theme.grid,
      "stroke-width": Math.max(0.5, u * 0.016),
      "stroke-opacity": 0.75,
      class: "grid",
    }),
  ];
  layers.push(...ways(f, theme), ...hexsides(f, theme), ...lines(f, theme), ...zones(f, theme));
  if (numbers ?? u >= NUMBER_FROM) {
    const size = Math.max(6.5, u * 0.145);
    layers.push(
      group(
        { class: "numbers", fill: theme.number, "font-size": size, "text-anchor": "middle", "fill-opacity": 0.8 },
        ...places.map((p) => {
          const [x, y] = px(f, p.at);
          return el("text", { x, y: y - u * 0.36 }, p.id);
        }),
      ),
    );
  }
  layers.push(...places.map((p) => town(f, p, theme)));
  return layers;
}

function ways(f: Frame, theme: Theme): string[] {
  const { board, unit } = f;
  const at = new Map(board.places.map((p) => [p.id, px(f, p.at)]));
  const paths = (kind: string, tension: number): string[] =>
    board.ways.filter((w) => w.kind === kind).map((w) => curve(through(w.places.map((p) => at.get(p)!)), tension));
  const [road, rail, balka, path] = [paths("road", 0.9), paths("rail", 0.9), paths("balka", 0.9), paths("path", 0.9)];
  return [
    stroked(balka, theme.roughInk, unit * 0.16),
    stroked(balka, theme.balka, unit * 0.09),
    stroked(path, theme.road, unit * 0.03, `${num(unit * 0.06)} ${num(unit * 0.06)}`),
    stroked(road, theme.road, unit * 0.105),
    stroked(road, theme.roadEdge, unit * 0.06),
    stroked(rail, theme.rail, unit * 0.045),
    stroked(rail, theme.rail, unit * 0.13, `${num(unit * 0.025)} ${num(unit * 0.14)}`),
  ];
}

/**
 * A way crosses the middle of each hexside and bends in between: a row of hexes is then a straight road, not a zigzag.
 */
function through(centres: readonly Point[]): Point[] {
  const crossings = centres.slice(1).map(([x, y], i): Point => [(x + centres[i]![0]) / 2, (y + centres[i]![1]) / 2]);
  return [centres[0]!, ...crossings, centres.at(-1)!];
}

function hexsides(f: Frame, theme: Theme): string[] {
  const places = new Map(f.board.places.map((p) => [p.id, p]));
  const sides = (kind: string) =>
    chained(
      f.board.hexsides
        .filter((h) => h.kind === kind)
        .map((h) => sharedSide(f, places.get(h.between[0])!, places.get(h.between[1])!)),
    );
  const draw = (kind: string, stroke: string, width: number, dash?: string): string =>
    stroked(
      sides(kind).map((l) => (kind === "river" ? curve(l, 1) : polyline(l))),
      stroke,
      f.unit * width,
      dash,
    );
  const tick = `${num(f.unit * 0.02)} ${num(f.unit * 0.07)}`;
  return [
    draw("river", theme.water, 0.13),
    draw("river", theme.river, 0.07),
    draw("bank", theme.waterInk, 0.05),
    draw("slope", theme.roughInk, 0.09, tick),
    draw("wall", theme.ink, 0.06),
    draw("wall", theme.ink, 0.14, tick),
  ];
}

/** The lines of each kind are joined where they meet at the edges of hexes. */
function lines(f: Frame, theme: Theme): string[] {
  const { board, unit } = f;
  const joined = (kind: string): Point[][] => {
    const pieces = board.lines.filter((l) => l.kind === kind).map((l) => l.points.map((p): Point => px(f, p)));
    return chained(pieces.flatMap((points) => points.slice(1).map((p, i): [Point, Point] => [points[i]!, p])));
  };
  const tick = `${num(unit * 0.02)} ${num(unit * 0.07)}`;
  const [cliff, wall] = [joined("cliff").map(polyline), joined("wall").map(polyline)];
  return [
    stroked(cliff, theme.roughInk, unit * 0.04),
    stroked(cliff, theme.roughInk, unit * 0.13, tick),
    stroked(wall, theme.ink, unit * 0.06),
    stroked(wall, theme.ink, unit * 0.14, tick),
  ];
}

/** Paths as one, drawn by their line alone. */
function stroked(paths: readonly string[], stroke: string, width: number, dash?: string): string {
  const d = paths.join("");
  return d === ""
    ? ""
    : el("path", {
        d,
        fill: "none",
        stroke,
        "stroke-width": width,
        "stroke-linecap": dash === undefined ? "round" : "butt",
        "stroke-linejoin": "round",
        "stroke-dasharray": dash,
      });
}

function zones(f: Frame, theme: Theme): string[] {
  const places = new Map(f.board.places.map((p) => [p.id, p]));
  const u = f.unit;
  return f.board.zones.map((z) => {
    const held = z.places.map((p) => places.get(p)!);
    const lines = chained(outlineOf(f, held, u * (z.look === "line" ? 0.03 : 0.05)));
    const d = lines.map((l) => polyline(l)).join("");
    const stroke =
      z.look === "line" ? theme.ink : z.look === "goal" ? theme.goal : z.look === "exit" ? theme.may : theme.muted;
    const dash = { line: [0.2, 0.1, 0.04, 0.1], goal: [0.3, 0.06], exit: [0.12, 0.06], entry: [0.03, 0.07] }[z.look];
    const tint =
      z.look === "line"
        ? ""
        : el("path", { d: held.map((p) => hexPath(f, p)).join(""), fill: stroke, "fill-opacity": 0.07 });
    return group(
      { class: `zone-${z.id}` },
      tint,
      el("path", {
        d,
        fill: "none",
        stroke,
        "stroke-width": Math.max(1.2, u * 0.05),
        "stroke-dasharray": dash.map((n) => num(n * u)).join(" "),
        "stroke-opacity": 0.85,
        "stroke-linejoin": "round",
      }),
    );
  });
}

/**
 * Marks of a hex: its town, its walls. A star of what it counts is with its name (names.ts), where no counter covers
 * it.
 */
function town(f: Frame, p: Place, theme: Theme): string {
  const [x, y] = px(f, p.at);
  const u = f.unit;
  const counts = p.glyphs?.some(({ glyph: g }) => g === "star") === true;
  const marks = (p.glyphs ?? []).map(({ glyph: g }) => {
    if (g === "star") return "";
    if (g === "fort") {
      // a wall around the hex, so that it shows under a counter too
      const d = polygon(hexCorners(f, p, 0.74));
      const w = u * 0.07;
      return (
        el("path", {
          d,
          fill: "none",
          stroke: theme.halo,
          "stroke-opacity": 0.7,
          "stroke-width": w * 1.7,
          "stroke-linejoin": "round",
        }) +
        el("path", {
          d,
          fill: "none",
          stroke: theme.ink,
          "stroke-width": w,
          "stroke-dasharray": `${num(HEX_RADIUS * u * 0.74 * 0.125)} ${num(HEX_RADIUS * u * 0.74 * 0.0417)}`,
        }) +
        el("path", { d, fill: "none", stroke: theme.ink, "stroke-width": w * 0.3 })
      );
    }
    if (g === "capital")
      return (
        el("circle", { cx: x, cy: y, r: u * 0.2, fill: theme.careful, stroke: theme.halo, "stroke-width": u * 0.03 }) +
        el("path", { d: starPath(x, y, u * 0.16), fill: theme.light })
      );
    if (g === "city")
      return (
        el("circle", { cx: x, cy: y, r: u * 0.1, fill: theme.halo, stroke: theme.ink, "stroke-width": u * 0.05 }) +
        el("circle", { cx: x, cy: y, r: u * 0.035, fill: theme.ink })
      );
    // a flag flies in the middle of what counts
    if (counts) return glyph(g, x - u * 0.27, y + u * 0.24, u * 0.14, theme.muted);
    return glyph(g, x, y, u * 0.22, g === "fire" ? theme.fire : theme.muted);
  });
  return group({ class: "town" }, ...marks);
}

function label(f: Frame, l: Board["labels"][number], theme: Theme): string {
  const [x, y] = px(f, l.at);
  const size = l.size * f.unit;
  const fill = l.look === "water" ? theme.river : l.look === "edge" ? theme.may : theme.muted;
  return text(x, y, l.text, {
    size,
    fill,
    anchor: "middle",
    serif: true,
    italic: l.look === "water",
    weight: 600,
    spacing: size * 0.25,
    turn: l.turn,
  });
}
