import { beforeAll, describe, expect, test } from "vitest";
import {
  Batch,
  type Dice,
  type Game,
  gameIds,
  loadGame,
  type Observation,
  Rng,
  SeededDice,
  type State,
} from "../../../env/index.js";
import { writeAdvantages } from "../../../training/learn/advantages.js";
import { packCheckpoint, unpackCheckpoint } from "../../../training/learn/checkpoint.js";
import { Ppo, ppoSchema } from "../../../training/learn/ppo.js";
import { RollLuck } from "../../../training/learn/roll-luck.js";
import { RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { startBackend } from "../../../training/nets/backend.js";
import type { Net } from "../../../training/nets/net.js";
import { raceGame } from "../arena/race.js";
import { nim, pileOf } from "../nim.js";
import { nightly } from "../../nightly.js";

type Valued = (observation: Observation, mask: Uint8Array, n: number) => Float32Array;
const valuing = (value: Valued): Net =>
  ({
    evaluate: (observation: Observation, mask: Uint8Array, n: number) =>
      Promise.resolve({ policy: new Float32Array(0), value: value(observation, mask, n) }),
  }) as unknown as Net;

const plain = nim.load({}, {});
const [PILE, ACTIVE] = ["pile", "active"].map((name) => plain.fields.find((f) => f.name === name)!.offset) as [
  number,
  number,
];

/** Nim in which, after what a player takes, half of all dice take one more from a pile of two or more. */
const diceNim = Object.create(plain, {
  apply: {
    value(s: State, action: number, dice: Dice) {
      plain.apply(s, action, dice);
      if (dice.d6() > 3 && s[PILE]! > 1) s[PILE]!--;
    },
  },
}) as Game;

/** A pile of 9 before `actor`, with dice of its own. */
function nine(actor: number, seed: string): State {
  const s = pileOf(9);
  s[ACTIVE] = actor;
  new Rng(seed).freshStream(s);
  return s;
}

/** Takes one piece, and adds the luck of what followed. */
function takeOne(game: Game, s: State, luck: RollLuck, samples: readonly (number | undefined)[]): void {
  const dice = new SeededDice();
  luck.note(s);
  dice.begin(s);
  game.apply(s, 0, dice);
  luck.add(0, s, samples);
}

describe("the luck of a roll", () => {
  /** The player to move likes a large pile: 0.05 a piece. */
  const wantsMuch = valuing(({ map }, _mask, n) => map.slice(0, n));
  const K = 64;

  test.each([0, 1])("is what it did less what such rolls do, when player %i moves", async (actor) => {
    const seen = new Set<number>();
    for (let n = 0; n < 20; n++) {
      const samples = new RolloutBuffer(diceNim);
      const luck = new RollLuck(diceNim, wantsMuch, K, 1, `other/${n}`);
      const s = nine(actor, `roll/${n}`);
      const own = samples.add(s, actor, 0);
      takeOne(diceNim, s, luck, actor === 0 ? [own, undefined] : [undefined, own]);
      await luck.flush(samples);
      seen.add(s[PILE]!);
      // the opponent moves from 8 or from 7 pieces, half a piece more or less than the mean, and likes them
      const did = s[PILE] === 8 ? -0.025 : 0.025;
      expect(Math.abs(samples.luck[own]! - did)).toBeLessThan(0.012); // 64 rolls know the mean to 0.003
    }
    expect([...seen].sort()).toEqual([7, 8]);
  });

  test("goes to the last decision of each player, with opposite signs", async () => {
    const samples = new RolloutBuffer(diceNim);
    const luck = new RollLuck(diceNim, wantsMuch, 1, 50, "other");
    const [his, hers] = [samples.add(pileOf(9), 0, 0), samples.add(pileOf(9), 1, 0)];
    for (let n = 0; n < 50; n++) takeOne(diceNim, nine(0, `roll/${n}`), luck, [his, hers]);
    await luck.flush(samples);
    expect(samples.luck[his]).not.toBe(0);
    expect(samples.luck[hers]).toBe(-samples.luck[his]!);
  });

  test("is none where no dice were rolled", async () => {
    const samples = new RolloutBuffer(plain);
    const luck = new RollLuck(
      plain,
      valuing(() => expect.unreachable()),
      4,
      1,
      "other",
    );
    const own = samples.add(pileOf(9), 0, 0);
    takeOne(plain, nine(0, "roll"), luck, [own, undefined]);
    await luck.flush(samples);
    expect(samples.luck[own]).toBe(0);
  });

  test("is taken out of advantages and targets from its decision on", () => {
    const samples = new RolloutBuffer(plain);
    const own = [0.1, 0.2, -0.3].map((luck) => {
      const k = samples.add(pileOf(5), 0, 0);
      samples.luck[k] = luck;
      samples.value[k] = 0.5;
      return k;
    });
    writeAdvantages(samples, own, 1, 1);
    [1, 1.1, 1.3].forEach((target, i) => expect(samples.target[own[i]!]).toBeCloseTo(target, 6));
  });
});

describe.each([...gameIds(), "toy-race"])("%s", (id) => {
  const game = id === "toy-race" ? raceGame() : loadGame(id);
  const GAMES = 8;

  /**
   * Plays random games with any values. @returns the luck of player 0 in each of its decisions
   */
  async function randomLuck(seed: string, check: (mask: Uint8Array, n: number) => void): Promise<Float32Array> {
    /** Values without sense, but the same for equal positions. */
    const values = valuing(({ globals, units }, mask, n) => {
      check(mask, n);
      const [G, U] = [globals.length, units.length].map((all) => all / (GAMES * 3)) as [number, number];
      return Float32Array.from({ length: n }, (_, i) => {
        let x = 0;
        for (let k = 0; k < G; k++) x += globals[i * G + k]! * Math.sin(k + 1);
        for (let k = 0; k < U; k++) x += units[i * U + k]! * Math.sin(3 * k + 2);
        return Math.sin(x);
      });
    });
    const batch = new Batch(game, { size: GAMES, autoreset: "disabled" });
    batch.open(Array.from({ length: GAMES }, (_, i) => `${seed}/${i}`));
    const luck = new RollLuck(game, values, 2, GAMES, `${seed}/other`);
    const samples = new RolloutBuffer(game);
    const last = Array.from({ length: GAMES }, (): (number | undefined)[] => game.players.map(() => undefined));
    const rng = new Rng(`${seed}/play`);
    const A = game.actions.length;
    for (let round = 0; round < 150; round++) {
      for (let i = 0; i < GAMES; i++) {
        if (batch.over(i)) continue;
        const legal = [...batch.mask.subarray(i * A, (i + 1) * A).keys()].filter((a) => batch.mask[i * A + a] === 1);
        const action = legal[rng.below(legal.length)]!;
        const actor = batch.actors[i]!;
        last[i]![actor] = samples.add(batch.states[i]!, actor, action);
        luck.note(batch.states[i]!);
        batch.playDecision(i, action);
        luck.add(action, batch.states[i]!, last[i]!);
      }
      await luck.flush(samples);
    }
    return samples.luck.filter((_, k) => k < samples.size && samples.actor[k] === 0);
  }

  test("rolls are valued where the next choice is, after forced decisions and their dice", async () => {
    let valued = 0;
    await randomLuck("choices", (mask, n) => {
      valued += n;
      for (let i = 0; i < n; i++) {
        const row = mask.subarray(i * game.actions.length, (i + 1) * game.actions.length);
        expect(row.reduce((sum, x) => sum + x, 0)).toBeGreaterThan(1);
      }
    });
    expect(valued).toBeGreaterThan(0);
  });

  test("luck has mean 0, whatever the values are", async () => {
    const luck = await randomLuck("mean", () => {});
    const mean = luck.reduce((a, b) => a + b, 0) / luck.length;
    const error = Math.sqrt(luck.reduce((a, b) => a + (b - mean) ** 2, 0)) / luck.length;
    expect(error).toBeGreaterThan(0);
    expect(Math.abs(mean)).toBeLessThan(4 * error);
  });
});

describe("a run that takes luck out", () => {
  beforeAll(() => startBackend("wasm").then(() => undefined));
  const game = raceGame();
  const config = ppoSchema.parse({
    net: { kind: "mlp", hidden: [16] },
    updates: 6,
    games: 64,
    minibatch: 256,
    alternatives: 3,
    opponents: ["random"],
  });

  async function weights(breakAt?: number): Promise<Buffer> {
    let ppo = new Ppo(game, config, "luck");
    while (ppo.update < config.updates) {
      await ppo.step();
      if (ppo.update !== breakAt) continue;
      const bytes = packCheckpoint(ppo.save());
      ppo = new Ppo(game, config, "luck");
      ppo.restore(unpackCheckpoint(bytes, "checkpoint"));
    }
    return Buffer.from(packCheckpoint(ppo.save()));
  }

  test("ends, stopped and resumed, where the straight run ends", async () => {
    expect((await weights(3)).equals(await weights())).toBe(true);
  });

  test("meets advantages that vary less, with values that know something", nightly, async () => {
    const spread = async (alternatives: number): Promise<number> => {
      const ppo = new Ppo(game, { ...config, alternatives, updates: 30 }, "luck");
      let value = Infinity;
      while (ppo.update < 30) value = (await ppo.step())["value"] as number; // mean squared error of targets
      return value;
    };
    expect(await spread(8)).toBeLessThan(0.9 * (await spread(0)));
  });
});
