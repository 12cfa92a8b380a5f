import { expect, test } from "vitest";
import {
  Env,
  EventLog,
  EVERYTHING,
  type GameEvent,
  type JsonObject,
  loadGame,
  sceneOf,
  ScriptedDice,
  type ScriptEntry,
} from "../../../env/index.js";
import { event } from "../../event.js";
import { table } from "./table.js";

/** Plays an action with these dice. @returns the events for the player, and for the viewer of everything */
function play(position: JsonObject, action: string, dice: readonly ScriptEntry[]): [GameEvent[], GameEvent[]] {
  const env = table(position);
  const log = new EventLog([0, EVERYTHING]);
  env.step(action, new ScriptedDice(dice), log);
  return [log.take(0), log.take(EVERYTHING)];
}

const ask = (position: JsonObject) => {
  const env = table(position);
  return env.game.narration!.prompt(env.state, 0);
};

const nextTo = {
  turn: 1,
  phase: "fire",
  german: { "gren-1": { hex: "2015", fired: true } },
  soviet: { "rifle-1": { hex: "2013" } },
};

event("reinstated", "the truck given up is named, and whose gun it loads", () => {
  const [told] = play(
    { turn: 1, phase: "reinstate", german: { "jagd-1": { hex: "waiting" }, "truck-1": { hex: "waiting" } } },
    "reinstate jagd",
    [],
  );
  expect(told.map((e) => [e.what, e.text, e.units])).toEqual([
    ["reinstated", "Truck 1 is given up: the JagdPanther has shells for its gun.", ["truck-1"]],
  ]);
});

test("an attack shows its die, what was needed and the result", () => {
  const [told] = play(
    {
      turn: 1,
      phase: "target",
      active: { unit: "gren-1" },
      german: { "gren-1": { hex: "2015" } },
      soviet: { "atgun-1": { hex: "2013", seen: true } },
    },
    "hex 2013",
    [5],
  );
  const attack = told.find((e) => e.what === "attack")!;
  expect(attack.dice).toEqual([
    {
      by: "german",
      purpose: "attack",
      sides: 6,
      faces: [5],
      needed: expect.stringContaining("5+ suppresses"),
      result: "suppressed",
    },
  ]);
  expect(attack.outcome).toBe("AT gun 1 suppressed");
});

test("texts call a counter by its type and number, one alone of its type by the type; other fields keep its id", () => {
  const [told] = play(
    {
      turn: 1,
      phase: "target",
      active: { unit: "jagd-1" },
      german: { "jagd-1": { hex: "2015" } },
      soviet: { "rifle-2": { hex: "2013", seen: true } },
    },
    "hex 2013",
    [1],
  );
  const attack = told.find((e) => e.what === "attack")!;
  expect(attack.text).toMatch(/^JagdPanther fires at rifle unit 2 in 2013/);
  expect(attack.units).toEqual(["jagd-1", "rifle-2"]);
});

test("no question or choice contains the id of a counter", () => {
  const soviet = { "rifle-1": { hex: "2013" } };
  const prompts = [
    ask({ turn: 1, phase: "buy", budget: 40 }),
    ask({ turn: 1, phase: "move", german: { "vs-2": { hex: "2015" }, "truck-1": { hex: "waiting" } } }),
    ask({ turn: 1, phase: "step", active: { unit: "vs-2", mp: 3 }, german: { "vs-2": { hex: "2015" } } }),
    ask({ turn: 1, phase: "target", active: { unit: "vs-2" }, german: { "vs-2": { hex: "2015" } }, soviet }),
  ];
  const texts = prompts.flatMap((p) => [p.text, ...p.choices.map((c) => c.text)]);
  expect(texts).toContain("Move Volkssturm 2 (in 2015, 3 MP)");
  expect(texts.filter((text) => /\b(vs|truck|gren|panther|marder|sdk|stug|jagd)-\d/i.test(text))).toEqual([]);
});

test("the caption and whoever points at a counter name it as texts do", () => {
  const env = table({ turn: 1, phase: "step", active: { unit: "sdk-1", mp: 3 }, german: { "sdk-1": { hex: "2015" } } });
  const { caption, counters } = sceneOf(env.game, env.state, 0);
  expect(caption).toBe("Turn 1 of 12: a unit moves. Active: Uhu halftrack 1, 3 MP left.");
  expect(counters.find((c) => c.unit === "sdk-1")!.title).toMatch(/^Uhu halftrack 1 \(SdKfz 251 with Uhu\), night/);
});

test("only the viewer of everything sees the die of a contact that does not fire", () => {
  const [told, all] = play(nextTo, "done", [1, 1]);
  expect(told.map((e) => e.what)).not.toContain("look");
  expect(all.map((e) => e.what)).toContain("look");
  expect(JSON.stringify(told)).not.toContain("rifle-1");
});

test("entering fire and ending phases with units unused is warned of", () => {
  const { choices } = ask({
    turn: 1,
    phase: "move",
    german: { "panther-1": { hex: "2015" }, "sdk-1": { hex: "2016" } },
  });
  const done = choices.at(-1)!;
  expect([done.name, done.ends, done.warning]).toEqual(["done", "phase", "2 units have not moved."]);
});

test("to stop is never the first choice while a unit can move", () => {
  const moving = ask({
    turn: 1,
    phase: "step",
    active: { unit: "panther-1", mp: 3 },
    german: { "panther-1": { hex: "2015" } },
  });
  expect(moving.choices.at(-1)!.name).toBe("stop");
  expect(moving.choices[0]!.name).toMatch(/^hex /);
});

test("Soviet fire is reported with Soviet dice", () => {
  const [, all] = play(nextTo, "done", [1, 6, 6, 1, 1]);
  const shots = all.filter((e) => ["look", "attack", "flare"].includes(e.what));
  expect(shots.map((e) => [e.what, e.by, e.dice![0]!.by, e.dice![0]!.faces])).toEqual([
    ["flare", "soviet", "soviet", [1]],
    ["look", "soviet", "soviet", [6]],
    ["attack", "soviet", "soviet", [6]],
  ]);
});

test("the start reports how many contacts are on the map, and to no player which", () => {
  const game = loadGame("night-fight");
  const env = new Env(game);
  const log = new EventLog([0, EVERYTHING]);
  env.reset("contacts", undefined, log);
  const [[own], [whole]] = [log.take(0), log.take(EVERYTHING)];
  expect([own!.what, own!.units, own!.dice]).toEqual(["dealt", undefined, undefined]);
  expect([whole!.units!.length, whole!.dice![0]!.faces]).toEqual([own!.amount, whole!.units]);
});

event("flare", "the die for a flare is the Soviets', and what it lights is named", () => {
  const position = { turn: 1, phase: "fire", german: { "gren-1": { hex: "2015", fired: true } } };
  const [told] = play(position, "done", [6]);
  const flare = told.find((e) => e.what === "flare")!;
  expect([flare.by, flare.text]).toEqual(["soviet", "Soviet flare: 6, lights 2015."]);
});

test("the standing gives the chance of the victory roll", () => {
  const gone = Object.fromEntries(["gren-1", "gren-2", "panther-1"].map((u) => [u, { hex: "exited" }]));
  const env = table({
    turn: 3,
    phase: "move",
    german: { ...gone, "gren-3": { hex: "2015" }, "truck-1": { hex: "exited" }, "truck-2": { hex: "exited" } },
  });
  const { conditions, winnerNow, ifEndedNow } = env.game.narration!.standing(env.state, 0);
  expect([conditions[0]!.have, conditions[0]!.need, winnerNow]).toEqual([5, 13, null]);
  expect(ifEndedNow).toBe("With 5 units out and 0 trucks not out the victory roll wins in 17 % of cases."); // 6 of 36
});

test("a unit that no die can help is offered with a warning, and does not count as one that has not fired", () => {
  // in the town of 2019, four hexes away, a truck finds something with a 7
  const far = {
    turn: 1,
    phase: "fire",
    columns: ["gone", "gone"],
    german: { "truck-1": { hex: "2422" } },
    soviet: { "rifle-1": { hex: "2019" } },
  } as const;
  const near = { ...far, soviet: { "rifle-1": { hex: "2421" } } };
  const of = (position: JsonObject) => {
    const { choices } = ask(position);
    return ["unit truck-1", "done"].map((name) => choices.find((c) => c.name === name)?.warning ?? null);
  };
  expect(of(far)).toEqual([expect.stringContaining("No die is enough"), null]);
  expect(of(near)).toEqual([null, "1 unit has not fired."]);
});
