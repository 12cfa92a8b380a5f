import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KesselError } from "../env/index.js";
import { Answers } from "./model-answers.js";
import {
  type Evaluation,
  type Feed,
  type OutputSizes,
  type Session,
  SESSION_OPTIONS,
  wrongSizes,
} from "./onnx-session.js";

const ENTRY = fileURLToPath(new URL("./model-process-entry.mjs", import.meta.url));
/** Linux's file system in memory. */
const MEMORY = "/dev/shm";
/** Where the process has what it talks by, and the memory that both use; the entry says the same. */
const TALK = 3;
const ALIGN = 64;

/**
 * What the process answers to `load` and to a run, or what went wrong. For a run it returns how many numbers came out;
 * the memory holds them if their number is the expected one.
 */
interface Loaded {
  readonly inputs: readonly string[];
}
interface Ran {
  readonly policy: number;
  readonly value: number;
}
type Reply = Loaded | Ran | { readonly error: string };

/** A process that has the model, until it is ended. */
interface Running {
  readonly child: ChildProcess;
  readonly talk: Socket;
  /** Takes the answer to what was last asked. */
  answered: ((reply: Reply) => void) | null;
  failed: ((e: KesselError) => void) | null;
}

/**
 * An ONNX file that runs in a process of its own, since a run of the library can't be stopped from its thread, and may
 * end the process: a run that takes too long is ended with the process, and the next one starts another. Runs wait for
 * each other.
 *
 * Tensors go through a file in memory that both have open and no folder shows. The process ends with this thread,
 * however that ends, in the middle of a run too.
 */
export class ModelProcess implements Session {
  private running: Running | null = null;
  private readonly memory = openMemory();
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  inputs: readonly string[] = [];

  private constructor(
    private readonly bytes: Uint8Array,
    /** How messages call the file. */
    private readonly name: string,
    private readonly seconds: number,
  ) {}

  /**
   * @param seconds that it may take to load, and for each run
   * @throws KesselError `time-limit`, `bad-model` when its process ends; Error for what doesn't run
   */
  static async start(bytes: Uint8Array, name: string, seconds: number): Promise<ModelProcess> {
    const model = new ModelProcess(bytes, name, seconds);
    try {
      await model.begin();
    } catch (e) {
      await model.release();
      throw e;
    }
    return model;
  }

  /** @throws KesselError `time-limit`, `bad-model` when its process ends; Error for what doesn't run */
  run(feeds: readonly Feed[], expected: OutputSizes): Promise<Evaluation> {
    const next = this.last.then(() => this.runNow(feeds, expected));
    this.last = next.catch(() => undefined);
    return next;
  }

  release(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      this.end(this.bad("was closed while it ran"));
      closeSync(this.memory);
    }
    return Promise.resolve();
  }

  private async runNow(feeds: readonly Feed[], expected: OutputSizes): Promise<Evaluation> {
    if (this.closed) throw this.bad("is closed");
    const running = this.running ?? (await this.begin());
    let at = 0;
    const placed = feeds.map(({ name, type, dims, data }) => {
      const from = at;
      at = ALIGN * Math.ceil(this.write(data, from) / ALIGN);
      return { name, type, dims, from, length: data.length };
    });
    const rows = feeds[0]?.dims[0] ?? 0;
    const asked = this.ask<Ran>(running, { feeds: placed, expected }, "runs for longer than", `on ${rows} rows`);
    const { policy, value } = await asked;
    // the process has written nothing then: the memory here must not depend on what a file says
    if (policy !== expected.policy || value !== expected.value) throw this.bad(wrongSizes({ policy, value }, expected));
    const found = { policy: new Float32Array(policy), value: new Float32Array(value) };
    this.read(found.policy, 0);
    this.read(found.value, found.policy.byteLength);
    return found;
  }

  /** Starts a process and has it load the model. */
  private async begin(): Promise<Running> {
    const child = spawn(process.execPath, [ENTRY], {
      stdio: ["pipe", "ignore", "ignore", "pipe", this.memory],
      env: { ...process.env, NODE_OPTIONS: "" }, // which may have it load what it doesn't need
    });
    const talk = child.stdio[TALK] as Socket;
    const running: Running = { child, talk, answered: null, failed: null };
    this.running = running;
    const answers = new Answers();
    talk.on("data", (piece: Buffer) => {
      const reply = answers.take(piece);
      if (reply === null) this.end(this.bad("has its process say what can't be read"), running);
      else if (reply !== undefined) running.answered?.(reply as Reply);
    });
    talk.on("error", () => undefined); // its end says so
    child.stdin!.on("error", () => undefined);
    child.once("error", (e) => this.end(this.bad(`could not be started: ${e.message}`), running));
    child.once("exit", (status, signal) =>
      this.end(this.bad(`ended the process that ran it (${signal ?? `status ${status}`})`), running),
    );
    const length = this.write(this.bytes, 0);
    const asked = this.ask<Loaded>(
      running,
      { load: length, options: SESSION_OPTIONS },
      "takes longer to load than",
      "",
    );
    this.inputs = (await asked).inputs;
    return running;
  }

  /** Says something to the process, and waits for the answer; ends it when that takes too long. */
  private async ask<T extends Reply>(running: Running, what: object, takes: string, when: string): Promise<T> {
    const text = Buffer.from(JSON.stringify(what));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(text.length);
    let late: NodeJS.Timeout | undefined;
    const reply = await new Promise<Reply>((answered, failed) => {
      Object.assign(running, { answered, failed });
      late = setTimeout(() => {
        const says = `the model ${takes} ${this.seconds} seconds${when === "" ? "" : ` ${when}`}; it was ended`;
        this.end(new KesselError("time-limit", `${this.name}: ${says}`), running);
      }, 1000 * this.seconds);
      running.talk.write(Buffer.concat([head, text]));
    }).finally(() => {
      clearTimeout(late);
      running.answered = running.failed = null;
    });
    if ("error" in reply) throw new Error(reply.error);
    return reply as T;
  }

  /** Ends a process; whoever waits for it gets `why`. */
  private end(why: KesselError, running = this.running): void {
    if (running === null) return;
    if (this.running === running) this.running = null;
    running.child.kill("SIGKILL");
    running.talk.destroy();
    running.failed?.(why);
  }

  private bad(what: string): KesselError {
    return new KesselError("bad-model", `${this.name}: the model ${what}`);
  }

  /** @returns where it ends */
  private write({ buffer, byteOffset, byteLength }: Uint8Array | Float32Array, at: number): number {
    for (let done = 0; done < byteLength;)
      done += writeSync(this.memory, new Uint8Array(buffer, byteOffset + done, byteLength - done), 0, null, at + done);
    return at + byteLength;
  }

  private read({ buffer, byteLength }: Float32Array, at: number): void {
    for (let done = 0; done < byteLength;) {
      const n = readSync(this.memory, new Uint8Array(buffer, done), 0, byteLength - done, at + done);
      if (n === 0) throw new Error("its outputs are not there");
      done += n;
    }
  }
}

/** Memory as an open file that no folder shows, so that nothing is left of it. */
function openMemory(): number {
  const path = join(existsSync(MEMORY) ? MEMORY : tmpdir(), `kessel-model-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  return file;
}
