import { parseArgs } from "node:util";
import { loadGame } from "../../../env/index.js";
import { Starts } from "../starts.js";
import { type WireCount, wirePairs } from "./wire.js";

// `npm run leaks -- wire GAME [PAIRS] [SEED] [OPTION=VALUE ...] [--workers N]`: worlds that a seat can't tell apart,
// served twice, by the socket's thread or by worker threads; every byte of every reply to that seat is compared. Exit
// status 1 when something differs.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workers: { type: "string", default: "0" } },
});
const [id = "", pairs = "1000", seed = "wire", ...chosen] = positionals;
const wanted = Number(pairs);
const workers = Number(values.workers);
const game = loadGame(id, Object.fromEntries(chosen.map((c) => c.split("="))));
const began = performance.now();
const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0);

/** Pairs that share their situations to begin in; then others are played for. */
const ROUND = 10_000;
const total: WireCount = {
  ...{ pairs: 0, sessions: 0, replies: 0, parted: 0, spectated: 0 },
  operations: new Map(),
  differences: [],
};
for (let round = 0; total.pairs < wanted; round++) {
  const of = `${seed}/${round}`;
  const begun = total.pairs;
  const count = await wirePairs(game, Math.min(ROUND, wanted - total.pairs), of, new Starts(game, of, 4), {
    workers,
  });
  for (const key of ["pairs", "sessions", "replies", "parted", "spectated"] as const) total[key] += count[key];
  for (const [op, n] of count.operations) total.operations.set(op, (total.operations.get(op) ?? 0) + n);
  total.differences.push(...count.differences);
  if (total.pairs === begun) break;
  if (total.pairs < wanted)
    console.error(`${total.pairs} of ${wanted} pairs after ${seconds()} s, ${total.differences.length} differences`);
}
for (const d of [...new Set(total.differences)].slice(0, 10)) console.log(d);
console.log(`replies: ${[...total.operations].map(([op, n]) => `${op} ${n}`).join(", ")}`);
console.log(
  `${id}: ${total.pairs} pairs of truly different worlds over the wire (${workers === 0 ? "the socket's thread" : `${workers} worker threads`}), ${total.replies} replies compared in ${total.sessions} sessions, ${total.parted} of them rightly told apart while they were played (${total.spectated} not to a spectator, who was asked on), ${total.differences.length} differences, ${seconds()} s`,
);
process.exitCode = total.differences.length > 0 || total.pairs < wanted ? 1 : 0;
