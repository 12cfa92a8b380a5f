import {
  CHANCE,
  type ChanceOutcome,
  type Dice,
  EnumeratingDice,
  genericScene,
  type JsonObject,
  NOBODY,
  type Observation,
  type Rng,
  RNG_WORDS,
  SPECTATOR,
  type State,
  type StateView,
} from "../../env/index.js";
import { Ambush, L as A, REGROUP, SLOTS, STRENGTH } from "../toys/ambush.js";
import { L as P, LOOK, Patrol } from "../toys/patrol.js";
import { L as R, Race, race } from "../toys/race.js";
import { type Fault, inAmbush, inPatrol, inRace } from "./fault.js";
import { NARRATION } from "./narration-faults.js";

const other = (viewer: number) => (viewer === 1 ? 0 : SLOTS);

const STATIC: Fault[] = [
  inRace(
    "scene",
    "a counter stands nowhere",
    class extends Race {
      scene(s: StateView, viewer: number) {
        const counter = { id: "runner", kind: "counter" as const, place: "beyond", title: "runner" };
        return { ...genericScene(this, s, viewer), counters: [counter] };
      }
    },
  ),
  inRace(
    "action-names",
    "two actions have one name",
    class extends Race {
      override readonly actions = [
        "roll 1",
        "roll 1",
        "roll 3",
        "hold",
        "keep 2",
        "keep 3",
        "keep 4",
        "keep 5",
        "keep 6",
        "leave",
      ];
    },
  ),
  inRace(
    "spec",
    "a feature has its range the wrong way round",
    class extends Race {
      override readonly observation = {
        ...new Race(race, {}).observation,
        decision: [
          { name: "keeping", range: [1, 0] as const, norm: "?" },
          { name: "throws", range: [0, 1] as const, norm: "?" },
        ],
      };
    },
  ),
  inRace("rules-index", "a rule belongs to an option that is not there", Race, {
    "1": { says: "Something", status: "option", option: "none" },
  }),
];

const PLAY: Fault[] = [
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

const DOCUMENTS: Fault[] = [
  inRace(
    "round-trip",
    "the throws made are not written",
    class extends Race {
      override write(s: StateView): JsonObject {
        return { ...super.write(s), throws: [0] };
      }
    },
  ),
  inRace(
    "not-json",
    "the view holds undefined",
    class extends Race {
      override view(s: StateView) {
        return { ...super.view(s, 0), note: undefined } as unknown as JsonObject;
      }
    },
  ),
  inRace(
    "read-lax",
    "unknown keys are passed over",
    class extends Race {
      override read(doc: JsonObject, s: State, dice: Dice) {
        super.read(Object.fromEntries(Object.keys(this.write(s)).map((k) => [k, doc[k]!])), s, dice);
      }
    },
  ),
  inRace(
    "read-lax",
    "a value nobody can have is read",
    class extends Race {
      override read(doc: JsonObject, s: State, dice: Dice) {
        super.read(doc["pot"] === -99 ? { ...doc, pot: [0] } : doc, s, dice);
        if (doc["pot"] === -99) s[R.pot] = -99;
      }
    },
  ),
  inRace(
    "read-crash",
    "a list is taken for granted",
    class extends Race {
      override read(doc: JsonObject, s: State, dice: Dice) {
        (doc["score"] as number[]).map((x) => x);
        super.read(doc, s, dice);
      }
    },
  ),
];

const OBSERVATION: Fault[] = [
  inRace(
    "observation-unwritten",
    "faces not on the table are left out",
    class extends Race {
      override observe(s: StateView, viewer: number, out: Observation) {
        const kept = out.map.slice();
        super.observe(s, viewer, out);
        for (let f = 0; f < 5; f++) if (out.map[f] === 0) out.map[f] = kept[f]!;
      }
    },
  ),
  inRace(
    "observation-stale",
    "a row keeps the first turn it was written in",
    class extends Race {
      readonly cacheWords = 1;
      override observe(s: StateView, viewer: number, out: Observation) {
        const before = out.globals[0]!;
        super.observe(s, viewer, out);
        if (out.cache?.[0] === 1) out.globals[0] = before;
        else if (out.cache) out.cache[0] = 1;
      }
    },
  ),
  inRace(
    "observation-range",
    "the turn is not scaled",
    class extends Race {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer, out);
        out.globals[0] = s[R.turn]!;
      }
    },
  ),
];

const SAMPLES: Fault[] = [
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

const LEAKS: Fault[] = [
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
    "a refusal counts by what lies hidden",
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

const CHANCES: Fault[] = [
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

const BATCHES: Fault[] = [
  inRace(
    "batch",
    "the state's buffer is taken to hold one state",
    class extends Race {
      override actor(s: StateView) {
        return super.actor(new Int32Array((s as State).buffer));
      }
    },
  ),
  inRace(
    "crashed",
    "a question throws",
    class extends Race {
      override describeFor(): string | null {
        throw new Error("no record");
      }
    },
  ),
];

export const FAULTS: readonly Fault[] = [
  ...STATIC,
  ...PLAY,
  ...DOCUMENTS,
  ...OBSERVATION,
  ...SAMPLES,
  ...LEAKS,
  ...NARRATION,
  ...CHANCES,
  ...BATCHES,
];
