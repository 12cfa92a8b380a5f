import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { Env, EVERYTHING, GAMES, resolveOptions, Rng, type Scene, sceneOf, SPECTATOR } from "../../../env/index.js";
import { drawScene, type PictureOptions } from "../../../server/draw/picture.js";
import { TOYS } from "../../toys/index.js";

const games = [...GAMES, ...TOYS].map((type) => ({ id: type.id, type }));

/** Scenes of random play, as everybody sees them. */
function scenes(id: string, stops: readonly number[]): Scene[] {
  const { type } = games.find((g) => g.id === id)!;
  const game = type.load(resolveOptions(type), type.data);
  const env = new Env(game);
  env.reset(`draw/${id}`);
  const rng = new Rng(`draw/${id}`);
  const found: Scene[] = [];
  for (let n = 0; n <= stops.at(-1)! && !env.terminated; n++) {
    if (stops.includes(n))
      for (const viewer of [...game.players.keys(), SPECTATOR, EVERYTHING])
        found.push(sceneOf(game, env.state, viewer));
    const legal = env.legal();
    env.step(legal[rng.below(legal.length)]!);
  }
  return found;
}

const parsed = (svg: string) => parseHTML(`<html><body>${svg}</body></html>`).document;
const LOOKS: PictureOptions[] = [
  { width: 390, theme: "dark" },
  { width: 1440 },
  { width: 3840, theme: "light" },
  { theme: "css" },
];

/** Every tag that opens is closed, in order, as XML requires. */
function unbalanced(svg: string): string | null {
  const open: string[] = [];
  for (const [tag, close, name, self] of svg.matchAll(/<(\/?)([A-Za-z]+)[^>]*?(\/?)>/g)) {
    if (close === "/") {
      if (open.pop() !== name) return tag!;
    } else if (self !== "/") open.push(name!);
  }
  return open.at(-1) ?? null;
}

test.each(games)("$id is drawn at every width and in every theme, without holes", ({ id }) => {
  for (const scene of scenes(id, [0, 3, 17, 60, 150]))
    for (const look of LOOKS) {
      const svg = drawScene(scene, look);
      expect(svg).not.toMatch(/NaN|undefined|Infinity|\[object/);
      expect(unbalanced(svg)).toBeNull();
      expect(drawScene(structuredClone(scene), look) === svg, "the same scene gives the same picture").toBe(true);
    }
});

test.each(games)("$id shows each stack of counters with its id and place, and each item of a tray", ({ id }) => {
  for (const scene of scenes(id, [0, 40, 120])) {
    const document = parsed(drawScene(scene));
    const drawn = [...document.querySelectorAll(".counter[data-place]")].map((e) => e.getAttribute("data-place")!);
    expect(new Set(drawn)).toEqual(new Set(scene.counters.map((c) => c.place!)));
    if (scene.board.kind === "areas") expect(drawn.length).toBe(scene.counters.length);
    else expect(drawn.length, "one stack a hex").toBe(new Set(drawn).size);
    for (const tray of scene.trays)
      expect(document.querySelectorAll(`[data-tray="${tray.id}"] [data-id]`).length).toBe(tray.items.length);
  }
});

test("every place of a hex map has its number, once, from 26 px a hex", () => {
  const [scene] = scenes("strike-counterstrike", [0]);
  const numbers = (width: number): string[] =>
    [...parsed(drawScene(scene!, { width })).querySelectorAll(".numbers text")].map((e) => e.textContent!);
  expect(numbers(1440)).toEqual(scene!.board.places.map((p) => p.id));
  expect(numbers(390)).toEqual([]);
});

test("a face-down counter shows its public age and nothing of its own", () => {
  const [scene] = scenes("strike-counterstrike", [0]);
  const marker = scene!.counters.find((c) => c.back !== undefined)!;
  const only = (back: NonNullable<typeof marker.back>) =>
    parsed(drawScene({ ...scene!, counters: [{ ...marker, back, name: "secret", title: "secret" }] })).querySelector(
      ".counter",
    )!;
  expect(only({ age: 7 }).textContent).toBe("7");
  expect(only({}).textContent).toBe("");
  expect(only({}).outerHTML).not.toContain("secret");
});

test("names with markup in them are text", () => {
  const [scene] = scenes("strike-counterstrike", [0]);
  const svg = drawScene({ ...scene!, title: `<script>"&'</script>\u0000`, caption: "a < b" });
  expect(svg).not.toContain("<script>");
  expect(parsed(svg).querySelector("text")!.textContent).toBe(`<script>"&'</script>`);
});

test("around a hex the map is drawn at reading size", () => {
  const [scene] = scenes("strike-counterstrike", [0]);
  const size = (look: PictureOptions): number =>
    Number(parsed(drawScene(scene!, look)).querySelector(".numbers")?.getAttribute("font-size") ?? 0);
  expect(size({ width: 390 })).toBe(0);
  expect(size({ width: 390, around: "2408" })).toBeGreaterThanOrEqual(6);
});
