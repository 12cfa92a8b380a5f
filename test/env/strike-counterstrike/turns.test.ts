import { describe, expect, test } from "vitest";
import type { HexId } from "../../../env/strike-counterstrike/data.js";
import { loadTables } from "../../../env/strike-counterstrike/data/load.js";
import { at, play, position, rule, type } from "./table.js";

const passed = ["2507", "2412", "2413", "2513", "2612", "2613"];
/** Enough of the K-Line sector for the check of turn 3. */
const EIGHTEEN = "2001 2002 2003 2103 2104 2204 2205 2304 2305 2404 2405 2406 2407 2408 2505 2506 2507 1900".split(" ");
const BEFORE_CHECK = {
  turn: 3,
  phase: "attach",
  captured: EIGHTEEN,
  armies: { "4S": { hex: "2700" } },
  partisan: "gone",
};
const tables = loadTables(type.data, { concede: false });

describe("the turn", () => {
  rule("SC 5.1", "a turn runs from replacements over activations to the host of 1E", () => {
    const env = at({ turn: 2, phase: "replace", armies: { "16": { steps: 11 } } });
    play(env, ["done"]);
    expect(position(env).phase).toBe("activate");
    play(env, ["done"]);
    expect(position(env).phase).toBe("attach");
    play(env, ["army 16"]);
    expect(position(env)).toMatchObject({ turn: 3, phase: "replace" });
  });

  rule("SC 5.2", "Germans regroup before Soviets get replacements", () => {
    const env = at({ turn: 1, phase: "attach", captured: passed, track: { "2": ["inf-161", "pz-1"] } });
    const before = position(env).poolSize;
    play(env, ["army 16"]);
    expect(position(env)).toMatchObject({
      poolSize: before + 2,
      replacements: 10,
      entered: { "inf-161": 1, "pz-1": 2 },
    });
  });

  rule("SC 5.5", "stop and first-fire flags are cleared", () => {
    const env = at({
      turn: 2,
      armies: { "1S": { fired: true, stopped: true }, "3S": { fired: true }, "5": { stopped: true } },
    });
    play(env, ["done"]);
    expect(Object.values(position(env).armies).some((a) => a.stopped || a.fired)).toBe(false);
  });

  rule("SC 10.11", "VI IC is back in Phase II of the next turn", () => {
    const env = at({ turn: 1, phase: "attach", captured: passed, interceptor: "spent" });
    play(env, ["army 16"]);
    expect(position(env).interceptor).toBe("ready");
  });

  rule("SC 7.1", "4S waits on the track until turn 3", () => {
    const env = at({ turn: 2, phase: "attach" });
    expect(position(env).armies["4S"]).toMatchObject({ hex: "track", steps: 0 });
    play(env, ["army 16"], ["done"]);
    expect(position(env)).toMatchObject({ turn: 3, phase: "enter" });
  });

  test("ruling R20: 4S may not be held back while there is a place for it, nor the partisans", () => {
    const env = at({ turn: 3, phase: "enter" });
    expect(env.legal()).not.toContain("done");
    play(env, ["hex 2700"]);
    expect(env.legal()).not.toContain("done");
  });

  test("ruling R21: turn 6 asks for no host", () => {
    const env = at({ turn: 6 });
    play(env, ["done"]);
    expect(position(env)).toMatchObject({ phase: "over", result: "turn6" });
  });

  rule("SC 9.2", "the first round of an attack costs no more than entering", () => {
    const env = at({ turn: 1, front: { "2409": "inf-161" } });
    play(env, ["army 5"], ["hex 2409", 1]);
    expect(position(env).active).toEqual({ army: "5", mp: 1 });
  });

  rule("SC 3.9", "a turn in which the player does nothing leaves the map as it was", () => {
    const env = at({ turn: 2 });
    const { control, front } = position(env);
    play(env, ["done"], ["army 16"]);
    expect(position(env).control).toEqual(control);
    expect(position(env).front).toEqual(front);
  });

  rule("SC 8.1", "no German unit is known before a force enters", () => {
    const env = at({ turn: 2 });
    expect(position(env).garrisons).toEqual({});
  });
});

describe("victory", () => {
  rule("SC 4.1", "a check counts for its turn alone: turn 2 has none, and one passed is not asked again", () => {
    const env = at({ turn: 2, phase: "attach" }); // Germans beside Moscow still
    play(env, ["army 16"]);
    expect(position(env)).toMatchObject({ turn: 3, phase: "replace" });
  });

  rule("SC 3.8", "a hex of the sector that is Soviet already doesn't change hands again, nor count again", () => {
    const env = at(BEFORE_CHECK);
    expect(position(env).kCount).toBe(18);
    env.step("army 16");
    expect(position(env).kCount).toBe(34);
  });

  rule("SC 4.4", "all hexes of the sector change hands, and no others", () => {
    const env = at(BEFORE_CHECK);
    env.step("army 16");
    expect(position(env)).toMatchObject({
      turn: 4,
      kCount: 34,
      control: { "2410": "soviet", "2005": "german", "2411": "german", "1500": "german" },
    });
  });
});

describe("what has no place", () => {
  rule("SC 7.3", "ruling R20: where only localities and the way to one are German, the partisans have no hex", () => {
    // to Kholm, 1401, from the corner or from the hex below it
    for (const way of [
      ["1000", "1100", "1200", "1300"],
      ["1001", "1101", "1201", "1301"],
    ]) {
      const lost = (h: HexId, id: string) => tables.startGerman[h] === 1 && tables.fort[h] === 0 && !way.includes(id);
      const captured = tables.ids.filter((id, h) => lost(h, id));
      const env = at({ turn: 3, phase: "partisan", captured, armies: { "4S": { hex: "2700" } } });
      expect(env.legal()).toEqual(["done"]);
      play(env, ["done"]);
      expect(position(env)).toMatchObject({ phase: "activate", partisan: "gone", forts: 0, captured });
    }
  });

  rule("SC 7.2", "ruling R20: what has not come when turn 3 ends, 4S and partisans, is lost", () => {
    const env = at({ turn: 3, phase: "attach", captured: EIGHTEEN });
    env.step("army 16");
    expect(position(env)).toMatchObject({
      turn: 4,
      armies: { "4S": { hex: "dead", steps: 0 } },
      partisan: "gone",
    });
  });
});

describe("the partisan marker", () => {
  const there = { turn: 4, partisan: "2006" };

  rule("SC 7.3", "stays where it is when turn 3 ends", () => {
    const env = at({ ...BEFORE_CHECK, partisan: "1312" });
    env.step("army 16");
    expect(position(env)).toMatchObject({ turn: 4, partisan: "1312" });
  });

  rule("SC 7.3", "beside the front it takes no hex out of the line", () => {
    const env = at({ turn: 3, phase: "partisan", armies: { "4S": { hex: "2700" } } });
    const { front } = position(env);
    play(env, ["hex 2407"]); // 2506 and 2507 touch it, and the Soviets
    expect(position(env)).toMatchObject({ partisan: "2407", front });
  });

  rule("SC 7.3", "counts for the checks and takes the way west from others, unlinked", () => {
    const env = at(there);
    expect(position(env).control["2006"]).toBe("soviet");
    expect(position(env).captured).not.toContain("2006");
    expect(position(env).front["1906"]).toBeUndefined();
  });
});
