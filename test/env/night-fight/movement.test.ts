import { expect } from "vitest";
import { expectedReturns } from "../../../env/index.js";
import { after, rule, table } from "./table.js";

const move = (position: object) => table({ phase: "move", ...position });

rule("NF 11.3 G", "a unit may enter on any hex of the left edge, and only there", () => {
  const env = move({ german: { "sdk-1": { hex: "waiting" } } });
  after(env, ["unit sdk-1"]);
  expect(env.legal().filter((a) => a.startsWith("hex")).length).toBe(20);
  expect(env.legal().filter((a) => a.startsWith("hex") && !a.startsWith("hex 15"))).toEqual([]);
});

rule("NF N1", "with the entry as printed they come on from the right and leave by the left", () => {
  const env = table({ phase: "move", german: { "sdk-1": { hex: "waiting" } } }, { entryEdge: "right" });
  after(env, ["unit sdk-1"]);
  expect(env.legal()).toContain("hex 3010");
  expect(env.legal()).not.toContain("hex 1510");
  expect(env.legal()).not.toContain("exit");
  expect(after(env, ["hex 3010"]).active).toEqual({ unit: "sdk-1", mp: 5 });
  expect(env.legal()).not.toContain("exit");
  for (const hex of ["1505", "1510", "1524"]) {
    const over = table({ phase: "move", german: { "sdk-1": { hex } } }, { entryEdge: "right" });
    after(over, ["unit sdk-1"]);
    expect(over.legal()).toContain("exit");
  }
});

rule("NF reconstructed 8", "woods and towns cost a vehicle two points, infantry one; a road one for all", () => {
  expect(after(move({ german: { "sdk-1": { hex: "1511" } } }), ["unit sdk-1", "hex 1612"]).active!.mp).toBe(4);
  expect(after(move({ german: { "gren-1": { hex: "1511" } } }), ["unit gren-1", "hex 1612"]).active!.mp).toBe(2);
  expect(after(move({ german: { "sdk-1": { hex: "1514" } } }), ["unit sdk-1", "hex 1614"]).active!.mp).toBe(5);
});

rule("NF reconstructed 8", "there are no zones of control, but no way into spotted Soviets", () => {
  const env = move({ german: { "gren-1": { hex: "1510" } }, soviet: { "rifle-1": { hex: "1610", seen: true } } });
  after(env, ["unit gren-1"]);
  expect(env.legal()).not.toContain("hex 1610");
  expect(after(env, ["hex 1511", "hex 1611"]).german["gren-1"]!.hex).toBe("1611");
});

rule("NF reconstructed 8", "a unit moves once a turn, and not while suppressed", () => {
  const env = move({ german: { "gren-1": { hex: "1510" }, "gren-2": { hex: "1511", supp: true } } });
  expect(env.legal()).toEqual(["done", "unit gren-1"]);
  after(env, ["unit gren-1", "stop"]);
  expect(env.legal()).toEqual(["done"]);
});

rule("NF reconstructed 8", "who waits and enters onto a real contact stays off the map (N8)", () => {
  const env = move({ german: { "gren-1": { hex: "waiting" } }, soviet: { "atgun-2": { hex: "1510" } } });
  const p = after(env, ["unit gren-1", "hex 1510"]);
  expect(p.german["gren-1"]).toEqual({ hex: "waiting", moved: true, fired: false, supp: false });
  expect(p.soviet["atgun-2"]).toMatchObject({ hex: "1510", seen: true });
  expect(p.phase).toBe("move");
});

rule("NF reconstructed columns", "moving into a column deploys it and ends the move", () => {
  const env = table({ phase: "move", columns: ["1610", "gone"], german: { "gren-1": { hex: "1510" } } });
  const p = after(env, ["unit gren-1", "hex 1610"], ["t34-2", "hunter-1"]);
  expect(p.columns).toEqual(["gone", "gone"]);
  expect(p.german["gren-1"]).toMatchObject({ hex: "1510", moved: true });
  expect(p.soviet["t34-2"]).toMatchObject({ hex: "1610", seen: true });
});

rule(
  "NF 11.3 F",
  "infantry that walks into the fire dies without a wreck, and the last unit's death ends the game (N4, N5)",
  () => {
    const env = move({ german: { "gren-1": { hex: "2008" } } });
    const p = after(env, ["unit gren-1", "hex 1907"], [2, 3]);
    expect(p.german["gren-1"]!.hex).toBe("dead");
    expect(p.wrecks).toEqual({});
    expect(p.phase).toBe("over");
    expect(p.result).toBe(7); // 2 + 3, and both trucks
  },
);

rule("NF 11.3", "nobody leaves from another column, or without a point", () => {
  const env = move({ german: { "gren-1": { hex: "2910" } } });
  after(env, ["unit gren-1"]);
  expect(env.legal()).not.toContain("exit");
  const spent = table({ phase: "step", german: { "gren-1": { hex: "3010" } }, active: { unit: "gren-1", mp: 0 } });
  expect(spent.legal()).toEqual(["stop"]);
});

rule("NF 11.3", "when the last unit has left, the roll follows at once (N5)", () => {
  const env = move({ german: { "truck-1": { hex: "3010" }, "truck-2": { hex: "exited" } } });
  const p = after(env, ["unit truck-1", "exit"], [1, 1]);
  expect(p).toMatchObject({ phase: "over", exited: 2, result: 2 });
  const returns = new Float32Array(1);
  env.game.returns(env.state, returns);
  expect(returns[0]).toBe(-1); // 2 is not less than 2
});

rule("NF 11.3", "the expected return of an ended game is the mean over all victory rolls", () => {
  const trucks = { "truck-1": { hex: "exited" }, "truck-2": { hex: "dead" } };
  const out = ["vs-1", "vs-2", "gren-1", "gren-2", "stug-1", "sdk-1", "marder-1"].map((id) => [id, { hex: "exited" }]);
  const german = { ...trucks, ...Object.fromEntries(out), "panther-1": { hex: "3010" } };
  const [returns, expected] = [new Float32Array(1), new Float32Array(1)];
  let sum = 0;
  const expectations = new Set<number>();
  for (let a = 1; a <= 6; a++)
    for (let b = 1; b <= 6; b++) {
      const env = move({ german });
      after(env, ["unit panther-1", "exit"], [a, b]);
      env.game.returns(env.state, returns);
      expectedReturns(env.game, env.state, expected);
      sum += returns[0]!;
      expectations.add(expected[0]!);
    }
  // 9 units are out and one truck isn't: totals of 2 to 7 win, 21 of 36
  expect(sum).toBe(21 - 15);
  expect([...expectations]).toEqual([Math.fround(sum / 36)]);
});

rule("NF reconstructed 8", "a unit goes to the neighbours of its hex, also from a corner of the map", () => {
  const from = (hex: string) => {
    const env = move({ german: { "gren-1": { hex } } });
    after(env, ["unit gren-1"]);
    return env.legal().filter((a) => a.startsWith("hex"));
  };
  expect(from("1505")).toEqual(["hex 1506", "hex 1605", "hex 1606"]);
  expect(from("1524")).toEqual(["hex 1523", "hex 1624"]);
  expect(from("3005")).toEqual(["hex 2905", "hex 3006"]);
  expect(from("3024")).toEqual(["hex 2923", "hex 2924", "hex 3023"]);
});

rule("NF 11.1 (22.3)", "each friend counts in its hex, the first of all too", () => {
  // vs-1 is the lowest counter, 1505 the lowest hex
  const env = move({ german: { "vs-1": { hex: "1505" }, "gren-1": { hex: "1506" } } });
  expect(after(env, ["unit gren-1", "hex 1505"]).active!.mp).toBe(1);
});

rule("NF reconstructed 8", "what is face down in a hex is not in the way of who goes elsewhere", () => {
  const env = move({
    german: { "gren-1": { hex: "1510" } },
    soviet: { "rifle-1": { hex: "1505" }, "t34-1": { hex: "1512" } },
  });
  expect(env.legal()).toEqual(["done", "unit gren-1"]);
  const p = after(env, ["unit gren-1", "hex 1511"]);
  expect(p.german["gren-1"]!.hex).toBe("1511");
  expect(p.soviet["t34-1"]!.seen).toBe(false);
});

rule("NF reconstructed 8", "spotted Soviets close a hex in the corner too", () => {
  const env = move({ german: { "gren-1": { hex: "1506" } }, soviet: { "rifle-1": { hex: "1505", seen: true } } });
  after(env, ["unit gren-1"]);
  expect(env.legal()).not.toContain("hex 1505");
});

rule("NF 11.3", "the game goes on while a unit is in a corner of the map (N5)", () => {
  const env = move({ german: { "vs-1": { hex: "1505" }, "gren-1": { hex: "3010" } } });
  expect(after(env, ["unit gren-1", "exit"])).toMatchObject({ phase: "move", exited: 1 });
});

rule("NF 11.1 (4.0)", "a hex of three is full, however many points a vehicle has; one of two has room", () => {
  const two = { "gren-1": { hex: "1510" }, "gren-2": { hex: "1510" }, "sdk-1": { hex: "1511" } };
  const steps = (german: object) => {
    const env = move({ german });
    after(env, ["unit sdk-1"]);
    return env.legal();
  };
  expect(steps(two)).toContain("hex 1510");
  expect(steps({ ...two, "gren-3": { hex: "1510" } })).not.toContain("hex 1510");
});
