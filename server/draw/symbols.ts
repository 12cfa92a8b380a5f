import milsymbol from "milsymbol";
import type { Glyph } from "../../env/index.js";
import { el, num, polygon, text } from "./svg.js";

/** Echelon marks by digits 9 and 10 of a symbol code: the mark over the box. */
const ECHELONS: Readonly<Record<string, string>> = {
  "11": "Ø", "12": "•", "13": "••", "14": "•••", "15": "I", "16": "II", "17": "III", "18": "X", "21": "XX", "22": "XXX",
  "23": "XXXX", "24": "XXXXX",
}; // prettier-ignore

export const echelonOf = (sidc: string): string => ECHELONS[sidc.slice(8, 10)] ?? "";

/** The frame that milsymbol draws around friendly land units, in its own units. */
const FRAME = { x: 25, y: 50, width: 150, height: 100 };
const cache = new Map<string, string>();

/** Inside of a symbol's frame as milsymbol draws it, one colour, without the echelon. */
function inside(sidc: string, ink: string): string {
  const key = `${sidc}/${ink}`;
  let found = cache.get(key);
  if (found === undefined) {
    const plain = `${sidc.slice(0, 8)}00${sidc.slice(10)}`;
    const svg = new milsymbol.Symbol(plain, { infoFields: false, monoColor: ink, size: 40, strokeWidth: 7 }).asSVG();
    found = svg
      .replace(/^<svg[^>]*>/, "")
      .replace("</svg>", "")
      .replace(/ ><\/path>/g, "/>");
    cache.set(key, found);
  }
  return found;
}

/** A military symbol in a box `width` wide and two thirds as high, its top left corner at x, y. */
export function symbol(sidc: string, x: number, y: number, width: number, box: string, ink: string): string {
  const scale = width / FRAME.width;
  const at = `translate(${num(x - FRAME.x * scale)} ${num(y - FRAME.y * scale)}) scale(${String(Math.round(scale * 1e4) / 1e4)})`;
  const back = el("rect", { ...FRAME, fill: box });
  return el("g", { transform: at }, back, inside(sidc, ink));
}

/** A five-pointed star around a point. */
export function starPath(x: number, y: number, r: number, inner = 0.4): string {
  const points: [number, number][] = [];
  for (let i = 0; i < 10; i++) {
    const a = (Math.PI * (i - 2.5)) / 5;
    const d = i % 2 === 0 ? r : r * inner;
    points.push([x + Math.cos(a) * d, y + Math.sin(a) * d]);
  }
  return polygon(points);
}

/** Drawings in a square from -1 to 1, in one ink. Stroked ones have the width of a tenth of the square. */
const FILLED: Partial<Record<Glyph, string>> = {
  star: starPath(0, 0.05, 1),
  capital: starPath(0, 0.05, 1),
  cross: "M-.3-1H.3V-.3H1V.3H.3V1H-.3V.3H-1V-.3H-.3Z",
  fort: "M-1 .8V-.5H-.6V-.15H-.2V-.5H.2V-.15H.6V-.5H1V.8Z",
  fire: "M0-1C.2-.5.8-.2.7.4.6.8.3 1 0 1-.4 1-.7.7-.7.3-.7 0-.5-.2-.4-.5-.3-.2-.1-.1 0-.2.1-.4-.1-.7 0-1Z",
  flare: "M0-1 .16-.3.7-.7.3-.16 1 0 .3.16.7.7.16.3 0 1-.16.3-.7.7-.3.16-1 0-.3-.16-.7-.7-.16-.3Z",
  aircraft:
    "M0-1C.12-1 .16-.8.16-.6V-.3L1 .2V.4L.16.2V.6L.4.85V1L0 .9-.4 1V.85L-.16.6V.2L-1 .4V.2L-.16-.3V-.6C-.16-.8-.12-1 0-1Z",
  night: "M.3-1A1 1 0 1 0 .95.5 .8.8 0 0 1 .3-1Z",
  exit: "M-1-.22H.2V-.6L1 0 .2.6V.22H-1Z",
  entry: "M1-.22H-.2V-.6L-1 0-.2.6V.22H1Z",
  ferry: "M-1 .1H1L.6.7H-.6ZM-.1-.9H.1V0H-.1ZM.15-.85 .75-.1H.15Z",
  landing: "M-1 .1H1L.6.7H-.6ZM-.1-.9H.1V0H-.1ZM.15-.85 .75-.1H.15Z",
  city: "M-.9.9V-.1H-.4V-.7H.2V.1H.5V-.3H.9V.9Z",
  rubble: "M-1 .8-.7.1-.4.4-.1-.5.2.2.5-.1 1 .8Z",
  convoy: "M-1-.4H.2V.4H-1ZM.3-.1H.7L1 .15V.4H.3ZM-.7.45a.22.22 0 1 0 .01 0ZM.6.45a.22.22 0 1 0 .01 0Z",
  supply: "M-.8-.6H.8V.8H-.8ZM-.8-.25H.8V-.1H-.8Z",
  molotov: "M-.15-.5H.15V-.2C.45 0 .5.2.5.4V1H-.5V.4C-.5.2-.45 0-.15-.2ZM0-1C.2-.85.2-.7 0-.58-.2-.7-.2-.85 0-1Z",
  flag: "M-.7-1H-.52V1H-.7ZM-.45-.9H.8L.5-.45.8 0H-.45Z",
  partisan: "M-1 .9 0-1 1 .9ZM0-.4A.25.25 0 1 0 .01-.4Z",
  raid: "M-1 .1 .1-.9V-.4H1V.1H.1V.6Z",
  leader: starPath(0, -0.1, 0.8),
  counterattack: "M-1-.3H0V-.8L1 0 0 .8V.3H-1Z",
  coin: "M0-.95A.95.95 0 1 0 .01-.95ZM0-.7A.7.7 0 1 1-.01-.7Z",
  mine: "M-.75.3a.75.75 0 0 1 1.5 0ZM-.08-.9H.08V-.4H-.08ZM-.9.45H.9V.65H-.9Z",
};
const STROKED: Partial<Record<Glyph, string>> = {
  artillery: "M0 0m-.8 0a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0M0-1.1V-.45M0 .45V1.1M-1.1 0H-.45M.45 0H1.1",
  sniper: "M0 0m-.7 0a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0M0-1V1M-1 0H1",
  wreck: "M-.9.5H.9L.6.1H-.6ZM-.4.1V-.25H.35V.1M.35-.1 1-.35M-.5-.4C-.7-.7-.2-.7-.4-1M.1-.45C-.1-.75.4-.75.2-1",
  ambush: "M-1 .7C-.6-.6.6-.6 1 .7M-.5.7V.2M0 .7V-.1M.5.7V.2",
  strongpoint: "M-.9.8V-.4H.9V.8M-.9.2H.9M-.3-.4V.2M.3.2V.8M-.9-.4-1.05-.75M.9-.4 1.05-.75",
  bridge: "M-1-.5-.7-.25H.7L1-.5M-1 .5-.7.25H.7L1 .5",
};

/** A glyph centred on a point, `r` from there to its edge. */
export function glyph(name: Glyph, x: number, y: number, r: number, ink: string): string {
  if (name === "question" || name === "dummy")
    return text(x, y + r * 0.72, name === "question" ? "?" : "–", {
      size: r * 2,
      fill: ink,
      anchor: "middle",
      weight: 600,
    });
  const at = `translate(${num(x)} ${num(y)}) scale(${String(Math.round(r * 1e3) / 1e3)})`;
  const filled = FILLED[name];
  if (filled !== undefined) return el("path", { d: filled, transform: at, fill: ink, "fill-rule": "evenodd" });
  return el("path", {
    d: STROKED[name]!,
    transform: at,
    fill: "none",
    stroke: ink,
    "stroke-width": 0.2,
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
  });
}
