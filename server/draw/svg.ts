import { InvariantError } from "../../env/index.js";
import { SERIF } from "./theme.js";

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escaped = (text: string): string =>
  // characters that XML forbids would make the whole picture unreadable
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"]/g, (c) => ESCAPES[c]!);

/** A number with two decimals at most. A picture holds no NaN: that is a mistake of ours. */
export function num(value: number): string {
  if (!Number.isFinite(value)) throw new InvariantError(`a drawing holds the number ${value}`);
  return String(Math.round(value * 100) / 100 + 0);
}

/** One element; attributes that are undefined are left out. */
export function el(tag: string, attributes: Attributes, ...children: string[]): string {
  let text = `<${tag}`;
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) text += ` ${name}="${typeof value === "number" ? num(value) : escaped(value)}"`;
  const inside = children.join("");
  return inside === "" ? `${text}/>` : `${text}>${inside}</${tag}>`;
}

export const group = (attributes: Attributes, ...children: string[]): string =>
  children.every((c) => c === "") ? "" : el("g", attributes, ...children);

export interface TextStyle {
  readonly size: number;
  readonly fill: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly weight?: number;
  readonly serif?: boolean;
  readonly spacing?: number;
  readonly turn?: number | undefined;
  /** Width that the text must not exceed; it is set smaller if it would. */
  readonly fit?: number;
  /** A border around the letters, for text over a busy map. */
  readonly halo?: string;
  readonly italic?: boolean;
}

/** Width of a text in units of its size, near enough for fitting: narrow letters, wide letters, capitals. */
export function textWidth(text: string, size: number, serif = false): number {
  let w = 0;
  for (const c of text)
    w += /[ilj.,:;'|! ]/.test(c) ? 0.24 : /[mwMW@%]/.test(c) ? 0.66 : /[A-Z0-9]/.test(c) ? 0.47 : 0.42;
  return w * size * (serif ? 1.36 : 1);
}

export function text(x: number, y: number, content: string, style: TextStyle): string {
  const wide = textWidth(content, style.size, style.serif) + (style.spacing ?? 0) * content.length;
  const size = style.fit !== undefined && wide > style.fit ? (style.size * style.fit) / wide : style.size;
  return el(
    "text",
    {
      x,
      y,
      "font-size": size,
      "font-family": style.serif ? `'${SERIF}', Georgia, serif` : undefined,
      "font-weight": style.weight,
      "font-style": style.italic ? "italic" : undefined,
      fill: style.fill,
      "text-anchor": style.anchor === "start" ? undefined : style.anchor,
      "letter-spacing": style.spacing,
      transform: style.turn === undefined ? undefined : `rotate(${num(style.turn)} ${num(x)} ${num(y)})`,
      stroke: style.halo,
      "stroke-width": style.halo === undefined ? undefined : size * 0.22,
      "stroke-linejoin": style.halo === undefined ? undefined : "round",
      "paint-order": style.halo === undefined ? undefined : "stroke",
    },
    escaped(content),
  );
}

/** Breaks a text into lines that fit a width; a longer word stays whole. */
export function wrapped(content: string, size: number, width: number, most = 9): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of content.split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  if (line !== "") lines.push(line);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]!} ...`];
}

export type Point = readonly [number, number];

export const polygon = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${num(x)} ${num(y)}`).join("L")}Z`;
export const polyline = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${num(x)} ${num(y)}`).join("L")}`;

/** A smooth curve through points (Catmull-Rom), for roads and rivers. */
export function curve(points: readonly Point[], tension = 0.5): string {
  if (points.length < 3) return polyline(points);
  let d = `M${num(points[0]![0])} ${num(points[0]![1])}`;
  for (let i = 0; i + 1 < points.length; i++) {
    const p0 = points[Math.max(0, i - 1)]!;
    const p1 = points[i]!;
    const p2 = points[i + 1]!;
    const p3 = points[Math.min(points.length - 1, i + 2)]!;
    const k = tension / 3;
    d += `C${num(p1[0] + (p2[0] - p0[0]) * k)} ${num(p1[1] + (p2[1] - p0[1]) * k)} ${num(p2[0] - (p3[0] - p1[0]) * k)} ${num(p2[1] - (p3[1] - p1[1]) * k)} ${num(p2[0])} ${num(p2[1])}`;
  }
  return d;
}

/** A closed smooth curve through points, for banks and lakes. */
export function loop(points: readonly Point[], tension = 0.8): string {
  const n = points.length;
  const at = (i: number): Point => points[(i + n) % n]!;
  const k = tension / 6;
  let d = `M${num(at(0)[0])} ${num(at(0)[1])}`;
  for (let i = 0; i < n; i++) {
    const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    d += `C${num(p1[0] + (p2[0] - p0[0]) * k)} ${num(p1[1] + (p2[1] - p0[1]) * k)} ${num(p2[0] - (p3[0] - p1[0]) * k)} ${num(p2[1] - (p3[1] - p1[1]) * k)} ${num(p2[0])} ${num(p2[1])}`;
  }
  return `${d}Z`;
}

/** A fraction 0..1 that a name always gives: a tree must keep its place from one drawing to the next. */
export function scatter(seed: string, n: number): number {
  let h = 2166136261 ^ n;
  for (let i = 0; i < seed.length; i++) h = Math.imul(h ^ seed.charCodeAt(i), 16777619);
  h = Math.imul(h ^ (h >>> 15), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}
