import { describe, expect, test } from "vitest";
import { Env, type JsonObject, resolveOptions, standingOf } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { replaceFile } from "../../../env/streets-of-stalingrad/data-files.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { GERMAN, type Roster, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { BOOK, deployed } from "./book.js";

const rowOf = (id: string) => type.data[id] as JsonObject;
const load = (id: string, row = rowOf(id), options: JsonObject = {}) =>
  type.load(resolveOptions(type, { scenario: id, ...options } as never), replaceFile(type.data, id, row));
/** Counters but for the headquarters that come for lost leaders of armies. Rule: SOS 18.44 */
const begins = ({ counters }: Roster) => counters.filter(({ id, spare }) => !spare && !/-HQ-/.test(id));

describe.each(BOOK)("$id", ({ id, counters, hexes, turns, points }) => {
  const { board, roster, start, points: byHex } = loadSetting(type.data, id);

  test("has the counters, hexes, turns and points of the book's row (2.31, 2.34)", () => {
    expect([GERMAN, SOVIET].map((side) => begins(roster).filter((c) => c.side === side).length)).toEqual(counters);
    expect([board.size, start["turn"], start["lastTurn"]]).toEqual([hexes, ...turns]);
    expect(byHex.reduce((a, b) => a + b, 0)).toBe(points);
  });

  test("begins where its row deploys it; who arrives later waits in the pool", () => {
    const places = new Map(deployed(rowOf(id)));
    const units = start["units"] as Record<string, { at: string }>;
    for (const [unit, { at }] of Object.entries(units)) expect([unit, at]).toEqual([unit, places.get(unit) ?? "pool"]);
  });

  test("is set up by hand in zones that hold every ready place", () => {
    const env = new Env(load(id, rowOf(id), { setup: "free" }));
    env.reset("zones");
    while (env.game.actor(env.state) >= 0 && env.legal().includes("auto")) env.step("auto");
    const fixed = new Env(load(id));
    fixed.reset("zones");
    const at = (e: Env) =>
      Object.entries(e.game.write(e.state)["units"] as Record<string, { at?: string }>).map(([u, d]) => [u, d.at]);
    expect(at(env)).toEqual(at(fixed));
  });
});

test("a leader who was left without a command is read back from the pool, wherever the leader began (20.7)", () => {
  const env = new Env(load("scenario-7"));
  const units = { "G305ID-L-BRAUN": { at: "pool", aside: true } };
  env.resetTo({ scenario: "scenario-7", turn: 61, phase: 3, stage: "normal", units }, "aside");
  const doc = env.game.write(env.state);
  expect((doc["units"] as JsonObject)["G305ID-L-BRAUN"]).toEqual({ at: "pool", aside: true });
  env.resetTo(doc, "again");
  expect(env.game.write(env.state)).toEqual(doc);
});

test("where many hexes count, the standing names those that are German; divisions that never come count too (SOS 3.5)", () => {
  const env = new Env(load("campaign"));
  env.reset("standing");
  const { conditions, ifEndedNow } = standingOf(env.game, env.state, 0);
  expect(ifEndedNow).toContain("0 of 20 hexes that count are German; 100JG has not come, 1;");
  expect(conditions[0]!.text).toMatch(
    /21 points or more at hexes held by German units, and for divisions that never come/,
  );
});

describe("a row that can't be played is refused with its file and path", () => {
  const row = rowOf("scenario-6");
  const [first] = row["reinforcements"] as unknown as JsonObject[];
  const arrives = (change: JsonObject) => ({ ...row, reinforcements: [{ ...first, ...change }] });
  test.each<[string, JsonObject, string]>([
    ["a turn before the first", arrives({ turn: 37 }), "schedule.reinforcements[0].turn"],
    ["a turn after the last", arrives({ turn: 50 }), "schedule.reinforcements[0].turn"],
    ["a box of the other side", arrives({ box: "eb-c" }), "schedule.reinforcements[0].box"],
    ["a unit that nobody has", arrives({ units: ["G-NOBODY"] }), "there is no unit G-NOBODY"],
    ["a unit on the map from the start", arrives({ units: ["G305ID-OP"] }), "G305ID-OP is in two places"],
    ["a hex outside", { ...row, deploy: { ...(row["deploy"] as JsonObject), "9999": ["S-REPAIR"] } }, "9999"],
    ["too many Stukas", { ...row, stukas: { first: 32, later: 12 } }, "stukas.first"],
  ])("%s", (_what, doc, says) => {
    expect(() => load("scenario-6", doc as JsonObject)).toThrow("scenario-6.json");
    expect(() => load("scenario-6", doc as JsonObject)).toThrow(says);
  });
});
