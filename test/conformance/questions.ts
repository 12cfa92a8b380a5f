import type { Rng } from "../../env/index.js";
import {
  canonical,
  Env,
  type Game,
  hashState,
  KesselError,
  newObservation,
  type Observation,
  observationRows,
  sameSituation,
  sceneOf,
  SPECTATOR,
  TENSORS,
} from "../../env/index.js";
import type { Complaints } from "./complaints.js";
import { act, maskBuffer, type Point } from "./play.js";

/** At most this many actions of one situation are tried out. */
const TRIED = 48;

/**
 * Masks: an action in the mask can be carried out and has an effect; any other is refused by `Env` and changes nothing.
 */
export function checkMasks(game: Game, points: readonly Point[], rng: Rng, complaints: Complaints): void {
  const env = new Env(game);
  for (const { s, actor } of points) {
    env.restore(s);
    const before = hashState(s, 0);
    const legal = env.mask.slice();
    for (const a of some(game.actions.length, rng)) {
      const name = game.actions[a]!;
      if (legal[a] === 1) {
        const after = s.slice();
        const thrown = act(game, after, a);
        if (thrown !== null) complaints.add("mask-refused", `${name} is in the mask and apply throws: ${thrown}`);
        else {
          complaints.expect(!sameSituation(s, after), "mask-idle", () => `${name} is in the mask and changes nothing`);
          const broken = game.invariantViolation(after);
          if (broken !== null) complaints.add("broken", `after ${name}: ${broken}`);
        }
        complaints.expect(hashState(s, 0) === before, "copies", () => `${name} on a copy changed the original`);
        continue;
      }
      for (const form of [a, name]) {
        try {
          env.step(form);
          complaints.add("mask-enforced", `${name} is not in the mask and was taken`);
          env.restore(s);
        } catch (e) {
          complaints.expect(
            e instanceof KesselError && e.code === "illegal-action",
            "mask-enforced",
            () => `${name} is not in the mask and was refused with ${String(e)}`,
          );
        }
        complaints.expect(
          hashState(env.state, 0) === before,
          "mask-enforced",
          () => `${name} was refused and changed the state`,
        );
      }
    }
    complaints.expect(env.actor === actor, "question-varies", () => `actor was ${actor} and is ${env.actor}`);
  }
}

/** Numbers below `n` in random order, not more than `most` of them. */
export function some(n: number, rng: Rng, most = TRIED): number[] {
  const all = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < Math.min(n, most); i++) {
    const j = i + rng.below(n - i);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, most);
}

/** Questions leave the state alone, say the same twice whatever lay in their buffers, and stay in declared ranges. */
export function checkQuestions(game: Game, points: readonly Point[], complaints: Complaints): void {
  const viewers = [...game.players.keys(), SPECTATOR];
  const first = newObservation(game.observation);
  const second = newObservation(game.observation);
  const [kept] = observationRows(game, 1).rows;
  const maskA = maskBuffer(game);
  const maskB = maskBuffer(game);
  for (const { s, actor } of points) {
    const before = hashState(s, 0);
    const unchanged = (question: string) =>
      complaints.expect(hashState(s, 0) === before, "question-writes", () => `${question} changed the state`);
    for (const viewer of viewers) {
      for (const t of TENSORS) {
        first[t].fill(NaN);
        second[t].fill(-12345);
      }
      game.observe(s, viewer, first);
      game.observe(s, viewer, second);
      game.observe(s, viewer, kept!);
      unchanged("observe");
      checkRange(game, first, complaints);
      for (const t of TENSORS)
        first[t].forEach((x, i) => {
          const y = second[t][i]!;
          if (Number.isNaN(x) && y === -12345) return; // unwritten, said above
          complaints.expect(
            x === y,
            "question-varies",
            () => `${featureName(game, t, i)} is ${x} and then ${y} in one situation`,
          );
          complaints.expect(
            x === kept![t][i],
            "observation-stale",
            () => `${featureName(game, t, i)} is ${x}, and ${kept![t][i]} in a row written before`,
          );
        });
      for (const [what, ask] of [
        ["view", () => canonical(game.view(s, viewer))],
        ["render", () => game.render(s, viewer)],
        ["scene", () => JSON.stringify(sceneOf(game, s, viewer))],
      ] as const) {
        const once = ask();
        unchanged(what);
        complaints.expect(once === ask(), "question-varies", () => `${what} says two things of one situation`);
      }
    }
    const written = canonical(game.write(s));
    unchanged("write");
    complaints.expect(
      written === canonical(game.write(s)),
      "question-varies",
      () => "write says two things of one situation",
    );
    if (game.margin !== undefined) {
      const margin = game.margin(s);
      unchanged("margin");
      complaints.expect(
        margin >= -1 && margin <= 1 && margin === game.margin(s),
        "question-varies",
        () => `margin is ${margin} and then ${game.margin!(s)}, where both are to be one number in -1..1`,
      );
    }
    if (actor < 0) continue;
    maskA.fill(0);
    maskB.fill(1);
    maskB[0] = maskB[game.actions.length + 1] = 0;
    const n = game.legalMask(s, maskA, 1);
    const m = game.legalMask(s, maskB, 1);
    unchanged("legalMask");
    complaints.expect(
      n === m && maskA.every((c, i) => c === maskB[i]),
      "question-varies",
      () => "legalMask says two things of one situation",
    );
    for (const [name, potential] of Object.entries(game.potentials))
      complaints.expect(Number.isFinite(potential(s)), "question-varies", () => `potential ${name} is ${potential(s)}`);
    unchanged("a potential");
  }
}

function checkRange(game: Game, out: Observation, complaints: Complaints): void {
  for (const t of TENSORS) {
    const features = game.observation[t];
    const cells = out[t];
    for (let i = 0; i < cells.length; i++) {
      const x = cells[i]!;
      if (Number.isNaN(x)) complaints.add("observation-unwritten", `${featureName(game, t, i)} was not written`);
      else {
        const [low, high] = features[i % features.length]!.range;
        if (!(x >= low - 1e-6 && x <= high + 1e-6))
          complaints.add("observation-range", `${featureName(game, t, i)} is ${x}, outside ${low}..${high}`);
      }
    }
  }
}

/** `units[own 3].strength` of cell `i` of a tensor. */
export function featureName(game: Game, t: (typeof TENSORS)[number], i: number): string {
  const features = game.observation[t];
  const row = Math.trunc(i / features.length);
  const rows = t === "map" ? game.observation.mapRows : t === "units" ? game.observation.unitRows : null;
  return `${t}${rows ? `[${rows[row]}]` : ""}.${features[i % features.length]!.name}`;
}
