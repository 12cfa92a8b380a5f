import { importGame } from "../../agents/import-game.js";
import { gameIds, KesselError, oneOf, shown } from "../../env/index.js";
import type { SuiteResult } from "../suite/run.js";
import { print, printJson, splitAgents, writeOut } from "./common.js";

export interface SuiteFlags {
  suite: string;
  agents: string;
  games: number;
  parts?: string;
  secret?: string;
  json?: string | boolean;
}

/** Plays the language suite of one game, or of all that have one, and prints a table for each. */
export async function runLanguageSuite(id: string | undefined, flags: SuiteFlags): Promise<void> {
  if (flags.suite !== "language")
    throw new KesselError("bad-option", `there is no suite ${shown(flags.suite)}; there is "language"`);
  const [
    { agentKinds },
    { checkAgents, labelsOf },
    { hasSuite, readSuite },
    { PARTS, runSuite },
    { suiteText },
    { progressBar },
  ] = await Promise.all([
    import("../../agents/registry.js"),
    import("../suite/agents.js"),
    import("../suite/document.js"),
    import("../suite/run.js"),
    import("../suite/report.js"),
    import("../../training/runs/progress.js"),
  ]);
  const parts = (flags.parts?.split(",") ?? [...PARTS]).map((text) => {
    const part = PARTS.find((p) => p === text);
    if (part === undefined) throw new KesselError("bad-option", `parts are ${oneOf(PARTS)}, not ${shown(text)}`);
    return part;
  });
  const agents = splitAgents(flags.agents, agentKinds());
  const labels = labelsOf(agents);
  const ids = id === undefined ? gameIds().filter(hasSuite) : [id];
  for (const each of ids) await importGame(each);
  const suites = ids.map(readSuite);
  await checkAgents(
    suites.map((s) => s.game),
    agents,
    parts.includes("puzzles"),
  );
  const all: SuiteResult[] = [];
  const { games, secret, json } = flags;
  try {
    for (const { suite, game } of suites) {
      const results: SuiteResult[] = [];
      try {
        for (const [i, agent] of agents.entries()) {
          const bar = progressBar("games");
          try {
            const options = { parts, games, label: labels[i]!, progress: bar.update };
            results.push(
              await runSuite(game, suite, agent, { ...options, ...(secret === undefined ? {} : { secret }) }),
            );
          } finally {
            bar.stop();
          }
          all.push(results.at(-1)!);
          if (typeof json === "string") writeOut(json, `${JSON.stringify(all, null, 2)}\n`);
        }
      } finally {
        // answers are paid for: what earlier agents reached is told when a later one fails, too
        if (json !== true && results.length > 0) print(`${suiteText(game, suite, results, games)}\n`);
      }
    }
  } finally {
    if (json === true) printJson(all);
  }
}
