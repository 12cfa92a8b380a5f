import {
  canonical,
  firstDifference,
  type Game,
  newState,
  Rng,
  RNG_WORDS,
  sameSituation,
  SPECTATOR,
  type State,
} from "../../env/index.js";
import { pickLegal } from "../../agents/random.js";
import type { Code, Complaints } from "./complaints.js";
import { ObservationComparer } from "./observation-comparer.js";
import { act, begin, type Point } from "./play.js";

/**
 * Resampled states: honest, fresh, legal, varied, reproducible, and indistinguishable from the true state for the
 * player.
 */
export function checkResample(game: Game, points: readonly Point[], rng: Rng, complaints: Complaints): void {
  const comparer = new ObservationComparer(game);
  const [one, two, three] = [newState(game.stateSize), newState(game.stateSize), newState(game.stateSize)];
  for (const [player, name] of game.players.entries()) {
    let hidden = 0;
    let varied = 0;
    let fallbacks = 0;
    for (const { s } of points) {
      const seed = `resample/${rng.word()}`;
      const tell = (code: Code, says: string) => complaints.add(code, `${name}: ${says}`);
      const exact = game.resample(s, player, one, new Rng(seed));
      if (!exact) fallbacks++;
      if (canonical(game.write(s)) !== canonical(game.view(s, player))) hidden++;
      if (!sameSituation(s, one)) varied++;

      const broken = game.invariantViolation(one);
      if (broken !== null) tell("resample-broken", broken);
      if (exact) {
        comparer.compare(s, one, player, true, tell);
        // the spectator knows no more than this player, so the same holds for the spectator
        comparer.compare(s, one, SPECTATOR, true, (_code, says) => tell("leak-spectator", says));
      }

      game.resample(s, player, two.fill(-1), new Rng(seed));
      complaints.expect(
        sameWords(one, two, 0),
        "resample-reproducible",
        () => `one seed gives two samples: ${firstDifference(game.fields, one, two)}`,
      );
      // another world and another stream that this player can't tell from the first: the same sample must come
      two.set(one);
      new Rng(`${seed}/stream`).freshStream(two);
      game.resample(two, player, three, new Rng(seed));
      complaints.expect(
        sameWords(one, three, RNG_WORDS),
        "resample-truth",
        () =>
          `the sample for ${name} depends on what can't be known: ${firstDifference(game.fields.slice(1), one, three)}`,
      );
      complaints.expect(
        sameStream(one, three),
        "resample-stream",
        () => "the sample's random stream depends on the true one",
      );
      complaints.expect(!sameStream(one, s), "resample-stream", () => "the sample keeps the random stream");
      game.resample(s, player, three, new Rng(`${seed}/other`));
      complaints.expect(!sameStream(one, three), "resample-stream", () => "two samples have one random stream");
    }
    checkFallbacks(fallbacks, points.length, complaints);
    complaints.expect(
      hidden < 20 || varied > 0,
      "resample-same",
      () => `${name} doesn't see everything, and ${points.length} samples were all the truth`,
    );
  }
}

/** Samples that ignore some of the history, of all, at most. */
const MOST_FALLBACKS = 0.05;

/** Few samples ignore some of the history: they may differ from the true state in anything that a player sees. */
export function checkFallbacks(fallbacks: number, samples: number, complaints: Complaints): void {
  complaints.expect(
    fallbacks <= Math.max(1, MOST_FALLBACKS * samples),
    "resample-fallback",
    () => `${fallbacks} of ${samples} samples ignore some of the history`,
  );
}

const sameStream = (a: State, b: State) => a.subarray(0, RNG_WORDS).every((w, i) => w === b[i]);
const sameWords = (a: State, b: State, from: number) => a.every((w, i) => i < from || w === b[i]);

/** Samples can be played to the end by the rules. */
export function checkSamplesPlay(game: Game, points: readonly Point[], rng: Rng, complaints: Complaints): void {
  const s = newState(game.stateSize);
  const mask = new Uint8Array(game.actions.length);
  for (const point of points) {
    if (point.actor < 0) continue;
    game.resample(point.s, rng.below(game.players.length), s, rng);
    for (let left = game.maxDecisions; game.actor(s) >= 0; left--) {
      const thrown =
        left < 0
          ? "it goes on too long"
          : game.legalMask(s, mask, 0) === 0
            ? "nothing is legal"
            : act(game, s, pickLegal(mask, 0, mask.length, rng));
      const stuck = thrown ?? game.invariantViolation(s);
      if (stuck === null) continue;
      complaints.add("resample-stuck", `playing on from a sample: ${stuck}`);
      break;
    }
  }
}

/** Starts tried when looking for two that one player can't tell apart. */
const STARTS = 250;

/** Pairs of true starts, dealt independently, that `player` can't tell apart. */
export function indistinguishablePairs(game: Game, player: number, seed: string, most: number): [State, State][] {
  const known = new Map<string, State>();
  const pairs: [State, State][] = [];
  for (let i = 0; i < STARTS && pairs.length < most; i++) {
    const s = begin(game, `${seed}/twin/${i}`);
    const key = canonical(game.view(s, player));
    const other = known.get(key);
    if (other === undefined) known.set(key, s);
    else if (!sameSituation(s, other)) pairs.push([other, s]);
  }
  return pairs;
}

/** Samples of one world that no word of the state may tell from samples of the other world of its pair. */
const SAMPLES = 16;

/**
 * Two true worlds that a player can't tell apart have the same samples: no word is always one thing in the samples of
 * the first and always another in those of the second (a true state that resampling leaves unchanged).
 */
export function checkIndistinguishable(game: Game, seed: string, complaints: Complaints): void {
  const out = newState(game.stateSize);
  for (const [player, name] of game.players.entries())
    for (const pair of indistinguishablePairs(game, player, seed, 6)) {
      const rng = new Rng(`${seed}/twins`);
      const [x, y] = pair.map((s) => {
        const constant = new Uint8Array(game.stateSize).fill(1);
        let first: State | null = null;
        for (let k = 0; k < SAMPLES; k++) {
          game.resample(s, player, out, rng);
          first ??= out.slice();
          for (let i = 0; i < out.length; i++) if (out[i] !== first[i]) constant[i] = 0;
        }
        return { constant, first: first! };
      }) as [{ constant: Uint8Array; first: State }, { constant: Uint8Array; first: State }];
      const stuck = x.first.findIndex(
        (w, i) => i >= RNG_WORDS && x.constant[i] === 1 && y.constant[i] === 1 && w !== y.first[i],
      );
      const field = game.fields.findLast((f) => f.offset <= stuck);
      complaints.expect(
        stuck < 0,
        "resample-truth",
        () =>
          `${name} can't tell two worlds apart, and samples keep ${field?.name}[${stuck - field!.offset}] as it truly is`,
      );
    }
}
