import { createHash } from "node:crypto";
import { canonical, type Game, Rng, sameSituation, sampleFor, SeededDice, type State } from "../../env/index.js";

/** Samples that must agree before an action may be taken back in a game with hidden information. */
const UNDO_SAMPLES = 64;

/** One step of a game without dice, as it was played. */
export interface PlayedStep {
  readonly before: State;
  readonly actor: number;
  readonly action: number;
  /** Asked of a person, so that taking back may stop here. */
  readonly asked: boolean;
}

/** Why `player` can't take `steps` back, or null: something hidden has come to light. No dice fell in the steps. */
export function whyNotUndone(
  game: Game,
  steps: readonly PlayedStep[],
  now: State,
  player: number,
  seed: string,
): string | null {
  return learnt(game, steps, now, player, seed) ? "something hidden has come to light since" : null;
}

/** True when the same steps would have shown `player` something else, had the hidden things been otherwise. */
function learnt(game: Game, steps: readonly PlayedStep[], now: State, player: number, seed: string): boolean {
  const { before } = steps[0]!;
  if (canonical(game.view(before, player)) === canonical(game.write(before))) return false; // nothing to learn
  const shown = canonical(game.view(now, player));
  const rng = new Rng(createHash("sha256").update(`undo\n${seed}`).digest("hex"));
  const dice = new SeededDice();
  const mask = new Uint8Array(game.actions.length);
  for (let k = 0; k < UNDO_SAMPLES; k++) {
    const s = sampleFor(game, before, player, rng);
    if (sameSituation(s, before)) continue;
    for (const p of steps) {
      game.legalMask(s, mask, 0);
      if (game.actor(s) !== p.actor || mask[p.action] !== 1) return true;
      dice.begin(s);
      game.apply(s, p.action, dice);
    }
    if (canonical(game.view(s, player)) !== shown) return true;
  }
  return false;
}

/** True when there is something in `s` that some player can't see. */
export function hidesSomething(game: Game, s: State): boolean {
  const truth = canonical(game.write(s));
  return game.players.some((_, p) => canonical(game.view(s, p)) !== truth);
}
