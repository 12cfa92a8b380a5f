import { type EventKinds, layout, type ObservationSpec, type StateView } from "../../env/index.js";

/** Turns of both players together. */
export const TURNS = 16;
/** Throws in one turn. */
export const THROWS = 3;
export const CHOOSE = 0;
export const KEEP = 1;
export const THROWN = 2;
export const PHASES = ["choose", "keep", "thrown"] as const;

/** Words of the state by name. */
export const L = layout({
  explicit: 1, // 1 when throws stop at a chance node
  active: 1, // 0 north, 1 south
  phase: 1, // CHOOSE, KEEP, THROWN (explicit chance only)
  score: 2,
  pot: 1, // lost when a 1 falls
  throws: 1, // made in this turn, 0..THROWS
  waiting: 1, // dice of the throw whose outcome is awaited
  table: 6, // thrown dice not taken yet, by face
  turn: 1, // 1..TURNS, TURNS + 1 at the end
});

export const ACTIONS = [
  "roll 1",
  "roll 2",
  "roll 3",
  "hold",
  "keep 2",
  "keep 3",
  "keep 4",
  "keep 5",
  "keep 6",
  "leave",
];
export const HOLD = 3;
export const LEAVE = 9;

export const OBSERVATION: ObservationSpec = {
  globals: [
    { name: "turn", range: [0, 1], norm: "turn / 17" },
    { name: "pot", range: [0, 1], norm: "pot / 54" },
    { name: "target", range: [0, 1], norm: "target / 30" },
  ],
  mapRows: ["2", "3", "4", "5", "6"],
  map: [{ name: "on the table", range: [0, 1], norm: "dice of this face / 3" }],
  unitRows: ["own", "other"],
  units: [{ name: "score", range: [0, 1], norm: "score / 90" }],
  decision: [
    { name: "keeping", range: [0, 1], norm: "1 while dice are taken" },
    { name: "throws", range: [0, 1], norm: "throws made / 3" },
  ],
};

export const EVENTS: EventKinds = {
  kinds: {
    throw: { says: "Dice are thrown", changes: ["throws", "table"] },
    mercy: { says: "The one 1 of a first throw is taken away", changes: ["table"] },
    bust: { says: "A 1 loses the pot and the turn", changes: ["pot", "table", "throws"] },
    keep: { says: "A die goes into the pot", changes: ["pot", "table"] },
    leave: { says: "The other dice are left", changes: ["table"] },
    hold: { says: "The pot is scored", changes: ["pot", "score", "throws"] },
    turn: { says: "The other player's turn begins, or the game ends", changes: ["turn", "active"] },
  },
  prompted: ["phase"],
};

export function onTable(s: StateView): number {
  let dice = 0;
  for (let f = 0; f < 6; f++) dice += s[L.table + f]!;
  return dice;
}
