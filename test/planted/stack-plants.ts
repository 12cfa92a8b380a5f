import { type Game, gameFor, type State, type StateView } from "../../env/index.js";
import {
  F_ASK,
  F_MP,
  FRAME_WORDS,
  FRAMES,
  PINNED,
  SILENCED,
  ABOARD,
  SPENT,
  TASK_BITS,
  TOOK_CHIEF,
  TOOK_TROOP,
  UNPINNED,
  WALK,
} from "../../env/streets-of-stalingrad/layout.js";
import { streetsOfStalingrad as type } from "../../env/streets-of-stalingrad/index.js";
import { CARTS, NIGHT, SILENT, UNDER_FIRE, WORKS } from "../env/streets-of-stalingrad/woods.js";
import { plant, retelling } from "./game-plants.js";
import type { GamePlant } from "./plant.js";

/**
 * Leaks of a face-down stack's contents: which of its counters carries a marker, what MP it has left, who works there,
 * who rides. And of what the other side does not learn after the Administrative Phase: which guns stay silent, and
 * whether the army has its leader back.
 */

const streetsOfStalingrad = (): Game => gameFor(type, NIGHT);
const engineers = (): Game => gameFor(type, WORKS);
const transports = (): Game => gameFor(type, CARTS);
const underFire = (): Game => gameFor(type, UNDER_FIRE);
const offset = (game: Game, name: string): number => game.fields.find((f) => f.name === name)!.offset;

/** A position in which guns of both sides stay silent, and Chuikov may be back. */
const dawn = (): Game => gameFor(type, SILENT);

/** A number that depends on which guns stay silent. */
function silentSum(game: Game, s: StateView): number {
  const work = offset(game, "work");
  return game.observation.unitRows.reduce((sum, _, u) => ((s[work + u]! & SILENCED) === 0 ? sum : sum + u + 1), 0);
}

/** How many units have one of these flags. */
function countOf(game: Game, s: StateView, bits: number): number {
  const flags = offset(game, "flags");
  return game.observation.unitRows.filter((_, u) => (s[flags + u]! & bits) !== 0).length;
}

/** The first unit with one of these bits of `work`, -1 none. */
function firstWith(game: Game, s: StateView, bits: number): number {
  const work = offset(game, "work");
  return game.observation.unitRows.findIndex((_, u) => (s[work + u]! & bits) !== 0);
}

/** Position of the MP left of the walk that is under way, -1 without one. */
function mpAt(game: Game, s: StateView): number {
  const frames = offset(game, "frames");
  for (let frame = frames; frame < frames + FRAMES * FRAME_WORDS; frame += FRAME_WORDS)
    if (s[frame + F_ASK] === WALK) return frame + F_MP;
  return -1;
}

export const STACK_PLANTS: readonly GamePlant[] = [
  plant("view: it counts the marked counters of face-down stacks", "leak-view", streetsOfStalingrad, (honest) => ({
    view: (s, viewer) => ({ ...honest.view(s, viewer), marked: countOf(honest, s, PINNED | SPENT) }),
  })),
  plant("observer: a feature counts who is spent by the truth", "leak-observation", streetsOfStalingrad, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      out.globals[63] = countOf(honest, s, SPENT) / 100;
    },
  })),
  plant("redact: the MP left of a face-down group are kept", "leak-redact", streetsOfStalingrad, (honest) => ({
    redact(s: StateView, player: number, out: State) {
      honest.redact!(s, player, out);
      const at = mpAt(honest, s);
      if (at >= 0) out[at] = s[at]!;
    },
  })),
  plant("view: it counts the guns that stay silent", "leak-view", dawn, (honest) => ({
    view: (s, viewer) => ({ ...honest.view(s, viewer), silent: silentSum(honest, s) }),
  })),
  plant("observer: a feature numbers the guns that stay silent", "leak-observation", dawn, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      out.globals[63] = silentSum(honest, s) / 1000;
    },
  })),
  plant("redact: who has just come back to lead the army is kept", "leak-redact", dawn, (honest) => ({
    redact(s: StateView, player: number, out: State) {
      honest.redact!(s, player, out);
      const at = offset(honest, "commandSince");
      for (let side = 0; side < 2; side++) out[at + side] = s[at + side]!;
    },
  })),
  plant("event: a turn that begins numbers the guns that were silent", "leak-event", dawn, (honest) =>
    retelling((events, s) => events.map((e) => (e.what === "phase" ? { ...e, amount: silentSum(honest, s) } : e)))(
      honest,
    ),
  ),
  plant("event: markers that go are counted by the truth", "leak-event", streetsOfStalingrad, (honest) =>
    retelling((events, s) =>
      events.map((e) => (e.what === "marker-off" ? { ...e, amount: countOf(honest, s, UNPINNED) } : e)),
    )(honest),
  ),
  plant("view: it names an engineer who works", "leak-view", engineers, (honest) => ({
    view: (s, viewer) => ({ ...honest.view(s, viewer), worker: firstWith(honest, s, TASK_BITS) }),
  })),
  plant("redact: who works at what is kept", "leak-redact", engineers, (honest) => ({
    redact(s: StateView, player: number, out: State) {
      honest.redact!(s, player, out);
      const work = offset(honest, "work");
      const n = honest.observation.unitRows.length;
      for (let u = work; u < work + n; u++) out[u]! |= s[u]! & TASK_BITS;
    },
  })),
  plant("event: the engineer who begins is named", "leak-event", engineers, (honest) =>
    retelling((events, s) =>
      events.map((e) => (e.what === "task" ? { ...e, amount: firstWith(honest, s, TASK_BITS) } : e)),
    )(honest),
  ),
  plant("observer: a feature says which transport has carried", "leak-observation", transports, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      out.globals[63] = firstWith(honest, s, TOOK_TROOP | TOOK_CHIEF) / 100;
    },
  })),
  plant("observer: a feature says who rides", "leak-observation", underFire, (honest) => ({
    observe(s, viewer, out) {
      honest.observe(s, viewer, out);
      out.globals[63] = firstWith(honest, s, ABOARD) / 100;
    },
  })),
];
