import { type Dice, layout, NOBODY, type Observation, type Rng, type State, type StateView } from "../../env/index.js";
import { range, Toy } from "./toy.js";

const L = layout({ turn: 1, first: 1, second: 1, die: 1, hidden: 1 });
/** What each word of the state says to everybody. */
const SEEN = ["turn", "first", "second", "die"] as const;

/**
 * One turn of two levers, each pulled left or right by one player. Both to the right win, both to the left draw,
 * otherwise it loses.
 */
export class Levers extends Toy {
  readonly players: readonly string[];
  readonly actions = ["left", "right"];
  readonly maxDecisions = 3;

  /**
   * @param puller the player who pulls; the one before looks on
   * @param rolls a die is rolled with the first lever; `hidden`: in three worlds of four, and nobody sees which it is
   * @param goesOn a second turn follows, in which the puller pulls once more, and loses
   */
  constructor(
    private readonly puller = 0,
    private readonly rolls: boolean | "hidden" = false,
    private readonly goesOn = false,
  ) {
    super(
      "toy-levers",
      "Levers",
      "Pull two levers.",
      L,
      SEEN.map((name) => ({ name, range, norm: "1" })),
    );
    this.players = ["one", "other"].slice(0, puller + 1);
  }

  start(): void {
    // no lever is pulled
  }

  protected override deal(out: State, _player: number, rng: Rng): void {
    if (this.rolls === "hidden") out[L.hidden] = rng.below(4) === 0 ? 0 : 1;
  }

  actor(s: StateView): number {
    return s[L.turn] === (this.goesOn ? 2 : 1) ? NOBODY : this.puller;
  }

  legalMask(_s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(1, at, at + 2);
    return 2;
  }

  apply(s: State, action: number, dice: Dice): void {
    if (s[L.turn] === 1) s[L.turn] = 2;
    else if (s[L.first] === 0) {
      s[L.first] = action + 1;
      if (this.rolls === true || s[L.hidden] === 1) s[L.die] = dice.d6();
    } else {
      s[L.second] = action + 1;
      s[L.turn] = 1;
    }
  }

  returns(s: StateView, out: Float32Array): void {
    const pulled = s[L.first] !== s[L.second] || s[L.turn] === 2 ? -1 : s[L.first] === 2 ? 1 : 0;
    out[0] = this.puller === 0 ? pulled : -pulled;
    if (this.puller === 1) out[1] = pulled;
  }

  observe(s: StateView, _viewer: number, out: Observation): void {
    SEEN.forEach((name, i) => (out.globals[i] = s[L[name]]!));
    out.map[0] = 0;
    out.units[0] = 0;
    out.decision[0] = 1;
  }
}

/** The state after the first lever, what the die showed, and the turn. */
export function pulled(first: "none" | "left" | "right", die = 0, turn = 0): State {
  const s = new Int32Array(L.size);
  s[L.first] = ["none", "left", "right"].indexOf(first);
  s[L.die] = die;
  s[L.turn] = turn;
  return s;
}

/** What was pulled, by row `k` of the globals: 0 nothing, 1 left, 2 right. */
export const pulledIn = (globals: ArrayLike<number>, k: number): readonly [first: number, second: number] => [
  globals[k * SEEN.length + SEEN.indexOf("first")]!,
  globals[k * SEEN.length + SEEN.indexOf("second")]!,
];
