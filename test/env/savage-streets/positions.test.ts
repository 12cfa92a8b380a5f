import { describe, expect, test } from "vitest";
import {
  Env,
  type Game,
  type GameData,
  gameType,
  type JsonObject,
  KesselError,
  loadGame,
  sceneOf,
  SPECTATOR,
} from "../../../env/index.js";
import { Table } from "./table.js";
import { everyCase } from "../every-case.js";

const move = (rest: JsonObject): JsonObject => ({
  turn: 3,
  phase: "ger-move",
  areas: { A: { german: ["I/194"] } },
  decision: { actor: "G", kind: "ger-pick" },
  ...rest,
});
const fight = (five: JsonObject, rest: JsonObject = {}): JsonObject => ({
  turn: 3,
  phase: "combat",
  areas: { "5": five, "8": { soviet: ["92 Nav"] } },
  pending: ["5"],
  decision: { actor: "G", kind: "combat-area" },
  ...rest,
});

/** What is wrong with each document, and where the message must point. */
const BAD: readonly (readonly [string, JsonObject, string])[] = [
  ["an unknown key", move({ morale: 3 }), "morale"],
  ["a turn after the last", move({ turn: 10 }), "turn"],
  ["an unknown area", move({ areas: { "13": {} } }), "areas.13"],
  ["an unknown unit", move({ areas: { A: { german: ["I/999"] } } }), "areas.A.german[0]"],
  ["a unit of the other side", move({ areas: { A: { german: ["I/272"] } } }), "areas.A.german[0]"],
  ["a unit twice", move({ areas: { A: { german: ["I/194"] }, B: { german: ["I/194"] } } }), "areas.B.german[0]"],
  ["a unit on the map and dead", move({ dead: ["I/194"] }), "dead[0]"],
  ["an unknown flag", move({ areas: { A: { german: ["I/194:x"] } } }), "areas.A.german[0]"],
  ["a Soviet flag on a German", move({ areas: { A: { german: ["I/194:u"] } } }), "areas.A.german[0]"],
  ["a unit revealed this turn and face-down", move({ areas: { "5": { soviet: ["I/272:n"] } } }), "areas.5.soviet[0]"],
  ["a controlled lettered area", move({ areas: { A: { control: "G" } } }), "areas.A.control"],
  ["a Soviet counter in a lettered area", move({ areas: { A: { chits: ["dummy-1"] } } }), "areas.A"],
  [
    "four Soviet infantry units in an area",
    move({ areas: { "7": { soviet: ["I/34 Gds", "II/34 Gds", "III/34 Gds", "I/42 Gds"] } } }),
    "areas.7.soviet",
  ],
  [
    "four chits in an area",
    move({ areas: { "7": { chits: ["dummy-1", "dummy-2", "sniper-1", "sniper-2"] } } }),
    "areas.7.chits",
  ],
  [
    "four German infantry units in a combat phase",
    fight({ german: ["I/194", "II/194", "I/191", "II/191"], soviet: ["I/272:u"] }),
    "areas.5.german",
  ],
  [
    "a face-down unit among Germans in the combat phase",
    fight({ german: ["I/194"], soviet: ["I/272"] }),
    "areas.5.soviet",
  ],
  [
    "a face-down chit among Germans in the combat phase",
    fight({ german: ["I/194"], chits: ["artillery-1"] }),
    "areas.5.chits",
  ],
  ["a face-up sniper away from Germans", move({ areas: { "9": { chits: ["sniper-1:u"] } } }), "areas.9.chits"],
  ["a pending combat without Germans", fight({ soviet: ["I/272:u"] }), "pending"],
  ["a chit that is nowhere", move({ pile: ["dummy-1"] }), "pile"],
  ["a hand outside the chit phase", move({ hand: ["dummy-1"] }), "hand"],
  ["a unit that tried without waiting", move({ tried: ["I/39 Gds"] }), "tried[0]"],
  ["a decision of the wrong phase", move({ decision: { actor: "S", kind: "sov-pick" } }), "decision.kind"],
  ["a decision of the wrong side", move({ decision: { actor: "S", kind: "ger-pick" } }), "decision.actor"],
  ["a decision that does not exist", move({ decision: { actor: "G", kind: "ger-nap" } }), "decision.kind"],
  ["a step of nobody", move({ decision: { actor: "G", kind: "ger-step" } }), "decision.unit"],
  [
    "a combat decision without a combat",
    fight({ german: ["I/194"], soviet: ["I/272:u"] }, { decision: { actor: "G", kind: "ger-hit" } }),
    "combat",
  ],
  ["a result before the end", move({ result: "G" }), "result"],
  ["another mode", move({ mode: "solo" }), "mode"],
  ["another switch", move({ options: { armor: true } }), "options.armor"],
  ["an option that does not exist", move({ options: { rain: true } }), "options.rain"],
  ["a ledger that does not add up", move({ ledger: [{ t: 1, e: "init", counts: { "5": 1 } }] }), "ledger"],
  ["a ledger entry from the future", move({ ledger: [{ t: 4, e: "hold" }] }), "ledger[0]"],
  [
    "a ledger that moves what is not there",
    move({
      ledger: [
        { t: 2, e: "move", from: "5", to: "6" },
        { t: 2, e: "move", from: "6", to: "5" },
      ],
    }),
    "ledger",
  ],
];

describe("positions that are refused, with path and reason", () => {
  test.each(BAD)("%s", (_what, doc, path) => {
    const read = () => new Table(doc);
    expect(read).toThrow(KesselError);
    expect(read).toThrow(`savage-streets: ${path}: `);
  });
});

/** The game's files with one of them changed. */
function changed(file: string, change: (doc: Record<string, never>) => void): GameData {
  const doc = structuredClone(gameType("savage-streets").data[file]) as Record<string, never>;
  change(doc);
  return { [file]: doc };
}

type AnyDoc = {
  areas: Record<string, unknown>[];
  german: Record<string, unknown>[];
  chits: Record<string, unknown>[];
  edges: string[][];
  kinds: { count: number }[];
  sovietAtStart: { units: string[] };
};
const as = (doc: unknown) => doc as AnyDoc;

describe("data files of an owner that are refused", () => {
  const refused: readonly (readonly [string, string, (doc: AnyDoc) => void, string])[] = [
    ["a missing area", "map", (d) => d.areas.pop(), "map.json: areas"],
    [
      "a lopsided link",
      "map",
      (d) => (d.areas[3]!["adjacent"] = ["B", "C", "3", "4"]),
      "map.json: areas[6].adjacent[0]: 5 names 2 as a neighbour, but 2 does not name 5",
    ],
    ["a link that only the list of links has", "map", (d) => d.edges.push(["A", "9"]), "map.json: edges[30]"],
    ["four stars", "map", (d) => (d.areas[5]!["stars"] = 4), "map.json: areas[5].stars"],
    ["a missing unit", "units", (d) => d.german.pop(), "units.json: german"],
    ["a unit twice", "units", (d) => (d.german[1]!["id"] = "I/194"), "units.json: german[1].id"],
    [
      "a division without an entry area",
      "units",
      (d) => (d.german[0]!["division"] = "24"),
      "units.json: german[0].division",
    ],
    [
      "an HQ of an unknown regiment",
      "units",
      (d) => (d.german[2]!["regiment"] = "999"),
      "units.json: german[2].regiment",
    ],
    ["a count of chits that does not fit", "chits", (d) => d.kinds[0]!.count++, "chits.json: kinds"],
    ["eight at-start units", "setup", (d) => d.sovietAtStart.units.pop(), "setup.json: sovietAtStart.units"],
  ];
  test.each(refused)("%s", (_what, file, change, says) => {
    const load = () =>
      loadGame(
        "savage-streets",
        {},
        changed(file, (d) => void change(as(d))),
      );
    expect(load).toThrow(KesselError);
    expect(load).toThrow(`savage-streets ${says}`);
  });

  test("an owner's stars are used", () => {
    const game = loadGame(
      "savage-streets",
      {},
      changed("map", (d) => (as(d).areas[5]!["stars"] = 3)),
    );
    const id = (gameType("savage-streets").data["map"] as unknown as AnyDoc).areas[5]!["id"];
    const stars = (g: Game) =>
      sceneOf(g, new Env(g).state, SPECTATOR).board.places.find((place) => place.id === id)!.stars;
    expect(stars(loadGame("savage-streets"))).not.toBe(3);
    expect(stars(game)).toBe(3);
  });
});

everyCase("savage-streets");
