import { expect, test } from "vitest";
import {
  Env,
  EventLog,
  type GameEvent,
  loadGame,
  multisets6,
  type Prompt,
  SPECTATOR,
  ScriptedDice,
} from "../../../env/index.js";
import { beforeRatt } from "./table.js";

const game = loadGame("pocket-stalingrad");

/** A position with a narrator: plays action strings and keeps the events. */
function setUp(position: Parameters<Env["resetTo"]>[0]) {
  const env = new Env(game);
  env.resetTo(position, "narration");
  const log = new EventLog([SPECTATOR]);
  return {
    tell(action: string, ...dice: number[]): GameEvent[] {
      env.step(action, new ScriptedDice(dice), log);
      return log.take(SPECTATOR);
    },
    prompt: (viewer: number): Prompt => game.narration!.prompt(env.state, viewer),
    standing: () => game.narration!.standing(env.state, SPECTATOR),
    /** The line of an area on the board of letters. */
    line: (name: string) =>
      game
        .render(env.state, SPECTATOR)
        .split("\n")
        .find((line) => line.includes(name)),
  };
}

const lastArtillery = {
  turn: 2,
  areas: {
    "1": { captured: "german" },
    "2": { captured: "german" },
    "4": { german: 4 },
    "5": { soviet: 3, german: 1 },
  },
  soviet: { cmd: 1, rights: ["artillery"] },
  decision: { kind: "artillery", actor: "soviet", window: "end", passed: ["german"] },
} as const;

test("a throw is reported die by die: whose, what for, what it means", () => {
  const board = setUp({ turn: 1, active: "soviet", dice: {}, decision: { kind: "dice", actor: "soviet" } });
  const told = board.tell("roll", 5, 1, 5, 3, 5, 4, 2, 6);
  expect(told.map((e) => e.text)).toEqual([
    "Soviet unit dice: 1 3 5 5 5.",
    "Soviet Command die: 4, 4 CMD.",
    "Soviet Tactics die: 2, Unit Z + Night.",
    "Soviet Ratt die: 6, Unit Z.",
  ]);
  expect(told.flatMap((e) => e.dice!.map((d) => [d.by, d.purpose, d.faces]))).toEqual([
    ["soviet", "units", [1, 3, 5, 5, 5]],
    ["soviet", "command", [4]],
    ["soviet", "tactics", [2]],
    ["soviet", "ratt", [6]],
  ]);
});

test("explicit chance is reported as dice are", () => {
  const env = new Env(game, { chance: "explicit" });
  const log = new EventLog([SPECTATOR]);
  env.reset("explicit");
  env.step("roll", undefined, log);
  env.applyOutcome(
    multisets6(5).findIndex((m) => m.faces.join("") === "13555"),
    log,
  );
  for (const face of [4, 2, 6]) env.applyOutcome(face - 1, log);
  const thrown = new Env(game);
  thrown.reset("explicit");
  const dice = new EventLog([SPECTATOR]);
  thrown.step("roll", new ScriptedDice([5, 1, 5, 3, 5, 4, 2, 6]), dice);
  expect(log.take(SPECTATOR)).toEqual(dice.take(SPECTATOR));
});

test("the unit dice have outcomes: the least number for each area", () => {
  const board = setUp({ turn: 1, active: "soviet", dice: {}, decision: { kind: "dice", actor: "soviet" } });
  const [units] = board.tell("roll", 5, 1, 5, 3, 5, 4, 2, 6);
  expect(units!.outcome).toEqual([
    "1+ dice for Grain Elevator (1)",
    "1+ dice for Mamayev Kurgan (3)",
    "1+ dice for Dzerzhinsky Tractor Factory (5)",
    "2+ dice for Dzerzhinsky Tractor Factory (5)",
    "3+ dice for Dzerzhinsky Tractor Factory (5)",
  ]);
});

test("captures and the end of the game are reported with their reason", () => {
  const told = setUp(lastArtillery).tell("done");
  expect(told.map((e) => e.text)).toEqual([
    "The turn's Night, rights and CMD end (Soviet 1, German 0 CMD were left).",
    "The German side captures Central Stalingrad (4) (Soviet 0, German 4; 3 stars): 9 VP.",
    "The German side wins with 3 city areas.",
  ]);
  expect(told.flatMap((e) => e.outcome ?? [])).toEqual(["German captures 4", "german wins"]);
});

test("a choice that loses the game at once says so", () => {
  const done = setUp(lastArtillery)
    .prompt(0)
    .choices.find((c) => c.name === "done")!;
  expect(done.warning).toBe("The German side wins the game by this.");
  expect(done.ends).toBe("turn");
});

test("the standing counts captured areas and names the side that would win now", () => {
  const { conditions, winnerNow } = setUp(lastArtillery).standing();
  expect(winnerNow).toBe("german");
  expect(conditions.filter((c) => c.when === "end of every turn").map((c) => [c.side, c.have, c.places])).toEqual([
    ["soviet", 0, []],
    ["german", 2, ["1", "2", "4"]],
  ]);
});

test("dice for a captured area are warned of as waste", () => {
  const { choices } = setUp({
    turn: 2,
    active: "german",
    areas: { "1": { captured: "soviet" } },
    dice: { loose: { units: [1, 1, 2, 3, 4], command: 1, tactics: 1, ratt: 5 } },
    decision: { kind: "dice", actor: "german" },
  }).prompt(1);
  expect(choices.find((c) => c.name === "keep unit 1")!.warning).toBe("2 dice would be wasted: the area is captured.");
  expect(choices.find((c) => c.name === "keep unit 2")!.warning).toBeNull();
});

test("only the side that decides is given choices", () => {
  expect(setUp(lastArtillery).prompt(1).choices).toEqual([]);
  expect(setUp(lastArtillery).prompt(1).by).toBe("soviet");
});

test("CMD gained by the Ratt die and by the Tactics die are reported with the rule of their own face", () => {
  const gained = (dice: { ratt: number; tactics: number }) =>
    setUp(beforeRatt("soviet", { units: [4, 4, 4, 4, 5], command: 2, ...dice }))
      .tell("keep ratt")
      .filter((e) => e.what === "cmd")
      .map((e) => e.rule);
  expect(gained({ ratt: 2, tactics: 4 })).toEqual(["PS 3 Ratt 2"]);
  expect(gained({ ratt: 5, tactics: 5 })).toEqual(["PS 3 Soviet 5"]);
});

test("Pavlov's House: the report says whose Ratt die is thrown again, and the throw is that of the side that asks for it", () => {
  const dice = { units: [4, 4, 4, 4, 5], command: 2, tactics: 4, ratt: 2 };
  const again = (active: "soviet" | "german", holder: "soviet" | "german") => {
    const board = setUp(beforeRatt(active, dice, { areas: { "2": { [holder]: 2 } } }));
    board.tell("keep ratt");
    const told = board.tell("reroll", 1).find((e) => e.what === "reroll")!;
    expect([told.rule, told.by, told.dice![0]!.by, told.dice![0]!.faces]).toEqual(["PS Area 2", holder, holder, [1]]);
    return told.text;
  };
  expect(again("german", "soviet")).toBe("The Soviet side has the German Ratt die thrown again: 1, Sniper.");
  expect(again("german", "german")).toBe("The German side has its own Ratt die thrown again: 1, Sniper.");
});

test("where both sides have units, standing and board say that combat comes before the capture, until it is fought", () => {
  const areas = { S6: { soviet: 1 }, "1": { soviet: 3, german: 0 }, "4": { soviet: 5, german: 1 } };
  const before = setUp({
    turn: 2,
    active: "soviet",
    areas,
    decision: { kind: "cross", actor: "soviet" },
    soviet: { cmd: 1 },
  });
  const told = before.standing().conditions[0]!.text;
  expect(told).toContain("as units stand it would capture 1, and it has enough in 4, where combat comes first.");
  expect(before.line("The Grain Elevator")).toMatch(/ Soviet side would capture$/);
  expect(before.line("Central Stalingrad")).toMatch(/ combat comes first$/);
  const after = setUp({ ...lastArtillery, areas: { "4": { soviet: 5, german: 1 } } });
  expect(after.standing().conditions[0]!.text).toContain("as units stand it would capture 4.");
  expect(after.line("Central Stalingrad")).toMatch(/ Soviet side would capture$/);
});

test("a die for a captured area is kept for nothing, and says why", () => {
  const board = setUp({
    turn: 2,
    active: "soviet",
    areas: { "1": { captured: "german" } },
    dice: { kept: { units: [4, 4, 5], command: 2, tactics: 4 }, loose: { units: [1, 2], ratt: 5 }, picked: false },
    decision: { kind: "dice", actor: "soviet" },
  });
  const text = board.prompt(0).choices.find((c) => c.name === "keep unit 1")!.text;
  expect(text).toMatch(/^Keep the 1, for nothing: the area is captured \(/);
});
