import type { Overlay, Place, Scene } from "../../env/index.js";
import type { Look } from "./counter.js";
import { headingAt } from "./areas.js";
import { looksOf } from "./counter.js";
import { boxOf, chained, type Frame, hexCorners, inset, outlineOf, px, sharedSide, TITLE } from "./geometry.js";
import { el, escaped, group, num, polygon, type Point, polyline, text } from "./svg.js";
import { FACES, INK, type Theme } from "./theme.js";

/** What the page marks for a choice; a place may be in several lists. */
export interface Marks {
  readonly may?: readonly string[];
  readonly selected?: string;
  readonly careful?: readonly string[];
  /** Cost of getting to a place. */
  readonly reach?: Readonly<Record<string, number>>;
}

const lineOf = (look: Look, theme: Theme): string =>
  look === "german" ? theme.germanLine : look === "soviet" ? theme.sovietLine : theme.neutralLine;

/** Outline of a place: its hex, its district or its card, drawn in by `by` px. */
export function shapeOf(f: Frame, place: Place, by = 0): string {
  if (f.board.kind === "hexes") return polygon(hexCorners(f, place, 1 - by / (f.unit / 2)));
  if (place.outline !== undefined)
    return polygon(
      inset(
        place.outline.map((p) => px(f, p)),
        by,
      ),
    );
  const b = boxOf(f, place);
  const corners: Point[] = [
    [b.x, b.y],
    [b.x + b.width, b.y],
    [b.x + b.width, b.y + b.height],
    [b.x, b.y + b.height],
  ];
  return polygon(inset(corners, by));
}

/** Control and areas are under the counters, the front and arrows over them. */
export function drawOverlays(f: Frame, scene: Scene, theme: Theme, layer: "under" | "over"): string {
  const looks = looksOf(scene);
  const places = new Map(scene.board.places.map((p) => [p.id, p]));
  const wanted = scene.overlays.filter((o) => (o.kind === "control" || o.kind === "area") === (layer === "under"));
  return group({ class: `overlays-${layer}` }, ...wanted.map((o) => one(f, o, places, looks, theme)));
}

type Places = ReadonlyMap<string, Place>;

function one(f: Frame, o: Overlay, places: Places, looks: ReadonlyMap<string, Look>, theme: Theme): string {
  switch (o.kind) {
    case "control":
      return control(
        f,
        o.places.map((p) => places.get(p)!),
        looks.get(o.side)!,
        theme,
      );
    case "front":
      return front(f, o, places, looks, theme);
    case "area":
      return area(f, o, places, theme);
    case "flags":
      return flags(f, o, places, looks, theme);
    case "arrow":
      return arrow(f, places.get(o.from)!, places.get(o.to)!, o.look, theme);
  }
}

const isCard = (f: Frame, p: Place): boolean => f.board.kind === "areas" && p.outline === undefined;
const bandWidth = (f: Frame): number =>
  f.board.kind === "hexes" ? f.unit * 0.06 : f.board.counterSize * f.unit * 0.11;
/**
 * Distance of the band of control from the edge, inwards: behind the paper between districts, on the edge of a card.
 */
const bandAt = (f: Frame, p: Place): number =>
  isCard(f, p) ? 0 : (f.board.kind === "hexes" ? f.unit * 0.02 : 4) + bandWidth(f) / 2;
/** Distance of a ring `width` px wide from the edge, inwards: inside the band of control, around a card. */
const ringAt = (f: Frame, p: Place, width: number): number => {
  const band = f.board.kind === "hexes" ? 0 : bandWidth(f) / 2 + 1;
  return isCard(f, p) ? -band - width : bandAt(f, p) + band + width;
};

/** An inner band, solid for one side and broken for the other. */
function control(f: Frame, held: readonly Place[], look: Look, theme: Theme): string {
  const width = bandWidth(f);
  const d = held.map((p) => shapeOf(f, p, bandAt(f, p))).join("");
  if (d === "") return "";
  return el("path", {
    d,
    fill: "none",
    stroke: lineOf(look, theme),
    "stroke-width": width,
    "stroke-dasharray": look === "soviet" ? `${num(width * 2.6)} ${num(width * 1.1)}` : undefined,
    "stroke-opacity": 0.9,
  });
}

function front(
  f: Frame,
  o: Extract<Overlay, { kind: "front" }>,
  places: Places,
  looks: ReadonlyMap<string, Look>,
  theme: Theme,
): string {
  const gap = f.unit * 0.045;
  const path = (shift: number): string =>
    chained(o.between.map(([a, b]) => sharedSide(f, places.get(a)!, places.get(b)!, shift)))
      .map((l) => polyline(l))
      .join("");
  const line = (side: string, shift: number): string => {
    const look = looks.get(side)!;
    return el("path", {
      d: path(shift),
      fill: "none",
      stroke: lineOf(look, theme),
      "stroke-width": f.unit * 0.075,
      "stroke-linecap": look === "soviet" ? "butt" : "round",
      "stroke-dasharray": look === "soviet" ? `${num(f.unit * 0.16)} ${num(f.unit * 0.09)}` : undefined,
    });
  };
  const band = el("path", {
    d: path(0),
    fill: "none",
    stroke: theme.halo,
    "stroke-width": f.unit * 0.21,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "stroke-opacity": 0.9,
  });
  return band + line(o.sides[0], gap) + line(o.sides[1], -gap);
}

function area(f: Frame, o: Extract<Overlay, { kind: "area" }>, places: Places, theme: Theme): string {
  const held = o.places.map((p) => places.get(p)!);
  const w = Math.max(2, f.board.counterSize * f.unit * 0.07);
  const line = (d: string, stroke: string, width: number, dash?: string): string =>
    el("path", {
      d,
      fill: "none",
      stroke,
      "stroke-width": width,
      "stroke-dasharray": dash,
      "stroke-linejoin": "round",
    });
  const each = held.map((p) => shapeOf(f, p, ringAt(f, p, w))).join("");
  const ring = (stroke: string, width: number, dash?: string): string =>
    line(each, theme.halo, width * 1.9) + line(each, stroke, width, dash);
  const tint = (fill: string, opacity: number): string =>
    el("path", { d: held.map((p) => shapeOf(f, p)).join(""), fill, "fill-opacity": opacity });
  const parts: string[] = [];
  if (o.look === "battle") parts.push(tint(theme.careful, 0.13), ring(theme.careful, w, "8 4"));
  if (o.look === "lit") {
    const edge =
      f.board.kind === "hexes"
        ? chained(outlineOf(f, held, w / 2))
            .map((l) => polyline(l))
            .join("")
        : each;
    parts.push(tint(theme.light, 0.2), line(edge, theme.light, w * 1.2), line(edge, theme.fire, w * 0.4, "1 4"));
  }
  if (o.look === "pocket") parts.push(ring(theme.ink, w * 0.75, "2 4"));
  if (o.look === "objective") parts.push(tint(theme.goal, 0.1), ring(theme.goal, w * 0.75, "12 3"));
  if (o.look === "reach" || o.look === "active") parts.push(tint(theme.may, 0.11), ring(theme.may, w * 0.8));
  o.numbers?.forEach((n, i) => parts.push(disc(f, held[i]!, n, theme)));
  return group({ class: `area-${o.look}` }, el("title", {}, escaped(o.title)), ...parts);
}

/** On maps whose hexes are smaller than this flags are larger than hexes, px. */
const LEAST_FLAG = 13;

/** Height of a flag and its pole, px: on a card its cloth covers what the card is worth, and says so itself. */
export function flagHeight(f: Frame): number {
  const card = f.board.places.find((p) => isCard(f, p));
  if (card !== undefined) return boxOf(f, card).width * TITLE * 0.83;
  return Math.max(f.board.counterSize * f.unit * 0.62, LEAST_FLAG);
}

/**
 * The place of a flag's pole: beside the counters of a hex, over the number of a district, at the end of a card's
 * title.
 */
function poleAt(f: Frame, p: Place, high: number): Point {
  if (f.board.kind === "hexes") {
    const [x, y] = px(f, p.at);
    return [x - f.unit * 0.47, y - f.unit * 0.52 + high];
  }
  if (!isCard(f, p)) return headingAt(f, p);
  const box = boxOf(f, p);
  return [box.x + box.width * 0.965 - high * CLOTH[0], box.y + box.width * TITLE * 0.5 + high * 0.55];
}

/** A flag on each place, as a group of its own scale: a page enlarges them where the map is small. */
function flags(
  f: Frame,
  o: Extract<Overlay, { kind: "flags" }>,
  places: Places,
  looks: ReadonlyMap<string, Look>,
  theme: Theme,
): string {
  const h = flagHeight(f);
  const look = o.side === undefined ? undefined : looks.get(o.side)!;
  const parts = o.places.map((id, i) => {
    const [x, y] = poleAt(f, places.get(id)!, h);
    return group(
      { transform: `translate(${num(x)} ${num(y)})` },
      group({ class: "flag" }, flag(h, look, o.worth?.[i], theme)),
    );
  });
  return group({ class: "flags" }, el("title", {}, escaped(o.title)), ...parts);
}

/** Width and height of a flag's cloth, in heights of its pole. */
const CLOTH = [0.92, 0.6] as const;

/**
 * A flag `h` px high with the foot of its pole at the origin: plain for one side, forked for the other, white with a
 * broken edge for nobody.
 */
export function flag(h: number, look: Look | undefined, worth: number | undefined, theme: Theme): string {
  const [w, c] = [h * CLOTH[0], h * CLOTH[1]];
  const end = look === "soviet" ? `L${num(w * 0.8)} ${num(c / 2 - h)}L${num(w)} ${num(c - h)}` : `V${num(c - h)}`;
  const cloth = `M0 ${num(-h)}H${num(w)}${end}H0Z`;
  const pole = `M0 0V${num(-h)}`;
  const line = h * 0.07;
  const halo = {
    d: pole + cloth,
    fill: "none",
    stroke: theme.halo,
    "stroke-width": line * 2.6,
    "stroke-linejoin": "round",
  };
  return (
    el("path", halo) +
    el("path", {
      d: cloth,
      fill: FACES[look ?? "neutral"].face,
      stroke: INK,
      "stroke-width": line,
      "stroke-linejoin": "round",
      "stroke-dasharray": look === undefined ? `${num(line * 2.4)} ${num(line * 1.6)}` : undefined,
    }) +
    el("path", { d: pole, stroke: theme.ink, "stroke-width": line * 1.7, "stroke-linecap": "round" }) +
    (worth === undefined
      ? ""
      : text(w * (look === "soviet" ? 0.43 : 0.5), c * 0.86 - h, String(worth), {
          size: h * 0.58,
          fill: INK,
          anchor: "middle",
          weight: 700,
        }))
  );
}

function disc(f: Frame, place: Place, n: number, theme: Theme): string {
  const [x, y] = px(f, place.at);
  const r = f.board.counterSize * f.unit * 0.23;
  return (
    el("circle", { cx: x, cy: y, r, fill: theme.may }) +
    text(x, y + r * 0.5, String(n), { size: r * 1.5, fill: theme.halo, anchor: "middle", weight: 600 })
  );
}

type Arrow = Extract<Overlay, { kind: "arrow" }>;

function arrow(f: Frame, from: Place, to: Place, look: Arrow["look"], theme: Theme): string {
  const [x1, y1] = px(f, from.at);
  const [x2, y2] = px(f, to.at);
  if (look === "sight") return sightLine([x1, y1], [x2, y2], f, theme);
  const d = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / d, (y2 - y1) / d];
  const s = f.board.counterSize * f.unit;
  const head = s * 0.3;
  const [ex, ey] = [x2 - ux * s * 0.35, y2 - uy * s * 0.35];
  const [bx, by] = [ex - ux * head, ey - uy * head];
  const fill = look === "attack" || look === "fire" ? theme.careful : theme.ink;
  const shaft = polyline([
    [x1 + ux * s * 0.35, y1 + uy * s * 0.35],
    [bx, by],
  ]);
  const tip = polygon([
    [ex, ey],
    [bx - uy * head * 0.6, by + ux * head * 0.6],
    [bx + uy * head * 0.6, by - ux * head * 0.6],
  ]);
  const dash = look === "fire" ? "3 4" : look === "retreat" ? "9 5" : undefined;
  return (
    el("path", { d: shaft, stroke: theme.halo, "stroke-width": s * 0.17, fill: "none", "stroke-linecap": "round" }) +
    el("path", { d: tip, fill: theme.halo, stroke: theme.halo, "stroke-width": s * 0.07 }) +
    el("path", { d: shaft, stroke: fill, "stroke-width": s * 0.1, fill: "none", "stroke-dasharray": dash }) +
    el("path", { d: tip, fill })
  );
}

/** A thin dotted line that ends in a ring: an eye on the target. */
function sightLine(from: Point, to: Point, f: Frame, theme: Theme): string {
  const s = f.board.counterSize * f.unit;
  const d = polyline([from, to]);
  const line = (stroke: string, width: number, dash?: string): string =>
    el("path", { d, stroke, "stroke-width": width, fill: "none", "stroke-dasharray": dash, "stroke-linecap": "round" });
  const ring = el("circle", {
    cx: to[0],
    cy: to[1],
    r: s * 0.62,
    fill: "none",
    stroke: theme.ink,
    "stroke-width": s * 0.04,
  });
  return line(theme.halo, s * 0.1) + line(theme.ink, s * 0.045, `0.5 ${num(s * 0.13)}`) + ring;
}

/** What may be chosen, is chosen, or needs care: blue rings, an ink ring, red dashes. */
export function drawMarks(f: Frame, marks: Marks, theme: Theme): string {
  const places = new Map(f.board.places.map((p) => [p.id, p]));
  const ring = (ids: readonly string[], stroke: string, width: number, dash?: string): string => {
    const d = ids
      .flatMap((p) => places.get(p) ?? [])
      .map((p) => shapeOf(f, p, ringAt(f, p, width)))
      .join("");
    if (d === "") return "";
    return (
      el("path", { d, fill: "none", stroke: theme.halo, "stroke-width": width * 2, "stroke-linejoin": "round" }) +
      el("path", {
        d,
        fill: "none",
        stroke,
        "stroke-width": width,
        "stroke-dasharray": dash,
        "stroke-linejoin": "round",
      })
    );
  };
  const may = marks.may ?? [];
  const tint = may
    .flatMap((p) => places.get(p) ?? [])
    .map((p) => shapeOf(f, p))
    .join("");
  return group(
    { class: "marks" },
    tint === "" ? "" : el("path", { d: tint, fill: theme.may, "fill-opacity": 0.11 }),
    ring(may, theme.may, 2.5),
    ring(marks.careful ?? [], theme.careful, 3, "8 4"),
    marks.selected === undefined ? "" : ring([marks.selected], theme.ink, 4),
    ...Object.entries(marks.reach ?? {}).map(([p, n]) => (places.has(p) ? disc(f, places.get(p)!, n, theme) : "")),
  );
}
