import type { Scene } from "../../env/index.js";
import { drawBase } from "./base.js";
import { type Frame, heightOf, widthOf } from "./geometry.js";
import { drawNames } from "./names.js";
import { drawMarks, drawOverlays, type Marks } from "./overlay.js";
import { drawPieces } from "./pieces.js";
import { el, escaped, group, num, text, wrapped } from "./svg.js";
import { SANS, type Theme, type ThemeName, THEMES } from "./theme.js";
import { type Block, drawTrack, drawTray } from "./trays.js";

export interface PictureOptions {
  readonly theme?: ThemeName;
  /** Width in px. Under 700 there is one column; over 1440 the drawing grows with it. Default 1440. */
  readonly width?: number;
  /** Height in px; the picture is at the top, as large as fits. Default: the picture's own height. */
  readonly height?: number;
  readonly marks?: Marks;
  /** Draw a hex map at reading size around this place, not all of it: 44 px a hex on a phone, 64 on a desk. */
  readonly around?: string;
  /** Title, trays and tracks besides the board. Default true. */
  readonly panels?: boolean;
}

/** Hexes across flats that one reads with ease, px. */
const READING = { phone: 44, desk: 64 };
const PHONE_BELOW = 700;
const DESK = 1440;
const SIDEBAR = 340;

/** The whole picture of a scene as an SVG document. */
export function drawScene(whole: Scene, options: PictureOptions = {}): string {
  const { theme: name = "light", width = DESK, marks = {}, panels = true, around } = options;
  const theme = THEMES[name];
  const phone = width < PHONE_BELOW;
  // over a desk's width everything grows: on a wall of pixels letters must not stay 14 px high
  const paper = phone ? Math.max(width, 320) : DESK;
  const scene = around === undefined ? whole : cropped(whole, around, paper, phone);
  const page = panels ? arrange(scene, paper, phone, theme, marks) : boardOnly(scene, paper, theme, marks);
  const { height = (page.height * width) / paper } = options;
  const tall = Math.max(page.height, (paper * height) / width);
  const wide = (tall * width) / height;
  const left = (paper - wide) / 2;
  return el(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: num(width),
      height: num(height),
      viewBox: `${num(left)} 0 ${num(wide)} ${num(tall)}`,
      "font-family": `${SANS}, Arial Narrow, sans-serif`,
      "font-weight": 500,
      role: "img",
    },
    el("title", {}, escaped(`${scene.title}: ${scene.caption}`)),
    el("rect", { x: left, y: 0, width: wide, height: tall, fill: theme.page }),
    page.svg,
  );
}

/** A scene whose board ends where the picture does; the rest is clipped. */
function cropped(scene: Scene, around: string, paper: number, phone: boolean): Scene {
  const { board } = scene;
  const place = board.places.find((p) => p.id === around);
  if (place === undefined || board.kind !== "hexes") return scene;
  const unit = phone ? READING.phone : READING.desk;
  const across = Math.min((phone ? paper - 40 : paper - SIDEBAR - 120) / unit, board.bounds[2] - board.bounds[0]);
  const down = Math.min((phone ? 480 : 900) / unit, board.bounds[3] - board.bounds[1]);
  const from = (at: number, size: number, low: number, high: number): number =>
    Math.max(low, Math.min(at - size / 2, high - size));
  const left = from(place.at[0], across, board.bounds[0], board.bounds[2]);
  const top = from(place.at[1], down, board.bounds[1], board.bounds[3]);
  return { ...scene, board: { ...board, bounds: [left, top, left + across, top + down] } };
}

/** The map sheet: paper with a double frame, the board on it. */
function sheet(scene: Scene, f: Frame, theme: Theme, marks: Marks, margin: number): Block & { width: number } {
  const width = widthOf(f) + 2 * margin;
  const height = heightOf(f) + 2 * margin;
  const frame = (inset: number, stroke: number): string =>
    el("rect", {
      x: inset,
      y: inset,
      width: width - 2 * inset,
      height: height - 2 * inset,
      fill: "none",
      stroke: theme.muted,
      "stroke-width": stroke,
    });
  const clip = el("clipPath", { id: "sheet" }, el("rect", { x: 0, y: 0, width: widthOf(f), height: heightOf(f) }));
  const svg = [
    el("rect", { x: 3, y: 4, width, height, fill: theme.shadow, "fill-opacity": 0.18 }),
    el("rect", { x: 0, y: 0, width, height, fill: theme.sheet }),
    frame(margin * 0.35, 2.2),
    frame(margin * 0.35 + 4, 0.7),
    clip,
    el(
      "g",
      { transform: `translate(${num(margin)} ${num(margin)})` },
      el(
        "g",
        { "clip-path": "url(#sheet)" },
        drawBase(f, { theme }),
        drawOverlays(f, scene, theme, "under"),
        drawPieces(f, scene),
        drawOverlays(f, scene, theme, "over"),
        drawNames(f, theme),
        drawMarks(f, marks, theme),
      ),
    ),
  ].join("");
  return { svg, height, width };
}

function boardOnly(scene: Scene, paper: number, theme: Theme, marks: Marks): Block {
  const [left, , right] = scene.board.bounds;
  const f: Frame = { board: scene.board, unit: (paper - 40) / (right - left) };
  const s = sheet(scene, f, theme, marks, 20);
  return { svg: s.svg, height: s.height };
}

/** Title over all; then board and sidebar side by side, or one under the other. */
function arrange(scene: Scene, paper: number, phone: boolean, theme: Theme, marks: Marks): Block {
  const pad = phone ? 10 : 28;
  const head = heading(scene, paper - 2 * pad, phone, theme);
  const [left, top, right, bottom] = scene.board.bounds;
  const margin = phone ? 9 : 18;
  const parts = [at(pad, pad, head)];
  let y = pad + head.height;
  if (phone) {
    const f: Frame = { board: scene.board, unit: (paper - 2 * pad - 2 * margin) / (right - left) };
    const s = sheet(scene, f, theme, marks, margin);
    parts.push(at(pad, y, s));
    y += s.height + 14;
    const side = sidebar(scene, paper - 2 * pad, theme);
    parts.push(at(pad, y, side));
    return { svg: parts.join(""), height: y + side.height + pad };
  }
  const room = paper - 2 * pad - SIDEBAR - 24;
  const unit = Math.min((room - 2 * margin) / (right - left), (1080 - 2 * margin) / (bottom - top));
  const s = sheet(scene, { board: scene.board, unit }, theme, marks, margin);
  const width = paper - 2 * pad - 24 - s.width;
  const side = sidebar(scene, width, theme);
  parts.push(at(pad, y, s), at(pad + s.width + 24, y, side));
  return { svg: parts.join(""), height: y + Math.max(s.height, side.height) + pad };
}

const at = (x: number, y: number, block: Block): string =>
  el("g", { transform: `translate(${num(x)} ${num(y)})` }, block.svg);

function heading(scene: Scene, width: number, phone: boolean, theme: Theme): Block {
  const size = phone ? 24 : 38;
  const title = text(0, size * 0.85, scene.title, { size, fill: theme.ink, serif: true, weight: 600, fit: width });
  const lines = wrapped(scene.caption, phone ? 15 : 18, width);
  const y = size * 0.85 + (phone ? 20 : 26);
  const step = phone ? 18 : 22;
  const caption = lines.map((l, i) => text(0, y + i * step, l, { size: phone ? 15 : 18, fill: theme.muted })).join("");
  return { svg: title + caption, height: y + (lines.length - 1) * step + (phone ? 12 : 18) };
}

/** Tracks and trays in one column, or in two when there is room; the notice last. */
function sidebar(scene: Scene, width: number, theme: Theme): Block {
  const columns = width >= 620 ? 2 : 1;
  const gap = 14;
  const column = (width - gap * (columns - 1)) / columns;
  const parts: string[] = [];
  let y = 0;
  for (const t of scene.tracks) {
    const block = drawTrack(t, width, theme);
    parts.push(at(0, y, block));
    y += block.height + 12;
  }
  const heights = Array.from({ length: columns }, () => y);
  for (const tray of scene.trays) {
    const block = drawTray(tray, scene, column, theme);
    const c = heights.indexOf(Math.min(...heights));
    parts.push(at(c * (column + gap), heights[c]!, block));
    heights[c]! += block.height + 10;
  }
  y = Math.max(...heights);
  if (scene.text !== undefined) {
    const lines = scene.text.split("\n");
    parts.push(
      group(
        { "font-family": "monospace", "font-size": 9, fill: theme.ink },
        ...lines.map((l, i) =>
          el(
            "text",
            { x: 0, y: y + 12 + i * 12, "xml:space": "preserve" },
            l.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`),
          ),
        ),
      ),
    );
    y += lines.length * 12 + 16;
  }
  if (scene.notice !== undefined)
    for (const line of wrapped(scene.notice, 12.5, width * 0.95)) {
      parts.push(text(0, y + 14, line, { size: 12.5, fill: theme.muted, italic: true }));
      y += 16;
    }
  return { svg: parts.join(""), height: y + 6 };
}
