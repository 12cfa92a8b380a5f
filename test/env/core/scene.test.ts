import { describe, expect, test } from "vitest";
import { Env, GAMES, genericScene, loadGame, sceneFault, sceneSchema } from "../../../env/index.js";
import { TOYS } from "../../toys/index.js";

const start = (game: ReturnType<typeof loadGame>) => {
  const env = new Env(game);
  env.reset("scene");
  return env;
};

test.each([...GAMES, ...TOYS].map((t) => ({ id: t.id, type: t })))(
  "$id has a board from its statics alone",
  ({ type }) => {
    const game = type.load(Object.fromEntries(type.options.map((o) => [o.id, o.default])), type.data);
    const scene = genericScene(game, start(game).state, 0);
    expect(sceneSchema.safeParse(scene).error).toBeUndefined();
    expect(sceneFault(scene, game.observation.mapRows)).toBeNull();
    expect(scene.text).toBe(game.render(start(game).state, 0));
  },
);

test("a map of four-digit hexes is drawn as hexes, areas as cards with their links", () => {
  const kinds = ["strike-counterstrike", "night-fight", "savage-streets", "pocket-stalingrad"].map((id) => {
    const game = loadGame(id);
    const { board } = genericScene(game, start(game).state, 0);
    return `${board.kind}, ${board.links.length} links`;
  });
  expect(kinds).toEqual(["hexes, 0 links", "hexes, 0 links", "areas, 30 links", "areas, 15 links"]);
});

describe("sceneFault", () => {
  const game = loadGame("savage-streets");
  const sound = genericScene(game, start(game).state, 0);
  const rows = game.observation.mapRows;
  const counter = { id: "a", kind: "counter" as const, title: "a", place: "7", side: "G" };

  test("finds nothing wrong with a sound scene", () => {
    expect(sceneFault({ ...sound, counters: [counter] }, rows)).toBeNull();
  });
  test("reports what is named and isn't there", () => {
    expect(sceneFault({ ...sound, counters: [{ ...counter, place: "13" }] }, rows)).toBe(
      "counter a names the place 13, which isn't on the board",
    );
    expect(sceneFault({ ...sound, counters: [{ ...counter, side: "R" }] }, rows)).toBe(
      "counter a names the side R, which doesn't exist",
    );
    expect(sceneFault(sound, [...rows, "13"])).toBe("row 13 of map is no place");
  });
  test("reports two pieces with one id, and a name on a face-down counter", () => {
    expect(sceneFault({ ...sound, counters: [counter, counter] }, rows)).toBe("two pieces have the id a");
    expect(sceneFault({ ...sound, counters: [{ ...counter, back: {}, unit: "I/272" }] }, rows)).toBe(
      "counter a is face down and is named I/272",
    );
  });
});
