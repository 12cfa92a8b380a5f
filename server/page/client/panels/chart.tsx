/** A curve of numbers over the decisions of a game. */
export interface Curve {
  readonly name: string;
  readonly values: readonly number[];
}

const WIDTH = 330;
const HEIGHT = 110;
const LEFT = 30;

/**
 * A small chart; a click goes to the moment under it. The slider does the same for the keyboard.
 *
 * @param at the moment that is shown
 */
export function Chart(props: {
  title: string;
  curves: readonly Curve[];
  domain: readonly [number, number];
  decisions: number;
  at: number;
  go: (at: number) => void;
}) {
  const { title, curves, domain, decisions, at, go } = props;
  const [low, high] = domain;
  const x = (i: number): number => LEFT + ((WIDTH - LEFT - 4) * i) / Math.max(1, decisions);
  const y = (v: number): number => 6 + ((HEIGHT - 12) * (high - v)) / (high - low);
  const marks = [low, (low + high) / 2, high];
  return (
    <figure class="chart">
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
        aria-label={`${title}: ${curves.map((c) => `${c.name} ${c.values[Math.min(at, c.values.length - 1)]?.toFixed(2)}`).join(", ")} at decision ${at}`}
        onClick={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          const across = ((e.clientX - box.left) / box.width) * WIDTH;
          go(Math.round(((across - LEFT) / (WIDTH - LEFT - 4)) * decisions));
        }}
      >
        {marks.map((v) => (
          <g key={v}>
            <line class="grid" x1={LEFT} x2={WIDTH - 4} y1={y(v)} y2={y(v)} />
            <text x={LEFT - 4} y={y(v) + 4} text-anchor="end">
              {v.toFixed(1)}
            </text>
          </g>
        ))}
        {curves.map((c, i) => (
          <path
            key={c.name}
            class={`curve k${i}`}
            d={c.values.map((v, k) => `${k === 0 ? "M" : "L"}${x(k).toFixed(1)} ${y(v).toFixed(1)}`).join("")}
          />
        ))}
        <line class="now" x1={x(at)} x2={x(at)} y1={2} y2={HEIGHT - 2} />
      </svg>
    </figure>
  );
}
