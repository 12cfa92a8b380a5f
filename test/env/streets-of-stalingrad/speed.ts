// `node --expose-gc --import tsx test/env/streets-of-stalingrad/speed.ts`: what `kessel bench` does not measure: a row
// of lines of sight over the whole map, the step that resolves a bombardment, and the memory of a game on the real map
import { makeAgent } from "../../../agents/registry.js";
import { Env, EventLog, EVERYTHING, type Game, loadGame } from "../../../env/index.js";
import { standardBoard } from "../../../env/streets-of-stalingrad/data.js";
import { streetsOfStalingrad } from "../../../env/streets-of-stalingrad/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";

const median = (of: number[]): number => of.sort((a, b) => a - b)[of.length >> 1]!;

const board = standardBoard(streetsOfStalingrad.data);
const rows: number[] = [];
for (let a = 0; a < board.size; a += 7) {
  const start = performance.now();
  for (let b = 0; b < board.size; b++) board.sight.clear(a, b);
  rows.push(performance.now() - start);
}
console.log(`line of sight from a hex to all ${board.size}: ${median(rows).toFixed(2)} ms`);

const gc = globalThis.gc;
if (gc === undefined) throw new Error("start node with --expose-gc");
const heap = (): number => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
for (const scenario of ["sandbox-2", "drill-kurgan"]) {
  const games: Game[] = [loadGame("streets-of-stalingrad", { scenario })];
  const before = heap();
  const more = 8;
  for (let i = 0; i < more; i++) games.push(loadGame("streets-of-stalingrad", { scenario }));
  const each = (heap() - before) / more;
  const steps: number[] = [];
  const game = games[0]!;
  const env = new Env(game);
  const silent = new Env(game);
  const log = new EventLog([EVERYTHING]);
  const choice = new Int32Array(1);
  const seats = await Promise.all(
    ["planner", "elastic"].map((name) => makeAgent(`heuristic:${name}`, { game, seed: name })),
  );
  for (let k = 0; k < 60; k++) {
    env.reset(`speed/${k}`, undefined, log);
    silent.reset(`speed/${k}`);
    while (!env.terminated) {
      await seats[env.actor]!.act(new OneDecision(env), choice);
      // without events, as in training, and beside it with them, to know what it was
      const start = performance.now();
      silent.step(choice[0]!);
      const time = performance.now() - start;
      env.step(choice[0]!, undefined, log);
      const told = log.take(EVERYTHING);
      if (told.some((e) => e.what === "roll" && e.dice?.some((d) => d.purpose.startsWith("bombardment"))))
        steps.push(time);
    }
  }
  const us = (1000 * median(steps)).toFixed(1);
  console.log(
    `${scenario}: ${us} us for a step that resolves a bombardment (${steps.length}), ${(each / 1e6).toFixed(2)} MB a game`,
  );
}
