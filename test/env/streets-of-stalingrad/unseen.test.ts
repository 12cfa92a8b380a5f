import { expect, test } from "vitest";
import { Knowledge } from "../../../env/streets-of-stalingrad/knowledge.js";
import type { Tables } from "../../../env/streets-of-stalingrad/state.js";
import { Env, loadGame, newState, Rng, type Game } from "../../../env/index.js";
import { Starts } from "../../conformance/starts.js";
import { ELSEWHERE, phase5 } from "./set-ups.js";
import { Table } from "./table.js";

const SOVIET = 1;
const tablesOf = (game: Game): Tables => (game as unknown as { tables: Tables }).tables;

test.each(["drill-elevator", "scenario-7", "campaign"])(
  "the list of all unseen units has those of which each by itself is unseen, in %s",
  (scenario) => {
    const game = loadGame("streets-of-stalingrad", { scenario });
    const tables = tablesOf(game);
    const knowledge = new Knowledge(tables);
    const units = Array.from({ length: tables.units }, (_, u) => u);
    let met = 0;
    // most of the campaign is still to arrive when it begins
    const opening = new Env(game);
    opening.reset("unseen");
    const states = scenario === "campaign" ? [opening.state] : new Starts(game, "unseen", 2, 2).all();
    for (const s of states)
      for (const viewer of [...game.players.keys(), -1]) {
        const unseen = units.filter((u) => knowledge.isUnseen(s, u, viewer));
        met += unseen.length;
        expect([...knowledge.list.subarray(0, knowledge.noteUnseen(s, viewer))]).toEqual(unseen);
      }
    expect(met).toBeGreaterThan(scenario === "campaign" ? 100 : 1000);
  },
);

test("a sample has a fourth unit where a face-down counter that is not ready can only be a gun. SOS 5.3, SOS 9.101", () => {
  const of = (type: string, at: string, more = {}) => ({ type, at, formation: "51K/71ID/191", ...more });
  const units = {
    ...{ g1: of("g-inf", "1010"), g2: of("g-inf", "1010"), g3: of("g-inf", "1010") },
    // in the fixed order the first of these is where the gun is
    ...{ ga: of("g-leader", "1011"), gb: of("g-op", "1012"), gc: of("g-how", "1013") },
    gh: of("g-how", "1010", { unready: true }),
    ...ELSEWHERE,
  };
  const { game, state } = new Table(units, { ...phase5(), known: { soviet: ["g1", "g2", "g3"] } }).env;
  const sample = newState(game.stateSize);
  const fits = Array.from({ length: 20 }, (_, i) => game.resample(state, SOVIET, sample, new Rng(`gun/${i}`)));
  expect(fits).toEqual(fits.map(() => true));
});
