import { setImmediate as turn } from "node:timers/promises";
import { loadGame } from "../../env/index.js";
import { lowest, type Peer } from "./ask.js";

export interface Hostile {
  readonly says: string;
  /** Goes on until it is killed. */
  readonly run: (peer: Peer) => Promise<void>;
}

/** Keeps so many of the same requests on their way. */
async function flood(peer: Peer, ahead: number, header: () => Record<string, unknown>): Promise<void> {
  for (let n = 0; ; n++) {
    await peer.put(header());
    if (n >= ahead) await peer.take();
    if (n % 64 === 0) await turn();
  }
}

async function batchOf(peer: Peer, make: Record<string, unknown>): Promise<unknown> {
  const { header } = await peer.ask({ op: "make", lease: 60, ...make });
  if (header.error !== undefined) throw new Error(header.error.message);
  await peer.ask({ op: "reset", batch: header["batch"], seed: 1 });
  return header["batch"];
}

/** Clients that take what they can, by kind. */
export const HOSTILE: Readonly<Record<string, Hostile>> = {
  pings: { says: "hundreds of pings on their way at any time", run: (p) => flood(p, 250, () => ({ op: "ping" })) },
  nonsense: { says: "requests that nobody knows", run: (p) => flood(p, 250, () => ({ op: "x".repeat(4000) })) },
  describe: {
    says: "asks for everything static again and again",
    run: (p) => flood(p, 200, () => ({ op: "describe", game: "streets-of-stalingrad" })),
  },
  data: {
    says: "brings data files of its own, which are read and checked each time",
    run: (p) => {
      const { map } = loadGame("savage-streets").type.data as { map: unknown };
      return flood(p, 200, () => ({ op: "describe", game: "savage-streets", data: { map } }));
    },
  },
  steps: {
    says: "steps 4096 environments as fast as it can",
    async run(p) {
      const batch = await batchOf(p, { game: "savage-streets", size: 4096 });
      for (let answer = await p.ask({ op: "legal", batch, which: [0] }); ;) {
        const { tensors } = answer.header;
        const actions = tensors === undefined ? new Int32Array(4096) : lowest(answer);
        answer = await p.ask({ op: "step", batch }, actions);
      }
    },
  },
  resample: {
    says: "has states of the largest game resampled, sixteen with each of hundreds of requests",
    async run(p) {
      const batch = await batchOf(p, { game: "streets-of-stalingrad", size: 16 });
      await flood(p, 200, () => ({ op: "resample", batch, seed: 1 }));
    },
  },
  pictures: {
    says: "has boards drawn in the largest size",
    async run(p) {
      const batch = await batchOf(p, { game: "streets-of-stalingrad", size: 1 });
      await flood(p, 50, () => ({ op: "render", batch, env: 0, format: "rgb", width: 1920 }));
    },
  },
  searches: {
    says: "has an agent search for millions of iterations, in many batches",
    async run(p) {
      const batches: unknown[] = []; // all are made first: nobody waits for the answers to `reset`
      for (let k = 0; k < 8; k++) {
        const seats = { G: "search:iterations=10000000" };
        const { header } = await p.ask({ op: "make", game: "savage-streets", size: 4, seats });
        if (header.error !== undefined) throw new Error(header.error.message);
        batches.push(header["batch"]);
      }
      for (const [seed, batch] of batches.entries()) await p.put({ op: "reset", batch, seed });
      for (;;) await turn();
    },
  },
};
