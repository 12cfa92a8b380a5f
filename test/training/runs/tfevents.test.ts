import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crc32c, EventFile, eventRecord } from "../../../training/runs/tfevents.js";

test("checksums are those of RFC 3720, appendix B.4", () => {
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
});

test("records are byte for byte what TensorBoard 2.21's own RecordWriter writes for the same events", () => {
  const tensorboard =
    "GAAAAAAAAACjf0siCQAAAAAAAPg/Gg1icmFpbi5FdmVudDoyKihkbA8AAAAAAAAAbVMrCQkAAAAAAAD4PxAIOgIIAZVxx9E0AAAAAAAAAF4zF1wJAAAAAAAABEAQCConChQKDXRyYWluL2VudHJvcHkVAACAPgoPCgh0cmFpbi9rbBUAAEDAV4VNvQ==";
  const ours = [
    eventRecord(1.5, 0, { version: "brain.Event:2" }),
    eventRecord(1.5, 8, { started: true }),
    eventRecord(2.5, 8, { scalars: { "train/entropy": 0.25, "train/kl": -3 } }),
  ];
  expect(Buffer.concat(ours).toString("base64")).toBe(tensorboard);
});

test("every session writes a file of its own and leaves the others alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "kessel-events-"));
  const first = new EventFile(folder);
  first.log(1, { loss: 2 });
  first.log(2, { loss: 1 });
  const [name] = readdirSync(folder);
  const before = readFileSync(join(folder, name!));
  new EventFile(folder).log(2, { loss: 0.5 });
  expect(readdirSync(folder)).toEqual([
    "events.out.tfevents.0000000000.kessel",
    "events.out.tfevents.0000000001.kessel",
  ]);
  expect(readFileSync(join(folder, name!)).equals(before)).toBe(true);
});
