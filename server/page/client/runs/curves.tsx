import { useState } from "preact/hooks";
import type { Chart } from "../../runs/runs-view.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 170, 46, 8, 8, 24];

/** Least and greatest of what a chart shows, with some room; percents from 0 to 100. */
function domainOf({ curves, rate }: Chart): readonly [number, number] {
  if (rate === true) return [0, 100];
  const all = curves.flatMap((c) => c.points.flatMap((p) => [p.y, ...(p.interval ?? [])]));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = low === high ? Math.abs(low) / 2 || 1 : (high - low) * 0.06;
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}

/** A number in few letters: `12.3`, `0.0041`, `83k`. */
export function short(x: number): string {
  const size = Math.abs(x);
  if (size >= 10_000) return `${Math.round(x / 1000)}k`;
  if (size >= 100 || Number.isInteger(x)) return String(Math.round(x));
  return String(Number(x.toPrecision(3)));
}

/** Curves over updates; the point nearest to the pointer is given in numbers. */
export function RunChart({ chart, counted }: { chart: Chart; counted: string }) {
  const { title, curves } = chart;
  const [at, setAt] = useState<number | null>(null);
  const xs = curves.flatMap((c) => c.points.map((p) => p.x));
  if (xs.length === 0) return null;
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = domainOf(chart);
  const x = (v: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * (v - first)) / Math.max(1, last - first);
  const y = (v: number): number => TOP + ((HEIGHT - TOP - BOTTOM) * (high - v)) / (high - low);
  const nearest = (c: Chart["curves"][number]) => {
    const to = at ?? last;
    return c.points.reduce((a, b) => (Math.abs(b.x - to) < Math.abs(a.x - to) ? b : a));
  };
  const shown = nearest(curves[0]!);
  const values = curves.map((c) => {
    const { y: value, interval } = nearest(c);
    const width = interval === undefined ? "" : ` (${short(interval[0])} to ${short(interval[1])})`;
    return `${curves.length > 1 ? `${c.name} ` : ""}${short(value)}${width}`;
  });
  return (
    <figure class="chart run-chart">
      <figcaption>
        {title}
        {curves.length > 1 &&
          curves.map((c, i) => (
            <span key={c.name} class={`key k${i}`}>
              {c.name}
            </span>
          ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}: ${values.join(", ")} at ${counted} ${short(shown.x)}`}
        onPointerMove={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          const across = ((e.clientX - box.left) / box.width) * WIDTH;
          setAt(first + ((across - LEFT) / (WIDTH - LEFT - RIGHT)) * (last - first));
        }}
        onPointerLeave={() => setAt(null)}
      >
        {[low, (low + high) / 2, high].map((v) => (
          <g key={v}>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(v)} y2={y(v)} />
            <text x={LEFT - 4} y={y(v) + 4} text-anchor="end">
              {short(v)}
            </text>
          </g>
        ))}
        {[first, ...(last > first ? [last] : [])].map((v) => (
          <text key={v} x={x(v)} y={HEIGHT - 6} text-anchor={v === first ? "start" : "end"}>
            {v === first ? `${counted} ` : ""}
            {short(v)}
          </text>
        ))}
        {curves.map((c, i) => (
          <g key={c.name} class={`k${i}`}>
            {c.points.map((p) =>
              p.interval === undefined ? null : (
                <line key={p.x} class="spread" x1={x(p.x)} x2={x(p.x)} y1={y(p.interval[0])} y2={y(p.interval[1])} />
              ),
            )}
            <path
              class={`curve k${i}`}
              d={c.points.map((p, k) => `${k === 0 ? "M" : "L"}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join("")}
            />
            {c.points.length <= 40 &&
              c.points.map((p) => <circle key={p.x} class="dot" cx={x(p.x)} cy={y(p.y)} r={2.4} />)}
          </g>
        ))}
        <line class="now" x1={x(shown.x)} x2={x(shown.x)} y1={TOP} y2={HEIGHT - BOTTOM} />
      </svg>
      <p class="values">
        {counted} {short(shown.x)}: {values.join(", ")}
      </p>
    </figure>
  );
}
