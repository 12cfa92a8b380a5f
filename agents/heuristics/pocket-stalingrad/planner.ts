import { type Game, newState, SeededDice, type Seed, type State } from "../../../env/index.js";
import { DECISION, L, SOVIET } from "../../../env/pocket-stalingrad/state.js";
import { StatePolicy } from "../scripted-policy.js";
import { Greedy } from "./greedy.js";
import { Outlook } from "./outlook.js";

/** Playouts given to every action of a decision before the worse half is dropped, and so on. */
const FIRST_ROUND = 6;
const ROUNDS = 3;

/**
 * Plays each action out to the end of the turn, both sides as `Greedy`, and takes the best mean worth there. All
 * actions of a decision meet the same dice, so that their difference counts.
 */
export class Planner extends StatePolicy {
  private readonly outlook: Outlook;
  private readonly greedy: Greedy;
  private readonly dice = new SeededDice();
  private readonly work: State;
  private readonly mask: Uint8Array;
  private readonly streams: State[] = [];

  constructor(
    name: string,
    private readonly game: Game,
    seed: Seed,
  ) {
    super(name, game, seed);
    this.outlook = new Outlook(game);
    this.greedy = new Greedy(name, game, seed, this.outlook);
    this.work = newState(game.stateSize);
    this.mask = new Uint8Array(game.actions.length);
  }

  override choose(s: State, actor: number, mask: Uint8Array, at: number): number {
    const sign = actor === SOVIET ? 1 : -1;
    let open: { action: number; sum: number }[] = [];
    for (let a = 0; a < this.mask.length; a++) if (mask[at + a] === 1) open.push({ action: a, sum: 0 });
    let played = 0;
    for (let round = 0; round < ROUNDS && open.length > 1; round++) {
      const upTo = FIRST_ROUND * 2 ** round;
      for (; played < upTo; played++) {
        const stream = (this.streams[played] ??= newState(4));
        this.rng.freshStream(stream);
        for (const o of open) o.sum += sign * this.playout(s, o.action, stream);
      }
      open.sort((x, y) => y.sum - x.sum || x.action - y.action);
      open = open.slice(0, Math.ceil(open.length / 2));
    }
    return open[0]!.action;
  }

  /** Worth, in the Soviet view, when the turn after `action` is over. */
  private playout(s: State, action: number, stream: State): number {
    const { game, work, mask, dice } = this;
    work.set(s);
    for (let i = 0; i < 4; i++) work[i] = stream[i]!;
    dice.begin(work);
    game.apply(work, action, dice);
    const turn = s[L.turn]!;
    while (work[L.kind] !== DECISION.over && work[L.turn] === turn) {
      game.legalMask(work, mask, 0);
      game.apply(work, this.greedy.choose(work, work[L.actor]!, mask, 0), dice);
    }
    return this.outlook.worth(work);
  }
}
