import { layout, NOBODY, type Observation, type Rng, type State, type StateView } from "../../env/index.js";
import { writeWords } from "../toys/words.js";
import { range, Toy } from "./toy.js";

const L = layout({ hidden: 1, guessed: 1 });

/** The word of a state that says where the coin is: 1 left, 2 right. */
export const COIN = L.hidden;

/** In equilibrium both players choose `left` with this probability. */
export const LEFT = 0.4;

/**
 * One hides a coin left or right, the other guesses where. Found left it costs 1, found right a half; unfound it gains
 * a half.
 */
export class Pennies extends Toy {
  readonly players = ["hider", "guesser"];
  readonly actions = ["left", "right"];
  readonly maxDecisions = 2;

  constructor() {
    const globals = [{ name: "guesses", range, norm: "1 for the guesser" }];
    super("toy-pennies", "Pennies", "Hide a coin, or guess where it is.", L, globals);
  }

  start(): void {
    // nothing to deal
  }

  actor(s: StateView): number {
    return s[L.hidden] === 0 ? 0 : s[L.guessed] === 0 ? 1 : NOBODY;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    const legal = s[L.guessed] === 0 ? 1 : 0;
    mask.fill(legal, at, at + 2);
    return 2 * legal;
  }

  apply(s: State, action: number): void {
    s[s[L.hidden] === 0 ? L.hidden : L.guessed] = action + 1;
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = s[L.guessed] === 0 ? 0 : s[L.guessed] !== s[L.hidden] ? 0.5 : s[L.hidden] === 1 ? -1 : -0.5;
    out[1] = -out[0] + 0;
  }

  observe(_s: StateView, viewer: number, out: Observation): void {
    for (const tensor of [out.map, out.units, out.decision]) tensor.fill(1);
    out.globals[0] = viewer;
  }

  protected override deal(out: State, player: number, rng: Rng): void {
    if (player === 1 && out[L.hidden] !== 0) out[L.hidden] = 1 + rng.below(2);
  }

  override view(s: StateView, player: number) {
    return writeWords(this, s, player === 1 ? ["hidden"] : []);
  }
}

export const pennies = new Pennies();
