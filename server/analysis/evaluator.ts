import { OnnxAgent } from "../../agents/onnx.js";
import type { Evaluation } from "../../agents/onnx-session.js";
import { makeAgent } from "../../agents/registry.js";
import { roster } from "../../agents/roster.js";
import { SearchAgent } from "../../agents/search/index.js";
import {
  Env,
  type Game,
  KesselError,
  NOBODY,
  type Observation,
  observationRows,
  oneOf,
  Rng,
  SeededDice,
  shown,
  type State,
} from "../../env/index.js";
import { ValueSums } from "../../training/report/value-sums.js";
import { OneDecision } from "../session/one-decision.js";

/** What an evaluator thinks of one decision, from what its seat knows. */
export interface Judgement {
  /** Expected return of the deciding seat, -1..1. */
  readonly value: number;
  /** Legal actions with the chance that the evaluator takes them, and the return it expects, if it has looked ahead. */
  readonly actions: readonly JudgedAction[];
}

export interface JudgedAction {
  readonly action: number;
  readonly probability: number;
  readonly value: number | null;
}

/** Sums weighted values of positions, as parts of the return of player 0. */
export interface Sums {
  /** Adds `weight` times the value of `s` to `sums[index]`, at the latest when `flush` is done. */
  add(s: State, index: number, weight: number): Promise<void>;
  flush(): Promise<void>;
}

/** How many worlds and throws an evaluator is asked about. */
export interface Effort {
  /** For each action, at first. */
  readonly coarse: number;
  /** For each action of a decision that seems bad. */
  readonly fine: number;
  /** Decisions that are played on there before positions are valued. */
  readonly depth: number;
  /** For the luck of each throw. */
  readonly luck: number;
  /** For the value of a seat that does not decide. */
  readonly worlds: number;
}

/** What gives values and policies for positions. */
export interface Evaluator {
  readonly name: string;
  readonly effort: Effort;
  /** Judges decisions, each in a state where somebody decides. @param progress gets how many are done */
  judge(states: readonly State[], progress?: (done: number) => void): Promise<Judgement[]>;
  sums(into: Float64Array): Sums;
  /** Plays each state on in place, by the policy of the side that decides, for `depth` decisions or to the end. */
  playOn(games: readonly { readonly state: State; readonly depth: number }[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes an evaluator of `onnx:FILE`, a level (`commander`), or `search:...`.
 *
 * @param effort times as many iterations (or milliseconds) of a search
 * @throws KesselError `bad-agent` for an agent that has no values, or for a side; `bad-model` for another game's model
 */
export async function makeEvaluator(name: string, game: Game, effort = 1): Promise<Evaluator> {
  const agent = await makeAgent(effort === 1 ? name : withEffort(name, game, effort), {
    game,
    seed: "analysis",
  });
  if (agent instanceof SearchAgent) return new SearchEvaluator(agent, game);
  const levels = roster(game).flatMap((e) => (e.kind === "level" ? [e.short] : []));
  if (!(agent instanceof OnnxAgent)) {
    await agent.close?.();
    throw new KesselError(
      "bad-agent",
      `${shown(name)} gives no values to analyse with; ${oneOf([...levels, "onnx:FILE", "search:iterations=N"])} do`,
    );
  }
  const missing = game.players.filter((_, p) => !agent.players.includes(p));
  if (missing.length > 0) {
    await agent.close();
    throw new KesselError(
      "bad-agent",
      `analysis needs a model that plays every side; ${name} doesn't play ${missing.join(", ")}`,
    );
  }
  return new NetEvaluator(name, agent.model, game, agent.temperature || 1);
}

/** Default iterations of a search, and the options that say how much it searches. */
const ITERATIONS = 200;

/** The same search with `times` as much to do. @throws KesselError `bad-agent` for what is no search */
export function withEffort(name: string, game: Game, times: number): string {
  const full = roster(game).find((e) => e.short === name)?.name ?? name;
  if (!/^search(:|$)/.test(full))
    throw new KesselError("bad-agent", `${shown(name)} can't be asked to think more; search:iterations=N can`);
  const pairs = full.replace(/^search:?/, "").split(",");
  const rest = pairs.filter((p) => p !== "" && !/^(iterations|ms)=/.test(p));
  const amount = pairs.find((p) => /^(iterations|ms)=/.test(p)) ?? `iterations=${ITERATIONS}`;
  const [key, value] = amount.split("=");
  return `search:${[`${key!}=${Number(value) * times}`, ...rest].join(",")}`;
}

const ROWS = 256;

const clamp = (v: number): number => Math.max(-1, Math.min(1, v));

/** What gives policy and value of the first `n` rows of observations. */
export interface Net {
  run(observation: Observation, mask: Uint8Array, n: number): Promise<Evaluation>;
  close(): Promise<void>;
}

/** A net's value head and policy: many positions in one call. */
export class NetEvaluator implements Evaluator {
  readonly effort: Effort = { coarse: 8, fine: 32, depth: 16, luck: 16, worlds: 12 };

  constructor(
    readonly name: string,
    private readonly net: Net,
    private readonly game: Game,
    /** Of the policy: probabilities go with exp(logit / temperature). */
    private readonly temperature = 1,
  ) {}

  async judge(states: readonly State[], progress?: (done: number) => void): Promise<Judgement[]> {
    const { game } = this;
    const A = game.actions.length;
    const n = Math.min(ROWS, states.length);
    const buffers = observationRows(game, n);
    const mask = new Uint8Array(n * A);
    const found: Judgement[] = [];
    for (let from = 0; from < states.length; from += n) {
      const part = states.slice(from, from + n);
      part.forEach((s, k) => {
        game.observe(s, game.actor(s), buffers.rows[k]!);
        game.legalMask(s, mask, k * A);
      });
      const { policy, value } = await this.net.run(buffers.all, mask, part.length);
      for (let k = 0; k < part.length; k++)
        found.push({ value: clamp(value[k]!), actions: softmax(policy, mask, k * A, A, this.temperature) });
      progress?.(found.length);
    }
    return found;
  }

  sums(into: Float64Array): Sums {
    return new ValueSums(this.game, async (o, mask, n) => (await this.net.run(o, mask, n)).value, into);
  }

  async playOn(games: readonly { readonly state: State; readonly depth: number }[]): Promise<void> {
    const { game } = this;
    const dice = new SeededDice();
    const rng = new Rng("analysis/play on");
    const mask = new Uint8Array(game.actions.length);
    const apply = (s: State, action: number): void => {
      dice.begin(s);
      game.apply(s, action, dice);
    };
    /** Up to a decision with a choice. @returns false at the end of the game */
    const settled = (s: State): boolean => {
      for (let untouched = false; game.actor(s) !== NOBODY; untouched = true) {
        if (game.legalMask(s, mask, 0, untouched) > 1) return true;
        apply(s, mask.indexOf(1));
      }
      return false;
    };
    for (let played = 0; ; played++) {
      const open = games.filter(({ state, depth }) => played < depth && settled(state));
      if (open.length === 0) return;
      const found = await this.judge(open.map((g) => g.state));
      open.forEach(({ state }, i) => apply(state, drawn(found[i]!.actions, rng)));
    }
  }

  close(): Promise<void> {
    return this.net.close();
  }
}

/** An action, each as often as its probability says. */
function drawn(actions: readonly JudgedAction[], rng: Rng): number {
  let left = rng.float();
  for (const { action, probability } of actions) if ((left -= probability) < 0) return action;
  return actions.at(-1)!.action;
}

/** Probabilities of the legal actions of one row of logits. */
function softmax(logits: Float32Array, mask: Uint8Array, at: number, A: number, temperature: number): JudgedAction[] {
  let top = -Infinity;
  for (let a = 0; a < A; a++) if (mask[at + a] === 1 && logits[at + a]! > top) top = logits[at + a]!;
  const list: { action: number; probability: number; value: null }[] = [];
  let sum = 0;
  for (let a = 0; a < A; a++) {
    if (mask[at + a] !== 1) continue;
    const p = Math.exp((logits[at + a]! - top) / temperature);
    sum += p;
    list.push({ action: a, probability: p, value: null });
  }
  return list.map((j) => ({ ...j, probability: j.probability / sum }));
}

/** A search's root: mean values, and visits as policy. */
class SearchEvaluator implements Evaluator {
  readonly effort: Effort = { coarse: 1, fine: 8, depth: 0, luck: 3, worlds: 1 };
  readonly name: string;
  private readonly env: Env;

  constructor(
    private readonly agent: SearchAgent,
    private readonly game: Game,
  ) {
    this.name = agent.name;
    this.env = new Env(game);
  }

  async judge(states: readonly State[], progress?: (done: number) => void): Promise<Judgement[]> {
    const found: Judgement[] = [];
    for (const s of states) {
      this.env.restore(s);
      const { value, actions } = await this.agent.judge(new OneDecision(this.env));
      const visits = actions.reduce((n, a) => n + a.visits, 0);
      found.push({
        value,
        actions: actions.map((a) => ({ action: a.action, probability: a.visits / visits, value: a.value })),
      });
      progress?.(found.length);
    }
    return found;
  }

  sums(into: Float64Array): Sums {
    const { game } = this;
    const returns = new Float32Array(game.players.length);
    return {
      add: async (s, index, weight) => {
        const actor = game.actor(s);
        if (actor === NOBODY) {
          game.returns(s, returns);
          into[index]! += weight * returns[0]!;
        } else {
          const [judged] = await this.judge([s]);
          into[index]! += weight * (actor === 0 ? judged!.value : -judged!.value);
        }
      },
      flush: () => Promise.resolve(),
    };
  }

  /** A search looks ahead by itself. */
  playOn(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.agent.close();
  }
}
