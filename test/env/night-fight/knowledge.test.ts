import { expect, test } from "vitest";
import { Env, loadGame, newState, sameSituation } from "../../../env/index.js";
import { addMissedDie, chanceOfMissing, IMPOSSIBLE, missedDiceAt } from "../../../env/night-fight/contacts.js";
import { GERMANS } from "../../../env/night-fight/data.js";
import { after, type Position, rule, table } from "./table.js";

// What a contact that stayed silent shows the player: for each counter that it may be, the faces of the dice that this
// counter would have missed there.

const NO_FLARE = 1;
const names = loadGame("night-fight").observation.unitRows;
const each = (type: string, n: number, faces: number[]) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`${type}-${i + 1}`, faces]));
const silence = (position: object, dice: number[] = []) =>
  after(table({ phase: "fire", ...position }), ["done"], [NO_FLARE, ...dice]).silent ?? {};

rule(
  "NF reconstructed soviet fire",
  "three hexes away only guns and tanks would have thrown, and missed with 1 and 2",
  () => {
    const position = { german: { "gren-1": { hex: "1519" } }, soviet: { "dummy-1": { hex: "1516" } } };
    expect(silence(position)).toEqual({ "1516": { ...each("atgun", 4, [2]), ...each("t34", 4, [2]) } });
  },
);

rule("NF reconstructed soviet fire", "two hexes away rifles too, and miss with 1", () => {
  const position = { german: { "gren-1": { hex: "1518" } }, soviet: { "dummy-1": { hex: "1516" } } };
  const all = { ...each("rifle", 8, [1]), ...each("atgun", 4, [1]), ...each("t34", 4, [1]) };
  expect(silence(position)).toEqual({ "1516": all });
});

rule("NF reconstructed soviet fire", "in the next hex nobody could have missed: it is a dummy", () => {
  const position = { german: { "gren-1": { hex: "1517" } }, soviet: { "dummy-1": { hex: "1516" } } };
  const all = { ...each("rifle", 8, [0]), ...each("atgun", 4, [0]), ...each("t34", 4, [0]), ...each("hunter", 3, [0]) };
  expect(silence(position)).toEqual({ "1516": all });
});

rule("NF reconstructed soviet fire", "what may not attack the target says nothing by silence", () => {
  const position = { german: { "panther-1": { hex: "1518" } }, soviet: { "dummy-1": { hex: "1516" } } };
  expect(silence(position)).toEqual({ "1516": { ...each("atgun", 4, [1]), ...each("t34", 4, [1]) } });
});

rule("NF reconstructed soviet fire", "in the light of a wreck two faces fewer miss", () => {
  const position = {
    german: { "gren-1": { hex: "1519" } },
    soviet: { "dummy-1": { hex: "1516" } },
    wrecks: { "1520": 1 },
  };
  expect(silence(position)).toEqual({ "1516": { ...each("atgun", 4, [0]), ...each("t34", 4, [0]) } });
});

rule("NF reconstructed soviet fire", "four hexes away, or out of sight, nobody was expected to fire", () => {
  expect(silence({ german: { "gren-1": { hex: "1520" } }, soviet: { "dummy-1": { hex: "1516" } } })).toEqual({});
  // the woods of 1910 are between
  expect(silence({ german: { "gren-1": { hex: "1911" } }, soviet: { "dummy-1": { hex: "1909" } } })).toEqual({});
});

rule("NF reconstructed soviet fire", "a unit that waits or has left is nobody's target", () => {
  const position = {
    german: { "vs-1": { hex: "waiting" }, "vs-2": { hex: "exited" }, "gren-1": { hex: "1524" } },
    soviet: { "dummy-1": { hex: "1505" }, "dummy-2": { hex: "1507" } },
  };
  expect(silence(position)).toEqual({});
});

rule("NF reconstructed soviet fire", "each contact keeps its own dice, and turns add up", () => {
  const env = table({
    phase: "fire",
    german: { "gren-1": { hex: "1519" }, "truck-1": { hex: "1510" } },
    soviet: { "dummy-1": { hex: "1516" }, "dummy-2": { hex: "1508" }, "dummy-3": { hex: "1524" } },
  });
  const nearer = { ...each("rifle", 8, [1]), ...each("atgun", 4, [1]), ...each("t34", 4, [1]) };
  const near = { ...each("atgun", 4, [2]), ...each("t34", 4, [2]) };
  expect(after(env, ["done"], [NO_FLARE]).silent).toEqual({ "1508": nearer, "1516": near });
  const twiceNearer = { ...each("rifle", 8, [1, 1]), ...each("atgun", 4, [1, 1]), ...each("t34", 4, [1, 1]) };
  const twice = { ...each("atgun", 4, [2, 2]), ...each("t34", 4, [2, 2]) };
  after(env, ["done"]);
  expect(after(env, ["done"], [NO_FLARE]).silent).toEqual({ "1508": twiceNearer, "1516": twice });
});

rule("NF reconstructed soviet fire", "a counter that is known is no longer asked about", () => {
  const position = {
    german: { "gren-1": { hex: "1519" } },
    soviet: { "dummy-1": { hex: "1516" }, "t34-2": { hex: "2424", seen: true }, "atgun-1": { hex: "dead" } },
  };
  const { "1516": told } = silence(position);
  expect(Object.keys(told!)).toEqual(["atgun-2", "atgun-3", "atgun-4", "t34-1", "t34-3", "t34-4"]);
});

rule("NF reconstructed spotting", "what a contact has revealed stays with it when another is turned up", () => {
  const silent = { "1508": { "atgun-1": [1] }, "1512": { "atgun-1": [2], "t34-2": [2] }, "1516": { "t34-1": [1, 2] } };
  const turnedUp = (gren: string, hex: string) => {
    const env = table({
      phase: "fire",
      german: { "gren-1": { hex: gren } },
      soviet: { "dummy-1": { hex: "1508" }, "rifle-1": { hex: "1512" }, "dummy-3": { hex: "1516" } },
      silent,
    });
    const p = after(env, ["unit gren-1", `hex ${hex}`], [6]);
    const again = new Env(env.game);
    again.resetTo(env.game.write(env.state), "again");
    expect(sameSituation(again.state, env.state)).toBe(true);
    return p.silent;
  };
  expect(turnedUp("1510", "1512")).toEqual({ "1508": silent["1508"], "1516": silent["1516"] });
  expect(turnedUp("1510", "1508")).toEqual({ "1512": silent["1512"], "1516": silent["1516"] });
  expect(turnedUp("1514", "1516")).toEqual({ "1508": silent["1508"], "1512": silent["1512"] });
});

rule("NF reconstructed spotting", "who is turned up in one hex was never in another", () => {
  const p = after(
    table({
      phase: "fire",
      german: { "gren-1": { hex: "1510" } },
      soviet: { "dummy-1": { hex: "1508" }, "t34-1": { hex: "1512" }, "dummy-3": { hex: "1516" } },
      silent: { "1508": { "t34-1": [1], "t34-2": [1] }, "1516": { "t34-1": [2] } },
    }),
    ["unit gren-1", "hex 1512"],
    [6],
  );
  expect(p.silent).toEqual({ "1508": { "t34-2": [1] } });
});

rule("NF reconstructed spotting", "two counters in one hex are turned up together, and the rest stay face down", () => {
  const env = table({
    phase: "fire",
    german: { "gren-1": { hex: "1510" } },
    soviet: { "dummy-1": { hex: "1512" }, "rifle-2": { hex: "1512" }, "rifle-3": { hex: "1516" } },
  });
  const p = after(env, ["unit gren-1", "hex 1512"], [6]);
  expect(p.soviet["dummy-1"]!.hex).toBe("dead");
  expect(p.soviet["rifle-2"]).toMatchObject({ hex: "1512", seen: true });
  expect(env.game.view(env.state, 0)["soviet"]).toMatchObject({ "?1516": { hex: "1516" } });
  expect(env.game.invariantViolation(env.state)).toBe(null);
});

test("the chance to have missed dice is the product of their faces out of six", () => {
  const env = table({ phase: "move", german: { "gren-1": { hex: "1510" } }, soviet: { "dummy-1": { hex: "1516" } } });
  const chance = (...faces: number[]) => {
    const s = newState(env.game.stateSize);
    s.set(env.state);
    for (const f of faces) addMissedDie(s, 0, GERMANS, f);
    return chanceOfMissing(s, 0, GERMANS);
  };
  expect(chance()).toBe(1);
  for (let f = 1; f <= 5; f++) {
    expect(chance(f)).toBeCloseTo(f / 6, 12);
    expect(chance(f, f, f)).toBeCloseTo((f / 6) ** 3, 12);
    expect(chance(...Array.from({ length: 12 }, () => f))).toBeCloseTo((f / 6) ** 12, 12);
  }
  expect(chance(1, 2, 3, 4, 5)).toBeCloseTo(120 / 6 ** 5, 12);
  expect(chance(2, 0, 3)).toBe(0); // once impossible, always impossible
  expect(chance(6)).toBe(1); // it could not have hit anyway
});

test("a record of dice is never taken for one of a counter that is impossible", () => {
  const env = table({ phase: "move", german: { "gren-1": { hex: "1510" } }, soviet: { "dummy-1": { hex: "1516" } } });
  const s = newState(env.game.stateSize);
  s.set(env.state);
  for (let f = 1; f <= 5; f++) for (let n = 0; n < 15; n++) addMissedDie(s, 0, GERMANS, f);
  expect(s[missedDiceAt(0, GERMANS)]).toBe(IMPOSSIBLE - 1);
});

test("a new game begins with everything off the map but the contacts", () => {
  const env = new Env(loadGame("night-fight"));
  env.reset("new game");
  const p = env.game.write(env.state);
  expect(p).toMatchObject({ turn: 1, phase: "buy", budget: 40, columns: ["off", "off"], exited: 0 });
  expect(p["silent"] ?? {}).toEqual({});
  expect(Object.values(p["german"] as object).filter((u) => (u as { hex: string }).hex !== "pool")).toEqual([]);
  const lying = Object.entries(p["soviet"] as Record<string, { hex: string }>).filter(([, u]) => u.hex !== "reserve");
  expect(lying.map(([, u]) => u.hex).sort()).toEqual([
    "1811", "1816", "2010", "2014", "2019", "2212", "2216", "2307", "2413", "2421", "2510", "2616", "2713", "2808",
  ]); // prettier-ignore
  expect(names.slice(GERMANS)).toHaveLength(24);
});

rule("NF reconstructed 8", "every counter of the reserve can be dealt to every contact, dummies too", () => {
  const env = new Env(loadGame("night-fight"));
  const dealt = new Set<string>();
  for (let g = 0; g < 60; g++) {
    env.reset(`deal ${g}`);
    const soviet = env.game.write(env.state)["soviet"] as Record<string, { hex: string }>;
    const lying = Object.entries(soviet).filter(([, u]) => u.hex !== "reserve");
    expect(lying).toHaveLength(14);
    for (const [name] of lying) dealt.add(name);
  }
  expect(dealt.size).toBe(24);
});

rule(
  "NF reconstructed columns",
  "two real units are drawn while the reserve has two, one if it has one, never a dummy",
  () => {
    const dead = Object.fromEntries(names.slice(GERMANS).map((n) => [n, { hex: "dead" }]));
    const deployed = (reserve: string[], seed: string) => {
      const env = table({
        phase: "fire",
        german: { "gren-1": { hex: "1510" } },
        soviet: { ...dead, ...Object.fromEntries(reserve.map((n) => [n, { hex: "reserve" }])) },
        columns: ["1610", "gone"],
      });
      const position = env.game.write(env.state);
      env.resetTo(position, seed);
      env.step("done");
      const p = env.game.write(env.state) as unknown as Position;
      expect(p.columns).toEqual(["gone", "gone"]);
      expect(p.budget).toBe(0);
      expect(env.game.invariantViolation(env.state)).toBe(null);
      const came = Object.keys(p.soviet).filter((n) => p.soviet[n]!.hex === "1610");
      expect(p.drawn ?? 0).toBe(came.length);
      return Object.keys(p.soviet).filter((n) => p.soviet[n]!.hex === "1610");
    };
    const seen = new Set<string>();
    for (let g = 0; g < 30; g++) {
      const drawn = deployed(["rifle-1", "t34-4", "hunter-2", "dummy-1", "dummy-5"], `draw ${g}`);
      expect(drawn).toHaveLength(2);
      for (const n of drawn) seen.add(n);
    }
    expect([...seen].sort()).toEqual(["hunter-2", "rifle-1", "t34-4"]);
    for (let g = 0; g < 5; g++) expect(deployed(["hunter-3", "dummy-2"], `one ${g}`)).toEqual(["hunter-3"]);
    expect(deployed(["dummy-2", "dummy-3"], "none")).toEqual([]);
  },
);

test("contacts are in the order of their hexes, whatever they are: no order reveals what was dealt first", () => {
  const lying = ["2020", "1505", "1812", "3024", "1506", "1811"];
  for (const first of ["rifle", "atgun"])
    for (let turn = 0; turn < lying.length; turn++) {
      const hexes = [...lying.slice(turn), ...lying.slice(0, turn)];
      const counters = [1, 2, 3, 4].map((n) => `${first}-${n}`).concat("t34-1", "dummy-1");
      const env = table({
        phase: "move",
        german: { "gren-1": { hex: "1524" } },
        soviet: Object.fromEntries(counters.map((n, i) => [n, { hex: hexes[i]! }])),
      });
      expect(env.game.invariantViolation(env.state)).toBe(null);
      expect(Object.keys(env.game.view(env.state, 0)["soviet"] as object)).toEqual(
        lying.toSorted().map((hex) => `?${hex}`),
      );
    }
});

rule("NF reconstructed 8", "a unit that comes upon a contact finds it, wherever it is in the order", () => {
  for (const hex of ["1509", "1511", "1610"]) {
    const soviet = { "rifle-1": { hex: "1509" }, "atgun-1": { hex: "1511" }, "t34-1": { hex: "1610" } };
    const env = table({ phase: "move", german: { "gren-1": { hex: "1510" } }, soviet });
    const p = after(env, ["unit gren-1", `hex ${hex}`]);
    const seen = Object.keys(soviet).filter((n) => p.soviet[n]!.seen);
    expect(seen.map((n) => p.soviet[n]!.hex)).toEqual([hex]);
    expect(env.game.invariantViolation(env.state)).toBe(null);
  }
});

test("a new game on a used table is a new game", () => {
  const used = table({
    phase: "fire",
    turn: 7,
    german: { "gren-1": { hex: "1510", moved: true } },
    soviet: { "t34-1": { hex: "2013", seen: true, supp: true }, "dummy-1": { hex: "1812" } },
    wrecks: { "2020": 3 },
    flares: ["1510"],
    reinstated: { jagd: true },
    silent: { "1812": { "rifle-1": [1, 2] } },
  });
  used.reset("again");
  const fresh = new Env(used.game);
  fresh.reset("again");
  expect(used.game.write(used.state)).toEqual(fresh.game.write(fresh.state));
  expect(sameSituation(used.state, fresh.state)).toBe(true);
});
