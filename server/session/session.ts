import type { Agent, Decisions } from "../../agents/agent.js";
import {
  canonical,
  Env,
  type Game,
  InvariantError,
  type JsonObject,
  newObservation,
  NOBODY,
  type Observation,
  RecordingDice,
  type Replay,
  Rng,
  sameSituation,
  sampleFor,
  SeededDice,
  SPECTATOR,
  type State,
  toReplay,
  writeKnown,
} from "../../env/index.js";

/** Who fills a seat in a terminal game. */
export type Seat = "human" | Agent;

/** What one viewer saw happen. */
export interface Event {
  readonly actor: string;
  readonly action: string;
  /** Faces of the dice it took, in the order thrown. */
  readonly dice: readonly number[];
  /** It was the only legal action; told to the one who took it. */
  readonly forced: boolean;
}

/** Samples that must agree before an action may be taken back in a game with hidden information. */
const UNDO_SAMPLES = 64;

/** One step of the game as it was played. */
interface Past {
  readonly before: State;
  readonly actor: number;
  readonly action: number;
  /** Asked of a human, so `undo` may stop here. */
  readonly asked: boolean;
  readonly chance: boolean;
}

/**
 * A game between people and agents, without input or output: asks agents, plays forced decisions, keeps what each seat
 * has seen since it last looked.
 */
export class Session {
  readonly env: Env;
  readonly actions: string[] = [];
  private readonly past: Past[] = [];
  private readonly seen: Event[][];
  private readonly choice = new Int32Array(1);
  private readonly samples: Rng;

  constructor(
    readonly game: Game,
    readonly seats: readonly Seat[],
    readonly seed: string,
  ) {
    this.env = new Env(game);
    this.env.reset(seed);
    this.seen = Array.from({ length: game.players.length + 1 }, () => []);
    this.samples = new Rng(`${seed}/undo`);
  }

  /** Plays what was recorded, as `--resume` does. */
  resume(actions: readonly string[]): void {
    for (const a of actions)
      this.play(this.game.actions.indexOf(a), this.env.legalCount > 1 && this.seats[this.env.actor] === "human", false);
    for (const events of this.seen) events.length = 0;
  }

  get over(): boolean {
    return this.env.terminated;
  }

  /** Plays on to the next decision that a person has to take, or to the end. `each` is called after every action. */
  async advance(each: () => void = () => undefined): Promise<void> {
    while (!this.over) {
      const actor = this.env.actor;
      if (this.env.legalCount === 1 && !this.keepsQuiet(actor)) this.play(this.env.mask.indexOf(1), false, true);
      else {
        const seat = this.seats[actor]!;
        if (seat === "human") return;
        await seat.act(new OneDecision(this.env), this.choice);
        this.play(this.choice[0]!, false, false);
      }
      each();
    }
  }

  /**
   * Is a person to be asked even where there is one choice only? With several people at one terminal and something hidden,
   * passing over him would tell the others that he had no choice.
   */
  private keepsQuiet(actor: number): boolean {
    if (this.seats[actor] !== "human" || this.seats.filter((x) => x === "human").length < 2) return false;
    const truth = canonical(this.game.write(this.env.state));
    return this.game.players.some((_, p) => canonical(this.game.view(this.env.state, p)) !== truth);
  }

  /** Carries out what the person to decide chose. */
  choose(action: number): void {
    this.play(action, true, false);
  }

  /** What `viewer` (a seat, or `SPECTATOR`) has seen since he last asked. */
  news(viewer: number): Event[] {
    return this.seen[viewer === SPECTATOR ? this.game.players.length : viewer]!.splice(0);
  }

  /**
   * Takes back the last choice of whoever decides now, and what was forced after it.
   *
   * @returns why that can't be, or null when it is done
   */
  undo(): string | null {
    const { past, env } = this;
    const actor = env.actor;
    let from = past.length - 1;
    while (from >= 0 && !past[from]!.asked) from--;
    if (from < 0) return "nothing has been chosen yet";
    const steps = past.slice(from);
    if (steps.some((p) => p.actor !== actor)) return "the other side has had its say since";
    if (steps.some((p) => p.chance)) return "dice or draws have been made since";
    if (this.learnt(steps, actor)) return "something hidden has come to light since";
    past.length = from;
    this.actions.length -= steps.length;
    env.restore(steps[0]!.before);
    for (const events of this.seen) events.length = 0;
    return null;
  }

  replay(): Replay {
    const agents = Object.fromEntries(
      this.game.players.map((p, i) => [p, this.seats[i] === "human" ? "human" : (this.seats[i] as Agent).name]),
    );
    return toReplay(this.game, this.seed, this.actions, this.env, { agents });
  }

  /** Would the same steps have shown `actor` something else, had the hidden things been otherwise? */
  private learnt(steps: readonly Past[], actor: number): boolean {
    const { game, env } = this;
    const before = steps[0]!.before;
    const now = canonical(game.view(env.state, actor));
    const dice = new SeededDice();
    const mask = new Uint8Array(game.actions.length);
    for (let k = 0; k < UNDO_SAMPLES; k++) {
      const s = sampleFor(game, before, actor, this.samples);
      if (sameSituation(s, before)) continue;
      for (const p of steps) {
        game.legalMask(s, mask, 0);
        if (game.actor(s) !== p.actor || mask[p.action] !== 1) return true;
        dice.begin(s);
        game.apply(s, p.action, dice);
      }
      if (canonical(game.view(s, actor)) !== now) return true;
    }
    return false;
  }

  private play(action: number, asked: boolean, forced: boolean): void {
    const { env, game } = this;
    const before = env.state.slice();
    const actor = env.actor;
    if (actor === NOBODY) throw new InvariantError("an action after the end of the game");
    const dice = new RecordingDice(new SeededDice());
    env.step(action, dice);
    this.actions.push(game.actions[action]!);
    this.past.push({ before, actor, action, asked, chance: dice.script.length > 0 });
    const faces = dice.script.filter((x) => typeof x === "number"); // names of counters drawn may be hidden
    for (let viewer = SPECTATOR; viewer < game.players.length; viewer++) {
      const text = game.describeFor(before, action, env.state, viewer);
      // what isn't seen is not even counted
      if (text !== null)
        this.seen[viewer === SPECTATOR ? game.players.length : viewer]!.push({
          actor: game.players[actor]!,
          action: text,
          dice: faces,
          forced: forced && viewer === actor,
        });
    }
  }
}

/** One waiting decision as agents take it. */
class OneDecision implements Decisions {
  readonly size = 1;
  readonly game: Game;
  readonly actors: Int32Array;
  readonly mask: Uint8Array;
  readonly observation: Observation;

  constructor(private readonly env: Env) {
    this.game = env.game;
    this.actors = Int32Array.of(env.actor);
    this.mask = env.mask.slice();
    this.observation = newObservation(env.game.observation);
    env.game.observe(env.state, env.actor, this.observation);
  }

  view(_i: number): JsonObject {
    return this.game.view(this.env.state, this.actors[0]!);
  }

  sample(_i: number, out: State, rng: Rng): boolean {
    return this.game.resample(this.env.state, this.actors[0]!, out, rng);
  }

  known(_i: number, out: State): void {
    writeKnown(this.game, this.env.state, this.actors[0]!, out);
  }
}
