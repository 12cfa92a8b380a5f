import { percent, returnText } from "../../env/core/words.js";
import { curveChart, escape, htmlTable, page } from "../../training/report/html.js";
import { renderSvg } from "../draw/render-scene.js";
import { sideNames, type SideName } from "../../agents/text/sentences.js";
import type { Analysis, Blunder, TurningPoint } from "./document.js";
import type { GameRecord } from "./record.js";
import { changeText, knowledgeText, MEANING, resultText } from "./text.js";

/** Width of a board on the page, px. */
const BOARD = 820;
/** Width of a chart, px. */
const CHART = 900;

/** An analysis as one self-contained HTML page: curves, tables, boards of the turning points. */
export function analysisPage(a: Analysis, record: GameRecord): string {
  const nameOf = sideNames(record.game, record.start);
  const parts = [
    `<h1>${escape(a.title)}</h1>`,
    `<p>${escape(resultText(a, nameOf))} Analysed by ${escape(a.evaluator)}. ${MEANING} ${escape(knowledgeText(a, nameOf))}${playersText(a, nameOf)}</p>`,
    valueChart(a, nameOf),
    ...luckChart(a, nameOf),
    htmlTable(
      ["side", "decisions", "luck", "given away, at most"],
      a.sides.map((s) => [
        escape(nameOf(s.side)),
        String(s.decisions),
        s.luck === null ? "-" : returnText(s.luck),
        s.loss.toFixed(2),
      ]),
    ),
    ...a.sides.flatMap((s) => [
      `<h2>Worst decisions of the ${escape(nameOf(s.side))} side</h2>`,
      ...(s.worst.length === 0 ? ["<p>None cost much.</p>"] : s.worst.map((b) => blunder(a, b))),
    ]),
    "<h2>Turning points</h2>",
    ...(a.turningPoints.length === 0 ? ["<p>The game never turned.</p>"] : []),
    ...a.turningPoints.map((t) => turn(t, record, nameOf)),
  ];
  return page(`${a.title}: analysis`, parts);
}

function playersText(a: Analysis, nameOf: SideName): string {
  const list = Object.entries(a.agents).map(([side, who]) => `${nameOf(side)} ${who}`);
  return list.length === 0 ? "" : ` Players: ${escape(list.join(", "))}.`;
}

function valueChart(a: Analysis, nameOf: SideName): string {
  const curves = Object.keys(a.end).map((side) => ({
    name: nameOf(side),
    points: [...a.decisions.map((d) => d.value[side]!), a.end[side]!].map((y, x) => ({ x: x + 1, y })),
  }));
  return curveChart("Value: expected return", curves, { xLabel: "decision", domain: [-1, 1], width: CHART });
}

function luckChart(a: Analysis, nameOf: SideName): string[] {
  if (a.decisions.some((d) => d.luck === null)) return [];
  let sum = 0;
  const points = a.decisions.map((d) => ({ x: d.number, y: (sum += d.luck!) }));
  const title = `Luck of the ${nameOf(a.players[0]!)} side: what dice and draws have given so far`;
  return [curveChart(title, [{ name: "luck", points }], { xLabel: "decision", width: CHART })];
}

function blunder(a: Analysis, b: Blunder): string {
  const chance = (action: string): string => {
    const found = a.decisions[b.number - 1]!.alternatives.find((x) => x.action === action);
    return found === undefined ? "" : ` (${a.evaluator}: ${percent(found.probability)})`;
  };
  const [low, high] = b.interval;
  return [
    `<h3>${b.number}: costs ${b.loss.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) of ${returnText(b.value)}</h3>`,
    `<p>${escape(b.text + chance(b.action))}.<br><b>Better:</b> ${escape(b.bestText + chance(b.best))}.</p>`,
    `<p>${escape(b.why)}</p>`,
  ].join("\n");
}

function turn(t: TurningPoint, record: GameRecord, nameOf: SideName): string {
  const { before, events } = record.steps[t.number - 1]!;
  const places = [...new Set(events.flatMap((e) => e.places ?? []))];
  const [first] = places;
  const svg = renderSvg(record.game, before, record.viewer, {
    width: BOARD,
    panels: false,
    marks: { careful: places },
    ...(first === undefined ? {} : { around: first }),
  });
  return [
    `<h3>${t.number}: ${escape(nameOf(t.by))}, ${escape(changeText(t))}</h3>`,
    `<p>${escape(t.text)}</p><p>${escape(t.why)}</p>`,
    `<figure>${svg}<figcaption>The board before it.</figcaption></figure>`,
  ].join("\n");
}
