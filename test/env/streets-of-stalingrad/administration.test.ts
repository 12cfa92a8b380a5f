import { describe, expect, test } from "vitest";
import {
  EventLog,
  type GameEvent,
  type JsonObject,
  newObservation,
  newState,
  Rng,
  ScriptedDice,
} from "../../../env/index.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";
import { ground, Table } from "./table.js";

const rule = ruleTests(rules);
const [GERMAN, SOVIET, SPECTATOR] = [0, 1, -1];

/** The Administrative Phase of a turn, before its first question. */
const dawn = (
  turn: number,
  units: Record<string, string | JsonObject> = {},
  more: JsonObject = {},
  options: Record<string, boolean> = {},
): Table => new Table(units, { turn, phase: 1, stage: "end", ...more }, options);
/** The last question of the turn before. */
const dusk = (turn: number, units: Record<string, string | JsonObject>, more: JsonObject = {}): Table =>
  new Table(
    { ...units, gx: "g-inf 3031", sx: "s-inf 3030" },
    { turn: turn - 1, phase: 15, stage: "attack", marks: { "3031": ["attack"] }, ...more },
    { opFire: false },
  );

function told(table: Table, viewer: number, action: string, ...dice: number[]): GameEvent[] {
  const log = new EventLog([GERMAN, SOVIET, SPECTATOR] as const);
  table.env.step(action, new ScriptedDice(dice), log);
  return log.take(viewer);
}
const texts = (table: Table, viewer: number, what: string, action: string, ...dice: number[]): string[] =>
  told(table, viewer, action, ...dice).flatMap((e) => (e.what === what ? [e.text] : []));
const view = (table: Table, viewer: number): JsonObject => table.env.game.view(table.env.state, viewer);

const howitzers = (n: number, at: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`h${i + 1}`, `g-how ${i < 3 ? at : "2110"}`]));

describe("ammunition", () => {
  rule("SOS 14.71", "the German side throws from 20 September on, the Soviet one from 1 October on", () => {
    const rolls = (turn: number, ...dice: number[]): unknown[] => {
      const table = dawn(turn).play(`continue: ${dice.join(" ")}`.replace(/: $/, ""));
      return table.rolls.map((r) => r["kind"]);
    };
    expect(rolls(7)).toEqual([]);
    expect(rolls(8, 1)).toEqual(["ammo"]);
    expect(rolls(18, 1)).toEqual(["ammo"]);
    expect(rolls(19, 1, 1)).toEqual(["ammo", "ammo"]);
  });

  rule("SOS 14.72", "the die times the date's number is the AF that stay silent in the turn", () => {
    const short = (turn: number, die: number): unknown => {
      const table = dawn(turn, howitzers(5, "2010")).play(`continue: ${die} 1`.slice(0, turn < 19 ? -2 : undefined));
      return [table.rolls[0]!["result"], ((table.position["ammo"] as JsonObject)["german"] as JsonObject)["short"]];
    };
    expect(short(8, 4)).toEqual([40, 40]);
    expect(short(18, 4)).toEqual([40, 40]);
  });

  rule("SOS 14.72", "a silent gun bombards nothing until the next Administrative Phase", () => {
    const units = { gm: "g-mortar 2010", gi: "g-inf 2012", s1: "s-inf 2014" };
    const plots = (gun: JsonObject) => new Table({ ...units, gm: gun }, { turn: 3, phase: 2, stage: "plot-first" }).ask;
    expect(plots({ type: "g-mortar", at: "2010" })).toBe("bomb.target");
    expect(plots({ type: "g-mortar", at: "2010", silenced: true })).not.toBe("bomb.target");
    const next = dusk(7, { gm: { type: "g-mortar", at: "2010", silenced: true } }).play("normal", "done: 10");
    expect([next.position["turn"], next.unit("gm")["silenced"]]).toEqual([7, undefined]);
  });

  rule("SOS 14.73", "Soviet guns in boxes and on the map are named, Guards Mortars are not", () => {
    const units = { h1: "s-how eb-c", h2: "s-how 2010", m1: "s-mortar 2011", k1: "s-kat 2012" };
    const table = dawn(19, units).play("continue: 1 1");
    expect(table.ask).toBe("admin.ammo");
    expect(table.legal).toEqual(["auto", "unit h1", "unit h2", "unit m1"]);
  });

  rule("SOS 14.74", "German guns on the map are named; an 88 is not, nor what is off the map", () => {
    const units = { h1: "g-how 2010", h2: "g-how 2010", n1: "g-neb 2011", f1: "g-88 2012", h3: "g-how off-2" };
    expect(dawn(8, units).play("continue: 1").legal).toEqual(["auto", "unit h1", "unit h2", "unit n1"]);
  });

  test("auto names the smallest guns first, and of equal ones the first", () => {
    const units = { h1: "g-how 2010", m1: "g-mortar 2010", i1: "g-ig 2011", m2: "g-mortar 2011", h2: "g-how 2012" };
    const table = dawn(8, units).play("continue: 1", "auto");
    const silent = Object.keys(units).filter((id) => table.unit(id)["silenced"] === true);
    expect(silent).toEqual(["m1", "m2"]);
    expect(table.position["ammo"]).toEqual({ german: { short: 10 } });
  });

  test("guns are named one by one until the shortage is covered; any excess is saved", () => {
    const table = dawn(8, howitzers(5, "2010")).play("continue: 2", "unit h5");
    expect(table.position["decision"]).toEqual({ ask: "admin.ammo", actor: "german", need: 11 });
    expect(table.legal).toEqual(["auto", "unit h1", "unit h2", "unit h3", "unit h4"]);
    table.play("unit h2", "unit h1");
    expect(table.ask).not.toBe("admin.ammo");
    expect(table.position["ammo"]).toEqual({ german: { short: 20, saved: 7 } });
  });

  test("where all guns are needed nobody is asked, and the duty ends with them", () => {
    const table = dawn(8, { h1: "g-how 2010", h2: "g-how 2010" }).play("continue: 2");
    expect(table.ask).not.toBe("admin.ammo");
    expect([table.unit("h1")["silenced"], table.unit("h2")["silenced"]]).toEqual([true, true]);
    expect(table.position["ammo"]).toEqual({ german: { short: 20 } });
    // one gun more than needed leaves a choice
    expect(dawn(8, howitzers(3, "2010")).play("continue: 1").ask).toBe("admin.ammo");
  });

  rule("SOS 14.75", "guns on the map that did not fire save their AF for a side that throws", () => {
    const units = {
      h1: "g-how 2010",
      h2: { type: "g-how", at: "2010", firedAf: true },
      h3: { type: "g-how", at: "2011", silenced: true },
      h4: "g-how off-2",
      f1: "g-88 2012",
      m1: "g-mortar 2013",
      k1: "s-kat 2060",
      s1: "s-how eb-c",
      s2: "s-mortar 2062",
    };
    const table = dusk(5, units).play("normal", "done: 10");
    expect(table.position["ammo"]).toEqual({ german: { saved: 14 }, soviet: { saved: 5 } });
    const early = dusk(5, units, { lastTurn: 18 }).play("normal", "done: 10");
    expect(early.position["ammo"]).toEqual({ german: { saved: 14 } }); // the Soviet die never comes
  });

  rule("SOS 14.75", "savings are used up before guns stay silent", () => {
    const spend = (saved: number, die: number): unknown =>
      dawn(8, howitzers(5, "2010"), { ammo: { german: { saved } } }).play(`continue: ${die}`).position["ammo"];
    expect(spend(30, 3)).toBe(undefined);
    expect(spend(34, 3)).toEqual({ german: { saved: 4 } });
    expect(spend(10, 3)).toEqual({ german: { short: 20 } });
    // a side that hardly fires saves more than 10,000 in a campaign
    expect(spend(12_030, 3)).toEqual({ german: { saved: 12_000 } });
  });

  test("without the option nobody throws or saves", () => {
    const table = dawn(19, howitzers(5, "2010"), {}, { ammunition: false }).play("continue");
    expect([table.rolls, table.position["ammo"]]).toEqual([[], undefined]);
  });

  test("only their owner knows which guns are named, and so what is left to name", () => {
    const table = dawn(8, howitzers(5, "2010")).play("continue: 3", "unit h5");
    expect(table.unit("h5")["silenced"]).toBe(true);
    for (const viewer of [SOVIET, SPECTATOR]) {
      const seen = view(table, viewer);
      expect(JSON.stringify(seen)).not.toContain("silenced");
      expect(seen["decision"]).toEqual({ ask: "admin.ammo", actor: "german", need: 30 });
    }
    expect(view(table, GERMAN)["decision"]).toEqual({ ask: "admin.ammo", actor: "german", need: 21 });
  });

  test("in samples enemy guns stay silent for as many AF as are short", () => {
    const guns = { ...howitzers(5, "2010"), m1: "g-mortar 2010" };
    const table = dawn(8, guns, { phase: 2, stage: "plot-first", ammo: { german: { short: 20 } } });
    const { game, state } = table.env;
    const sample = newState(game.stateSize);
    for (let i = 0; i < 20; i++) {
      game.resample(state, SOVIET, sample, new Rng(String(i)));
      const units = game.write(sample)["units"] as Record<string, JsonObject>;
      const silent = Object.keys(guns).filter((id) => units[id]!["silenced"] === true);
      const sum = silent.reduce((n, id) => n + (id === "m1" ? 5 : 9), 0);
      expect(sum).toBeGreaterThanOrEqual(20);
      expect(sum).toBeLessThan(20 + 9);
    }
  });

  event("ammunition", "both sides read the die, and what was saved", () => {
    for (const viewer of [GERMAN, SOVIET])
      expect(
        texts(dawn(8, howitzers(5, "2010"), { ammo: { german: { saved: 5 } } }), viewer, "ammunition", "continue", 2),
      ).toEqual(["German ammunition: die 2 times 10, less 5 saved: 15 AF short."]);
    expect(texts(dusk(5, { h1: "g-how 2010" }).play("normal"), SOVIET, "ammunition", "done", 10)).toEqual([
      "German ammunition: 9 AF more are saved, 9 in all.",
    ]);
  });

  event("silenced", "the owner reads which guns; everyone reads that it is done", () => {
    const naming = () => dawn(8, howitzers(5, "2010")).play("continue: 2", "unit h1", "unit h2");
    expect(texts(naming(), GERMAN, "silenced", "unit h3")).toEqual([
      "German h3 (AF 9) stays silent in this turn.",
      "The German side has named its guns that stay silent; 7 AF are saved.",
    ]);
    expect(texts(naming(), SOVIET, "silenced", "unit h3")).toEqual([
      "The German side has named its guns that stay silent; 7 AF are saved.",
    ]);
  });

  test("impossible positions are refused", () => {
    const refused = (units: Record<string, JsonObject>, more: JsonObject): string => {
      try {
        dawn(8, units, more);
        return "read";
      } catch (e) {
        return (e as Error).message;
      }
    };
    expect(refused({ g1: { type: "g-inf", at: "2010", silenced: true } }, {})).toContain(
      "units.g1.silenced: only guns that are short of ammunition stay silent",
    );
    expect(refused({}, { ammo: { german: { short: -1 } } })).toContain("ammo.german.short");
    const asked = (need: number) => ({
      ammo: { german: { short: 20 } },
      decision: { ask: "admin.ammo", actor: "german", need },
    });
    const guns = {
      h1: { type: "g-how", at: "2010" },
      h2: { type: "g-how", at: "2010" },
      h3: { type: "g-how", at: "2010" },
    };
    expect(refused(guns, asked(21))).toContain("decision.need: it is 1 to 20, what the side is short of");
    expect(refused(guns, asked(10))).toBe("read");
    expect(refused(guns, { ...asked(10), frames: [{ ask: "admin.end", actor: "german", step: 9 }] })).toContain(
      "decision.ask: it is asked in step 5",
    );
    expect(refused({}, { decision: { ask: "admin.end", actor: "german", step: 2 } })).toContain(
      "decision.step: the phase has steps 3 to 9, and none while it is asked",
    );
  });
});

describe("ammunition from turn to turn", () => {
  rule("SOS 14.72", "what the side was short of is over when the next turn begins", () => {
    const table = dusk(9, {}, { ammo: { german: { short: 30 } } }).play("normal", "done: 10");
    expect([table.position["turn"], table.ask, table.position["ammo"]]).toEqual([9, "admin.end", undefined]);
  });

  rule("SOS 14.71", "a position in which the Soviet side names its guns has the German die behind it", () => {
    const guns = { h1: "s-how 2010", h2: "s-how 2010", h3: "s-how 2010" };
    const decision = { ask: "admin.ammo", actor: "soviet", need: 10 };
    const table = dawn(20, guns, { ammo: { soviet: { short: 20 } }, decision }).play("unit h1");
    expect(table.rolls.map((r) => r["kind"])).not.toContain("ammo");
  });
});

describe("weather", () => {
  const air = { gp: "g-op-lw 2010", g1: "g-inf 2010", s1: "s-inf 2013" };
  const stukas = { stukas: { available: 6 } };
  const quiet = { ammunition: false };

  rule("SOS 15.53", "from 21 October a die of 1 or 2 makes the weather bad, and no Stuka flies in the turn", () => {
    const day = (turn: number, ...dice: number[]): unknown[] => {
      const table = dawn(turn, air, stukas, quiet).play(`continue: ${dice.join(" ")}`.replace(/: $/, ""));
      return [table.position["weather"], table.position["phase"], table.position["stukas"]];
    };
    expect(day(38)).toEqual([undefined, 2, { available: 6 }]);
    expect(day(39, 3)).toEqual([undefined, 2, { available: 6 }]);
    for (const die of [1, 2]) expect(day(39, die)).toEqual(["bad", 3, { used: 6 }]);
  });

  rule("SOS 15.53", "the next turn has good weather and all its Stukas until its die", () => {
    const table = dusk(40, {}, { weather: "bad", stukas: { used: 6 } }).play("normal", "done: 10");
    expect([table.position["weather"], table.position["stukas"]]).toEqual([undefined, { available: 6 }]);
  });

  rule("SOS 7.4", "whoever is in the open is seen from afar again as soon as the weather is good", () => {
    const table = dusk(40, { g1: "g-inf 2010", s5: "s-inf 2015" }, { weather: "bad" });
    expect(view(table, GERMAN)["units"]).not.toHaveProperty("s5");
    table.play("normal", "done: 10");
    expect([table.position["turn"], table.ask]).toEqual([40, "admin.end"]);
    expect(view(table, GERMAN)["units"]).toHaveProperty("s5");
  });

  test("in a position with bad weather no Stuka can fly", () => {
    const table = new Table(air, { turn: 39, phase: 2, stage: "plot-first", weather: "bad", ...stukas });
    expect([table.ask, table.position["stukas"]]).toEqual(["move.select", { used: 6 }]);
    expect(() => dawn(39, {}, { weather: "fine" })).toThrow("weather");
  });

  rule("SOS 7.4", "in bad weather Germans see Soviets in the open no farther than four hexes, by a free line", () => {
    const known = (units: Record<string, string>, weather: string, map: JsonObject = {}): unknown => {
      const table = new Table(units, { turn: 39, phase: 3, stage: "normal", weather, ...map });
      const seen = view(table, GERMAN)["units"] as JsonObject;
      return Object.keys(units).filter((id) => id.startsWith("s") && id in seen);
    };
    const units = { g1: "g-inf 2010", s4: "s-inf 2014", s5: "s-inf 2015" };
    expect(known(units, "bad")).toEqual(["s4"]);
    expect(known(units, "good")).toEqual(["s4", "s5"]);
    const wood: JsonObject = { map: { base: "blank", hexes: { "2012": { t: "forest" } } } };
    expect(known(units, "bad", wood)).toEqual([]);
  });

  test("a unit seen before the weather turned stays known until it moves", () => {
    const table = dawn(39, { g1: "g-inf 2010", s1: "s-inf 2020", g2: "g-inf 3030", s2: "s-inf 3031" }, {}, quiet);
    table.play("continue: 1");
    expect(table.position["weather"]).toBe("bad");
    expect(view(table, GERMAN)["units"]).toHaveProperty("s1");
    while (table.position["phase"] !== 10 || table.ask !== "move.select")
      table.play(table.legal.includes("done") ? "done" : table.legal[0]!);
    table.play("unit s1", "hex 2021");
    expect(view(table, GERMAN)["units"]).not.toHaveProperty("s1");
  });

  event("weather", "everyone reads the die", () => {
    for (const viewer of [GERMAN, SOVIET, SPECTATOR])
      expect(texts(dawn(39, air, stukas, quiet), viewer, "weather", "continue", 2)).toEqual([
        "Weather: die 2: bad. No Stuka flies in this turn.",
      ]);
  });
});

/** A Soviet ring about hex 2009. */
const RING = {
  w1: "s-inf 2007",
  w2: "s-inf 1808",
  w3: "s-inf 2208",
  w4: "s-inf 1810",
  w5: "s-inf 2210",
  w6: "s-inf 2010",
};

describe("Germans who are cut off", () => {
  rule("SOS 19.6", "they get marker 1, never a higher one, and are not lost", () => {
    const table = dawn(4, { ...RING, g1: { type: "g-inf", at: "2009", oos: 1 }, gl: "g-leader 2009" }).play("continue");
    expect([table.unit("g1")["oos"], table.unit("gl")["oos"], table.at("g1")]).toEqual([1, 1, "2009"]);
    expect(table.unit("gf")["oos"]).toBe(undefined);
  });

  rule(
    "SOS 19.6",
    "both sides are informed: of units with known faces first, whatever their order in the stack",
    () => {
      const read = (known: string): string[] => {
        const units = { ...RING, g1: "g-inf 2009", g2: "g-inf 2009" };
        return texts(
          dawn(4, units, { ...ground({ "2009": "forest" }), known: { soviet: [known] } }),
          SOVIET,
          "supply",
          "continue",
        );
      };
      for (const known of ["g1", "g2"])
        expect(read(known)).toEqual([
          `German ${known} in 2009 (forest) is cut off: marker 1.`,
          expect.stringMatching(/^German face-down counter \(.*\) in 2009 \(forest\) is cut off: marker 1\.$/),
        ]);
    },
  );

  rule("SOS 19.6", "the marker is removed when a phase begins in which a way leads off the map again", () => {
    const gap = Object.fromEntries(Object.entries(RING).filter(([id]) => id !== "w6"));
    const table = dawn(4, { ...gap, g1: { type: "g-inf", at: "2009", oos: 1 } }).play("continue");
    expect(table.unit("g1")["oos"]).toBe(undefined);
  });

  test("the marker does not slow them, and adds one to their fire", () => {
    const units = { g1: { type: "g-inf", at: "2010", oos: 1 }, s1: "s-inf 2011" };
    const table = new Table(
      { ...RING, g1: { type: "g-inf", at: "2009", oos: 1 } },
      { turn: 4, phase: 3, stage: "normal" },
    );
    expect(table.unit("g1")["isolated"]).toBe(undefined);
    const attack = new Table(units, { phase: 5, stage: "attack", marks: { "2011": ["attack"] } });
    expect(attack.play("normal", "done: 10").rolls.at(-1)!["drms"]).toMatchObject({ oos: 1 });
  });

  test("a friend in a Soviet zone of control keeps a way open, and German ways go nowhere over the Volga", () => {
    const chain = { ...RING, g1: "g-inf 2009", g2: "g-inf 2109" };
    expect(dawn(4, chain).play("continue").unit("g1")["oos"]).toBe(1);
    const out = { ...chain, g3: "g-inf 2209", g4: "g-inf 2309", g5: "g-inf 2409" };
    expect(dawn(4, out).play("continue").unit("g1")["oos"]).toBe(undefined);
  });

  test("inside bounds without a way off the map the westernmost column is the goal", () => {
    const bounds = { cols: [1, 12], rows: [28, 33] };
    const wall = { s1: "s-inf 1129", s2: "s-inf 1131", s3: "s-inf 1133" };
    const cut = (units: Record<string, string>) =>
      dawn(4, { ...units, g1: "g-inf 0630", gf: "g-inf 0531", sf: "s-inf 0228" }, { bounds })
        .play("continue")
        .unit("g1")["oos"];
    expect(cut({})).toBe(undefined);
    expect(cut(wall)).toBe(1);
  });
});

rule("SOS 4.2", "isolation comes first, then ammunition of both sides, the weather, and exchanges", () => {
  const units = {
    ...RING,
    g1: "g-inf 2009",
    h1: "g-how 3010",
    h2: "g-how 3010",
    h3: "g-how 3010",
    h4: "g-how 3110",
    h5: "g-how 3110",
    gd: "g-inf dead",
    m1: "s-mortar 1020",
    m2: "s-mortar 1020",
    m3: "s-mortar 1020",
    m4: "s-mortar 1120",
    m5: "s-mortar 1120",
  };
  const table = dawn(39, {
    ...units,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`n${i}`, "s-mortar 1220"])),
  });
  table.play("continue: 1");
  expect([table.unit("g1")["oos"], table.position["decision"]]).toEqual([
    1,
    { ask: "admin.ammo", actor: "german", need: 30 },
  ]);
  table.play("auto: 1");
  expect([table.rolls.map((r) => r["kind"]), table.position["decision"]]).toEqual([
    ["ammo"],
    { ask: "admin.ammo", actor: "soviet", need: 20 },
  ]);
  table.play("auto: 9");
  expect([table.rolls.map((r) => r["kind"]), table.ask]).toEqual([["weather"], "admin.exchange"]);
});

describe("what a net sees", () => {
  const globals = (table: Table, viewer: number): Record<string, number> => {
    const { game, state } = table.env;
    const out = newObservation(game.observation);
    game.observe(state, viewer, out);
    return Object.fromEntries(game.observation.globals.map(({ name }, i) => [name, out.globals[i]!]));
  };

  test("weather, ammunition and points for replacements", () => {
    const more = {
      weather: "bad",
      ammo: { german: { short: 50, saved: 25 }, soviet: { short: 100, saved: 5 } },
      replacements: { german: { pz: 6, af: 12 }, soviet: { af: 30 } },
    };
    const table = new Table({}, { turn: 60, phase: 3, stage: "normal", ...more });
    const seen = globals(table, SOVIET);
    const names = ["bad_weather", "german_ammo_short", "german_ammo_saved", "soviet_ammo_short", "soviet_ammo_saved"];
    expect(names.map((name) => seen[name])).toEqual(
      [1, 50, 25, 100, 5].map((n, i) => (i === 0 ? 1 : Math.fround(n / 500))),
    );
    const points = ["german_pz_replacements", "german_replacements", "soviet_replacements"];
    expect(points.map((name) => seen[name])).toEqual([6, 12, 30].map((n) => Math.fround(n / 60)));
  });

  test("whether the armies have leaders: of the other side as far as it is known", () => {
    const leaders = (at: string, viewer: number): number[] => {
      const units = {
        sk: { type: "s-chuikov", at, formation: "62A" },
        gp: { type: "g-leader", army: true, at: "3030" },
      };
      const table = new Table(units, { turn: 5, phase: 3, stage: "normal" }, { armyLeaders: true });
      const seen = globals(table, viewer);
      return [seen["soviet_army_leader"]!, seen["german_army_leader"]!];
    };
    expect([leaders("2060", SOVIET), leaders("2060", GERMAN)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect([leaders("turn-9", SOVIET), leaders("turn-9", GERMAN)]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    // who is beyond the river may be in any face-down stack for the other side
    expect([leaders("eb-c", SOVIET), leaders("eb-c", GERMAN)]).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });
});
