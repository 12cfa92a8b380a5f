import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** A table for CRC-32C (Castagnoli), one byte at a time, low bit first. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  return crc;
});

export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

/** A TFRecord: length, masked checksum of the length, the bytes, masked checksum of the bytes. */
function record(bytes: Uint8Array): Uint8Array {
  const masked = (part: Uint8Array): number => {
    const crc = crc32c(part);
    return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  };
  const out = Buffer.alloc(bytes.length + 16);
  out.writeBigUInt64LE(BigInt(bytes.length));
  out.writeUInt32LE(masked(out.subarray(0, 8)), 8);
  out.set(bytes, 12);
  out.writeUInt32LE(masked(bytes), bytes.length + 12);
  return out;
}

/** Contents of an event besides time and step, as in TensorFlow's event.proto and summary.proto. */
export type EventBody =
  { readonly version: string } | { readonly started: true } | { readonly scalars: Readonly<Record<string, number>> };

/** An event as TensorBoard stores it. @param time seconds since 1970 */
export function eventRecord(time: number, step: number, body: EventBody): Uint8Array {
  const event = new BinaryWriter().tag(1, WireType.Bit64).double(time);
  if (step !== 0) event.tag(2, WireType.Varint).int64(step);
  if ("version" in body) event.tag(3, WireType.LengthDelimited).string(body.version);
  else if ("started" in body) event.tag(7, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(1).join();
  else {
    event.tag(5, WireType.LengthDelimited).fork();
    for (const [name, value] of Object.entries(body.scalars))
      event
        .tag(1, WireType.LengthDelimited)
        .fork()
        .tag(1, WireType.LengthDelimited)
        .string(name)
        .tag(2, WireType.Bit32)
        .float(value)
        .join();
    event.join();
  }
  return record(event.finish());
}

const FILE = /^events\.out\.tfevents\.(\d+)\.kessel$/;

/**
 * Scalars for TensorBoard. Every session of a run writes its own file. The file starts with an event that invalidates
 * the same and later steps of earlier files, so a resumed run need not rewrite them.
 */
export class EventFile {
  private file: string | null = null;

  constructor(private readonly folder: string) {}

  /** @param step not below the previous one. The first call creates the file */
  log(step: number, scalars: Readonly<Record<string, number>>): void {
    const time = Date.now() / 1000;
    const parts = [eventRecord(time, step, { scalars })];
    if (this.file === null) {
      const last = Math.max(-1, ...readdirSync(this.folder).map((f) => Number(FILE.exec(f)?.[1] ?? -1)));
      this.file = join(this.folder, `events.out.tfevents.${String(last + 1).padStart(10, "0")}.kessel`);
      parts.unshift(eventRecord(time, 0, { version: "brain.Event:2" }), eventRecord(time, step, { started: true }));
    }
    appendFileSync(this.file, Buffer.concat(parts));
  }
}
