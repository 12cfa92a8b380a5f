import { describe, expect, test } from "vitest";
import { makeAgent } from "../../../agents/registry.js";
import type { Handler } from "../../../server/handler.js";
import { type Answer, ask } from "../ask.js";
import { B, K, all, handlerWith, make, ok, reply, shown, tensor, together } from "./ready.js";
import { TOY_LIBRARY } from "../toys.js";

describe.each([
  ["no agents", {}],
  ["an agent", { seats: { blue: "last" } }],
  ["an agent, the next episode at once", { seats: { red: "last" }, autoreset: "same-step" }],
  [
    "a pool, cut off",
    {
      seats: {
        red: [
          { agent: "a", weight: 1 },
          { agent: "b", weight: 2 },
        ],
      },
      maxDecisions: 9,
      skipForced: false,
    },
  ],
])("a batch whose replies hold the first that are ready, with %s", (_, args) => {
  test("plays in each environment what it would play if all were stepped together", async () => {
    const handler = handlerWith();
    const all = await together(handler, 60, args);
    const batch = await make(handler, args);
    const next = new Int32Array(B);
    let answer = ok(await ask(handler, { op: "reset", batch, seed: 3 }));
    for (let step = 0; step < 90; step++) {
      const rows = tensor(answer, "environments");
      expect(new Set(rows).size).toBe(K);
      for (const [r, i] of rows.entries())
        expect(shown(answer, r, K), `environment ${i} at its decision ${next[i]}`).toBe(all[i]![next[i]!++]!);
      if (Math.max(...next) === 60) break;
      answer = ok(await ask(handler, { op: "step", batch }, reply(answer)));
    }
    expect(Math.min(...next)).toBeGreaterThan(10); // no environment is left waiting
  });
});

describe("replies that hold the first that are ready", () => {
  test("are the same from the same requests, in this thread and in another", async () => {
    const run = async (handler: Handler): Promise<string[]> => {
      const batch = await make(handler, { seats: { blue: "random" }, size: 40, ready: 7 });
      const seen: string[] = [];
      for (const seed of [1, 2]) {
        let answer = ok(await ask(handler, { op: "reset", batch, seed }));
        for (let i = 0; i < 30; i++) {
          seen.push(all(answer));
          const held = tensor(answer, "environments");
          answer = ok(
            await ask(
              handler,
              { op: "step", batch, free: [answer.header["slot"]] },
              reply(answer, i % 3 === 0 ? held.slice(2) : held),
            ),
          );
        }
      }
      return seen;
    };
    const random = { makeAgent, module: TOY_LIBRARY.module };
    const here = await run(handlerWith(random));
    expect(await run(handlerWith(random))).toEqual(here);
    expect(await run(handlerWith({ ...random, workers: 1, localBytes: 0 }))).toEqual(here);
  });

  test.each([0, 1])("are of environments that there are, in every place (%i worker threads)", async (workers) => {
    const handler = handlerWith({ workers, localBytes: 0 });
    const batch = await make(handler);
    ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    const { error } = (await ask(handler, { op: "step", batch }, Int32Array.of(B, 0))).header;
    expect(error).toMatchObject({ code: "bad-action", message: `environments are 0 to ${B - 1}, not ${B}` });
  });

  test("are shared by threads that each have some of many environments", async () => {
    const size = 600; // two slices, of 320 and 280
    const ready = 100;
    const handler = handlerWith({ workers: 2, localBytes: 0 });
    const more = { seats: { blue: "last" }, autoreset: "same-step", maxDecisions: 3 };
    const args = { size, ready, privileged: true, ...more };
    const [batch, twin] = [await make(handler, args), await make(handler, args)];
    const both = async (header: Record<string, unknown>, data?: Int32Array): Promise<Answer> => {
      const [a, b] = await Promise.all([batch, twin].map((name) => ask(handler, { ...header, batch: name }, data)));
      expect(all(ok(a!))).toBe(all(ok(b!)));
      return a!;
    };
    const next = new Int32Array(size);
    const apart = await together(handler, 12, { size, ...more }, size);
    const episodes = new Int32Array(size);
    let answer = await both({ op: "reset", seed: 3 });
    for (let i = 0; i < 20; i++) {
      const rows = tensor(answer, "environments");
      expect([new Set(rows).size, rows.filter((env) => env < 320).length]).toEqual([
        ready,
        Math.floor((ready * 320) / size),
      ]);
      for (const [r, env] of rows.entries())
        if (next[env]! < 12) expect(shown(answer, r, ready)).toBe(apart[env]![next[env]!++]!);
      const last = answer.header.tensors!.some(([n]) => n === "final_rows") ? tensor(answer, "final_rows") : [];
      expect(last).toEqual(rows.flatMap((env, r) => (tensor(answer, "episodes")[r]! > episodes[env]! ? [r] : [])));
      rows.forEach((env, r) => (episodes[env] = tensor(answer, "episodes")[r]!));
      const legal = ok(await ask(handler, { op: "legal", batch })).header["legal"] as string[][];
      const A = tensor(answer, "mask").length / ready;
      expect(legal.map((names) => names.length)).toEqual(
        rows.map(
          (_, r) =>
            tensor(answer, "mask")
              .slice(r * A, (r + 1) * A)
              .filter(Boolean).length,
        ),
      );
      const wrong = reply(answer);
      wrong[ready + 99] = 99_999; // in the second slice: the first has to stay as it is
      expect((await ask(handler, { op: "step", batch }, wrong)).header.error).toMatchObject({
        code: "bad-action",
        message: expect.stringContaining(`environment ${rows[99]}:`) as string,
      });
      answer = await both({ op: "step" }, reply(answer));
    }
    const few = reply(answer, tensor(answer, "environments").slice(0, 3));
    let left = ok(await ask(handler, { op: "step", batch }, few));
    for (let n = 0; ; n++) {
      left = await ask(handler, { op: "step", batch }, new Int32Array(0));
      if (left.header.error === undefined) continue;
      // of 88 in the second slice 58 were here, 15 of which go three times
      expect([n, left.header.error.code]).toEqual([3, "bad-action"]);
      break;
    }
  });

  test("may be asked for ahead, by a step of none", async () => {
    const handler = handlerWith();
    const batch = await make(handler);
    const replies = [ok(await ask(handler, { op: "reset", batch, seed: 1 }))];
    while (replies.length < B / K) replies.push(ok(await ask(handler, { op: "step", batch }, new Int32Array(0))));
    expect(replies.flatMap((a) => tensor(a, "environments")).sort((a, b) => a - b)).toEqual(
      Array.from({ length: B }, (_, i) => i),
    );
    const none = await ask(handler, { op: "step", batch }, new Int32Array(0));
    expect(none.header.error).toMatchObject({
      code: "bad-action",
      message: expect.stringContaining("only 0 of them would be here") as string,
    });
  });

  test("may hold all there are", async () => {
    const handler = handlerWith();
    const batch = await make(handler, { ready: B });
    let answer = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    for (let i = 0; i < 10; i++) answer = ok(await ask(handler, { op: "step", batch }, reply(answer)));
    expect(tensor(answer, "environments").sort((a, b) => a - b)).toEqual(Array.from({ length: B }, (_, i) => i));
    const most = await ask(handler, { op: "step", batch }, reply(answer, tensor(answer, "environments").slice(1)));
    expect(most.header.error).toMatchObject({
      code: "bad-action",
      message: expect.stringContaining(`only ${B - 1} of them would be here`) as string,
    });
  });

  test("name the rows of their last observations by their own rows", async () => {
    const handler = handlerWith();
    const args = { autoreset: "same-step", maxDecisions: 5, skipForced: false };
    const batch = await make(handler, args);
    let answer = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    const before = new Int32Array(B);
    let ended = 0;
    for (let i = 0; i < 30; i++) {
      const rows = tensor(answer, "environments");
      const episodes = tensor(answer, "episodes");
      const last = answer.header.tensors!.some(([n]) => n === "final_rows") ? tensor(answer, "final_rows") : [];
      expect(last).toEqual(rows.flatMap((env, r) => (episodes[r]! > before[env]! ? [r] : [])));
      expect(
        last.length === 0 ||
          tensor(answer, "final_globals").length === last.length * (tensor(answer, "globals").length / K),
      ).toBe(true);
      rows.forEach((env, r) => (before[env] = episodes[r]!));
      ended += last.length;
      answer = ok(await ask(handler, { op: "step", batch }, reply(answer)));
    }
    expect(ended).toBeGreaterThan(10);
  });

  test("are what questions are about, and agents' environments can't be looked at", async () => {
    const handler = handlerWith();
    const batch = await make(handler, { seats: { blue: "last" }, privileged: true });
    const answer = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    const rows = tensor(answer, "environments");
    const legal = ok(await ask(handler, { op: "legal", batch })).header["legal"] as string[][];
    const A = tensor(answer, "mask").length / K;
    expect(legal.map((names) => names.length)).toEqual(
      rows.map(
        (_, r) =>
          tensor(answer, "mask")
            .slice(r * A, (r + 1) * A)
            .filter(Boolean).length,
      ),
    );
    expect(tensor(ok(await ask(handler, { op: "observe", batch, seat: "red" })), "units")).toEqual(
      tensor(answer, "units"),
    );
    const other = Array.from({ length: B }, (_, i) => i).find((i) => !rows.includes(i))!;
    const asks = [
      { op: "legal" },
      { op: "position" },
      { op: "observe", seat: "red" },
      { op: "resample", seed: 1 },
      { op: "save" },
    ].map((q) => ({ ...q, which: [rows[0], other] }));
    for (const q of [...asks, { op: "render", env: other }, { op: "outcomes", env: other, action: 0 }]) {
      const { error } = (await ask(handler, { ...q, batch })).header;
      expect(error, q.op).toMatchObject({
        code: "bad-action",
        message: `environment ${other} is not the client's turn: no reply has brought it since it was stepped`,
      });
    }
  });

  test("refuse what doesn't fit, and nothing moves", async () => {
    const handler = handlerWith();
    const refused = async (header: Record<string, unknown>, data?: Int32Array) =>
      (await ask(handler, header, data)).header.error;
    const make_ = { op: "make", game: "toy-ambush", size: B };
    expect(await refused({ ...make_, ready: B + 1 })).toMatchObject({
      code: "bad-option",
      message: expect.stringContaining(`no ${B + 1} can be ready`) as string,
    });
    expect(await refused({ ...make_, ready: K, autoreset: "disabled" })).toMatchObject({
      code: "bad-option",
      message: expect.stringContaining("autoreset") as string,
    });
    expect(await refused({ ...make_, ready: 0 })).toMatchObject({ code: "bad-message" });
    const batch = await make(handler, { privileged: true });
    const step = { op: "step", batch };
    expect(await refused(step, new Int32Array(0))).toMatchObject({ code: "not-reset" });
    const answer = ok(await ask(handler, { op: "reset", batch, seed: 1 }));
    const good = reply(answer);
    const [first, second, third, fourth] = good as unknown as [number, number, number, number];
    const other = Array.from({ length: B }, (_, i) => i).find((i) => !good.subarray(0, K).includes(i))!;
    const wrong: [Int32Array, string, string][] = [
      [Int32Array.of(first), "bad-action", "[2, n]"],
      [Int32Array.of(first, first, 0, 0), "bad-action", "stepped twice"],
      [Int32Array.of(other, 0), "bad-action", `environment ${other} is not the client's turn`],
      [Int32Array.of(B, 0), "bad-action", `environments are 0 to ${B - 1}, not ${B}`],
      [Int32Array.of(-1, 0), "bad-action", `environments are 0 to ${B - 1}, not -1`],
      [Int32Array.of(first, second, good[K]!, 99_999), "bad-action", `environment ${second}`],
      [new Int32Array(2 * B + 2), "bad-action", "[2, n]"],
    ];
    for (const [data, code, message] of wrong)
      expect(await refused(step, data)).toMatchObject({ code, message: expect.stringContaining(message) as string });
    for (const q of [
      { op: "reset", which: [first] },
      { op: "clone", from: [first], to: [second] },
    ])
      expect(await refused({ ...q, batch })).toMatchObject({ code: "unsupported" });
    const saved = ok(await ask(handler, { op: "save", batch, which: [third] }));
    expect(
      await refused({ op: "load", batch, which: [fourth] }, new Int32Array(tensor(saved, "states"))),
    ).toMatchObject({ code: "unsupported" });
    const twin = await make(handler, { privileged: true });
    ok(await ask(handler, { op: "reset", batch: twin, seed: 1 }));
    const [a, b] = [ok(await ask(handler, step, good)), ok(await ask(handler, { op: "step", batch: twin }, good))];
    expect(tensor(a, "environments")).toEqual(tensor(b, "environments"));
    for (let r = 0; r < K; r++) expect(shown(a, r, K)).toBe(shown(b, r, K));
  });
});
