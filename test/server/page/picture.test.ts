import { expect, test } from "vitest";
import { loadGame, newState, SeededDice } from "../../../env/index.js";
import { sceneOf } from "../../../env/core/scene-generic.js";
import type { Base } from "../../../server/page/frame.js";
import { BaseCache } from "../../../server/page/picture.js";

test("a place is described by the game's own word for its ground, not by that of the drawing", () => {
  const game = loadGame("streets-of-stalingrad", { scenario: "drill-kurgan" });
  const state = newState(game.stateSize);
  const dice = new SeededDice();
  dice.begin(state);
  game.start(state, dice);
  const bases = new BaseCache();
  const base = JSON.parse(String(bases.asset(bases.of(sceneOf(game, state, 0)).name)!.body)) as Base;
  const about = (id: string): string => base.places.find((p) => p.id === id)!.about;
  expect(about("1039")).toBe("strongpoint, balka, hilltop, slope top, 2 German points");
  expect(about("1140")).toBe("forest, balka");
  expect(about("0342")).toBe("volga");
});
