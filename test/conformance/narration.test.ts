import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { heuristicNames } from "../../agents/heuristics/index.js";
import { makeAgent } from "../../agents/registry.js";
import {
  Env,
  EventLog,
  EVERYTHING,
  type Game,
  type GameEvent,
  GAMES,
  loadGame,
  type GameType,
  type JsonObject,
} from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";
import { TOYS } from "../toys/index.js";
import { differingPaths, eventsApart, matches, silentPaths } from "./narration.js";
import { optionSets } from "./option-sets.js";

/** Games of one player in one option set. */
const PLAYED = 3;

/** Kinds of events that the viewer of everything sees, in games of one agent against itself. */
async function kindsIn(game: Game, agentName: string, found: Set<string>): Promise<void> {
  for (let g = 0; g < PLAYED; g++) {
    const seed = `kinds/${agentName}/${g}`;
    const agent = await makeAgent(agentName, { game, seed });
    const env = new Env(game);
    const log = new EventLog([EVERYTHING]);
    const choice = new Int32Array(1);
    env.reset(seed, undefined, log);
    for (const e of log.take(EVERYTHING)) found.add(e.what);
    while (env.actor >= 0 && !env.truncated) {
      await agent.act(new OneDecision(env), choice);
      env.step(choice[0]!, undefined, log);
      for (const e of log.take(EVERYTHING)) found.add(e.what);
    }
  }
}

/**
 * The first action of a game of one agent against itself that changes something without an event; null when there is
 * none.
 */
async function silentIn(game: Game, agentName: string, seed: string): Promise<string | null> {
  const agent = await makeAgent(agentName, { game, seed });
  const env = new Env(game);
  const log = new EventLog([EVERYTHING]);
  const choice = new Int32Array(1);
  env.reset(seed);
  while (env.actor >= 0 && !env.truncated) {
    await agent.act(new OneDecision(env), choice);
    const before = game.view(env.state, EVERYTHING);
    env.step(choice[0]!, undefined, log);
    const silent = silentPaths(game.type.events!, before, game.view(env.state, EVERYTHING), log.take(EVERYTHING));
    if (silent.length > 0) return `${game.actions[choice[0]!]}: ${silent.join(", ")}`;
  }
  return null;
}

/** Kinds that a test of the game names: `event("KIND", ...)`. */
function kindsTested(type: GameType): string[] {
  const folder = new URL(`../env/${type.id}/`, import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(/\bevent\(\s*"([a-z-]+)"/g)])
    .map((m) => m[1]!);
}

const narrating = [...TOYS, ...GAMES].filter((type) => type.events !== undefined);

test.each(narrating.map((type) => ({ id: type.id, type })))(
  "$id: every kind of event is met in play or has a test",
  async ({ type }) => {
    const found = new Set<string>();
    const all = Object.keys(type.events!.kinds);
    const sets = optionSets(type);
    const agents = heuristicNames(type.id).map((name) => `heuristic:${name}`);
    const plays: (readonly [Game, string])[] = [
      ...sets.map(({ game }) => [game, "random"] as const),
      ...agents.map((name) => [sets[0]!.game, name] as const),
    ];
    for (const [game, name] of plays) if (!all.every((kind) => found.has(kind))) await kindsIn(game, name, found);
    const unmet = all.filter((kind) => !found.has(kind));
    const tested = unmet.length > 0 ? kindsTested(type) : [];
    const missing = unmet.filter((kind) => !tested.includes(kind));
    expect(missing, `no game met these; test each in test/env/${type.id}: event("KIND", ...) of test/event.ts`).toEqual(
      [],
    );
  },
);

test.each(narrating.map((type) => ({ id: type.id, type })))(
  "$id: nothing is silent in whole games",
  async ({ type }) => {
    const { game } = optionSets(type)[0]!;
    const strongest = heuristicNames(type.id).at(-1);
    for (const name of ["random", ...(strongest === undefined ? [] : [`heuristic:${strongest}`])])
      expect(await silentIn(game, name, "silent")).toBeNull();
  },
);

test("documents differ at paths: lists of objects by index, other lists and missing keys as a whole", () => {
  const before: JsonObject = { a: { b: 1, c: [1, 2] }, units: [{ at: "5" }, { at: "6" }], gone: { x: 1 }, same: [1] };
  const after: JsonObject = { a: { b: 2, c: [2, 1] }, units: [{ at: "5" }, { at: "7" }], same: [1] };
  expect(differingPaths(before, after)).toEqual(["a.b", "a.c", "units.1.at", "gone"]);
});

test("a pattern takes in the paths it says", () => {
  expect(matches("areas.*.fort", "areas.3.fort")).toBe(true);
  expect(matches("areas.*", "areas.3.fort")).toBe(false);
  expect(matches("areas.**", "areas.3.fort")).toBe(true);
  expect(matches("areas.3.**", "areas.3")).toBe(true);
  expect(matches("areas.4.**", "areas.3.fort")).toBe(false);
});

test("events of two worlds may part only where dice that are seen fall differently", () => {
  const shot = (face: number): GameEvent => ({
    what: "shot",
    rule: "1",
    by: "red",
    text: `Thrown: ${face}.`,
    dice: [{ by: "red", purpose: "shot", sides: 6, faces: [face], needed: "4+", result: face > 3 ? "hit" : "miss" }],
  });
  const dust: GameEvent = { what: "dust", rule: "1", by: null, text: "Dust rises." };
  expect(eventsApart([shot(3), dust], [shot(3), dust])).toBeNull();
  expect(eventsApart([shot(3), dust], [shot(4)])).toBeNull();
  expect(eventsApart([shot(3), dust], [shot(3)])).not.toBeNull();
  expect(eventsApart([dust, shot(3)], [shot(4)])).not.toBeNull();
  expect(eventsApart([shot(3)], [{ ...shot(4), what: "hit" }])).not.toBeNull();
  const seen = (text: string) => ({ ...dust, what: "reveals", text });
  const passing = { reveals: { says: "A counter is seen", changes: [], passing: true } };
  expect(eventsApart([seen("a tank"), dust], [seen("a gun"), dust])).not.toBeNull();
  expect(eventsApart([seen("a tank"), dust], [seen("a gun")], passing)).toBeNull();
  // which of two units was the marker and which was drawn is no longer hidden when both are in the battle
  const turnedUp = (id: string): GameEvent => ({ ...dust, what: "marker-turned-up", units: [id] });
  const { kinds } = loadGame("strike-counterstrike").type.events!;
  expect(eventsApart([turnedUp("pz-9"), dust], [turnedUp("pz-7"), dust], kinds)).toBeNull();
  const steps = { moves: { says: "Units move one hex on", changes: [], way: true } };
  const step = (to: string, text: string): GameEvent => ({
    what: "moves",
    rule: "1",
    by: "red",
    text,
    places: ["1", to],
  });
  expect(eventsApart([step("2", "on")], [step("3", "on")], steps)).toBeNull();
  expect(eventsApart([step("2", "by lorry")], [step("2", "on foot")], steps)).not.toBeNull();
  // a walk goes on, or ends; another walk does not begin unseen
  const walk = (from: string, to: string): GameEvent => ({ ...step(to, "on"), places: [from, to] });
  expect(eventsApart([walk("1", "2"), walk("2", "3")], [walk("1", "2"), dust], steps)).toBeNull();
  expect(eventsApart([walk("1", "2")], [walk("1", "2"), walk("2", "3")], steps)).toBeNull();
  expect(eventsApart([walk("1", "2")], [dust], steps)).not.toBeNull();
  expect(eventsApart([walk("1", "2"), walk("5", "6")], [walk("1", "2"), dust], steps)).not.toBeNull();
  expect(eventsApart([dust, seen("a tank")], [{ ...dust, text: "smoke" }, seen("a gun")], passing)).not.toBeNull();
});
