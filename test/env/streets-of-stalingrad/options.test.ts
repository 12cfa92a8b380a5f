import { describe, expect, test } from "vitest";
import { Env, gameFor, type JsonObject, resolveOptions } from "../../../env/index.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";

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
  const unit = (position: JsonObject, id: string) => (position["units"] as Record<string, JsonObject>)[id];
  test.each([
    ["sandbox-2", "gh", "0630", "0629"],
    ["drill-kurgan", "S284RD-1045-1-2", "1039", "0938"],
  ])("of %s has %s elsewhere, and all others where they are", (scenario, id, usual, even) => {
    const [printed, fair] = [begun({ scenario }), begun({ scenario, balance: "even" })].map((b) => b.position);
    expect([unit(printed!, id)!["at"], unit(fair!, id)!["at"]]).toEqual([usual, even]);
    const others = (position: JsonObject) =>
      Object.entries(position["units"] as Record<string, JsonObject>).filter(([name]) => name !== id);
    expect(others(fair!).map(([name, u]) => [name, u["at"]])).toEqual(
      others(printed!).map(([name, u]) => [name, u["at"]]),
    );
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
  test("the scenario stands beside the other options, once", () => {
    const { position } = hill();
    expect(position["scenario"]).toBe("sandbox-2");
    expect(Object.keys(position["options"] as JsonObject).sort()).toEqual(
      type.options.flatMap(({ id }) => (id === "scenario" || id === "balance" ? [] : [id])).sort(),
    );
    expect(position["options"]).toMatchObject({ maxTurns: 1, autoAa: true, opFire: true });
  });

  test("an even game says so", () => {
    const { position } = begun({ scenario: "sandbox-2", balance: "even" });
    expect(position["options"]).toMatchObject({ balance: "even", levels: "even" });
    expect(opened(position).options["balance"]).toBe("even");
  });

  test("who writes it among the options is understood too", () => {
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
