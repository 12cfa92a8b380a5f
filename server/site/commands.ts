import type { Command } from "commander";
import { buildProgram } from "../cli/run.js";

const program = await buildProgram();

/** The help of every command, as `kessel COMMAND --help` prints it. */
export const commandsHelp = (): string =>
  program.commands.flatMap((command) => [`## ${command.name()}`, ...helpOf(command, "kessel")]).join("\n\n");

/** A command and those below it. */
function helpOf(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`;
  const own = `\`\`\`text\n${command.helpInformation().trimEnd()}\n\`\`\``;
  return [own, ...command.commands.flatMap((c) => [`### ${name} ${c.name()}`, ...helpOf(c, name)])];
}
