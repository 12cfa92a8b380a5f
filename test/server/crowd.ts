import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Handler } from "../../server/handler.js";
import { Rng } from "../../env/index.js";
import { type Answer, ask, Peer, tensor } from "./ask.js";

/** What a client of the crowd plays: requests that follow from it and from the replies alone. */
export interface Script {
  readonly make: Readonly<Record<string, unknown>>;
  readonly seed: string;
  readonly steps: number;
}

/** In the socket's thread and in worker threads, with agents and without, episodes that end and begin. */
export const SCRIPTS: readonly Script[] = [
  { make: { game: "pocket-stalingrad", size: 4 }, seed: "crowd/0", steps: 80 },
  { make: { game: "savage-streets", size: 1 }, seed: "crowd/1", steps: 120 },
  { make: { game: "night-fight", size: 2, dtype: "uint8" }, seed: "crowd/2", steps: 80 },
  {
    make: { game: "pocket-stalingrad", size: 8, seats: { german: "heuristic:greedy" }, autoreset: "same-step" },
    seed: "crowd/3",
    steps: 60,
  },
  { make: { game: "strike-counterstrike", size: 2, privileged: true }, seed: "crowd/4", steps: 60 },
  { make: { game: "savage-streets", size: 32, ready: 8, seats: { G: "random" } }, seed: "crowd/5", steps: 60 },
];

type Ask = (header: Record<string, unknown>, data?: Int32Array) => Promise<Answer>;

/**
 * Plays a script once; `seen` gets each reply about play, in order. @throws Error for a reply that is an error
 */
async function play(script: Script, send: Ask, seen: (digest: string) => void): Promise<void> {
  const well: Ask = async (...request) => {
    const answer = await send(...request);
    if (answer.header.error !== undefined) throw new Error(answer.header.error.message);
    return answer;
  };
  const { batch } = (await well({ op: "make", lease: 60, ...script.make })).header;
  const rng = new Rng(script.seed);
  let last = await well({ op: "reset", batch, seed: script.seed });
  seen(digestOf(last));
  for (let n = 0; n < script.steps; n++) {
    const actions = anyLegal(last, rng);
    const rows = script.make["ready"] === undefined ? [] : tensor(last, "environments");
    last = await well({ op: "step", batch, free: freed(last) }, Int32Array.from([...rows, ...actions]));
    seen(digestOf(last));
  }
  await well({ op: "close", batch });
}

const freed = ({ header }: Answer): unknown[] => (header["slot"] === undefined ? [] : [header["slot"]]);

/** Of a reply: what its frame holds, and every byte of it. */
const digestOf = ({ header: { tensors }, data }: Answer): string =>
  createHash("sha1")
    .update(JSON.stringify(tensors))
    .update(data ?? new Uint8Array(0))
    .digest("base64");

/** A random legal action for each row; 0 where the episode is over. */
function anyLegal(answer: Answer, rng: Rng): number[] {
  const mask = tensor(answer, "mask");
  const rows = tensor(answer, "actors").length;
  const A = mask.length / rows;
  return Array.from({ length: rows }, (_, i) => {
    const legal: number[] = [];
    for (let a = 0; a < A; a++) if (mask[i * A + a] === 1) legal.push(a);
    return legal.length === 0 ? 0 : legal[rng.below(legal.length)]!;
  });
}

/** What each script's replies must be: as a server in this process gives them, to one client, in one thread. */
export async function expected(scripts: readonly Script[]): Promise<string[][]> {
  const handler = new Handler({ workers: 0 });
  const digests = scripts.map((): string[] => []);
  for (const [k, script] of scripts.entries())
    await play(
      script,
      (header, data) => ask(handler, header, data),
      (digest) => digests[k]!.push(digest),
    );
  await handler.close();
  return digests;
}

export interface Played {
  readonly replies: number;
  /** Replies that were not what they must be, and errors: the first of each client. */
  readonly wrong: readonly string[];
  /** Clients that got at least one reply of play. */
  readonly served: number;
  /** Milliseconds that replies took, in order of length. */
  readonly took: Float64Array;
}

/**
 * Connects clients, all at once and until the time is up; each plays one script after another and compares every reply.
 * The last ones are played to their end, so that no batch is left.
 *
 * @param pauseMs between a reply and the next request of a client
 */
export async function crowd(
  address: string,
  clients: number,
  ms: number,
  pauseMs: number,
  scripts: readonly Script[],
  digests: readonly (readonly string[])[],
): Promise<Played> {
  const took: number[] = [];
  const wrong: string[] = [];
  let served = 0;
  const end = performance.now() + ms;
  const one = async (k: number): Promise<void> => {
    const peer = new Peer(address);
    const rng = new Rng(`pause/${k}`);
    let mine = 0;
    try {
      for (let round = k; performance.now() < end; round++) {
        const which = round % scripts.length;
        let at = 0;
        const timed: Ask = async (header, data) => {
          const began = performance.now();
          const answer = await peer.ask(header, data);
          took.push(performance.now() - began);
          if (pauseMs > 0) await pause(rng.below(2 * pauseMs));
          return answer;
        };
        await play(scripts[which]!, timed, (digest) => {
          const should = digests[which]![at++];
          if (digest !== should) throw new Error(`reply ${at} of script ${which} is not what it must be`);
          mine++;
        });
      }
    } catch (e) {
      wrong.push(`client ${k}: ${(e as Error).message}`);
    }
    if (mine > 0) served++;
    peer.close();
  };
  await Promise.all(Array.from({ length: clients }, (_, k) => one(k)));
  return { replies: took.length, wrong, served, took: Float64Array.from(took).sort() };
}
