import { loadGame } from "../../env/index.js";
import { type Sample, Stepper, timed } from "./core.js";

/** A thread that steps a batch of 256 of its own for the seconds it is told. */
export function open(id: string): (seconds: number) => Sample {
  const stepper = new Stepper(loadGame(id), 256, "worker");
  return (seconds) => timed(seconds, () => stepper.step());
}
