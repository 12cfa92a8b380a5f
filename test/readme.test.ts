import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { GAMES, loadGame, shapesOf } from "../env/index.js";
import { buildProgram } from "../server/cli/run.js";

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
    expect(cells[6]!.includes("reconstruct"), "data that is mostly reconstructed is called so").toBe(
      id !== "pocket-stalingrad",
    );
  });

  test("links to files that exist", () => {
    for (const [, target] of readme.matchAll(/\]\(([^)#]+)\)/g))
      expect(() => readFileSync(join(root, target!)), target).not.toThrow();
  });

  const commands = readme.split("\n").filter((line) => line.startsWith("npx kessel "));
  test.each(commands)("shows a command that exists: %s", (line) => {
    const words = line.split(" #")[0]!.trim().split(/\s+/).slice(2);
    let command: Command = buildProgram();
    for (
      let next = command.commands.find((c) => c.name() === words[0]);
      next !== undefined;
      next = command.commands.find((c) => c.name() === words[0])
    ) {
      command = next;
      words.shift();
    }
    expect(command.name()).not.toBe("kessel");
    for (const word of words.filter((w) => w.startsWith("-")))
      expect(command.options.some((o) => o.long === word || o.short === word) || word === "--help", word).toBe(true);
  });
});
