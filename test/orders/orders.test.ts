import { describe, expect, test } from "vitest";
import {
  canonical,
  Env,
  type Game,
  gameIds,
  KesselError,
  loadGame,
  type Narration,
  orderForms,
  OrderRun,
  parseOrder,
  promptOf,
  Rng,
  RNG_WORDS,
  sameSituation,
  sampleFor,
  skips,
  type State,
  type StateView,
  waysOf,
} from "../../env/index.js";
import "../all-games.js";
import { Table } from "../env/streets-of-stalingrad/table.js";

/** Carries an order out. @returns its actions, and why it stopped */
function carriedOut(env: Env, text: string): { did: string[]; stopped: string | null; skipped: readonly string[] } {
  const run = new OrderRun(env.game, env.state, env.actor, text);
  const did: string[] = [];
  for (let a = run.next(env.state); a !== null; a = run.next(env.state)) {
    did.push(env.game.actions[a]!);
    env.step(a);
  }
  return { did, stopped: run.stopped, skipped: run.skipped };
}

function begun(id: string, seed = "1"): Env {
  const env = new Env(loadGame(id), { skipForced: true });
  env.reset(seed);
  return env;
}

/** Night Fight after a purchase of trucks, infantry and a tank. */
function bought(): Env {
  const env = begun("night-fight");
  carriedOut(env, "buy truck x2, vs x5, panther, done!");
  return env;
}

const place = (env: Env, unit: string): unknown =>
  (env.game.write(env.state)["german"] as Record<string, { hex: string }>)[unit]!.hex;

describe("an order in words", () => {
  const nightFight = loadGame("night-fight");
  const names = (text: string): string[] => {
    const order = parseOrder(nightFight, text);
    return order.form === "list" ? order.actions.map((a) => nightFight.actions[a]!) : [order.form];
  };
  test.each([
    ["buy truck", ["buy truck"]],
    ["Buy Truck.", ["buy truck"]],
    ["buy truck x3", ["buy truck", "buy truck", "buy truck"]],
    ["buy truck 2 times, panther", ["buy truck", "buy truck", "buy panther"]],
    ["buy truck, vs x2, done!", ["buy truck", "buy vs", "buy vs", "done"]],
    ["buy truck panther", ["buy truck", "buy panther"]],
    ["hex 2020, 2120 then stop", ["hex 2020", "hex 2120", "stop"]],
    ["move truck-1 to 2020", ["errand"]],
    ["end the phase", ["end"]],
    ["hold all", ["deed"]],
    ["skip to fire", ["skip"]],
    ["move truck-1 to 2020; truck-2 to 2120; end phase!", ["several"]],
    ["move truck-1 to 2020, end phase!", ["several"]],
    ["hold truck-1 and then end the phase", ["several"]],
  ])("%s", (text, wanted) => expect(names(text)).toEqual(wanted));

  test("dice are kept by their faces, and thrown by another word", () => {
    const game = loadGame("pocket-stalingrad");
    const order = parseOrder(game, "keep 2 5 command, throw");
    if (order.form !== "list") throw new Error(order.form);
    expect(order.actions.map((a) => game.actions[a])).toEqual(["keep unit 2", "keep unit 5", "keep command", "roll"]);
  });

  test.each([
    ["", /the order is empty; an order is move UNIT to PLACE/],
    ["!", /empty/],
    [
      "fly panther-1 to 2020",
      /"fly panther-1 to 2020" is no order and names no action; an order is move UNIT to PLACE/,
    ],
    ["buy truck x201", /names 201 actions; at most 200/],
    ["buy ".repeat(600), /has 2400 characters; at most 2000/],
    ["buy tank", /"buy tank" is no order/],
    ["skip to lunch", /no phase "lunch" to skip to; there is movement or fire/],
    ["end phase; ".repeat(61), /has 61 parts; at most 60/],
  ])("%j is refused with what would do", (text, says) => {
    expect(() => parseOrder(nightFight, text)).toThrow(KesselError);
    expect(() => parseOrder(nightFight, text)).toThrow(says);
  });
});

describe("an order is carried out", () => {
  test("a purchase in one line, as far as the points go", () => {
    const env = begun("night-fight");
    const { did, stopped } = carriedOut(env, "buy panther x4");
    expect(did).toEqual(["buy panther", "buy panther"]);
    expect(stopped).toMatch(/"buy panther" is not possible: Which unit do you buy\? 12 of 40 points are left/);
  });

  test("a unit goes to a place by the cheapest way, and stops there", () => {
    const env = bought();
    const to = waysOf(env.game, env.state, env.actor, "truck-1").findLast((w) => w.calm && w.path.length > 2)!;
    const { did, stopped } = carriedOut(env, `move truck-1 to ${to.place}`);
    expect(stopped).toBeNull();
    expect(did).toEqual(["unit truck-1", ...to.path.map((p) => `hex ${p}`), ...did.slice(1 + to.path.length)]);
    expect(place(env, "truck-1")).toBe(to.place);
    expect(promptOf(env.game, env.state, env.actor).kind).toBe("move");
  });

  test("units go one after another, and all toward a place that is out of reach", () => {
    const env = bought();
    const { stopped } = carriedOut(env, "move truck-1, truck-2 to 1821");
    expect(stopped).toBeNull();
    expect([place(env, "truck-1"), place(env, "truck-2")]).toEqual(["1821", "1821"]);
    const all = carriedOut(env, "move all toward 3013");
    expect(all.stopped).toBeNull();
    expect(all.did.filter((a) => a.startsWith("unit "))).toHaveLength(6);
  });

  describe("many units at once", () => {
    /** German movement of the first turn of scenario-7. */
    const front = (): Env => {
      const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7", opFire: false });
      const env = new Env(game, { skipForced: true });
      env.reset("many");
      while (promptOf(game, env.state, env.actor).kind !== "move.select") carriedOut(env, "done!");
      return env;
    };
    const at = (env: Env, unit: string): unknown =>
      (env.game.write(env.state)["units"] as Record<string, { at: string }>)[unit]!.at;

    test("the end of a phase ends that phase alone, with the stages that are left of it", () => {
      const game = loadGame("streets-of-stalingrad", { scenario: "drill-kurgan", opFire: false });
      const env = new Env(game, { skipForced: true });
      env.reset("many");
      const at = (): unknown[] => {
        const { phase, stage } = game.write(env.state) as { phase: number; stage: string };
        return [phase, stage, promptOf(game, env.state, env.actor).kind];
      };
      expect(at()).toEqual([2, "plot-first", "bomb.target"]);
      carriedOut(env, "end phase!");
      expect([env.actor, ...at()]).toEqual([1, 2, "plot-second", "bomb.target"]);
      carriedOut(env, "end phase!");
      expect(at()).toEqual([3, "breakthrough", "bt.select"]);
      const { did } = carriedOut(env, "end phase!");
      // breakthroughs, moves and deployment are over; there is nothing to mark
      expect(did).toEqual(["done", "done", "done"]);
      expect(env.actor).not.toBe(0);
    });

    test("the end of a bombardment leaves the movement of the same side", () => {
      const units = { gm: "g-mortar 2010", g1: "g-inf 2010", s1: "s-inf 2014" };
      const { env } = new Table(units, { turn: 3, phase: 2, stage: "plot-first" });
      expect(carriedOut(env, "end phase!").did).toEqual(["done"]);
      expect([env.actor, env.game.write(env.state)["phase"]]).toEqual([0, 3]);
    });

    test("a place names its stack, which goes as one", () => {
      const env = front();
      const { did, stopped } = carriedOut(env, "move 1252 to 1152");
      expect(stopped).toBeNull();
      expect(did).toEqual(["unit G-Pi294-2", "unit G-Pi336-1", "hex 1152"]);
      expect([at(env, "G-Pi294-2"), at(env, "G-Pi336-1")]).toEqual(["1152", "1152"]);
    });

    test("G305ID-578-III-* names a battalion; who can't get there is left out", () => {
      const env = front();
      const { did, skipped } = carriedOut(env, "move G305ID-578-III-* to 0957");
      expect(did.filter((a) => a.startsWith("unit ")).length).toBeGreaterThan(1);
      expect([...skipped, ...did.filter((a) => a.startsWith("unit ")).map((a) => a.slice(5))].sort()).toEqual([
        "G305ID-578-III-1",
        "G305ID-578-III-2",
        "G305ID-578-III-3",
        "G305ID-578-III-M",
      ]);
    });

    test("a whole division holds", () => {
      const env = front();
      const { did } = carriedOut(env, "hold G389ID*!");
      expect(did.filter((a) => a === "stay")).toHaveLength(24);
      expect(env.legal().filter((a) => a.startsWith("unit G389ID"))).toEqual([]);
    });

    test("a name that stands for nobody is refused", () => {
      expect(() => carriedOut(front(), "move G13GRD* to 0957")).toThrow('"G13GRD*" can\'t move now');
      expect(() => carriedOut(front(), "move 2020 to 0957")).toThrow('"2020" can\'t move now');
    });

    test("forms mention it where there are many", () => {
      const env = front();
      const says = orderForms(env.game, env.state, env.actor)
        .map((f) => f.says)
        .join();
      expect(says).toContain('"G79I*" those whose names begin so, a place its stack');
    });
  });

  test("a way by places that are named goes by them", () => {
    const env = bought();
    const { did } = carriedOut(env, "move truck-1 to 1822 by 1620, 1721");
    expect(did.filter((a) => ["hex 1620", "hex 1721", "hex 1822"].includes(a))).toEqual([
      "hex 1620",
      "hex 1721",
      "hex 1822",
    ]);
  });

  test("an order to stay or to stop goes on in spite of their warnings", () => {
    const soviet = begun("streets-of-stalingrad");
    expect(carriedOut(soviet, "hold g1, g3")).toMatchObject({
      did: ["unit g1", "stay", "unit g3", "stay"],
      stopped: null,
    });
    const env = begun("savage-streets");
    while (promptOf(env.game, env.state, env.actor).kind !== "ger-pick") env.step(env.mask.indexOf(1));
    const stopped: (string | null)[] = [];
    for (const { units } of promptOf(env.game, env.state, env.actor).choices)
      for (const { order, cost, warning } of units.length === 0
        ? []
        : waysOf(env.game, env.state, env.actor, units[0]!)) {
        if (cost !== 1 || warning !== null) continue;
        const copy = new Env(env.game);
        copy.restore(env.state);
        const { did, stopped: why } = carriedOut(copy, order);
        if (did.at(-1) === "pass") stopped.push(why); // it had a movement point left
      }
    expect(new Set(stopped)).toEqual(new Set([null]));
  });

  test("a way has the warning of the action that stops the unit there", () => {
    const game = loadGame("strike-counterstrike");
    const said = new Set<string | null>();
    for (const s of positions(game, 40, "stopping")) {
      const { kind, choices } = promptOf(game, s, game.actor(s));
      const first = choices.find((c) => c.units.length > 0);
      if (!["activate", "move"].includes(kind) || first === undefined) continue;
      for (const { order, stopping, calm } of waysOf(game, s, game.actor(s), first.units[0]!)) {
        const env = new Env(game);
        env.restore(s);
        const run = new OrderRun(game, env.state, env.actor, order);
        for (let a = run.next(env.state); a !== null; a = run.next(env.state)) {
          if (calm && game.actions[a] === "stop") {
            const asked = promptOf(game, env.state, env.actor).choices.find((c) => c.name === "stop")!;
            expect(stopping, order).toBe(asked.warning);
            said.add(stopping);
          }
          env.step(a);
        }
      }
    }
    expect([...said].join(" ")).toMatch(/MP of .* lapses?; it is done for the turn/);
  });

  test("what a way costs is what its unit has for it", () => {
    for (const id of ["savage-streets", "night-fight", "streets-of-stalingrad"]) {
      const game = loadGame(id);
      let seen = 0;
      for (const s of positions(game, 40, "costs")) {
        const { choices, kind } = promptOf(game, s, game.actor(s));
        for (const { units, text } of ["ger-pick", "move", "move.select"].includes(kind) ? choices : []) {
          const has = Number(/(\d+) MP/.exec(text)?.[1] ?? 0);
          if (units.length === 0 || has === 0) continue;
          const costs = waysOf(game, s, game.actor(s), units[0]!).map((w) => w.cost ?? 0);
          seen += costs.filter((c) => c > 1).length;
          expect(Math.max(0, ...costs), `${units[0]!}: ${text}`).toBeLessThanOrEqual(has);
        }
      }
      expect(seen).toBeGreaterThan(0);
    }
  });

  test("an order goes on after decisions with one choice that the caller played", () => {
    let played = 0;
    for (const id of ["savage-streets", "strike-counterstrike"]) {
      const game = loadGame(id);
      const rng = new Rng("forced");
      for (const s of positions(game, 400, "forced")) {
        // what one side does in a row, decisions with one choice among it
        const env = new Env(game);
        env.restore(s);
        if (env.legalCount < 2) continue;
        const side = env.actor;
        const row: string[] = [];
        let forced = 0;
        while (row.length < 6 && env.actor === side) {
          const legal = env.legal();
          if (row.length > 0 && legal.length === 1) forced++;
          row.push(legal[rng.below(legal.length)]!);
          env.step(row.at(-1)!);
        }
        const skipping = new Env(game, { skipForced: true });
        skipping.restore(s);
        const thrown = s.subarray(0, RNG_WORDS).some((word, i) => word !== env.state[i]);
        if (forced === 0 || thrown) continue; // after dice nobody knows what there will be to choose
        played++;
        expect(carriedOut(skipping, `${row.join(", ")}!`).stopped ?? "", row.join(", ")).not.toMatch(/not possible/);
      }
    }
    expect(played).toBeGreaterThan(5);
  });

  test("a stack goes with the unit that is named", () => {
    const env = begun("streets-of-stalingrad");
    expect(carriedOut(env, "move g1 with all to 0411").did).toEqual(["unit g1", "all", "hex 0411"]);
    const units = env.game.write(env.state)["units"] as Record<string, { at: string }>;
    expect(new Set(["g1", "g2", "g3"].map((u) => units[u]!.at)).size).toBe(1); // wherever they were stopped
  });

  test("a list whose last word has nothing left to decline is done", () => {
    const env = begun("streets-of-stalingrad");
    carriedOut(env, "move all toward 0311");
    const marks = promptOf(env.game, env.state, env.actor).choices.flatMap((c) => c.places);
    const { stopped } = carriedOut(env, [...marks.map((p) => `mark ${p}`), "done!"].join(", "));
    expect(stopped).toBeNull();
  });

  test("what warns is not done, unless the order ends in !", () => {
    const env = begun("night-fight");
    const before = env.state.slice();
    const run = carriedOut(env, "end phase");
    expect(run.did).toEqual([]);
    expect(run.stopped).toMatch(/40 points would be wasted.*ends in "!"/);
    expect(env.state).toEqual(before);
    expect(carriedOut(env, "end phase!").stopped).toBeNull();
    expect(sameSituation(env.state, before)).toBe(false);
  });

  test.each([
    ["move truck-1 to 3013", /truck 1 can't move to 3013; it can to \d{4} \(1 MP\)/],
    ["move truck-9 to 2020", /"truck-9" can't move now; .*truck 1/],
    ["move to 2020", /say which unit is to move: /],
    ["move all toward 9999", /no place "9999" on the map/],
    ["fire panther-1 at 2020", /no unit can be ordered to fire now/],
    ["buy truck", /"buy truck" is not possible: Turn 1 of 12: which unit moves\?/],
  ])("%s: nothing is done where nothing can be begun", (text, says) => {
    const env = bought();
    const before = env.state.slice();
    expect(() => carriedOut(env, text)).toThrow(says);
    expect(() => carriedOut(env, text)).toThrow(KesselError);
    expect(env.state).toEqual(before);
  });

  test("an order is for the side that decides", () => {
    const env = begun("savage-streets");
    expect(() => new OrderRun(env.game, env.state, 1 - env.actor, "pass")).toThrow(/for the side that decides/);
  });

  test("units have their printed names in orders too, however they are written", () => {
    const env = bought();
    carriedOut(env, "move volkssturm 1, Truck 1 to 1620");
    carriedOut(env, "hold VOLKSSTURM 2");
    expect([place(env, "vs-1"), place(env, "truck-1")]).toEqual(["1620", "1620"]);
    expect(promptOf(env.game, env.state, env.actor).choices.map((c) => c.name)).not.toContain("unit vs-2");
    const army = begun("strike-counterstrike");
    carriedOut(army, "army 16");
    carriedOut(army, "move First Shock Army to 2706");
    expect((army.game.write(army.state)["armies"] as Record<string, { hex: string }>)["1S"]!.hex).toBe("2706");
  });

  test("a list that declines the rest at its end declines nothing of the next phase when there is no rest", () => {
    const env = begun("strike-counterstrike");
    env.resetTo({ turn: 2, phase: "replace", replacements: 1, armies: { "1S": { steps: 6 } } }, "1");
    expect(promptOf(env.game, env.state, env.actor).kind).toBe("replace");
    const { did, stopped } = carriedOut(env, "army 1S, done");
    expect([did, stopped]).toEqual([["army 1S"], null]);
    expect(promptOf(env.game, env.state, env.actor).kind).toBe("activate");
  });

  test("parts are carried out one after another, each with the verb before it, and stop where one does", () => {
    const env = bought();
    const { did, stopped } = carriedOut(env, "move truck-1 to 1620; truck-2 to 1621; move vs-1 to 3013; end phase!");
    expect([place(env, "truck-1"), place(env, "truck-2")]).toEqual(["1620", "1621"]);
    expect(did).not.toContain("unit vs-1");
    expect(stopped).toMatch(/Volkssturm 1 can't move to 3013/);
    expect(promptOf(env.game, env.state, env.actor).kind).toBe("move");
  });

  test("an order may end the phase after it", () => {
    const env = bought();
    carriedOut(env, "move truck-1 to 1620, end phase!");
    expect(place(env, "truck-1")).toBe("1620");
    expect(promptOf(env.game, env.state, env.actor).kind).toBe("fire");
  });

  test("phases are skipped up to the one that is named", () => {
    const env = bought();
    expect(carriedOut(env, "skip to fire").stopped).toMatch(/8 units have not moved/);
    carriedOut(env, "move all toward 3013");
    expect(carriedOut(env, "skip to fire!").stopped).toBeNull();
    expect(promptOf(env.game, env.state, env.actor).kind).toBe("fire");
  });

  test("a list that another seat's decision interrupts stops, and says who decides", () => {
    const env = begun("savage-streets");
    const first = promptOf(env.game, env.state, env.actor).choices[0]!.name;
    const { stopped } = carriedOut(env, Array.from({ length: 40 }, () => first).join(", "));
    expect(stopped).toMatch(/is not possible: |decides now/);
  });
});

/** Positions of random play with somebody to decide. */
function* positions(game: Game, n: number, seed: string): Generator<State> {
  const rng = new Rng(seed);
  const env = new Env(game);
  for (let g = 0, found = 0; found < n; g++) {
    env.reset(`${seed}/${g}`);
    while (!env.terminated && found < n) {
      if (rng.below(12) === 0) {
        found++;
        yield env.state.slice();
      }
      const legal = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
      env.step(legal[rng.below(legal.length)]!);
    }
  }
}

/**
 * All that a seat sees of orders: forms, ways of two units, what each way's order does first, and what a wrong one
 * says.
 */
function toldBy(game: Game, s: State, viewer: number): string {
  const forms = orderForms(game, s, viewer);
  const told: unknown[] = [forms];
  for (const unit of forms.flatMap((f) => f.units.slice(0, 2))) {
    const ways = waysOf(game, s, viewer, unit);
    told.push(ways);
    for (const word of ["to", "at"])
      for (const text of [`move ${unit} ${word} ${ways.at(-1)?.place ?? "nowhere"}!`, `move ${unit} ${word} nowhere`])
        try {
          const run = new OrderRun(game, s, viewer, text);
          told.push([run.next(s), run.stopped]);
        } catch (e) {
          told.push(String(e));
        }
  }
  return JSON.stringify(told);
}

/** A position whose orders show a player something that the player can't know, or null. */
function leak(game: Game, n: number): string | null {
  const rng = new Rng("twins");
  for (const s of positions(game, n, "orders")) {
    const viewer = game.actor(s);
    if (viewer < 0) continue;
    const twin = sampleFor(game, s, viewer, rng);
    if (canonical(game.view(s, viewer)) !== canonical(game.view(twin, viewer))) throw new Error("no twin");
    const [here, there] = [toldBy(game, s, viewer), toldBy(game, twin, viewer)];
    if (here !== there) return `${here}\n${there}`;
  }
  return null;
}

describe.each(gameIds())("%s", (id) => {
  test("orders are the same in all worlds that a player can't tell apart", () => {
    expect(leak(loadGame(id), 40)).toBeNull();
  });

  test("each order that is offered can be given, and each way leads where it says", () => {
    const game = loadGame(id);
    for (const s of positions(game, 30, "offered")) {
      const viewer = game.actor(s);
      for (const form of orderForms(game, s, viewer)) {
        expect(form.says).toMatch(/\.$/);
        const [unit] = form.units;
        if (unit === undefined || form.form.startsWith("hold")) continue;
        const [verb] = form.form.split(" ");
        const word = / (to|at) PLACE/.exec(form.form)![1]!;
        for (const way of waysOf(game, s, viewer, unit)
          .filter((w) => w.calm)
          .slice(0, 3)) {
          const env = new Env(game);
          env.restore(s);
          const { did } = carriedOut(env, `${verb} ${unit} ${word} ${way.place}!`);
          expect(did.length).toBeGreaterThanOrEqual(way.path.length);
        }
      }
    }
  });
});

test("buttons skip to the later phases of the turn alone, where a phase can be declined", () => {
  const offered = (env: Env): readonly string[] => skips(env.game, promptOf(env.game, env.state, env.actor));
  expect(offered(begun("night-fight"))).toEqual([]); // purchases are no phase of a turn
  expect(offered(bought())).toEqual(["fire"]);
  const streets = begun("streets-of-stalingrad");
  expect(offered(streets)).toEqual(["marking", "attack"]); // not back to bombardment
});

test("an order to all ends, and stops where something comes to light", () => {
  const why = new Set<string | null>();
  for (const id of gameIds()) {
    const game = loadGame(id);
    const places = game.observation.mapRows;
    const rng = new Rng("all");
    for (const s of positions(game, 60, "all")) {
      const env = new Env(game);
      env.restore(s);
      let run: OrderRun;
      try {
        run = new OrderRun(game, s, env.actor, `move all toward ${places[rng.below(places.length)]!}`);
      } catch (e) {
        expect(e).toBeInstanceOf(KesselError); // nobody moves now
        continue;
      }
      let played = 0;
      for (let a = run.next(env.state); a !== null; a = run.next(env.state)) {
        expect(env.mask[a]).toBe(1);
        env.step(a);
        expect(++played).toBeLessThan(20 * game.observation.unitRows.length);
      }
      why.add(run.stopped);
    }
  }
  expect(why).toContain("something came to light that the order did not know of");
});

/** Night Fight whose questions about a way reveal what is hidden, but for the one that is asked now. */
function telling(changed: PropertyDescriptorMap = {}): Game {
  const honest = loadGame("night-fight");
  const { soviet } = honest.write(new Env(honest).state) as { soviet: Record<string, unknown> };
  const hidden = (s: StateView): number => {
    const units = honest.write(s)["soviet"] as Record<string, { hex: string }>;
    return Object.keys(soviet).reduce((sum, u, i) => sum + (i + 1) * Number(units[u]!.hex.replace(/\D/g, "")), 0) % 7;
  };
  const narration = Object.create(honest.narration!, {
    prompt: {
      value: (s: StateView, viewer: number) => {
        const prompt = honest.narration!.prompt(s, viewer);
        if (prompt.kind !== "step") return prompt;
        const choices = prompt.choices.map((c) => (c.cost === undefined ? c : { ...c, cost: c.cost + hidden(s) }));
        return { ...prompt, choices };
      },
    },
  }) as Narration;
  return Object.create(honest, { narration: { value: narration }, ...changed }) as Game;
}

/** Of how many positions orders tell apart what a player can't, where a unit is named. */
function leaks(game: Game): number {
  const honest = loadGame("night-fight");
  const rng = new Rng("twins");
  let found = 0;
  for (const s of positions(honest, 80, "told")) {
    if (promptOf(honest, s, 0).kind !== "move") continue;
    if (toldBy(game, s, 0) !== toldBy(game, sampleFor(honest, s, 0, rng), 0)) found++;
  }
  return found;
}

test("orders look at no true state: questions that would reveal it reveal nothing", () => {
  expect(leaks(telling())).toBe(0);
});

test("orders that look at the true state are found", () => {
  const truth = (s: State, _player: number, out: State, rng: Rng): boolean => {
    out.set(s);
    rng.freshStream(out);
    return true;
  };
  expect(leaks(telling({ resample: { value: truth } }))).toBeGreaterThan(0);
});
