/** Places that count for victory carry flags in the colours of who holds them. */
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { Env, GAMES, loadGame, type Overlay, type Scene, sceneOf, SPECTATOR } from "../../../env/index.js";
import { drawScene } from "../../../server/draw/picture.js";

function opening(id: string, options = {}): { env: Env; scene: () => Scene } {
  const game = loadGame(id, options);
  const env = new Env(game);
  env.reset("flags");
  return { env, scene: () => sceneOf(game, env.state, SPECTATOR) };
}
type Flags = Extract<Overlay, { kind: "flags" }>;
const flags = (scene: Scene): Flags[] => scene.overlays.filter((o) => o.kind === "flags");
/** Who holds each place, and its worth. */
const held = (scene: Scene): Record<string, string> =>
  Object.fromEntries(
    flags(scene).flatMap((o) =>
      o.places.map((p, i) => [p, [o.side ?? "nobody", ...(o.worth?.slice(i, i + 1) ?? [])].join(" ")]),
    ),
  );

test.each(GAMES.map(({ id }) => id))("%s draws a flag on each place that counts, with what it is worth", (id) => {
  const scene = opening(id).scene();
  const expected = flags(scene).flatMap((o) => o.places.map((_, i) => String(o.worth?.[i] ?? "")));
  expect(expected.length).toBeGreaterThan(0);
  const { document } = parseHTML(`<html><body>${drawScene(scene)}</body></html>`);
  const drawn = [...document.querySelectorAll(".flag")].map((f) => f.querySelector("text")?.textContent ?? "");
  expect(drawn).toEqual(expected);
});

test("Pocket Stalingrad: the five city areas count their VP for whoever has captured them", () => {
  const { env, scene } = opening("pocket-stalingrad");
  expect(held(scene())).toEqual({
    "1": "nobody 5",
    "2": "nobody 6",
    "3": "nobody 7",
    "4": "nobody 9",
    "5": "nobody 12",
  });
  const position = env.game.write(env.state) as unknown as { areas: Record<string, { captured?: string }> };
  position.areas["4"]!.captured = "german";
  env.resetTo(position as never, "flags");
  expect(held(scene())["4"]).toBe("german 9");
});

test("Savage Streets: the landings 7 and 8 are Soviet at first", () => {
  expect(held(opening("savage-streets").scene())).toEqual({ "7": "S", "8": "S" });
});

test("Streets of Stalingrad: victory hexes are Soviet until German units enter them", () => {
  const { env, scene } = opening("streets-of-stalingrad");
  expect(held(scene())).toEqual({ "0311": "soviet 1", "0312": "soviet 1", "0412": "soviet 1" });
  const position = structuredClone(env.game.write(env.state)) as unknown as { units: Record<string, { at: string }> };
  const soviets = Object.keys(position.units).filter((u) => position.units[u]!.at === "0412");
  for (const u of soviets) position.units[u]!.at = "0212";
  position.units["g1"]!.at = "0412";
  env.resetTo(position as never, "flags");
  expect(held(scene())["0412"]).toBe("german 1");
  expect(held(opening("streets-of-stalingrad", { scenario: "drill-kurgan" }).scene())).toEqual({
    "0838": "soviet 1",
    "0939": "soviet 1",
    "1039": "soviet 2",
  });
});

test("Strike & Counterstrike: the nineteen fortified localities are German at first", () => {
  const owners = Object.values(held(opening("strike-counterstrike").scene()));
  expect(owners).toEqual(Array.from({ length: 19 }, () => "german"));
});

test("Night Fight: the hexes of the exit edge that are not ablaze, whichever edge it is", () => {
  for (const [entryEdge, column] of [
    ["left", "30"],
    ["right", "15"],
  ] as const) {
    const places = Object.entries(held(opening("night-fight", { entryEdge }).scene()));
    expect(places.length).toBe(20);
    for (const [place, owner] of places) expect([place.slice(0, 2), owner]).toEqual([column, "nobody"]);
  }
});
