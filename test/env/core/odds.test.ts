import { describe, expect, test } from "vitest";
import {
  Env,
  EventLog,
  type Game,
  type GameType,
  KesselError,
  loadGame,
  odds,
  outcomesOfEvent,
  resolveOptions,
  Rng,
  sameSituation,
  sampleFor,
  ScriptedDice,
  SPECTATOR,
} from "../../../env/index.js";
import { ambush } from "../../toys/ambush.js";
import { race } from "../../toys/race.js";

const load = (type: GameType): Game => type.load(resolveOptions(type), type.data);

/** A game at its start. */
function begun(game: Game, seed = "odds"): Env {
  const env = new Env(game);
  env.reset(seed);
  return env;
}

/** Results of throwing `k` dice in every order, counted one by one with scripted dice. */
function bruteForce(game: Game, env: Env, action: number, k: number): Map<string, number> {
  const counts = new Map<string, number>();
  const log = new EventLog([0]);
  for (let way = 0; way < 6 ** k; way++) {
    const faces = Array.from({ length: k }, (_, i) => (Math.floor(way / 6 ** i) % 6) + 1);
    const copy = new Env(game);
    copy.restore(env.state);
    copy.step(action, new ScriptedDice(faces), log);
    const key = log.take(0).flatMap(outcomesOfEvent).join("; ");
    counts.set(key, (counts.get(key) ?? 0) + 1 / 6 ** k);
  }
  return counts;
}

describe("odds of a game in which nothing is hidden", () => {
  test.each([1, 2, 3])("are those of all throws of %d dice, counted one by one", (k) => {
    const game = load(race);
    const env = begun(game);
    const found = odds(game, env.state, 0, game.actions.indexOf(`roll ${k}`));
    expect(found.method).toBe("exact");
    const wanted = bruteForce(game, env, game.actions.indexOf(`roll ${k}`), k);
    expect(found.results.length).toBe(wanted.size);
    for (const r of found.results) {
      expect(r.probability).toBeCloseTo(wanted.get(r.outcomes.join("; "))!, 10);
      expect([r.low, r.high]).toEqual([r.probability, r.probability]);
    }
    expect(found.results.reduce((sum, r) => sum + r.probability, 0)).toBeCloseTo(1, 10);
  });

  test("of independent throws are those of all throws together, counted one by one", () => {
    const game = loadGame("pocket-stalingrad");
    const env = new Env(game);
    // two loose unit dice, and the Command, Tactics and Ratt dice
    const dice = {
      kept: { units: [1, 1, 4] },
      loose: { units: [2, 3], command: 1, tactics: 1, ratt: 5 },
      picked: true,
    };
    env.resetTo({ turn: 2, active: "german", dice, decision: { kind: "dice", actor: "german" } }, "apart");
    const roll = game.actions.indexOf("roll");
    const found = odds(game, env.state, env.actor, roll);
    expect([found.method, found.count, found.results]).toEqual(["exact", 21 * 6 ** 3, []]);
    const each = new Map<string, number>();
    for (const [together, p] of bruteForce(game, env, roll, 5))
      for (const o of new Set(together.split("; "))) each.set(o, (each.get(o) ?? 0) + p);
    expect(found.each.map((e) => e.outcome).sort()).toEqual([...each.keys()].sort());
    for (const e of found.each) expect(e.probability).toBeCloseTo(each.get(e.outcome)!, 10);
  });

  test("of an action without dice are certain", () => {
    const game = load(race);
    const env = begun(game);
    env.step("roll 1", new ScriptedDice([5]));
    const found = odds(game, env.state, 0, env.mask.indexOf(1));
    expect(found).toMatchObject({ method: "certain", count: 1 });
  });

  test("don't depend on the random stream, and leave the state as it was", () => {
    const game = loadGame("pocket-stalingrad");
    const env = begun(game);
    const before = [...env.state];
    const action = env.mask.indexOf(1);
    const one = odds(game, env.state, env.actor, action);
    expect([...env.state]).toEqual(before);
    const other = env.state.slice();
    new Rng("another stream").freshStream(other);
    expect(odds(game, other, env.actor, action)).toEqual(one);
  });

  test("are sampled with an interval that holds the true probability where the dice can fall in too many ways", () => {
    const game = loadGame("pocket-stalingrad");
    const env = begun(game);
    const action = env.mask.indexOf(1);
    const exact = odds(game, env.state, env.actor, action);
    expect([exact.method, exact.count]).toEqual(["exact", 252 * 6 ** 3]);
    const blind = Object.assign(Object.create(game) as Game, { view: () => ({ blind: true }) });
    const sampled = odds(blind, env.state, env.actor, action);
    expect(sampled.method).toBe("sampled");
    const truth = new Map(exact.each.map((e) => [e.outcome, e.probability]));
    const far = sampled.each.filter((e) => Math.abs(e.probability - (truth.get(e.outcome) ?? 0)) > 0.06);
    expect(far).toEqual([]);
  });
});

describe("odds of a game with hidden information", () => {
  test("of a landing under fire and the chits drawn after it are those of all ways together", () => {
    const game = loadGame("savage-streets");
    const env = new Env(game);
    const areas = {
      "6": { control: "G" },
      "7": { control: "C", german: ["I/191"], soviet: ["6 Tk:u"] },
      "8": { control: "G" },
    };
    const decision = { actor: "S", kind: "reinf-area", unit: "I/42 Gds" };
    env.resetTo({ game: game.type.id, turn: 3, phase: "sov-reinf", areas, waiting: ["I/42 Gds"], decision }, "landing");
    const { throwsApart, ...rest } = game.narration!;
    expect(throwsApart!(env.state, game.actions.indexOf("area 7"))).toBe(true);
    const together = Object.assign(Object.create(game) as Game, { narration: rest });
    const found = odds(game, env.state, env.actor, game.actions.indexOf("area 7"));
    const wanted = odds(together, env.state, env.actor, game.actions.indexOf("area 7"));
    expect([found.method, found.count]).toEqual([wanted.method, wanted.count]);
    expect(found.results.map((r) => r.outcomes)).toEqual(wanted.results.map((r) => r.outcomes));
    found.results.forEach((r, i) => expect(r.probability).toBeCloseTo(wanted.results[i]!.probability, 9));
    found.each.forEach((e, i) => expect(e.probability).toBeCloseTo(wanted.each[i]!.probability, 9));
  });

  test.each(["savage-streets", "night-fight", "strike-counterstrike"])(
    "of %s are the same in every world that the seat can't tell apart",
    (id) => {
      const game = loadGame(id);
      const rng = new Rng(`twins/${id}`);
      const env = new Env(game);
      let pairs = 0;
      for (let k = 0; pairs < 12 && k < 400; k++) {
        if (k % 20 === 0) env.reset(`${id}/${k}`);
        for (let i = rng.below(6); i >= 0 && !env.terminated; i--) {
          const legal = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
          env.step(legal[rng.below(legal.length)]!);
        }
        if (env.terminated) continue;
        const twin = sampleFor(game, env.state, env.actor, rng);
        if (sameSituation(twin, env.state)) continue;
        const legal = [...env.mask.keys()].filter((a) => env.mask[a] === 1);
        const action = legal[rng.below(legal.length)]!;
        expect(odds(game, twin, env.actor, action)).toEqual(odds(game, env.state, env.actor, action));
        pairs++;
      }
      expect(pairs).toBe(12);
    },
  );

  test("that read the true state are found by that comparison", () => {
    const game = load(ambush);
    const leaky = Object.assign(Object.create(game) as Game, {
      resample: (s: Int32Array, _player: number, out: Int32Array, rng: Rng) => {
        out.set(s);
        rng.freshStream(out);
        return true;
      },
    });
    const differs = (g: Game): boolean => {
      for (let k = 0; k < 30; k++) {
        const env = begun(game, `leaky${k}`);
        for (const a of ["send 1", "at 2", "without supply"]) env.step(a);
        const twin = sampleFor(game, env.state, env.actor, new Rng(`twin${k}`));
        if (sameSituation(twin, env.state)) continue;
        for (let a = 0; a < env.mask.length; a++)
          if (
            env.mask[a] === 1 &&
            JSON.stringify(odds(g, env.state, env.actor, a)) !== JSON.stringify(odds(g, twin, env.actor, a))
          )
            return true;
      }
      return false;
    };
    expect(differs(game)).toBe(false);
    expect(differs(leaky)).toBe(true);
  });
});

test("odds are for the side that decides, and for legal actions", () => {
  const game = load(race);
  const env = begun(game);
  expect(() => odds(game, env.state, 1, 0)).toThrow(KesselError);
  expect(() => odds(game, env.state, SPECTATOR, 0)).toThrow("odds are for the side that decides");
  expect(() => odds(game, env.state, 0, game.actions.indexOf("keep 2"))).toThrow('"keep 2" is not legal now');
});
