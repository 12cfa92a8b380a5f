import { type Game, type JsonObject, KesselError, newObservation, newState, NOBODY, type Observation, Rng, SeededDice, type Seed, type State, type StateView } from "../../env/index.js";
import type { Agent, Decisions } from "../agent.js";
import { makeHeuristic } from "../heuristics/index.js";
import { OUTLOOKS } from "../heuristics/outlooks.js";
import { pickLegal } from "../random.js";
import type { SearchOptions } from "./options.js";
import { NONE } from "./tree.js";

/** One imagined game as an agent sees it: through its seat, though the whole of it could be had. */
class Imagined implements Decisions {
  readonly size = 1;
  readonly actors = new Int32Array(1);
  readonly mask: Uint8Array;
  private readonly buffer: Observation;

  constructor(
    readonly game: Game,
    private readonly state: State,
  ) {
    this.mask = new Uint8Array(game.actions.length);
    this.buffer = newObservation(game.observation);
  }

  /** Written when asked for: many heuristics look at the board instead. */
  get observation(): Observation {
    this.game.observe(this.state, this.actors[0]!, this.buffer);
    return this.buffer;
  }

  view(): JsonObject {
    return this.game.view(this.state, this.actors[0]!);
  }

  sample(_row: number, out: State, rng: Rng): boolean {
    return this.game.resample(this.state, this.actors[0]!, out, rng);
  }
}

/** Plays an imagined game on and judges how it ends. */
export class Rollout {
  /** The state that is played on: the search writes it, and steps it in its tree. */
  readonly state: State;
  /** What a heuristic chose at the first decision of the last `value`, NONE for no heuristic or no decision. */
  first = NONE;
  private readonly dice = new SeededDice();
  private readonly seen: Imagined;
  private readonly choice = new Int32Array(1);
  private readonly returns: Float32Array;
  private readonly player: Agent | null;
  private readonly rng: Rng;
  private readonly judge: (s: StateView) => number;
  /** Word of the state that counts turns. */
  private readonly turn: number;

  constructor(
    private readonly game: Game,
    private readonly options: SearchOptions,
    seed: Seed,
  ) {
    this.state = newState(game.stateSize);
    this.seen = new Imagined(game, this.state);
    this.returns = new Float32Array(game.players.length);
    this.rng = new Rng(`${seed}/rollout`);
    this.judge = judgeOf(game, options.potential);
    this.player = options.rollout === "random" ? null : (makeHeuristic(options.rollout.slice("heuristic:".length), { game, seed: `${seed}/rollout` }) as Agent);
    this.turn = game.fields.find((f) => f.name === "turn")?.offset ?? 0;
  }

  /** Return of the first player from here on: of the end of the game, or as it is judged where the playing on stops. */
  value(): number {
    const { game, state, seen } = this;
    const { depth, turns } = this.options;
    const lastTurn = turns === Infinity ? Infinity : state[this.turn]! + turns - 1;
    this.first = NONE;
    for (let played = 0; ; played++) {
      const actor = game.actor(state);
      if (actor === NOBODY) {
        game.returns(state, this.returns);
        return this.returns[0]!;
      }
      if (played >= depth || state[this.turn]! > lastTurn) return Math.max(-0.99, Math.min(0.99, this.judge(state)));
      const legal = game.legalMask(state, seen.mask, 0);
      if (legal === 1) this.apply(seen.mask.indexOf(1));
      else {
        const action = this.choose(actor);
        if (this.first === NONE && this.player !== null) this.first = action;
        this.apply(action);
      }
    }
  }

  apply(action: number): void {
    this.dice.begin(this.state);
    this.game.apply(this.state, action, this.dice);
  }

  /** What the heuristic does in `state`, where `actor` has more than one choice; NONE without a heuristic. */
  advice(actor: number): number {
    if (this.player === null) return NONE;
    this.game.legalMask(this.state, this.seen.mask, 0);
    return this.choose(actor);
  }

  private choose(actor: number): number {
    const { seen, player, choice } = this;
    if (player === null) return pickLegal(seen.mask, 0, seen.mask.length, this.rng);
    seen.actors[0] = actor;
    if (player.act(seen, choice) !== undefined) throw new KesselError("bad-agent", `${player.name} does not answer at once, so it can't play rollouts`);
    return choice[0]!;
  }
}

function judgeOf(game: Game, name: string | null): (s: StateView) => number {
  if (name === null) return () => 0;
  return name === "outlook" ? OUTLOOKS[game.type.id]!(game) : game.potentials[name]!;
}
