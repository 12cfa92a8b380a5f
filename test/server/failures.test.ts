import { beforeEach, describe, expect, it } from "vitest";
import { Handler } from "../../server/handler.js";
import { ask, bytes } from "./ask.js";
import { TOY_LIBRARY } from "./toys.js";

let handler: Handler;
let batch: string;
beforeEach(async () => {
  handler = new Handler(TOY_LIBRARY);
  batch = (await ask(handler, { op: "make", game: "toy-race", size: 2 })).header["batch"] as string;
  await ask(handler, { op: "reset", batch, seed: 1 });
});

const THREE_DICE = Int32Array.of(2, 2);

describe("failures that are the server's", () => {
  it("are answered without what the game hides, logged by place, and the batch asks for a reset", async () => {
    const logged: string[] = [];
    const game = TOY_LIBRARY.load("toy-race", {}, {});
    let fail = false;
    const broken = Object.assign(Object.create(game) as typeof game, {
      apply(...args: Parameters<typeof game.apply>) {
        if (fail) throw new Error("the secret is a plum");
        game.apply(...args);
      },
    });
    handler = new Handler({
      ...TOY_LIBRARY,
      load: () => broken,
      log: (event, facts) => logged.push(JSON.stringify({ event, facts })),
    });
    const b = (await ask(handler, { op: "make", game: "toy-race", size: 2 })).header["batch"];
    await ask(handler, { op: "reset", batch: b, seed: 1 });
    fail = true;
    const { error } = (await ask(handler, { op: "step", batch: b }, THREE_DICE)).header;
    expect(error).toEqual({ code: "internal", message: 'the server failed at "step"; its log says where' });
    expect(logged.join()).toMatch(/internal-error.*failures.test.ts/);
    expect(logged.join()).not.toMatch(/plum/);
    fail = false;
    expect((await ask(handler, { op: "step", batch: b }, THREE_DICE)).header.error?.code).toBe("not-reset");
    await ask(handler, { op: "reset", batch: b, seed: 1 });
    expect((await ask(handler, { op: "step", batch: b }, THREE_DICE)).header.error).toBeUndefined();
  });

  it("a data frame at an odd address is read all the same", async () => {
    const odd = new Uint8Array(9);
    odd.set(bytes(THREE_DICE), 1);
    expect((await ask(handler, { op: "step", batch }, odd.subarray(1))).header.error).toBeUndefined();
  });
});
