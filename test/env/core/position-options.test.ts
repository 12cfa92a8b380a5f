import { describe, expect, test } from "vitest";
import { Env, type Game, gameFor, type GameType, GAMES, type JsonObject, runCase } from "../../../env/index.js";
import { optionSets } from "../../conformance/option-sets.js";

const begun = (game: Game): Env => {
  const env = new Env(game);
  env.reset("options");
  return env;
};
/** A position of each game, written with each set of options. */
const written = GAMES.flatMap((type) =>
  optionSets(type).map(({ name, game }) => ({
    id: type.id,
    name,
    type,
    game,
    position: begun(game).game.write(begun(game).state),
  })),
);
const other = (type: GameType, game: Game): Game | undefined =>
  optionSets(type).find(({ game: g }) => JSON.stringify(g.options) !== JSON.stringify(game.options))?.game;

describe("a position document contains the options of its game", () => {
  test.each(written)("$id, $name: it loads that game again", ({ type, game, position }) => {
    expect(gameFor(type, position).options).toEqual(game.options);
  });

  test.each(written)("$id, $name: left out, they are what the reader has", ({ game, position }) => {
    const rest = Object.fromEntries(Object.entries(position).filter(([key]) => key !== "options"));
    expect(() => begun(game).resetTo(rest, "options")).not.toThrow();
  });

  test.each(written)("$id, $name: another game refuses it", ({ type, game, position }) => {
    const stranger = other(type, game);
    if (stranger === undefined) return;
    expect(() => begun(stranger).resetTo(position, "options")).toThrow(
      expect.objectContaining({ code: "bad-position" }) as Error,
    );
  });

  test.each(written)(
    "$id, $name: a case may name all of them and others than its position",
    ({ type, game, position }) => {
      const open = (options: JsonObject): string[] =>
        runCase(type, {
          id: "O-1",
          rule: "1",
          position,
          options: options as never,
          steps: [{ expect: { terminal: false } }],
        });
      expect(open(game.options)).toEqual([]);
    },
  );
});
