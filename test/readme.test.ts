import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GAMES, loadGame, shapesOf } from "../env/index.js";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const rows = readme.split("\n").filter((line) => line.startsWith("| [`"));

describe("README", () => {
  test("has a row for each game and none besides", () => {
    expect(rows.map((r) => /\[`([^`]+)`\]/.exec(r)![1]).sort()).toEqual(GAMES.map((g) => g.id).sort());
  });

  test.each(GAMES.map((g) => g.id))("says of %s what the game says of itself", (id) => {
    const cells = rows
      .find((r) => r.includes(`[\`${id}\`]`))!
      .split("|")
      .map((c) => c.trim());
    const game = loadGame(id);
    const { globals, map, units, decision } = shapesOf(game.observation);
    for (const side of game.players) expect(cells[2]).toContain(`\`${side}\``);
    expect(cells[4]).toBe(String(game.actions.length));
    expect(cells[5]).toBe(`${globals[0]}, ${map.join("x")}, ${units.join("x")}, ${decision[0]}`);
    expect(cells[6]!.includes("reconstruct"), "says whether data is reconstructed").toBe(
      game.type.reconstructed !== null,
    );
  });

  test("links to files that exist", () => {
    for (const [, target] of readme.matchAll(/\]\(([^)#]+)\)/g))
      expect(() => readFileSync(join(root, target!)), target).not.toThrow();
  });
});

describe.each(GAMES.map((g) => g.id))("README of %s", (id) => {
  const text = readFileSync(join(root, "env", id, "README.md"), "utf8");
  const game = loadGame(id);
  /** The numbers in the second cell of a table's row. */
  const numbers = (name: string): number[] => {
    const cell = new RegExp(`^\\| \`?${name}\`? \\| ([^|]*)\\|`, "m").exec(text)?.[1];
    expect(cell, `a row for ${name}`).toBeDefined();
    return [...cell!.matchAll(/\d+/g)].map(Number);
  };

  test("has the game's title", () => {
    expect(text.split("\n")[0]).toContain(`# ${game.type.title}`);
  });

  test("gives its shapes", () => {
    const { globals, map, units, decision } = shapesOf(game.observation);
    expect(numbers("actions")).toContain(game.actions.length);
    expect(numbers("globals").slice(0, 1)).toEqual(globals);
    expect(numbers("map").slice(0, 2)).toEqual(map);
    expect(numbers("units").slice(0, 2)).toEqual(units);
    expect(numbers("decision").slice(0, 1)).toEqual(decision);
  });

  test("names every option with its values", () => {
    for (const option of game.type.options) {
      const row = text.split("\n").find((line) => line.startsWith(`| \`${option.id}\` |`));
      expect(row, option.id).toBeDefined();
      if (option.values.every((v) => typeof v === "string"))
        for (const value of option.values) expect(row).toContain(String(value));
    }
  });

  test("lists its versions up to the present one", () => {
    const versions = text.split(/^## Versions$/m)[1] ?? "";
    const listed = [...versions.matchAll(/^(\d+)\. /gm)].map((m) => Number(m[1]));
    expect(listed).toEqual(Array.from({ length: game.type.version }, (_, i) => i + 1));
  });

  test("says what is reconstructed, if anything is", () => {
    expect(/reconstruct/i.test(text)).toBe(game.type.reconstructed !== null);
  });
});
