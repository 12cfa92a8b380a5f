import type { Command } from "commander";
import { describe, type Game, schemaHash, shapesOf } from "../../env/index.js";
import { example, type GameFlags, gameFrom, print, printJson, withGameOptions } from "./common.js";
import { table } from "../../training/report/table.js";

export function register(command: Command): void {
  withGameOptions(command)
    .argument("<game>", "as `kessel list` names it")
    .option("--json", "everything, machine-readable: every action, feature and place")
    .addHelpText("after", example("kessel describe pocket-stalingrad"))
    .action(async (id: string, flags: GameFlags & { json?: boolean }) => {
      const game = await gameFrom(id, flags);
      if (flags.json) printJson(describe(game));
      else print(summary(game));
    });
}

function summary(game: Game): string {
  const { type } = game;
  const shapes = shapesOf(game.observation);
  const facts: [string, string][] = [
    ["game", `${type.id} (version ${type.version}, schema ${schemaHash(game)})`],
    ["sides", game.players.length === 1 ? `${game.players[0]!}, alone against the system` : game.players.join(", ")],
    ["actions", `${game.actions.length}, such as ${sample(game.actions)}`],
    ["decisions", `at most ${game.maxDecisions} in a game`],
    ["globals", `[${shapes.globals[0]}]`],
    ["map", `[${shapes.map.join(", ")}], rows are places such as ${sample(game.observation.mapRows)}`],
    ["units", `[${shapes.units.join(", ")}], rows are ${sample(game.observation.unitRows)}`],
    ["decision", `[${shapes.decision[0]}]`],
    ["potentials", Object.keys(game.potentials).join(", ") || "none"],
    ["chance", game.chance ? "sampled, or explicit nodes" : "sampled"],
  ];
  const lines = [
    type.title,
    type.credits,
    "",
    ...facts.filter(([, v]) => v !== "").map(([k, v]) => `${k.padEnd(10)}  ${v}`),
  ];
  if (type.reconstructed !== null) lines.push(`${"data".padEnd(10)}  reconstructed: ${type.reconstructed}`);
  if (type.options.length > 0)
    lines.push(
      "",
      table(
        ["option", "values", "chosen", "what it does"],
        type.options.map((o) => [o.id, o.values.join(" "), String(game.options[o.id]), o.about]),
        4,
      ),
    );
  return lines.join("\n");
}

/** A few names from over the whole list. */
function sample(names: readonly string[], n = 4): string {
  if (names.length <= n) return names.join(", ") || "none";
  return Array.from({ length: n }, (_, i) => names[Math.floor((i * (names.length - 1)) / (n - 1))]!).join(", ");
}
