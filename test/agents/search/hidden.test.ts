import { expect, test } from "vitest";
import { isBlind } from "../../../agents/search/hidden.js";
import { type Game, loadGame } from "../../../env/index.js";
import { patrol } from "../../toys/patrol.js";

const blind = (game: Game): string[] => game.players.filter((_, p) => isBlind(game, p));

test("it is found from whom something is hidden, by playing", () => {
  expect(blind(loadGame("pocket-stalingrad")), "dice alone").toEqual([]);
  expect(blind(loadGame("savage-streets")), "the Soviet player hides counters").toEqual(["G"]);
  expect(blind(loadGame("streets-of-stalingrad"))).toEqual(["german", "soviet"]);
  expect(blind(loadGame("night-fight"))).toEqual(["german"]);
  expect(blind(patrol.load({}, {}))).toEqual(patrol.load({}, {}).players);
});
