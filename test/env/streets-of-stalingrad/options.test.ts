import { describe, expect, test } from "vitest";
import { Env, gameFor, type JsonObject, resolveOptions } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";

const YOUNGER = ["scenario", "balance", "setup", "ammunition", "armyLeaders", "riverZones", "flotillaDefends"];

/** A new game of options, and its position. */
const begun = (options: JsonObject) => {
  const env = new Env(gameFor(type, {}, options));
  env.reset("options");
  return { env, position: env.game.write(env.state) };
};
const hill = () => begun({ scenario: "sandbox-2", maxTurns: 1, autoAa: true });
const opened = (position: JsonObject) => {
  const env = new Env(gameFor(type, position));
  env.resetTo(position, "options");
  return env.game;
};

describe("an even game", () => {
  const units = (position: JsonObject) =>
    Object.entries(position["units"] as Record<string, JsonObject>).map(([id, { at }]) => [id, at]);
  const both = (scenario: string) => [{}, { balance: "even" }].map((o) => begun({ scenario, ...o }).position);

  test("on Mamayev Kurgan has one company behind the hill, and all others where they are", () => {
    const [printed, even] = both("drill-kurgan").map(units);
    const moved = even!.filter(([id, at]) => !printed!.some(([other, there]) => other === id && there === at));
    expect(moved).toEqual([["S284RD-1045-1-2", "0938"]]);
  });

  test("on the hill has a Stuka more, and all units where they are", () => {
    const [printed, even] = both("sandbox-2");
    expect([printed, even].map((p) => p!["stukas"])).toEqual([{ available: 2 }, { available: 3 }]);
    expect(units(even!)).toEqual(units(printed!));
  });

  test("is won at the levels of even", () =>
    expect(begun({ balance: "even" }).env.game.options).toEqual(
      begun({ levels: "even", balance: "even" }).env.game.options,
    ));

  test("names a unit that isn't there", () => {
    const scenarios = structuredClone(type.data["sandbox-scenarios"]) as { scenarios: { evenStart?: JsonObject }[] };
    scenarios.scenarios[0]!.evenStart = { provenance: "test", at: { nobody: "0312" } };
    const data = { ...type.data, "sandbox-scenarios": scenarios as unknown as JsonObject };
    expect(() => type.load(resolveOptions(type, { balance: "even" }), data)).toThrow(
      /scenarios\[0\]: evenStart.at: there is no unit "nobody"/,
    );
  });
});

describe("options of a position document", () => {
  test("the scenario is written beside the other options, once", () => {
    const { position } = hill();
    expect(position["scenario"]).toBe("sandbox-2");
    expect(Object.keys(position["options"] as JsonObject).sort()).toEqual(
      // an option that is left at its value is not listed if it is younger than published positions
      type.options.flatMap(({ id }) => (YOUNGER.includes(id) ? [] : [id])).sort(),
    );
    expect(begun({ ammunition: false }).position["options"]).toMatchObject({ ammunition: false });
    expect(position["options"]).toMatchObject({ maxTurns: 1, autoAa: true, opFire: true });
  });

  test("the set-up is named where a scenario lets a player choose it", () => {
    const setUps = (options: JsonObject) => (begun(options).position["options"] as JsonObject)["setup"];
    expect(setUps({ scenario: "scenario-7" })).toBe("fixed");
    expect(setUps({ scenario: "scenario-7", setup: "free" })).toBe("free");
    expect(setUps({})).toBeUndefined();
  });

  test("an even game says so", () => {
    const { position } = begun({ scenario: "sandbox-2", balance: "even" });
    expect(position["options"]).toMatchObject({ balance: "even", levels: "even" });
    expect(opened(position).options["balance"]).toBe("even");
  });

  test("a document with the scenario among the options is read too", () => {
    const { env, position } = hill();
    const { scenario, options, ...rest } = position;
    const game = opened({ ...rest, options: { ...(options as JsonObject), scenario: scenario! } });
    expect(game.options).toEqual(env.game.options);
  });

  test("a document of two scenarios is refused, whichever the game is made for", () => {
    const { position } = hill();
    const two = { ...position, options: { ...(position["options"] as JsonObject), scenario: "sandbox-1" } };
    const refused = expect.objectContaining({
      code: "bad-position",
      message: expect.stringContaining("options.scenario: the position is of sandbox-2 and of sandbox-1") as string,
    }) as Error;
    expect(() => opened(two)).toThrow(refused);
    expect(() => begun({ scenario: "sandbox-1" }).env.resetTo(two, "options")).toThrow(refused);
  });

  test("a game with other options says which, and both values", () => {
    const { position } = hill();
    const other = begun({ scenario: "sandbox-2", autoAa: true }).env;
    expect(() => other.resetTo(position, "options")).toThrow(
      /options\.maxTurns: the position has 1, the game was made with 0/,
    );
    const unknown = { ...position, options: { opfire: true } };
    expect(() => other.resetTo(unknown, "options")).toThrow(/options\.opfire: there is no such option/);
  });
});
