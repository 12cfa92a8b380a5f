import type { Command } from "commander";
import { register as analyse } from "./analyse.js";
import { register as list } from "./list.js";
import { register as puzzles } from "./puzzles.js";
import { register as show } from "./show.js";

/** `kessel games`: what is done with recorded games. */
export function register(command: Command): void {
  list(command.command("list", { isDefault: true }).description("list the recorded games of a folder"));
  show(command.command("show").description("replay a recorded game and check that it comes out as recorded"));
  analyse(
    command.command("analyse").description("report what each decision of a recorded game was worth, and what was luck"),
  );
  puzzles(
    command
      .command("puzzles")
      .description("make puzzles of recorded games: positions where one action is far better, checked by search"),
  );
}
