import { type Dice, layout, NOBODY, type Observation, type State, type StateView } from "../../env/index.js";
import { range, Toy } from "./toy.js";

export const MOST = 20;
const L = layout({ pile: 1, active: 1 });

/** Take one, two or three from a pile; the player that takes the last wins. Leaving a multiple of four wins. */
class Nim extends Toy {
  readonly players = ["first", "second"];
  readonly actions = ["take 1", "take 2", "take 3"];
  readonly maxDecisions = MOST;

  constructor() {
    const globals = Array.from({ length: MOST + 1 }, (_, i) => ({ name: `pile ${i}`, range, norm: "one-hot" }));
    super("toy-nim", "Nim", "Take one, two or three from a pile.", L, globals);
  }

  start(s: State, dice: Dice): void {
    s[L.pile] = 5 + dice.draw(MOST - 4, (_, i) => `pile of ${5 + i}`);
  }

  actor(s: StateView): number {
    return s[L.pile] === 0 ? NOBODY : s[L.active]!;
  }

  legalMask(s: StateView, mask: Uint8Array, at: number): number {
    for (let a = 0; a < 3; a++) mask[at + a] = s[L.pile]! > a ? 1 : 0;
    return Math.min(3, s[L.pile]!);
  }

  apply(s: State, action: number): void {
    s[L.pile]! -= action + 1;
    s[L.active] = 1 - s[L.active]!;
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = s[L.pile]! > 0 ? 0 : s[L.active] === 1 ? 1 : -1;
    out[1] = -out[0] + 0;
  }

  observe(s: StateView, viewer: number, out: Observation): void {
    out.globals.fill(0);
    out.globals[s[L.pile]!] = 1;
    out.map[0] = s[L.pile]! / MOST;
    out.units[0] = viewer === s[L.active] ? 1 : 0;
    out.decision[0] = 1;
  }
}

export const nim = new Nim().type;

/** A state with this pile and the first player to move. */
export function pileOf(pile: number): State {
  const s = new Int32Array(L.size);
  s[L.pile] = pile;
  return s;
}
