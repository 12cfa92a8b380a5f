import { gameIds, KesselError, oneOf, shown } from "../../env/index.js";
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
  const [{ agentKinds }, { hasSuite, readSuite }, { PARTS, runSuite }, { suiteText }, { progressBar }] =
    await Promise.all([
      import("../../agents/registry.js"),
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
  const all = [];
  for (const { suite, game } of (id === undefined ? gameIds().filter(hasSuite) : [id]).map(readSuite)) {
    const results = [];
    for (const agent of agents) {
      const bar = progressBar("games");
      try {
        results.push(
          await runSuite(game, suite, agent, {
            parts,
            games: flags.games,
            progress: bar.update,
            ...(flags.secret === undefined ? {} : { secret: flags.secret }),
          }),
        );
      } finally {
        bar.stop();
      }
    }
    all.push(...results);
    if (flags.json !== true) print(`${suiteText(game, suite, results, flags.games)}\n`);
  }
  if (typeof flags.json === "string") writeOut(flags.json, `${JSON.stringify(all, null, 2)}\n`);
  if (flags.json === true) printJson(all);
}
