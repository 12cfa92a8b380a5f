import { describe, expect, test } from "vitest";
import {
  type ErrorCode,
  EventLog,
  gameFor,
  gameType,
  type JsonObject,
  newState,
  Rng,
  ScriptedDice,
} from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { Tables } from "../../../env/streets-of-stalingrad/state.js";
import { Play } from "../../../env/core/play.js";
import { setUp } from "../../../env/streets-of-stalingrad/notation/read.js";
import { testStart } from "../../../env/streets-of-stalingrad/rules/units/reliability.js";
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const type = gameType("streets-of-stalingrad");
const [GERMAN, SOVIET] = [0, 1];

const row = (more: JsonObject = {}): JsonObject => ({
  turn: 3,
  side: "soviet",
  box: "eb-c",
  units: ["s1", "sh"],
  ...more,
});
const units = {
  s1: { type: "s-inf", tag: "star1" },
  sh: { type: "s-how", tag: "star1" },
  s2: { type: "s-inf", at: "2060", tag: "star1" },
};
/** The German exploit attack before, of a turn. */
const dusk = (turn: number, rows: JsonObject[] = [row()], more: JsonObject = {}): Table =>
  new Table(
    { ...units, gx: "g-inf 3030", sx: "s-inf 3031" },
    { turn, phase: 8, stage: "attack", marks: { "3031": ["attack"] }, schedule: { reinforcements: rows }, ...more },
  );
const night = (table: Table): Table => table.play("normal", "done: 10");

rule(
  "SOS 21.1",
  "units arrive by the schedule, in their turn, at the start of their side's main movement phase",
  () => {
    const early = night(dusk(2));
    expect([early.position["phase"], early.unit("s1")["at"]]).toEqual([10, undefined]);
    const before = dusk(3);
    expect(before.unit("s1")["at"]).toBe(undefined);
    night(before);
    expect([before.position["phase"], before.at("s1"), before.at("sh")]).toEqual([10, "eb-c", "eb-c"]);
  },
);

rule("SOS 16.11 snipers", "snipers come by the schedule, Zaitsev with three and then one a turn", () => {
  const ids = ["z", "a", "b", "c", "d", "e"];
  const snipers = Object.fromEntries(ids.map((id) => [id, { type: id === "z" ? "s-zaitsev" : "s-sniper" }]));
  const rows = [
    row({ turn: 13, units: ["z", "a", "b", "c"] }),
    row({ turn: 14, units: ["d"] }),
    row({ turn: 15, units: ["e"] }),
  ];
  const at = (turn: number): unknown[] => {
    const far = { s2: units.s2, gx: "g-inf 3030", sx: "s-inf 3031" };
    const rest = { turn, phase: 8, stage: "attack", marks: { "3031": ["attack"] }, schedule: { reinforcements: rows } };
    const table = night(new Table({ ...far, ...snipers }, rest));
    return ids.map((id) => table.unit(id)["at"]);
  };
  expect(at(13)).toEqual(["eb-c", "eb-c", "eb-c", "eb-c", undefined, undefined]);
  expect(at(14).slice(4)).toEqual(["eb-c", undefined]);
  expect(at(15).slice(4)).toEqual([undefined, "eb-c"]);
});

rule("SOS 21.2", "they come into the box of their row, and may cross at once", () => {
  const table = night(dusk(3, [row({ box: "eb-n" })]));
  expect(table.at("s1")).toBe("eb-n");
  while (table.position["stage"] !== "normal") table.play("done");
  expect(table.legal).toContain("unit s1");
});

rule("SOS 14.11", "guns that arrive by the schedule are not ready to fire in the next attack phase", () => {
  const table = night(dusk(3));
  expect(table.unit("sh")).toMatchObject({ at: "eb-c", unready: true });
  expect(table.unit("s1")["unready"]).toBe(undefined);
});

test("the other side sees how many arrived, and not which", () => {
  const table = dusk(3, [row({ units: ["s1"] })]);
  night(table);
  const { game, state } = table.env;
  expect(game.view(state, GERMAN)["boxed"]).toEqual({ "eb-c": 1 });
  expect(game.view(state, GERMAN)["batteries"]).toBe(undefined);
  const sample = newState(game.stateSize);
  for (let i = 0; i < 20; i++) {
    game.resample(state, GERMAN, sample, new Rng(String(i)));
    expect(game.view(sample, GERMAN)).toEqual(game.view(state, GERMAN));
  }
});

test("in samples units that are still to arrive are nowhere else", () => {
  const { game, state } = dusk(2).env;
  const sample = newState(game.stateSize);
  for (let i = 0; i < 20; i++) {
    game.resample(state, GERMAN, sample, new Rng(String(i)));
    const doc = game.write(sample)["units"] as Record<string, JsonObject>;
    expect([doc["s1"]!["at"], doc["sh"]!["at"], doc["s2"]!["at"]]).toEqual([undefined, undefined, "2060"]);
  }
});

event("reinforced", "the owner reads which units arrive, the other side how many", () => {
  const told = (viewer: number) => {
    const log = new EventLog([GERMAN, SOVIET] as const);
    const table = dusk(3).play("normal");
    table.env.step("done", new ScriptedDice([10]), log);
    return log.take(viewer).find((e) => e.what === "reinforced");
  };
  expect(told(SOVIET)).toMatchObject({
    rule: "SOS 21.1",
    by: "soviet",
    text: "Soviet s1 and sh come to box eb-c.",
    units: ["s1", "sh"],
    places: ["eb-c"],
    amount: 2,
  });
  expect(told(GERMAN)).toMatchObject({ text: "Soviet 2 counters come to box eb-c.", units: [], amount: 2 });
});

describe("an impossible schedule is refused by path and reason", () => {
  test.each([
    ["a unit that there is not", row({ units: ["s7"] }), 'units[0]: there is no unit "s7"'],
    ["a unit of the other side", row({ side: "german", box: "off-2" }), "units[0]: s1 is of the other side"],
    ["a unit twice", row({ units: ["s1", "s1"] }), "units[1]: s1 comes in twice"],
    ["a box of the other side", row({ box: "off-2" }), "box: no soviet unit comes into box off-2"],
    ["a turn after the last", row({ turn: 9 }), "turn: the game is over before"],
    ["a key that there is not", row({ until: 4 }), "until"],
  ] as const)("%s", (_what, reinforcement, says) =>
    expect(() => dusk(2, [reinforcement], { lastTurn: 8 })).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/bad-(data|position)/) as ErrorCode,
        message: expect.stringContaining(says) as string,
      }) as Error,
    ),
  );
  test("a box that is not in play", () =>
    expect(() =>
      dusk(2, [row({ box: "eb-n" })], { bounds: { cols: [1, 40], rows: [25, 70].map((r) => r - 20) } }),
    ).toThrow("box eb-n is not in play"));
});

rule("SOS 16.84", "only regiments that the set-up leaves beside Germans throw before the game begins", () => {
  const position = {
    scenario: "sandbox",
    turn: 2,
    units: {
      n1: { type: "s-nkvd", at: "2010", formation: "62A/10NKVD/271/1" },
      n2: { type: "s-nkvd", at: "2014", formation: "62A/10NKVD/271/2" },
      n3: { type: "s-nkvd", at: "2018", formation: "62A/10NKVD/272/1" },
      n4: { type: "s-nkvd", at: "2030", formation: "62A/10NKVD/273/1" },
      g1: { type: "g-inf", at: "2009" },
      gl: { type: "g-leader", at: "2019" },
      g4: { type: "g-inf", at: "2029" },
    },
  } as unknown as JsonObject;
  const checked = { ...position, nkvdChecked: ["62A/10NKVD/273"] };
  const tables = new Tables(
    loadSetting({ ...type.data, sandbox: checked }, "sandbox"),
    gameFor(type, checked, {}).options,
  );
  const s = newState(tables.layout.size);
  const dice = new ScriptedDice([8, 7]);
  dice.begin(s);
  const play = new Play(dice);
  setUp(tables, checked, s, play);
  expect(testStart(tables, s, null)).toBe(true);
  testStart(tables, s, play);
  expect(dice.left).toBe(0);
  const doc = gameFor(type, checked, {}).write(s);
  const at = (id: string): unknown => (doc["units"] as Record<string, JsonObject>)[id]!["at"];
  expect(["n1", "n2", "n3", "n4"].map(at)).toEqual(["dead", "2014", "2018", "2030"]);
  expect(doc["nkvdChecked"]).toEqual(["62A/10NKVD/271", "62A/10NKVD/273"]);
  expect(testStart(tables, s, null)).toBe(false);
});

rule("SOS 16.84", "while a position is loaded nobody throws", () => {
  const table = new Table({ g1: "g-inf 2009", n1: { type: "s-nkvd", at: "2010", formation: "62A/10NKVD/271/1" } }, {});
  expect([table.rolls, table.position["nkvdChecked"]]).toEqual([[], undefined]);
});
