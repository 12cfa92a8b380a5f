import { describe, expect } from "vitest";
import { Env, gameFor, type JsonObject, newState, Rng } from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";
import { WOODS } from "./woods.js";

// What has number 0 in the engine, the first counter and the first hex of a map, is as good as any other.

const rule = ruleTests(rules);
const SOVIET = 1;
const QUIET = { opFire: false };
const normal = { phase: 3, stage: "normal" };

describe("the first counter", () => {
  rule("SOS 17.31", "a fort keeps others from being built in its hex", () => {
    const builds = (units: Record<string, string | JsonObject>) =>
      new Table(units, normal, QUIET).play("unit ge").legal.includes("build-fort");
    expect([builds({ g0: "g-fort 2010", ge: "g-eng 2010" }), builds({ g0: "g-fort 2012", ge: "g-eng 2010" })]).toEqual([
      false,
      true,
    ]);
  });

  rule("SOS 17.27", "a minefield is removed when its engineer has finished", () => {
    const task = { kind: "remove-minefield", hex: "2010", left: 1 };
    const units = { g0: "g-mine 2010", ge: { type: "g-eng", at: "2009", task }, s1: "s-inf 2060" };
    const table = new Table(units, { ...normal, phase: 2, stage: "plot-first" }, QUIET);
    expect([table.position["phase"], table.at("g0")]).toEqual([3, "dead"]);
  });

  rule("SOS 18.32", "a leader who is cut off comes to it without a die", () => {
    const ring = { s1: "s-inf 2011", s2: "s-inf 1910", s3: "s-inf 2110" };
    const way = (at: string) =>
      new Table({ g0: `g-inf ${at}`, gl: "g-leader 2010", ...ring }, normal, QUIET).play("unit gl");
    expect(way("1911").play("hex 1911").rolls).toEqual([]);
    expect(way("1811").play("hex 1811: 10 3").rolls[0]).toMatchObject({ kind: "leader" });
  });

  rule("SOS 18.32", "a leader who is cut off and wounded is safe with it, in a zone of control too", () => {
    const ring = { s1: "s-inf 2011", s2: "s-inf 1910", s3: "s-inf 2110", s4: "s-inf 1712" };
    const way = (units: Record<string, string>) => {
      const table = new Table({ ...units, gl: "g-leader 2010", ...ring }, { ...normal, turn: 2 }, QUIET);
      table.play("unit gl", "hex 1811: 7 3");
      return [table.rolls.map((r) => [r["kind"], r["die"]]), table.at("gl")];
    };
    // the die of 1911 wounds the leader, who then misses 3 turns
    const safe = [
      [
        ["leader", 7],
        ["wound", 3],
      ],
      "turn-6",
    ];
    expect(way({ g0: "g-inf 1811" })).toEqual(safe);
    expect(way({ gx: "g-inf 3520", g0: "g-inf 1811" })).toEqual(safe);
  });

  rule("SOS 9.113", "face down and under a pin it is pinned in samples, or a counter beside it is", () => {
    const all = structuredClone(WOODS["units"]) as Record<string, JsonObject>;
    Object.assign(all["g1"]!, { at: "0512", pinned: true });
    Object.assign(all["gl"]!, { at: "0612" });
    const position = {
      ...WOODS,
      units: all,
      map: ground({ "0512": "forest", "0612": "forest", "0513": "forest" })["map"]!,
    };
    const { game, state } = ((env) => (env.resetTo(position, "pin"), env))(new Env(gameFor(type, position)));
    const out = newState(game.stateSize);
    const rng = new Rng("pin");
    for (let i = 0; i < 100; i++) {
      expect(game.resample(state, SOVIET, out, rng)).toBe(true);
      expect(game.view(out, SOVIET)).toEqual(game.view(state, SOVIET));
      const dealt = game.write(out)["units"] as Record<string, JsonObject>;
      expect(dealt["gl"]!["pinned"]).toBe(undefined); // a leader is never pinned
    }
  });
});

describe("the first hex of a map", () => {
  const bounds = { cols: [20, 36], rows: [10, 70] };

  rule("SOS 9.51", "its units give defensive fire", () => {
    const units = { g1: "g-inf 2011", g2: "g-inf 2110", s1: "s-inf 2010", s2: "s-inf 2010" };
    const table = new Table(units, { ...attacks(5, "2010"), bounds }).play("unit g1", "unit g2", "normal");
    table.play(...(table.ask === "retreat.unit" ? ["done"] : []));
    expect([table.ask, table.legal]).toEqual(["df.target", ["done", "hex 2011", "hex 2110"]]);
  });

  rule("SOS 9.71", "a leader there helps units of the command beside it", () => {
    const of = (unit: string, at: string, formation: string) => ({ type: unit, at, formation });
    const units = {
      ...{ gl: of("g-leader", "2010", "51K/71ID/191"), g1: of("g-inf", "2011", "51K/71ID/191/I") },
      ...{ s1: { type: "s-inf", at: "2012", af: 4 }, sx: "s-inf 3030", gx: "g-inf 3031" },
    };
    const table = new Table(units, { ...attacks(12, "2011", "3031"), bounds }).play("hex 2011", "normal", "done: 10");
    expect(table.rolls.at(-1)!["drms"]).toEqual({ "adjacent-leader": 1 });
  });

  rule("SOS 9.94", "a gun there fires at armor by its distance", () => {
    const afOf = (cols: [number, number]) => {
      const units = { ga: "g-at 2010", g1: "g-inf 2010", g2: "g-inf 2010", s1: "s-tank 2011" };
      const table = new Table(units, { ...attacks(5, "2011"), bounds: { cols, rows: [10, 70] } });
      return table.play("all", "normal", "done: 10").rolls[0]!["points"];
    };
    expect(afOf([20, 36])).toBe(afOf([19, 36]));
  });
});
