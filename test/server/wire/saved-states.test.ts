import { beforeEach, describe, expect, it } from "vitest";
import { type GameData, loadGame } from "../../../env/index.js";
import { Handler } from "../../../server/handler.js";
import { savedRows, saveStates, stateIn } from "../../../server/wire/saved-states.js";
import { ask } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

describe("saved states and positions that don't fit", () => {
  let handler: Handler;
  let open: string;
  let states: Int32Array;
  beforeEach(async () => {
    handler = new Handler(TOY_LIBRARY);
    open = (await ask(handler, { op: "make", game: "toy-race", size: 2, privileged: true })).header["batch"] as string;
    await ask(handler, { op: "reset", batch: open, seed: 1 });
    const saved = await ask(handler, { op: "save", batch: open });
    const [, , shape, offset] = saved.header.tensors![0]!;
    states = new Int32Array(Uint8Array.from(saved.data!.subarray(offset, offset + shape[0]! * shape[1]! * 4)).buffer);
  });
  const load = (words: ArrayBufferView, more: Record<string, unknown> = {}) =>
    ask(handler, { op: "load", batch: open, ...more }, words);
  async function refused(answer: ReturnType<typeof ask>, code: string, says: RegExp): Promise<void> {
    const { error } = (await answer).header;
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(says);
    expect((await ask(handler, { op: "save", batch: open })).header.error).toBeUndefined();
  }
  const changed = (at: number): Int32Array => states.map((w, i) => (i === at ? w + 1 : w));

  it("cut, or for another number of environments", async () => {
    await refused(load(states.subarray(1)), "bad-state", /words, \d+ came/);
    await refused(load(states, { which: [0] }), "bad-state", /1 saved states of toy-race/);
    await refused(load(new Uint8Array(5)), "bad-state", /5 bytes came/);
  });
  it("of something else, another version, or touched", async () => {
    await refused(load(changed(0)), "bad-state", /row 0 was not saved by this server/);
    await refused(load(changed(4)), "bad-state", /row 0 is not a saved state/);
    await refused(load(changed(5)), "bad-state", /another version/);
    await refused(load(changed(states.length - 1)), "bad-state", /row 1 was changed/);
    expect((await load(states)).header.error).toBeUndefined();
  });
  it("forged, with a checksum that fits", async () => {
    const game = TOY_LIBRARY.load("toy-race", {}, {});
    const forged = saveStates(game, savedRows(game, states, 2).map(stateIn), null);
    await refused(load(forged), "bad-state", /row 0 was not saved by this server, nor by one .* --state-key/);
  });
  it("of a game with other data", async () => {
    const own = new Handler({ workers: 1 });
    const make = { op: "make", game: "savage-streets", size: 2, privileged: true };
    const { map } = loadGame("savage-streets").type.data as { map: GameData[string] };
    const batches: unknown[] = [];
    for (const more of [{}, { data: { map } }]) {
      const { header } = await ask(own, { ...make, ...more });
      batches.push(header["batch"]);
      await ask(own, { op: "reset", batch: header["batch"], seed: 1 });
    }
    const [ours, theirs] = batches;
    const saved = (await ask(own, { op: "save", batch: theirs })).data!;
    await refused(ask(own, { op: "load", batch: ours }, saved), "bad-state", /row 0 was not saved by this server/);
    expect((await ask(own, { op: "load", batch: theirs }, saved)).header.error).toBeUndefined();
    await own.close();
  });
  it("of another server, unless both have one key", async () => {
    const elsewhere = async (stateKey?: Uint8Array) => {
      const other = new Handler({ ...TOY_LIBRARY, ...(stateKey && { stateKey }) });
      const make = { op: "make", game: "toy-race", size: 2, privileged: true };
      const { batch } = (await ask(other, make)).header;
      await ask(other, { op: "reset", batch, seed: 9 });
      return { other, batch };
    };
    const key = new Uint8Array(32).fill(7);
    const stranger = await elsewhere();
    const refusal = (await ask(stranger.other, { op: "load", batch: stranger.batch }, states)).header.error;
    expect(refusal?.code).toBe("bad-state");
    const [one, two] = [await elsewhere(key), await elsewhere(key)];
    const saved = await ask(one.other, { op: "save", batch: one.batch });
    const loaded = await ask(two.other, { op: "load", batch: two.batch }, saved.data!.subarray());
    expect(loaded.header.error).toBeUndefined();
  });
  it("positions with unknown keys or impossible values", async () => {
    const { positions } = (await ask(handler, { op: "position", batch: open, whole: true })).header as unknown as {
      positions: Record<string, unknown>[];
    };
    const from = (docs: unknown[]) => ask(handler, { op: "reset", batch: open, seed: 1, positions: docs });
    await refused(from([positions[0], { ...positions[1], moon: 1 }]), "bad-position", /moon/);
    await refused(from([positions[0]]), "bad-position", /expected 2 positions .* got 1/);
    expect((await from(positions)).header.error).toBeUndefined();
  });
});
