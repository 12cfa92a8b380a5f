// `npm run soak -- apart`: what it costs to run models in processes of their own: decisions per second against a model
// of one's own folder, from a server that has it in its threads (--trust-models) and one that hasn't, in turn.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SHIPPED } from "../../agents/model-file.js";
import { loadGame } from "../../env/index.js";
import { lowest, Peer } from "./ask.js";
import { startServer } from "./own-server.js";

const { values } = parseArgs({
  options: {
    games: { type: "string", default: "pocket-stalingrad,savage-streets" },
    size: { type: "string", default: "256" },
    workers: { type: "string", default: "2" },
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
  },
});
const size = Number(values.size);
const median = (x: readonly number[]): number => [...x].sort((a, b) => a - b)[Math.floor(x.length / 2)]!;

interface Player {
  readonly rates: number[];
  /**
   * Plays for `ms` milliseconds. @returns decisions per second, the agent's too
   */
  readonly play: (ms: number) => Promise<number>;
}

async function against(peer: Peer, game: string): Promise<Player> {
  const [, second] = loadGame(game).players;
  const seats = { [second!]: "onnx:commander.onnx" };
  const made = (await peer.ask({ op: "make", game, size, seats, autoreset: "same-step" })).header;
  if (made.error !== undefined) throw new Error(made.error.message);
  const { batch } = made;
  let last = await peer.ask({ op: "reset", batch, seed: 1 });
  const decided = async (): Promise<number> =>
    ((await peer.ask({ op: "stats" })).header["stats"] as { decisions: number }).decisions;
  const play = async (ms: number): Promise<number> => {
    const before = await decided();
    const began = performance.now();
    while (performance.now() - began < ms) {
      last = await peer.ask({ op: "step", batch, free: [last.header["slot"]] }, lowest(last));
      if (last.header.error !== undefined) throw new Error(last.header.error.message);
    }
    return ((await decided()) - before) / ((performance.now() - began) / 1000);
  };
  return { rates: [], play };
}

for (const game of values.games.split(",")) {
  const folder = mkdtempSync(join(tmpdir(), "kessel-apart-"));
  copyFileSync(join(SHIPPED, game, "commander.onnx"), join(folder, "commander.onnx"));
  const options = ["--no-page", "--workers", values.workers, "--models", folder];
  const servers = [await startServer(...options, "--trust-models"), await startServer(...options)];
  const peers = servers.map((s) => new Peer(s.address));
  try {
    const players = await Promise.all(peers.map((p) => against(p, game)));
    for (const { play } of players) await play(2000); // until the code is compiled
    for (let round = 0; round < Number(values.rounds); round++)
      for (const { rates, play } of players) rates.push(await play(1000 * Number(values.seconds)));
    const [here, apart] = players.map((p) => median(p.rates)) as [number, number];
    process.stdout.write(
      `${game}, ${size} environments: ${here.toFixed(0)} decisions/s in threads, ${apart.toFixed(0)} in processes (${((100 * apart) / here).toFixed(0)} %)\n`,
    );
  } finally {
    for (const p of peers) p.close();
    for (const s of servers) await s.close();
    rmSync(folder, { recursive: true });
  }
}
