import { expect } from "vitest";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { attacks, ground, Table } from "./table.js";

const rule = ruleTests(rules);
/** Keeps the attack phase open when the attack under test is over. */
const ELSEWHERE = { gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031" };
const phase5 = (...targets: string[]) => attacks(5, ...targets, "3031");
const phase12 = (...targets: string[]) => attacks(12, ...targets, "3031");
const SOVIET_ELSEWHERE = { gx: "g-inf 3031", sx: "s-inf 3030", sy: "s-inf 3030" };

rule("SOS 9.91", "an immobilised tank is armor: attackers without guns have +1", () => {
  const table = new Table({ g1: "g-inf 2009", g2: "g-inf 2009", si: "s-immob 2010", ...ELSEWHERE }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "done: 10");
  expect(table.rolls[0]!["drms"]).toEqual({ "armor-target": 1 });
});

rule("SOS 9.92", "one gun among the firers is enough to spare them the +1", () => {
  const units = { g1: "g-inf 2009", ga: "g-at 2009", st: "s-tank 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play("hex 2010", "all", "normal", "done: 10");
  expect(table.rolls[0]!["drms"]).toEqual({});
});

rule(
  "SOS 9.93",
  "from 26 September Soviets beside German armor in the city suffer no +1, on open ground they do",
  () => {
    const modifiers = (turn: number, terrain: string) => {
      const units = { s1: "s-inf 2009", s2: "s-inf 2009", gt: "g-tank 2010", ...SOVIET_ELSEWHERE };
      const table = new Table(units, { ...phase12("2010"), turn, ...ground({ "2010": terrain }) });
      table.play("hex 2010", "all", "normal", "done", "done: 10"); // nobody retreats, nobody fires
      return (table.rolls[0]!["drms"] as Record<string, number>)["armor-target"];
    };
    expect(modifiers(13, "city")).toBe(1);
    expect(modifiers(14, "city")).toBeUndefined();
    expect(modifiers(14, "suburb")).toBe(1);
  },
);

rule("SOS 9.94", "a gun fires its AF at armor: double beside it, half more at two hexes, as printed at three", () => {
  const points = (hex: string, start: string) => {
    const table = new Table({ gt: `g-tank ${start}`, sa: "s-at 2010" }).play("unit gt", `hex ${hex}`);
    while ((table.position["decision"] as { hex?: string }).hex !== hex) table.play("pass");
    return table.play("unit sa: 10").rolls[0]!["points"];
  };
  expect(points("2013", "2015")).toBe(3);
  expect(points("2012", "2015")).toBe(5); // 3 x 1.5, rounded up
  expect(points("2011", "2015")).toBe(6);
});

rule("SOS 9.94", "hidden armor counts too: the sum shows it", () => {
  const units = { g1: "g-inf 2009", ga: "g-at 2009", st: "s-tank 2010", ...ELSEWHERE };
  const table = new Table(units, { ...phase5("2010"), ...ground({ "2010": "forest" }) });
  table.play("hex 2010", "all", "normal", "done: 10");
  expect(table.rolls[0]!["points"]).toBe(5 + 8);
});

rule(
  "SOS 9.95",
  "guns also fire their AF at moving vehicles that are not armor, and their DF at infantry on foot",
  () => {
    const points = (type: string) =>
      new Table({ g1: `${type} 2013`, sa: "s-at 2010" }).play("unit g1", "hex 2012", "unit sa: 10").rolls[0]!;
    expect(points("g-motinf")["points"]).toBe(3); // in the hex it starts from, three hexes away
    expect(points("g-motinf")["drms"]).toEqual({});
    expect(points("g-inf")["points"]).toBe(4);
  },
);

rule("SOS 9.96", "dismounted infantry is neither armor nor a vehicle", () => {
  const table = new Table({ g1: "g-ainf 2013", sa: "s-at 2010", s1: "s-inf 2110" });
  table.play("unit g1", "dismount", "hex 2012", "unit sa: 10");
  expect(table.rolls[0]!["points"]).toBe(4);
  const attacked = new Table(
    { s1: "s-inf 2009", s2: "s-inf 2009", ga: { type: "g-ainf", at: "2010", dismounted: true }, ...SOVIET_ELSEWHERE },
    phase12("2010"),
  ).play("hex 2010", "all", "normal", "done: 10");
  expect(attacked.rolls[0]!["drms"]).toEqual({});
});

rule("SOS 9.101", "a towed gun that has moved is not ready until the next attack phase is over", () => {
  const table = new Table({ ga: "g-at 2013", g1: "g-inf 2018", s1: "s-inf 2010" }, {}, { opFire: false });
  table.play("unit ga", "hex 2012");
  expect(table.unit("ga")["unready"]).toBe(true);
  table.play("done");
  if (table.ask === "move.select") table.play("done");
  // phase 5 has nothing to attack with, and the gun is ready in phase 7
  expect(table.position["phase"]).toBe(7);
  expect(table.unit("ga")["unready"]).toBeUndefined();
});

rule("SOS 9.102", "armor attacks after it has moved", () => {
  const table = new Table({ gt: "g-tank 2013", g1: "g-inf 3018", s1: "s-inf 2010" }, {}, { opFire: false });
  table.play("unit gt", "hex 2012", "done");
  if (table.ask === "move.select") table.play("done");
  expect(table.position["phase"]).toBe(5);
  expect(table.legal).toEqual(["done", "hex 2010"]);
});

rule("SOS 9.45", "a hex of German armor alone may be given up, if no Soviet armor attacks", () => {
  const units = { s1: "s-inf 2009", s2: "s-inf 2009", ga: "g-tank 2010", gb: "g-tank 2010", ...SOVIET_ELSEWHERE };
  const quiet = { opFire: false };
  const table = new Table(units, phase12("2010"), quiet).play("hex 2010", "all", "normal");
  expect(table.legal).toEqual(["done", "unit ga", "unit gb"]);
  table.play("unit ga", "hex 2011");
  expect(table.legal).toEqual(["done", "unit gb"]);
  const tanks = { ...units, s2: "s-tank 2009" };
  const held = new Table(tanks, phase12("2010"), quiet).play("hex 2010", "all", "normal", "unit ga", "hex 2011");
  expect(held.ask).toBe("df.target");
});

rule("SOS 9.71", "engineers are committed against built-up hexes, and their loss comes first", () => {
  const units = { g1: "g-inf 2009", ge: "g-eng 2009", s1: "s-guards 2010", s2: "s-guards 2010", ...ELSEWHERE };
  const start = () => new Table(units, { ...phase5("2010"), ...ground({ "2010": "suburb" }) }).play("hex 2010", "all");
  const yes = start();
  expect(yes.ask).toBe("attack.drm");
  yes.play("yes", "normal", "done", "hex 2009", "all: 1 10");
  expect(yes.at("ge")).toBe("dead");
  expect(yes.rolls[1]!["drms"]).toEqual({ terrain: 1 }); // the engineers are gone, and their modifier with them
  const no = start().play("no", "normal", "done", "hex 2009", "all: 1");
  expect(no.ask).toBe("loss.pick");
  expect(no.legal).toEqual(["unit g1", "unit ge"]);
  const unhurt = start().play("yes", "normal", "done", "done: 10");
  expect(unhurt.rolls[0]!["drms"]).toEqual({ terrain: 1, engineer: -1 });
});

rule("SOS 9.58", "committed armor is the first loss, whichever units fire", () => {
  const units = { g1: "g-inf 2009", gt: "g-tank 2009", s1: "s-guards 2010", s2: "s-guards 2010", ...ELSEWHERE };
  const table = new Table(units, phase5("2010")).play(
    "hex 2010",
    "all",
    "yes",
    "normal",
    "done",
    "hex 2009",
    "all: 1 9",
  );
  expect(table.at("gt")).toBe("dead");
});

rule("SOS 11.6", "a vehicle in a ravine is in the open, and infantry there is not", () => {
  const units = (type: string) => ({ g1: `${type} 2013`, sa: "s-at 2010" });
  const balka = ground({ "2012": "balka" });
  const tank = new Table(units("g-tank"), balka).play("unit g1", "hex 2012", "pass");
  expect(tank.ask).toBe("op.fire");
  const foot = new Table(units("g-inf"), balka).play("unit g1", "hex 2012", "pass");
  expect(foot.ask).not.toBe("op.fire");
});

rule("SOS 16.12", "a sniper walks 8 MP on foot, holds back the enemy, and can't fire alone", () => {
  const table = new Table({ g1: "g-inf 2012", sn: "s-sniper 2010" }).play("unit g1");
  expect(table.play("via").legal).not.toContain("hex 2011"); // the move ends in its zone of control
  const moved = new Table({ sn: "s-sniper 2010" }, { phase: 10, stage: "normal" }).play("unit sn");
  expect(moved.legal).toContain("hex 2018");
  expect(moved.legal).not.toContain("hex 2019");
  expect(new Table({ g1: "g-inf 2012", sn: "s-sniper 2010" }).play("unit g1", "hex 2011").ask).not.toBe("op.fire");
});

rule("SOS 16.16", "snipers are the last to be lost", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2009", s1: "s-inf 2010", s2: "s-inf 2010" };
  const table = new Table({ ...units, sn: "s-sniper 2010", ...ELSEWHERE }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "done: 2");
  expect(table.legal).toEqual(["unit s1", "unit s2"]);
});

rule("SOS 16.15", "a sniper left alone goes to the nearest friends when Germans enter", () => {
  const units = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2009", s1: "s-inf 2010", sn: "s-sniper 2010" };
  const friends = { s2: "s-inf 2014", s3: "s-inf 2213", s4: "s-inf 2018" };
  const table = new Table({ ...units, ...friends, ...ELSEWHERE }, phase5("2010"));
  table.play("hex 2010", "all", "normal", "done: 2");
  expect(table.at("s1")).toBe("dead");
  expect(table.ask).toBe("advance.unit");
  table.play("unit g1");
  expect(table.ask).toBe("leader.move");
  expect(table.legal).toEqual(["hex 2014", "hex 2213"]);
  table.play("hex 2213");
  expect([table.at("g1"), table.at("sn")]).toEqual(["2010", "2213"]);
});

rule("SOS 16.13", "a sniper helps any unit that fires from its hex by one, and Zaitsev by two", () => {
  const modifier = (type: string) => {
    const table = new Table({ g1: "g-inf 2012", st: "s-tank 2010", sn: `${type} 2010` }).play("unit g1", "hex 2111");
    return table.play("unit st: 10").rolls[0]!["drms"];
  };
  expect(modifier("s-sniper")).toEqual({ sniper: -1 });
  expect(modifier("s-zaitsev")).toEqual({ sniper: -2 });
});
