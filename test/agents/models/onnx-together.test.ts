import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Agent } from "../../../agents/agent.js";
import { OnnxAgent, OnnxModel } from "../../../agents/onnx.js";
import { SeatedBatch } from "../../../agents/seats.js";
import { Batch, gameIds, loadGame, observationRows, type Observation, Rng, TENSORS } from "../../../env/index.js";

const MODELS = fileURLToPath(new URL("../../../models/", import.meta.url));
const ROWS = 40;

/** A model of each game. */
const shipped = gameIds().flatMap((id) => {
  const file = `${MODELS}${id}/commander.onnx`;
  return existsSync(file) ? [[id, file] as const] : [];
});

/** Environments at different points of the game, by random play. */
function midGame(id: string): Batch {
  const batch = new Batch(loadGame(id), { size: ROWS, autoreset: "next-step" });
  batch.reset("rows");
  const rng = new Rng("rows");
  const A = batch.game.actions.length;
  for (let step = 0; step < 60; step++)
    batch.step(
      Array.from({ length: ROWS }, (_, i) => {
        const legal = Array.from({ length: A }, (_, a) => a).filter((a) => batch.mask[i * A + a] === 1);
        return i > step || legal.length === 0 ? (legal[0] ?? 0) : legal[rng.below(legal.length)]!;
      }),
    );
  return batch;
}

describe.each(shipped)("the model of %s", (id, file) => {
  test("gives for a row alone what it gives for the row in a batch", async () => {
    const batch = midGame(id);
    const model = await OnnxModel.load(new Uint8Array(readFileSync(file)), batch.game, file);
    const A = batch.game.actions.length;
    const one = observationRows(batch.game, 1).all;
    const all = batch.observations.all;
    const row = (i: number): Observation => {
      for (const t of TENSORS) one[t].set(all[t].subarray(i * one[t].length, (i + 1) * one[t].length));
      return one;
    };
    const together = await model.run(all, batch.mask, ROWS);
    for (let i = 0; i < ROWS; i++) {
      const alone = await model.run(row(i), batch.mask.subarray(i * A, (i + 1) * A), 1);
      expect(alone.policy, `row ${i}`).toEqual(together.policy.slice(i * A, (i + 1) * A));
      expect(alone.value[0]).toBe(together.value[i]);
    }
    await model.close();
  });
});

describe("agents of one model", () => {
  const game = loadGame("pocket-stalingrad");
  const bytes = new Uint8Array(readFileSync(`${MODELS}pocket-stalingrad/commander.onnx`));
  const TEMPERATURES = [0, 1, 3];

  /** The games of agents with different temperatures and streams, which are asked together or each by itself. */
  async function play(model: OnnxModel, together: boolean): Promise<readonly (readonly number[])[]> {
    const agents = TEMPERATURES.map((t): Agent => {
      const agent = new OnnxAgent(`at ${t}`, model, t, `stream ${t}`);
      return together ? agent : { name: agent.name, act: (d, out) => agent.act(d, out) };
    });
    const batch = new Batch(game, { size: 12, autoreset: "disabled", record: true });
    await new SeatedBatch(batch, (i) => game.players.map((_, p) => agents[(i + p) % agents.length]!)).reset("games");
    return Array.from({ length: 12 }, (_, i) => batch.recordedEpisode(i)!.actions);
  }

  test("are asked in one call, and play as if each were asked by itself", async () => {
    const model = await OnnxModel.load(bytes, game, "commander");
    let calls = 0;
    const run = model.run.bind(model);
    model.run = (...args) => {
      calls++;
      return run(...args);
    };
    const alone = await play(model, false);
    const callsAlone = calls;
    calls = 0;
    expect(await play(model, true)).toEqual(alone);
    expect(calls).toBeLessThan(0.6 * callsAlone);
    expect(new Set(alone.map(String)).size).toBe(12);
    await model.close();
  });

  test("are not asked where one action is legal, and play the same games", async () => {
    const model = await OnnxModel.load(bytes, game, "commander");
    const A = game.actions.length;
    let forced = 0;
    const run = model.run.bind(model);
    model.run = (input, mask, n) => {
      for (let i = 0; i < n; i++) if (mask.subarray(i * A, (i + 1) * A).reduce((sum, m) => sum + m, 0) === 1) forced++;
      return run(input, mask, n);
    };
    const games = async (leaves: boolean): Promise<readonly (readonly number[])[]> => {
      const agent = new OnnxAgent("commander", model, 0, "forced");
      const asked: Agent = leaves ? agent : { name: agent.name, act: (d, out) => agent.act(d, out) };
      const batch = new Batch(game, { size: 12, autoreset: "disabled", record: true, skipForced: false });
      await new SeatedBatch(batch, () => [asked, asked]).reset("forced");
      return Array.from({ length: 12 }, (_, i) => batch.recordedEpisode(i)!.actions);
    };
    const without = await games(true);
    expect(forced).toBe(0);
    expect(await games(false)).toEqual(without);
    expect(forced).toBeGreaterThan(50);
    await model.close();
  });
});
