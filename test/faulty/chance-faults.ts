import { type State, type Dice, EnumeratingDice, type StateView, type ChanceOutcome, CHANCE } from "../../env/index.js";
import { Patrol, LOOK, L as P } from "../toys/patrol.js";
import { Race, race, L as R } from "../toys/race.js";
import { type Fault, inPatrol, inRace } from "./fault.js";

export const CHANCES: Fault[] = [
  inPatrol(
    "chance-sum",
    "one call asks a d6, the next a d10",
    class extends Patrol {
      private calls = 0;
      override apply(s: State, action: number, dice: Dice) {
        super.apply(s, action, dice);
        if (action === 4 && dice instanceof EnumeratingDice) {
          if (this.calls++ % 2 === 0) dice.d6();
          else dice.d10();
        }
      }
    },
  ),
  inPatrol(
    "chance-sampling",
    "sampled dice are loaded",
    class extends Patrol {
      override apply(s: State, action: number, dice: Dice) {
        super.apply(
          s,
          action,
          dice instanceof EnumeratingDice
            ? dice
            : {
                begin: (t) => dice.begin(t),
                d6: () => Math.max(4, dice.d6()),
                d10: () => dice.d10(),
                draw: (n, name) => dice.draw(n, name),
                sum6: (accept) => dice.sum6(accept),
                throw6: (k, out, at) => dice.throw6(k, out, at),
              },
        );
      }
    },
  ),
  inPatrol(
    "chance-sampling",
    "the stream is read past the dice",
    class extends Patrol {
      override apply(s: State, action: number, dice: Dice) {
        const lucky = s[0]! > 0;
        super.apply(s, action, dice);
        if (action === LOOK && lucky) s[P.health] = 1;
      }
    },
  ),
  inRace(
    "chance-explicit",
    "all multisets are taken for equally likely",
    class extends Race {
      override readonly chance = {
        ...new Race(race, {}).chance,
        outcomes: (s: StateView): ChanceOutcome[] => {
          const list = new Race(race, {}).chance.outcomes(s);
          return list.map((o) => ({ ...o, probability: 1 / list.length }));
        },
      };
    },
  ),
  inRace(
    "chance-explicit",
    "a chance node is forgotten",
    class extends Race {
      override actor(s: StateView) {
        const a = super.actor(s);
        return a === CHANCE ? s[R.active]! : a;
      }
    },
  ),
];
