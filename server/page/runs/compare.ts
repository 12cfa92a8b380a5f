import { randomBytes } from "node:crypto";
import { KesselError } from "../../../env/index.js";
import { Pool } from "../../../training/report/pool.js";
import { LastMade } from "../drawing-cache.js";
import { type BaseCache, picture } from "../picture.js";
import type { Compared, CompareStart, CompareTask } from "./compare-worker.js";
import type { Comparison, NewComparison } from "./runs-view.js";
import type { RunShelf } from "./run-library.js";

/** Comparisons at a time, by all together: each takes a core for seconds. */
const AT_ONCE = 2;

let running = 0;

/**
 * Compares two nets of a run in a thread of its own.
 *
 * @param openReplay makes a link of the game that they played
 * @throws KesselError `limit`; `bad-agent` for a net that isn't there, `bad-model` for one that doesn't fit
 */
export async function compareNets(
  shelf: RunShelf,
  { run, one, other }: NewComparison,
  bases: BaseCache,
  openReplay: (text: string) => Promise<string>,
): Promise<Comparison> {
  if (running >= AT_ONCE)
    throw new KesselError("limit", "other nets are being compared already; ask again when that is done");
  const start: CompareStart = { dir: shelf.dir, ...shelf.gameOf(run) };
  const pool = new Pool<CompareTask, Compared>(1, new URL("./compare-worker.ts", import.meta.url), start);
  running++; // where the system has no thread left it isn't reached
  try {
    const seed = randomBytes(8).toString("hex");
    const { replay, differences, ...found } = await pool.run({ run, one, other, seed });
    return {
      link: await openReplay(replay),
      ...found,
      differences: differences.map(({ scene, ...d }) => ({ ...d, drawing: picture(scene, bases, new LastMade()) })),
    };
  } finally {
    running--;
    await pool.close();
  }
}
