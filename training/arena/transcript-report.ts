// `node env/run.mjs training/arena/transcript-report.ts FILE`: what the requests of `llm:` agents in a transcript came
// to, by model, game and seat: decisions, answers that named no legal action, tokens
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
  const name = [line.model, line.game, line.seat].join("\t");
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
  const sum = (key: "asked" | "answered"): number => lines.reduce((n, l) => n + l[key], 0);
  return [
    ...name.split("\t"),
    String(decisions),
    share(illegal, lines.length),
    String(sum("asked")),
    String(sum("answered")),
    (sum("asked") / lines.length).toFixed(0),
  ];
});
const heads = ["model", "game", "seat", "decisions", "no legal action, %", "tokens asked", "answered", "a request"];
process.stdout.write(`${table(heads, rows, 3)}\n`);
