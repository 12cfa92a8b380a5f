import { expect, test } from "vitest";
import { type JsonObject, newState } from "../../../env/index.js";
import { Table } from "./table.js";

const [GERMAN, SOVIET] = [0, 1];

/** What a side knows, as state and as document. */
function knownTo({ env: { game, state } }: Table, viewer: number): { state: number[]; view: JsonObject } {
  const out = newState(game.stateSize);
  game.redact!(state, viewer, out);
  return { state: [...out], view: game.view(state, viewer) };
}

test("the gun for which a spotter is chosen doesn't show before the mission is complete. SOS 14.24", () => {
  const of = (type: string, at: string) => ({ type, at, formation: "51K/71ID/191/II" });
  const units = {
    g1: of("g-inf", "2009"),
    g2: of("g-inf", "2110"),
    gm: of("g-mortar", "2005"),
    gn: of("g-mortar", "2005"),
  };
  const start = { phase: 2, stage: "plot-first" };
  const table = new Table({ ...units, s1: "s-inf 2010" }, start, { autoSpot: false });
  const before = knownTo(table, SOVIET);
  table.play("hex 2010", "unit gm");
  expect(table.position["decision"]).toMatchObject({ ask: "spot.pick", unit: "gm", hex: "2010" });
  expect(knownTo(table, SOVIET)).toEqual(before);
  expect(knownTo(table, GERMAN)).not.toEqual(before);
});

test("the flotilla unit that is about to come shows when it does. SOS 16.52", () => {
  const hexes = { "0230": { t: "cliff" }, "0231": { t: "cliff" } };
  const units = {
    rf: "s-rf eb-c",
    rg: "s-rf eb-c",
    s1: "s-inf 0530",
    g9: "g-inf 1230",
    gf: "g-inf 1233",
    sf: "s-inf 1128",
  };
  const rest = { bounds: { cols: [1, 12], rows: [28, 33] }, map: { base: "blank", hexes } };
  const table = new Table(units, { phase: 10, stage: "flotilla", ...rest });
  const before = knownTo(table, GERMAN);
  table.play("unit rf");
  expect(table.position["decision"]).toMatchObject({ ask: "rf.place", unit: "rf" });
  expect(knownTo(table, GERMAN)).toEqual(before);
});
