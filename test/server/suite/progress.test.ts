/** Scores that move: how far a lost game came, and what its decisions gave away. */
import { describe, expect, test } from "vitest";
import {
  EVERYTHING,
  Env,
  gameIds,
  loadGame,
  progressOf,
  standingOf,
  type Game,
  type Standing,
} from "../../../env/index.js";
import { turnOf } from "../../../server/suite/progress.js";
import { readSuite } from "../../../server/suite/document.js";
import { runSuite } from "../../../server/suite/run.js";

/** A game whose standing is written here. */
function withStanding(id: string, conditions: readonly Partial<Standing["conditions"][number]>[]): Game {
  const game = loadGame(id);
  const standing = (): Standing => ({
    conditions: conditions.map((c) => ({
      ...{ rule: "", side: game.players[0]!, text: "", have: 0, need: 1, unit: "", places: [], met: false, when: "" },
      ...c,
    })),
    winnerNow: null,
    ifEndedNow: "",
  });
  return Object.assign(Object.create(game) as Game, { narration: { ...game.narration, standing } });
}

describe("progress", () => {
  const at = (id: string, conditions: Parameters<typeof withStanding>[1], seat = 0): number => {
    const game = withStanding(id, conditions);
    const env = new Env(loadGame(id));
    env.reset("progress");
    expect(standingOf(game, env.state, EVERYTHING).conditions.length).toBe(conditions.length);
    return progressOf(game, env.state, seat);
  };

  test("of a game for one is the mean share of its conditions", () => {
    expect(at("night-fight", [{ have: 3, need: 12 }])).toBe(25);
    expect(at("night-fight", [{ have: 3, need: 12 }, { met: true }])).toBe(62.5);
    expect(at("night-fight", [{ have: 40, need: 12 }]), "nobody has 100 who hasn't won").toBe(99);
  });

  test("of two sides is 50 where both are as far along, and what one has the other lacks", () => {
    const [german, soviet] = [
      { side: "german", have: 1, need: 2 },
      { side: "soviet", have: 1, need: 4 },
    ];
    const id = "pocket-stalingrad";
    const seats = loadGame(id).players;
    expect(at(id, [german, soviet], seats.indexOf("german"))).toBe(62.5);
    expect(at(id, [german, soviet], seats.indexOf("soviet"))).toBe(37.5);
    expect(at(id, [german, { ...german, side: "soviet" }], 0)).toBe(50);
  });

  test("grows as what has to come down comes down", () => {
    const of = (have: number): number => at("night-fight", [{ have, need: 0, fewer: true }]);
    expect(of(3)).toBe(25);
    expect(of(1)).toBe(50);
    expect(of(0)).toBe(99);
  });
});

test.each(gameIds())("%s counts its turns", (id) => {
  const env = new Env(loadGame(id));
  env.reset("turns");
  const { turn, of } = turnOf(env.game, env.state)!;
  expect(turn).toBeGreaterThanOrEqual(1);
  expect(of).toBeGreaterThanOrEqual(turn);
});

test("the games of an agent have progress at each turn, regrets and decisions; a stronger one gives away less", async () => {
  const book = readSuite("pocket-stalingrad");
  const play = (name: string) => runSuite(book, name, { parts: ["games"], games: 2 });
  const [weak, strong] = [(await play("random")).games!, (await play("commander")).games!];
  for (const { against, courses } of [weak, strong]) {
    expect(courses.length).toBe(against.reduce((n, a) => n + a.total.games, 0));
    const wins = against.reduce((n, a) => n + a.total.wins, 0);
    expect(courses.filter((c) => c.end === 100).length, "whoever wins has 100, and nobody else").toBe(wins);
    for (const c of courses) {
      expect(c.turns.length).toBe(5);
      for (const x of [...c.turns, c.end]) expect(x).toBeGreaterThanOrEqual(0);
      expect(c.turns.at(-1)).toBe(c.end);
      expect(c.regrets.length).toBeGreaterThan(0);
      expect(Math.min(...c.regrets)).toBeGreaterThanOrEqual(0);
    }
  }
  const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
  const regret = (g: typeof weak): number => mean(g.courses.flatMap((c) => c.regrets));
  expect(regret(strong)).toBeLessThan(regret(weak));
  expect(mean(strong.courses.map((c) => c.end))).toBeGreaterThan(mean(weak.courses.map((c) => c.end)));
});
