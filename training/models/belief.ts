import { basename } from "node:path";
import { z } from "zod";
import type { Agent } from "../../agents/agent.js";
import { META, readModel, trainedOf } from "../../agents/model.js";
import { makeAgent } from "../../agents/registry.js";
import { Belief } from "../../agents/search/belief.js";
import { type Game, KesselError } from "../../env/index.js";
import { type BeliefMeasure, measureBelief, recordWorlds, type WorldsOptions } from "../learn/belief.js";

/** Worlds dealt beside the true one where a net is measured. */
const DEALT = 63;

/** How the net of beliefs was made, as its file says under `META.trained`. */
const beliefSchema = z.object({
  command: z.string(),
  seed: z.string(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Who played: one name, or one for each seat. */
  by: z.array(z.string()),
  learnt: z.object({ games: z.number(), decisions: z.number(), share: z.number() }),
  measured: z.object({
    games: z.number(),
    decisions: z.number(),
    gain: z.number(),
    interval: z.tuple([z.number(), z.number()]),
  }),
});
export type BeliefMetadata = z.infer<typeof beliefSchema>;

/**
 * @throws KesselError `bad-model` for a file that does not say how it was made
 */
export function beliefMetadata(bytes: Uint8Array, file: string): BeliefMetadata {
  const found = beliefSchema.safeParse(trainedOf(readModel(bytes, file), file));
  if (!found.success)
    throw new KesselError(
      "bad-model",
      `${file} does not say how its beliefs were made; make it with \`kessel model belief\``,
    );
  return found.data;
}

/** The card of a net of beliefs: all of it comes from the file's metadata. */
export function beliefCard(bytes: Uint8Array, file: string): string {
  const { metadata } = readModel(bytes, file);
  const { command, seed, by, learnt, measured } = beliefMetadata(bytes, file);
  const [low, high] = measured.interval.map((x) => x.toFixed(3));
  const times = Math.exp(measured.gain).toFixed(2);
  const where = `${measured.decisions} decisions of ${measured.games} other games`;
  const rows: [string, string | number][] = [
    ["game", metadata[META.game]!],
    ["seats", (JSON.parse(metadata[META.seats]!) as string[]).join(", ")],
    ["learnt from", `${learnt.games} games of ${by.join(" and ")}, ${learnt.decisions} decisions`],
    ["seed", seed],
    ["file", `${bytes.length} bytes`],
    [
      "the true world's weight",
      `${times} times the mean of those of all worlds that it was among: ${measured.gain.toFixed(3)} nats [${low}, ${high}], ${where}`,
    ],
  ];
  return `# ${basename(file)}

Generated when the net was; not edited by hand.

Beliefs: weighs worlds that fit what a seat knows by how the other side hides (agents/search/belief.ts).

| | |
| --- | --- |
${rows.map(([name, what]) => `| ${name} | ${what} |`).join("\n")}

\`\`\`
${command}
\`\`\`
`;
}

/** Who plays each seat, by one name or one for each. @throws KesselError `bad-agent` */
export async function agentsNamed(game: Game, names: readonly string[], seed: string): Promise<Agent[]> {
  const made = await Promise.all(names.map((name, i) => makeAgent(name, { game, seed: `${seed}/agent/${i}` })));
  return game.players.map((_, p) => made[p % made.length]!);
}

/**
 * What a net of beliefs knows of games between `agents`.
 *
 * @param share of the decisions of its seats that is looked at
 * @throws KesselError `bad-model`, `unsupported`
 */
export async function beliefGain(
  game: Game,
  bytes: Uint8Array,
  file: string,
  agents: readonly Agent[],
  { games, share, seed, progress }: Pick<WorldsOptions, "games" | "share" | "seed" | "progress">,
): Promise<BeliefMeasure> {
  const belief = await Belief.load(bytes, game, file);
  try {
    const seats = belief.players;
    const worlds = await recordWorlds(game, {
      agents,
      games,
      seats,
      share,
      dealt: DEALT,
      seed,
      ...(progress && { progress }),
    });
    return await measureBelief(belief, worlds);
  } finally {
    await belief.close();
  }
}
