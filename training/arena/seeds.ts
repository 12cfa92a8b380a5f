import { createHmac, randomBytes } from "node:crypto";
import { Rng } from "../../env/index.js";

/** True when an agent runs in another process, so that Kessel does not control what it does with its input. */
export const isExternal = (agent: string): boolean => /^(external|llm):/.test(agent);

/** A secret of a run, 64 hexadecimal digits. */
export const newSecret = (): string => randomBytes(32).toString("hex");

/**
 * The seeds of an arena's games and agents. Without a secret they follow from `seed` in plain text, so anybody can
 * compute the dice. With one they are HMAC-SHA256 under it: an agent that knows `seed` and its own seed learns nothing
 * of others.
 */
export class ArenaSeeds {
  constructor(
    private readonly seed: string,
    readonly secret: string | null,
  ) {}

  game(k: number): string {
    return this.of(`${this.seed}/${k}`);
  }

  /** Of the agents' streams in chunk `c` of match `m`. */
  agents(m: number, c: number): string {
    return this.of(`${this.seed}/agents/${m}/${c}`);
  }

  private of(text: string): string {
    return this.secret === null ? text : createHmac("sha256", this.secret).update(text).digest("hex");
  }
}

/** 0 to n-1 in random order. */
export function shuffled(n: number, seed: string): number[] {
  const rng = new Rng(seed);
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
