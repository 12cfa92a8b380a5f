import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { shown } from "../../env/index.js";

/** Bytes of a line. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The only revision of the protocol that has batches. */
const WITH_BATCHES = "2025-03-26";

/** Answers to a batch, which go out together. */
interface Batch {
  readonly answers: object[];
  readonly open: Set<RequestId>;
}

/**
 * Model Context Protocol over lines of JSON. Every line gets what it asks for or an error: the SDK's own transport
 * drops lines that it can't read.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private parts: Buffer[] = [];
  private bytes = 0;
  private protocol = "";
  private readonly batches = new Set<Batch>();
  private readonly read = (chunk: Buffer): void => this.take(chunk);
  private readonly failed = (e: Error): void => this.onerror?.(e);

  constructor(
    private readonly input: NodeJS.ReadableStream,
    private readonly output: NodeJS.WritableStream,
  ) {}

  start(): Promise<void> {
    this.input.on("data", this.read);
    this.input.on("error", this.failed);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.input.off("data", this.read);
    this.input.off("error", this.failed);
    this.input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ("result" in message && typeof message.result["protocolVersion"] === "string")
      this.protocol = message.result["protocolVersion"];
    const id = "method" in message ? undefined : message.id;
    for (const batch of this.batches) {
      if (id === undefined || !batch.open.delete(id)) continue;
      batch.answers.push(message);
      return batch.open.size === 0 ? this.finish(batch) : Promise.resolve();
    }
    return this.write(message);
  }

  private finish(batch: Batch): Promise<void> {
    this.batches.delete(batch);
    return batch.answers.length === 0 ? Promise.resolve() : this.write(batch.answers);
  }

  private write(line: object): Promise<void> {
    return new Promise((done) => {
      if (this.output.write(`${JSON.stringify(line)}\n`)) done();
      else this.output.once("drain", done);
    });
  }

  private take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.keep(chunk.subarray(from, end));
      const whole = this.bytes <= MOST_BYTES;
      const line = whole ? Buffer.concat(this.parts).toString("utf8") : "";
      this.parts = [];
      this.bytes = 0;
      from = end + 1;
      if (whole) this.line(line);
      else void this.write(refusal(null, ErrorCode.InvalidRequest, `a line has at most ${MOST_BYTES} bytes`));
    }
    this.keep(chunk.subarray(from));
  }

  /** The rest of a line that is too long is not kept. */
  private keep(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > MOST_BYTES) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  private line(text: string): void {
    // some programs begin what they write with a byte order mark
    const line = text.replace(/^\uFEFF/, "").trim();
    if (line === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      void this.write(refusal(null, ErrorCode.ParseError, `a line holds one message as JSON, not ${shown(line)}`));
      return;
    }
    if (Array.isArray(value)) this.batch(value);
    else this.one(value);
  }

  private one(value: unknown): void {
    const message = messageOf(value);
    if ("refused" in message) void this.write(message.refused);
    else this.onmessage?.(message);
  }

  private batch(values: readonly unknown[]): void {
    const wrong =
      values.length === 0
        ? "a batch holds at least one message"
        : this.protocol !== WITH_BATCHES
          ? `batches are part of protocol ${WITH_BATCHES} alone; this session speaks ${this.protocol || "none yet"}`
          : null;
    if (wrong !== null) return void this.write(refusal(null, ErrorCode.InvalidRequest, wrong));
    const batch: Batch = { answers: [], open: new Set() };
    const messages: JSONRPCMessage[] = [];
    for (const value of values) {
      const message = messageOf(value);
      if ("refused" in message) batch.answers.push(message.refused);
      else messages.push(message);
      if ("method" in message && "id" in message) batch.open.add(message.id);
    }
    if (batch.open.size > 0) this.batches.add(batch);
    else void this.finish(batch);
    for (const message of messages) this.onmessage?.(message);
  }
}

/** A message of the protocol, or the error that answers what is none. `params` may be null: there are none. */
function messageOf(value: unknown): JSONRPCMessage | { readonly refused: object } {
  const given = typeof value === "object" && value !== null ? { ...(value as Record<string, unknown>) } : null;
  if (given?.["params"] === null) delete given["params"];
  const read = JSONRPCMessageSchema.safeParse(given);
  if (read.success) return read.data;
  const id = given?.["id"];
  const known = typeof id === "string" || Number.isInteger(id) ? (id as RequestId) : null;
  return { refused: refusal(known, ErrorCode.InvalidRequest, whatIsWrong(given)) };
}

function whatIsWrong(given: Readonly<Record<string, unknown>> | null): string {
  if (given === null) return "a message is an object";
  if (given["jsonrpc"] !== "2.0") return `jsonrpc is "2.0", not ${shown(given["jsonrpc"])}`;
  if ("id" in given && typeof given["id"] !== "string" && !Number.isInteger(given["id"]))
    return `id is a text or a whole number, not ${shown(given["id"])}`;
  if ("method" in given && typeof given["method"] !== "string")
    return `method is a text, not ${shown(given["method"])}`;
  if ("params" in given && typeof given["params"] !== "object")
    return `params is an object, not ${shown(given["params"])}`;
  return "a message has a method, or an id with a result or an error";
}

const refusal = (id: RequestId | null, code: ErrorCode, message: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
