import { afterEach, describe, expect, it } from "vitest";
import type { Dice, Game, State } from "../../../env/index.js";
import { resolveOptions } from "../../../env/index.js";
import { bench } from "../../../training/bench/bench.js";
import { coreMeasures, heapGrowth, positions, Stepper, repeatForCpuTime } from "../../../training/bench/core.js";
import { benchText } from "../../../training/bench/report.js";
import { Race, race } from "../../toys/race.js";
import { nightly } from "../../nightly.js";

const load = (): Game => race.load(resolveOptions(race), race.data);

/** A race that leaves an array of 100 numbers behind with every action. */
class Littering extends Race {
  static left: number[] = [];
  override apply(s: State, action: number, dice: Dice): void {
    Littering.left = Array.from({ length: 100 }, (_, i) => i + s[4]!);
    super.apply(s, action, dice);
  }
}

describe("the bench", () => {
  it("counts the decisions that a batch took, and only those", () => {
    const stepper = new Stepper(load(), 16, "s");
    for (let k = 0; k < 50; k++) {
      const ended = stepper.batch.actors.filter((a) => a < 0).length;
      expect(stepper.step()).toBe(16 - ended); // an ended game begins again instead
    }
  });
  it("takes positions with a pending decision", () => {
    const game = load();
    for (const s of positions(game, 50, "p")) expect(game.actor(s)).toBeGreaterThanOrEqual(0);
  });
  it("works for the given processor time", () => {
    const { cpu, count } = repeatForCpuTime(0.05, () => {
      let x = 0;
      for (let i = 0; i < 1e5; i++) x += Math.sqrt(i);
      return x > 0 ? 1 : 0;
    });
    expect(cpu).toBeGreaterThanOrEqual(0.05);
    expect(count).toBeGreaterThan(0);
  });
  it("every measure of a game does something", async () => {
    for (const m of coreMeasures(load())) {
      const { count, seconds } = await m.run(0.001);
      expect(count).toBeGreaterThan(0);
      expect(seconds).toBeGreaterThan(0);
    }
  });
  it("sees what a game allocates at every step", () => {
    // Code that V8 has not compiled yet allocates too, in both games alike: only the difference is the array's
    const least = (game: () => Game): number =>
      Math.min(...[1, 2, 3].map(() => heapGrowth(game(), 50_000).allocatedBytesPerDecision));
    const arrayBytes = 100 * 8;
    expect(least(() => new Littering(race, resolveOptions(race))) - least(load)).toBeGreaterThan(arrayBytes / 2);
  });
});

describe("bench", () => {
  const before = process.env["KESSEL_PYTHON"];
  afterEach(() => {
    if (before === undefined) delete process.env["KESSEL_PYTHON"];
    else process.env["KESSEL_PYTHON"] = before;
  });
  it("gives a median of every measure, and a reason for what it can't measure", nightly, async () => {
    process.env["KESSEL_PYTHON"] = "/nowhere/python";
    const r = await bench({ game: "pocket-stalingrad", quick: true, warm: 0, peers: true });
    for (const row of r.rows) {
      expect(row.values.length).toBe(r.repeats);
      expect(row.median).toBeGreaterThan(0);
      expect(row.values).toContain(row.median); // an odd number of repeats
    }
    expect(r.rows.map((x) => x.name)).toEqual(
      expect.arrayContaining(["batch of 256: apply, mask, observation", "two workers, a batch of 256 each"]),
    );
    const python = r.skipped.filter((s) => s.name.startsWith("Python over ") || s.name.startsWith("peer"));
    // twelve of ours: four batch sizes, in flight, pipelined, one over a pipe, a search at once and one by one, an
    // opponent in lockstep and not, idle clients; five of other libraries
    expect(python.length).toBe(17);
    for (const s of python) expect(s.reason).toMatch(/^Python ended: .*ENOENT/);
    const text = benchText(r);
    for (const row of r.rows) expect(text).toContain(row.name);
    expect(text).toContain("not measured: Python over ZeroMQ, batch of 256: Python ended");
  });
  it("refuses an unknown game", async () => {
    await expect(bench({ game: "waterloo" })).rejects.toThrow(/there is no game "waterloo"/);
  });
});
