import { expect, test } from "vitest";
import { boardRows, Env, EVERYTHING, sceneFault, sceneOf, sceneSchema, SPECTATOR } from "../../../env/index.js";
import { loadGame } from "../../../env/registry.js";

const game = loadGame("streets-of-stalingrad");
const env = new Env(game);
env.reset("scene");

test.each([0, 1, SPECTATOR, EVERYTHING])(
  "a scene for viewer %i fits its schema and names only what is there",
  (viewer) => {
    const scene = sceneOf(game, env.state, viewer);
    expect(sceneSchema.parse(scene)).toEqual(scene);
    expect(sceneFault(scene, boardRows(game))).toBeNull();
    expect(scene.counters).toHaveLength(11);
  },
);

test("what lies face down has a back and no name, for the other side only", () => {
  const backs = (viewer: number) => sceneOf(game, env.state, viewer).counters.flatMap((c) => (c.back ? [c.place] : []));
  expect(backs(0).sort()).toEqual(["0212", "0311", "0312", "0312", "0412"]);
  // the suburb keeps the Germans out of every Soviet's sight (7.3)
  expect(backs(1).sort()).toEqual(["0315", "0315", "0315", "0414", "0414", "0414"]);
  expect(backs(EVERYTHING)).toEqual([]);
});

test("the north is up and the Volga in the east; victory hexes carry a star", () => {
  const { places } = sceneOf(game, env.state, 0).board;
  const place = (id: string) => places.find((p) => p.id === id)!;
  expect(place("0213").at[1]).toBeLessThan(place("0212").at[1]);
  expect(place("0112").at[0]).toBeGreaterThan(place("0212").at[0]);
  expect(places.flatMap((p) => (p.glyphs ? [p.id] : []))).toEqual(["0311", "0312", "0412"]);
});

test("a mark shows where an attack was ordered", () => {
  const marked = new Env(game);
  marked.resetTo({ ...game.write(env.state), marks: { "0312": ["attack"] } }, "marks");
  const { overlays } = sceneOf(game, marked.state, 1);
  expect(overlays).toEqual([{ kind: "area", look: "battle", title: "to be attacked", places: ["0312"] }]);
});
