import { expect } from "vitest";
import { Env, loadGame, sameSituation } from "../../../env/index.js";
import { sees } from "../../../env/night-fight/rules/sight.js";
import { tablesOf } from "../../../env/night-fight/index.js";
import { after, rule, table } from "./table.js";

const fire = (position: object) => table({ phase: "fire", ...position });
const tables = tablesOf(loadGame("night-fight"));
const line = (a: string, b: string) => sees(tables, tables.grid.index(a), tables.grid.index(b));

rule("NF reconstructed sight", "woods and towns between stop a line, at its ends they don't", () => {
  expect(line("1911", "1913")).toBe(true); // 1912 is clear
  expect(line("1909", "1911")).toBe(false); // 1910 is woods
  expect(line("1910", "1911")).toBe(true);
  expect(line("2006", "2106")).toBe(true);
});

rule("NF 11.3 F", "no line starts, ends or passes in an ablaze hex", () => {
  expect(line("1807", "1808")).toBe(false);
  expect(line("1706", "1807")).toBe(false);
  expect(line("2720", "2722")).toBe(false);
});

rule("NF reconstructed sight", "a line works both ways", () => {
  for (let a = 0; a < tables.ids.length; a += 7)
    for (let b = 0; b < tables.ids.length; b += 5)
      expect(line(tables.ids[a]!, tables.ids[b]!)).toBe(line(tables.ids[b]!, tables.ids[a]!));
});

rule("NF reconstructed spotting", "nothing is looked for beyond eight hexes", () => {
  const far = fire({ german: { "sdk-1": { hex: "1723" } }, soviet: { "rifle-1": { hex: "1714" } } });
  expect(far.legal()).toEqual(["done"]);
  const near = fire({ german: { "sdk-1": { hex: "1723" } }, soviet: { "rifle-1": { hex: "1715" } } });
  expect(near.legal()).toEqual(["done"]); // the town 1715 hides nothing of itself, but 1720 and 1721 are towns
  const open = fire({ german: { "sdk-1": { hex: "1523" } }, soviet: { "rifle-1": { hex: "1515" } } });
  expect(open.legal()).toEqual(["done", "unit sdk-1"]);
});

rule("NF reconstructed spotting", "a target in a town is harder to make out, one in the next hex easier", () => {
  // distance 1 needs 3; town -1, adjacent +1, Vampir +1
  const position = { german: { "gren-1": { hex: "1612" } }, soviet: { "rifle-1": { hex: "1613" } } };
  expect(after(fire(position), ["unit gren-1", "hex 1613"], [2]).soviet["rifle-1"]!.seen).toBe(true);
  expect(after(fire(position), ["unit gren-1", "hex 1613"], [1]).soviet["rifle-1"]!.seen).toBe(false);
});

rule("NF reconstructed spotting", "success turns up every counter of the hex, dummies die", () => {
  const env = fire({
    german: { "gren-1": { hex: "2014" } },
    soviet: { "rifle-1": { hex: "2013" }, "dummy-1": { hex: "2013" } },
  });
  const p = after(env, ["unit gren-1", "hex 2013"], [6]);
  expect(p.soviet["rifle-1"]!.seen).toBe(true);
  expect(p.soviet["dummy-1"]!.hex).toBe("dead");
  expect(p.active).toEqual({ unit: "gren-1", target: "2013" });
});

rule("NF 11.2", "fire three hexes from the target takes the night bonus away, four does not", () => {
  const position = (hex: string, from: string) => ({
    german: { "sdk-1": { hex: from } },
    soviet: { "rifle-1": { hex } },
  });
  expect(tables.distance[tables.grid.index("2107") * 320 + tables.grid.index("1907")]).toBe(2);
  expect(tables.distance[tables.grid.index("2307") * 320 + tables.grid.index("1907")]).toBe(4);
  expect(after(fire(position("2107", "2109")), ["unit sdk-1", "hex 2107"], [3]).soviet["rifle-1"]!.seen).toBe(false);
  expect(after(fire(position("2307", "2309")), ["unit sdk-1", "hex 2307"], [1]).soviet["rifle-1"]!.seen).toBe(true);
});

rule("NF reconstructed fire", "after a spotting a legal target may be fired on at once, or not", () => {
  const env = fire({ german: { "sdk-1": { hex: "2016" } }, soviet: { "rifle-1": { hex: "2013" } } });
  after(env, ["unit sdk-1", "hex 2013"], [6]);
  const p = after(env, ["stop"]);
  expect(p.phase).toBe("fire");
  expect(p.german["sdk-1"]!.fired).toBe(true);
  expect(p.soviet["rifle-1"]).toEqual({ hex: "2013", seen: true, supp: false });
});

rule("NF 11.1 (8.5)", "a column's marker is no target for an attack, whoever looks", () => {
  const env = table({ phase: "fire", columns: ["2014", "gone"], german: { "vs-1": { hex: "2016" } } });
  const p = after(env, ["unit vs-1", "hex 2014"], [1]);
  expect(p.columns).toEqual(["2014", "gone"]);
  expect(p.german["vs-1"]!.fired).toBe(true);
});

rule("NF reconstructed spotting", "only counters in the hex are turned up, whatever marks units have", () => {
  const env = fire({
    german: { "vs-1": { hex: "1510", moved: true }, "gren-1": { hex: "1507" } },
    soviet: { "dummy-1": { hex: "1506" }, "rifle-1": { hex: "1509" } },
  });
  const p = after(env, ["unit gren-1", "hex 1506"], [6]);
  expect(p.soviet["dummy-1"]!.hex).toBe("dead");
  expect(p.soviet["rifle-1"]!.seen).toBe(false);
  const again = new Env(env.game);
  again.resetTo(env.game.write(env.state), "again");
  expect(sameSituation(again.state, env.state)).toBe(true);
  expect(p.german["vs-1"]).toEqual({ hex: "1510", moved: true, fired: false, supp: false });
});

rule("NF reconstructed spotting", "a flare in a corner of the map gives two in the hexes beside it", () => {
  const found = (flare: string, die: number) =>
    after(
      fire({ german: { "vs-1": { hex: "1510" } }, soviet: { "rifle-1": { hex: "1506" } }, flares: [flare] }),
      ["unit vs-1", "hex 1506"],
      [die],
    ).soviet["rifle-1"]!.seen;
  expect([found("1505", 4), found("1505", 3), found("1508", 4)]).toEqual([true, false, false]);
});
