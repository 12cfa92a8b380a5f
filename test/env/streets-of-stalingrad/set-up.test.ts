import { describe, expect, test } from "vitest";
import {
  Env,
  type GameEvent,
  type JsonObject,
  loadGame,
  newObservation,
  newState,
  resolveOptions,
  Rng,
  TENSORS,
} from "../../../env/index.js";
import { replaceFile } from "../../../env/streets-of-stalingrad/data-files.js";
import { streetsOfStalingrad as type } from "../../../env/streets-of-stalingrad/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import rules from "../../../env/streets-of-stalingrad/data/rules.json" with { type: "json" };
import { event } from "../../event.js";
import { ruleTests } from "../../rule.js";

const rule = ruleTests(rules);
const game = loadGame(type.id, { scenario: "scenario-7", setup: "free" });
const begun = (...actions: string[]): Env => {
  const env = new Env(game);
  env.reset("set-up");
  for (const action of actions) env.step(action);
  return env;
};
const position = (env: Env): JsonObject => env.game.write(env.state);
const at = (env: Env, id: string) => (position(env)["units"] as Record<string, { at: string }>)[id]?.at;
const focus = (env: Env) => (position(env)["decision"] as JsonObject)["focus"];
const hexes = (env: Env) => env.legal().flatMap((a) => (a.startsWith("hex ") ? [a.slice(4)] : []));
/** Sets units up in their first hex until a unit is asked for. */
function until(env: Env, unit: string): Env {
  while (focus(env) !== unit) env.step(env.legal().find((a) => a.startsWith("hex "))!);
  return env;
}

describe("free set-up (SOS 2.33, R3)", () => {
  test("the Soviet side is first, then the German one, then the first turn begins", () => {
    const env = begun();
    expect([env.actor, position(env)["stage"]]).toEqual([SOVIET, "setup"]);
    env.step("auto");
    expect([env.actor, position(env)["stage"]]).toEqual([GERMAN, "setup"]);
    env.step("auto");
    expect(position(env)["stage"]).toBe("plot-first");
  });

  test("a side that takes the ready places has the ready set-up", () => {
    const fixed = new Env(loadGame(type.id, { scenario: "scenario-7" }));
    fixed.reset("set-up");
    expect(position(begun("auto", "auto"))["units"]).toEqual(position(fixed)["units"]);
  });

  test("units that no group names are in their boxes before anybody is asked", () =>
    expect(at(begun(), "S-GMR80")).toBe("eb-n"));

  test("infantry is placed on its front while that has room, and then in its area", () => {
    const env = until(begun("auto"), "G79ID-212-II-3");
    const front = ["0753", "0948", "0949", "0950", "0951", "0952"];
    for (const hex of hexes(until(begun("auto"), "G79ID-208-I-2"))) expect(front).toContain(hex);
    expect(hexes(env).every((hex) => front.includes(hex))).toBe(true);
  });

  test("guns and engineers are placed in the area too, and nothing where a stack is full (5.4)", () => {
    const gun = until(begun(), "S39GRD-112-M1");
    expect(hexes(gun)).toContain("0550");
    expect(hexes(gun)).not.toContain("0552"); // of another division
    expect(hexes(until(begun(), "S138RD-SAP-1"))).toContain("0456");
    const full = begun("hex 0750", "hex 0750", "hex 0750");
    expect(hexes(full)).not.toContain("0750");
  });

  test("wrecks may be placed anywhere on their side", () => {
    const env = until(begun(), "S-IMM-1");
    for (const hex of ["0459", "0555", "0751"]) {
      const stack = JSON.stringify(position(env)["units"]).split(`"${hex}"`).length - 1;
      if (stack < 3) expect(hexes(env)).toContain(hex);
    }
    expect(hexes(env)).toContain("0457");
  });

  test("vehicles are placed on no bank of a ravine except their ready place", () => {
    const env = until(begun("auto"), "G-StuG244-1");
    const balkas = hexes(env).filter(
      (hex) => (type.query!({ kind: "vehicle", hex }, {}, type.data) as unknown) === "blocked",
    );
    expect(balkas).toEqual([]);
  });

  rule("SOS 16.61", "an armored train is placed on a railroad", () => {
    const env = new Env(loadGame(type.id, { scenario: "scenario-4", setup: "free" }));
    env.reset("set-up");
    const { board } = loadSetting(type.data, "scenario-4");
    const places = hexes(until(env, "S-ATU-2"));
    expect(places).toContain("0855");
    expect(places.filter((hex) => !board.hasFeature(board.index(hex), "railroad"))).toEqual([]);
  });

  test("a ready place that is taken is replaced by the nearest one with room", () => {
    // the first battalion takes 0749, where the second has its ready place
    const env = begun("hex 0749", "hex 0749", "hex 0749", "auto");
    for (const id of ["S39GRD-112-2-1", "S39GRD-112-2-2", "S39GRD-112-2-3"])
      expect(["0748", "0750"]).toContain(at(env, id));
    expect(game.invariantViolation(env.state)).toBeNull();
  });

  test("scenarios without zones refuse it, and positions of later phases have no such stage", () => {
    expect(() => loadGame(type.id, { setup: "free" })).toThrow("sandbox-1 has no zones to set up in");
    const env = new Env(game);
    expect(() => env.resetTo({ scenario: "scenario-7", phase: 1, turn: 61, stage: "setup" }, "late")).toThrow("stage");
    const fixed = new Env(loadGame(type.id, { scenario: "scenario-7" }));
    expect(() => fixed.resetTo({ scenario: "scenario-7", phase: 1, stage: "setup" }, "fixed")).toThrow(
      "option setup free",
    );
  });

  test.each([
    ["a hex off the map", { front: ["4801"] }, "there is no hex"],
    ["a unit of the other side", { side: "soviet" }, "is of the other side"],
    ["a unit without a hex", { units: ["S-GMR80"], side: "soviet" }, "has no hex in the ready set-up"],
  ])("%s in a group is refused", (_what, change, says) => {
    const row = structuredClone(type.data["scenario-7"]) as { setup: JsonObject[] };
    Object.assign(row.setup[0]!, change);
    const data = replaceFile(type.data, "scenario-7", row as unknown as JsonObject);
    expect(() => type.load(resolveOptions(type, { scenario: "scenario-7" }), data)).toThrow(says);
  });
});

describe("a set-up is not seen before its side is ready", () => {
  const two = (first: readonly string[], second: readonly string[]) => [begun(...first), begun(...second)] as const;
  const soviets = two(["hex 0750", "hex 0748"], ["hex 0749"]);
  const germans = two(["auto", "hex 0753"], ["auto", "hex 0949", "hex 0949"]);

  test.each([
    ["of the Soviet side by the German one", soviets, GERMAN],
    ["of the German side by the Soviet one", germans, SOVIET],
    ["of either by a spectator", soviets, -1],
  ] as const)("%s", (_what, [one, other], viewer) => {
    expect(JSON.stringify(game.view(one.state, viewer))).toBe(JSON.stringify(game.view(other.state, viewer)));
    expect(game.render(one.state, viewer)).toBe(game.render(other.state, viewer));
    expect(JSON.stringify(game.scene!(one.state, viewer))).toBe(JSON.stringify(game.scene!(other.state, viewer)));
    const [a, b] = [newObservation(game.observation), newObservation(game.observation)];
    game.observe(one.state, viewer, a);
    game.observe(other.state, viewer, b);
    for (const tensor of TENSORS) expect([...a[tensor]]).toEqual([...b[tensor]]);
  });

  test("a sample of the other side's set-up is legal, agrees with what is seen and never depends on the truth", () => {
    for (const [[one, other], viewer] of [
      [soviets, GERMAN],
      [germans, SOVIET],
      [germans, GERMAN],
    ] as const) {
      const [a, b, known, seen] = [0, 1, 2, 3].map(() => newState(game.stateSize)) as [
        Int32Array,
        Int32Array,
        Int32Array,
        Int32Array,
      ];
      expect(game.resample(one.state, viewer, a, new Rng("s"))).toBe(true);
      expect(game.invariantViolation(a)).toBeNull();
      expect(game.actor(a)).toBe(game.actor(one.state));
      game.redact!(one.state, viewer, known);
      game.redact!(a, viewer, seen);
      expect([...seen]).toEqual([...known]);
      if (one.actor === viewer) continue;
      game.resample(other.state, viewer, b, new Rng("s"));
      expect([...b]).toEqual([...a]);
    }
  });

  /** What a viewer reads of an action. */
  const told = (env: Env, action: string, viewer: number): GameEvent[] => {
    const events: GameEvent[] = [];
    env.step(action, undefined, {
      tell: (e: GameEvent) => events.push(e),
      tellEach: (of: (v: number) => GameEvent | null) => {
        const e = of(viewer);
        if (e !== null) events.push(e);
      },
    } as never);
    return events;
  };
  event("placed", "only its own side reads of a unit that is set up", () => {
    expect(told(begun(), "hex 0750", SOVIET).map((e) => e.what)).toEqual(["placed"]);
    for (const viewer of [GERMAN, -1]) expect(told(begun(), "hex 0750", viewer)).toEqual([]);
  });
  event("set-up", "everyone reads how many counters a side has, and which of them are face up", () => {
    const [first, ...rest] = told(begun(), "auto", GERMAN);
    expect(first!.text).toBe("The Soviet side has set up 63 counters.");
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.every((e) => e.what === "reveals")).toBe(true);
  });

  test("positions in the middle of it read back word for word", () => {
    for (const env of [...soviets, ...germans]) {
      const again = newState(game.stateSize);
      new Env(game).resetTo(position(env), "again");
      const other = new Env(game);
      other.resetTo(position(env), "again");
      again.set(other.state);
      expect([...again.subarray(4)]).toEqual([...env.state.subarray(4)]);
    }
  });
});

/** What an engineer that was set up in the first hex with some ground can begin in the first movement phase. */
function firstTasks(ground: string): string[] {
  const env = until(begun("auto"), "G-Pi50-1");
  const { choices } = game.narration!.prompt(env.state, GERMAN);
  const hex = choices.find((c) => c.text.includes(ground) && !c.text.includes("front"))!.places[0]!;
  env.step(`hex ${hex}`);
  env.step("auto");
  while ((position(env)["decision"] as JsonObject)["ask"] !== "move.select")
    env.step(env.legal().find((a) => a === "done" || a === "continue")!);
  expect([env.actor, position(env)["turn"], at(env, "G-Pi50-1")]).toEqual([GERMAN, 60, hex]);
  env.step("unit G-Pi50-1");
  return env.legal().filter((a) => a.startsWith("build-"));
}

test("a prompt says how many units are left to be set up, and which is the last", () => {
  const env = begun();
  const { roster, zones } = loadSetting(type.data, "scenario-7");
  const soviets = roster.counters.filter((c, u) => c.side === SOVIET && zones!.group[u]! >= 0).length;
  const asked = (): string => game.narration!.prompt(env.state, SOVIET).text;
  expect(asked()).toContain(`the first of ${soviets} that are left`);
  for (let left = soviets; left > 1; left--) env.step(env.legal().find((a) => a.startsWith("hex "))!);
  expect([env.actor, asked()]).toEqual([SOVIET, expect.stringContaining(", the last one")]);
});

rule("SOS 17.19", "an engineer set up in a balka begins a bridge in the first turn", () => {
  expect(firstTasks("balka")).toContain("build-bridge");
  expect(firstTasks("(clear")).not.toContain("build-bridge");
});
rule("SOS 17.28", "an engineer begins a minefield beside the hex where it was set up in the first turn", () =>
  expect(firstTasks("(clear")).toContain("build-minefield"),
);
rule("SOS 17.38", "an engineer begins a fort where it was set up in the first turn", () =>
  expect(firstTasks("(clear")).toContain("build-fort"),
);

test("the fight with a free set-up has no bridges, minefields or forts at its start (SOS 17.19, 17.28, 17.38)", () => {
  const { roster, zones } = loadSetting(type.data, "scenario-7");
  const placed = roster.counters.filter((_, u) => zones!.group[u]! >= 0);
  expect(placed.length).toBeGreaterThan(100);
  expect(placed.filter((c) => ["bridge", "minefield", "fortification"].includes(c.type.kind))).toEqual([]);
});
