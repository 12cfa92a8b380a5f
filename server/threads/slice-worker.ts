import type { MessagePort } from "node:worker_threads";
import { describe, type ErrorCode, KesselError, type State } from "../../env/index.js";
import { libraryOf, GameCache, type GameRequest } from "./library.js";
import { withBlocks, withRows } from "./blocks.js";
import { targetAt, type FrameLocation } from "../wire/shared-memory.js";
import type { ResetPlan } from "../slice/reset.js";
import type { Body } from "../slice/body.js";
import type { Expansion } from "../slice/nodes.js";
import { answerLongQuestion, type LongQuestion } from "../slice/long-question.js";
import { answerQuestion, gather, type Gathered, type Question } from "../slice/questions.js";
import { pack } from "../wire/msgpack.js";
import type { RequestOf } from "../wire/protocol.js";
import { shortageOf } from "../shortages.js";
import type { SliceRange } from "../slice/range.js";
import { answerKeysOf, Slice, type SliceHost } from "../slice/slice.js";
import type { FinalObservations } from "../wire/tensors.js";

/** What a worker thread is started with. */
export interface ThreadStart {
  /** A module whose export `library` replaces Kessel's games and agents; undefined for Kessel's own. */
  readonly library: string | undefined;
  readonly host: SliceHost;
  /** Games to load before the thread is ready, so that loading does not count as a request's time. */
  readonly games?: readonly string[];
}

/** What a thread is to do with a slice. Frames, actions, actors and masks are in memory that threads share. */
export type Work =
  | {
      readonly op: "make";
      readonly request: RequestOf<"make">;
      readonly range: SliceRange;
      readonly actions: SharedArrayBuffer;
      readonly ownership: SharedArrayBuffer;
      readonly actors: SharedArrayBuffer;
      readonly mask: SharedArrayBuffer;
    }
  | { readonly op: "step"; readonly where: FrameLocation; /** Length of the actions, int32. */ readonly words: number }
  | { readonly op: "reset"; readonly plan: ResetPlan; readonly where: FrameLocation }
  | {
      readonly op: "load";
      readonly rows: readonly number[];
      readonly states: readonly State[];
      readonly where: FrameLocation;
    }
  | { readonly op: "ask"; readonly request: Question }
  /** `states` of some environments or nodes. */
  | { readonly op: "copy"; readonly rows: readonly number[]; /** Not of environments. */ readonly nodes: boolean }
  | { readonly op: "expand"; readonly expansion: Expansion; readonly where: FrameLocation }
  | { readonly op: "playout"; readonly request: RequestOf<"playout">; readonly seed: string }
  /** As `ask`, but what takes long is not answered, only gathered. */
  | { readonly op: "gather"; readonly request: Question }
  /** Of a game with data files of one's own, which the slice has. */
  | { readonly op: "answer"; readonly question: LongQuestion }
  | { readonly op: "close" }
  /** These two are about no slice. */
  | { readonly op: "describe"; readonly game: GameRequest }
  | { readonly op: "answer-off-thread"; readonly game: GameRequest; readonly question: LongQuestion };
export type Task = Work & { readonly id: number; readonly key: number };

/** What a task returns: `ended` for `step`, `reset` and `load`, `body` for what is asked. */
export interface WorkResult {
  readonly ended?: FinalObservations;
  readonly body?: Body;
  readonly gathered?: Gathered;
  readonly states?: readonly State[];
  /** MessagePack, for `describe`. */
  readonly described?: Uint8Array;
  /** Decisions taken in the slice so far. */
  readonly decided: number;
  /** How long it took. */
  readonly ms: number;
}
type Done = Omit<WorkResult, "ms">;

export interface Failure {
  /** Null for a fault of the server. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly stack: string | undefined;
}
export type Report =
  { readonly id: number; readonly done: WorkResult } | { readonly id: number; readonly failure: Failure };

interface LoadedSlice {
  readonly slice: Slice;
  /** int32: the batch's actions, beginning with this slice's. */
  readonly actions: Int32Array;
  /** int32 [size] and uint8 [size, A]: this slice's rows of the batch's actors and mask. */
  readonly actors: Int32Array;
  readonly mask: Uint8Array;
}

/** Carries out the tasks that come in at `port`, one after the other for each slice. */
export async function run(port: MessagePort, { library: module, host, games = [] }: ThreadStart): Promise<void> {
  const library = await libraryOf(module);
  for (const game of games) await library.prepare(game);
  const gameCache = new GameCache(library);
  const slices = new Map<number, LoadedSlice>();

  const answerKeys = answerKeysOf(host);

  const work = async (task: Task): Promise<Done> => {
    if (task.op === "make") {
      const { request, range, actions, ownership, actors, mask } = task;
      const { first, size } = range;
      const slice = await Slice.make(
        await gameCache.prepared(request),
        request,
        range,
        library.makeAgent,
        host,
        false,
        new Uint8Array(ownership, first, size),
      );
      const A = slice.game.actions.length;
      slices.set(task.key, {
        slice,
        actions: new Int32Array(actions, first * (actions.byteLength / range.of)),
        actors: new Int32Array(actors, 4 * first, size),
        mask: new Uint8Array(mask, first * A, size * A),
      });
      return { decided: 0 };
    }
    if (task.op === "describe")
      return { described: Uint8Array.from(pack(describe(await gameCache.prepared(task.game)))), decided: 0 };
    if (task.op === "answer-off-thread")
      return {
        body: await answerLongQuestion(await gameCache.prepared(task.game), task.question, answerKeys),
        decided: 0,
      };
    const kept = slices.get(task.key);
    if (kept === undefined) throw lostSlice();
    const { slice, actions } = kept;
    const done = (what: Omit<Done, "decided">): Done => ({ ...what, decided: slice.batch.asked });
    switch (task.op) {
      case "close":
        slices.delete(task.key);
        await slice.close();
        return done({});
      case "ask":
        return done({ body: await answerQuestion(slice, task.request) });
      case "copy":
        return done({ states: slice.copies({ from: [...task.rows], nodes: task.nodes }) });
      case "expand": {
        const expanding = slice.expand(task.expansion, targetAt(task.where));
        if (expanding !== undefined) await expanding;
        return done({});
      }
      case "playout":
        return done({ body: { packed: (await slice.playOut(task.request, task.seed)).frame() } });
      case "gather":
        return done({ gathered: gather(slice, task.request) });
      case "answer":
        return done({ body: await answerLongQuestion(slice.game, task.question, answerKeys) });
      case "reset":
        await slice.reset(task.plan);
        break;
      case "load":
        await slice.load(task.rows, task.states);
        break;
      case "step": {
        const playing = slice.step(actions.subarray(0, task.words));
        if (playing !== undefined) await playing;
      }
    }
    kept.actors.set(slice.batch.actors);
    kept.mask.set(slice.batch.mask);
    return done({ ended: slice.writer.write(targetAt(task.where)) });
  };

  port.on("message", (message: unknown) => {
    const began = performance.now();
    const task = withRows(message) as Task;
    work(task).then(
      (result) => {
        const done: WorkResult = { ...result, ms: performance.now() - began };
        const moved = transferable(done);
        port.postMessage(withBlocks({ id: task.id, done } satisfies Report, moved), moved);
      },
      (e: unknown) => port.postMessage({ id: task.id, failure: failureOf(e) } satisfies Report),
    );
  });
  port.postMessage("ready");
}

/** The error for a slice whose thread has ended. */
export const lostSlice = (): KesselError =>
  new KesselError(
    "batch-lost",
    "the thread that played this batch has ended, and its environments with it; reset the batch, then load what was saved",
  );

/** Frames that own their memory are moved to the other thread, not copied. */
function transferable({ body }: WorkResult): ArrayBuffer[] {
  const data = body?.packed?.data;
  return data !== undefined && data.byteLength === data.buffer.byteLength && data.buffer instanceof ArrayBuffer
    ? [data.buffer]
    : [];
}

function failureOf(e: unknown): Failure {
  if (e instanceof KesselError) return { code: e.code, message: e.message, stack: undefined };
  const shortage = shortageOf(e);
  if (shortage !== null) return { code: "limit", message: `the server ran short: ${shortage}`, stack: undefined };
  const { message, stack } = e instanceof Error ? e : new Error("unknown");
  return { code: null, message, stack };
}
