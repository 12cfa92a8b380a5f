import { describe, expect, test } from "vitest";
import {
  canonical,
  Env,
  expandOrder,
  type JsonObject,
  loadGame,
  orderForms,
  OrderRun,
  parseOrder,
  promptOf,
  Rng,
  sampleFor,
} from "../../../env/index.js";
import { ground, Table } from "./table.js";

type Units = Record<string, string | JsonObject>;

/** Carries an order out. @returns its actions */
function ordered({ env }: Table | { env: Env }, text: string): string[] {
  const run = new OrderRun(env.game, env.state, env.actor, text);
  const did: string[] = [];
  for (let a = run.next(env.state); a !== null; a = run.next(env.state)) {
    did.push(env.game.actions[a]!);
    env.step(a);
  }
  expect(run.stopped).toBeNull();
  return did;
}
const forms = ({ env }: Table | { env: Env }): Record<string, readonly string[]> =>
  Object.fromEntries(orderForms(env.game, env.state, env.actor).map((f) => [f.form, f.units]));

const day = (units: Units, rest: JsonObject = {}): Table => new Table(units, rest, { opFire: false });
const night = (units: Units, rest: JsonObject = {}): Table => day(units, { phase: 10, stage: "normal", ...rest });

describe("engineers", () => {
  const balka = ground({ "2010": "balka" });

  test("build and remove where they are, one after another", () => {
    const t = day({ e1: "g-eng 2010", e2: "g-eng 2020", g1: "g-inf 2010" }, balka);
    expect(forms(t)).toMatchObject({
      "build bridge with UNIT, ...": ["e1"],
      "build fort with UNIT, ...": ["e1", "e2"],
    });
    expect(ordered(t, "build bridge with e1; build fort with e2")).toEqual([
      "unit e1",
      "build-bridge",
      "unit e2",
      "build-fort",
    ]);
    expect([t.unit("e1")["task"], t.unit("e2")["task"]]).toMatchObject([{ kind: "bridge" }, { kind: "fort" }]);
  });

  test("give a task up, whatever that loses", () => {
    const t = day({ e1: { type: "g-eng", at: "2010", task: { kind: "fort", hex: "2010", left: 9 } } });
    expect(forms(t)).toMatchObject({ "give up task of UNIT, ...": ["e1"] });
    expect(ordered(t, "give up task of e1")).toEqual(["unit e1", "abandon-task"]);
    expect(t.unit("e1")["task"]).toBeUndefined();
  });

  test("lay a minefield in the hex that is named, also where there is only one", () => {
    const t = day({ e1: "g-eng 2010", e2: "g-eng 3010" }, ground({}));
    expect(ordered(t, "build minefield with e1 at 2009")).toEqual(["unit e1", "build-minefield", "hex 2009"]);
    expect(t.unit("e1")["task"]).toMatchObject({ kind: "minefield", hex: "2009" });
    const alone = (): Table => day({ e1: "g-eng 2010", sm: "s-mine 2009" });
    expect(ordered(alone(), "remove minefield with e1 at 2009")).toEqual(["unit e1", "remove-minefield"]);
    const wrong = alone();
    expect(() => ordered(wrong, "remove minefield with e1 at 2011")).toThrow("e1 can't remove minefield at 2011");
    expect(wrong.unit("e1")["task"]).toBeUndefined();
  });

  test("a unit that can't is refused before anything is done, and left out of an order to all", () => {
    const t = day({ e1: "g-eng 2010", g1: "g-inf 2020" });
    const before = t.env.state.slice();
    for (const order of ["build bridge with e1", "build fort with g1", "build minefield with g1 at 2021"])
      expect(() => ordered(t, order)).toThrow("can't");
    expect(t.env.state).toEqual(before);
    expect(ordered(t, "build fort with all")).toEqual(["unit e1", "build-fort"]);
  });

  test("the tasks of a unit are not places that it can go to", () => {
    const t = day({ e1: "g-eng 2010" }, balka);
    expect(() => ordered(t, "move e1 to build-fort")).toThrow("e1 can't move to build-fort");
    expect(() => ordered(t, "move e1 to build-minefield")).toThrow("e1 can't move to build-minefield");
  });
});

describe("transports", () => {
  const units = { s1: "s-inf 2014", sl: "s-leader 2010", st: "s-transport 2010" };

  test("carry the units with them, and pick up others on the way", () => {
    const t = night(units);
    expect(forms(t)["carry UNIT, ... with UNIT to PLACE then PLACE"]).toEqual(["st"]);
    expect(ordered(t, "carry sl, s1 with st to 2034")).toEqual([
      "unit sl",
      "unit st",
      "via",
      "hex 2014",
      "unit s1",
      "hex 2034",
    ]);
    expect(["s1", "sl", "st"].map((u) => t.at(u))).toEqual(["2034", "2034", "2034"]);
  });

  test("put them down and go on", () => {
    const t = night({ ...units, g1: "g-inf 2018" });
    expect(ordered(t, "carry s1 with st to 2017 then 2008").slice(-4)).toEqual([
      "via",
      "hex 2017",
      "unload",
      "hex 2008",
    ]);
    expect(["s1", "st", "sl"].map((u) => t.at(u))).toEqual(["2017", "2008", "2010"]);
  });

  test.each([
    ["carry s9 with st to 2034", `st can't take "s9" along`],
    ["carry s1 with st to 2060", "st can't move to 2060 with them"],
    ["carry s1 with st to 2060 then 2010", "st can't go by 2060"],
    ["carry st with s1 to 2014", `s1 can't take "st" along`],
  ])("%s is refused before anything is done", (order, why) => {
    const t = night(units);
    const before = t.env.state.slice();
    expect(() => ordered(t, order)).toThrow(why);
    expect(t.env.state).toEqual(before);
  });
});

describe("exchanges", () => {
  const begun = (units: Units): Table => new Table(units, { turn: 3, phase: 1, stage: "end" }).play("continue");

  test("exchange one unit for another, also for the only one that is left", () => {
    const t = begun({ s1: "s-inf 2060", s2: "s-inf dead", s3: "s-inf dead" });
    expect(forms(t)).toMatchObject({ "exchange UNIT for UNIT": ["s1", "sf"] });
    expect(ordered(t, "exchange s1 for s3")).toEqual(["unit s1", "unit s3"]);
    expect([t.at("s1"), t.at("s3")]).toEqual(["dead", "2060"]);
    expect(ordered(t, "exchange sf for s2")).toEqual(["unit sf"]);
    expect([t.at("sf"), t.at("s2")]).toEqual(["dead", "3570"]);
  });

  test("a unit that is no partner is refused, and no other comes in", () => {
    const t = begun({ s1: "s-inf 2060", s2: "s-inf dead", s3: "s-guards 2050" });
    for (const order of ["exchange s1 for s3", "exchange s3 for s2", "exchange s2 for s1"])
      expect(() => ordered(t, order)).toThrow("can't exchange");
    expect(t.at("s2")).toBe("dead");
  });
});

describe("boxes", () => {
  const points = (af: number): JsonObject => ({ replacements: { soviet: { af } } });

  test("replaced units come to the named box", () => {
    const t = new Table({ s1: "s-inf dead", s2: "s-inf dead" }, { turn: 5, phase: 10, stage: "arrive", ...points(8) });
    expect(forms(t)).toMatchObject({ "replace UNIT, ... at PLACE": ["s1", "s2"] });
    expect(ordered(t, "replace s1, s2 at eb-n")).toEqual(["unit s1", "box eb-n", "unit s2", "box eb-n"]);
    expect([t.at("s1"), t.at("s2")]).toEqual(["eb-n", "eb-n"]);
  });

  test("leaders who come back are placed", () => {
    const t = new Table({ sl: "s-leader turn-5", s1: "s-inf 2010" }, { turn: 5, phase: 10, stage: "arrive" });
    expect(forms(t)).toMatchObject({ "place UNIT, ... at PLACE": ["sl"] });
    expect(ordered(t, "place sl at eb-c")).toEqual(["box eb-c"]);
    expect(t.at("sl")).toBe("eb-c");
  });

  test("flotilla units are named with their hex", () => {
    const bounds = { cols: [1, 12], rows: [28, 33] };
    const units = { rf: "s-rf eb-c", s1: "s-inf 0530", g9: "g-inf 1230", gf: "g-inf 1233", sf: "s-inf 1128" };
    const cliffs = { base: "blank", hexes: { "0230": { t: "cliff" } } };
    const t = new Table(units, { phase: 10, stage: "flotilla", bounds, map: cliffs });
    expect(forms(t)).toMatchObject({ "place UNIT, ... at PLACE": ["rf"] });
    expect(ordered(t, "place rf at 0130")).toEqual(["unit rf", "hex 0130"]);
    expect(t.at("rf")).toBe("0130");
  });
});

describe("set-up", () => {
  const begun = (): { env: Env } => {
    const env = new Env(loadGame("streets-of-stalingrad", { scenario: "scenario-7", setup: "free" }));
    env.reset("orders");
    return { env };
  };
  const at = ({ env }: { env: Env }, unit: string): unknown =>
    (env.game.write(env.state)["units"] as Record<string, JsonObject>)[unit]?.["at"];

  test("units are placed in the order of the questions, several at once by the beginning of their names", () => {
    const t = begun();
    expect(forms(t)).toMatchObject({ "place UNIT, ... at PLACE": ["S39GRD-112-1-1"] });
    ordered(t, "place S39GRD-112-1-* at 0748; place S39GRD-112-2-1, S39GRD-112-2-2 at 0749");
    expect(["1-1", "1-2", "1-3", "2-1", "2-2"].map((u) => at(t, `S39GRD-112-${u}`))).toEqual([
      "0748",
      "0748",
      "0748",
      "0749",
      "0749",
    ]);
    expect(() => ordered(t, "place S39GRD-112-1-1 at 0750")).toThrow("S39GRD-112-2-3 is under way");
  });

  test("the remaining units go to their ready places", () => {
    const t = begun();
    expect(ordered(t, "rest")).toEqual(["auto"]);
    expect(t.env.game.players[t.env.actor]).toBe("german");
  });
});

test("no order says what the other side may not know", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7", maxTurns: 2 });
  const env = new Env(game, { skipForced: true });
  const rng = new Rng("orders-of-two");
  const kinds = new Set<string>();
  const said = (s: Int32Array, viewer: number): string => {
    const told: unknown[] = [orderForms(game, s, viewer)];
    for (const { form, units } of orderForms(game, s, viewer)) {
      const [unit] = units;
      if (unit === undefined || form.startsWith("move") || form.startsWith("hold")) continue;
      const place = promptOf(game, s, viewer).choices.find((c) => c.units[0] === unit)?.places[0] ?? "0549";
      const order = form
        .replace("UNIT, ... with UNIT", `S138RD-C-1 with ${unit}`)
        .replace(/UNIT(, \.\.\.)?/, unit)
        .replaceAll(/UNIT|PLACE/g, place);
      try {
        told.push(expandOrder(game, s, viewer, `${order}!`));
      } catch (e) {
        told.push(String(e));
      }
    }
    return JSON.stringify(told);
  };
  env.reset("orders-of-two");
  for (let n = 0; n < 1500 && !env.terminated; n++) {
    if (n % 60 === 0) {
      const viewer = env.actor;
      const twin = sampleFor(game, env.state, viewer, rng);
      expect(canonical(game.view(twin, viewer))).toBe(canonical(game.view(env.state, viewer)));
      expect(said(twin, viewer)).toBe(said(env.state, viewer));
      for (const { form } of orderForms(game, env.state, viewer)) kinds.add(form.split(" UNIT")[0]!);
    }
    const legal = env.legal();
    env.step(legal[rng.below(legal.length)]!);
  }
  const orders = ["move", "place", "carry", "build bridge with", "build fort with", "build minefield with"];
  expect([...kinds]).toEqual(expect.arrayContaining(orders));
}, 60_000);

test("orders of the game are read as words", () => {
  const game = loadGame("streets-of-stalingrad");
  expect(parseOrder(game, "Build fort with g1, g2.")).toMatchObject({
    form: "deed",
    does: "build-fort",
    units: ["g1", "g2"],
  });
  expect(parseOrder(game, "carry g1 and g2 with g3 to 0412 then 0515!")).toMatchObject({
    form: "carry",
    riders: ["g1", "g2"],
    by: "g3",
    place: "0412",
    then: "0515",
    whatever: true,
  });
  expect(() => parseOrder(game, "carry g1 to 0412")).toThrow("is no order");
});
