import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gameType } from "../../env/index.js";
import { Bench } from "./bench.js";
import { heldRules } from "./held.js";
import { byRule, Likely } from "./likely.js";
import { type Change, mutantOf, nameOf } from "./mutant.js";
import {
  type Judged,
  markEquivalents,
  readEquivalents,
  readReport,
  type Report,
  scoreOf,
  writeReport,
} from "./report.js";
import { digestsOf, type Population, populationOf } from "./sources.js";

// `npm run mutants -- GAME [--seed 1] [--code 600] [--data 200] [--again] [--survivors] [--rules] [--workers 2]
// [--slow 2000]`: judges small changes of a game's rules and data by its rule cases and own tests, prints those that
// nothing notices, and writes test/mutants/GAME.json. `--again` judges the sample of the report once more when the game
// has changed since; others are drawn for those that are gone. `--survivors` judges again those of the report that
// nothing noticed, `--rules` only which rules their own cases and tests hold, and `--new-rules` only rules that the
// report lacks, whatever has changed since it was made.

const ROOT = join(import.meta.dirname, "../..");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    code: { type: "string", default: "600" },
    data: { type: "string", default: "200" },
    again: { type: "boolean", default: false },
    survivors: { type: "boolean", default: false },
    rules: { type: "boolean", default: false },
    "new-rules": { type: "boolean", default: false },
    workers: { type: "string", default: "2" },
    slow: { type: "string", default: "2000" },
  },
});

function refuse(reason: string): never {
  console.error(`mutants: ${reason}`);
  process.exit(1);
}

function whole(name: "seed" | "code" | "data" | "workers" | "slow"): number {
  const n = Number(values[name]);
  return Number.isInteger(n) && n >= 0 ? n : refuse(`--${name} is a whole number, not ${values[name]}`);
}

const named = positionals[0] ?? refuse("name a game: npm run mutants -- pocket-stalingrad");
const game = ((): string => {
  try {
    return gameType(named).id;
  } catch (e) {
    return refuse((e as Error).message);
  }
})();
const seed = whole("seed");
const digests = digestsOf(ROOT, game);
const population = drawn(populationOf(ROOT, game, seed));
const equivalents = readEquivalents(game);
const bench = new Bench({ root: ROOT, game, slow: whole("slow") }, Math.max(1, whole("workers")));
const began = performance.now();
try {
  await bench.open();
} catch (e) {
  refuse((e as Error).message);
}
console.log(
  `${game}: ${population.code.length} mutants of code and ${population.data.length} of data, ${bench.proofs.length} cases and tests, run in ${seconds()}`,
);
const likely = new Likely(byRule(bench.proofs), (file) => readFileSync(join(ROOT, file), "utf8"));
for (const m of readReport(game)?.mutants ?? []) likely.learn(m, m);
for (const test of bench.leftOut) console.log(`left out: ${test}`);
if (values["new-rules"]) {
  await addRules();
  process.exit(0);
}
const mutants = values.survivors || values.rules ? await stored() : await sample();
const rules =
  values.survivors && !values.rules
    ? (readReport(game)?.rules ?? {})
    : await heldRules(
        ROOT,
        gameType(game),
        population.data,
        (change, rule) => bench.judge(change, { citing: rule, first: likely.of(change) }),
        bench.size,
      );
bench.close();
finish(mutants);

/** With `--again` the mutants of the stored report come first, those that there still are. */
function drawn({ code, data }: Population): Population {
  const kept = new Set(values.again ? readReport(game)?.mutants.map(nameOf) : []);
  const first = (list: readonly Change[]): Change[] => [
    ...list.filter((c) => kept.has(nameOf(c))),
    ...list.filter((c) => !kept.has(nameOf(c))),
  ];
  return { code: first(code), data: first(data) };
}

function seconds(): string {
  return `${Math.round((performance.now() - began) / 1000)} s`;
}

/** Adds rules to the stored report that it lacks. What it says of a sample stays, with what it was made from. */
async function addRules(): Promise<void> {
  const report = readReport(game) ?? refuse(`there is no report of ${game} yet`);
  const type = gameType(game);
  const lacking = Object.fromEntries(Object.entries(type.rules).filter(([id]) => (report.rules[id] ?? null) === null));
  const held = await heldRules(
    ROOT,
    { ...type, rules: lacking },
    population.data,
    (change, rule) => bench.judge(change, { citing: rule, first: likely.of(change) }),
    bench.size,
  );
  bench.close();
  writeReport({ ...report, rules: { ...report.rules, ...held } });
  for (const [rule, mutant] of Object.entries(held))
    console.log(`${rule}: ${mutant === null ? "nothing that cites it notices a mutant of its code" : mutant.by}`);
}

/** Judges the sample; a log holds what has been judged, so that a run that was stopped goes on. */
async function sample(): Promise<Judged[]> {
  const log = join(ROOT, "runs/mutants", `${game}.jsonl`);
  const head = JSON.stringify({ seed, digests, ...(values.again ? { again: true } : {}) });
  mkdirSync(dirname(log), { recursive: true });
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
  if (lines[0] !== head) {
    lines.length = 0;
    writeFileSync(log, `${head}\n`);
  }
  const known = new Map(
    lines
      .slice(1)
      .map((l) => JSON.parse(l) as Judged)
      .map((j) => [nameOf(j), j]),
  );
  if (known.size > 0) console.log(`${known.size} are known from a run that was stopped, or that is repeated`);
  for (const j of known.values()) likely.learn(j, j);
  const judged: Judged[] = [];
  for (const kind of ["code", "data"] as const) {
    const wanted = whole(kind);
    const found: (Judged | undefined)[] = [];
    const counted = (): number => found.filter((j) => j !== undefined && j.fate !== "refused").length;
    let next = 0;
    let open = 0;
    const go = async (): Promise<void> => {
      while (counted() + open < wanted && next < population[kind].length) {
        const i = next++;
        const change = population[kind][i]!;
        open++;
        found[i] = known.get(nameOf(change)) ?? (await judge(change));
        open--;
        if (!known.has(nameOf(change))) appendFileSync(log, `${JSON.stringify(found[i])}\n`);
      }
    };
    // the last of one process may be refused while others have none left: they are asked once more
    while (counted() < wanted && next < population[kind].length)
      await Promise.all(Array.from({ length: bench.size }, go));
    judged.push(...(found as Judged[]));
    console.log(`${judged.length} judged after ${seconds()}`);
  }
  return judged;
}

/**
 * The mutants of the stored report; with `--survivors` those that survived are judged again: new cases can only kill
 * more.
 */
async function stored(): Promise<Judged[]> {
  const report = readReport(game) ?? refuse(`there is no report of ${game} yet`);
  if (report.digests.code !== digests.code)
    refuse("the game has changed since its report was made: run this with --again first");
  const changes = new Map([...population.code, ...population.data].map((c) => [nameOf(c), c]));
  return Promise.all(
    report.mutants.map((m): Judged | Promise<Judged> => {
      const lives = m.fate === "survived" || m.fate === "equivalent";
      const change = changes.get(nameOf(m))!;
      return lives && values.survivors ? judge(change) : { ...m, line: change.line };
    }),
  );
}

async function judge(change: Change): Promise<Judged> {
  const verdict = await bench.judge(change, { first: likely.of(change) });
  likely.learn(change, verdict);
  return { ...mutantOf(change), ...verdict };
}

function finish(judged: readonly Judged[]): void {
  const { mutants: marked, wronglyListed } = markEquivalents(judged, equivalents);
  const counts = (p: Population) => ({ code: p.code.length, data: p.data.length });
  const report: Report = { game, seed, digests, population: counts(population), rules, mutants: marked };
  writeReport(report);
  for (const m of marked)
    if (m.fate === "survived") console.log(`survived ${m.file}:${m.line}: ${m.from} -> ${m.to}    ${m.at}`);
  for (const name of wronglyListed) console.log(`listed as equivalent, but it is noticed: ${name}`);
  for (const [rule, held] of Object.entries(rules))
    if (held === null) console.log(`no mutant in the code of ${rule} is noticed by what cites it`);
  const { killed, survived, equivalent, refused, share } = scoreOf(marked);
  console.log(
    `${killed} killed, ${survived} survived, ${equivalent} equivalent, ${refused} refused at loading: ${(100 * share).toFixed(1)} % killed, after ${seconds()}`,
  );
}
