import { describe, expect, test } from "vitest";
import { filmOf } from "../../../server/draw/film.js";
import { pngOf } from "../../../server/draw/png.js";

/** A square of 20 pixels with a smaller one in it. */
const square = (x: number, y: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#fff"/><rect x="${x}" y="${y}" width="4" height="3" fill="#c00"/></svg>`;

/** Chunks of a PNG file, by name, in order. */
function chunks(file: Buffer): { name: string; data: Buffer }[] {
  const list = [];
  for (let at = 8; at < file.length;) {
    const size = file.readUInt32BE(at);
    list.push({ name: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, at + 8 + size) });
    at += size + 12;
  }
  return list;
}

describe("an animated picture", () => {
  test("holds of each picture the part that changed, and how long it is shown", async () => {
    const list = chunks(await filmOf([square(1, 2), square(1, 2), square(10, 12)]));
    expect(list.map((c) => c.name)).toEqual(["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "IEND"]);
    const shown = list
      .filter((c) => c.name === "fcTL")
      .map(({ data }) => [4, 8, 12, 16].map((at) => data.readUInt32BE(at)).concat(data.readUInt16BE(20)));
    // width, height, x, y; milliseconds: the first stays while nothing changes, the last longest
    expect(shown).toEqual([
      [20, 20, 0, 0, 1200],
      [13, 13, 1, 2, 3000],
    ]);
  });

  test("has checksums that other programs share", async () => {
    // the end of every PNG file is the same twelve bytes
    const end = pngOf(square(0, 0)).subarray(-12);
    expect((await filmOf([square(0, 0)])).subarray(-12)).toEqual(end);
  });
});
