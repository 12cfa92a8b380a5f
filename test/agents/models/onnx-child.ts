import { readFileSync } from "node:fs";
import { OnnxAgent, OnnxModel } from "../../../agents/onnx.js";
import { Minibatch, RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { raceGame } from "../../training/arena/race.js";

// Loads the model named on the command line and prints what it chooses in the states on standard input.
const game = raceGame();
const { states } = JSON.parse(readFileSync(0, "utf8")) as { states: number[][] };
const samples = new RolloutBuffer(game);
for (const s of states) samples.add(s, game.actor(s), 0);
const n = states.length;
const batch = new Minibatch(game, n);
batch.load(
  samples,
  Int32Array.from({ length: n }, (_, i) => i),
  0,
  n,
);
const model = await OnnxModel.load(new Uint8Array(readFileSync(process.argv[2]!)), game, "model");
const out = new Int32Array(n);
const never = () => {
  throw new Error("not asked for");
};
await new OnnxAgent("onnx", model, 0, "another seed").act(
  {
    game,
    size: n,
    actors: samples.actor.slice(0, n),
    observation: batch.observation,
    mask: batch.mask,
    view: never,
    sample: never,
    known: never,
  },
  out,
);
process.stdout.write(JSON.stringify([...out]));
