import type { ModelProto } from "onnx-buf";
import type { Decisions } from "../../../agents/agent.js";
import { Minibatch, type RolloutBuffer } from "../../../training/learn/rollout-buffer.js";
import { raceGame } from "../../training/arena/race.js";

/** The toy whose models these tests change. */
export const game = raceGame();

/** The first n samples as an agent gets them. */
export function decisions(samples: RolloutBuffer, n: number): Decisions {
  const batch = new Minibatch(game, n);
  batch.load(
    samples,
    Int32Array.from({ length: n }, (_, i) => i),
    0,
    n,
  );
  const actors = samples.actor.slice(0, n);
  const never = () => {
    throw new Error("an ONNX agent asks for tensors only");
  };
  return {
    game,
    size: n,
    actors,
    observation: batch.observation,
    mask: batch.mask,
    view: never,
    sample: never,
    known: never,
  };
}

const infos = (m: ModelProto) => [...m.graph!.input, ...m.graph!.output];

function tensorType(m: ModelProto, name: string) {
  const { value } = infos(m).find((v) => v.name === name)!.type!;
  if (value.case !== "tensorType") throw new Error("not a tensor");
  return value.value;
}

export function setType(m: ModelProto, name: string, type: number): void {
  tensorType(m, name).elemType = type;
}

export function setDim(m: ModelProto, name: string, axis: number, size: number): void {
  tensorType(m, name).shape!.dim[axis]!.value = { case: "dimValue", value: BigInt(size) };
}

export const setOutputDim = (m: ModelProto, size: number): void => setDim(m, "policy", 1, size);
