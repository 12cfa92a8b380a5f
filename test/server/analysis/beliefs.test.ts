import { describe, expect, test } from "vitest";
import { Env, EVERYTHING, type Game, loadGame, newState, Rng, sceneOf, type State } from "../../../env/index.js";
import {
  type Beliefs,
  beliefsOf,
  habitBeliefsOf,
  hiddenGroups,
  shippedHabits,
  trueTitles,
} from "../../../server/analysis/beliefs.js";
import { CalibrationTally } from "../../../server/analysis/calibration.js";
import { inTurn } from "./nets.js";

/** Positions of one game in which something is face down for a seat. */
function positions(game: Game, most: number): { s: State; seat: number }[] {
  const found: { s: State; seat: number }[] = [];
  const env = new Env(game);
  for (let g = 0; found.length < most && g < 20; g++) {
    env.reset(`beliefs/${g}`);
    while (env.actor >= 0 && found.length < most) {
      if (env.decisions % 23 === 20)
        for (const seat of game.players.keys())
          if (hiddenGroups(sceneOf(game, env.state, seat)).length > 0) found.push({ s: env.state.slice(), seat });
      env.step(inTurn(env));
    }
  }
  return found;
}

describe.each(["savage-streets", "streets-of-stalingrad", "strike-counterstrike", "night-fight"])("%s", (id) => {
  const game = loadGame(id);
  const list = positions(game, 8);

  test("has positions with face-down counters", () => {
    expect(list.length).toBe(8);
  });

  test("what is believed does not depend on what is there", () => {
    const rng = new Rng("other worlds");
    const world = newState(game.stateSize);
    let others = 0;
    for (const { s, seat } of list) {
      const shown = sceneOf(game, s, seat);
      const groups = hiddenGroups(shown);
      game.resample(s, seat, world, rng);
      const [truth, other] = [s, world].map((w) => JSON.stringify(trueTitles(game, w, shown, groups)));
      if (truth !== other) others++;
      expect(beliefsOf(game, world, seat, 30)).toEqual(beliefsOf(game, s, seat, 30));
    }
    expect(others).toBeGreaterThan(3);
  });

  test("each place has as many counters as the seat sees backs, and the chances of one sum to 1", () => {
    for (const { s, seat } of list) {
      const backs = sceneOf(game, s, seat).counters.filter((c) => c.back !== undefined && c.place !== undefined);
      const { places } = beliefsOf(game, s, seat, 30);
      expect(places.reduce((n, p) => n + p.hidden, 0)).toBe(backs.reduce((n, c) => n + (c.count ?? 1), 0));
      for (const { what } of places) {
        expect(what.reduce((n, w) => n + w.share, 0)).toBeCloseTo(1, 9);
        for (const w of what) expect(w.present).toBeGreaterThanOrEqual(w.share - 1e-9);
      }
    }
  });

  test("a counter that the seat sees is believed to be nowhere else", () => {
    for (const { s, seat } of list) {
      const whole = sceneOf(game, s, EVERYTHING).counters;
      const seen = new Set(sceneOf(game, s, seat).counters.flatMap((c) => (c.back === undefined ? [c.id] : [])));
      const copies = (title: string): number => whole.filter((c) => c.title === title).length;
      const known = whole.filter((c) => seen.has(c.id) && c.unit !== undefined && copies(c.title) === 1);
      const believed = new Set(beliefsOf(game, s, seat, 30).places.flatMap((p) => p.what.map((w) => w.title)));
      // of alike counters another one may be there
      if (id !== "night-fight" && id !== "streets-of-stalingrad")
        expect(known.filter((c) => believed.has(c.title)).map((c) => c.title)).toEqual([]);
    }
  });
});

test("habits that were learnt from games say more than what fits, and the same in every state that a seat can't tell apart", async () => {
  const game = loadGame("savage-streets");
  const net = (await shippedHabits(game))!;
  const rng = new Rng("other worlds");
  const world = newState(game.stateSize);
  let others = 0;
  for (const { s, seat } of positions(game, 6).filter((p) => net.players.includes(p.seat))) {
    const believed = await habitBeliefsOf(game, s, seat, net, 60);
    game.resample(s, seat, world, rng);
    expect(await habitBeliefsOf(game, world, seat, net, 60)).toEqual(believed);
    expect(believed.model).toBe("consistent worlds, weighed by habits learnt from games");
    expect(believed.effective).toBeGreaterThanOrEqual(6 - 1e-9); // a tenth of the worlds counts
    expect(believed.effective).toBeLessThan(60);
    const even = beliefsOf(game, s, seat, 60);
    expect(believed.pool).toEqual(even.pool); // of the same worlds
    expect(believed.places.map((p) => [p.place, p.side, p.hidden])).toEqual(
      even.places.map((p) => [p.place, p.side, p.hidden]),
    );
    for (const { what } of believed.places) expect(what.reduce((n, w) => n + w.share, 0)).toBeCloseTo(1, 9);
    if (JSON.stringify(believed.places) !== JSON.stringify(even.places)) others++;
  }
  expect(others).toBeGreaterThan(2);
  await net.close();
});

test("a seat that the net knows nothing of believes all that fits alike", async () => {
  const game = loadGame("savage-streets");
  const net = (await shippedHabits(game))!;
  const soviet = game.players.indexOf("S");
  expect(net.players).not.toContain(soviet);
  const env = new Env(game);
  env.reset("soviet");
  expect(await habitBeliefsOf(game, env.state, soviet, net)).toEqual(beliefsOf(game, env.state, soviet));
  await net.close();
});

test.each(["sandbox-1", "sandbox-2", "drill-kurgan"])(
  "the habits of %s are those of its own players",
  async (scenario) => {
    const net = (await shippedHabits(loadGame("streets-of-stalingrad", { scenario })))!;
    expect(net.players).toEqual([0, 1]);
    await net.close();
  },
);

test("no habits come with a game in which nothing is hidden, or nobody hides it", async () => {
  expect(await shippedHabits(loadGame("pocket-stalingrad"))).toBeNull();
  expect(await shippedHabits(loadGame("night-fight"))).toBeNull();
});

test("where nothing is hidden nothing is believed", () => {
  const game = loadGame("pocket-stalingrad");
  const env = new Env(game);
  env.reset("open");
  expect(beliefsOf(game, env.state, 0).places).toEqual([]);
});

describe("calibration", () => {
  const beliefs = (present: number): Beliefs => ({
    model: "uniform over consistent worlds",
    worlds: 100,
    effective: 100,
    pool: new Map([
      ["tank", 1],
      ["dummy", 3],
    ]),
    places: [
      {
        place: "1",
        side: "red",
        hidden: 1,
        what: [
          { title: "tank", share: present, present },
          { title: "dummy", share: 1 - present, present: 1 - present },
        ],
      },
    ],
  });

  test("counts the loss of what was there, with half a counter of each in the pool added to those seen", () => {
    const tally = new CalibrationTally();
    tally.add(beliefs(0.75), [["tank"]]);
    tally.endGame();
    const { logLoss, poolLogLoss, gain, counters } = tally.result();
    expect(counters).toBe(1);
    expect(logLoss).toBeCloseTo(-Math.log(75.5 / 102), 9);
    expect(poolLogLoss).toBeCloseTo(Math.log(4), 9);
    expect(gain).toBeCloseTo(poolLogLoss - logLoss, 9);
  });

  test("beliefs of 75 % that come true 3 times of 4 are reported as such, and those of 25 % as well", () => {
    const tally = new CalibrationTally();
    for (const truth of ["tank", "tank", "tank", "dummy"]) tally.add(beliefs(0.75), [[truth]]);
    const told = tally.result().reliability.filter((r) => r.beliefs > 0);
    expect(told.map(({ from, to, beliefs: n, believed, found }) => [from, to, n, believed, found])).toEqual([
      [0.2, 0.3, 4, 0.25, 0.25],
      [0.7, 0.9, 4, 0.75, 0.75],
    ]);
  });

  test("a certain belief is in the last class", () => {
    const tally = new CalibrationTally();
    tally.add(beliefs(1), [["tank"]]);
    expect(tally.result().reliability.at(-1)).toMatchObject({ beliefs: 1, believed: 1, found: 1 });
  });
});
