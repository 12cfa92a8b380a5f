import { type StateView, type State, type Rng, RNG_WORDS } from "../../env/index.js";
import { Ambush, L as A, SLOTS } from "../toys/ambush.js";
import { Patrol, L as P } from "../toys/patrol.js";
import { Race, L as R } from "../toys/race.js";
import { type Fault, inAmbush, other, inPatrol, inRace } from "./fault.js";

export const SAMPLES: Fault[] = [
  inAmbush(
    "resample-broken",
    "one counter is dealt twice",
    class extends Ambush {
      override resample(s: StateView, player: number, out: State, rng: Rng) {
        super.resample(s, player, out, rng);
        out[A.slot + other(player)] = out[A.slot + other(player) + 1]!;
        return true;
      }
    },
  ),
  inAmbush(
    "resample-stream",
    "the sample rolls the true dice",
    class extends Ambush {
      override resample(s: StateView, player: number, out: State, rng: Rng) {
        super.resample(s, player, out, rng);
        for (let i = 0; i < RNG_WORDS; i++) out[i] = s[i]!;
        return true;
      }
    },
  ),
  inAmbush(
    "resample-truth",
    "the first counter is left where it is",
    class extends Ambush {
      override resample(s: StateView, player: number, out: State, rng: Rng) {
        super.resample(s, player, out, rng);
        const at = A.slot + other(player);
        const now = out.indexOf(s[at]!, at);
        out[now] = out[at]!;
        out[at] = s[at]!;
        return true;
      }
    },
  ),
  inPatrol(
    "resample-truth",
    "the pool is not sorted before it is dealt",
    class extends Patrol {
      override resample(s: StateView, _player: number, out: State, rng: Rng) {
        for (let i = 0; i < s.length; i++) out[i] = s[i]!;
        rng.freshStream(out);
        for (let n = s[P.left]! - s[P.below]!; n > s[P.top]! + 1; n--) {
          const j = s[P.top]! + rng.below(n - s[P.top]!);
          const k = out[P.pile + n - 1]!;
          out[P.pile + n - 1] = out[P.pile + j]!;
          out[P.pile + j] = k;
        }
        return true;
      }
    },
  ),
  inAmbush(
    "resample-same",
    "the truth is handed out",
    class extends Ambush {
      override resample(s: StateView, _player: number, out: State, rng: Rng) {
        for (let i = 0; i < s.length; i++) out[i] = s[i]!;
        rng.freshStream(out);
        return true;
      }
    },
  ),
  inAmbush(
    "resample-fallback",
    "every sample gives the history up",
    class extends Ambush {
      override resample(s: StateView, player: number, out: State, rng: Rng) {
        super.resample(s, player, out, rng);
        return false;
      }
    },
  ),
  inPatrol(
    "resample-reproducible",
    "the sample depends on how many were made",
    class extends Patrol {
      private times = 0;
      override resample(s: StateView, player: number, out: State, rng: Rng) {
        for (let i = this.times++ % 3; i > 0; i--) rng.word();
        return super.resample(s, player, out, rng);
      }
    },
  ),
  inRace(
    "resample-stuck",
    "a sample asks for dice that were never thrown",
    class extends Race {
      override resample(s: StateView, player: number, out: State, rng: Rng) {
        super.resample(s, player, out, rng);
        if (this.actor(out) >= 0) out[R.phase] = 1;
        return true;
      }
      override invariantViolation() {
        return null;
      }
    },
  ),
  inAmbush(
    "leak-observation",
    "a flight is forgotten, a sample holds what can't have fled",
    class extends Ambush {
      override resample(s: StateView, player: number, out: State, rng: Rng) {
        const t = Int32Array.from(s as State);
        t.fill(0, A.fled, A.fled + 2 * SLOTS);
        const kept = super.resample(t, player, out, rng);
        return kept;
      }
    },
  ),
];
