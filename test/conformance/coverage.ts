import { type Game, newObservation, type Observation, promptOf, SPECTATOR, type State } from "../../env/index.js";

/** The kinds of decisions of a game with its options, as observations name them: one-hot features of `decision`. */
export function listedKinds(game: Game): { readonly name: string; readonly at: number }[] {
  return kindsWithAnyOptions(game)
    .filter((k) => !NO_DECISION.includes(k.name))
    .filter((k) => game.decisionKinds?.includes(k.name) ?? true);
}

export const kindsWithAnyOptions = (game: Game): { readonly name: string; readonly at: number }[] =>
  game.observation.decision.flatMap((f, at) =>
    /^one-hot( phase)?$/.test(f.norm) ? [{ name: f.name.replace(/^(kind|phase)[ _]/, ""), at }] : [],
  );

/** Kinds at which nobody decides. */
const NO_DECISION = ["over", "chance", "none"];

/** What a run has met, as plain data. */
export type CoverageCounts = Partial<Record<(typeof TABLES)[number], Record<string, number>>>;
const TABLES = ["decisions", "prompts", "phases"] as const;

/** Which kinds of decisions, phases and turns a run has met. */
export class Coverage {
  readonly decisions = new Map<string, number>();
  /** Kinds of prompts, as `promptOf` names them. */
  readonly prompts = new Map<string, number>();
  readonly phases = new Map<string, number>();
  private readonly kinds;
  private readonly seen: Observation;

  /** @param before what was met already */
  constructor(
    private readonly game: Game,
    before: CoverageCounts = {},
  ) {
    this.kinds = listedKinds(game);
    this.seen = newObservation(game.observation);
    for (const table of TABLES) for (const [key, n] of Object.entries(before[table] ?? {})) count(this[table], key, n);
  }

  counts(): CoverageCounts {
    return Object.fromEntries(TABLES.map((table) => [table, Object.fromEntries(this[table])]));
  }

  /** The kind of the decision that waits in `s`; null where nobody decides or the game lists none. */
  kindOf(s: State): string | null {
    const actor = this.game.actor(s);
    if (actor < 0 || this.kinds.length === 0) return null;
    this.game.observe(s, actor, this.seen);
    return this.kinds.find(({ at }) => this.seen.decision[at] === 1)?.name ?? null;
  }

  /** @param whole count prompt, phase and turn too, which costs more */
  meet(s: State, whole: boolean): void {
    const kind = this.kindOf(s);
    if (kind !== null) count(this.decisions, kind);
    if (!whole) return;
    count(this.prompts, promptOf(this.game, s, SPECTATOR).kind);
    const { phase, turn } = this.game.view(s, SPECTATOR);
    if (typeof phase === "string" || typeof phase === "number") count(this.phases, `phase ${phase}`);
    if (typeof turn === "number") count(this.phases, `turn ${turn}`);
  }

  add(other: Coverage): void {
    for (const table of TABLES) for (const [key, n] of other[table]) count(this[table], key, n);
  }

  /** Kinds that the game lists and that were never met. */
  missed(): string[] {
    return this.kinds.map((k) => k.name).filter((name) => !this.decisions.has(name));
  }

  lines(): string[] {
    const met = this.kinds.length - this.missed().length;
    const table = (m: Map<string, number>) => [...m].map(([key, n]) => `${key} ${n}`).join(", ") || "none";
    return [
      `kinds of decisions: ${met} of ${this.kinds.length} (${table(this.decisions)})`,
      `kinds of prompts: ${table(this.prompts)}`,
      `phases and turns: ${table(this.phases)}`,
    ];
  }
}

function count(table: Map<string, number>, key: string, n = 1): void {
  table.set(key, (table.get(key) ?? 0) + n);
}
