import { expect, test } from "vitest";
import { Env, loadGame } from "../../env/index.js";
import { Complaints } from "./complaints.js";
import { leakPairs } from "./leaks.js";

/**
 * German rifles, a tank and a gun with three backs are face down in a hex that has just been attacked, and retreat one
 * by one. In a world in which other counters with these backs are there, the Soviet sees the same only if the one with
 * the same back goes first, by whatever action.
 */
const RETREAT = {
  game: "streets-of-stalingrad",
  notation: 1,
  scenario: "sandbox-2",
  options: {
    autoSingle: true,
    autoSpot: true,
    opFire: true,
    autoAa: false,
    hiddenUnits: true,
    maxTurns: 0,
    levels: "scenario",
    graded: false,
  },
  turn: 3,
  phase: 12,
  stage: "attack",
  stukas: { used: 2 },
  units: {
    g1: { at: "0420", pinned: true },
    g2: { at: "0422", ordered: true },
    g3: { at: "0422", ordered: true },
    g4: { at: "0621", shown: true, liesOpen: true, opFiredIn: 10 },
    ge: { at: "0720" },
    gt1: { at: "0420", pinned: true },
    gt2: { at: "0321" },
    gm: { at: "0920", unready: true, firedAf: true },
    gh: { at: "0721", firedAf: true },
    gl: { at: "0324", ordered: true },
    go: { at: "0915", noSpot: true },
    gw: { at: "0420", pinned: true, newPin: true },
    s1: { at: "0520", shown: true },
    s2: { at: "dead" },
    s3: { at: "dead" },
    s4: { at: "0220" },
    s5: { at: "1018" },
    sa: { at: "dead" },
    st: { at: "dead" },
    sm: { at: "0617", unready: true, firedAf: true },
    sl: { at: "0727" },
    sc: { at: "0316" },
    sf: { at: "0620" },
  },
  marks: { "0420": ["attack"] },
  attacked: ["0420"],
  known: { soviet: ["ge"] },
  decision: { ask: "after.unit", actor: "german", hex: "0420", left: ["g1", "gt1"], steps: 1 },
  frames: [
    { ask: "attack.target", actor: "soviet" },
    { ask: "attack.unit", actor: "soviet", hex: "0420", attackers: ["s1"], mode: "accelerate", step: 9 },
  ],
};

test("an action is followed in a twin world by one that looks the same, also in the order in which counters leave", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "sandbox-2" });
  const env = new Env(game);
  env.resetTo(RETREAT, "follow");
  const start = env.state.slice();
  const complaints = new Complaints();
  const { different } = leakPairs(game, 1500, "follow", complaints, { size: 1, pick: () => start });
  expect(complaints.list()).toEqual([]);
  expect(different).toBeGreaterThan(100);
});
