import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { hundredths } from "../../env/core/words.js";
import { tableOf } from "./markdown.js";

const MODELS = fileURLToPath(new URL("../../models/", import.meta.url));
const ENDING = ".curve.jsonl.gz";

/** One update: the fields of a run's line that are drawn here (training/runs). */
interface Update {
  readonly decisions: number;
  readonly seconds: number;
  readonly evaluation?: Readonly<Record<string, Readonly<Record<string, Rate>>>>;
}

interface Rate {
  readonly rate: number;
  readonly interval: readonly [number, number];
  readonly games: number;
}

interface Point extends Rate {
  /** Decisions in the training data so far, in millions. */
  readonly at: number;
}

interface Curve {
  readonly against: string;
  readonly seat: string;
  readonly points: readonly Point[];
}

/** Learning curves of the published nets of a game, from the files beside them. */
export interface LearningCurves {
  /** Empty if no run has two measurements. */
  readonly text: string;
  /** SVG drawings, by address on the site. */
  readonly drawings: ReadonlyMap<string, string>;
}

export function learningCurves(game: string): LearningCurves {
  const folders = readdirSync(MODELS).filter((name) => name === game || name.startsWith(`${game}-`));
  const runs = folders.sort().flatMap((folder) =>
    readdirSync(join(MODELS, folder))
      .filter((file) => file.endsWith(ENDING) && existsSync(join(MODELS, folder, file.replace(ENDING, ".md"))))
      .sort()
      .map((file) => ({ folder, name: file.slice(0, -ENDING.length) })),
  );
  const drawings = new Map<string, string>();
  const texts = runs.map(({ folder, name }) => runText(folder, name, drawings));
  return { text: texts.filter((text) => text !== "").join("\n\n"), drawings };
}

/** @param drawings the run's drawing is added here */
function runText(folder: string, name: string, drawings: Map<string, string>): string {
  const file = `models/${folder}/${name}${ENDING}`;
  const text = gunzipSync(readFileSync(join(MODELS, folder, name + ENDING))).toString();
  const updates = text.trim().split("\n").map((line) => JSON.parse(line) as Update); // prettier-ignore
  const curves = curvesOf(updates, `onnx:${folder}/${name}.onnx`).filter((c) => c.points.length > 1);
  if (curves.length === 0) return "";
  const [decisions, seconds] = (["decisions", "seconds"] as const).map((key) =>
    updates.reduce((n, u) => n + u[key], 0),
  );
  const { games } = curves[0]!.points.at(-1)!;
  const rows = curves.flatMap(({ against, seat, points }) =>
    points.map(({ at, rate, interval }) => [
      against,
      seat,
      at.toFixed(1),
      `${hundredths(rate)} [${interval.map((x) => hundredths(x)).join(", ")}]`,
    ]),
  );
  const address = `/pictures/curve-${folder}-${name}.svg`;
  drawings.set(address, drawn(curves));
  return [
    `#### [\`${folder}/${name}\`](/models/${folder}/${name}.md)`,
    `![Points of ${folder}/${name}: ${curves.map(summary).join("; ")}](${address})`,
    `${updates.length} updates, ${millions(decisions!)} million decisions, ${(seconds! / 3600).toFixed(1)} hours; ${games} games in each seat at each point (\`${file}\`).`,
    `::: details In numbers\n${tableOf(["against", "as", "million decisions", "points, % [95 %]"], rows)}\n:::`,
  ].join("\n\n");
}

const millions = (n: number): string => (n / 1e6).toFixed(1);

/** @param own name of the model itself. An opponent of that name was the model that training began from. */
function curvesOf(updates: readonly Update[], own: string): Curve[] {
  const curves = new Map<string, Curve & { readonly points: Point[] }>();
  let decisions = 0;
  for (const { decisions: more, evaluation = {} } of updates) {
    decisions += more;
    for (const [opponent, seats] of Object.entries(evaluation))
      for (const [seat, rate] of Object.entries(seats)) {
        const against = opponent === own ? "its predecessor" : opponent.replace(/^heuristic:|^onnx:|\.onnx$/g, "");
        const curve = curves.get(`${against} ${seat}`) ?? { against, seat, points: [] };
        curve.points.push({ at: decisions / 1e6, ...rate });
        curves.set(`${against} ${seat}`, curve);
      }
  }
  return [...curves.values()];
}

/** A curve in words, for readers who cannot see it. */
function summary({ against, seat, points }: Curve): string {
  const [first, last] = [points[0]!, points.at(-1)!];
  return `against ${against} as ${seat} from ${hundredths(first.rate)} to ${hundredths(last.rate)} percent`;
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, KEY] = [640, 232, 44, 16, 12, 42, 20] as const;

/** Strokes of the curves; they also differ in their dashes. */
const STROKES = [
  { stroke: "#8f4a28" },
  { stroke: "#3f6a8a" },
  { stroke: "#5d7a33", "stroke-dasharray": "6 4" },
  { stroke: "#7a5a9a", "stroke-dasharray": "6 4" },
] as const;

/** An SVG chart of points in percent over decisions, with intervals and a legend. */
function drawn(curves: readonly Curve[]): string {
  const end = Math.max(...curves.flatMap((c) => c.points.map((p) => p.at)));
  const x = (at: number): number => round(LEFT + ((WIDTH - LEFT - RIGHT) * at) / end);
  const y = (rate: number): number => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - rate));
  const words = (text: string, at: number, down: number, anchor: string): string =>
    el("text", { x: at, y: down, "text-anchor": anchor, fill: "#55524a" }, escaped(text));
  const strokeOf = (k: number) => ({ ...STROKES[k % STROKES.length]!, "stroke-width": 2, fill: "none" });
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((v) => [
    el("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(v), y2: y(v), stroke: "#ddd6c6" }),
    words(`${v * 100}${v === 1 ? " %" : ""}`, LEFT - 6, y(v) + 4, "end"),
  ]);
  const ticks = [0, end / 2, end].map((v, i) =>
    words(v.toFixed(1), x(v), HEIGHT - BOTTOM + 16, i === 2 ? "end" : "middle"),
  );
  const lines = curves.map(({ points }, k) =>
    el(
      "g",
      strokeOf(k),
      [
        el("polyline", { points: points.map(({ at, rate }) => `${x(at)},${y(rate)}`).join(" ") }),
        ...points.map(({ at, interval: [low, high] }) => el("line", { x1: x(at), x2: x(at), y1: y(low), y2: y(high) })),
        ...points.map(({ at, rate }) => el("circle", { cx: x(at), cy: y(rate), r: 3, fill: strokeOf(k).stroke })),
      ].join(""),
    ),
  );
  const keys = curves.flatMap(({ against, seat }, k) => [
    el("line", { x1: LEFT, x2: LEFT + 24, y1: HEIGHT + KEY * k + 6, y2: HEIGHT + KEY * k + 6, ...strokeOf(k) }),
    words(`against ${against}, as ${seat}`, LEFT + 32, HEIGHT + KEY * k + 10, "start"),
  ]);
  const height = HEIGHT + KEY * curves.length + 4;
  return el(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      "font-family": "system-ui, sans-serif",
      "font-size": 12,
    },
    [
      el("rect", { width: WIDTH, height, fill: "#fbf9f4" }),
      ...grid,
      ...ticks,
      words("million decisions", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle"),
      ...lines,
      ...keys,
    ].join("\n"),
  );
}

const round = (n: number): number => Math.round(10 * n) / 10;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function el(name: string, attributes: Readonly<Record<string, string | number>>, inner = ""): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${written.join("")}${inner === "" ? "/>" : `>${inner}</${name}>`}`;
}
