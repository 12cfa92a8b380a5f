import { describe, expect, test } from "vitest";
import { Env } from "../../../env/core/env.js";
import { ScriptedDice, type ScriptEntry } from "../../../env/core/dice/dice.js";
import { EVERYTHING, type JsonObject, SPECTATOR } from "../../../env/core/game.js";
import { EventLog, type GameEvent, type Prompt, type Standing } from "../../../env/core/narration.js";
import { type Odds, odds } from "../../../env/core/odds.js";
import { newState } from "../../../env/core/layout.js";
import { Rng } from "../../../env/core/dice/rng.js";
import { at, game, play, position, rule } from "./table.js";

/** A test of one kind of event, for those that play seldom meets. */
const event = (kind: string, says: string, run: () => void): void => void test(`event ${kind}: ${says}`, run);

/** The events that the player sees of one action with these dice. */
function told(env: Env, action: string, ...dice: ScriptEntry[]): GameEvent[] {
  const log = new EventLog([0]);
  const script = new ScriptedDice(dice);
  env.step(action, script, log);
  expect(script.left).toBe(0);
  return log.take(0);
}
const texts = (events: readonly GameEvent[]): string[] => events.map((e) => e.text);
const kinds = (events: readonly GameEvent[]): string[] => events.map((e) => e.what);
const promptOf = (env: Env, viewer = 0): Prompt => game.narration!.prompt(env.state, viewer);
const standingOf = (env: Env): Standing => game.narration!.standing(env.state, 0);
const choiceOf = (env: Env, name: string) => promptOf(env).choices.find((c) => c.name === name)!;

const HALF_K_LINE = [
  ..."2001 2002 2003 2103 2104 2204 2205 2304 2305 2404 2405 2406 2407 2408 2505 2506 2507 1900".split(" "),
];
/** The finger 2513, 2612, 2613 beside Tula. */
const FINGER: JsonObject = { turn: 1, front: { "2513": "pz-2", "2612": "inf-162", "2613": "pz-1" } };

describe("a battle is reported round by round", () => {
  rule("SC 10.1", "each throw says whose it is, what it needed and what came of it, in the order of fire", () => {
    const env = play(
      at({ turn: 1, front: { "2409": "pz-1" } }),
      ["army 5"],
      ["hex 2409", 4, "inf-161", "inf-162", "sec-201"],
    );
    const events = told(env, "hold", 6, 5, 1, 1, 1, 1, 1, 5);
    const throws = events.flatMap((e) => e.dice ?? []);
    expect(throws.map((t) => [t.by, t.faces, t.needed, t.result])).toEqual([
      ["german", [6], "4+", "1 hit"],
      ["german", [5, 1], "5+", "1 hit"],
      ["soviet", [1, 1, 1, 1], "4+", "no hit"],
      ["german", [5], "6+", "no hit"],
    ]);
    expect(texts(events)).toContain("Fifth Army loses 1 step (5 left).");
    expect(kinds(events)[0]).toBe("round-begun");
    expect(kinds(events).at(-1)).toBe("round-undecided");
  });

  rule("SC 1.4", "modifiers name themselves", () => {
    const env = play(at({ turn: 1, front: { "2506": "pz-1" } }), ["army 20"], ["hex 2506", 3, "rotkopf", "inf-161"]);
    const mech = told(env, "hold", 1, 1, 1, 1, 1, 1, 1, 1).find((e) => e.text.includes("mechanized"))!;
    expect(mech.text).toContain("+1 Rotkopf Ammunition and -1 forest");
    expect(mech.dice![0]!.needed).toBe("4+");
  });

  rule("SC 10.10", "a Raid is named with the dice it helps, and leaves after the round", () => {
    const env = play(at({ turn: 1, front: { "2409": "pz-1" } }), ["army 5"], ["hex 2409", 3, "raid-a", "inf-161"]);
    const events = told(env, "hold", 1, 1, 1, 1, 1, 1, 1, 1);
    expect(events.find((e) => e.by === "soviet" && e.what === "fired")!.dice![0]!.needed).toBe("3+, two hits on 6");
    expect(events.find((e) => e.what === "support-left")!.rule).toBe("SC 10.10");
  });

  rule("SC 10.11", "VI IC throws a die a unit, and who it hits is named", () => {
    const env = play(at({ turn: 1, front: { "2409": "pz-1" } }), ["army 5"], ["hex 2409", 2, "inf-161"]);
    const events = told(env, "commit", 1, 1, 1, 1, 1, 1, 1, 1, 5, 2);
    expect(kinds(events)[0]).toBe("interceptor-sent");
    expect(events.find((e) => e.units?.includes("VI-IC") && e.what === "fired")!.dice![0]!.faces).toEqual([5, 2]);
    expect(events.find((e) => e.what === "units-lost")!.units).toEqual(["pz-1"]);
  });

  rule("SC 9.6", "falling back without MP is reported as forced", () => {
    const env = play(at({ turn: 1, front: { "2409": "pz-1" } }), ["army 5"], ["hex 2409", 2, "inf-161"]);
    play(env, ["hold", 1, 1, 1, 1, 1, 1, 1, 1]);
    const pressed = told(env, "press");
    expect(pressed[0]!.text).toBe("Fifth Army presses on in 2409 Naro-Fominsk for 1 MP (0 left).");
    const last = told(env, "hold", 1, 1, 1, 1, 1, 1, 1, 1).at(-1)!;
    expect([last.what, last.rule, last.places, last.outcome]).toEqual([
      "fell-back",
      "SC 9.6",
      ["2409", "2508"],
      "2409 Naro-Fominsk holds, Fifth Army falls back",
    ]);
  });
});

describe("odds of a battle", () => {
  /** Fifth Army with two steps against one panzer division, in the open. */
  const duel = () => at({ turn: 1, front: { "2409": "pz-1" }, armies: { "5": { hex: "2508", steps: 2 } } });
  const chanceOf = (found: Odds, outcome: string): number =>
    found.each.find((e) => e.outcome === outcome)?.probability ?? 0;

  rule("SC 10.1", "a round costs a step in half of all throws, and then has one die of 4+ instead of two", () => {
    const env = play(duel(), ["army 5"], ["hex 2409", 1]);
    const found = odds(game, env.state, 0, game.actions.indexOf("hold"));
    expect(chanceOf(found, "Soviet steps lost: 1")).toBeCloseTo(1 / 2, 1);
    expect(chanceOf(found, "2409 Naro-Fominsk captured")).toBeCloseTo((1 / 2) * (3 / 4) + (1 / 2) * (1 / 2), 1);
    expect(chanceOf(found, "Fifth Army destroyed")).toBe(0);
  });

  rule("SC 10.11", "those of an attack go on to the end of the first round, with VI IC held back", () => {
    const env = play(duel(), ["army 5"]);
    const found = odds(game, env.state, 0, game.actions.indexOf("hex 2409"));
    expect(found.presumed[0]).toBe("hold");
    const ends = ["2409 Naro-Fominsk captured", "undecided after this round", "Fifth Army destroyed"];
    for (const r of found.results) expect(r.outcomes.filter((o) => ends.includes(o))).toHaveLength(1);
    expect(ends.every((o) => chanceOf(found, o) > 0.05)).toBe(true);
  });
});

describe("forced German procedures are reported with their hexes", () => {
  rule("SC 8.4", "a threatened pocket, its relief force and the breakout", () => {
    const env = play(at(FINGER), ["army 61"]);
    const attack = told(env, "hex 2513", 2, "inf-161", "sec-201");
    expect(attack.find((e) => e.what === "pocket-threatened")!.places).toEqual(["2513", "2612", "2613"]);
    expect(attack.find((e) => e.what === "garrison-rolled")!.rule).toBe("SC 8.5");
    const win = told(env, "hold", 1, 1, 6, 6, 6, 6, 6, 6, 1, 1, 1, 2, 1, "sec-203");
    const rolled = win.find((e) => e.what === "breakout-rolled")!;
    expect([rolled.dice![0]!.faces, rolled.amount]).toEqual([[1, 2], 1]);
    expect(win.find((e) => e.what === "breakout-failed")!.places).toEqual(["2513", "2612", "2613"]);
    expect(win.map((e) => e.outcome).filter((x) => x !== undefined)).toEqual([
      "pocket of 2612 Venev and 2613 Stalinogorsk taken",
      "2513 captured",
    ]);
  });

  rule("SC 2.6", "units that die are named, whether all do, one class is left or the player chose", () => {
    const start = (garrison: string[]): Env =>
      play(at({ turn: 1, garrisons: { "2409": garrison } }), ["army 5"], ["hex 2409"]);
    const lost = (events: GameEvent[]) => events.filter((e) => e.what === "units-lost").map((e) => e.units);
    const all = start(["pz-1", "sec-201"]);
    expect(lost(told(all, "hold", 1, 4, 4, 1, 1, 1, 1, "inf-162", "inf-167"))).toEqual([["pz-1", "sec-201"]]);
    expect(lost(told(start(["inf-161", "inf-162"]), "hold", 1, 1, 4, 1, 1, 1, 1, 1))).toEqual([["inf-161"]]);
    const choice = start(["pz-1", "sec-201"]);
    expect(lost(told(choice, "hold", 1, 4, 1, 1, 1, 1, 1))).toEqual([]);
    expect(lost(told(choice, "lose sec"))).toEqual([["sec-201"]]);
  });

  rule("SC 8.6", "a garrison of the pocket that breaks out is named, and the pocket's loss too", () => {
    const position = {
      turn: 1,
      front: { "2513": "raid-a", "2612": "inf-162" },
      garrisons: { "2613": ["pz-1", "pz-3"] },
    };
    const env = play(at(position), ["army 61"]);
    const events = told(env, "hex 2513", 1, "rotkopf", 2, 2, 1, 1, "inf-161");
    const units = (kind: string) => events.filter((e) => e.what === kind).flatMap((e) => e.units ?? []);
    expect(units("breakout-joined")).toEqual(["inf-162", "pz-1"]);
    expect(units("breakout-failed").sort()).toEqual(["inf-162", "pz-1", "pz-3"]);
  });

  rule("SC 8.3", "the die for the garrison is reported, then what it draws", () => {
    const env = play(at({ turn: 1, front: { "2409": "inf-161" } }), ["army 5"]);
    const events = told(env, "hex 2409", 2, "inf-162");
    expect(events.flatMap((e) => e.dice ?? []).map((d) => d.faces)).toEqual([[2], ["inf-162"]]);
  });

  rule("SC 8.7", "a breakout that succeeds is reported with the units that fought", () => {
    const position = {
      turn: 1,
      front: { "2513": "raid-a", "2612": "inf-162", "2613": "pz-1" },
      armies: { "61": { steps: 1 } },
    };
    const events = told(play(at(position), ["army 61"]), "hex 2513", 1, "rotkopf", 2, 1, 4, "inf-161", "inf-167");
    expect(events.find((e) => e.what === "breakout-succeeded")!.units).toEqual(["inf-162"]);
  });

  rule("SC 8.6", "where nothing is cut off, no breakout is reported", () => {
    const env = play(at({ turn: 1, front: { "2409": "inf-161" } }), ["army 5"], ["hex 2409", 1]);
    const events = told(env, "hold", 1, 4, 1, 1, 1, 1, 1, "inf-162", "inf-167");
    expect(kinds(events)).toContain("captured");
    expect(kinds(events).filter((k) => k.startsWith("breakout"))).toEqual([]);
  });

  rule("SC 4.4", "the withdrawal, what lay under its markers, the line behind it", () => {
    const env = at({ turn: 3, phase: "attach", captured: HALF_K_LINE, armies: { "4S": { hex: "2700" } } });
    const german = Object.entries(position(env).control).filter(([, side]) => side === "german");
    const log = new EventLog([0]);
    env.step("army 16", undefined, log);
    const events = log.take(0);
    const withdrawal = events.find((e) => e.what === "k-line-withdrawal")!;
    const given = german.filter(([hex]) => position(env).control[hex] === "soviet").map(([hex]) => hex);
    expect(withdrawal.places).toEqual(given);
    const order = kinds(events);
    expect(order.indexOf("check-passed")).toBeLessThan(order.indexOf("k-line-withdrawal"));
    expect(order.lastIndexOf("marker-dislodged")).toBeLessThan(order.indexOf("markers-placed"));
    expect(order.indexOf("turn-begun")).toBeLessThan(order.indexOf("replacements-begun"));
  });

  const lateComers: JsonObject = {
    turn: 3,
    phase: "attach",
    captured: HALF_K_LINE,
    partisan: "track",
    armies: { "4S": { hex: "track" } },
  };
  const lateEvents = (): GameEvent[] => {
    const log = new EventLog([0]);
    const env = at(lateComers);
    env.step("army 16", undefined, log);
    return log.take(0);
  };
  event("army-never-came", "an army that has not entered on its turn is lost", () =>
    expect(lateEvents().find((e) => e.what === "army-never-came")!.units).toEqual(["4S"]),
  );
  event("partisans-lost", "nor do the partisans come later", () =>
    expect(kinds(lateEvents())).toContain("partisans-lost"),
  );
});

describe("what is face down stays hidden", () => {
  rule("SC 3.1", "the player sees a redrawn line without its counters", () => {
    const env = play(at({ turn: 1, front: { "2505": "pz-2" } }), ["army 1S"], ["hex 2505", 3, "inf-161", "sec-201"]);
    const log = new EventLog([0, SPECTATOR, EVERYTHING]);
    env.step("hold", new ScriptedDice([3, 6, 1, 1, 1, 1, 1, 1, "inf-162"]), log);
    const own = log.take(0);
    expect(log.take(SPECTATOR)).toEqual(own);
    expect(JSON.stringify(own)).not.toContain("inf-162");
    const truth = log.take(EVERYTHING).find((e) => e.what === "markers-placed")!;
    expect([truth.units, truth.dice![0]!.faces]).toEqual([["inf-162"], ["inf-162"]]);
  });

  rule("SC 3.3", "prompts and standing are the same whatever is under the markers", () => {
    const env = at({ turn: 1, front: { "2409": "pz-1" } });
    const other = newState(game.stateSize);
    game.resample(env.state, 0, other, new Rng("another world"));
    expect(game.write(other)).not.toEqual(game.write(env.state));
    expect(game.narration!.prompt(other, 0)).toEqual(promptOf(env));
    expect(game.narration!.standing(other, 0)).toEqual(standingOf(env));
  });
});

describe("prompts warn", () => {
  rule("SC 4.2", "of ending turn 1 with Germans beside Moscow or Tula", () => {
    const done = choiceOf(at({ turn: 1 }), "done");
    expect([done.ends, promptOf(at({ turn: 1 })).choices.at(-1)!.name]).toEqual(["turn", "done"]);
    expect(done.warning).toContain("the Soviets lose, 6 German hexes still touch Moscow or Tula.");
  });

  rule("SC 4.3", "of ending turn 3 with too few K-Line hexes, and not with enough", () => {
    const moved = Object.fromEntries(
      Object.keys(position(at({ turn: 3 })).armies).map((id) => [
        id,
        id === "4S" ? { hex: "dead" } : { stopped: true },
      ]),
    );
    const few = choiceOf(at({ turn: 3, captured: HALF_K_LINE.slice(1), armies: moved, partisan: "gone" }), "done");
    expect(few.warning).toContain("lose with 17 of the 18 K-Line hexes needed");
    const enough = choiceOf(at({ turn: 3, captured: HALF_K_LINE, armies: moved, partisan: "gone" }), "done");
    expect(enough.warning).toBeNull();
  });

  rule("SC 4.7", "of ending turn 6 below a draw", () =>
    expect(choiceOf(at({ turn: 6 }), "done").warning).toContain("the Soviets lose with 0 fortified localities"),
  );

  rule("SC 9.8", "of movement points that lapse, and stopping is never the first choice", () => {
    const env = play(at({ turn: 2 }), ["army 5"]);
    expect(choiceOf(env, "stop").warning).toBe("3 MP of Fifth Army lapse; it is done for the turn.");
    expect(promptOf(env).choices.at(-1)!.name).toBe("stop");
  });

  rule("SC 10.11", "of spending VI IC", () => {
    const env = play(at({ turn: 1, front: { "2409": "pz-1" } }), ["army 5"], ["hex 2409", 2, "inf-161"]);
    expect(choiceOf(env, "commit").warning).toContain("spent until the next turn");
    expect(choiceOf(env, "hold").warning).toBeNull();
  });

  rule("SC 7.4", "of replacement steps that lapse, when an army could use them", () => {
    const short: JsonObject = { turn: 2, phase: "replace", replacements: 4, armies: { "5": { steps: 3 } } };
    expect(choiceOf(at(short), "done").warning).toBe("4 replacement steps lapse; 1 army is below full strength.");
  });

  rule("SC 5.4", "of giving up", () => {
    const withConcede = game.type.load({ concede: true }, game.type.data);
    const env = new Env(withConcede);
    env.resetTo({ turn: 1 }, "concede");
    const choice = withConcede.narration!.prompt(env.state, 0).choices.find((c) => c.name === "concede")!;
    expect(choice.warning).toBe("The game is lost at once.");
  });

  test("only the player is offered choices", () => {
    const env = at({ turn: 1 });
    expect(promptOf(env, SPECTATOR).choices).toEqual([]);
    expect(promptOf(env, SPECTATOR).text).toBe(promptOf(env).text);
  });
});

describe("standing", () => {
  rule("SC 4.1", "shows the checks in the order in which they come", () => {
    const { conditions } = standingOf(at({ turn: 2 }));
    expect(conditions.map((c) => [c.rule, c.when])).toEqual([
      ["SC 4.2", "end of turn 1, passed"],
      ["SC 4.3", "end of turn 3, in 1 turn"],
      ["SC 4.5", "end of turn 6, in 4 turns"],
      ["SC 4.5", "end of turn 6, in 4 turns"],
      ["SC 4.6", "end of turn 6, in 4 turns"],
      ["SC 4.6", "end of turn 6, in 4 turns"],
      ["SC 4.8", "at once"],
    ]);
  });

  rule("SC 4.3", "counts what is held, what is needed and where the rest is", () => {
    const k = standingOf(at({ turn: 3, captured: HALF_K_LINE })).conditions[1]!;
    expect([k.have, k.need, k.met]).toEqual([18, 18, true]);
    expect(k.places).toHaveLength(34 - 18);
    expect(k.places.some((hex) => HALF_K_LINE.includes(hex))).toBe(false);
  });

  rule("SC 4.2", "says how the next check would end", () => {
    const start = standingOf(at({ turn: 1 }));
    expect([start.winnerNow, start.ifEndedNow]).toEqual([
      "german",
      "If the check of turn 1 came now: the Soviets lose, 6 German hexes still touch Moscow or Tula.",
    ]);
  });

  rule("SC 4.8", "counts the pool down", () => {
    const env = at({ turn: 1 });
    const pool = standingOf(env).conditions.at(-1)!;
    expect(pool.need - pool.have).toBe(position(env).poolSize);
  });
});
