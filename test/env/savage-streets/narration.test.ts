import { describe, expect, test } from "vitest";
import {
  Env,
  EventLog,
  EVERYTHING,
  type GameEvent,
  type JsonObject,
  loadGame,
  odds,
  type Prompt,
  ScriptedDice,
  type ScriptEntry,
  SPECTATOR,
  type Viewer,
} from "../../../env/index.js";
import rules from "../../../env/savage-streets/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
/** A test of one kind of event, for those that play seldom meets. */
const event = (kind: string, says: string, run: () => void): void => void test(`event ${kind}: ${says}`, run);
const GERMAN = 0;
const SOVIET = 1;

/** The events that each viewer sees of one action with these dice. */
function told(env: Env, action: string, ...dice: ScriptEntry[]): (viewer: Viewer) => GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET, SPECTATOR, EVERYTHING]);
  const script = new ScriptedDice(dice);
  env.step(action, script, log);
  expect(script.left).toBe(0);
  const kept = new Map([GERMAN, SOVIET, SPECTATOR, EVERYTHING].map((v) => [v, log.take(v)]));
  return (viewer) => kept.get(viewer)!;
}
const promptOf = (env: Env, viewer: Viewer): Prompt => env.game.narration!.prompt(env.state, viewer);
const choiceOf = (env: Env, viewer: Viewer, name: string) =>
  promptOf(env, viewer).choices.find((c) => c.name === name)!;
const texts = (events: readonly GameEvent[]): string[] => events.map((e) => e.text);

/** A sniper and an artillery chit in the hand; Soviet units in 5, 7 and 8. */
const HAND: JsonObject = {
  turn: 1,
  phase: "chits",
  areas: {
    "5": { soviet: ["I/272"], chits: ["strongpoint-1"] },
    "7": { soviet: ["6 Tk"] },
    "8": { soviet: ["20 AT"] },
  },
  hand: ["strongpoint-2", "sniper-1"],
  decision: { actor: "S", kind: "chit-place" },
};

describe("what the Soviet player hides", () => {
  rule("SS 3.0", "the owner sees which chit is placed, the others that one is placed", () => {
    const { env } = new Table(HAND);
    expect(promptOf(env, SOVIET).text).toBe("Place the strongpoint chit (strongpoint-2) face-down; 2 chits in hand.");
    expect(promptOf(env, GERMAN)).toEqual({
      by: "S",
      kind: "chit-place",
      text: "The Soviet player places an event chit.",
      rule: "SS 3.0",
      seeAlso: [],
      units: [],
      places: [],
      choices: [],
    });
    const events = told(env, "area 7");
    expect(texts(events(SOVIET))).toEqual(["The Soviet side places strongpoint-2 face-down in 7 Rodimtsev's HQ."]);
    for (const viewer of [GERMAN, SPECTATOR])
      expect(texts(events(viewer))).toEqual(["The Soviet side places a chit face-down in 7 Rodimtsev's HQ."]);
  });

  rule("SS 6.5", "placing a second strongpoint in an area warns that only one counts", () => {
    const { env } = new Table(HAND);
    expect(choiceOf(env, SOVIET, "area 5").warning).toBe("A strongpoint lies there already, and only one counts.");
    expect(choiceOf(env, SOVIET, "area 7").warning).toBeNull();
  });

  rule("SS 2.2", "a landing under fire shows its die; the unit is named to the other side only when it is lost", () => {
    const river: JsonObject = {
      turn: 3,
      phase: "sov-reinf",
      areas: {
        "6": { control: "G" },
        "7": { control: "C", german: ["I/191"], soviet: ["6 Tk:u"] },
        "8": { control: "G" },
      },
      waiting: ["I/42 Gds", "II/42 Gds"],
      decision: { actor: "S", kind: "reinf-area", unit: "I/42 Gds" },
    };
    expect(choiceOf(new Table(river).env, SOVIET, "area 7").warning).toBe(
      "It lands on 1 or 2, is turned away on 3 or 4 and lost on 5 or 6.",
    );
    const away = told(new Table(river).env, "area 7", 3);
    expect(away(SOVIET)[0]!.text).toContain("I/42 Gds is turned away");
    expect(away(GERMAN)[0]!.text).toContain("A Soviet unit is turned away");
    expect(away(GERMAN)[0]!.units).toEqual([]);
    expect(away(GERMAN)[0]!.dice![0]).toMatchObject({ by: "S", faces: [3], needed: "1 or 2 to land" });
    const lost = told(new Table(river).env, "area 7", 6);
    expect(lost(GERMAN)[0]).toMatchObject({ units: ["I/42 Gds"], outcome: "landing in 7: eliminated" });
  });

  rule("SS 1.21", "whether units or chits are too many in an area, only their owner is asked", () => {
    const full = (chits: string[], soviet: string[]): Table =>
      new Table({
        turn: 2,
        phase: "sov-move",
        areas: { "5": { soviet, chits } },
        decision: { actor: "S", kind: "sov-excess", area: "5" },
      });
    const chits = full(["dummy-1", "dummy-2", "sniper-1", "sniper-2"], ["I/272"]);
    const units = full(["dummy-1"], ["I/272", "II/272", "III/272", "Militia"]);
    expect(promptOf(chits.env, SOVIET).text).toBe("5 Station Stalingrad-1 holds too much: remove one of 4 chits.");
    expect(promptOf(chits.env, GERMAN).text).toBe(
      "The Soviet player decides: 5 Station Stalingrad-1 holds too many Soviet counters.",
    );
    expect(promptOf(units.env, GERMAN)).toEqual(promptOf(chits.env, GERMAN));
  });

  rule("SS 4.1", "a face-down counter moves without a name, a face-up unit with it", () => {
    const moving: JsonObject = {
      turn: 2,
      phase: "sov-move",
      areas: {
        "5": { control: "C", german: ["I/194"], soviet: ["I/272", "6 Tk:u"] },
        "7": { soviet: ["20 AT"] },
      },
      decision: { actor: "S", kind: "sov-pick" },
    };
    const table = new Table(moving).do("unit I/272");
    expect(promptOf(table.env, SOVIET).units).toEqual(["I/272"]);
    expect(promptOf(table.env, GERMAN).units).toEqual([]);
    const hidden = told(table.env, "area 6")(GERMAN)[0]!;
    expect(hidden).toMatchObject({ units: [], places: ["5", "6"] });
    expect(hidden.text).toBe("A face-down counter moves from 5 Station Stalingrad-1 to 6 Lenin Square.");
    const open = told(table.do("unit 6 Tk").env, "area 9")(GERMAN)[0]!;
    expect(open.text).toBe("6 Tk moves from 5 Station Stalingrad-1 to 9 Red Square.");
  });
});

describe("a combat is reported die by die", () => {
  const combat: JsonObject = {
    turn: 3,
    phase: "combat",
    areas: {
      "10": { control: "G", german: ["I/194:d", "194/HQ:d"], soviet: ["II/42 Gds:nu"] },
      "8": { control: "S", soviet: ["92 Nav"] },
    },
    pending: ["10"],
    stuka: false,
    decision: { actor: "G", kind: "combat-area" },
  };

  rule("SS 7.1", "each throw says whose it is and what it came to", () => {
    const events = told(new Table(combat).env, "area 10", 4, 1, 3, 2)(SPECTATOR);
    const dice = events.find((e) => e.what === "combat-dice")!;
    expect(dice.text).toBe("10 Nail Factory: German combat value 3, dice 4 1; Soviet 3, dice 3 2.");
    expect(dice.dice!.map((t) => [t.by, t.faces])).toEqual([
      ["G", [4, 1]],
      ["S", [3, 2]],
    ]);
  });

  rule(
    "SS 7.2",
    "the report names the winner and the reason: here one German die of two beats the Soviet high die",
    () => {
      const events = told(new Table(combat).env, "area 10", 4, 1, 3, 2)(GERMAN);
      expect(events.find((e) => e.what === "combat-decided")).toMatchObject({
        by: "G",
        outcome: "10: German win, 1 hit",
        text: "The German side wins in 10 Nail Factory: highest die 4 against 3; 1 hit on the Soviet side and 1 hit on the German side.",
      });
      const tie = told(new Table(combat).env, "area 10", 4, 1, 4, 2)(GERMAN);
      expect(tie.find((e) => e.what === "combat-decided")!.text).toContain(
        "both highest dice are 4, an HQ breaks the tie",
      );
    },
  );

  rule("SS 7.32", "a depleted unit that would take the hit is said to be eliminated", () => {
    const { env } = new Table(combat);
    told(env, "area 10", 1, 1, 3, 2);
    expect(choiceOf(env, GERMAN, "unit I/194").text).toContain("is eliminated");
    expect(told(env, "unit I/194")(GERMAN)[0]).toMatchObject({ what: "german-hit", outcome: "I/194 eliminated" });
  });

  rule("SS 6.1", "the odds of a sniper's shot are those of its table", () => {
    const { env } = new Table({
      turn: 3,
      phase: "events",
      areas: {
        "10": { control: "G", german: ["I/194", "194/HQ"], chits: ["sniper-1:u"] },
        "8": { control: "S", soviet: ["92 Nav"] },
      },
      decision: { actor: "S", kind: "sniper-target", area: "10", chit: "sniper-1" },
    });
    const found = odds(env.game, env.state, SOVIET, env.game.actions.indexOf("unit 194/HQ"));
    expect(found.method).toBe("exact");
    for (const outcome of ["194/HQ unhurt", "194/HQ is suppressed", "194/HQ loses a step"])
      expect(found.each.find((e) => e.outcome === outcome)!.probability).toBeCloseTo(1 / 3, 12);
  });
});

describe("the rules play the Soviet side in the solitaire game", () => {
  const solo: JsonObject = {
    mode: "solo",
    turn: 2,
    phase: "ger-reinf",
    areas: {
      ...Object.fromEntries(["2", "3", "4", "5", "6", "9", "10", "11", "12"].map((a) => [a, { control: "G" }])),
      "7": { soviet: ["I/272"] },
      "8": { soviet: ["6 Tk"] },
    },
    future: ["StuG/245"],
    decision: { actor: "G", kind: "ger-place", unit: "StuG/245" },
  };
  // three chits: 7 after a throw that names no Soviet area, 8, 7; then two units and three chits throw to move
  const dice: ScriptEntry[] = ["sniper-1", "dummy-1", "artillery-1", 1, 1, 3, 4, 4, 4, 3, 4];
  const rolls: ScriptEntry[] = [4, 4, 6, 6, 6, 6, 6, 6, 6, 6];
  rule("SS 10.21", "the set-up is reported: how many counters are where, and to no player which they are", () => {
    const env = new Env(loadGame("savage-streets", { mode: "solo" }));
    const log = new EventLog([GERMAN, SPECTATOR, EVERYTHING]);
    env.reset("set-up", undefined, log);
    const [own, whole] = [log.take(GERMAN), log.take(EVERYTHING)];
    expect(log.take(SPECTATOR)).toEqual(own);
    const units = whole.filter((e) => e.what === "set-up").flatMap((e) => e.units ?? []);
    expect(new Set(units).size).toBe(9);
    expect(own.map((e) => e.what)).not.toContain("set-up");
    expect(units.filter((id) => JSON.stringify(own).includes(`${id} `))).toEqual([]);
    const done = own.find((e) => e.what === "set-up-done")!;
    const counts = [...done.text.matchAll(/(\d+) in /g)].map((m) => Number(m[1]));
    expect(counts.reduce((a, b) => a + b)).toBe(9);
  });

  rule("SS 10.22", "three chits are placed in the set-up, each with its dice", () => {
    const env = new Env(loadGame("savage-streets", { mode: "solo" }));
    const log = new EventLog([GERMAN]);
    env.reset("set-up", undefined, log);
    const placed = log.take(GERMAN).filter((e) => e.what === "chit-placed");
    expect(placed).toHaveLength(3);
    for (const e of placed) expect(e.dice![0]!.faces.length).toBeGreaterThanOrEqual(2);
  });

  const opened = () => told(new Table(solo, { mode: "solo" }).env, "area A", ...dice, ...rolls);

  rule("SS 10.33", "a chit's throws are reported, those thrown again included, and not what it is", () => {
    const placed = opened()(GERMAN).filter((e) => e.what === "chit-placed");
    expect(placed.map((e) => e.dice![0]!.faces)).toEqual([
      [1, 1, 3, 4],
      [4, 4],
      [3, 4],
    ]);
    expect(placed[0]!.text).toBe("The Soviet side places a chit face-down in 7 Rodimtsev's HQ.");
  });

  rule("SS 10.4", "counters that move are reported with their dice; those that stay are reported to no player", () => {
    const events = opened();
    const moves = events(GERMAN).filter((e) => e.what === "soviet-move");
    expect(moves.map((e) => [e.text, e.dice![0]!.faces])).toEqual([
      ["A face-down unit moves from 7 Rodimtsev's HQ to 8 Central Ferry Landing.", [4, 4]],
    ]);
    expect(events(GERMAN).some((e) => e.what === "soviet-stays")).toBe(false);
    expect(events(EVERYTHING).filter((e) => e.what === "soviet-stays")).toHaveLength(4);
    expect(events(EVERYTHING).find((e) => e.what === "soviet-move")!.units).toEqual(["I/272"]);
  });
});

describe("the standing of the game", () => {
  const last = (seven: JsonObject): JsonObject => ({
    turn: 9,
    phase: "ger-move",
    areas: {
      "3": { control: "G" },
      "5": { control: "G" },
      "6": { control: "G" },
      "7": seven,
      "9": { control: "G" },
      "8": { control: "G" },
      "11": { soviet: ["92 Nav"] },
      "12": { control: "G", german: ["I/191"] },
    },
    decision: { actor: "G", kind: "ger-pick" },
  });

  rule("SS 8.2", "both landings joined to the edge win; otherwise ending the last movement warns that it loses", () => {
    const lost = new Table(last({ control: "S" })).env;
    expect(choiceOf(lost, GERMAN, "pass")).toMatchObject({
      ends: "phase",
      warning: "1 German unit has not moved. The game ends, and the German side loses.",
    });
    const standing = lost.game.narration!.standing(lost.state, GERMAN);
    expect(standing.winnerNow).toBe("S");
    expect(standing.conditions[1]).toMatchObject({ side: "G", have: 1, need: 2, places: ["7"], met: false });
    const won = new Table(last({ control: "G" })).env;
    expect(won.game.narration!.standing(won.state, SOVIET).winnerNow).toBe("G");
    expect(choiceOf(won, GERMAN, "pass").warning).toBe("1 German unit has not moved.");
  });

  rule("SS 8.1", "the counters left on the map are counted, whatever they are", () => {
    const { env } = new Table(last({ control: "S" }));
    expect(env.game.narration!.standing(env.state, GERMAN).conditions[0]).toMatchObject({
      have: 1,
      need: 0,
      places: ["11"],
    });
    const setup = new Table({ turn: 1, phase: "setup", areas: { "5": { soviet: ["I/272"] } } }).env;
    const [before] = setup.game.narration!.standing(setup.state, GERMAN).conditions;
    expect([before!.have, before!.places]).toEqual([9, []]);
  });
});

describe("what play seldom meets", () => {
  /** A dummy left a way open from 10, where a molotov still makes a combat. */
  const open: JsonObject = {
    turn: 3,
    phase: "combat",
    areas: {
      "10": { control: "C", german: ["I/194"], chits: ["molotov-1:u"] },
      "11": { control: "G" },
      "8": { soviet: ["92 Nav"] },
    },
    pending: ["10"],
    free: ["10"],
    stuka: false,
    decision: { actor: "G", kind: "combat-area" },
  };

  event("combat-called-off", "nobody stays behind for it, and the molotov returns", () => {
    const table = new Table(open).do("area 10").do("area 11");
    const events = told(table.env, "unit I/194")(GERMAN);
    expect(events.slice(0, 4).map((e) => e.what)).toEqual([
      "breakthrough",
      "control",
      "combat-called-off",
      "chit-returns",
    ]);
    expect(events[2]!.text).toBe("No German stays in 10 Nail Factory: the combat there is called off.");
  });

  event("combat-called-off", "guns left no German there", () => {
    const { env } = new Table(
      {
        turn: 3,
        phase: "combat",
        areas: { "10": { control: "C", german: ["StuG/244:d"], soviet: ["20 AT:nu"] } },
        pending: ["10"],
        stuka: false,
        decision: { actor: "G", kind: "combat-area" },
      },
      { antitank: true },
    );
    told(env, "area 10");
    const events = told(env, "unit StuG/244", 6)(GERMAN);
    expect(events.slice(0, 2).map((e) => [e.what, e.outcome])).toEqual([
      ["aimed", undefined],
      ["shot", "StuG/244 is eliminated"],
    ]);
    expect(events.find((e) => e.what === "combat-called-off")!.text).toBe(
      "No German is left in 10 Nail Factory: there is no combat.",
    );
  });

  event("breakthrough-dropped", "a way that a dummy left open is given up with a warning", () => {
    const table = new Table({
      ...open,
      areas: { ...(open["areas"] as JsonObject), "10": { control: "G", german: ["I/194"] } },
      pending: [],
    });
    expect(choiceOf(table.env, GERMAN, "pass")).toMatchObject({
      text: "Give up the breakthrough from 10",
      ends: "turn",
      warning: "The breakthrough is lost for good.",
    });
    expect(told(table.env, "pass")(GERMAN)[0]).toMatchObject({
      what: "breakthrough-dropped",
      rule: "SS 6.7",
      places: ["10"],
    });
  });
});

rule(
  "SS 5.1",
  "before a German unit is moved, its reach and the combat ahead are shown, from what the German knows alone",
  () => {
    const at = (soviet: string[]): JsonObject => ({
      turn: 2,
      phase: "ger-move",
      areas: { A: { german: ["I/194"] }, "3": { soviet }, "9": { soviet: ["6 Tk"] } },
      decision: { actor: "G", kind: "ger-pick" },
    });
    const { env } = new Table(at(["I/272"]));
    const picked = (e: Env) => promptOf(e, GERMAN).choices.find((c) => c.units.includes("I/194"))!;
    const pick = picked(env);
    const reach = new Map(pick.reach!.map((r) => [r.place, r.cost]));
    expect(reach.get("3"), "next to A, a Soviet counter stops there").toBe(1);
    expect([...reach.values()].every((cost) => cost === 1 || cost === 2)).toBe(true);
    const told = (soviet: string[]): string => {
      const table = new Table(at(soviet));
      table.env.step(picked(table.env).action);
      return promptOf(table.env, GERMAN).choices.find((c) => c.places.includes("3"))!.text;
    };
    expect(told(["I/272"])).toMatch(/MP 1 of 2: .*it must stop; German value 4 against 2 and 1 face-down/);
    expect(told(["II/272"]), "the unit there changes nothing").toBe(told(["I/272"]));
  },
);

rule("SS 9.22", "what a German unit would bring is shown without a look at the face-down counters there", () => {
  const told = (entering: string, soviet: string[]): string => {
    const { env } = new Table(
      {
        turn: 2,
        phase: "ger-move",
        areas: { A: { german: [entering] }, "3": { german: ["StuG/244"], soviet }, "9": { soviet: ["6 Tk"] } },
        decision: { actor: "G", kind: "ger-pick" },
      },
      { armor: true },
    );
    env.step(promptOf(env, GERMAN).choices.find((c) => c.units.includes(entering))!.action);
    return promptOf(env, GERMAN).choices.find((c) => c.places.includes("3"))!.text;
  };
  expect(told("StuG/245", ["I/272"]), "infantry face-down would take 1 from each").toMatch(/German value 8 against/);
  expect(told("StuG/245", ["I/272"])).toBe(told("StuG/245", ["137 Tk"]));
  expect(told("StuG/245", ["I/272:u"]), "infantry face-up takes 1 from each").toMatch(/German value 6 against/);
  expect(told("I/194", ["I/272:u"]), "a battalion supports them").toMatch(/German value 8 against/);
});
