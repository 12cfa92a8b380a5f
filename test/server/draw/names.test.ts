import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { Env, loadGame, type Scene, sceneOf, SPECTATOR } from "../../../env/index.js";
import type { Frame } from "../../../server/draw/geometry.js";
import { drawNames } from "../../../server/draw/names.js";
import { drawScene } from "../../../server/draw/picture.js";
import { arranged } from "../../../server/draw/pieces.js";
import { textWidth } from "../../../server/draw/svg.js";
import { THEMES } from "../../../server/draw/theme.js";

const UNIT = 60;

function opening(id: string, options = {}): Scene {
  const env = new Env(loadGame(id, options));
  env.reset("names");
  return sceneOf(env.game, env.state, SPECTATOR);
}

const frameOf = ({ board }: Scene): Frame => ({ board, unit: UNIT });
const parsed = (svg: string) => parseHTML(`<html><body><svg>${svg}</svg></body></html>`).document;
const names = (f: Frame) => [...parsed(drawNames(f, THEMES.light)).querySelectorAll(".names text")];

interface Box {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boxOfName(e: ReturnType<typeof names>[number]): Box {
  const [x, y, size] = ["x", "y", "font-size"].map((a) => Number(e.getAttribute(a))) as [number, number, number];
  const half = textWidth(e.textContent!, size) / 2;
  return { name: e.textContent!, left: x - half, right: x + half, top: y - 0.7 * size, bottom: y };
}

test.each(["strike-counterstrike", "streets-of-stalingrad", "savage-streets"])(
  "in %s names are over the counters",
  (id) => {
    const scene = opening(id, id === "streets-of-stalingrad" ? { scenario: "drill-kurgan" } : {});
    const { id: place } = scene.board.places[0]!;
    const svg = drawScene({ ...scene, counters: [{ id: "c", kind: "counter", title: "a counter", place }] });
    expect(svg.match(/class="names"/g)).toHaveLength(1);
    expect(svg.indexOf('class="names"')).toBeGreaterThan(svg.lastIndexOf("data-place="));
  },
);

test.each([
  ["strike-counterstrike", {}],
  ["streets-of-stalingrad", { scenario: "drill-kurgan" }],
])("in %s names fit between counters, with one on every hex", (id, options) => {
  const scene = opening(id, options);
  const f = frameOf(scene);
  const [counter] = scene.counters;
  const full = { ...scene, counters: f.board.places.map((p) => ({ ...counter!, id: p.id, place: p.id })) };
  const counters = arranged(f, full).map(({ x, y, size }) => ({ x, y, half: size / 2 - 0.02 * UNIT }));
  const hidden = names(f)
    .map(boxOfName)
    .filter((n) =>
      counters.some(
        (c) => n.left < c.x + c.half && n.right > c.x - c.half && n.top < c.y + c.half && n.bottom > c.y - c.half,
      ),
    );
  expect(hidden).toEqual([]);
});

test("Tula and Mamayev Kurgan have their names, without the part in brackets", () => {
  const written = (id: string, options = {}): string[] =>
    names(frameOf(opening(id, options))).map((e) => e.textContent!);
  expect(written("strike-counterstrike")).toContain("Tula");
  expect(written("streets-of-stalingrad", { scenario: "drill-kurgan" })).toContain("Mamayev Kurgan");
});

test("a hex that counts has a star under its counter, with a name or without", () => {
  const scene = opening("streets-of-stalingrad", { scenario: "drill-kurgan" });
  const counting = scene.board.places.filter((p) => p.glyphs?.some((g) => g.glyph === "star"));
  expect(counting.map((p) => p.name)).toContain("");
  const stars = parsed(drawNames(frameOf(scene), THEMES.light)).querySelectorAll(".names path");
  expect(stars.length).toBe(counting.length);
});
