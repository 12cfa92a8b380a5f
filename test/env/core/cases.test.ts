import { describe, expect, test } from "vitest";
import {
  type CaseComparison,
  type GameType,
  type ErrorCode,
  gameFor,
  type Json,
  type JsonObject,
  KesselError,
  type Options,
  parseCases,
  resolveOptions,
  type RuleCase,
  runCase,
} from "../../../env/index.js";
import { patrol } from "../../toys/patrol.js";
import { race } from "../../toys/race.js";

const error = (code: ErrorCode, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) as string }) as Error;

/** North has thrown once and may take a 3 or a 5. */
const THROWN: JsonObject = {
  active: [0],
  phase: [1],
  score: [4, 0],
  pot: [0],
  throws: [1],
  waiting: [0],
  table: [0, 0, 1, 0, 1, 0],
  turn: [3],
};
const START: JsonObject = { ...THROWN, phase: [0], score: [0, 0], throws: [0], table: [0, 0, 0, 0, 0, 0], turn: [1] };

const run = (steps: RuleCase["steps"], rest: Partial<RuleCase> = {}) =>
  runCase(race, { id: "T-1", rule: "1", position: THROWN, steps, ...rest });

describe("a case passes when what it expects comes", () => {
  test("actor, legal actions, position, end", () => {
    const legal = { exactly: ["keep 5", "keep 3"], includes: ["keep 3"], excludes: ["hold"] };
    expect(
      run([
        {
          expect: {
            actor: "north",
            legal,
            terminal: false,
            returns: { north: 0, south: 0 },
            position: { table: [0, 0, 1, 0, 1, 0], turn: [3] },
          },
        },
      ]),
    ).toEqual([]);
  });
  test("actions with dice, used up exactly", () =>
    expect(
      run([{ do: "roll 2", dice: [6, 2], expect: { position: { table: [0, 1, 0, 0, 0, 1] } } }], { position: START }),
    ).toEqual([]));
  test("errors by their code", () =>
    expect(run([{ do: "hold", expect: { error: "illegal-action", actor: "north" } }])).toEqual([]));
  test("the end and its returns", () => {
    const last = { ...START, score: [18, 7], pot: [2], throws: [1] };
    expect(
      run(
        [
          {
            do: "hold",
            expect: { actor: null, terminal: true, returns: { north: 1, south: -1 }, legal: { exactly: [] } },
          },
        ],
        { position: last },
      ),
    ).toEqual([]);
  });
  test("options of the case", () =>
    expect(
      run([{ do: "roll 2", dice: [1, 4], expect: { actor: "north", legal: { exactly: ["keep 4"] } } }], {
        position: START,
        options: { mercy: true },
      }),
    ).toEqual([]));
});

describe("a case fails in words when something else comes", () => {
  test.each([
    ["actor", { actor: "south" }, "step 1: actor: expected south, got north"],
    ["end", { terminal: true }, "step 1: terminal: expected true, got false"],
    ["returns", { returns: { south: 1 } }, "step 1: returns.south: expected 1, got 0"],
    [
      "too many legal",
      { legal: { exactly: ["keep 3"] } },
      "step 1: legal: expected exactly [keep 3], got [keep 3, keep 5]",
    ],
    [
      "too few legal",
      { legal: { exactly: ["keep 3", "keep 4", "keep 5"] } },
      "step 1: legal: expected exactly [keep 3, keep 4, keep 5], got [keep 3, keep 5]",
    ],
    ["missing", { legal: { includes: ["leave"] } }, "step 1: legal: expected leave, got [keep 3, keep 5]"],
    ["present", { legal: { excludes: ["keep 3"] } }, "step 1: legal: keep 3 should not be legal"],
    ["a value", { position: { turn: [4] } }, "step 1: turn: expected [4], got [3]"],
    ["a list's order", { position: { score: [0, 4] } }, "step 1: score: expected [0,4], got [4,0]"],
    ["a list's length", { position: { score: [4] } }, "step 1: score: expected [4], got [4,0]"],
    ["an unknown key", { position: { fort: true } }, "step 1: fort: expected true, got null"],
    ["an object where a list is", { position: { score: { a: 1 } } }, 'step 1: score: expected {"a":1}, got [4,0]'],
    ["something absent", { position: { turn: null } }, "step 1: turn: expected null, got [3]"],
    ["not among", { position: { score: { includes: [7] } } }, "step 1: score: expected 7 among [4,0]"],
    ["among", { position: { score: { excludes: [4] } } }, "step 1: score: 4 should not be in [4,0]"],
  ])("%s", (_what, expectation, says) => expect(run([{ expect: expectation }])).toEqual([says]));

  test("null also stands for an absent key", () => expect(run([{ expect: { position: { fort: null } } }])).toEqual([]));
  test("an error that does not come", () =>
    expect(run([{ do: "keep 3", expect: { error: "illegal-action" } }])).toEqual([
      "step 1 (keep 3): expected the error illegal-action, it was accepted",
    ]));
  test("another error", () =>
    expect(run([{ do: "hold", expect: { error: "bad-dice" } }])[0]).toContain(
      "expected the error bad-dice, got illegal-action",
    ));
  test("an unexpected error ends the case", () =>
    expect(run([{ do: "hold" }, { expect: { actor: "south" } }])).toEqual([
      expect.stringContaining('step 1 (hold): toy-race: "hold" is not legal'),
    ]));
  test("dice left over", () => expect(run([{ do: "keep 3", dice: [1] }])[0]).toContain("1 of the 1 dice"));
  test("dice missing", () =>
    expect(run([{ do: "roll 2", dice: [4] }], { position: START })[0]).toContain("a d6 more was called for"));
  test("dice for a start that throws none", () =>
    expect(run([], { dice: [3] })[0]).toContain("dice given at the start were not called for"));
  test("a position that can't be", () =>
    expect(run([], { position: { ...THROWN, table: [1, 0, 0, 0, 0, 0] } })).toEqual([
      "toy-race: (top): a 1 is on the table",
    ]));
  test("an option that is not there", () =>
    expect(run([], { options: { nights: true } })[0]).toContain('no option "nights"'));
});

test("a solitaire case may name the side that nobody plays", () => {
  const position: JsonObject = {
    pile: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    left: [1],
    below: [0],
    top: [0],
    card: [0],
    health: [4],
    score: [12],
    hour: [16],
  };
  const rc: RuleCase = {
    id: "T-2",
    rule: "1",
    position,
    steps: [{ do: "rest", expect: { terminal: true, returns: { patrol: 1, enemy: -1 } } }],
  };
  expect(runCase(patrol, rc)).toEqual([]);
});

test("lists compare as the game says: here as sets but for one key", () => {
  const game = race.load(resolveOptions(race), {});
  const cases: CaseComparison = {
    comparableList: (key, list) => (key === "score" ? list : [...list].sort()),
  };
  const type = { ...race, load: () => Object.assign(Object.create(game) as typeof game, { cases }) };
  const unordered = (position: JsonObject) =>
    runCase(type, { id: "T-3", rule: "1", position: THROWN, steps: [{ expect: { position } }] });
  expect(unordered({ table: [1, 1, 0, 0, 0, 0] })).toEqual([]);
  expect(unordered({ table: [1, 0, 0, 0, 0, 0] })).toHaveLength(1);
  expect(unordered({ score: [0, 4] })).toHaveLength(1);
});

test("a list compares in order where the game says nothing", () => {
  const inOrder = (position: JsonObject) =>
    runCase(race, { id: "T-4", rule: "1", position: THROWN, steps: [{ expect: { position } }] });
  expect(inOrder({ table: [1, 1, 0, 0, 0, 0] })).toHaveLength(1);
});

test("every key of a position that is an option's id chooses that option; the case's own options win", () => {
  const chosen: unknown[] = [];
  const type: GameType = {
    ...race,
    load(options, data) {
      chosen.push(options["target"]);
      return race.load(options, data);
    },
  };
  const position = { ...THROWN, target: 20 };
  runCase(type, { id: "T-5", rule: "1", position, steps: [] });
  runCase(type, { id: "T-6", rule: "1", position, options: { target: 30 }, steps: [] });
  expect(chosen).toEqual([20, 30]);
});

describe("questions without a position", () => {
  const query = ({ from, to }: JsonObject, chosen: Options): JsonObject => ({
    distance: Number(to) - Number(from),
    ways: ["river", "road"],
    map: chosen["map"] ?? "none",
  });
  const asked = (answer: Json, options?: Options) =>
    runCase(
      { ...race, query },
      { id: "Q-1", rule: "1", query: { from: 2, to: 5 }, answer, ...(options && { options }) },
    );

  test("a partial answer", () =>
    expect(asked({ distance: 3, ways: { includes: ["road"], excludes: ["rail"] } })).toEqual([]));
  test("another answer", () => expect(asked({ distance: 4 })).toEqual(["answer.distance: expected 4, got 3"]));
  test("lists are in order", () => expect(asked({ ways: ["road", "river"] })).toHaveLength(1));
  test("options that only a question may name", () => expect(asked({ map: "real" }, { map: "real" })).toEqual([]));
  test("a game that answers none", () =>
    expect(runCase(race, { id: "Q-2", rule: "1", query: {}, answer: true })).toEqual([
      "toy-race answers no questions",
    ]));
  test("a question that can't be asked", () => {
    const refuse = () => {
      throw new KesselError("bad-query", "ask for a distance");
    };
    expect(runCase({ ...race, query: refuse }, { id: "Q-3", rule: "1", query: {}, answer: true })).toEqual([
      "ask for a distance",
    ]);
  });
  const good = { id: "Q-4", rule: "1", query: {}, answer: true };
  test.each([
    ["with a position", [{ ...good, position: {} }], "[0].position"],
    ["without an answer", [{ id: "Q", rule: "1", query: {} }], "[0].answer"],
    ["among cases with a position", [good, { id: "A", rule: "1", position: {}, steps: [] }], "[1].query"],
  ])("%s is refused", (_what, doc, says) => expect(() => parseCases(doc, "file")).toThrow(error("bad-case", says)));
  test("a good one is read", () => expect(parseCases([good], "file")).toEqual([good]));
});

describe("a position makes its own game", () => {
  const loaded: unknown[] = [];
  const type = {
    ...race,
    dataFor: (position: JsonObject) => ({ dealt: position["score"] ?? null }),
    load: (...[options, data]: Parameters<typeof race.load>) => {
      loaded.push(options["mercy"], data);
      return race.load(options, {});
    },
  };
  const opened = (position: JsonObject, options: Options = {}) => {
    loaded.length = 0;
    gameFor(type, position, options);
    return loaded;
  };

  test("a key named after an option is that option", () =>
    expect(opened({ mercy: true })).toEqual([true, { dealt: null }]));
  test("its data are made from it", () => expect(opened({ score: [4, 0] })).toEqual([false, { dealt: [4, 0] }]));
  test("a caller's options win", () => expect(opened({ mercy: true }, { mercy: false })[0]).toBe(false));
  test("a key that is no value of an option is left to the reader", () =>
    expect(opened({ mercy: ["north"] })[0]).toBe(false));
  test("cases are opened so", () => {
    loaded.length = 0;
    expect(runCase(type, { id: "T-4", rule: "1", position: THROWN, options: { mercy: true }, steps: [] })).toEqual([]);
    expect(loaded).toEqual([true, { dealt: [4, 0] }]);
  });
});

describe("case files are refused with path and reason", () => {
  const good = { id: "A", rule: "1", position: {}, steps: [] };
  test.each([
    ["no list", {}, "file: (top)"],
    ["a case without a rule", [{ ...good, rule: undefined }], "file: [0].rule"],
    ["an unknown key", [good, { ...good, comment: "x" }], "file: [1].comment"],
    [
      "an expectation nobody checks",
      [{ ...good, steps: [{ expect: { winner: "north" } }] }],
      "file: [0].steps[0].expect.winner",
    ],
    ["an action that is no text", [{ ...good, steps: [{ do: 3 }] }], "file: [0].steps[0].do"],
  ])("%s", (_what, doc, says) => expect(() => parseCases(doc, "file")).toThrow(error("bad-case", says)));
  test("a good one is read", () => expect(parseCases([good], "file")).toEqual([good]));
});
