import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonical, Env, GAMES, loadGame, NOBODY, Rng, shapesOf } from "../env/index.js";
import { creditLines, rowsOf, withGames } from "../server/cli/readme.js";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const rows = rowsOf(readme);

/** True when anybody sees less than the whole position, in a game of random play. */
function hides(id: string): boolean {
  const env = new Env(loadGame(id));
  const rng = new Rng("readme");
  const legal: number[] = [];
  env.reset("readme");
  while (env.actor !== NOBODY) {
    const whole = canonical(env.game.write(env.state));
    if (env.game.players.some((_, player) => canonical(env.game.view(env.state, player)) !== whole)) return true;
    legal.length = 0;
    env.mask.forEach((may, action) => may === 1 && legal.push(action));
    env.step(legal[rng.below(legal.length)]!);
  }
  return false;
}

describe("README", () => {
  test("has a row for each game and none besides", () => {
    expect([...rows.keys()].sort()).toEqual(GAMES.map((g) => g.id).sort());
  });

  test("says of every game, and credits it, what its own data say (npm run reports -- readme writes it)", () => {
    expect(readme).toBe(withGames(readme, GAMES));
    for (const game of GAMES) {
      expect(readme).toContain(creditLines(game).join("\n"));
      expect(creditLines(game).join(" ")).toContain(game.reconstructed === null ? "as printed" : "Reconstructed");
    }
  });

  test("a row that says something else is put right, and one that is missing added", () => {
    const row = rows.get("night-fight")!.line;
    const wrong = readme.replace(row, row.replace("| 40 |", "| 30 |")).replace(rows.get("savage-streets")!.line, "");
    expect(wrong).not.toBe(readme);
    const right = withGames(wrong.replace("\n\n| [Night", "\n| [Night"), GAMES);
    expect(rowsOf(right).get("night-fight")!.line).toBe(row);
    expect(rowsOf(right).get("savage-streets")).toMatchObject({ like: "?", hidden: "?" });
  });

  test.each(GAMES.map((g) => g.id))("says in a few words what %s is like", (id) => {
    expect(rows.get(id)!.like).toMatch(/^[a-z].{20,80}$/);
  });

  test.each(GAMES.map((g) => g.id))("says that %s hides nothing where it hides nothing", (id) => {
    const { hidden } = rows.get(id)!;
    expect(hidden).toMatch(/^[a-zA-Z].{5,}$/);
    expect(hidden === "nothing").toBe(!hides(id));
  });

  test("is one and a half screens, its credits not counted", () => {
    expect(readme.split("## Credits")[0]!.split("\n").length).toBeLessThanOrEqual(85);
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
