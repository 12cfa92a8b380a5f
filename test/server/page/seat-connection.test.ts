import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { serveSeat } from "../../../server/page/seat-connection.js";

/** A socket that a test speaks for. */
class Line extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
}

test("a ping is answered at once, also while an earlier message is still worked at", async () => {
  const line = new Line();
  const wire = { cork: () => undefined, uncork: () => undefined };
  serveSeat(line as unknown as WebSocket, wire as unknown as Duplex, "127.0.0.1", {
    messages: 10,
    pingSeconds: 30,
    find: () => new Promise(() => undefined), // a table that takes long to open
    log: () => expect.unreachable("nothing fails"),
  });
  line.emit("message", JSON.stringify({ op: "sit", token: "a".repeat(20) }), false);
  await new Promise(setImmediate);
  line.emit("message", JSON.stringify({ op: "ping" }), false);
  expect(line.sent).toEqual([JSON.stringify({ op: "pong" })]);
  line.emit("close");
});
