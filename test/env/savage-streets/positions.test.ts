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

const waiting = (rest: JsonObject): JsonObject => ({
  turn: 3,
  phase: "sov-reinf",
  areas: { A: { german: ["I/194"] } },
  ...rest,
});
const soviets = (rest: JsonObject): JsonObject => ({
  turn: 3,
  phase: "sov-move",
  areas: { "5": { soviet: ["I/272", "6 Tk"] }, A: { german: ["I/194"] } },
  ...rest,
});
const five: JsonObject = { control: "C", german: ["I/194", "II/194"], soviet: ["I/272:u", "6 Tk:u"] };
const battle = (combat: JsonObject, decision: JsonObject, area: JsonObject = five): JsonObject =>
  fight(area, { pending: [], combat: { area: "5", ...combat }, decision });
const german = (kind: string, rest: JsonObject = {}): JsonObject => ({ actor: "G", kind, ...rest });
const soviet = (kind: string, rest: JsonObject = {}): JsonObject => ({ actor: "S", kind, ...rest });
const rolled: JsonObject = { stage: "shits", germanDice: [6, 5], sovietDice: [4], winner: "G", sovietHits: 2 };

/** Decisions that the game would not ask, and stages it never comes to: path, and what the message says. */
const UNASKED: readonly (readonly [string, JsonObject, string, Record<string, string>?])[] = [
  [
    "the next step of a unit off the map",
    move({ decision: german("ger-step", { unit: "II/194" }) }),
    "decision.unit: II/194 is not on the map",
  ],
  [
    "the next step of a unit that has moved",
    move({ areas: { A: { german: ["I/194:m"] } }, decision: german("ger-step", { unit: "I/194" }) }),
    "decision.unit: I/194 has moved already",
  ],
  [
    "more movement points than the unit has",
    move({ decision: german("ger-step", { unit: "I/194", mp: 3 }) }),
    "decision.mp: I/194 has 1 to 2 movement points, not 3",
  ],
  [
    "a first step with a point spent",
    move({ decision: german("ger-step", { unit: "I/194", mp: 1, first: true }) }),
    "decision.first: with 1 of 2 movement points it is false",
  ],
  [
    "the destination of a unit off the map",
    soviets({ decision: soviet("sov-dest", { unit: "I/42 Gds" }) }),
    "decision.unit: I/42 Gds can't move here: I/272 or 6 Tk can",
  ],
  [
    "the destination of a unit that has moved",
    soviets({
      areas: { "5": { soviet: ["I/272:m", "6 Tk"] } },
      decision: soviet("sov-dest", { unit: "I/272" }),
    }),
    "decision.unit: I/272 can't move here: 6 Tk can",
  ],
  [
    "the destination of a chit in the pile",
    soviets({ decision: soviet("sov-dest", { unit: "dummy-1" }) }),
    "decision.unit: dummy-1 can't move here",
  ],
  [
    "the destination of a German unit",
    soviets({ decision: soviet("sov-dest", { unit: "I/194" }) }),
    "decision.unit: I/194 is no Soviet unit",
  ],
  [
    "a landing of a unit on the map",
    waiting({
      areas: { "7": { soviet: ["I/272"] } },
      waiting: ["I/42 Gds", "II/42 Gds"],
      tried: ["II/42 Gds"],
      decision: soviet("reinf-area", { unit: "I/272" }),
    }),
    "decision.unit: I/272 can't land here: I/42 Gds can",
  ],
  ["a pick among nobody who waits", waiting({ decision: soviet("reinf-pick") }), "decision.kind: nothing is asked"],
  [
    "a combat decision of another area",
    battle({ stage: "stuka" }, german("stuka", { area: "8" })),
    "decision.area: the combat goes on in area 5, not in area 8",
  ],
  [
    "a command of another area",
    move({
      areas: { "5": { german: ["I/194"] } },
      command: { area: "5" },
      decision: german("cmd-unit", { area: "8" }),
    }),
    "decision.area: the command is in area 5, not in area 8",
    { mode: "solo" },
  ],
  [
    "a placement out of order",
    { turn: 1, phase: "setup", decision: soviet("setup-place", { unit: "6 Tk" }) },
    "decision.unit: the game asks setup-place of I/272 here, not of 6 Tk",
  ],
  [
    "a German unit placed before its turn",
    { turn: 1, phase: "ger-reinf", future: ["I/191"], decision: german("ger-place", { unit: "I/191" }) },
    "decision.kind: nothing is asked",
  ],
  [
    "excess where there is none",
    soviets({ decision: soviet("sov-excess", { area: "5" }) }),
    "decision.kind: nothing is asked",
  ],
  [
    "excess in the wrong area",
    soviets({
      areas: { "5": { soviet: ["I/272", "II/272", "III/272", "I/270"] } },
      decision: soviet("sov-excess", { area: "6" }),
    }),
    "decision.area: the game asks sov-excess in area 5 here, not in area 6",
  ],
  [
    "a choice among no combats",
    fight(five, { pending: [], decision: german("combat-area") }),
    "decision.kind: nothing is asked",
  ],
  [
    "a Stuka that has flown",
    { ...battle({ stage: "stuka" }, german("stuka")), stuka: false },
    "decision.kind: nothing is asked before the game goes on, so not stuka in area 5",
  ],
  ["a declaration without its option", battle({ stage: "decl", stuka: false }, german("schwere")), "decision.kind: "],
  [
    "a question of SS 9.1 out of order",
    battle({ stage: "decl", stuka: false, schwere: false }, soviet("engineer"), {
      ...five,
      german: ["71/PNR"],
      soviet: ["Eng/10 NKVD:u"],
    }),
    "decision.kind: ",
    { engineers: "true" },
  ],
  [
    "a shot of a unit that is no gun",
    battle({ stage: "at", stuka: false }, soviet("at-target", { area: "5", unit: "I/272" }), {
      ...five,
      german: ["StuG/244"],
      soviet: ["I/272:un"],
    }),
    "decision.kind: ",
    { antitank: "true" },
  ],
  ["a loss after the last one", battle({ ...rolled, sovietHits: 0 }, soviet("sov-hit")), "decision.kind: "],
  ["a hit on nobody", battle({ ...rolled, stage: "ghits", sovietHits: 0 }, german("ger-hit")), "decision.kind: "],
  [
    "losses of the winner",
    battle({ ...rolled, winner: "S" }, soviet("sov-hit")),
    "combat.winner: the dice make G the winner, not S",
  ],
  [
    "dice before they are rolled",
    battle({ stage: "stuka", germanDice: [6] }, german("stuka")),
    "combat.germanDice: stage stuka comes before the dice",
  ],
  [
    "a winner before the dice",
    battle({ stage: "stuka", winner: "G" }, german("stuka")),
    "combat.winner: stage stuka comes before the combat is decided",
  ],
  ...Object.entries({
    totals: [3, 0],
    done: ["die-armor"],
    sovietHits: 1,
    germanHits: ["base"],
    mustHq: true,
    mustPionier: true,
    engineerFirst: true,
    breakthrough: true,
    firstHit: "I/194",
  }).map(([key, value]): [string, JsonObject, string] => [
    `${key} in the first stage`,
    battle({ stage: "stuka", [key]: value }, german("stuka")),
    `combat.${key}: stage stuka comes before `,
  ]),
  [
    "hits by a counterattack of the loser",
    battle({ ...rolled, sovietHits: 1, germanHits: ["base", "ca"] }, soviet("sov-hit")),
    "combat.germanHits[1]: ca needs a combat that S has won",
  ],
  [
    "a combat that is still to come",
    fight(five, { combat: { area: "5", stage: "stuka" }, decision: german("stuka") }),
    "pending: the combat in area 5 has begun",
  ],
  [
    "a combat in an area without Germans",
    battle({ stage: "stuka" }, german("stuka"), { soviet: ["I/272"] }),
    "combat.area: there are no German units in area 5",
  ],
  [
    "events in a movement phase",
    move({ events: { area: "5" } }),
    "events: events are resolved in the phases events and combat only",
  ],
  [
    "events after a breakthrough in the phase events",
    fight(five, { phase: "events", pending: [], events: { area: "5", breakthrough: true }, decision: null }),
    "events.breakthrough: in the phase events it is false",
  ],
  [
    "a chit that shoots though others come first",
    fight(
      { ...five, german: ["I/194", "194/HQ"], chits: ["sniper-1:u", "ambush-1:u"] },
      {
        phase: "events",
        pending: [],
        events: { area: "5", todo: ["sniper-1", "ambush-1"] },
        decision: soviet("ambush-target", { area: "5", chit: "ambush-1" }),
      },
    ),
    "decision.kind: the game asks sniper-target of sniper-1 in area 5 here, not ambush-target of ambush-1",
  ],
  [
    "an ambush at a unit elsewhere",
    fight(
      { ...five, chits: ["ambush-1:u", "ambush-2:u"] },
      {
        phase: "events",
        pending: [],
        events: { area: "5", todo: ["ambush-2"], targets: { "ambush-1": "I/191" } },
        decision: soviet("ambush-target", { area: "5", chit: "ambush-2" }),
      },
    ),
    "events.targets.ambush-1: I/191 is no target in area 5",
  ],
  [
    "a command in the game for two",
    move({ command: { area: "A" } }),
    "command: commands are given in mode solo, in the phase ger-move, only",
  ],
  [
    "a command with a modifier that there is not",
    move({ areas: { "5": { german: ["I/194"] } }, command: { area: "5", drm: -3 }, decision: german("cmd-unit") }),
    "command.drm: it is 0 or -1, not -3",
    { mode: "solo" },
  ],
  [
    "a command in an area that is closed",
    move({ areas: { "5": { german: ["I/194"] } }, queue: ["5"], command: { area: "5" }, decision: german("cmd-unit") }),
    "command.area: area 5 is closed",
    { mode: "solo" },
  ],
  [
    "a step without a command",
    move({ areas: { "5": { german: ["I/194"] } }, decision: german("ger-step", { unit: "I/194" }) }),
    "command: the unit that moves was commanded in an open area",
    { mode: "solo" },
  ],
  ["areas in a queue of no phase", move({ queue: ["5"] }), "queue: "],
  [
    "a breakthrough in movement",
    move({ breakthrough: { area: "5" } }),
    "breakthrough: a breakthrough is made in the phase combat only",
  ],
  [
    "a breakthrough from an area without Germans",
    fight(five, { pending: [], breakthrough: { area: "8" }, decision: german("bt-dest") }),
    "breakthrough.area: no unit can break through from area 8",
  ],
  [
    "a breakthrough to where Germans are",
    fight(
      { german: ["I/194"] },
      {
        pending: [],
        areas: { "5": { control: "G", german: ["I/194"] }, "8": { control: "G", german: ["I/191"] } },
        breakthrough: { area: "5", dest: "8" },
        decision: german("bt-unit"),
      },
    ),
    "breakthrough.dest: ",
  ],
  [
    "a breakthrough of a unit that has broken through",
    fight(
      {},
      {
        pending: [],
        areas: { "5": { control: "G", german: ["I/194:b", "II/194"] } },
        breakthrough: { area: "5", dest: "8", units: ["I/194"] },
        decision: german("bt-unit"),
      },
    ),
    "breakthrough.units[0]: I/194 has broken through this turn",
  ],
  [
    "a face-up chit where no combat is to come",
    fight({ german: ["I/194"], soviet: ["I/272:nu"], chits: ["artillery-1:u"] }, { pending: [], decision: null }),
    "areas.5.chits: artillery-1 is face up, and no combat is to come there",
  ],
];

describe("stages that the game does not come to are refused, with path and what would be right", () => {
  test.each(UNASKED.map(([what, doc, says, options]) => ({ what, doc, says, options })))(
    "$what",
    ({ doc, says, options }) => {
      const read = () => new Table(doc, options);
      expect(read).toThrow(`savage-streets: ${says}`);
      expect(read).toThrow(KesselError);
    },
  );
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
