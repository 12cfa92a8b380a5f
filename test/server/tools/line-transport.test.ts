import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { LineTransport } from "../../../server/tools/line-transport.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { toolServer } from "../../../server/tools/tool-server.js";
import { NullStore } from "../../../server/session/store.js";

/** A client that writes lines and reads lines, by no library. */
class Lines {
  private readonly input = new PassThrough();
  private readonly output = new PassThrough();
  private readonly table = new SeatTable(new NullStore(), false);
  private readonly server = toolServer(this.table, (reason) => expect.unreachable(reason));
  private rest = "";
  private id = 1000;

  async connect(protocol: string): Promise<this> {
    await this.server.connect(new LineTransport(this.input, this.output));
    const params = { protocolVersion: protocol, capabilities: {}, clientInfo: { name: "lines", version: "1" } };
    await this.answers({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    this.input.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return this;
  }

  /** All that the server writes to a line, which ends before the answer to a ping after it. */
  async answers(line: unknown): Promise<unknown[]> {
    const id = this.id++;
    this.input.write(typeof line === "string" || Buffer.isBuffer(line) ? line : JSON.stringify(line));
    this.input.write(`\n${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
    const got: unknown[] = [];
    for await (const chunk of this.output.iterator({ destroyOnReturn: false })) {
      const lines = (this.rest + String(chunk)).split("\n");
      this.rest = lines.pop()!;
      got.push(...lines.map((text) => JSON.parse(text) as unknown));
      const end = got.findIndex((answer) => (answer as { id?: unknown }).id === id);
      if (end >= 0) return got.filter((_, i) => i !== end);
    }
    return got;
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.table.close();
  }
}

let client: Lines | null = null;
const connected = async (protocol = "2025-11-25"): Promise<Lines> => (client = await new Lines().connect(protocol));
afterEach(() => client?.close());

const ping = (id: unknown): object => ({ jsonrpc: "2.0", id, method: "ping" });
const pong = (id: unknown): object => ({ jsonrpc: "2.0", id, result: {} });
const error = (id: unknown, code: number, message: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.stringContaining(message) as string },
});

test.each<[string, unknown, object]>([
  ["half a message", '{"jsonrpc":"2.0","id":5,"method":"ping"', error(null, -32700, "one message as JSON")],
  ["no JSON", "hello", error(null, -32700, 'not "hello"')],
  ["a number", "7", error(null, -32600, "a message is an object")],
  ["an id that is null", ping(null), error(null, -32600, "id is a text or a whole number, not null")],
  ["an id that is a fraction", ping(1.5), error(null, -32600, "not 1.5")],
  ["no version", { id: 5, method: "ping" }, error(5, -32600, 'jsonrpc is "2.0"')],
  ["a method that is a number", { ...ping(5), method: 7 }, error(5, -32600, "method is a text, not 7")],
  ["parameters that are a text", { ...ping(5), params: "x" }, error(5, -32600, 'params is an object, not "x"')],
  ["neither method nor result", { jsonrpc: "2.0", id: 5 }, error(5, -32600, "a message has a method")],
  ["a method that there is not", { ...ping(5), method: "fly" }, error(5, -32601, "Method not found")],
  ["a batch of none", [], error(null, -32600, "at least one message")],
  ["a batch in a later protocol", [ping(5), ping(6)], error(null, -32600, "speaks 2025-11-25")],
  ["a line that is too long", "x".repeat(5_000_000), error(null, -32600, "a line has at most")],
  ["a byte order mark", `\uFEFF${JSON.stringify(ping(5))}`, pong(5)],
  ["parameters that are null", { ...ping(5), params: null }, pong(5)],
])("%s: one answer", async (_what, line, answer) => {
  expect(await (await connected()).answers(line)).toEqual([answer]);
});

test("blank lines and notifications have no answer", async () => {
  const lines = await connected();
  expect(await lines.answers("  ")).toEqual([]);
  expect(await lines.answers({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } })).toEqual(
    [],
  );
});

test("arguments that are null are none; others that are no object are refused", async () => {
  const lines = await connected();
  const call = (given: unknown): object => ({
    ...ping(5),
    method: "tools/call",
    params: { name: "list_games", arguments: given },
  });
  const [listed] = await lines.answers(call(null));
  expect(listed).toMatchObject({ id: 5, result: { content: [{ type: "text" }] } });
  expect(await lines.answers(call({}))).toEqual([listed]);
  expect(await lines.answers(call("x"))).toEqual([error(5, -32602, 'arguments is an object, not "x"')]);
  expect(await lines.answers(call([]))).toEqual([error(5, -32602, "not a list")]);
  expect(await lines.answers({ ...ping(5), method: "tools/call" })).toEqual([error(5, -32602, "name is a text")]);
});

test("a batch is answered as one where its protocol was agreed, with errors for what is no message", async () => {
  const lines = await connected("2025-03-26");
  const [answers] = await lines.answers([
    ping(5),
    { id: 6 },
    ping("seven"),
    { jsonrpc: "2.0", method: "notifications/x" },
  ]);
  expect(answers).toHaveLength(3);
  expect(answers).toEqual(expect.arrayContaining([pong(5), pong("seven"), error(6, -32600, "jsonrpc")]));
  expect(await lines.answers([{ jsonrpc: "2.0", method: "notifications/x" }])).toEqual([]);
  expect(await lines.answers([7])).toEqual([[error(null, -32600, "a message is an object")]]);
});

test("a line may come in pieces, and several at once", async () => {
  const lines = await connected();
  const two = `${JSON.stringify(ping(5))}\n${JSON.stringify(ping(6))}`;
  expect(await lines.answers(Buffer.from(two))).toEqual([pong(5), pong(6)]);
});
