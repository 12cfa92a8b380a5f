// `node env/run.mjs test/env/streets-of-stalingrad/endings.ts [GAMES] [SCENARIO] [GERMAN:SOVIET ...]`: how a scenario
// ends between each German and each Soviet heuristic, or between these, on the same seeds for every pair; positions
// that break a rule end the run
import type { Agent } from "../../../agents/agent.js";
import { makeAgent } from "../../../agents/registry.js";
import { SeatedBatch } from "../../../agents/seats.js";
import { Batch, loadGame } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { DEAD } from "../../../env/streets-of-stalingrad/layout.js";
import { germanPoints, isHeldByGermans, levelOf } from "../../../env/streets-of-stalingrad/victory.js";
import { Tables } from "../../../env/streets-of-stalingrad/state.js";

const games = Number(process.argv[2] ?? 1000);
const AT_ONCE = 50;
const LAST_PHASE = 15;
const scenario = process.argv[3] ?? "sandbox-1";
const game = loadGame("streets-of-stalingrad", { scenario });
const tables = new Tables(loadSetting(game.type.data, scenario), game.options);
const { layout, roster } = tables;

class Counted implements Agent {
  decisions = 0;
  constructor(private readonly agent: Agent) {}
  get name(): string {
    return this.agent.name;
  }
  act(...[d, out]: Parameters<Agent["act"]>): void | Promise<void> {
    this.decisions += d.size;
    return this.agent.act(d, out);
  }
}

const add = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
const listed = (counts: Map<string, number>): string =>
  [...counts]
    .sort()
    .map(([key, n]) => `${key} ${n}`)
    .join(", ");

const all = ["random-legal", "pusher", "odds", "planner"].flatMap((german) =>
  ["random-legal", "holder", "elastic"].map((soviet) => `${german}:${soviet}`),
);
const chosen = process.argv.slice(4);

for (const pair of chosen.length > 0 ? chosen : all) {
  const [german, soviet] = pair.split(":") as [string, string];
  const held = tables.valued.map(() => 0);
  let turns = 0;
  const [points, levels, ends] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const lost = [0, 0];
  const seats = await Promise.all(
    [german, soviet].map(async (name) => new Counted(await makeAgent(`heuristic:${name}`, { game, seed: name }))),
  );
  for (let from = 0; from < games; from += AT_ONCE) {
    const size = Math.min(AT_ONCE, games - from);
    const batch = new Batch(game, { size, autoreset: "disabled" });
    await new SeatedBatch(batch, () => seats).reset(Array.from({ length: size }, (_, i) => `endings/${from + i}`));
    for (const s of batch.states) {
      const broken = game.invariantViolation(s);
      if (broken !== null) throw new Error(broken);
      const score = germanPoints(tables, s);
      add(points, String(score));
      tables.valued.forEach((h, i) => (held[i]! += isHeldByGermans(tables, s, h) ? 1 : 0));
      turns += s[layout.turn]! - tables.firstTurn + 1;
      add(levels, levelOf(tables, score)!);
      const last = s[layout.turn] === s[layout.lastTurn] && s[layout.phase] === LAST_PHASE;
      add(ends, game.actor(s) >= 0 ? "cap" : last ? "last turn" : "declared");
      for (let u = 0; u < tables.units; u++) if (s[layout.place + u] === DEAD) lost[roster.side[u]!]!++;
    }
  }
  const decisions = (seats[0]!.decisions + seats[1]!.decisions) / games;
  console.log(
    `${german} - ${soviet}: points ${listed(points)}; ${listed(levels)}; ended ${listed(ends)}; ` +
      `Germans hold ${tables.valued.map((h, i) => `${tables.board.ids[h]!} ${held[i]!}`).join(", ")}; ` +
      `${decisions.toFixed(1)} decisions and ${(turns / games).toFixed(1)} turns a game; lost ${(lost[0]! / games).toFixed(2)} German, ${(lost[1]! / games).toFixed(2)} Soviet`,
  );
}
