import { percent, returnText } from "../../env/core/words.js";
import { table } from "../../training/report/table.js";
import { type SideName, wrap } from "../../agents/text/sentences.js";
import type { Beliefs } from "./beliefs.js";
import type { Analysis, Blunder, TurningPoint } from "./document.js";

const BARS = "▁▂▃▄▅▆▇█";

/** How a turning point changed the value, and what of it dice and choice made. */
export const changeText = (t: TurningPoint): string =>
  `${returnText(t.before)} to ${returnText(t.after)}${t.dice === null ? "" : `, dice ${returnText(t.dice)}`}, choice ${returnText(t.choice)}`;

/** What the numbers mean, in one sentence. */
export const MEANING = "Values are expected returns: +1 wins, −1 loses.";

/** From what the analysis is made, in one sentence. */
export const knowledgeText = (a: Analysis, nameOf: SideName): string =>
  a.knowledge === "everything"
    ? "Each side's values are from what it knew; luck and turning points from everything."
    : `From what the ${nameOf(a.knowledge)} side knew, and nothing else.`;

/** The state of the game, in one sentence. */
export const resultText = (a: Analysis, nameOf: SideName): string =>
  a.returns === null
    ? `The game is not over after ${a.decisions.length} decisions.`
    : `${a.decisions.length} decisions; returns: ${Object.entries(a.returns)
        .map(([side, r]) => `${nameOf(side)} ${r}`)
        .join(", ")}.`;

/** An analysis as text for a terminal. */
export function analysisText(a: Analysis, nameOf: SideName, width: number): string {
  const parts = [
    `${a.title}, by ${a.evaluator}. ${resultText(a, nameOf)}`,
    `${MEANING} ${knowledgeText(a, nameOf)}`,
    ...Object.keys(a.end).map((side) => curveText(a, side, nameOf, width)),
    table(
      ["side", "decisions", "luck", "given away, at most"],
      a.sides.map((s) => [
        nameOf(s.side),
        String(s.decisions),
        s.luck === null ? "-" : returnText(s.luck),
        s.loss.toFixed(2),
      ]),
    ),
    ...a.sides.map((s) =>
      s.worst.length === 0
        ? `No decision of the ${nameOf(s.side)} side cost much.`
        : [`The ${nameOf(s.side)} side's worst decisions`, ...s.worst.map((b) => blunderText(b, width))].join("\n"),
    ),
    a.turningPoints.length === 0
      ? "The game never turned."
      : ["Turning points", ...a.turningPoints.map((t) => turnText(t, nameOf, width))].join("\n"),
  ];
  return parts.map((p) => wrapped(p, width)).join("\n\n");
}

const wrapped = (text: string, width: number): string =>
  text
    .split("\n")
    .map((line) => (line.length > width ? wrap(line, width) : line))
    .join("\n");

/** The value of one side as a row of bars: the mean of each part of the game. */
function curveText(a: Analysis, side: string, nameOf: SideName, width: number): string {
  const values = [...a.decisions.map((d) => d.value[side]!), a.end[side]!];
  const name = `${nameOf(side)} `;
  const columns = Math.min(values.length, Math.max(10, width - name.length - 14));
  const bars = Array.from({ length: columns }, (_, i) => {
    const part = values.slice(
      Math.floor((i * values.length) / columns),
      Math.floor(((i + 1) * values.length) / columns),
    );
    const mean = part.reduce((x, y) => x + y, 0) / part.length;
    return BARS[Math.min(BARS.length - 1, Math.floor(((mean + 1) / 2) * BARS.length))]!;
  });
  return `${name}${returnText(values[0]!)} ${bars.join("")} ${returnText(values.at(-1)!)}`;
}

function blunderText(b: Blunder, width: number): string {
  const [low, high] = b.interval;
  const lines = [
    `${String(b.number).padStart(5)}  ${b.text}: costs ${b.loss.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) of ${returnText(b.value)}`,
    `       better: ${b.bestText}`,
    ...(b.why === "" ? [] : [`       ${b.why}`]),
  ];
  return lines.map((l) => wrap(l, width, "       ")).join("\n");
}

function turnText(t: TurningPoint, nameOf: SideName, width: number): string {
  const lines = [
    `${String(t.number).padStart(5)}  ${nameOf(t.by)}: ${changeText(t)}. ${t.text}`,
    ...(t.why === "" ? [] : [`       ${t.why}`]),
  ];
  return lines.map((l) => wrap(l, width, "       ")).join("\n");
}

/** Most identities listed for one place. */
const MOST_TOLD = 6;

/** Beliefs as text: a line for each place with face-down counters. */
export function beliefsText({ model, worlds, places }: Beliefs, nameOf: SideName, width: number): string {
  if (places.length === 0) return "Nothing is face down on the map for this seat.";
  const lines = places.map(({ place, side, hidden, what }) => {
    const listed = what.slice(0, MOST_TOLD).map((w) => `${w.title} ${percent(w.present)}`);
    const rest = what.length - listed.length;
    const many = hidden === 1 ? "1 face-down counter" : `${hidden} face-down counters`;
    return wrap(
      `${place}: ${many} (${nameOf(side)}): ${listed.join("; ")}${rest > 0 ? `; ${rest === 1 ? "1 other" : `${rest} others`}` : ""}`,
      width,
      "  ",
    );
  });
  return [`Chances that at least one such counter is there, ${model} (${worlds} of them)`, ...lines].join("\n");
}
