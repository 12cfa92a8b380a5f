// `node env/run.mjs test/env/streets-of-stalingrad/used.ts [GAMES] [SCENARIO] [GERMAN:SOVIET ...] [OPTION=VALUE ...]`:
// how often the rules of the river, of works, of the Administrative Phase and of the campaign decide something in games
// between heuristics, how these end, and how much of the room in a state they take at most
import { makeAgent } from "../../../agents/registry.js";
import { Env, EventLog, EVERYTHING, loadGame, type GameEvent, type StateView } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { DEAD, FRAMES, POOL, RECORDS, type UnitId } from "../../../env/streets-of-stalingrad/layout.js";
import { placeOf, Tables } from "../../../env/streets-of-stalingrad/state.js";
import { germanPoints, isHeldByGermans, LEVELS, levelOf } from "../../../env/streets-of-stalingrad/victory.js";
import { OneDecision } from "../../../server/session/one-decision.js";

const games = Number(process.argv[2] ?? 20);
const scenario = process.argv[3] ?? "scenario-7";
const rest = process.argv.slice(4);
const options = Object.fromEntries(rest.filter((a) => a.includes("=")).map((a) => a.split("=") as [string, string]));
const pairs = rest.filter((a) => a.includes(":"));
const game = loadGame("streets-of-stalingrad", { scenario, ...options });
const tables = new Tables(loadSetting(game.type.data, scenario), game.options);
const { board, layout, roster } = tables;
const spares = roster.counters.flatMap(({ spare }, u) => (spare ? [u as UnitId] : []));
const isRiver = (place: string | undefined): boolean => board.volga[board.ids.indexOf(place ?? "")] === 1;

/** What an event is of the river, besides its kind: put out from a box, landed on a bank, lost on the way. */
function river({ what, places = [] }: GameEvent): string[] {
  const [from, to] = [places[0], places.at(-1)];
  if (what === "moves" && isRiver(to)) return ["puts out"];
  if (what === "moves" && isRiver(from)) return ["lands"];
  return what === "lost" && isRiver(from) ? ["lost on the Volga"] : [];
}

/** Room of a state that is taken: frames on the stack, missions, dice of an action, and counters made in play. */
function room(s: StateView): Record<string, number> {
  return {
    [`frames of ${FRAMES}`]: s[layout.depth]!,
    [`missions of ${tables.missions}`]: s[layout.missionCount]!,
    [`dice records of ${RECORDS}`]: s[layout.recordCount]!,
    [`spare counters of ${spares.length}`]: spares.filter((u) => ![POOL, DEAD].includes(placeOf(tables, s, u))).length,
  };
}

const listed = (counts: Map<string, number>): string => [...counts].map(([key, n]) => `${key}: ${n}`).join(", ");
const add = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);

for (const pair of pairs.length > 0 ? pairs : ["planner:ferryman"]) {
  /** Events of a game by kind, and games that have any. */
  const counts = new Map<string, [events: number, games: number]>();
  const [levels, points, turns] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const held = tables.valued.map(() => 0);
  const most = new Map<string, number>();
  let decisions = 0;
  for (let g = 0; g < games; g++) {
    const agents = await Promise.all(
      pair.split(":").map((name, i) => makeAgent(`heuristic:${name}`, { game, seed: `used/${g}/${i}` })),
    );
    const env = new Env(game, { skipForced: true });
    env.reset(`used/${g}`);
    const log = new EventLog([EVERYTHING] as const);
    const out = new Int32Array(1);
    const seen = new Map<string, number>();
    const note = (events: readonly GameEvent[]): void => {
      for (const e of events) for (const what of [e.what, ...river(e)]) seen.set(what, (seen.get(what) ?? 0) + 1);
    };
    while (!env.terminated) {
      await agents[env.actor]!.act(new OneDecision(env), out);
      env.step(out[0]!, undefined, log);
      note(log.take(EVERYTHING));
      decisions++;
      for (const [what, n] of Object.entries(room(env.state))) most.set(what, Math.max(most.get(what) ?? 0, n));
    }
    add(levels, levelOf(tables, germanPoints(tables, env.state))!);
    add(points, String(germanPoints(tables, env.state)));
    add(turns, String(env.state[layout.turn]!));
    tables.valued.forEach((h, i) => (held[i]! += isHeldByGermans(tables, env.state, h) ? 1 : 0));
    for (const [what, n] of seen) {
      const [events, of] = counts.get(what) ?? [0, 0];
      counts.set(what, [events + n, of + 1]);
    }
  }
  console.log(
    `${pair} ${rest.filter((a) => a.includes("=")).join(" ")}: ${LEVELS.map((level) => `${level} ${levels.get(level) ?? 0}`).join(", ")} of ${games}, ${(decisions / games).toFixed(0)} decisions`,
  );
  console.log(`  German points: ${listed(points)}; last turn: ${listed(turns)}`);
  console.log(`  Germans hold ${tables.valued.map((h, i) => `${board.ids[h]!} ${held[i]!}`).join(", ")}`);
  console.log(`  at most: ${listed(most)}`);
  for (const [what, [n, of]] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    console.log(`  ${what} ${(n / games).toFixed(2)} a game, in ${of} games`);
}
