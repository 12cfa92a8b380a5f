import type { Command } from "commander";
import { GAMES } from "../../env/registry.js";
import { example, print, printJson } from "./common.js";
import { table } from "../../training/report/table.js";

export function register(command: Command): void {
  command
    .option("--json", "machine-readable")
    .addHelpText("after", example("kessel list"))
    .action(({ json }: { json?: boolean }) => {
      if (json)
        return printJson(
          GAMES.map(({ id, title, credits, version, reconstructed }) => ({
            id,
            title,
            credits,
            version,
            reconstructed,
          })),
        );
      print(
        table(
          ["game", "title", "by"],
          GAMES.map((g) => [g.id, g.title, g.credits]),
          3,
        ),
      );
      for (const g of GAMES) if (g.reconstructed !== null) print(`\n${g.id}, reconstructed: ${g.reconstructed}`);
    });
}
