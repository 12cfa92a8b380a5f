// `node env/run.mjs training/arena/transcript-report.ts FILE`: what the requests of `llm:` agents in a transcript came
// to, by model with its settings, game and seat: decisions, answers that named no legal action, tokens
import { silences } from "../../agents/llm/llm.js";
import { readTranscript, type TranscriptLine } from "../../agents/llm/transcript.js";
import { table } from "../report/table.js";
import { wilson } from "../report/stats.js";

const [file] = process.argv.slice(2);
const fail = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(2);
};
if (file === undefined) fail("usage: node env/run.mjs training/arena/transcript-report.ts FILE");
const groups = new Map<string, TranscriptLine[]>();
for (const line of read(file!)) {
  const { settings = "default" } = line;
  const model = settings === "default" ? line.model : `${line.model} (${settings})`;
  const name = [model, line.game, line.seat].join("\t");
  groups.set(name, [...(groups.get(name) ?? []), line]);
}
function read(path: string): TranscriptLine[] {
  try {
    return readTranscript(path);
  } catch (e) {
    return fail((e as Error).message);
  }
}
const share = (n: number, of: number): string => {
  const [low, high] = wilson(n, of).map((x) => (100 * x).toFixed(1));
  return `${((100 * n) / of).toFixed(1)} [${low}, ${high}]`;
};
const rows = [...groups].map(([name, lines]) => {
  // a decision begins with a request that repeats nothing
  const decisions = lines.filter((l) => l.messages.length === 2).length;
  const illegal = lines.filter((l) => l.action === null).length;
  const sum = (key: "asked" | "answered" | "thought"): number => lines.reduce((n, l) => n + (l[key] ?? 0), 0);
  const empty = silences(lines.map(({ silence }) => ({ silent: (silence ?? null) === null ? {} : { [silence!]: 1 } })));
  return [
    ...name.split("\t"),
    String(decisions),
    share(illegal, lines.length),
    String(sum("asked")),
    String(sum("answered")),
    String(sum("thought")),
    (sum("asked") / lines.length).toFixed(0),
    empty,
  ];
});
const heads = [
  "model",
  "game",
  "seat",
  "decisions",
  "no legal action, %",
  "tokens asked",
  "answered",
  "thoughts",
  "a request",
  "empty",
];
process.stdout.write(`${table(heads, rows, 3)}\n`);
