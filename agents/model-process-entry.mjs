// Runs one ONNX file for `model-process.ts`: whatever a run does, it ends this process and nothing else. It waits in system
// calls, without an event loop, so that a question takes no longer than it must.
import { readSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

const TALK = 3;
const MEMORY = 4;

// the end of standard input is the end of who asked: a thread waits for it, as this one may be in a run
new Worker('require("fs").readSync(0, Buffer.alloc(1)); process.kill(process.pid, "SIGKILL")', { eval: true });
try {
  writeFileSync("/proc/self/oom_score_adj", "1000"); // where memory runs out, a model goes first
} catch {
  // not on Linux
}

function exactly(n) {
  const bytes = Buffer.alloc(n);
  for (let done = 0; done < n;) {
    const got = readSync(TALK, bytes, done, n - done, null);
    if (got === 0) process.exit();
    done += got;
  }
  return bytes;
}

function tell(what) {
  const text = Buffer.from(JSON.stringify(what));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(text.length);
  const all = Buffer.concat([head, text]);
  for (let done = 0; done < all.length;) done += writeSync(TALK, all, done);
}

function fill(bytes, at) {
  for (let done = 0; done < bytes.length;) {
    const got = readSync(MEMORY, bytes, done, bytes.length - done, at + done);
    if (got === 0) throw new Error("its inputs are not there");
    done += got;
  }
}

function put({ buffer, byteOffset, byteLength }, at) {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (let done = 0; done < byteLength;) done += writeSync(MEMORY, bytes, done, byteLength - done, at + done);
}

/** Arrays for inputs by name, used again by runs of as many rows. */
const inputs = new Map();

function input({ name, type, length }) {
  const known = inputs.get(name);
  if (known?.length === length) return known;
  const made = type === "float32" ? new Float32Array(length) : new Uint8Array(length);
  inputs.set(name, made);
  return made;
}

let library;
let session;

async function load({ load: length, options }) {
  const bytes = new Uint8Array(length);
  fill(bytes, 0);
  library = createRequire(import.meta.url)("onnxruntime-node");
  session = await library.InferenceSession.create(bytes, options);
  return { inputs: session.inputNames };
}

/** Runs the model. Outputs of other sizes than `expected` are told and not given. */
async function run({ feeds, expected }) {
  const tensors = feeds.map((feed) => {
    const data = input(feed);
    fill(new Uint8Array(data.buffer), feed.from);
    return [feed.name, new library.Tensor(feed.type, data, feed.dims)];
  });
  const { policy, value } = await session.run(Object.fromEntries(tensors), ["policy", "value"]);
  if (policy.data.length === expected.policy && value.data.length === expected.value) {
    put(policy.data, 0);
    put(value.data, policy.data.byteLength);
  }
  return { policy: policy.data.length, value: value.data.length };
}

for (;;) {
  const asked = JSON.parse(exactly(exactly(4).readUInt32LE(0)).toString());
  try {
    tell(await ("load" in asked ? load(asked) : run(asked)));
  } catch (e) {
    tell({ error: String(e?.message ?? e) });
  }
}
