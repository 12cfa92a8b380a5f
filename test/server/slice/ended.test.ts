import { afterEach, describe, expect, test } from "vitest";
import { Env, GAMES, loadGame, Rng } from "../../../env/index.js";
import { Handler } from "../../../server/handler.js";
import { type Answer, ask, highest, lowest, tensor } from "../ask.js";

const TENSORS = ["globals", "map", "units", "decision"];
const SIZE = 24;

let handler: Handler | undefined;
afterEach(() => handler?.close());

const ok = (a: Answer): Answer => {
  expect(a.header.error).toBeUndefined();
  return a;
};

/** One row of an answer's observation. */
function row(answer: Answer, prefix: string, r: number, rows: number): number[] {
  return TENSORS.flatMap((t) => {
    const all = tensor(answer, prefix + t);
    return all.slice((r * all.length) / rows, ((r + 1) * all.length) / rows);
  });
}

/** Ways in which the seat of the test plays: which of its legal choices it always takes. */
const WAYS = [
  { choose: lowest, of: (legal: readonly string[]): string => legal[0]! },
  { choose: highest, of: (legal: readonly string[]): string => legal.at(-1)! },
];

/** Most decisions of some games in which player `p` plays so and the others at random. */
function longest(id: string, p: number, of: (legal: readonly string[]) => string): number {
  const lengths = [1, 2, 3].map((n) => {
    const env = new Env(loadGame(id));
    const rng = new Rng(`others ${n}`);
    env.reset(`game ${n}`);
    let decisions = 0;
    for (; !env.terminated && !env.truncated; decisions++) {
      const legal = env.legal();
      env.step(env.actor === p ? of(legal) : legal[rng.below(legal.length)]!);
    }
    return decisions;
  });
  return Math.max(...lengths);
}

/** Seats of all games for two, and the other one. */
const cases = GAMES.flatMap(({ id }) =>
  loadGame(id).players.flatMap((seat, p, players) =>
    players.length === 2 ? [[id, seat, players[1 - p]!] as const] : [],
  ),
);

describe.each(cases)(
  "%s: an episode that ends while the server's agent plays is shown as %s saw it",
  (game, seat, other) => {
    const begin = async (autoreset: string, maxDecisions: number): Promise<{ batch: unknown; answer: Answer }> => {
      handler ??= new Handler();
      const { header } = ok(
        await ask(handler, {
          op: "make",
          game,
          size: SIZE,
          seats: { [other]: "random" },
          skipForced: false,
          autoreset,
          maxDecisions,
        }),
      );
      return {
        batch: header["batch"],
        answer: ok(await ask(handler, { op: "reset", batch: header["batch"], seed: 5 })),
      };
    };
    // the way in which the game lasts longer, so that it reaches the limits
    const me = loadGame(game).players.indexOf(seat);
    const ways = WAYS.map((way) => ({ ...way, length: longest(game, me, way.of) }));
    const { choose, length } = ways.reduce((a, b) => (b.length > a.length ? b : a));
    const step = async (batch: unknown, answer: Answer): Promise<Answer> =>
      ok(await ask(handler!, { op: "step", batch }, choose(answer)));

    const limits = [1, 2, 30, 61].filter((limit) => limit < length);
    test.each(limits)("cut off after %i decisions", async (limit) => {
      const { batch, answer: first } = await begin("next-step", limit);
      let answer = first;
      let ended = 0;
      for (let n = 0; n < 2 * limit && ended < SIZE; n++) {
        const seen = ok(await ask(handler!, { op: "observe", batch, seat }));
        tensor(answer, "truncated").forEach((cut, r) => {
          if (cut === 0) return;
          ended++;
          expect(row(answer, "", r, SIZE), `environment ${r}`).toEqual(row(seen, "", r, SIZE));
        });
        answer = await step(batch, answer);
      }
      expect(ended).toBeGreaterThan(0);
    });

    test("also where the next one begins at once", async () => {
      const same = await begin("same-step", 30);
      const plain = await begin("disabled", 30);
      const left = new Set(Array.from({ length: SIZE }, (_, r) => r));
      let [a, b] = [same.answer, plain.answer];
      while (left.size === SIZE) {
        [a, b] = [await step(same.batch, a), await step(plain.batch, b)];
        const rows = a.header.tensors!.some(([n]) => n === "final_rows") ? tensor(a, "final_rows") : [];
        const seen = ok(await ask(handler!, { op: "observe", batch: plain.batch, seat }));
        rows.forEach((r, k) => {
          left.delete(r);
          expect(row(a, "final_", k, rows.length), `environment ${r}`).toEqual(row(seen, "", r, SIZE));
        });
      }
    });
  },
);
