import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadGame, newState, SeededDice, seedStream } from "../../../env/index.js";
import { buildProgram } from "../../../server/cli/run.js";
import { pixelsOf, pngOf } from "../../../server/draw/png.js";
import { renderPng, renderSvg } from "../../../server/draw/render-scene.js";

const page = (text: string, family: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="#fff"/><text x="4" y="24" font-size="24" font-family="${family}" font-weight="600">${text}</text></svg>`;
const dark = async (svg: string): Promise<number> => {
  const { rgb } = await pixelsOf(svg);
  let n = 0;
  for (let i = 0; i < rgb.length; i += 3) if (rgb[i]! < 128) n++;
  return n;
};

test("both fonts are there: text leaves ink, and each its own", async () => {
  const [sans, serif] = [await dark(page("Kg", "Barlow Condensed")), await dark(page("Kg", "Source Serif 4"))];
  expect(sans).toBeGreaterThan(20);
  expect(serif).toBeGreaterThan(20);
  expect(serif).not.toBe(sans);
});

describe("a game's board", () => {
  const game = loadGame("pocket-stalingrad");
  const s = newState(game.stateSize);
  seedStream("1", s);
  const dice = new SeededDice();
  dice.begin(s);
  game.start(s, dice);

  test("as a PNG file of the width asked for", () => {
    const png = renderPng(game, s, 0, { width: 390 });
    expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
    expect(png.readUInt32BE(16)).toBe(390);
  });
  test("as pixels, three bytes each", async () => {
    const { width, height, rgb } = await pixelsOf(renderSvg(game, s, 0, { width: 390, theme: "dark" }));
    expect([width, rgb.length]).toEqual([390, 390 * height * 3]);
    expect([...rgb.subarray(0, 3)], "the page of the dark theme").toEqual([0x17, 0x18, 0x1a]);
  });
  test.each([
    ["lower than it would be", 300],
    ["higher than it would be", 1500],
  ])("in a height of its own, %s: nothing is cut off and the rest is page", async (_what, height) => {
    const drawn = await pixelsOf(renderSvg(game, s, 0, { width: 600, height }));
    expect([drawn.width, drawn.height]).toEqual([600, height]);
    const [first, last] = [drawn.rgb.subarray(0, 3), drawn.rgb.subarray(-3)];
    expect([...first], "page in the corners").toEqual([...last]);
    const inked = [...Array(height).keys()].filter((y) =>
      drawn.rgb.subarray(y * 1800, (y + 1) * 1800).some((v, i) => v !== first[i % 3]),
    );
    const natural = /height="(\d+)/.exec(renderSvg(game, s, 0, { width: 600 }))![1];
    expect(inked.at(-1)!).toBeLessThan(Math.min(height, Number(natural)));
    expect(inked.at(-1)!, "as large as fits").toBeGreaterThan(Math.min(height, Number(natural)) * 0.9);
  });
});

describe("kessel draw", () => {
  const run = (...words: string[]): Promise<unknown> =>
    buildProgram().then((program) => program.parseAsync(["draw", ...words], { from: "user" }));

  test("writes what its ending says", async () => {
    const dir = mkdtempSync(join(tmpdir(), "draw-"));
    await run("night-fight", "--decisions", "25", "--width", "390", "--out", join(dir, "n.svg"));
    await run("night-fight", "--decisions", "25", "--width", "390", "--out", join(dir, "n.png"));
    expect(readFileSync(join(dir, "n.svg"), "utf8").startsWith("<svg")).toBe(true);
    expect(readFileSync(join(dir, "n.png")).equals(pngOf(readFileSync(join(dir, "n.svg"), "utf8")))).toBe(true);
  });
  test.each([
    [["night-fight", "--out", "n.gif"], "--out is a file that ends in .svg or .png"],
    [["night-fight", "--out", "/tmp/n.svg", "--theme", "css"], "--theme is light or dark"],
    [["night-fight", "--out", "/tmp/n.svg", "--around", "9999"], "--around is a place of night-fight"],
    [["night-fight", "--out", "/tmp/n.svg", "--viewer", "soviet"], "has no seat"],
  ])("refuses %j", async (words, says) => {
    await expect(run(...words)).rejects.toThrow(says);
  });
});
