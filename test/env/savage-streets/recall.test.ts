import { describe, expect } from "vitest";
import type { Agent } from "../../../agents/agent.js";
import { heuristicsOf } from "../../../agents/heuristics/index.js";
import { pickLegal } from "../../../agents/random.js";
import { Env, loadGame, newState, Rng } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import rules from "../../../env/savage-streets/data/rules.json" with { type: "json" };
import { ruleTests } from "../../rule.js";
import { Notes, Sampling } from "./recall.js";

const rule = ruleTests(rules);

/** One decision in `STRAYS` of a heuristic's game is random. */
const STRAYS = 12;
/** A position is sampled `SAMPLES` times after this many decisions. */
const EVERY = 17;
const SAMPLES = 4;

/** What samples over whole games contradict of what the German could have noted, and how many there were. */
function contradictions(games: number, mode: string, player: string | null): { samples: number; wrong: string[] } {
  const game = loadGame("savage-streets", { mode });
  const env = new Env(game);
  const sampling = new Sampling(env);
  const [before, out] = [newState(game.stateSize), newState(game.stateSize)];
  const choice = new Int32Array(1);
  const wrong: string[] = [];
  let samples = 0;
  for (let g = 0; g < games; g++) {
    const seed = `recall/${mode}/${player ?? "random"}/${g}`;
    const rng = new Rng(seed);
    const agent: Agent | null = player === null ? null : heuristicsOf("savage-streets")[player]!({ game, seed });
    const notes = new Notes(sampling.tables);
    for (env.reset(seed); !env.terminated;) {
      before.set(env.state);
      if (agent === null || rng.below(STRAYS) === 0) choice[0] = pickLegal(env.mask, 0, env.mask.length, rng);
      else void agent.act(new OneDecision(env), choice);
      env.step(choice[0]!);
      notes.note(before, env.state);
      if (env.terminated || env.decisions % EVERY !== 0) continue;
      for (let k = 0; k < SAMPLES; k++, samples++) {
        const said = sampling.contradictions(notes, out, rng) ?? ["the public log was ignored"];
        wrong.push(...said.map((what) => `game ${g}, decision ${env.decisions}: ${what}`));
      }
    }
  }
  return { samples, wrong };
}

describe("no sample contradicts what the German could have noted", () => {
  for (const player of [null, "s-random", "g-storm"])
    rule("SS 1.21", `duels of ${player ?? "random play"}: stacks, losses of excess, who could land`, () => {
      const { samples, wrong } = contradictions(4, "duel", player);
      expect(samples).toBeGreaterThan(300);
      expect(wrong).toEqual([]);
    });
  for (const player of [null, "g-storm"])
    rule("SS 10.4", `solitaire games of ${player ?? "random play"}: moves follow the stacks (ruling R36)`, () => {
      const { samples, wrong } = contradictions(4, "solo", player);
      expect(samples).toBeGreaterThan(150);
      expect(wrong).toEqual([]);
    });
});
