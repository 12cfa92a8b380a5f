import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import {
  canonical,
  Env,
  InvariantError,
  type JsonObject,
  loadGame,
  newState,
  Rng,
  sameSituation,
  seedStream,
  type State,
} from "../../../env/index.js";
import { Resampler } from "../../../env/savage-streets/resample/index.js";
import { Assignment } from "../../../env/savage-streets/resample/assignment.js";
import { Table, twoHidden } from "./table.js";

const GERMAN = 0;
const game = loadGame("savage-streets");
const viewKey = (env: Env): string => canonical(env.game.view(env.state, GERMAN));

/** How often each of `samples` states shows each thing that `of` reads. */
function frequencies(s: State, samples: number, of: (position: JsonObject) => string, seed = 0): Map<string, number> {
  const out = newState(game.stateSize);
  const rng = new Rng(`frequencies/${seed}`);
  const seen = new Map<string, number>();
  for (let k = 0; k < samples; k++) {
    expect(game.resample(s, GERMAN, out, rng)).toBe(true);
    const key = of(game.write(out));
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return seen;
}

// The Germans have waited for seven turns: all chits are face-down, and one of 21 that were drawn was returned unseen.
test("a chit that was returned face-down may be drawn again", () => {
  const file = new URL("./all-chits-out.json", import.meta.url);
  const { state } = new Table(JSON.parse(readFileSync(file, "utf8")) as JsonObject).env;
  const n = 4000;
  const inTwo = (position: JsonObject): string =>
    (position["areas"] as Record<string, { chits: string[] }>)["2"]!.chits[0]!.replace(/-\d+$/, "");
  const seen = frequencies(state, n, inTwo);
  const chits = { sniper: 3, molotov: 3, ambush: 3, artillery: 4, strongpoint: 3, counterattack: 2, dummy: 2 };
  expect([...seen.keys()].sort()).toEqual(Object.keys(chits).sort());
  for (const [kind, count] of Object.entries(chits)) {
    const p = count / 20;
    expect(Math.abs(seen.get(kind)! - n * p)).toBeLessThan(5 * Math.sqrt(n * p * (1 - p)));
  }
});

describe("resampling", () => {
  // Three named units turn face-down in area 5, one of them goes to 6: three equally likely worlds.
  const toy = (): Table => {
    const table = new Table({
      turn: 4,
      phase: "sov-move",
      areas: { "5": { soviet: ["I/272:u", "6 Tk:u", "20 AT:u"] }, A: { german: ["I/194"] } },
      decision: { actor: "S", kind: "sov-pick" },
    }).do("pass");
    const next: JsonObject = {
      ...table.position,
      turn: 5,
      phase: "sov-move",
      decision: { actor: "S", kind: "sov-pick" },
    };
    return new Table(next).do("unit 20 AT").do("area 6").do("pass");
  };
  const inSix = (position: JsonObject): string =>
    JSON.stringify((position["areas"] as Record<string, JsonObject>)["6"]!["soviet"]);

  test("two areas, three counters: each may be the one that moved, equally often", () => {
    const n = 6000;
    const seen = frequencies(toy().env.state, n, inSix);
    expect([...seen.keys()].sort()).toEqual(['["20 AT"]', '["6 Tk"]', '["I/272"]']);
    // five standard deviations of a binomial with p = 1/3
    for (const count of seen.values()) expect(Math.abs(count - n / 3)).toBeLessThan(5 * Math.sqrt((n * 2) / 9));
  });

  test("a later reveal settles which counter moved", () => {
    const table = toy();
    const position: JsonObject = {
      ...table.position,
      phase: "ger-move",
      areas: {
        ...(table.position["areas"] as JsonObject),
        "6": { control: "S", german: ["I/194"], soviet: ["20 AT"] },
        A: {},
      },
      decision: { actor: "G", kind: "ger-pick" },
    };
    const shown = new Table(position).do("pass"); // 20 AT turns up in 6
    const seen = frequencies(shown.env.state, 200, (p) =>
      JSON.stringify((p["areas"] as Record<string, JsonObject>)["5"]!["soviet"]),
    );
    expect([...seen.keys()]).toEqual(['["I/272","6 Tk"]']);
  });

  test("a counter that slipped from Germans to Germans is an SMG company (SS 9.51)", () => {
    const areas: JsonObject = {
      "5": { control: "C", german: ["I/194"], soviet: ["SMG/42 Gds", "I/272", "6 Tk"] },
      "8": { control: "S", soviet: ["SMG/34 Gds"] },
      "10": { control: "G", german: ["I/191"] },
    };
    const slipped = new Table(
      { turn: 4, phase: "sov-move", areas, decision: { actor: "S", kind: "sov-pick" } },
      { infiltration: true },
    )
      .do("unit SMG/42 Gds")
      .do("area 10");
    const { game: with951, state: s } = slipped.env;
    const out = newState(with951.stateSize);
    const rng = new Rng("slipped");
    const seen = new Set<string>();
    for (let k = 0; k < 300; k++) {
      expect(with951.resample(s, GERMAN, out, rng)).toBe(true);
      for (const id of (with951.write(out)["areas"] as Record<string, JsonObject>)["10"]!["soviet"] as string[])
        seen.add(id.replace(/:.*/, ""));
    }
    expect(seen.size).toBeGreaterThan(1);
    for (const id of seen) expect(id).toMatch(/^SMG/);
  });

  /** Turns 5 to 7: who truly moves from where to where. Then the German opens 9 and finds 20 AT. */
  const moves = [
    [5, "20 AT", "5", "6"],
    [5, "6 Tk", "5", "10"],
    [6, "20 AT", "6", "9"],
    [6, "I/270", "10", "9"],
    [7, "I/270", "9", "8"],
  ] as const;
  const start: Record<string, string[]> = { "5": ["I/272", "6 Tk", "20 AT"], "10": ["I/270", "II/270"] };

  const opened = (): JsonObject => {
    const up = (ids: readonly string[]) => ids.map((id) => `${id}:u`);
    let table = new Table({
      turn: 4,
      phase: "sov-move",
      areas: { "5": { soviet: up(start["5"]!) }, "10": { soviet: up(start["10"]!) }, A: { german: ["I/194"] } },
      decision: { actor: "S", kind: "sov-pick" },
    }).do("pass");
    for (const turn of [5, 6, 7]) {
      table = new Table({ ...table.position, turn, phase: "sov-move", decision: { actor: "S", kind: "sov-pick" } });
      for (const [t, unit, , to] of moves) if (t === turn) table.do(`unit ${unit}`).do(`area ${to}`);
      table.do("pass");
    }
    const areas = table.position["areas"] as Record<string, JsonObject>;
    return new Table({
      ...table.position,
      phase: "ger-move",
      areas: { ...areas, "9": { control: "S", german: ["I/194"], soviet: ["20 AT"] }, A: {} },
      decision: { actor: "G", kind: "ger-pick" },
    }).do("pass").position;
  };

  /** Every way of sharing out the moves, by where everybody ends; how many there are of each. */
  const counted = (): Map<string, number> => {
    const ways = new Map<string, number>();
    const where = (place: ReadonlyMap<string, string>): string =>
      JSON.stringify(
        ["5", "8", "10"].map((a) =>
          [...place]
            .filter(([, at]) => at === a)
            .map(([id]) => id)
            .sort(),
        ),
      );
    const tell = (i: number, place: ReadonlyMap<string, string>, moved: readonly string[]): void => {
      if (i === moves.length) {
        const inNine = [...place].filter(([, at]) => at === "9").map(([id]) => id);
        if (inNine.join() === "20 AT") ways.set(where(place), (ways.get(where(place)) ?? 0) + 1);
        return;
      }
      const [turn, , from, to] = moves[i]!;
      const before = i > 0 && moves[i - 1]![0] === turn ? moved : [];
      for (const [id, at] of place)
        if (at === from && !before.includes(id)) tell(i + 1, new Map(place).set(id, to), [...before, id]);
    };
    tell(0, new Map(Object.entries(start).flatMap(([a, ids]) => ids.map((id) => [id, a] as const))), []);
    return ways;
  };
  const ends = (p: JsonObject): string => {
    const at = p["areas"] as Record<string, { soviet: string[] }>;
    return JSON.stringify(["5", "8", "10"].map((a) => at[a]!.soviet.map((u) => u.split(":")[0]!).sort()));
  };
  /** @param free how many of the samples, at least, are worth as much as independent ones */
  const expectEven = (seen: ReadonlyMap<string, number>, free: number): void => {
    const ways = counted();
    const all = [...ways.values()].reduce((x, y) => x + y, 0);
    expect([ways.size, all]).toEqual([6, 8]);
    const n = [...seen.values()].reduce((x, y) => x + y, 0);
    expect([...seen.keys()].sort()).toEqual([...ways.keys()].sort());
    for (const [key, times] of ways) {
      const p = times / all;
      // five standard deviations of a binomial
      expect(Math.abs(seen.get(key)! / n - p), key).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / free));
    }
  };

  test("assignments that fit what came to light are equally likely, counted one by one", () => {
    expectEven(frequencies(new Table(opened()).env.state, 8000, ends), 8000);
  });

  test("so they are after long public logs, whose chain starts are made once per view", () => {
    const position = opened();
    const seen = new Map<string, number>();
    const views = 150;
    for (let k = 0; k < views; k++) {
      // the river was watched: nothing more happened
      const ledger = [
        ...(position["ledger"] as JsonObject[]),
        ...Array.from({ length: 65 + k }, () => ({ t: 7, e: "hold" })),
      ];
      for (const [key, n] of frequencies(new Table({ ...position, ledger }).env.state, 40, ends, k))
        seen.set(key, (seen.get(key) ?? 0) + n);
    }
    // 40 samples begin at 23 of 32 chain starts on average
    expectEven(seen, 20 * views);
  });

  /** A German decision with a long ledger behind it. */
  const lateInTheGame = (): Env => {
    const late = new Env(game);
    const rng = new Rng("late");
    for (
      late.reset("late");
      late.actor !== GERMAN || (game.view(late.state, GERMAN)["ledger"] as JsonObject[]).length < 100;
    ) {
      const legal = late.legal();
      late.step(legal[rng.below(legal.length)]!);
    }
    return late;
  };

  test("the log of a long game of random play is not left out of account", () => {
    const long = new Env(game);
    const rng = new Rng("speed38");
    const out = newState(game.stateSize);
    for (long.reset("speed38"); !long.terminated;) {
      const legal = long.legal();
      long.step(legal[rng.below(legal.length)]!);
      // here all 32 chain starts were not found in 40 rounds each
      if (![600, 665].includes(long.decisions)) continue;
      for (let k = 0; k < 8; k++) expect(game.resample(long.state, GERMAN, out, new Rng(k))).toBe(true);
    }
  });

  test("the chain begins and ends with an assignment that fits, counted from scratch", () => {
    const missed = new Set<number>();
    const { mix } = Assignment.prototype;
    const spy = vi.spyOn(Assignment.prototype, "mix").mockImplementation(function (this: Assignment, rng) {
      missed.add(this.count());
      mix.call(this, rng);
      missed.add(this.count());
    });
    const out = newState(game.stateSize);
    for (const mode of ["duel", "solo"])
      for (let g = 0; g < 4; g++) {
        const env = new Env(loadGame("savage-streets", { mode }));
        const rng = new Rng(`scratch/${g}`);
        for (env.reset(`scratch/${g}`); !env.terminated;) {
          const legal = env.legal();
          env.step(legal[rng.below(legal.length)]!);
          if (!env.terminated && env.decisions % 7 === 0) env.game.resample(env.state, GERMAN, out, rng);
        }
      }
    spy.mockRestore();
    expect([...missed]).toEqual([0]);
  });

  test("the chain starts of a long public log differ", () => {
    const told = new Set<string>();
    const { mix } = Assignment.prototype; // gets each chain start as it was made
    const spy = vi.spyOn(Assignment.prototype, "mix").mockImplementation(function (this: Assignment, rng) {
      told.add(this.departureOf.subarray(0, this.net.visits).join());
      mix.call(this, rng);
    });
    const { state } = lateInTheGame();
    const out = newState(game.stateSize);
    for (let k = 0; k < 100; k++) game.resample(state, GERMAN, out, new Rng(k));
    spy.mockRestore();
    expect(told.size).toBeGreaterThan(16); // of 32, of which 100 samples begin with 31 on average
  });

  test("a sample is the same whether its chain start is kept or made again", () => {
    const late = lateInTheGame();
    const a = newState(game.stateSize);
    const b = newState(game.stateSize);
    for (let k = 0; k < 100; k++) game.resample(late.state, GERMAN, a, new Rng(k)); // makes nearly all of them
    const worlds = new Set<string>();
    for (let k = 0; k < 20; k++) {
      game.resample(late.state, GERMAN, a, new Rng(k));
      loadGame("savage-streets").resample(late.state, GERMAN, b, new Rng(k));
      expect(sameSituation(a, b)).toBe(true);
      worlds.add(canonical(game.write(a)));
    }
    expect(worlds.size).toBe(20);
  });

  test("it depends on the view and the seed alone, and the true state can come out", () => {
    const one = new Table(twoHidden).do("unit I/272").do("area 6").do("pass").env.state;
    const other = new Table(twoHidden).do("unit 6 Tk").do("area 6").do("pass").env.state;
    const a = newState(game.stateSize);
    const b = newState(game.stateSize);
    let truths = 0;
    for (let k = 0; k < 4000; k++) {
      game.resample(one, GERMAN, a, new Rng(k));
      game.resample(other, GERMAN, b, new Rng(k));
      expect(sameSituation(a, b)).toBe(true);
      if (inSix(game.write(a)) === '["I/272"]') truths++;
    }
    expect(truths).toBeGreaterThan(0);
  });

  test("the view of every sample is the view of the truth, over whole games", () => {
    const env = new Env(game);
    const rng = new Rng("whole");
    const out = newState(game.stateSize);
    for (env.reset("whole"); !env.terminated;) {
      const legal = env.legal();
      env.step(legal[rng.below(legal.length)]!);
      if (env.decisions % 20 !== 0 || env.terminated) continue;
      game.resample(env.state, GERMAN, out, rng);
      expect(game.invariantViolation(out)).toBe(null);
      expect(canonical(game.view(out, GERMAN))).toBe(viewKey(env));
    }
  });

  test("the Soviet player gets the true state with other dice", () => {
    const { state } = toy().env;
    const out = newState(game.stateSize);
    seedStream("stream", state);
    expect(game.resample(state, 1, out, new Rng(3))).toBe(true);
    expect(sameSituation(state, out)).toBe(true);
    expect(out.slice(0, 4)).not.toEqual(state.slice(0, 4));
  });
});

test("a sample that fits nothing is an error, not half a state", () => {
  const env = new Env(game);
  const rng = new Rng("half");
  env.reset("half");
  while (env.actor !== GERMAN) env.step(env.mask.indexOf(1));
  const deal = vi.spyOn(Resampler.prototype as unknown as { deal(): boolean }, "deal").mockReturnValue(false);
  const out = newState(game.stateSize);
  expect(() => game.resample(env.state, GERMAN, out, rng)).toThrow(InvariantError);
  // nothing but the last of many attempts fits: they all come to it
  let left = 5000;
  deal.mockRestore();
  const whole = Reflect.get(Resampler.prototype, "deal") as (...args: unknown[]) => boolean;
  vi.spyOn(Resampler.prototype as unknown as { deal(...args: unknown[]): boolean }, "deal").mockImplementation(
    function (this: unknown, ...args) {
      return left-- <= 0 && whole.apply(this, args);
    },
  );
  game.resample(env.state, GERMAN, out, rng);
  vi.restoreAllMocks();
  expect(canonical(game.view(out, GERMAN))).toBe(canonical(game.view(env.state, GERMAN)));
});
