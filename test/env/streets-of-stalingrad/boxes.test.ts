import { describe, expect, test } from "vitest";
import { type ErrorCode, Env, gameFor, gameType, type JsonObject, newState, Rng } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";

const rule = ruleTests(rules);
const type = gameType("streets-of-stalingrad");
const river: JsonObject = {
  map: { base: "blank", hexes: { "0230": { t: "cliff", landing: 8 }, "0130": { t: "volga", arrow: 8 } } },
  bounds: { cols: [1, 9], rows: [22, 38] },
};
const guards = { type: "s-guards", formation: "62A/13GRD/42/1" };
const rifles = { type: "s-inf", formation: "62A/112RD/385/1" };

function at(units: Readonly<Record<string, JsonObject>>, more: JsonObject = {}): Env {
  const position = { scenario: "sandbox", phase: 3, stage: "normal", ...river, units, ...more } as JsonObject;
  const env = new Env(gameFor(type, position, {}));
  env.resetTo(position, "boxes");
  return env;
}
const g = { type: "g-inf", at: "0833", formation: "51K/71ID/191/I" };
const s = { type: "s-inf", at: "0626" };

describe("an impossible position is refused by path and reason", () => {
  const nkvd = { type: "s-nkvd", at: "0533", formation: "62A/10NKVD/272/1" };
  test.each([
    [
      "a box that no hex of the river belongs to",
      { g, s: { ...s, at: "eb-n" } },
      {},
      "units.s.at: box eb-n is not in play",
    ],
    ["a box off the map without a way in", { g: { ...g, at: "off-2" }, s }, {}, "units.g.at: box off-2 is not in play"],
    ["a German on the East Bank", { g: { ...g, at: "eb-c" }, s }, {}, "units.g.at: Germans never go to the East Bank"],
    ["a German on the Volga", { g: { ...g, at: "0130" }, s }, {}, "units.g.at: Germans never go on the Volga"],
    ["somebody on land from a box", { g, s: { ...s, from: "eb-c" } }, {}, "units.s.from: only a unit on a Volga hex"],
    ["a way back to no box", { g, s: { ...s, at: "0130", from: "eb-n" } }, {}, "units.s.from: box eb-n is not in play"],
    ["a marker on a unit that is out", { g, s: { ...s, at: "out", pinned: true } }, {}, "units.s: a unit off the map"],
    ["a regiment of nobody", { g, s: nkvd }, { nkvdChecked: ["62A/10NKVD/269"] }, "nkvdChecked[0]: no NKVD counter"],
  ] as const)("%s", (_what, units, more, says) =>
    expect(() => at(units, more as JsonObject)).toThrow(
      expect.objectContaining({
        code: "bad-position" satisfies ErrorCode,
        message: expect.stringContaining(says) as string,
      }) as Error,
    ),
  );
  test("a Soviet unit off the German edge of the map", () =>
    expect(() => at({ g, s: { ...s, at: "off-2" } }, { bounds: { cols: [1, 40], rows: [22, 38] } })).toThrow(
      "only Germans are in the boxes off the map",
    ));
});

test("a regiment of the NKVD that was rolled for is state, and units in boxes keep their markers", () => {
  const units = {
    g,
    s: { ...s, at: "eb-c", pinned: true },
    n: { type: "s-nkvd", at: "0533", formation: "62A/10NKVD/272/1" },
    c: { type: "s-inf", at: "0130", from: "eb-c" },
    o: { type: "s-inf", at: "out" },
  };
  const env = at(units, { nkvdChecked: ["62A/10NKVD/272"] });
  expect(env.game.write(env.state)).toMatchObject({
    nkvdChecked: ["62A/10NKVD/272"],
    units: { s: { at: "eb-c", pinned: true }, c: { at: "0130", from: "eb-c" }, o: { at: "out" } },
  });
});

rule("SOS 2.14", "the enemy knows the number of counters in a box, and nothing else", () => {
  const [german, soviet] = [0, 1];
  const one = at({ g, s, a: { ...guards, at: "eb-c", pinned: true }, b: { ...rifles, at: "eb-s" } });
  const other = at({ g, s, a: { ...guards, at: "eb-s" }, b: { ...rifles, at: "eb-c", firedAf: true } });
  expect(one.game.view(one.state, german)).toMatchObject({ boxed: { "eb-s": 1, "eb-c": 1 } });
  expect(one.game.view(one.state, german)).toEqual(other.game.view(other.state, german));
  expect(one.game.view(one.state, soviet)).not.toEqual(other.game.view(other.state, soviet));
  const places = new Set<unknown>();
  const sample = newState(one.game.stateSize);
  for (let i = 0; i < 40; i++) {
    one.game.resample(one.state, german, sample, new Rng(String(i)));
    places.add((one.game.write(sample)["units"] as Record<string, JsonObject>)["a"]!["at"]);
  }
  expect([...places].sort()).toEqual(["eb-c", "eb-s"]);
});
