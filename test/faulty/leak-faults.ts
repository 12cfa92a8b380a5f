import {
  type StateView,
  type Observation,
  type State,
  RNG_WORDS,
  genericScene,
  NOBODY,
  SPECTATOR,
} from "../../env/index.js";
import { Ambush, L as A, SLOTS, STRENGTH, REGROUP } from "../toys/ambush.js";
import { Patrol, L as P } from "../toys/patrol.js";
import { type Fault, inAmbush, other, inPatrol } from "./fault.js";

export const LEAKS: Fault[] = [
  inAmbush(
    "leak-observation",
    "slot order: the other side's counters are listed by strength",
    class extends Ambush {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer, out);
        const order = [0, 1, 2, 3, 4].sort((i, j) => s[A.slot + other(viewer) + i]! - s[A.slot + other(viewer) + j]!);
        const rows = order.map((i) => out.units.slice((SLOTS + i) * 5, (SLOTS + i + 1) * 5));
        rows.forEach((row, i) => out.units.set(row, (SLOTS + i) * 5));
      }
    },
  ),
  inAmbush(
    "leak-observation",
    "count: the strength of the first two counters, face down or not",
    class extends Ambush {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer, out);
        out.map[0] = (STRENGTH[s[A.slot + other(viewer)]!]! + STRENGTH[s[A.slot + other(viewer) + 1]!]!) / 6;
      }
    },
  ),
  inAmbush(
    "leak-observation",
    "bid: the secret supply shows while it is secret",
    class extends Ambush {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer, out);
        out.decision[4] = s[A.supply]!;
      }
    },
  ),
  inPatrol(
    "leak-observation",
    "pile: the next card shows",
    class extends Patrol {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer, out);
        out.map[0] = s[P.pile]! / 4;
      }
    },
  ),
  inAmbush(
    "leak-mask",
    "only a counter that can be beaten may be attacked",
    class extends Ambush {
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        let n = super.legalMask(s, mask, at);
        if (s[A.phase] === 1 && n > 1)
          for (let i = 0; i < SLOTS; i++)
            if (n > 1 && mask[at + SLOTS + i] === 1 && STRENGTH[s[A.slot + other(s[A.active]!) + i]!] === 3) {
              mask[at + SLOTS + i] = 0;
              n--;
            }
        return n;
      }
    },
  ),
  inAmbush(
    "leak-view",
    "id: the view names counters by their number",
    class extends Ambush {
      override view(s: StateView, viewer: number) {
        return { ...super.view(s, viewer), ids: Array.from({ length: 2 * SLOTS }, (_, i) => s[A.slot + i]!) };
      }
    },
  ),
  inAmbush(
    "leak-view",
    "stream: the view carries the dice to come",
    class extends Ambush {
      override view(s: StateView, viewer: number) {
        return { ...super.view(s, viewer), rng: s[0]! };
      }
    },
  ),
  inAmbush(
    "leak-render",
    "re-flipped: a board drawn for one side shows what the other knows",
    class extends Ambush {
      override render(s: StateView, viewer: number) {
        return super.render(s, viewer < 0 ? viewer : 1 - viewer);
      }
    },
  ),
  inAmbush(
    "leak-redact",
    "a bluff called: the state of one side keeps the other's counters",
    class extends Ambush {
      override redact(s: StateView, player: number, out: State) {
        super.redact(s, player, out);
        out[A.slot + other(player)] = s[A.slot + other(player)]!;
      }
    },
  ),
  inAmbush(
    "leak-redact",
    "the state of one side keeps the dice to come",
    class extends Ambush {
      override redact(s: StateView, player: number, out: State) {
        super.redact(s, player, out);
        for (let i = 0; i < RNG_WORDS; i++) out[i] = s[i]!;
      }
    },
  ),
  inAmbush(
    "leak-scene",
    "a scene made for one side is drawn from what the other knows",
    class extends Ambush {
      scene(s: StateView, viewer: number) {
        return { ...genericScene(this, s, viewer), text: this.render(s, viewer < 0 ? viewer : 1 - viewer) };
      }
    },
  ),
  inPatrol(
    "leak-reward",
    "the card never met decides",
    class extends Patrol {
      override returns(s: StateView, out: Float32Array) {
        super.returns(s, out);
        if (this.actor(s) === NOBODY) out[0] = s[P.pile]! > 2 ? 1 : -1;
      }
    },
  ),
  inAmbush(
    "leak-actor",
    "the attacked side is only asked when it may flee",
    class extends Ambush {
      override actor(s: StateView) {
        const a = super.actor(s);
        return a >= 0 && s[A.phase] === 3 && STRENGTH[s[A.slot + other(s[A.active]!) + s[A.target]!]!]! > 1
          ? s[A.active]!
          : a;
      }
    },
  ),
  inAmbush(
    "leak-potential",
    "shaping pays for hidden strength",
    class extends Ambush {
      override readonly potentials = {
        counters: (s: StateView) =>
          this.actor(s) === NOBODY ? 0 : (STRENGTH[s[A.slot]!]! - STRENGTH[s[A.slot + SLOTS]!]!) / 7,
      };
    },
  ),
  inAmbush(
    "leak-error",
    "a refusal counts by what is hidden",
    class extends Ambush {
      override legalMask(s: StateView, mask: Uint8Array, at: number) {
        const n = super.legalMask(s, mask, at);
        return n === 0 ? 0 : n + s[A.slot + other(s[A.active]!)]!;
      }
    },
  ),
  inAmbush(
    "leak-seen",
    "the secret bid is written into the record",
    class extends Ambush {
      override describeFor(before: StateView, action: number, after: StateView, viewer: number) {
        void after;
        void before;
        void viewer;
        return this.actions[action]!;
      }
    },
  ),
  inAmbush(
    "leak-seen",
    "the record of an attack names what was attacked",
    class extends Ambush {
      override describeFor(before: StateView, action: number, after: StateView, viewer: number) {
        const text = super.describeFor(before, action, after, viewer);
        return action >= SLOTS && action < REGROUP
          ? `${text} (${STRENGTH[after[A.slot + other(before[A.active]!) + action - SLOTS]!]})`
          : text;
      }
    },
  ),
  inAmbush(
    "leak-spectator",
    "the spectator sees as red does",
    class extends Ambush {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer === SPECTATOR ? 0 : viewer, out);
      }
    },
  ),
  inPatrol(
    "view-poor",
    "the view leaves the hour out",
    class extends Patrol {
      override view(s: StateView, viewer: number) {
        return { ...super.view(s, viewer), hour: null };
      }
    },
  ),
];
