import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { roster } from "../../agents/roster.js";
import { EVERYTHING, type Game, parseReplay, progressOf, type Replay, sceneOf, type State } from "../../env/index.js";
import { makeEvaluator } from "../analysis/evaluator.js";
import { valuesOfActions } from "../analysis/lookahead.js";
import { recordOf, type Step } from "../analysis/record.js";

/** Decisions of a game with a regret, sampled states for each action, and actions compared with the one played. */
const [LOOKED_AT, WORLDS, ACTIONS] = [8, 8, 12];

/** The turn of a position, from 1, and the number of turns, from the game's track; null for a game without a track. */
export function turnOf(game: Game, s: State): { readonly turn: number; readonly of: number } | null {
  const track = sceneOf(game, s, EVERYTHING).tracks.find((t) => t.id === "turns");
  const at = track?.cells.findIndex((c) => c.state === "now") ?? -1;
  return at < 0 ? null : { turn: at + 1, of: track!.cells.length };
}

/** The course of one game for a seat. */
export interface Course {
  /** Progress at the end. */
  readonly end: number;
  /** Progress at the end of each turn. After the end of the game it keeps its last value. */
  readonly turns: readonly number[];
  /** Decisions of the seat, including forced ones. */
  readonly decisions: number;
  /** Regrets of some decisions: the strongest level's value of its best action minus that of the action played. */
  readonly regrets: readonly number[];
}

/** @param values the evaluator; null for no regrets */
async function courseOf(
  game: Game,
  replay: Replay,
  seat: number,
  values: Awaited<ReturnType<typeof makeEvaluator>> | null,
): Promise<Course> {
  const { steps, returns } = recordOf(game.type, replay);
  const last = steps.at(-1)!.after;
  const end = progressOf(game, last, seat, (returns?.[seat] ?? 0) > 0);
  const first = turnOf(game, steps[0]!.before);
  const turns: number[] = [];
  let turn = first?.turn ?? 0;
  for (const { before, after } of steps) {
    const now = game.actor(after) < 0 ? null : (turnOf(game, after)?.turn ?? null);
    if (first === null || now === null || now === turn) continue;
    for (; turn < now; turn++) turns[turn - 1] = progressOf(game, before, seat);
  }
  for (let t = 0; t < (first?.of ?? 0); t++) turns[t] ??= t + 1 < turn ? (turns[t + 1] ?? end) : end;
  const own = steps.filter((s) => s.actor === seat);
  const regrets = values === null ? [] : await regretsOf(game, own, values);
  return { end, turns, decisions: own.length, regrets };
}

async function regretsOf(
  game: Game,
  own: readonly Step[],
  values: Awaited<ReturnType<typeof makeEvaluator>>,
): Promise<number[]> {
  const open = own.filter((s) => s.legal > 1);
  const looked = Array.from(
    { length: Math.min(LOOKED_AT, open.length) },
    (_, k) => open[Math.floor(((k + 0.5) * open.length) / Math.min(LOOKED_AT, open.length))]!,
  );
  if (looked.length === 0) return [];
  const judged = await values.judge(looked.map((s) => s.before));
  const answers = await valuesOfActions(
    game,
    values,
    looked.map(({ before, action }, i) => {
      const likely = judged[i]!.actions.toSorted((a, b) => b.probability - a.probability).slice(0, ACTIONS);
      return {
        state: before,
        actions: [...new Set([action, ...likely.map((a) => a.action)])],
        samples: WORLDS,
        depth: 0,
        seed: `regret/${i}`,
      };
    }),
  );
  return answers.map((list) => Math.max(...list.map((v) => v.mean)) - list[0]!.mean);
}

/** The strongest level that plays every seat of a game. Its values measure regret. */
export const strongestLevel = (game: Game): string | null =>
  roster(game)
    .filter((e) => e.kind === "level" && e.players.length === game.players.length)
    .at(-1)?.name ?? null;

/** A temporary folder for the replays of games. */
export class Courses {
  readonly dir = mkdtempSync(join(tmpdir(), "kessel-suite-"));

  /** Reads the games of one agent; `name` is its name in the replays. */
  async read(game: Game, name: string): Promise<Course[]> {
    const strongest = strongestLevel(game);
    const values = strongest === null ? null : await makeEvaluator(strongest, game);
    try {
      const found: Course[] = [];
      for (const file of readdirSync(this.dir).sort()) {
        if (!file.endsWith(".json")) continue;
        const replay = parseReplay(JSON.parse(readFileSync(join(this.dir, file), "utf8")));
        const seat = game.players.findIndex((p) => replay.agents?.[p] === name);
        if (seat >= 0) found.push(await courseOf(game, replay, seat, values));
      }
      return found;
    } finally {
      await values?.close();
    }
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
