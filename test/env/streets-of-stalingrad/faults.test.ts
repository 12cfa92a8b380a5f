import { expect, test } from "vitest";
import { loadGame, newState, SeededDice, type State } from "../../../env/index.js";
import { loadSetting } from "../../../env/streets-of-stalingrad/data.js";
import { stateFault } from "../../../env/streets-of-stalingrad/faults.js";
import * as words from "../../../env/streets-of-stalingrad/layout.js";
import { GERMAN, SOVIET } from "../../../env/streets-of-stalingrad/roster.js";
import { give, placeOf, put, setExtra, setSite, Tables } from "../../../env/streets-of-stalingrad/state.js";

const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7" });
const tables = new Tables(loadSetting(game.type.data, "scenario-7"), game.options);
const { board, layout, river, roster } = tables;

const german = roster.first(GERMAN);
const first = (is: (u: number) => boolean): number => roster.counters.findIndex((_, u) => is(u));
const onMap = (s: State, side: number): number =>
  first((u) => roster.side[u] === side && roster.zocUnit[u] === 1 && placeOf(tables, s, u) >= 0);
const named = (u: number, key: string): string => `units.${roster.counters[u]!.id}.${key}`;
const volga = board.volga.indexOf(1);
const [foot, gun] = [
  first((u) => roster.carried[u] === 0 && roster.rider[u] === 0 && roster.transport[u] === 0),
  first((u) => roster.boat[u] === 0),
];

const BREAKS: readonly [what: string, path: string, breaks: (s: State) => void][] = [
  ["a turn after the last", "turn", (s) => (s[layout.turn] = s[layout.lastTurn]! + 1)],
  ["a stage of another phase", "stage", (s) => (s[layout.stage] = words.STAGE_RESERVES)],
  ["a German on the Volga", named(german, "at"), (s) => put(tables, s, german, volga)],
  [
    "a German in a box of the East Bank",
    named(german, "at"),
    (s) => put(tables, s, german, words.boxPlace(river.inPlay.indexOf(true))),
  ],
  ["a lost battery that is none", named(german, "untold"), (s) => put(tables, s, german, words.UNTOLD)],
  ["a unit on the map that is set aside", named(german, "aside"), (s) => (s[layout.work + german]! |= words.ASIDE)],
  ["a marker of a pin without a pin", named(german, "pinHeld"), (s) => give(tables, s, german, words.PIN_HELD)],
  ["a counter that is open and face down", named(german, "liesOpen"), (s) => give(tables, s, german, words.LIES_OPEN)],
  ["a later halt without the first", named(german, "noMoveNext"), (s) => give(tables, s, german, words.NO_MOVE_NEXT)],
  ["vehicles left that a unit has not", named(foot, "dismounted"), (s) => give(tables, s, foot, words.DISMOUNTED)],
  ["a boat's turn used by another", named(gun, "used"), (s) => (s[layout.work + gun]! |= words.USED)],
  ["a way back to a box on land", named(german, "from"), (s) => (s[layout.work + german]! |= 1 << words.FROM_SHIFT)],
  ["a German cut off from the river", named(german, "isolated"), (s) => (s[layout.work + german]! |= words.ISOLATED)],
  ["a passenger that nothing carries", named(foot, "carried"), (s) => (s[layout.work + foot]! |= words.CARRIED)],
  ["a transport's load on another", named(foot, "tookTroop"), (s) => (s[layout.work + foot]! |= words.TOOK_TROOP)],
  ["a barrage on a hex that was not attacked", "barraged", (s) => (s[layout.hexState]! |= words.BARRAGED)],
  ["a friend of no minefield", "friendlyMines", (s) => (s[layout.hexState]! |= words.FRIENDLY_MINE)],
  ["work that nobody does", "units", (s) => setSite(tables, s, SOVIET, 0, words.TASK_FORT, 3)],
  ["both sides in a hex", "units", (s) => put(tables, s, onMap(s, SOVIET), placeOf(tables, s, onMap(s, GERMAN)))],
];

function start(): State {
  const s = newState(game.stateSize);
  const dice = new SeededDice();
  dice.begin(s);
  game.start(s, dice);
  return s;
}

test("Lyudnikov's Island begins without a fault", () => {
  expect(stateFault(tables, start())).toBeNull();
});

test.each(BREAKS)("%s is a fault of %s, and an invariant is violated", (_, path, breaks) => {
  const s = start();
  breaks(s);
  expect(stateFault(tables, s)?.path).toBe(path);
  expect(game.invariantViolation(s)).not.toBeNull();
});

test("a marker on a unit off the map is a fault of the unit", () => {
  const s = start();
  const lost = onMap(s, GERMAN);
  put(tables, s, lost, words.DEAD);
  expect(stateFault(tables, s)).toBeNull();
  // the phase in which an OP was lost stays
  setExtra(tables, s, lost, words.GUN_PHASE_SHIFT, 3);
  expect(stateFault(tables, s)).toBeNull();
  setExtra(tables, s, lost, words.OOS_SHIFT, 1);
  expect(stateFault(tables, s)).toEqual({
    path: `units.${roster.counters[lost]!.id}`,
    reason: "a unit off the map carries no markers",
  });
});

test("no unit is picked while only the stage asks, but for the group that broke through last", () => {
  const s = newState(game.stateSize);
  game.start(s, new SeededDice());
  expect(game.invariantViolation(s)).toBeNull();
  give(tables, s, german, words.FRESH);
  expect(game.invariantViolation(s)).toBeNull();
  give(tables, s, german, words.ATTACKER);
  expect(game.invariantViolation(s)).toBe(`${roster.counters[german]!.id} is picked for nothing`);
});
