import type { Command } from "commander";
import { buildProgram } from "../cli/run.js";

const program = await buildProgram();

/** The help texts of all commands, as `kessel COMMAND --help` prints them. */
export const commandsHelp = (): string =>
  program.commands.flatMap((command) => [`## ${command.name()}`, ...helpOf(command, "kessel")]).join("\n\n");

/** The help text of a command, then of its subcommands. */
function helpOf(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`;
  const own = `\`\`\`text\n${command.helpInformation().trimEnd()}\n\`\`\``;
  return [own, ...command.commands.flatMap((c) => [`### ${name} ${c.name()}`, ...helpOf(c, name)])];
}
