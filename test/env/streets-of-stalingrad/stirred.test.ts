import { expect, test } from "vitest";
import { lookRound } from "../../../env/streets-of-stalingrad/rules/units/hidden.js";
import type { Tables } from "../../../env/streets-of-stalingrad/state.js";
import { type Game, loadGame, newState, NOBODY, Rng, SeededDice } from "../../../env/index.js";
import { Play } from "../../../env/core/play.js";

/** Plays at random, and looks round again after each action. @returns how often that showed a face */
function missedBy(game: Game, decisions: number): number {
  const tables = Reflect.get(game, "tables") as Tables;
  const rng = new Rng("stirred");
  const dice = new SeededDice();
  const s = newState(game.stateSize);
  const mask = new Uint8Array(game.actions.length);
  const end = game.actions.indexOf("declare-end");
  let missed = 0;
  for (let i = 0; i < decisions; i++) {
    if (i === 0 || game.actor(s) === NOBODY) {
      s.fill(0);
      rng.freshStream(s);
      dice.begin(s);
      game.start(s, dice);
    }
    const legal = game.legalMask(s, mask, 0);
    let k = mask[end] === 1 ? 1 : rng.below(legal);
    let action = mask.indexOf(1);
    while (k-- > 0) action = mask.indexOf(1, action + 1);
    dice.begin(s);
    game.apply(s, action, dice);
    tables.stirred.all = true;
    if (lookRound(tables, s.slice(), new Play(dice))) missed++;
  }
  return missed;
}

test.each([
  ["sandbox-2", 3000],
  ["sandbox-3", 3000],
  ["drill-kurgan", 3000],
  ["drill-landing", 3000],
  ["scenario-7", 4000],
  ["scenario-6", 1500],
])("SOS 7.1: in %s every face that comes into sight is known at once", (scenario, decisions) => {
  const game = loadGame("streets-of-stalingrad", { scenario });
  expect(missedBy(game, decisions)).toBe(0);
});
