import { importGame } from "../../agents/import-game.js";
import { loadGame } from "../../env/index.js";
import { type Sample, Stepper, repeatForWallTime } from "./core.js";

/** @returns a function that steps a batch of 256 for that many seconds */
export async function open(id: string): Promise<(seconds: number) => Sample> {
  await importGame(id);
  const stepper = new Stepper(loadGame(id), 256, "worker");
  return (seconds) => repeatForWallTime(seconds, () => stepper.step());
}
