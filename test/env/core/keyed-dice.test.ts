import { createCipheriv, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  Batch,
  diceKeyOf,
  Env,
  KeyedDice,
  loadGame,
  newState,
  playReplay,
  RecordingDice,
  Rng,
  toReplay,
} from "../../../env/index.js";

const KEY = diceKeyOf("a secret");

/** The key stream of ChaCha20 as OpenSSL computes it, from word `from` of the stream. */
function openssl(key: Uint8Array, nonce: readonly number[], from: number, words: number): number[] {
  const iv = Buffer.alloc(16);
  iv.writeUInt32LE(from >>> 4, 0);
  nonce.forEach((w, i) => iv.writeInt32LE(w, 4 + 4 * i));
  const stream = createCipheriv("chacha20", key, iv).update(Buffer.alloc(4 * (words + 16)));
  return Array.from({ length: words }, (_, i) => stream.readUInt32LE(4 * ((from & 15) + i)));
}

/** Dice over a state of which only the stream matters. */
function diceAt(key: Uint8Array, words: readonly number[]) {
  const s = newState(8);
  s.set(words);
  const dice = new KeyedDice(key);
  dice.begin(s);
  return { dice, s };
}

describe("keyed dice", () => {
  test("draw the words of ChaCha20 as OpenSSL computes them, over block borders", () => {
    for (let k = 0; k < 20; k++) {
      const key = randomBytes(32);
      const rng = new Rng(k);
      const nonce = [rng.word() | 0, rng.word() | 0, rng.word() | 0];
      const from = rng.below(1 << 27);
      const { dice } = diceAt(key, [...nonce, from]);
      const drawn = Array.from({ length: 40 }, () => dice.draw(2 ** 31, () => ""));
      // a number below 2^31 is a word modulo 2^31, and no word is thrown away
      expect(drawn).toEqual(openssl(key, nonce, from, 40).map((w) => w % 2 ** 31));
    }
  });

  test("count on in the state, so that a copy of the state goes on with the same dice", () => {
    const { dice, s } = diceAt(KEY, [1, 2, 3, 4]);
    for (let i = 0; i < 21; i++) dice.d6();
    const copy = s.slice();
    const on = Array.from({ length: 50 }, () => dice.d10());
    const other = new KeyedDice(KEY);
    other.begin(copy);
    expect(Array.from({ length: 50 }, () => other.d10())).toEqual(on);
  });

  test("go back and forth between states without mixing their streams", () => {
    const [a, b] = [newState(8), newState(8)];
    a.set([1, 2, 3, 0]);
    b.set([1, 2, 4, 0]);
    const dice = new KeyedDice(KEY);
    const rolled: number[][] = [[], []];
    for (let i = 0; i < 40; i++)
      for (const [k, s] of [a, b].entries()) {
        dice.begin(s);
        rolled[k]!.push(dice.d6());
      }
    for (const [k, words] of [
      [1, 2, 3, 0],
      [1, 2, 4, 0],
    ].entries()) {
      const alone = diceAt(KEY, words).dice;
      expect(Array.from({ length: 40 }, () => alone.d6())).toEqual(rolled[k]);
    }
  });

  test("show each face as often as chance allows", () => {
    const { dice } = diceAt(KEY, [5, 6, 7, 0]);
    const counts = new Int32Array(6);
    const n = 60_000;
    dice.throw6(n, counts, 0);
    const chi = counts.reduce((x, c) => x + (c - n / 6) ** 2 / (n / 6), 0);
    expect(chi).toBeLessThan(25.7); // 5 degrees of freedom, one in 10,000
  });

  test("differ with the key for the same seed, and are the same for the same key", () => {
    const game = loadGame("pocket-stalingrad");
    const played = (dice?: KeyedDice) => {
      const batch = new Batch(game, { size: 8, autoreset: "disabled", ...(dice && { dice }) });
      const rng = new Rng("moves");
      batch.reset("seed");
      for (let t = 0; t < 40; t++) {
        const A = game.actions.length;
        const actions = Int32Array.from({ length: 8 }, (_, i) => {
          const legal = [...batch.mask.subarray(i * A, (i + 1) * A).entries()].filter(([, m]) => m === 1);
          return legal.length === 0 ? 0 : legal[rng.below(legal.length)]![0];
        });
        if (batch.terminated.some((x) => x === 1)) break;
        batch.step(actions);
      }
      return batch.states.map((s) => Buffer.from(s.slice(4).buffer).toString("base64"));
    };
    expect(played(new KeyedDice(KEY))).toEqual(played(new KeyedDice(KEY)));
    expect(played(new KeyedDice(KEY))).not.toEqual(played(new KeyedDice(diceKeyOf("another secret"))));
    expect(played(new KeyedDice(KEY))).not.toEqual(played());
  });

  test("a game recorded with its dice is replayed without the key", () => {
    const game = loadGame("savage-streets");
    const env = new Env(game);
    const dice = new RecordingDice(new KeyedDice(KEY));
    const rng = new Rng("replay");
    env.reset("7", dice);
    const lists = [dice.script.splice(0)];
    const actions: string[] = [];
    while (!env.terminated) {
      const legal = game.actions.filter((_, a) => env.mask[a] === 1);
      const action = legal[rng.below(legal.length)]!;
      env.step(action, dice);
      actions.push(action);
      lists.push(dice.script.splice(0));
    }
    const replay = toReplay(game, "7", actions, env, { dice: lists });
    const again = playReplay(game.type, replay);
    expect(again.state.slice(4)).toEqual(env.state.slice(4));
  });

  test("refuse a key of another length", () => {
    expect(() => new KeyedDice(new Uint8Array(16))).toThrow("32 bytes, not 16");
  });
});
