import { expect, test } from "vitest";
import { Knowledge } from "../../../env/streets-of-stalingrad/knowledge.js";
import type { Tables } from "../../../env/streets-of-stalingrad/state.js";
import { Env, loadGame, type Game } from "../../../env/index.js";
import { Starts } from "../../conformance/starts.js";

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
