import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  canonical,
  Env,
  gameFor,
  gameType,
  newState,
  parseCases,
  Rng,
  runCase,
  sameSituation,
} from "../../env/index.js";
import { loadingOnce } from "../load-once.js";

/**
 * Tests each rule case of a game: what it expects, and what holds at every step whatever the case is about. A position
 * document holds all of the state, the mask counts what is legal, and a sample of what a player can't see looks to that
 * player as the truth does.
 *
 * @param id of a game whose cases are in `test/cases/<id>`
 */
export function everyCase(id: string): void {
  const folder = new URL(`../cases/${id}/`, import.meta.url);
  const cases = readdirSync(folder).flatMap((file) =>
    parseCases(JSON.parse(readFileSync(new URL(file, folder), "utf8")), file),
  );
  const type = loadingOnce(gameType(id));
  const other = loadingOnce(gameType(id)); // a game of its own, so that nothing of a state can be kept in the game

  test.each(cases)("$id ($rule) passes; position, mask and sample agree with the state at each step", (rc) => {
    const failures = runCase(type, rc, (env) => {
      if (!("position" in rc)) return;
      const { game, state } = env;
      const again = new Env(gameFor(other, rc.position, rc.options));
      const mask = new Uint8Array(game.actions.length);
      const sample = newState(game.stateSize);
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
    });
    expect(failures).toEqual([]);
  });
}
