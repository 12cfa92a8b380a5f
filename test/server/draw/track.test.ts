import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import type { Track } from "../../../env/index.js";
import { THEMES } from "../../../server/draw/theme.js";
import { drawTrack } from "../../../server/draw/trays.js";

const WIDTH = 316;

const turns = (n: number, now: number): Track => ({
  id: "turns",
  name: "Turn",
  cells: Array.from({ length: n }, (_, i) => ({
    id: String(i + 1),
    label: String(i + 1),
    state: i + 1 < now ? "past" : i + 1 > now ? "ahead" : "now",
  })),
});

/** The boxes of a track and the letters in them. */
function drawn(track: Track) {
  const { svg, height } = drawTrack(track, WIDTH, THEMES.light);
  const { document } = parseHTML(`<html><body><svg>${svg}</svg></body></html>`);
  const boxes = [...document.querySelectorAll(".cell")].map((cell) => {
    const rect = cell.querySelector("rect")!;
    const [x, y, width, high] = ["x", "y", "width", "height"].map((a) => Number(rect.getAttribute(a)));
    const label = cell.querySelector("text")!;
    return {
      x: x!,
      y: y!,
      right: x! + width!,
      bottom: y! + high!,
      label: label.textContent,
      size: Number(label.getAttribute("font-size")),
    };
  });
  return { boxes, height };
}

test.each([1, 6, 12, 18, 67])("every turn of %i can be read", (n) => {
  const { boxes, height } = drawn(turns(n, 1));
  expect(boxes.map((b) => b.label)).toEqual(turns(n, 1).cells.map((c) => c.label));
  for (const b of boxes) {
    expect(b.size).toBeGreaterThanOrEqual(11);
    expect(b.right).toBeLessThanOrEqual(WIDTH);
    expect(b.bottom).toBeLessThanOrEqual(height);
  }
});

test("a short track is one row; a long one goes on in the next row, from left to right", () => {
  const rows = (n: number): number => new Set(drawn(turns(n, 1)).boxes.map((b) => b.y)).size;
  expect(rows(12)).toBe(1);
  expect(rows(67)).toBe(5);
  const { boxes } = drawn(turns(67, 1));
  for (const [i, b] of boxes.slice(1).entries())
    expect(b.y > boxes[i]!.bottom || (b.y === boxes[i]!.y && b.x > boxes[i]!.right)).toBe(true);
});
