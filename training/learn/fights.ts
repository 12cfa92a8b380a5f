import type { JsonObject } from "../../env/index.js";
import type { Net } from "../nets/net.js";
import type { Checkpoint, Numbers } from "./checkpoint.js";
import type { Ppo, UpdateReport } from "./ppo.js";

/**
 * One net that learns several fights of a game by PPO. In an update it plays and learns each of them in turn; each has
 * a league of its own, and all share the weights and the optimiser.
 */
export class Fights {
  /** @param parts by the name of the fight; the first has the weights that the others share */
  constructor(private readonly parts: ReadonlyMap<string, Ppo>) {}

  private get first(): Ppo {
    return this.parts.values().next().value!;
  }

  get net(): Net {
    return this.first.net;
  }

  get update(): number {
    return this.first.update;
  }

  async prepare(): Promise<void> {
    for (const part of this.parts.values()) await part.prepare();
  }

  allContinue(continues: boolean): boolean {
    return this.first.allContinue(continues);
  }

  /** Sums of games, decisions and samples, means of all other numbers, and the numbers of each fight. */
  async step(): Promise<UpdateReport> {
    const reports = new Map<string, UpdateReport>();
    for (const [name, part] of this.parts) reports.set(name, await part.step());
    const all: Record<string, number> = {};
    for (const key of Object.keys([...reports.values()][0]!)) {
      const numbers = [...reports.values()].map((r) => r[key]).filter((x) => typeof x === "number");
      const sum = numbers.reduce((a, b) => a + b, 0);
      all[key] = SUMS.includes(key) ? sum : sum / numbers.length;
    }
    return { ...all, fights: Object.fromEntries(reports) };
  }

  standing(): JsonObject {
    return { league: Object.fromEntries([...this.parts].map(([name, part]) => [name, part.standing()["league"]!])) };
  }

  save(): Checkpoint {
    const { facts, arrays } = this.first.save();
    const rest = [...this.parts].slice(1).map(([name, part]) => [name, part.save()] as const);
    const own: Record<string, Numbers> = {};
    for (const [name, { arrays }] of rest)
      for (const [key, numbers] of Object.entries(arrays)) if (!SHARED.includes(key)) own[`${name}/${key}`] = numbers;
    return {
      facts: { ...facts, fights: Object.fromEntries(rest.map(([name, { facts }]) => [name, facts])) },
      arrays: { ...arrays, ...own },
    };
  }

  restore({ facts, arrays }: Checkpoint): void {
    const shared = Object.fromEntries(SHARED.map((key) => [key, arrays[key]!]));
    for (const [name, part] of this.parts) {
      const prefix = part === this.first ? "" : `${name}/`;
      const own = Object.entries(arrays).filter(([key]) => key.startsWith(prefix));
      part.restore({
        facts: prefix === "" ? facts : (facts["fights"] as Record<string, JsonObject>)[name]!,
        arrays: { ...shared, ...Object.fromEntries(own.map(([key, a]) => [key.slice(prefix.length), a])) },
      });
    }
  }
}

const SUMS = ["games", "decisions", "samples", "leagueGames", "steps"];
/** What all fights have in common. */
const SHARED = ["weights", "m", "v"];
