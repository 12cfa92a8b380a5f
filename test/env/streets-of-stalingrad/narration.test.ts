import { describe, expect, test } from "vitest";
import {
  type Env,
  EventLog,
  EVERYTHING,
  type GameEvent,
  type Prompt,
  sceneOf,
  ScriptedDice,
  SPECTATOR,
  type Viewer,
} from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
const GERMAN = 0;
const SOVIET = 1;
const VIEWERS = [GERMAN, SOVIET, SPECTATOR, EVERYTHING];

/** What each viewer reads of one action with these dice. */
function told(env: Env, action: string, ...dice: number[]): (viewer: Viewer) => GameEvent[] {
  const log = new EventLog(VIEWERS);
  const script = new ScriptedDice(dice);
  env.step(action, script, log);
  expect(script.left).toBe(0);
  const kept = new Map(VIEWERS.map((v) => [v, log.take(v)]));
  return (viewer) => kept.get(viewer)!;
}
const texts = (events: readonly GameEvent[]): string[] => events.map((e) => e.text);
const textsOf = (events: readonly GameEvent[], what: string): string[] => texts(events.filter((e) => e.what === what));
const promptOf = (env: Env, viewer: Viewer): Prompt => env.game.narration!.prompt(env.state, viewer);
const choiceOf = (env: Env, viewer: Viewer, name: string) =>
  promptOf(env, viewer).choices.find((c) => c.name === name)!;

/** Two rifles with one back in a wood, nobody looks in. */
const WOOD = ground({ "1010": "forest", "1011": "forest", "1012": "forest" });
const HIDDEN = {
  s1: { type: "s-inf", at: "1010", formation: "62A/112RD/1" },
  s2: { type: "s-inf", at: "1012", formation: "62A/112RD/1" },
};

describe("face-down counters", () => {
  rule("SOS 7.2", "a hidden unit moves by name and cost for its owner, by its back for others", () => {
    const { env } = new Table(HIDDEN, { ...WOOD, phase: 10 }).play("unit s1");
    const events = told(env, "hex 1011");
    for (const viewer of [SOVIET, EVERYTHING])
      expect(textsOf(events(viewer), "moves")[0]).toMatch(/^Soviet s1 moves from 1010 to 1011 \(forest\) for \d MP/);
    for (const viewer of [GERMAN, SPECTATOR]) {
      expect(textsOf(events(viewer), "moves")).toEqual([
        "Soviet face-down counter (112RD) moves from 1010 to 1011 (forest).",
      ]);
      expect(events(viewer)[0]!.units).toEqual([]);
    }
  });

  test("the other side reads an independent unit's star and number as printed on its back", () => {
    const { env } = new Table({ s1: { ...HIDDEN.s1, tag: "star2" } }, { ...WOOD, phase: 10 }).play("unit s1");
    expect(textsOf(told(env, "hex 1011")(GERMAN), "moves")).toEqual([
      "Soviet face-down counter (star no. 2) moves from 1010 to 1011 (forest).",
    ]);
    const counter = sceneOf(env.game, env.state, GERMAN).counters.find((c) => c.side === "soviet");
    expect(counter).toMatchObject({ title: "face-down counter of star no. 2", back: { kind: "star no. 2" } });
  });

  rule("SOS 7.1", "a unit that moves into the open is named when it is seen, not before", () => {
    const { env } = new Table(HIDDEN, { ...WOOD, phase: 10 }).play("unit s1");
    const events = told(env, "hex 1009")(GERMAN);
    expect(texts(events)).toEqual([
      "Soviet face-down counter (112RD) moves from 1010 to 1009 (clear).",
      "Soviet s1 (infantry 3-3-8) in 1009 (clear) is seen.",
    ]);
  });

  rule("SOS 7.5", "a counter that becomes visible is named with its marker", () => {
    const seen = (marker: object): string[] => {
      const s1 = { type: "s-inf", at: "2010", ...marker };
      const table = new Table({ g1: "g-inf 2009", s1 }, { ...attacks(5, "2010"), ...ground({ "2010": "forest" }) });
      return textsOf(told(table.play("normal").env, "all", 10, 10)(GERMAN), "reveals");
    };
    expect(seen({})).toEqual(["Soviet s1 (infantry 3-3-8) in 2010 (forest) is seen."]);
    expect(seen({ pinned: true, pinHeld: true })).toEqual([
      "Soviet s1 (infantry 3-3-8, pinned) in 2010 (forest) is seen.",
    ]);
  });

  rule("SOS 8.06", "the prompt names the group to its owner and no more than the side to others", () => {
    const { env } = new Table(HIDDEN, { ...WOOD, phase: 10 }).play("unit s1");
    expect(promptOf(env, SOVIET).text).toMatch(/^Order for s1 \(infantry 3-3-8\) in 1010\. It moves with 8 MP/);
    expect(promptOf(env, SOVIET).units).toEqual(["s1"]);
    for (const viewer of [GERMAN, SPECTATOR])
      expect(promptOf(env, viewer)).toEqual({
        by: "soviet",
        kind: "move.select",
        text: "The Soviet side moves.",
        rule: "SOS 8.01",
        seeAlso: [],
        units: [],
        places: [],
        choices: [],
      });
  });
});

describe("dice", () => {
  rule("SOS 11.1", "opportunity fire is reported with the firers, their points, the die needed and the result", () => {
    const { env } = new Table({ g1: "g-inf 1020", s1: "s-inf 1021" }).play("unit g1", "hex 1019");
    const events = told(env, "unit s1", 1)(GERMAN);
    const roll = events.find((e) => e.what === "roll")!;
    expect(roll.text).toBe("Opportunity fire at 1020 by s1: 3 points, column 3, die 1: P, pinned.");
    expect(roll.dice).toEqual([
      {
        by: "soviet",
        purpose: "opportunity fire at 1020, column 3, no modifier",
        sides: 10,
        faces: [1],
        needed: "1: pinned",
        result: "P, pinned",
      },
    ]);
    expect(textsOf(events, "pinned")).toEqual(["German g1 in 1020 (clear) is pinned."]);
  });

  rule("SOS 9.19", "an attack is reported with points, column and modifiers, then its losses", () => {
    const { env } = new Table(
      { g1: "g-inf 1020", g2: "g-inf 1020", s1: "s-inf 1021", s2: "s-inf 1021" },
      attacks(5, "1021", "3570"),
    ).play("all", "normal");
    const events = told(env, "done", 1)(SOVIET);
    const roll = events.find((e) => e.what === "roll")!;
    expect(roll.dice).toHaveLength(1);
    expect(roll.dice![0]).toMatchObject({ by: "german", sides: 10, faces: [1] });
    expect(roll.text).toMatch(/^Attack on 1021 by g1 and g2: 10 points, column 10-19, die 1/);
  });
});

describe("declined chances", () => {
  rule("SOS 11.1", "only the side itself reads that it lets movers pass", () => {
    const { env } = new Table({ g1: "g-inf 1020", s1: "s-inf 1021" }).play("unit g1", "hex 1019");
    const events = told(env, "pass");
    for (const viewer of [SOVIET, EVERYTHING])
      expect(textsOf(events(viewer), "declines")).toEqual(["No more opportunity fire at the movers in 1020."]);
    for (const viewer of [GERMAN, SPECTATOR]) expect(textsOf(events(viewer), "declines")).toEqual([]);
  });
});

describe("warnings", () => {
  rule("SOS 3.1", "ending the game asks for confirmation and shows the result", () => {
    const { env } = new Table(
      { g1: "g-inf 1020" },
      {
        phase: 1,
        stage: "end",
        turn: 2,
        lastTurn: 3,
        victory: { hexes: { "1020": 1 }, levels: { germanMarginal: 1, germanDecisive: 2, sovietDecisive: 0 } },
      },
    );
    expect(choiceOf(env, GERMAN, "declare-end").warning).toBe(
      "The game ends at once: 1 German point, German marginal victory.",
    );
    const standing = env.game.narration!.standing(env.state, SPECTATOR);
    expect(standing.winnerNow).toBe("german");
    expect(standing.conditions.map((c) => [c.side, c.have, c.need, c.met])).toEqual([
      ["german", 1, 2, false],
      ["german", 1, 1, true],
      ["soviet", 1, 0, false],
      ["soviet", 1, 0, false],
    ]);
    const [end] = told(env, "declare-end")(SOVIET);
    expect(end).toMatchObject({ what: "ends", rule: "SOS 3.1", outcome: "German marginal victory", amount: 1 });
  });

  rule("SOS 8.01", "the end of movement names who could still move", () => {
    const { env } = new Table({ g1: "g-inf 1020", g2: "g-inf 1030" });
    expect(choiceOf(env, GERMAN, "done").warning).toBe("3 units can still move: g1, g2 and gf.");
    // who has not moved may deploy before the phase is over
    const ends = (): unknown[] => [choiceOf(env, GERMAN, "done").text, choiceOf(env, GERMAN, "done").ends];
    expect(ends()).toEqual(["No more moves; units that have not moved may deploy", null]);
    env.step("done", new ScriptedDice([]));
    expect(ends()).toEqual(["End German movement", "phase"]);
    expect(promptOf(env, GERMAN).choices.at(-1)!.name).toBe("done");
  });

  rule(
    "SOS 14.48",
    "the end of a plot says which guns and Stukas have no mission, and how many hexes are open to them",
    () => {
      const plot = (guns: Record<string, string>, stukas: number): string | null => {
        const units = { ...guns, g1: "g-inf 2012", s1: "s-inf 2014" };
        const day = { turn: 3, phase: 2, stage: "plot-first", stukas: { available: stukas } };
        return choiceOf(new Table(units, day).env, GERMAN, "done").warning;
      };
      const mortars = { m1: "g-mortar 2010", m2: "g-mortar 2010" };
      expect(plot({ m1: "g-mortar 2010" }, 0)).toMatch(/^1 gun has no mission; \d+ hexes can still be bombarded\.$/);
      expect(plot(mortars, 3)).toMatch(/^2 guns and 3 Stukas have no mission; /);
      const one = new Table(
        { ...mortars, g1: "g-inf 2012", s1: "s-inf 2014" },
        { turn: 3, phase: 2, stage: "plot-first" },
      );
      one.play("hex 2014", "unit m1");
      while (one.ask !== "bomb.target") one.play(one.legal.includes("done") ? "done" : one.legal[0]!);
      expect(choiceOf(one.env, GERMAN, "done").warning).toMatch(/^1 gun has no mission; /);
    },
  );

  rule("SOS 9.14", "an attack with all units warns of marked hexes that then can't be attacked", () => {
    const both = { g1: "g-inf 1020", g2: "g-inf 1020", s1: "s-inf 1021", s2: "s-inf 1019" };
    const { env } = new Table(both, attacks(5, "1021", "1019")).play("hex 1021");
    expect(choiceOf(env, GERMAN, "all").warning).toBe("Nobody is left to attack the marked hex 1019.");
    expect(choiceOf(env, GERMAN, "unit g1").warning).toBeNull();
  });
});
