import { describe, expect } from "vitest";
import { type JsonObject, newState, Rng } from "../../../env/index.js";
import rules from "../../../env/savage-streets/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { Table } from "./table.js";

const rule = ruleTests(rules);
const GERMAN = 0;
const SAMPLES = 300;
/** What the Soviet player draws behind the landings. */
const DRAWN = ["dummy-1", "dummy-2", "sniper-1"];

/** The different things that samples show of a position; none of them leaves the log out of account. */
function worlds(table: Table, of: (position: JsonObject) => string): string[] {
  const { game, state } = table.env;
  const out = newState(game.stateSize);
  const rng = new Rng("told");
  const seen = new Set<string>();
  for (let k = 0; k < SAMPLES; k++) {
    expect(game.resample(state, GERMAN, out, rng)).toBe(true);
    seen.add(of(game.write(out)));
  }
  return [...seen].sort();
}

const lastEntry = (table: Table): JsonObject =>
  (table.env.game.view(table.env.state, GERMAN)["ledger"] as JsonObject[]).at(-1)!;

const waiting = (position: JsonObject): string => (position["waiting"] as string[]).join();
const unitsIn =
  (...areas: string[]) =>
  (position: JsonObject): string =>
    areas.map((a) => ((position["areas"] as Record<string, JsonObject>)[a]!["soviet"] as string[]).join()).join(" ");

const RED = "1043/284 RD";
const RED_TOO = "1045/284 RD";
const BLACK = "685/193 RD";
const BLACK_TOO = "92 Nav";
const GUN = "137 Tk";
const GUN_TOO = "AT/13 Gds";

/** Turn 7: the Germans have both landings, and their place in 6 lets only units with a red circle land. */
const atTheRiver = (areas: JsonObject, units: string[]): Table =>
  new Table({
    turn: 7,
    phase: "sov-reinf",
    areas: { "6": { control: "C", german: ["I/194"] }, "7": { control: "G" }, "8": { control: "G" }, ...areas },
    waiting: units,
    decision: { actor: "S", kind: "reinf-pick" },
  });

describe("what the end of a landing step reveals of those at the river", () => {
  rule("SS 2.2", "held back where only red circles could land: one of them waits (ruling R7)", () => {
    const table = atTheRiver({ "9": { soviet: [BLACK_TOO] } }, [RED, BLACK]).do("pass", ...DRAWN);
    expect(lastEntry(table)).toEqual({ t: 7, e: "hold", black: [], red: ["6"] });
    expect(worlds(table, unitsIn("9"))).toEqual([BLACK, BLACK_TOO]);
  });

  rule("SS 2.2", "one with a red circle was turned away, another held back: two of them wait (ruling R9)", () => {
    const areas: JsonObject = { "6": { control: "G" }, "9": { soviet: [BLACK_TOO] } };
    const table = atTheRiver(areas, [RED, RED_TOO, BLACK])
      .do(`unit ${RED}`)
      .do("area 6", 3)
      .do("pass", ...DRAWN);
    expect(lastEntry(table)).toEqual({ t: 7, e: "hold", black: [], red: ["6"] });
    expect(worlds(table, unitsIn("9"))).toEqual([BLACK, BLACK_TOO]);
  });

  rule("SS 2.2", "held back where only a gun had room: one waits, with or without a red circle", () => {
    const full = { control: "C", german: ["II/194"], soviet: ["I/272:u", "II/272:u", "III/272:u"] };
    const areas: JsonObject = { "6": { control: "G" }, "7": full, "9": { soviet: [RED] }, "10": { soviet: [BLACK] } };
    const table = atTheRiver(areas, [GUN, BLACK_TOO]).do("pass", ...DRAWN);
    expect(lastEntry(table)).toEqual({ t: 7, e: "hold", black: ["7"], red: ["7"] });
    expect(worlds(table, waiting).map((w) => w.split(",").includes(GUN))).toEqual([true, true, true]);
  });

  rule("SS 2.2", "nobody could land, and 6 had room: no red circle waits", () => {
    const table = atTheRiver({ "9": { soviet: [RED] }, "10": { soviet: ["I/272"] } }, [RED_TOO, BLACK, BLACK_TOO])
      .do(`unit ${RED_TOO}`)
      .do("area 6", ...DRAWN);
    expect(lastEntry(table)).toEqual({ t: 7, e: "stranded", black: [], red: ["6"] });
    // one red circle landed in 6, the other lay in 9 or 10
    const seen = worlds(table, unitsIn("6", "9", "10"));
    expect(seen.length).toBe(4);
    expect(worlds(table, waiting)).toEqual([`${BLACK_TOO},${BLACK}`]);
  });

  rule("SS 2.2", "only a gun had room in 7, one was turned away, nobody else could land: no other gun waits", () => {
    const full = { control: "C", german: ["II/194"], soviet: ["I/272:u", "II/272:u", "III/272:u"] };
    const areas: JsonObject = {
      "6": { control: "G" },
      "7": full,
      "9": { soviet: [BLACK] },
      "10": { soviet: [GUN_TOO] },
    };
    const table = atTheRiver(areas, [RED, GUN])
      .do(`unit ${GUN}`)
      .do("area 7", 3, ...DRAWN);
    expect(lastEntry(table)).toEqual({ t: 7, e: "stranded", black: ["7"], red: ["7"] });
    const guns = worlds(table, unitsIn("9", "10")).map((ids) => [GUN, GUN_TOO].filter((id) => ids.includes(id)).length);
    expect(guns).toEqual(Array.from({ length: 8 }, () => 1));
  });

  /** Three that are no guns are in 7, with the Germans: only a gun has room. 6 is for red circles alone. */
  const gunsOnly = (areas: JsonObject, units: string[]): Table => {
    const full = { control: "C", german: ["II/194"], soviet: ["I/272:u", "II/272:u", "III/272:u"] };
    return atTheRiver({ "6": { control: "S" }, "7": full, ...areas }, units)
      .do(`unit ${GUN}`)
      .do("area 7", 3);
  };

  rule("SS 2.2", "a gun was turned away and another may land: both wait, and one of them has tried", () => {
    const table = gunsOnly({ "9": { soviet: [BLACK] } }, [GUN, GUN_TOO, BLACK_TOO]);
    expect(table.kind).toBe("reinf-pick");
    const tried = (p: JsonObject): string => `${waiting(p)} tried ${(p["tried"] as string[]).join()}`;
    const seen = worlds(table, tried);
    expect(seen.length).toBe(4);
    for (const ids of seen) expect(ids).toMatch(/AT\/13 Gds.*137 Tk.* tried (AT\/13 Gds|137 Tk)$/);
  });

  rule("SS 2.2", "a gun was turned away and another held back: both wait", () => {
    const table = gunsOnly({ "9": { soviet: [BLACK] } }, [GUN, GUN_TOO, BLACK_TOO]).do("pass", ...DRAWN);
    expect(lastEntry(table)).toMatchObject({ t: 7, e: "hold", black: ["7"] });
    expect(worlds(table, unitsIn("9"))).toEqual([BLACK, BLACK_TOO]);
    const { hand, pile } = table.position;
    const later = new Table({
      ...table.position,
      turn: 8,
      phase: "sov-move",
      future: [],
      tried: [],
      hand: [],
      pile: [...(pile as string[]), ...(hand as string[])],
      decision: { actor: "S", kind: "sov-pick" },
    });
    expect(worlds(later, unitsIn("9"))).toEqual([BLACK, BLACK_TOO]);
  });
});

/** A Soviet movement phase of turn 4, far from the Germans. */
const moving = (areas: JsonObject): Table =>
  new Table({
    turn: 4,
    phase: "sov-move",
    areas: { A: { german: ["I/194"] }, ...areas },
    decision: { actor: "S", kind: "sov-pick" },
  });

const nextTurn = (table: Table): Table =>
  new Table({ ...table.position, turn: 5, phase: "sov-move", decision: { actor: "S", kind: "sov-pick" } });

/** How many chits are in each of these areas. */
const chitsIn =
  (...areas: string[]) =>
  (position: JsonObject): string =>
    areas
      .map((a) => (((position["areas"] as Record<string, JsonObject>)[a]?.["chits"] ?? []) as string[]).length)
      .join();

describe("what losses of excess reveal", () => {
  const tank = (position: JsonObject): string =>
    `${chitsIn("5", "10")(position)} tank in ${["5", "10"].find((a) => unitsIn(a)(position).includes("6 Tk"))!}`;

  rule("SS 1.21", "while the owner chooses one, and when it is lost: no more than one chit lay there", () => {
    const five = { soviet: ["I/272", "II/272", "III/272", "I/270"], chits: ["dummy-1"] };
    const table = moving({ "5": five, "10": { soviet: ["6 Tk"], chits: ["ambush-1"] } }).do("pass");
    expect(table.kind).toBe("sov-excess");
    const told = ["0,2 tank in 5", "1,1 tank in 10"];
    expect(worlds(table, tank)).toEqual(told);
    expect(worlds(table.do("unit I/270"), tank)).toEqual(told);
  });

  rule("SS 1.21", "a face-up unit was one too many: so were those beside it", () => {
    const five = {
      control: "C",
      german: ["I/191"],
      soviet: ["I/270:u", "I/272", "II/272", "III/272"],
      chits: ["dummy-1"],
    };
    const table = moving({ "5": five, "10": { soviet: ["6 Tk"], chits: ["ambush-1"] } })
      .do("pass")
      .do("unit I/270");
    const ledger = table.env.game.view(table.env.state, GERMAN)["ledger"] as JsonObject[];
    expect(ledger[1]).toEqual({ t: 4, e: "dead", area: "5", id: "I/270", excess: true });
    expect(worlds(table, tank)).toEqual(["0,2 tank in 5", "1,1 tank in 10"]);
  });

  rule("SS 1.21", "areas before the one that is overfull are not (ruling R11)", () => {
    const four = { soviet: ["I/272", "II/272", "III/272"], chits: ["dummy-1"] };
    const five = { soviet: ["I/270", "II/270", "Militia", "Eng/10 NKVD"], chits: ["ambush-1"] };
    const table = moving({ "4": four, "5": five, "10": { soviet: ["I/42 Gds"] } }).do("pass");
    expect(table.kind).toBe("sov-excess");
    expect(worlds(table, chitsIn("4", "5", "10"))).toEqual(["1,0,1", "1,1,0", "2,0,0"]);
  });

  rule("SS 1.21", "a chit went back unseen: three are there still", () => {
    const five = { soviet: ["I/272", "II/272"], chits: ["dummy-1", "dummy-2", "sniper-1", "molotov-1"] };
    const table = moving({ "5": five, "10": { soviet: ["6 Tk"], chits: ["ambush-1"] } })
      .do("pass")
      .do("chit dummy-1");
    expect(lastEntry(table)).toEqual({ t: 4, e: "back", area: "5" });
    expect(worlds(table, chitsIn("5", "10"))).toEqual(["3,1"]);
    expect(worlds(table, unitsIn("10"))).toEqual(["6 Tk", "I/272", "II/272"]);
  });
});

describe("what lay together within the limits", () => {
  const three = ["I/272", "II/272", "III/272"];

  rule("SS 1.21", "four in an area at the end of a movement phase, no gun among them: one was a chit", () => {
    const table = moving({
      "5": { soviet: ["I/272", "II/272"], chits: ["dummy-1"] },
      "10": { soviet: ["III/272", "I/270"] },
    })
      .do("unit III/272")
      .do("area 5")
      .do("pass");
    const later = nextTurn(table).do("unit I/272").do("area 6").do("pass");
    expect(worlds(later, chitsIn("5", "6", "10"))).toEqual(["0,1,0", "1,0,0"]);
  });

  rule("SS 1.21", "a position that begins amid a movement may have begun with too many", () => {
    const table = moving({ "5": { soviet: [...three, "I/270"], chits: ["dummy-1"] }, "10": { soviet: ["II/270"] } })
      .do("unit I/270")
      .do("area 6")
      .do("pass");
    expect(worlds(table, chitsIn("5", "6", "10"))).toEqual(["1,0,0"]);
  });

  rule("SS 2.2", "a unit without a gun was lost on its way to an area: there was room for it", () => {
    const seven = { control: "C", german: ["II/194"], soviet: ["I/272", "II/272"], chits: ["dummy-1", "dummy-2"] };
    const ten = { soviet: ["III/272", "I/270"], chits: ["ambush-1"] };
    const table = atTheRiver({ "6": { control: "G" }, "7": seven, "10": ten }, [BLACK])
      .do(`unit ${BLACK}`)
      .do("area 7", 5, "sniper-1", "sniper-2", "sniper-3");
    expect(worlds(table, chitsIn("7", "10"))).toEqual(["2,1", "3,0"]);
  });

  rule("SS 2.2", "who landed in 6 has a red circle", () => {
    const table = atTheRiver({ "9": { soviet: [BLACK_TOO] } }, [RED, RED_TOO, BLACK])
      .do(`unit ${RED}`)
      .do("area 6");
    expect(worlds(table, unitsIn("6"))).toEqual([RED, RED_TOO]);
  });

  rule("SS 2.2", "who rolled for 7 while 6 was open to red circles was a black one (ruling R9)", () => {
    const seven = { control: "C", german: ["II/194"] };
    const table = atTheRiver({ "6": { control: "S" }, "7": seven, "9": { soviet: [RED] } }, [BLACK, BLACK_TOO])
      .do(`unit ${BLACK}`)
      .do("area 7", 1)
      .do("pass", ...DRAWN);
    expect(worlds(table, unitsIn("7"))).toEqual([BLACK, BLACK_TOO]);
    expect(worlds(table, unitsIn("9")).length).toBe(3);
  });
});

describe("what shown chits reveal of others", () => {
  // the first was drawn before both dummies, which went back; the second behind that
  const kinds = (mode: string): string[] => {
    const at = { area: "6", t: 4 };
    const shown = { ...at, e: "reveal", units: [], kinds: ["dummy"] };
    const table = new Table(
      {
        turn: 5,
        phase: "ger-move",
        areas: { A: { german: ["I/194"] }, "5": { chits: ["sniper-1", "sniper-2"] } },
        ledger: [
          { t: 3, e: "chit", area: "5" },
          { ...at, e: "chit" },
          { ...at, e: "chit" },
          { ...shown, kinds: ["dummy", "dummy"] },
          { ...at, e: "back", kind: "dummy" },
          { ...at, e: "back", kind: "dummy" },
          { t: 5, e: "chit", area: "5" },
        ],
        decision: { actor: "G", kind: mode === "solo" ? "cmd-area" : "ger-pick" },
      },
      { mode },
    );
    return worlds(table, (p) =>
      ((p["areas"] as Record<string, JsonObject>)["5"]!["chits"] as string[]).map((c) => c.replace(/-.*/, "")).join(),
    );
  };

  rule("SS 3.0", "a chit drawn before all dummies is none", () => {
    const seen = kinds("duel");
    expect(seen.filter((pair) => pair.includes("dummy")).length).toBeGreaterThan(3);
    expect(seen).not.toContain("dummy,dummy");
  });

  rule("SS 10.4", "in the solitaire game it is below the one drawn later (ruling R36)", () => {
    const seen = kinds("solo");
    expect(seen.filter((pair) => pair.endsWith(",dummy")).length).toBeGreaterThan(3);
    expect(seen.filter((pair) => pair.startsWith("dummy"))).toEqual([]);
  });
});
