import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  canonical,
  Env,
  gameFor,
  gameType,
  newState,
  openCase,
  parseCases,
  Rng,
  sameSituation,
  stepScripted,
} from "../../env/index.js";

/**
 * Tests what holds of a game at every step of each of its rule cases, whatever the case is about: a position document
 * holds all of the state, the mask counts what is legal, and a sample of what a player can't see looks to that player as
 * the truth does.
 *
 * @param id of a game whose cases stand in `test/cases/<id>`
 */
export function everyCase(id: string): void {
  const folder = new URL(`../cases/${id}/`, import.meta.url);
  const cases = readdirSync(folder)
    .flatMap((file) => parseCases(JSON.parse(readFileSync(new URL(file, folder), "utf8")), file))
    .flatMap((rc) => ("position" in rc ? [rc] : []));

  test.each(cases)("$id, whatever it is about: position, mask and sample agree with the state", (rc) => {
    const type = gameType(id);
    const env = openCase(type, rc);
    const { game, state } = env;
    const again = new Env(gameFor(type, rc.position, rc.options));
    const mask = new Uint8Array(game.actions.length);
    const sample = newState(game.stateSize);
    for (const step of [null, ...rc.steps]) {
      if (step?.expect?.error !== undefined) continue;
      if (step?.do !== undefined) stepScripted(env, step.do, step.dice ?? []);
      expect(game.invariantViolation(state)).toBe(null);
      again.resetTo(game.write(state), "again");
      expect(sameSituation(again.state, state)).toBe(true);
      const count = game.legalMask(state, mask, 0);
      expect(count).toBe(mask.filter((m) => m === 1).length);
      expect(count === 0).toBe(env.terminated);
      game.players.forEach((_, player) => {
        game.resample(state, player, sample, new Rng(rc.id));
        expect(game.invariantViolation(sample)).toBe(null);
        expect(canonical(game.view(sample, player))).toBe(canonical(game.view(state, player)));
      });
    }
  });
}
