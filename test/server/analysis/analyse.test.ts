import { nightlyUnless } from "../../nightly.js";
import { describe, expect, test } from "vitest";
import {
  Env,
  EVERYTHING,
  loadGame,
  newState,
  type Observation,
  resolveOptions,
  Rng,
  SeededDice,
  type State,
} from "../../../env/index.js";
import { analyse } from "../../../server/analysis/analyse.js";
import { luckOfSteps } from "../../../server/analysis/lookahead.js";
import { type GameRecord, recordOf } from "../../../server/analysis/record.js";
import { ambush } from "../../toys/ambush.js";
import { L, race } from "../../toys/race.js";
import { nim } from "../../training/nim.js";
import { arbitrary, evaluatorBy, inTurn, played } from "./nets.js";

const open = { seat: null, worst: 3 };

describe("Nim, whose every value is known", () => {
  const game = nim.load({}, {});
  const pile = ({ globals }: Observation): number => globals.indexOf(1);
  const solved = evaluatorBy(
    game,
    (row) => (pile(row) % 4 === 0 ? -1 : 1),
    (row) => Math.max(1, pile(row) % 4) - 1,
  );
  const env = new Env(game);
  let seed = 0;
  do env.reset(++seed);
  while (env.state[4] !== 14);
  /** From 14: right (12), whatever (9), wrong (8 was right: 7), right (4), whatever (1), right. */
  const replay = played(game, seed, ["take 2", "take 3", "take 2", "take 3", "take 3", "take 1"]);

  test("a decision costs what the other player can make of it, and no more", async () => {
    const { decisions } = await analyse(recordOf(nim, replay), solved, open);
    expect(decisions.map((d) => d.loss)).toEqual([0, 0, 2, 0, 0, null]);
    expect(decisions.map((d) => d.forced)).toEqual([false, false, false, false, false, true]);
  });

  test("each side's value is that of the position, and the other's the opposite", async () => {
    const { decisions, end } = await analyse(recordOf(nim, replay), solved, open);
    expect(decisions.map((d) => d.value["first"])).toEqual([1, 1, 1, -1, -1, -1]);
    for (const { value } of decisions) expect(value["second"]).toBe(-value["first"]!);
    expect(end).toEqual({ first: -1, second: 1 });
  });

  test("the worst decision is the one that lost the game, with the one that would have won it", async () => {
    const { sides } = await analyse(recordOf(nim, replay), solved, open);
    expect(sides[0]!.worst.map(({ number, action, best, loss }) => [number, action, best, loss])).toEqual([
      [3, "take 2", "take 1", 2],
    ]);
    expect(sides[1]!.worst).toEqual([]);
  });

  test("the game turned there, by choice: no dice fell after the start", async () => {
    const { turningPoints, decisions } = await analyse(recordOf(nim, replay), solved, open);
    expect(
      turningPoints.map(({ number, dice, choice, before, after }) => [number, dice, choice, before, after]),
    ).toEqual([[3, 0, -2, 1, -1]]);
    expect(decisions.every((d) => d.luck === 0)).toBe(true);
  });

  test("a game that goes on is analysed up to now", async () => {
    const half = played(game, seed, replay.actions.slice(0, 3));
    const found = await analyse(recordOf(nim, half), solved, open);
    expect(found.over).toBe(false);
    expect(found.returns).toBeNull();
    expect(found.end).toEqual({ first: -1, second: 1 });
  });
});

test("a game that was given up is over, and that is no fault of the decision before", async () => {
  const game = race.load(resolveOptions(race, {}), race.data);
  const evaluator = evaluatorBy(game, arbitrary);
  const half = played(game, "given up", played(game, "given up", [], inTurn).actions.slice(0, 3));
  const goesOn = await analyse(recordOf(race, half), evaluator, open);
  const found = await analyse(recordOf(race, { ...half, resigned: "north" }), evaluator, open);
  expect([found.over, found.returns, found.end]).toEqual([true, ...Array(2).fill({ north: -1, south: 1 })]);
  expect(found.decisions).toEqual(goesOn.decisions);
  expect(found.turningPoints).toEqual(goesOn.turningPoints);
  // where all positions are worth the same, nothing but giving up could be a turn
  const level = await analyse(
    recordOf(race, { ...half, resigned: "north" }),
    evaluatorBy(game, () => 0),
    open,
  );
  expect([level.decisions.length, level.turningPoints]).toEqual([3, []]);
});

describe("luck", () => {
  const game = race.load(resolveOptions(race, {}), race.data);
  const evaluator = evaluatorBy(game, arbitrary);
  const env = new Env(game);
  env.reset("luck");
  const before = env.state.slice();
  const roll = game.actions.indexOf("roll 2");

  /** The state after two dice with these faces were thrown. */
  function after(...faces: number[]): State {
    const s = before.slice();
    const throw6 = (_k: number, out: State, at: number): void => faces.forEach((face) => out[at + face - 1]!++);
    game.apply(s, roll, Object.assign(new SeededDice(), { throw6 }));
    return s;
  }

  test("of all ways in which two dice fall sums to nothing, though none is without", async () => {
    const faces = [1, 2, 3, 4, 5, 6];
    const steps = faces.flatMap((a) => faces.map((b) => ({ before, action: roll, after: after(a, b) })));
    const luck = await luckOfSteps(game, evaluator, steps, "faces");
    expect([...luck].reduce((a, b) => a + b, 0)).toBeCloseTo(0, 6);
    expect([...luck].some((x) => Math.abs(x) > 0.05)).toBe(true);
  });

  test("is nothing where no die is thrown", async () => {
    const s = after(4, 4);
    const keep = game.actions.indexOf("keep 4");
    const end = s.slice();
    game.apply(end, keep, new SeededDice());
    expect([...(await luckOfSteps(game, evaluator, [{ before: s, action: keep, after: end }], "keep"))]).toEqual([0]);
    expect(end[L.pot]).toBe(4);
  });

  test("of the two sides is opposite", async () => {
    const { sides, decisions } = await analyse(recordOf(race, played(game, "sides", [], inTurn)), evaluator, open);
    expect(sides[0]!.luck! + sides[1]!.luck!).toBe(0);
    expect(decisions.reduce((n, d) => n + d.luck!, 0)).toBeCloseTo(sides[0]!.luck!, 2);
  });
});

/** A record of one decision, as it would be in this world. */
function oneStep(record: GameRecord, t: number, world: State, seat: number): GameRecord {
  const { game } = record;
  const { action, actor, legal } = record.steps[t]!;
  const after = world.slice();
  new Rng("dice").freshStream(after);
  const dice = new SeededDice();
  dice.begin(after);
  game.apply(after, action, dice);
  return {
    ...record,
    viewer: seat,
    over: false,
    returns: null,
    steps: [{ before: world, after, actor, action, legal, events: [] }],
  };
}

describe.each([
  ["an ambush", ambush.load(resolveOptions(ambush, {}), ambush.data), ambush],
  ["Savage Streets", loadGame("savage-streets"), loadGame("savage-streets").type],
  ["Strike & Counterstrike", loadGame("strike-counterstrike"), loadGame("strike-counterstrike").type],
] as const)("what a seat's analysis shows, in %s", (name, game, type) => {
  const often = nightlyUnless(name !== "Strike & Counterstrike"); // with it, minutes of CPU
  const record = recordOf(type, played(game, "leak", [], inTurn, 300));
  const evaluator = evaluatorBy(game, arbitrary);
  const seat = 0;

  test(
    "is the same in worlds that the seat can't tell apart, and not what both sides' analysis shows",
    often,
    async () => {
      const rng = new Rng("worlds");
      const world = newState(game.stateSize);
      const mask = new Uint8Array(game.actions.length);
      let hidden = 0;
      let differs = 0;
      for (const [t, step] of record.steps.entries()) {
        if (step.legal === 1 || hidden === 6) continue;
        game.resample(step.before, seat, world, rng);
        game.legalMask(world, mask, 0);
        if (mask[step.action] !== 1) continue; // the other side could not have done that there
        const [one, other] = [step.before, world].map((w) => oneStep(record, t, w.slice(), seat));
        const view = (r: GameRecord) => JSON.stringify(game.view(r.steps[0]!.after, seat));
        const truth = (r: GameRecord) => JSON.stringify(game.write(r.steps[0]!.before));
        // what comes of the same action may tell the worlds apart
        if (truth(one!) === truth(other!) || view(one!) !== view(other!)) continue;
        if (game.actor(one!.steps[0]!.after) !== game.actor(other!.steps[0]!.after)) continue;
        hidden++;
        const options = { seat, worst: 1 };
        expect(await analyse(one!, evaluator, options)).toEqual(await analyse(other!, evaluator, options));
        const whole = await Promise.all(
          [one!, other!].map((r) => analyse({ ...r, viewer: EVERYTHING }, evaluator, { seat: null, worst: 1 })),
        );
        if (JSON.stringify(whole[0]) !== JSON.stringify(whole[1])) differs++;
      }
      expect(hidden).toBeGreaterThan(2);
      if (game.players.length > 1) expect(differs).toBeGreaterThan(0);
    },
  );

  test(
    "does not depend on how many decisions went before: that is hidden too",
    nightlyUnless(name === "an ambush"),
    async () => {
      const { steps } = record;
      const cut = Math.floor(steps.length / 2);
      const late: GameRecord = { ...record, viewer: seat, start: steps[cut]!.before, steps: steps.slice(cut) };
      const told = async (r: GameRecord) =>
        (await analyse({ ...r, viewer: seat }, evaluator, { seat, worst: 3 })).decisions.map((d) => ({
          ...d,
          number: 0,
        }));
      expect(await told(late)).toEqual((await told(record)).slice(cut));
    },
  );
});

test("an analysis is the same each time", async () => {
  const game = loadGame("pocket-stalingrad");
  const record = recordOf(game.type, played(game, "again", [], inTurn));
  const evaluator = evaluatorBy(game, arbitrary);
  expect(await analyse(record, evaluator, open)).toEqual(await analyse(record, evaluator, open));
});

test("work is counted up to its end, and never back", async () => {
  const game = loadGame("pocket-stalingrad");
  const told: number[] = [];
  const progress = (done: number, all: number): void => void told.push(done / all);
  await analyse(recordOf(game.type, played(game, "bar", [], inTurn)), evaluatorBy(game, arbitrary), {
    ...open,
    progress,
  });
  expect(told.length).toBeGreaterThan(50);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBe(1);
});
