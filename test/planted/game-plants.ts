import {
  type Game,
  type GameEvent,
  type JsonObject,
  type Narrator,
  RNG_WORDS,
  sceneOf,
  SPECTATOR,
  type StateView,
} from "../../env/index.js";
import type { Code } from "../conformance/complaints.js";
import { L as A, SLOTS, STRENGTH } from "../toys/ambush.js";
import { bit, type GamePlant, savageStreets, strikeCounterstrike, toyAmbush, truth, wrapped } from "./plant.js";

export const plant = (
  name: string,
  code: Code,
  base: () => Game,
  change: (honest: Game) => Partial<Game>,
): GamePlant => ({
  name,
  code,
  game: () => wrapped(base(), change),
});

/**
 * Events of each action changed after it, as a list. @param change receives the state after the action
 */
export const retelling =
  (change: (events: GameEvent[], s: StateView) => GameEvent[]) =>
  (honest: Game): Partial<Game> => ({
    apply(s, action, dice, narrator = null) {
      if (narrator === null) return honest.apply(s, action, dice, null);
      const heard: ((viewer: number) => GameEvent | null)[] = [];
      const recorder: Narrator = {
        tell: (event) => void heard.push(() => event),
        tellEach: (version) => void heard.push(version),
      };
      honest.apply(s, action, dice, recorder);
      const lists = new Map<number, GameEvent[]>();
      const of = (viewer: number): GameEvent[] => {
        const events = () =>
          change(
            heard.flatMap((version) => version(viewer) ?? []),
            s,
          );
        return lists.get(viewer) ?? lists.set(viewer, events()).get(viewer)!;
      };
      for (let i = 0; i < heard.length + 1; i++) narrator.tellEach((viewer) => of(viewer)[i] ?? null);
    },
  });

const saying = (honest: Game, change: Partial<NonNullable<Game["narration"]>>): Partial<Game> => ({
  narration: {
    prompt: (s, viewer) => honest.narration!.prompt(s, viewer),
    standing: (s, viewer) => honest.narration!.standing(s, viewer),
    ...change,
  },
});

const reversed = (doc: JsonObject): JsonObject => Object.fromEntries(Object.entries(doc).reverse());
const other = (viewer: number): number => (viewer === 1 ? 0 : SLOTS);

const STATE_PLANTS: GamePlant[] = [
  plant("observer: a feature of the globals moves with the truth", "leak-observation", savageStreets, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      out.globals[0] = bit(s);
    },
  })),
  plant("observer: a zero has a sign in some worlds", "leak-observation", savageStreets, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      const at = out.globals.indexOf(0);
      if (at >= 0 && bit(s) === 1) out.globals[at] = -0;
    },
  })),
  plant("reward: a zero has a sign in some worlds", "leak-reward", toyAmbush, (honest) => ({
    returns(s, out) {
      honest.returns(s, out);
      if (out[0] === 0 && bit(s) === 1) out[0] = -0;
    },
  })),
  plant("observer: only from turn 3 on", "leak-observation", strikeCounterstrike, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      const turn = honest.view(s, SPECTATOR)["turn"] as number;
      if (turn >= 3) out.globals[0] = bit(s);
    },
  })),
  plant("observer: only while a partisan is placed", "leak-observation", strikeCounterstrike, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      if (honest.narration!.prompt(s, SPECTATOR).kind === "partisan") out.globals[0] = bit(s);
    },
  })),
  plant("observer: rows are in the order of hidden strength", "leak-observation", toyAmbush, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      const strength = (i: number) => STRENGTH[s[A.slot + other(viewer) + i]!]!;
      const order = [0, 1, 2, 3, 4].sort((i, j) => strength(i) - strength(j));
      const rows = order.map((i) => out.units.slice((SLOTS + i) * 5, (SLOTS + i + 1) * 5));
      rows.forEach((row, i) => out.units.set(row, (SLOTS + i) * 5));
    },
  })),
  plant("observer: the spectator sees as the first side does", "leak-spectator", toyAmbush, (honest) => ({
    observe: (s, viewer, out) => honest.observe(s, viewer === SPECTATOR ? 0 : viewer, out),
  })),
  plant("mask: the last legal action is missing in some worlds", "leak-mask", savageStreets, (honest) => ({
    legalMask(s, mask, at) {
      const n = honest.legalMask(s, mask, at);
      if (n < 2 || bit(s) === 0) return n;
      mask[mask.lastIndexOf(1)] = 0;
      return n - 1;
    },
  })),
  plant("error: a refusal counts legal actions by the truth", "leak-error", toyAmbush, (honest) => ({
    legalMask(s, mask, at) {
      const n = honest.legalMask(s, mask, at);
      return n === 0 ? 0 : n + (truth(s) % 3);
    },
  })),
  plant("actor: who decides depends on the truth", "leak-actor", toyAmbush, (honest) => ({
    actor(s) {
      const a = honest.actor(s);
      return a >= 0 && s[A.phase] === 3 && bit(s) === 1 ? 1 - a : a;
    },
  })),
  plant("reward: a draw is broken by a hidden counter", "leak-reward", toyAmbush, (honest) => ({
    returns(s, out) {
      honest.returns(s, out);
      if (honest.actor(s) >= 0) return;
      out[0] = bit(s) === 1 ? 1 : -1;
      out[1] = -out[0];
    },
  })),
  plant("potential: shaping pays for hidden strength", "leak-potential", savageStreets, (honest) => ({
    potentials: { ...honest.potentials, hidden: (s) => truth(s) / 2 ** 32 },
  })),
  plant("redact: one hidden word is kept", "leak-redact", toyAmbush, (honest) => ({
    redact(s, player, out) {
      honest.redact!(s, player, out);
      out[A.slot + other(player)] = s[A.slot + other(player)]!;
    },
  })),
  plant("redact: the dice to come are kept", "leak-redact", toyAmbush, (honest) => ({
    redact(s, player, out) {
      honest.redact!(s, player, out);
      for (let i = 0; i < RNG_WORDS; i++) out[i] = s[i]!;
    },
  })),
  plant("resample: the true dice stream is kept", "resample-stream", savageStreets, (honest) => ({
    resample(s, player, out, rng) {
      const exact = honest.resample(s, player, out, rng);
      for (let i = 0; i < RNG_WORDS; i++) out[i] = s[i]!;
      return exact;
    },
  })),
  plant("resample: the dice stream is the true one, shifted", "resample-stream", strikeCounterstrike, (honest) => ({
    resample(s, player, out, rng) {
      const exact = honest.resample(s, player, out, rng);
      for (let i = 0; i < RNG_WORDS; i++) out[i] = s[i]! ^ 0x5a5a5a5a;
      return exact;
    },
  })),
  plant("resample: the order of slots is dealt from the true order", "resample-truth", toyAmbush, (honest) => ({
    resample(s, player, out, rng) {
      const exact = honest.resample(s, player, out, rng);
      const at = A.slot + other(player);
      const now = out.indexOf(s[at]!, at);
      if (out[A.known + other(player)] === 1 || out[A.known + now - A.slot] === 1) return exact;
      out[now] = out[at]!;
      out[at] = s[at]!;
      return exact;
    },
  })),
];

const TEXT_PLANTS: GamePlant[] = [
  plant("view: keys come in another order", "leak-view", savageStreets, (honest) => ({
    view(s, viewer) {
      const doc = honest.view(s, viewer);
      return bit(s) === 1 ? reversed(doc) : doc;
    },
  })),
  plant("view: a counter is named by its number", "leak-view", toyAmbush, (honest) => ({
    view: (s, viewer) => ({ ...honest.view(s, viewer), id: s[A.slot + other(viewer)]! }),
  })),
  plant("view: a counter of the game moves with hidden things", "leak-view", savageStreets, (honest) => ({
    view: (s, viewer) => ({ ...honest.view(s, viewer), changes: truth(s) % 5 }),
  })),
  plant("render: the board is a blank longer", "leak-render", savageStreets, (honest) => ({
    render: (s, viewer) => honest.render(s, viewer) + " ".repeat(bit(s)),
  })),
  plant("scene: a caption counts hidden things", "leak-scene", savageStreets, (honest) => ({
    scene: (s, viewer) => ({ ...sceneOf(honest, s, viewer), caption: `${truth(s) % 7} hidden` }),
  })),
  plant("scene: counters come in another order", "leak-scene", strikeCounterstrike, (honest) => ({
    scene(s, viewer) {
      const scene = sceneOf(honest, s, viewer);
      return bit(s) === 1 ? { ...scene, counters: [...scene.counters].reverse() } : scene;
    },
  })),
  plant("describeFor: a secret bid is written into the record", "leak-seen", toyAmbush, (honest) => ({
    describeFor: (_before, action) => honest.actions[action]!,
  })),
  plant("describeFor: the record of an action is a blank longer", "leak-seen", savageStreets, (honest) => ({
    describeFor(before, action, after, viewer) {
      const text = honest.describeFor(before, action, after, viewer);
      return text === null ? null : text + " ".repeat(bit(before));
    },
  })),
  plant("prompt: the text tells one world from another", "leak-prompt", savageStreets, (honest) =>
    saying(honest, {
      prompt(s, viewer) {
        const p = honest.narration!.prompt(s, viewer);
        return { ...p, text: p.text + (bit(s) === 1 ? " Choose." : "") };
      },
    }),
  ),
  plant("prompt: choices come in another order", "leak-prompt", strikeCounterstrike, (honest) =>
    saying(honest, {
      prompt(s, viewer) {
        const p = honest.narration!.prompt(s, viewer);
        return bit(s) === 1 ? { ...p, choices: [...p.choices].reverse() } : p;
      },
    }),
  ),
  plant("standing: a condition counts hidden things", "leak-standing", savageStreets, (honest) =>
    saying(honest, {
      standing(s, viewer) {
        const x = honest.narration!.standing(s, viewer);
        return { ...x, conditions: x.conditions.map((c) => ({ ...c, have: c.have + bit(s) })) };
      },
    }),
  ),
  plant(
    "event: the text tells one world from another",
    "leak-event",
    savageStreets,
    retelling((events, s) => events.map((e) => ({ ...e, text: e.text + (bit(s) === 1 ? " So it is." : "") }))),
  ),
  plant(
    "event: one more is reported in some worlds",
    "leak-event",
    toyAmbush,
    retelling((events, s) =>
      bit(s) === 1 ? [...events, { what: "turn", rule: "1", by: null, text: "Dust rises." }] : events,
    ),
  ),
  plant(
    "event: they come in another order",
    "leak-event",
    toyAmbush,
    retelling((events, s) => (bit(s) === 1 ? [...events].reverse() : events)),
  ),
];

export const GAME_PLANTS: readonly GamePlant[] = [...STATE_PLANTS, ...TEXT_PLANTS];
