import { expect, test } from "vitest";
import { Answers } from "../../../agents/model-answers.js";

function said(text: string, length = Buffer.byteLength(text)): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(length);
  return Buffer.concat([head, Buffer.from(text)]);
}

test("an answer is read when all of it is there, in whatever pieces it comes", () => {
  const answers = new Answers();
  const all = said('{"policy":8,"value":2}');
  for (const byte of all.subarray(0, -1)) expect(answers.take(Buffer.of(byte))).toBe(undefined);
  expect(answers.take(all.subarray(-1))).toEqual({ policy: 8, value: 2 });
  expect(answers.take(said('{"error":"ü"}'))).toEqual({ error: "ü" });
});

test.each([
  ["no JSON", said("{nonsense")],
  ["no object", said("5")],
  ["nothing", said("null")],
  ["a length that nobody has memory for", said("{}", 2 ** 32 - 1)],
])("%s can't be read", (_, bytes) => {
  expect(new Answers().take(bytes)).toBe(null);
});
