import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type ErrorCode,
  describe as describeGame,
  Env,
  gameIds,
  gameType,
  type Json,
  loadGame,
  oneOf,
  resolveOptions,
  schemaHash,
  shown,
} from "../../../env/index.js";
import { race } from "../../toys/race.js";

const error = (code: ErrorCode, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) as string }) as Error;

describe("options", () => {
  test("are filled with defaults", () => expect(resolveOptions(race)).toEqual({ target: 20, mercy: false }));
  test("may come as text", () =>
    expect(resolveOptions(race, { target: "30", mercy: "true" })).toEqual({ target: 30, mercy: true }));
  test.each([
    ["an unknown name", { goal: 1 }, 'toy-race has no option "goal"; it has target or mercy'],
    ["a value that is not allowed", { target: 15 }, "option target of toy-race is 10, 20 or 30, not 15"],
    ["a value of another kind", { mercy: 1 }, "option mercy of toy-race is false or true, not 1"],
    ["a name every object has", { constructor: 1 }, 'no option "constructor"'],
    ["a list", [1], "an object of names and values, not [1]"],
    ["null", null, "not null"],
    ["text", "target=10", "not"],
  ])("%s is refused", (_what, chosen, says) =>
    expect(() => resolveOptions(race, chosen)).toThrow(error("bad-option", says)),
  );

  const short = {
    ...race,
    options: [
      ...race.options,
      {
        ...race.options[0]!,
        id: "length",
        values: ["usual", "long"],
        default: "usual",
        sets: { long: { target: 30 } },
      },
    ],
  };
  test("get the values that another stands for", () =>
    expect(resolveOptions(short, { length: "long" })).toEqual({ target: 30, mercy: false, length: "long" }));
  test("are understood again when they come with what they stand for", () => {
    const long = resolveOptions(short, { length: "long" });
    expect(resolveOptions(short, long)).toEqual(long);
  });
  test("that can't be had together are refused", () => {
    const apart = {
      ...race,
      options: [
        ...short.options,
        { ...short.options.at(-1)!, id: "pace", sets: {}, without: { long: { mercy: [true] } } },
      ],
    };
    expect(resolveOptions(apart, { pace: "long" })).toMatchObject({ pace: "long", mercy: false });
    expect(() => resolveOptions(apart, { pace: "long", mercy: true })).toThrow(
      error("bad-option", "pace=long of toy-race can't be had with mercy=true"),
    );
  });
  test("that contradict each other are refused", () =>
    expect(() => resolveOptions(short, { length: "long", target: 10 })).toThrow(
      error("bad-option", "length=long of toy-race is played with target=30, not 10"),
    ));
});

describe("balance", () => {
  const forTwo = ["pocket-stalingrad", "savage-streets", "streets-of-stalingrad"];
  test.each(forTwo)("is an option of %s, and the printed game its default", (id) =>
    expect(gameType(id).options.find((o) => o.id === "balance")).toMatchObject({
      values: ["printed", "even"],
      default: "printed",
    }),
  );
  test.each(forTwo)("of %s leaves its nets their game", (id) => {
    const { options } = gameType(id);
    const fights = options
      .find((o) => o.id === "scenario")
      ?.values.filter((v) => v !== "sandbox" && !/^scenario|^campaign/.test(String(v))) ?? [null];
    for (const scenario of fights) {
      const chosen = scenario === null ? {} : { scenario };
      expect(schemaHash(loadGame(id, { ...chosen, balance: "even" }))).toBe(schemaHash(loadGame(id, chosen)));
    }
  });
  test("of positions is named where it isn't the printed game", () => {
    const listed = (options: Json) => {
      const env = new Env(loadGame("pocket-stalingrad", options));
      env.reset("balance");
      return env.game.write(env.state)["options"];
    };
    expect(listed({})).not.toHaveProperty("balance");
    expect(listed({ balance: "even" })).toMatchObject({ balance: "even", gumrakReinforcements: 2 });
  });
  test("of Savage Streets is for two", () =>
    expect(() => loadGame("savage-streets", { mode: "solo", balance: "even" })).toThrow(
      error("bad-option", "balance=even of savage-streets is for two players"),
    ));
});

const value = z.union([z.string().min(1), z.number(), z.boolean()]);
const summary = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  credits: z.string().min(1),
  lobby: z.strictObject({
    situation: z.string().min(40).max(260),
    minutes: z.int().min(5).max(600),
    complexity: z.int().min(1).max(5),
    startHere: z.literal(true).optional(),
  }),
  version: z.int().min(1),
  reconstructed: z.string().min(1).nullable(),
  options: z.array(
    z.strictObject({
      id: z.string().min(1),
      about: z.string().min(1),
      values: z.array(value).min(2),
      default: value,
      provenance: z.string().min(1),
      sets: z.record(z.string(), z.record(z.string(), value)).optional(),
      without: z.record(z.string(), z.record(z.string(), z.union([value, z.array(value)]))).optional(),
      words: z.strictObject({ about: z.string().min(1), values: z.record(z.string(), z.string().min(1)) }).optional(),
    }),
  ),
});

describe.each(gameIds())("env/%s/game.json", (id) => {
  const file = new URL(`../../../env/${id}/game.json`, import.meta.url);
  const { id: own, options } = summary.parse(JSON.parse(readFileSync(file, "utf8")));
  test("has the id of its folder", () => expect(own).toBe(id));
  test("has options with a default among their values, and words for values that exist", () => {
    for (const o of options) {
      expect(o.values).toContain(o.default);
      expect(o.values.map(String)).toEqual(expect.arrayContaining(Object.keys(o.words?.values ?? {})));
    }
  });
});

test.each(gameIds())("%s names every value of an option that is given none of them", (id) => {
  const type = gameType(id);
  for (const o of type.options) {
    const refusal = (): string => {
      try {
        resolveOptions(type, { [o.id]: "none-of-them" });
      } catch (e) {
        return (e as Error).message;
      }
      return "";
    };
    for (const value of o.values) expect(refusal()).toContain(String(value));
  }
});

describe("the registry", () => {
  test("names what there is when asked for what there isn't", () =>
    expect(() => loadGame("chess")).toThrow(error("unknown-game", 'no game "chess"; there are pocket-stalingrad')));
  test("refuses data files that a game doesn't have", () =>
    expect(() => loadGame("pocket-stalingrad", {}, { weather: {} })).toThrow(
      error("bad-data", 'no data file "weather"'),
    ));
});

describe("describe()", () => {
  const game = race.load(resolveOptions(race), {});
  test("gives shapes that fit the features", () => {
    const d = describeGame(game);
    expect(d["shapes"]).toEqual({ globals: [3], map: [5, 1], units: [2, 1], decision: [2] });
    expect(JSON.parse(JSON.stringify(d))).toEqual(d);
  });
  test("has a schema hash that changes with meaning only", () => {
    const with30 = race.load(resolveOptions(race, { target: 30 }), {});
    expect(schemaHash(with30)).toBe(schemaHash(game));
    const renamed = Object.assign(Object.create(game) as typeof game, {
      actions: ["throw 1", ...game.actions.slice(1)],
    });
    const stretched = Object.assign(Object.create(game) as typeof game, {
      observation: {
        ...game.observation,
        globals: [{ ...game.observation.globals[0]!, range: [0, 2] as const }, ...game.observation.globals.slice(1)],
      },
    });
    expect(new Set([schemaHash(game), schemaHash(renamed), schemaHash(stretched)]).size).toBe(3);
    expect(schemaHash(game)).toMatch(/^[0-9a-f]{16}$/);
  });
});

test("choices are listed as people say them", () => {
  expect([oneOf([]), oneOf(["a"]), oneOf(["a", "b"]), oneOf(["a", "b", "c"]), oneOf(["a", "b", "c"], 2)]).toEqual([
    "nothing",
    "a",
    "a or b",
    "a, b or c",
    "a, b, ... (3 in all)",
  ]);
});

test("values are shown short", () => {
  expect([shown("x"), shown(undefined), shown(5n), shown({ a: [1] })]).toEqual(['"x"', "undefined", "5n", '{"a":[1]}']);
  expect(shown("y".repeat(500))).toHaveLength(60);
});
