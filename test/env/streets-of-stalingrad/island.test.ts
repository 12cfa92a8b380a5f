import { describe, expect, test } from "vitest";
import { Env, type GameData, type Json, type JsonObject, loadGame, resolveOptions } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { replaceFile } from "../../../env/streets-of-stalingrad/data-files.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { GERMAN, type Roster, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";

const ISLAND = "scenario-7";
const row = type.data[ISLAND] as JsonObject;
const begun = (options: JsonObject = {}, data: GameData = type.data) => {
  const env = new Env(type.load(resolveOptions(type, { scenario: ISLAND, ...options } as never), data));
  env.reset("island");
  return env;
};
const position = (env: Env) => env.game.write(env.state);
const units = (env: Env) => position(env)["units"] as Record<string, { at: string }>;
/** Counters but for the headquarters that come for lost leaders of armies. Rule: SOS 18.44 */
const begins = ({ counters }: Roster) => counters.filter(({ id, spare }) => !spare && !/-HQ-/.test(id));
const edited = (key: string, value: Json): GameData => replaceFile(type.data, ISLAND, { ...row, [key]: value });

describe("Lyudnikov's Island", () => {
  test("129 German and 76 Soviet counters on 592 hexes, 11 to 18 November (2.31, 2.34)", () => {
    const { board, roster, start } = loadSetting(type.data, ISLAND);
    const counters = [GERMAN, SOVIET].map((side) => begins(roster).filter((c) => c.side === side).length);
    expect([...counters, board.size]).toEqual([129, 76, 592]);
    expect([start["turn"], start["lastTurn"], start["phase"]]).toEqual([60, 67, 1]);
  });

  test("every unit is where its row deploys it, guns and the flotilla in their boxes", () => {
    const at = units(begun());
    for (const [place, ids] of Object.entries(row["deploy"] as Record<string, string[]>))
      for (const id of ids) expect([id, at[id]!.at]).toEqual([id, place]);
  });

  test("slots follow the order of units.json, German first", () => {
    const listed = (type.data["units"] as unknown as { units: string[][] }).units.map(([id]) => id);
    const { roster } = loadSetting(type.data, ISLAND);
    const slots = [GERMAN, SOVIET].map((side) =>
      begins(roster).flatMap((c) => (c.side === side ? [listed.indexOf(c.id)] : [])),
    );
    for (const list of slots) expect(list).toEqual([...list].sort((a, b) => a - b));
  });

  test("the Germans hold two of five landings and need a third", () => {
    const { game, state } = begun();
    for (const viewer of [GERMAN, SOVIET]) expect(game.view(state, viewer)["heldByGermans"]).toEqual(["0262", "0360"]);
    const { levels, points } = loadSetting(type.data, ISLAND);
    expect(levels).toEqual({ germanMarginal: 3, germanDecisive: 4, sovietDecisive: 1 });
    expect(points.reduce((a, b) => a + b, 0)).toBe(5);
  });

  test("a large fight may take a million decisions (spec 4.11)", () => {
    expect(begun().game.maxDecisions).toBe(1_000_000);
    expect(loadGame(type.id, {}).maxDecisions).toBe(20_000);
  });

  test("Stukas are counted for the first turn, then for later ones (15.51)", () => {
    const env = begun({}, edited("stukas", { first: 6, later: 8 }));
    const word = (name: string) => env.state[env.game.fields.find((f) => f.name === name)!.offset]!;
    const stukas = () => word("stukasAvailable") + word("stukasUsed");
    const turn = () => word("turn");
    const flown: number[] = [];
    for (let i = 0; i < 5000 && turn() < 62; i++) {
      flown[turn() - 60] = stukas();
      const legal = env.legal();
      env.step(["continue", "done", "pass", "normal"].find((a) => legal.includes(a)) ?? legal[0]!);
    }
    expect(flown).toEqual([6, 8]);
  });

  test.each<[string, string, Json, string]>([
    ["a counter that is not in the list", "deploy", { "0452": ["S-NOBODY"] }, "there is no unit S-NOBODY"],
    ["a group of the set-up with another", "setup", [{ ...group(), units: ["S-X"] }], "there is no unit S-X"],
    ["withdrawals, which are not built", "withdrawals", [{}], "withdrawals"],
    ["an unknown option", "options", { fog: true }, "options"],
  ])("%s is refused by file and reason", (_what, key, value, says) => {
    expect(() => begun({}, edited(key, value))).toThrow(`${ISLAND}.json`);
    expect(() => begun({}, edited(key, value))).toThrow(says);
  });
});

function group(): JsonObject {
  return (row["setup"] as unknown as JsonObject[])[0]!;
}

describe("two leaders in a hex", () => {
  const read = (second: JsonObject) => {
    const env = new Env(loadGame(type.id, { scenario: ISLAND }));
    const there = { "S95RD-L-GORISHNY": { at: "0554" }, "S-L-CHUIKOV": { at: "0554", ...second } };
    env.resetTo({ scenario: ISLAND, turn: 61, phase: 10, stage: "normal", units: there }, "two");
    return env;
  };
  test("are refused, since only one may be there (5.5)", () =>
    expect(() => read({})).toThrow("hex 0554 has two soviet leaders"));
  test("are accepted and written where the second was stopped there (5.8, 8.09); no view shows it", () => {
    const env = read({ stopped: true });
    expect(units(env)["S-L-CHUIKOV"]).toEqual({ at: "0554", stopped: true });
    expect(JSON.stringify(env.game.view(env.state, SOVIET))).not.toContain("stopped");
  });
  test("no other unit is stopped that way", () => {
    const alone = { scenario: ISLAND, turn: 61, phase: 10, stage: "normal" };
    const refused = (unit: JsonObject) => () =>
      new Env(loadGame(type.id, { scenario: ISLAND })).resetTo({ ...alone, units: unit }, "alone");
    expect(refused({ "S-L-CHUIKOV": { at: "0554", stopped: true } })).toThrow("no other leader was there before it");
    expect(refused({ "S-SNP-1": { at: "0554", stopped: true } })).toThrow("only leaders are stopped so");
  });
});
