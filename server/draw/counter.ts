import type { Counter, CounterState, Scene } from "../../env/index.js";
import { el, group, num, text } from "./svg.js";
import { echelonOf, glyph, starPath, symbol } from "./symbols.js";
import { FACES, type Face, INK, PAPER } from "./theme.js";

export type Look = Scene["sides"][number]["look"];

/** How each side of a scene looks. */
export const looksOf = (scene: Scene): ReadonlyMap<string, Look> => new Map(scene.sides.map((s) => [s.id, s.look]));

/** Counters narrower than these show no name, no values, no symbol. */
const NAME_FROM = 30;
const VALUES_FROM = 20;

/**
 * A counter of cardboard, `size` px wide, its centre at the origin of the group.
 *
 * @param below number of counters under it that are drawn as edges
 */
export function drawCounter(c: Counter, look: Look, size: number, below = 0, badge = 0): string {
  const face = FACES[look];
  const step = size * 0.06;
  const parts: string[] = [];
  for (let i = below; i >= 1; i--) parts.push(card(face, size, -i * step, i * step));
  parts.push(card(face, size, 0, 0));
  parts.push(c.back !== undefined ? back(c, look, face, size) : front(c, face, size));
  if (badge > 1) parts.push(disc(size * 0.46 + 0, -size * 0.46, size * 0.17, String(badge), INK, PAPER));
  return parts.join("");
}

/** Cardboard: shadow, face, a lit and a shaded edge. `dx`, `dy` shift it down a stack. */
function card(face: Face, size: number, dx: number, dy: number): string {
  const h = size / 2;
  const r = size * 0.08;
  const e = Math.max(1, size * 0.035);
  const line = Math.max(0.8, size * 0.028);
  return group(
    dx === 0 && dy === 0 ? {} : { transform: `translate(${num(dx)} ${num(dy)})` },
    el("rect", { x: -h + e, y: -h + e * 1.3, width: size, height: size, rx: r, fill: "#000", "fill-opacity": 0.28 }),
    el("rect", { x: -h, y: -h, width: size, height: size, rx: r, fill: face.face, stroke: INK, "stroke-width": line }),
    el("path", {
      d: `M${num(-h + e)} ${num(h - r)}V${num(-h + e)}H${num(h - r)}`,
      fill: "none",
      stroke: face.lit,
      "stroke-width": e,
    }),
    el("path", {
      d: `M${num(h - e)} ${num(-h + r)}V${num(h - e)}H${num(-h + r)}`,
      fill: "none",
      stroke: face.shaded,
      "stroke-width": e,
    }),
  );
}

/** One emblem for all that are face down, and what everybody knows of this one. */
function back(c: Counter, look: Look, face: Face, size: number): string {
  const r = size * 0.27;
  const parts = [
    look === "german"
      ? glyph("cross", 0, 0, r, face.emblem)
      : look === "soviet"
        ? el("path", { d: starPath(0, size * 0.02, r * 1.12), fill: face.emblem })
        : glyph("question", 0, 0, r, face.emblem),
  ];
  if (size >= VALUES_FROM) {
    if (c.back!.age !== undefined)
      parts.push(
        text(size * 0.42, size * 0.42, String(c.back!.age), {
          size: size * 0.26,
          fill: INK,
          anchor: "end",
          weight: 600,
        }),
      );
    if (c.back!.kind !== undefined)
      parts.push(
        text(0, -size * 0.31, c.back!.kind, { size: size * 0.18, fill: INK, anchor: "middle", fit: size * 0.85 }),
      );
  }
  return parts.join("");
}

function front(c: Counter, face: Face, size: number): string {
  const named = c.name !== undefined && size >= NAME_FROM;
  const valued = (c.values?.length ?? 0) > 0 && size >= VALUES_FROM;
  const hidden = c.states?.includes("hidden") === true;
  const echelon = c.symbol === undefined ? "" : echelonOf(c.symbol);
  const parts: string[] = [];
  // an area for symbol or glyph between the name above and the values below
  const top = named ? -0.29 : valued ? -0.4 : -0.31;
  const bottom = valued ? 0.17 : named ? 0.38 : 0.31;
  if (named)
    parts.push(
      text(hidden ? -size * 0.1 : 0, -size * 0.32, c.name!, {
        size: Math.max(7.5, size * 0.2),
        fill: INK,
        anchor: "middle",
        weight: 600,
        fit: size * (hidden ? 0.66 : 0.88),
      }),
    );
  if (c.states?.includes("depleted") === true)
    // the printed sign of a counter turned to its weaker side
    parts.push(
      el("rect", {
        x: -size * 0.46,
        y: size * (top + bottom) * 0.5 - size * 0.075,
        width: size * 0.92,
        height: size * 0.15,
        fill: PAPER,
        "fill-opacity": 0.9,
      }),
    );
  if (c.symbol !== undefined) {
    const over = echelon !== "" && size >= NAME_FROM ? 0.1 : 0;
    const high = Math.min(bottom - top - over, 0.46);
    const width = high * 1.5;
    const y = top + over + (bottom - top - over - high) / 2;
    parts.push(symbol(c.symbol, (-size * width) / 2, size * y, size * width, face.box, face.symbol));
    if (over > 0)
      parts.push(text(0, size * (y - 0.025), echelon, { size: size * 0.13, fill: INK, anchor: "middle", weight: 600 }));
  } else if (c.glyph !== undefined)
    parts.push(glyph(c.glyph, 0, (size * (top + bottom)) / 2, (size * (bottom - top)) / 2.3, INK));
  else if (!named && !valued && c.name !== undefined)
    parts.push(
      text(0, size * 0.12, c.name, { size: size * 0.36, fill: INK, anchor: "middle", weight: 600, fit: size * 0.9 }),
    );
  if (valued) {
    const line = c.values!.map((v) => String(v.value)).join("-");
    parts.push(
      text(0, size * 0.43, line, {
        size: size * 0.33,
        fill: INK,
        anchor: "middle",
        weight: 600,
        fit: size * (c.steps === undefined ? 0.9 : 0.7),
      }),
    );
  }
  if (c.steps !== undefined && size >= VALUES_FROM) parts.push(pips(c.steps, size));
  if (c.count !== undefined && c.count > 1)
    parts.push(disc(size * 0.44, -size * 0.44, size * 0.18, String(c.count), INK, PAPER));
  c.states?.forEach((state) => parts.push(stateMark(state, size)));
  return parts.join("");
}

/** Steps down the right edge: a full pip for each that is left, a hollow one for each that is lost. */
function pips(steps: { left: number; of: number }, size: number): string {
  if (steps.of > 6) return "";
  const r = size * 0.045;
  let d = "";
  for (let i = 0; i < steps.of; i++)
    d += el("circle", {
      cx: size * 0.4,
      cy: size * (0.4 - i * 0.125),
      r,
      fill: i < steps.left ? INK : "none",
      stroke: INK,
      "stroke-width": size * 0.02,
    });
  return d;
}

const disc = (x: number, y: number, r: number, label: string, fill: string, ink: string): string =>
  el("circle", { cx: x, cy: y, r, fill, stroke: ink, "stroke-width": r * 0.14 }) +
  text(x, y + r * 0.5, label, { size: r * 1.4, fill: ink, anchor: "middle", weight: 600, fit: r * 1.6 });

/** Each state has its own mark and its own corner or edge: no state shows by colour alone. */
function stateMark(state: CounterState, size: number): string {
  const h = size / 2;
  const k = size * 0.24;
  switch (state) {
    case "active":
      return (
        el("rect", {
          x: -h - 2.5,
          y: -h - 2.5,
          width: size + 5,
          height: size + 5,
          rx: size * 0.12,
          fill: "none",
          stroke: INK,
          "stroke-width": 3,
        }) +
        el("rect", {
          x: -h - 2.5,
          y: -h - 2.5,
          width: size + 5,
          height: size + 5,
          rx: size * 0.12,
          fill: "none",
          stroke: "#fff",
          "stroke-width": 1.2,
        })
      );
    case "moved":
      return el("path", { d: `M${num(-h)} ${num(h - k)}V${num(h)}H${num(-h + k)}Z`, fill: INK });
    case "fired":
      return el("path", {
        d: `M${num(h - k * 0.9)} ${num(-h + k * 0.1)}l${num(k * 0.5)} 0l${num(-k * 0.25)} ${num(k * 0.5)}l${num(k * 0.45)} 0l${num(-k * 0.9)} ${num(k)}l${num(k * 0.25)} ${num(-k * 0.8)}l${num(-k * 0.4)} 0Z`,
        fill: INK,
        stroke: PAPER,
        "stroke-width": size * 0.015,
      });
    case "suppressed":
    case "pinned":
      return disc(-h + k * 0.55, -h + k * 0.55, k * 0.5, state === "pinned" ? "P" : "!", "#a8071a", "#fff");
    case "depleted":
      return "";
    case "stopped":
    case "spent":
      return el("path", {
        d: `M${num(-h + k * 0.3)} ${num(h - k * 0.3)}L${num(h - k * 0.3)} ${num(-h + k * 0.3)}`,
        stroke: INK,
        "stroke-width": size * 0.05,
        "stroke-opacity": 0.75,
      });
    case "advancing":
      return el("path", {
        d: `M${num(-k * 0.6)} ${num(-h - k * 0.15)}L0 ${num(-h - k * 0.75)}L${num(k * 0.6)} ${num(-h - k * 0.15)}Z`,
        fill: INK,
      });
    case "new":
      return el("path", {
        d: starPath(h - k * 0.5, h - k * 0.5, k * 0.45, 0.7),
        fill: PAPER,
        stroke: INK,
        "stroke-width": size * 0.02,
      });
    case "hidden":
      // a turned-over corner: the enemy sees the back
      return (
        el("path", {
          d: `M${num(h)} ${num(-h + k * 0.85)}L${num(h - k * 0.85)} ${num(-h)}L${num(h - k * 0.85)} ${num(-h + k * 0.85)}Z`,
          fill: "#fff",
          stroke: INK,
          "stroke-width": size * 0.02,
        }) +
        el("path", {
          d: `M${num(h)} ${num(-h + k * 0.85)}L${num(h - k * 0.85)} ${num(-h)}H${num(h)}Z`,
          fill: "#000",
          "fill-opacity": 0.35,
        })
      );
    case "unready":
    case "isolated":
      return disc(h - k * 0.5, -h + k * 0.5, k * 0.5, state === "unready" ? "u" : "i", PAPER, INK);
    case "dead":
      return el("path", {
        d: `M${num(-h)} ${num(-h)}L${num(h)} ${num(h)}M${num(h)} ${num(-h)}L${num(-h)} ${num(h)}`,
        stroke: "#a8071a",
        "stroke-width": size * 0.06,
      });
    case "elite":
      return el("path", {
        d: starPath(-h + k * 0.5, -h + k * 0.5, k * 0.42),
        fill: "#a8071a",
        stroke: PAPER,
        "stroke-width": size * 0.015,
      });
  }
}
