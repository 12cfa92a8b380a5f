import { layout, NOBODY, type Observation, type State, type StateView } from "../../env/index.js";
import { range, Toy } from "./toy.js";

const L = layout({ turn: 1, first: 1, second: 1 });

/** One player, one turn of two levers, each pulled left or right. Both to the right win, both to the left draw, else it loses. */
export class Levers extends Toy {
  readonly players = ["player"];
  readonly actions = ["left", "right"];
  readonly maxDecisions = 2;

  constructor() {
    super("toy-levers", "Levers", "Pull two levers.", L, [
      { name: "first", range, norm: "1 left, 2 right" },
      { name: "second", range, norm: "1 left, 2 right" },
    ]);
  }

  start(): void {
    // no lever is pulled
  }

  actor(s: StateView): number {
    return s[L.turn] === 0 ? 0 : NOBODY;
  }

  legalMask(_s: StateView, mask: Uint8Array, at: number): number {
    mask.fill(1, at, at + 2);
    return 2;
  }

  apply(s: State, action: number): void {
    if (s[L.first] === 0) s[L.first] = action + 1;
    else {
      s[L.second] = action + 1;
      s[L.turn] = 1;
    }
  }

  returns(s: StateView, out: Float32Array): void {
    out[0] = s[L.first] !== s[L.second] ? -1 : s[L.first] === 2 ? 1 : 0;
  }

  observe(s: StateView, _viewer: number, out: Observation): void {
    out.globals[0] = s[L.first]!;
    out.globals[1] = s[L.second]!;
    out.map[0] = 0;
    out.units[0] = 0;
    out.decision[0] = 1;
  }
}

/** The state after the first lever. */
export function pulled(first: "none" | "left" | "right"): State {
  const s = new Int32Array(L.size);
  s[L.first] = ["none", "left", "right"].indexOf(first);
  return s;
}
