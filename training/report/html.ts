import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { Interval } from "./stats.js";

/** Text for HTML, between tags or in quotes. */
export const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);

/** A self-contained page without scripts or links; light or dark as the reader's system. */
export function page(title: string, parts: readonly string[]): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${STYLE}</style></head>\n<body>\n${parts.join("\n")}\n</body></html>\n`;
}

const STYLE = `:root{color-scheme:light dark;--ink:#222;--paper:#fff;--line:#ccc;--head:#f2f2ef}
@media(prefers-color-scheme:dark){:root{--ink:#ddd;--paper:#161616;--line:#444;--head:#222}}
body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin:2rem 0 .4rem}figure{margin:0}figcaption{font-size:.85rem}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{padding:.2rem .6rem;border:1px solid var(--line);text-align:right;font-weight:normal}
th{background:var(--head)}th:first-child,td:first-child{text-align:left}pre{overflow-x:auto;font-size:.85rem}
.charts{display:flex;flex-wrap:wrap;gap:1rem 2rem}svg{--plot-background:var(--paper)!important;max-width:100%;height:auto}
.keys span{display:inline-block;margin-right:1.2rem}.keys i{display:inline-block;width:.8rem;height:.8rem;margin-right:.4rem;vertical-align:-.1rem}`;

/** A table; cells are HTML, `heads` may be none. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((c) => `<${tag}>${c}</${tag}>`).join("")}</tr>`;
  return `<table>${heads.length === 0 ? "" : line("th", heads)}${rows.map((r) => line("td", r)).join("")}</table>`;
}

const COLOURS = ["#c2502f", "#3f7fb5", "#5a9a48", "#a06bb8", "#b58a1f", "#4aa3a0"];
const colour = (i: number): string => COLOURS[i % COLOURS.length]!;

const { document } = parseHTML("<!doctype html><html><body></body></html>");

function svg(options: Plot.PlotOptions): string {
  return (Plot.plot({ document, ...options } as Plot.PlotOptions) as unknown as { outerHTML: string }).outerHTML;
}

/** Room for the longest name at the left of a chart whose text has 13 pixels. */
const margin = (names: readonly string[]): number => Math.min(420, 30 + 7 * Math.max(...names.map((n) => n.length)));

/** A value with its interval. */
export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly interval: Interval;
}

/** Size and axes of a chart with a named row for each datum. */
const rowsFrame = (
  data: readonly { readonly name: string }[],
  domain: Interval,
  label: string,
  marginRight: number,
) => ({
  width: 840,
  height: 28 * data.length + 50,
  marginLeft: margin(data.map((d) => d.name)),
  marginRight,
  style: { fontSize: "13px" },
  x: { domain: [...domain], grid: true, label, labelArrow: "none" as const },
  y: { domain: data.map((d) => d.name), label: null, tickSize: 0 },
});

/**
 * A dot and its interval for each row, over one axis, which is cut where it ends.
 *
 * @param mark where a line stands for comparison
 */
export function intervalChart(rows: readonly Measured[], domain: Interval, label: string, mark: number): string {
  const cut = (x: number): number => Math.max(domain[0], Math.min(domain[1], x));
  const data = rows.map(({ name, value, interval }) => ({
    name,
    value: cut(value),
    low: cut(interval[0]),
    high: cut(interval[1]),
  }));
  return svg({
    ...rowsFrame(data, domain, label, 30),
    marks: [
      Plot.ruleX([mark], { strokeOpacity: 0.4 }),
      Plot.ruleY(data, { y: "name", x1: "low", x2: "high", stroke: colour(0), strokeWidth: 4, strokeOpacity: 0.45 }),
      Plot.dot(data, {
        y: "name",
        x: "value",
        fill: colour(0),
        r: 4.5,
        title: (d: Measured) => `${d.name}: ${d.value}`,
      }),
    ],
  });
}

/** A bar for each share, in percent. */
export function shareChart(rows: readonly (readonly [string, number])[]): string {
  const data = rows.map(([name, share]) => ({ name, percent: 100 * share }));
  return svg({
    ...rowsFrame(data, [0, 100], "%", 50),
    marks: [
      Plot.barX(data, { y: "name", x: "percent", fill: colour(1), inset: 2 }),
      Plot.text(data, {
        y: "name",
        x: "percent",
        text: (d: { percent: number }) => d.percent.toFixed(1),
        dx: 6,
        textAnchor: "start",
      }),
    ],
  });
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly interval?: Interval;
}

export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface CurveOptions {
  readonly xLabel: string;
  /** What the axis shows at least; by default what the points span. */
  readonly domain?: Interval;
  readonly width?: number;
}

/** Curves over one axis, intervals as bands, with a legend when there are several. */
export function curveChart(
  title: string,
  curves: readonly Curve[],
  { xLabel, domain, width = 460 }: CurveOptions,
): string {
  const points = curves.flatMap(({ points }, i) =>
    points.map(({ x, y, interval }) => ({
      x,
      y,
      low: interval?.[0] ?? y,
      high: interval?.[1] ?? y,
      colour: colour(i),
    })),
  );
  const banded = curves.some((c) => c.points.some((p) => p.interval !== undefined));
  const few = curves.every((c) => c.points.length <= 40);
  const channels = { x: "x", z: "colour" };
  const picture = svg({
    width,
    height: Math.round(width * 0.45),
    marginLeft: 60,
    style: { fontSize: "11px" },
    x: { label: xLabel, labelArrow: "none" },
    y: { grid: true, label: null, nice: true, ...(domain === undefined ? {} : { domain: [...domain] }) },
    marks: [
      ...(banded ? [Plot.areaY(points, { ...channels, y1: "low", y2: "high", fill: "colour", fillOpacity: 0.2 })] : []),
      Plot.lineY(points, { ...channels, y: "y", stroke: "colour", strokeWidth: 1.6 }),
      ...(few
        ? [
            Plot.dot(points, {
              ...channels,
              y: "y",
              fill: "colour",
              r: 2.2,
              title: (p: Point) => `${xLabel} ${p.x}: ${p.y}`,
            }),
          ]
        : []),
    ],
  });
  const keys =
    curves.length < 2
      ? ""
      : `<div class="keys">${curves.map((c, i) => `<span><i style="background:${colour(i)}"></i>${escape(c.name)}</span>`).join("")}</div>`;
  return `<figure><figcaption>${escape(title)}</figcaption>${keys}${picture}</figure>`;
}
