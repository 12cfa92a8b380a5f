import { type StateView, type State, type Dice, NOBODY, type Observation } from "../../env/index.js";
import { Patrol, L as P, LOOK } from "../toys/patrol.js";
import { Race, L as R } from "../toys/race.js";
import { type Fault, inRace, inPatrol } from "./fault.js";

export const PLAY: Fault[] = [
  inRace(
    "actor",
    "a third player decides",
    class extends Race {
      override actor(s: StateView) {
        return s[R.turn] === 3 ? 2 : super.actor(s);
      }
    },
  ),
  inRace(
    "mask-empty",
    "nothing is legal after two throws",
    class extends Race {
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        return s[R.throws] === 2 ? (mask.fill(0, at, at + this.actions.length), 0) : super.legalMask(s, mask, at);
      }
    },
  ),
  inRace(
    "mask-cells",
    "the last cell is left as it was",
    class extends Race {
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        const kept = mask[at + 9]!;
        const n = super.legalMask(s, mask, at) - mask[at + 9]!;
        mask[at + 9] = kept;
        return n + (kept === 1 ? 1 : 0);
      }
    },
  ),
  inRace(
    "mask-cells",
    "one action too many is counted",
    class extends Race {
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        return super.legalMask(s, mask, at) + 1;
      }
    },
  ),
  inRace(
    "mask-refused",
    "an empty pot can be held, says the mask",
    class extends Race {
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        const n = super.legalMask(s, mask, at);
        return mask[at + 3] === 0 ? ((mask[at + 3] = 1), n + 1) : n;
      }
      override apply(s: State, action: number, dice: Dice) {
        if (action === 3 && s[R.pot] === 0) throw new Error("nothing to hold");
        super.apply(s, action, dice);
      }
    },
  ),
  inPatrol(
    "mask-idle",
    "looking twice does nothing, and the mask allows it",
    class extends Patrol {
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        const n = super.legalMask(s, mask, at);
        return s[P.top] === 1 && s[P.card] === 0 ? ((mask[at + LOOK] = 1), n + 1) : n;
      }
      override apply(s: State, action: number, dice: Dice) {
        if (action !== LOOK || s[P.top] === 0) super.apply(s, action, dice);
      }
    },
  ),
  inRace(
    "mask-enforced",
    "the game keeps the mask it was given and opens it later",
    class extends Race {
      private kept: Uint8Array = new Uint8Array(12);
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        this.kept = mask;
        return super.legalMask(s, mask, at);
      }
      override apply(s: State, action: number, dice: Dice) {
        super.apply(s, action, dice);
        this.kept.fill(1);
      }
    },
  ),
  inRace(
    "endless",
    "the bound is too low",
    class extends Race {
      override readonly maxDecisions = 9;
    },
  ),
  inRace(
    "broken",
    "a point too many is kept",
    class extends Race {
      override apply(s: State, action: number, dice: Dice) {
        super.apply(s, action, dice);
        if (s[R.turn] === 4) s[R.score] = 91;
      }
    },
  ),
  inRace(
    "returns-early",
    "the leader is paid before the end",
    class extends Race {
      override returns(s: StateView, out: Float32Array) {
        super.returns(s, out);
        if (this.actor(s) !== NOBODY) {
          out[0] = Math.sign(s[R.score]! - s[R.score + 1]!);
          out[1] = -out[0];
        }
      }
    },
  ),
  inRace(
    "returns-early",
    "the leader is expected to win before the end",
    class extends Race {
      expectedReturns(s: StateView, out: Float32Array) {
        out[0] = Math.sign(s[R.score]! - s[R.score + 1]!);
        out[1] = -out[0];
      }
    },
  ),
  inRace(
    "returns-range",
    "returns are points",
    class extends Race {
      override returns(s: StateView, out: Float32Array) {
        super.returns(s, out);
        out[0]! *= 7;
        out[1]! *= 7;
      }
    },
  ),
  inRace(
    "returns-sum",
    "both win",
    class extends Race {
      override returns(s: StateView, out: Float32Array) {
        super.returns(s, out);
        if (out[0] !== 0) out.fill(1);
      }
    },
  ),
  inRace(
    "question-writes",
    "looking moves the turn on",
    class extends Race {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer, out);
        (s as State)[R.throws]!++;
      }
    },
  ),
  inRace(
    "question-varies",
    "the board is drawn with a counter of drawings",
    class extends Race {
      private times = 0;
      override render(s: StateView, viewer: number) {
        return `${super.render(s, viewer)} ${this.times++}`;
      }
    },
  ),
  inRace(
    "question-varies",
    "the margin grows with every question",
    class extends Race {
      private asked = 0;
      override readonly margin = () => Math.min(1, ++this.asked / 1000);
    },
  ),
  inRace(
    "question-varies",
    "the margin is given in points",
    class extends Race {
      override readonly margin = (s: StateView) => s[R.score]! - s[R.score + 1]!;
    },
  ),
  inRace(
    "deterministic",
    "points depend on how often the object was used",
    class extends Race {
      private uses = 0;
      override apply(s: State, action: number, dice: Dice) {
        super.apply(s, action, dice);
        if (action === 3 && this.uses++ % 3 === 0) s[R.score] = Math.min(90, s[R.score]! + 1);
      }
    },
  ),
  inPatrol(
    "replay",
    "all cards are written down by one name",
    class extends Patrol {
      override start(s: State, dice: Dice) {
        super.start(s, {
          begin: (t) => dice.begin(t),
          d6: () => dice.d6(),
          d10: () => dice.d10(),
          draw: (n) => dice.draw(n, () => "card"),
          sum6: (accept) => dice.sum6(accept),
          throw6: (k, out, at) => dice.throw6(k, out, at),
        });
      }
    },
  ),
  inRace(
    "copies",
    "the object keeps a state it was asked about and writes it",
    class extends Race {
      private kept: State | null = null;
      override invariantViolation(s: StateView) {
        this.kept = s as State;
        return super.invariantViolation(s);
      }
      override apply(s: State, action: number, dice: Dice) {
        if (this.kept !== null) this.kept[R.score] = 1;
        super.apply(s, action, dice);
      }
    },
  ),
];
