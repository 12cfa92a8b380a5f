import { setImmediate as turn } from "node:timers/promises";
import { loadGame, Rng } from "../../env/index.js";
import { type Answer, lowest, type Peer } from "./ask.js";

export interface Hostile {
  readonly says: string;
  /** Goes on until it is killed. */
  readonly run: (peer: Peer) => Promise<void>;
}

/** What the server has against those who ask too much. */
const LIMITS = ["busy", "limit", "time-limit", "batch-lost", "closed"];

/**
 * Keeps this many requests on their way.
 *
 * @param frame of the n-th request
 * @param refusal the code of the error that they are meant to get; left out where they are meant to be carried out
 */
async function flood(
  peer: Peer,
  ahead: number,
  header: () => Record<string, unknown>,
  frame?: (n: number) => Int32Array,
  refusal?: string,
): Promise<void> {
  for (let n = 0; ; n++) {
    await peer.put(header(), frame?.(n));
    if (n >= ahead) {
      const { error } = (await peer.take()).header;
      if (error !== undefined && ![refusal, ...LIMITS].includes(error.code)) throw new Error(error.message);
    }
    if (n % 64 === 0) await turn();
  }
}

async function well(answer: Promise<Answer>): Promise<Answer> {
  const { header } = await answer;
  if (header.error !== undefined) throw new Error(header.error.message);
  return answer;
}

/** Makes a batch and resets it. */
async function begin(peer: Peer, make: Record<string, unknown>): Promise<{ batch: unknown; first: Answer }> {
  const { batch } = (await well(peer.ask({ op: "make", lease: 60, ...make }))).header;
  return { batch, first: await well(peer.ask({ op: "reset", batch, seed: 1 })) };
}

const batchOf = async (peer: Peer, make: Record<string, unknown>): Promise<unknown> => (await begin(peer, make)).batch;

/** Saved states of a batch as they came, for `load`. */
async function savedBy(peer: Peer, batch: unknown): Promise<Int32Array> {
  const { data } = await well(peer.ask({ op: "save", batch }));
  return new Int32Array(Uint8Array.from(data!).buffer);
}

/** Clients that take what they can, by kind. */
export const HOSTILE: Readonly<Record<string, Hostile>> = {
  pings: { says: "hundreds of pings on their way at any time", run: (p) => flood(p, 250, () => ({ op: "ping" })) },
  nonsense: {
    says: "requests that nobody knows",
    run: (p) => flood(p, 250, () => ({ op: "x".repeat(4000) }), undefined, "bad-message"),
  },
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
      const { batch, first } = await begin(p, { game: "savage-streets", size: 4096 });
      for (let answer = first; ;) answer = await well(p.ask({ op: "step", batch }, lowest(answer)));
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
  headers: {
    says: "sends headers of four megabytes",
    run(p) {
      const batches = Array.from({ length: 100_000 }, () => "x".repeat(40));
      return flood(p, 20, () => ({ op: "ping", batches }), undefined, "bad-message");
    },
  },
  forged: {
    says: "loads states that it made up",
    async run(p) {
      const batch = await batchOf(p, { game: "streets-of-stalingrad", size: 16, privileged: true });
      const states = await savedBy(p, batch);
      const rng = new Rng("forged");
      await flood(
        p,
        200,
        () => ({ op: "load", batch }),
        () => states.map((w) => (rng.below(50) === 0 ? rng.word() | 0 : w)),
        "bad-state",
      );
    },
  },
  loads: {
    says: "loads thousands of states, of which the last one is forged",
    async run(p) {
      const batch = await batchOf(p, { game: "savage-streets", size: 4096, privileged: true });
      const states = await savedBy(p, batch);
      states[states.length - 1]! ^= 1;
      await flood(
        p,
        8,
        () => ({ op: "load", batch }),
        () => states,
        "bad-state",
      );
    },
  },
  positions: {
    says: "starts from hundreds of position documents at a time",
    async run(p) {
      const batch = await batchOf(p, { game: "savage-streets", size: 256, privileged: true });
      const { positions } = (await well(p.ask({ op: "position", batch, whole: true }))).header;
      await flood(p, 20, () => ({ op: "reset", batch, seed: 1, positions }));
    },
  },
  replays: {
    says: "asks for the replay of a long episode again and again",
    async run(p) {
      const { batch, first } = await begin(p, {
        game: "streets-of-stalingrad",
        size: 1,
        record: true,
        maxDecisions: 300,
        autoreset: "disabled",
      });
      let answer = first;
      for (let n = 0; n < 300 && answer.header.error === undefined; n++)
        answer = await p.ask({ op: "step", batch }, lowest(answer));
      const { header } = await well(p.ask({ op: "describe", game: "streets-of-stalingrad" }));
      const [seat] = (header["game"] as { players: string[] }).players;
      await flood(p, 50, () => ({ op: "replay", batch, env: 0, seat }));
    },
  },
  outcomes: {
    says: "has thousands of outcomes of an action thrown",
    async run(p) {
      const { batch, first } = await begin(p, { game: "streets-of-stalingrad", size: 1, privileged: true });
      const [action] = lowest(first);
      await flood(p, 50, () => ({ op: "outcomes", batch, env: 0, action, samples: 1000 }));
    },
  },
  searches: {
    says: "has an agent search for millions of iterations, in many batches",
    async run(p) {
      const batches: unknown[] = []; // all are made first: nobody waits for the answers to `reset`
      for (let k = 0; k < 8; k++) {
        const seats = { S: "search:iterations=10000000" }; // the side that decides first
        const { header } = await p.ask({ op: "make", game: "savage-streets", size: 4, seats, lease: 60 });
        if (header.error !== undefined) throw new Error(header.error.message);
        batches.push(header["batch"]);
      }
      for (const [seed, batch] of batches.entries()) await p.put({ op: "reset", batch, seed });
      for (;;) await turn();
    },
  },
};
