import { deflateSync } from "node:zlib";
import { type Pixels, pixelsOf } from "./png.js";

/** How long each picture of a film is shown, and the last, ms. */
const [EACH, LAST] = [600, 3000];

/** A part of a picture, in pixels. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * An animated PNG of drawings of one size, one after another; of each picture only what changed is in the file.
 *
 * @param svgs documents of `drawScene`, all of the same width and height; at least one
 */
export async function filmOf(svgs: readonly string[]): Promise<Buffer> {
  const frames: { readonly box: Box; readonly data: Buffer; ms: number }[] = [];
  let last: Pixels | null = null;
  for (const svg of svgs) {
    const now = await pixelsOf(svg);
    const whole = { x: 0, y: 0, width: now.width, height: now.height };
    const box = last === null ? whole : changed(last, now);
    if (box === null) frames.at(-1)!.ms += EACH;
    else frames.push({ box, data: deflateSync(rowsOf(now, box)), ms: EACH });
    last = now;
  }
  frames.at(-1)!.ms = LAST;
  const { width, height } = frames[0]!.box;
  // 8 bits of red, green and blue; no alpha, as boards fill their picture
  const head = chunk("IHDR", Buffer.concat([words(width, height), Buffer.from([8, 2, 0, 0, 0])]));
  let sequence = 0;
  const body = frames.flatMap(({ box, data, ms }, i) => {
    const control = Buffer.concat([
      words(sequence++, box.width, box.height, box.x, box.y),
      halves(Math.min(ms, 65_535), 1000),
      Buffer.from([0, 0]),
    ]);
    const picture = i === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([words(sequence++), data]));
    return [chunk("fcTL", control), picture];
  });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    head,
    chunk("acTL", words(frames.length, 0)),
    ...body,
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The smallest part that holds all pixels that differ, or null. */
function changed(a: Pixels, b: Pixels): Box | null {
  let [left, top, right, bottom] = [b.width, b.height, -1, -1];
  for (let y = 0, i = 0; y < b.height; y++)
    for (let x = 0; x < b.width; x++, i += 3) {
      if (a.rgb[i] === b.rgb[i] && a.rgb[i + 1] === b.rgb[i + 1] && a.rgb[i + 2] === b.rgb[i + 2]) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Rows as PNG packs them: each begins with the number of its filter, here 0 for none. */
function rowsOf({ width, rgb }: Pixels, box: Box): Buffer {
  const row = 3 * box.width;
  const out = Buffer.alloc(box.height * (row + 1));
  for (let y = 0; y < box.height; y++) {
    const from = 3 * ((box.y + y) * width + box.x);
    out.set(rgb.subarray(from, from + row), y * (row + 1) + 1);
  }
  return out;
}

const words = (...list: readonly number[]): Buffer => {
  const out = Buffer.alloc(4 * list.length);
  list.forEach((n, i) => out.writeUInt32BE(n, 4 * i));
  return out;
};

const halves = (...list: readonly number[]): Buffer => {
  const out = Buffer.alloc(2 * list.length);
  list.forEach((n, i) => out.writeUInt16BE(n, 2 * i));
  return out;
};

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  return Buffer.concat([words(data.length), named, words(checksum(named))]);
}

/** CRC-32, as PNG has it; zlib's own is not in every Node 20. */
function checksum(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}
