import { describe, expect, test } from "vitest";
import {
  type Game,
  loadGame,
  newObservation,
  newState,
  NOBODY,
  Rng,
  SeededDice,
  type State,
  TENSORS,
} from "../../../env/index.js";

const island = () => loadGame("streets-of-stalingrad", { scenario: "scenario-7" });
const dice = new SeededDice();

/** A random game that is played to the end of its turns, and from its start again. */
class Play {
  readonly s: State;
  private readonly rng: Rng;
  private readonly mask: Uint8Array;
  private readonly end: number;

  constructor(
    private readonly game: Game,
    seed: string,
  ) {
    this.rng = new Rng(seed);
    this.s = newState(game.stateSize);
    this.mask = new Uint8Array(game.actions.length);
    this.end = game.actions.indexOf("declare-end");
    this.start();
  }

  private start(): void {
    this.s.fill(0);
    this.rng.freshStream(this.s);
    dice.begin(this.s);
    this.game.start(this.s, dice);
  }

  step(): void {
    const { game, mask, s } = this;
    if (game.actor(s) === NOBODY) this.start();
    let k = this.rng.below(game.legalMask(s, mask, 0));
    if (mask[this.end] === 1) k = 1; // the game goes on
    let action = mask.indexOf(1);
    while (k-- > 0) action = mask.indexOf(1, action + 1);
    dice.begin(s);
    game.apply(s, action, dice);
  }
}

/** Microseconds of CPU time. */
function costOf(work: () => void): number {
  const { user, system } = process.cpuUsage();
  work();
  const now = process.cpuUsage();
  return now.user + now.system - user - system;
}
const steps = (play: Play, n: number) => (): void => {
  for (let i = 0; i < n; i++) play.step();
};

/** Where two lists first differ, -1 nowhere. */
const differAt = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return i;
  return -1;
};

describe("205 counters on 592 hexes", () => {
  test("a decision, a sample and the slowest action stay below a number of decisions of Mamayev Kurgan, on any machine", () => {
    const large = island();
    const drill = new Play(loadGame("streets-of-stalingrad", { scenario: "drill-kurgan" }), "drill");
    const play = new Play(large, "large");
    const states: State[] = [];
    const actions: number[] = [];
    for (let i = 0; i < 4000; i++) {
      actions.push(costOf(() => play.step()));
      if (i % 40 === 0 && large.actor(play.s) !== NOBODY) states.push(play.s.slice());
    }
    steps(drill, 3000)();

    // least of several, turn about: another process may slow down any of them
    const N = 1000;
    let [small, big] = [Infinity, Infinity];
    for (let k = 0; k < 6; k++) {
      small = Math.min(small, costOf(steps(drill, N)) / N);
      big = Math.min(big, costOf(steps(play, N)) / N);
    }
    // 13 when every Soviet unit was asked for every German one after each step; 6 to 8 with all rules of the scenario,
    // whose boxes, engineers and headquarters Mamayev Kurgan lacks
    expect(big / small).toBeLessThan(10);

    const out = newState(large.stateSize);
    const rng = new Rng("samples");
    let fallbacks = 0;
    const samples: number[] = [];
    for (let i = 0; i < 200; i++)
      samples.push(
        costOf(() => (fallbacks += large.resample(states[(i >> 1) % states.length]!, i & 1, out, rng) ? 0 : 1)),
      );
    expect(fallbacks).toBeLessThanOrEqual(10);
    expect(samples.sort((a, b) => a - b)[100]! / small).toBeLessThan(50);
    // the slowest of them may have met a collection of garbage or a compilation
    expect(actions.sort((a, b) => a - b)[actions.length - 4]! / small).toBeLessThan(2000);
  });

  test("samples agree with all that a player sees, and one seed gives one sample in all worlds that the player can't tell apart", () => {
    const game = island();
    const play = new Play(game, "agree");
    const [one, two, seen] = [newState(game.stateSize), newState(game.stateSize), newState(game.stateSize)];
    const [mask, other] = [new Uint8Array(game.actions.length), new Uint8Array(game.actions.length)];
    const [a, b] = [newObservation(game.observation), newObservation(game.observation)];
    const { offset, size } = game.fields.find((f) => f.name === "place")!;
    let moved = 0;
    for (let i = 0; i < 40; i++) {
      steps(play, 113)();
      if (game.actor(play.s) === NOBODY) continue;
      for (const player of [0, 1]) {
        expect(game.resample(play.s, player, one, new Rng(`agree/${i}`))).toBe(true);
        expect(game.invariantViolation(one)).toBeNull();
        expect(game.actor(one)).toBe(game.actor(play.s));
        game.redact!(play.s, player, seen);
        game.redact!(one, player, two);
        expect(differAt(two, seen)).toBe(-1);
        game.observe(play.s, player, a);
        game.observe(one, player, b);
        for (const tensor of TENSORS) expect(differAt(a[tensor], b[tensor])).toBe(-1);
        const n = game.legalMask(play.s, mask, 0);
        const m = game.legalMask(one, other, 0);
        if (game.actor(play.s) === player) expect(differAt(mask, other)).toBe(-1);
        expect(Math.min(n, m)).toBeGreaterThan(0);
        game.resample(one, player, two, new Rng(`agree/${i}`));
        expect(differAt(two, one)).toBe(-1);
        for (let u = offset; u < offset + size; u++) if (one[u] !== play.s[u]) moved++;
      }
    }
    expect(moved).toBeGreaterThan(1000);
  });

  test("games that take turns in one Game object go as they do alone", () => {
    const shared = island();
    const together = ["a", "b", "c"].map((seed) => new Play(shared, seed));
    const alone = ["a", "b", "c"].map((seed) => new Play(island(), seed));
    for (let i = 0; i < 600; i++) {
      for (const play of [...together, ...alone]) play.step();
      expect(together.map((p, k) => differAt(p.s, alone[k]!.s))).toEqual([-1, -1, -1]);
    }
  });
});

test("a decision of the campaign costs a bounded number of those of Mamayev Kurgan, whatever the machine", () => {
  const drill = new Play(loadGame("streets-of-stalingrad", { scenario: "drill-kurgan" }), "drill");
  const play = new Play(loadGame("streets-of-stalingrad", { scenario: "campaign" }), "campaign");
  steps(drill, 2000)();
  steps(play, 1200)();
  let [small, big] = [Infinity, Infinity];
  for (let k = 0; k < 15; k++) {
    small = Math.min(small, costOf(steps(drill, 500)) / 500);
    big = Math.min(big, costOf(steps(play, 400)) / 400);
  }
  // 10 to 11 on an idle machine; 14 when everybody looked round after each step
  expect(big / small).toBeLessThan(18);
});
