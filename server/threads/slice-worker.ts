import type { MessagePort } from "node:worker_threads";
import { type ErrorCode, KesselError, type State } from "../../env/index.js";
import { libraryOf, Shelf } from "./library.js";
import { targetAt, type Where } from "../wire/shared-memory.js";
import type { Opening } from "../slice/reset.js";
import { ask, type Body, type Question } from "../slice/questions.js";
import type { RequestOf } from "../wire/protocol.js";
import { type Place, Slice } from "../slice/slice.js";
import type { Ended } from "../wire/tensors.js";

/** What a thread is started with. */
export interface ThreadStart {
  /** A module that exports `library`, when it isn't Kessel's own. */
  readonly library: string | undefined;
  readonly models: string | undefined;
}

/** What a thread is asked to do with the slice `key`. Where the frame is written and who acts how is memory that threads share. */
export type Work =
  | {
      readonly op: "make";
      readonly request: RequestOf<"make">;
      readonly place: Place;
      readonly actions: SharedArrayBuffer;
      readonly whose: SharedArrayBuffer;
      readonly actors: SharedArrayBuffer;
      readonly mask: SharedArrayBuffer;
    }
  | { readonly op: "step"; readonly where: Where; /** Of the actions, so many are played. */ readonly words: number }
  | { readonly op: "open"; readonly opening: Opening; readonly where: Where }
  | { readonly op: "load"; readonly rows: readonly number[]; readonly states: readonly State[]; readonly where: Where }
  | { readonly op: "ask"; readonly request: Question }
  | { readonly op: "close" };
export type Task = Work & { readonly id: number; readonly key: number };

/** What came of it: for `step`, `open` and `load` the episodes that ended, for `ask` the answer. */
export interface Done {
  readonly ended?: Ended;
  readonly body?: Body;
  /** Decisions that were taken in the slice so far. */
  readonly decided: number;
}

export interface Failure {
  /** Null for a fault of ours. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly stack: string | undefined;
}
export type Report = { readonly id: number; readonly done: Done } | { readonly id: number; readonly failure: Failure };

interface Kept {
  readonly slice: Slice;
  /** int32: the batch's actions, from this slice's on. */
  readonly actions: Int32Array;
  /** int32 and uint8: this slice's part of who decides, and of what is legal. */
  readonly actors: Int32Array;
  readonly mask: Uint8Array;
}

/** Does what a thread is told, for as long as it lives. */
export async function keepSlices(port: MessagePort, { library: module, models }: ThreadStart): Promise<void> {
  const library = await libraryOf(module);
  const shelf = new Shelf(library.load);
  const slices = new Map<number, Kept>();

  const work = async (task: Task): Promise<Done> => {
    if (task.op === "make") {
      const { request, place, actions, whose, actors, mask } = task;
      const { first, size } = place;
      const slice = await Slice.make(
        shelf.game(request),
        request,
        place,
        library.makeAgent,
        models,
        false,
        new Uint8Array(whose, first, size),
      );
      const A = slice.game.actions.length;
      slices.set(task.key, {
        slice,
        actions: new Int32Array(actions, (first / place.of) * actions.byteLength),
        actors: new Int32Array(actors, 4 * first, size),
        mask: new Uint8Array(mask, first * A, size * A),
      });
      return { decided: 0 };
    }
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
        return done({ body: ask(slice, task.request) });
      case "open":
        await slice.open(task.opening);
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

  port.on("message", (task: Task) => {
    work(task).then(
      (done) => port.postMessage({ id: task.id, done } satisfies Report, transferable(done)),
      (e: unknown) => port.postMessage({ id: task.id, failure: failureOf(e) } satisfies Report),
    );
  });
  port.postMessage("ready");
}

/** What is said of a slice whose thread has ended. */
export const lostSlice = (): KesselError =>
  new KesselError(
    "batch-lost",
    "the thread that played this batch has ended, and its environments with it; reset the batch, then load what was saved",
  );

/** A frame that has memory of its own is handed over, not copied. */
function transferable({ body }: Done): ArrayBuffer[] {
  const data = body?.packed?.data;
  return data !== undefined && data.byteLength === data.buffer.byteLength && data.buffer instanceof ArrayBuffer
    ? [data.buffer]
    : [];
}

function failureOf(e: unknown): Failure {
  if (e instanceof KesselError) return { code: e.code, message: e.message, stack: undefined };
  const { message, stack } = e instanceof Error ? e : new Error("unknown");
  return { code: null, message, stack };
}
