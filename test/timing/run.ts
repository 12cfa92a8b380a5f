import { parseArgs } from "node:util";
import { loadGame } from "../../env/index.js";
import { Starts } from "../conformance/starts.js";
import { delayed } from "./delayed.js";
import { MOST_DEVIATIONS, timeTwins } from "./timing.js";

// `npm run leaks -- timing GAME [REPLIES] [OPTION=VALUE ...] [--plant MICROSECONDS] [--limit MICROSECONDS]` measures
// whether replies about worlds that a seat can't tell apart take different times. It exits with status 1 when the times
// of a question distinguish twins (beyond `MOST_DEVIATIONS`) by more than the limit.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plant: { type: "string", default: "0" },
    limit: { type: "string", default: "1" },
    seed: { type: "string", default: "timing" },
  },
});
const [id = "", replies = "100000", ...chosen] = positionals;
const game = loadGame(id, Object.fromEntries(chosen.map((c) => c.split("="))));
const starts = new Starts(game, values.seed, 4);
const found = await timeTwins(delayed(game, Number(values.plant)), starts, {
  replies: Number(replies),
  seed: values.seed,
});
for (const { op, replies: n, pairs, deviations, twins, copies } of found) {
  const tells = deviations > MOST_DEVIATIONS;
  const over = tells && twins - copies > Number(values.limit);
  if (over) process.exitCode = 1;
  console.log(
    `${op.padEnd(8)} ${String(n).padStart(7)} replies of ${pairs} pairs: twins ${twins.toFixed(2)} us apart, copies ${copies.toFixed(2)}; ${deviations.toFixed(1)} deviations${over ? ": TELLS THEM APART" : tells ? ": tells them apart, by less than the limit" : ""}`,
  );
}
