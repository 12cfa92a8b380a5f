import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { expect, it } from "vitest";
import { withBlocks, withRows } from "../../../server/threads/blocks.js";

/** What another thread gets. */
function received(message: unknown): { readonly got: unknown; readonly moved: ArrayBuffer[] } {
  const { port1, port2 } = new MessageChannel();
  const moved: ArrayBuffer[] = [];
  port1.postMessage(withBlocks(message, moved), moved);
  const got = withRows(receiveMessageOnPort(port2)!.message);
  port1.close();
  return { got, moved };
}
const rows = [Int32Array.of(1, 2, 3), Int32Array.of(4, 5, 6)];

it("lists of states arrive as they were sent, wherever tasks and reports hold them", () => {
  for (const message of [
    { op: "load", rows: [3, 1], states: rows },
    { op: "reset", plan: { states: rows, seeds: ["a", "b"], which: undefined, root: null } },
    { id: 1, done: { gathered: { question: { what: "resample", states: rows, players: [0, 1] } }, decided: 7 } },
  ])
    expect(received(message)).toEqual({ got: message, moved: [new ArrayBuffer(0)] }); // moved, so empty here
});

it("a list travels in one piece of memory, without the words around its rows", () => {
  const frame = new Int32Array(1000).map((_, i) => i);
  const { got, moved } = received({ rows: [frame.subarray(10, 12), frame.subarray(500, 502)] });
  expect(got).toEqual({ rows: [Int32Array.of(10, 11), Int32Array.of(500, 501)] });
  expect(moved.length).toBe(1); // detached by now
  expect(frame.length).toBe(1000);
  expect((got as { rows: Int32Array[] }).rows[0]!.buffer.byteLength).toBe(4 * 4);
});

it("anything else is left as it is", () => {
  const shared = new SharedArrayBuffer(8);
  const message = {
    none: null,
    empty: [],
    uneven: [Int32Array.of(1), Int32Array.of(1, 2)],
    documents: [{ units: [1, 2] }],
    where: { memory: shared },
    bytes: Uint8Array.of(1, 2),
  };
  const { got, moved } = received(message);
  expect(got).toEqual(message);
  expect(moved).toEqual([]);
});
