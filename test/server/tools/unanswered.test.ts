import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { Unanswered } from "../../../server/tools/unanswered.js";

/** A client that a test speaks for, and what is still to be answered to it. */
function client() {
  const heard: JSONRPCMessage[] = [];
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: () => Promise.resolve(),
    onmessage: (message) => void heard.push(message),
  };
  const unanswered = new Unanswered(transport);
  const isSettled = async (): Promise<boolean> => {
    let settled = false;
    void unanswered.settled().then(() => (settled = true));
    await new Promise(setImmediate);
    return settled;
  };
  return { transport, heard, isSettled };
}
const request = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, method: "tools/call", params: {} });

test("all is settled when every request has its answer, in whatever order", async () => {
  const { transport, heard, isSettled } = client();
  expect(await isSettled()).toBe(true);
  transport.onmessage!(request(1));
  transport.onmessage!(request(2));
  expect([heard.length, await isSettled()]).toEqual([2, false]);
  await transport.send({ jsonrpc: "2.0", id: 2, result: {} });
  expect(await isSettled()).toBe(false);
  await transport.send({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } });
  expect(await isSettled()).toBe(true);
});

test("a request that the client has cancelled gets no answer, and nobody waits for one", async () => {
  const { transport, isSettled } = client();
  transport.onmessage!(request(7));
  transport.onmessage!({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  expect(await isSettled()).toBe(true);
});
