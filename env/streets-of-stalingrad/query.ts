import { KesselError, oneOf, shown } from "../core/errors.js";
import type { GameData, Json, JsonObject, Options } from "../core/game.js";
import type { Board } from "./map/board.js";
import { bookRow, chartsOf, loadSetting, standardBoard, unitTypes } from "./data.js";
import { look } from "./look-query.js";
import { backOf, sideOf } from "./roster.js";

type Answer = (ask: Question, data: GameData) => Json;

/** A question's words, each checked when it is read. */
class Question {
  constructor(
    readonly board: () => Board,
    private readonly words: JsonObject,
  ) {}

  text(key: string, ...among: string[]): string {
    const value = this.words[key];
    if (typeof value !== "string" || (among.length > 0 && !among.includes(value)))
      throw refuse(`${key} is ${among.length > 0 ? oneOf(among) : "a text"}, not ${shown(value)}`);
    return value;
  }
  number(key: string): number {
    const value = this.words[key];
    if (typeof value !== "number") throw refuse(`${key} is a number, not ${shown(value)}`);
    return value;
  }
  hex(key: string): number {
    const id = this.text(key);
    const h = this.board().index(id);
    if (h < 0) throw refuse(`${key}: ${shown(id)} is no hex of this map`);
    return h;
  }
}

const ANSWERS: Record<string, Answer> = {
  neighbours: (ask) => {
    const board = ask.board();
    const h = ask.hex("hex");
    return Array.from({ length: 6 }, (_, d) => board.ids[board.neighbours[h * 6 + d]!] ?? null);
  },
  distance: (ask) => ask.board().distance(ask.hex("from"), ask.hex("to")),
  los: (ask) => {
    const { sight } = ask.board();
    return ask.text("mode", "fire", "spot") === "fire"
      ? sight.clear(ask.hex("from"), ask.hex("to"))
      : sight.clearToSpot(ask.hex("from"), ask.hex("to"));
  },
  spot: (ask) => ask.board().sight.spots(ask.hex("from"), ask.hex("to"), ask.text("observer", "unit", "op") === "op"),
  look: (ask, data) => look(ask.board(), chartsOf(data).spotting, ask.hex("from"), ask.hex("to")) as unknown as Json,
  terrain: (ask) => ask.board().hexes[ask.hex("hex")]! as Json,
  clear: (ask) => {
    const { clearForFoot, clearForVehicles } = ask.board();
    return (ask.text("unit", "foot", "vehicle") === "foot" ? clearForFoot : clearForVehicles)[ask.hex("hex")] === 1;
  },
  vehicle: (ask) => {
    const { block, cross } = ask.board().hexes[ask.hex("hex")]!;
    if (block === undefined) return cross === undefined ? "free" : "crossable";
    return cross === undefined ? "blocked" : "both";
  },
  range: (ask) => {
    const board = ask.board();
    const box = ask.text("box", "eb-s", "eb-c", "eb-n") as "eb-s" | "eb-c" | "eb-n";
    const to = ask.hex("hex");
    const ranges = board.hexes.flatMap(({ east }, h) =>
      east?.[box] === undefined ? [] : [east[box] + board.distance(h, to)],
    );
    return ranges.length === 0 ? null : Math.min(...ranges);
  },
  arrow: (ask) => {
    const board = ask.board();
    const n = ask.number("number");
    const find = (key: "arrow" | "landing") => board.ids[board.hexes.findIndex((x) => x[key] === n)] ?? null;
    return { volga: find("arrow"), landing: find("landing") };
  },
  "east-bank-sight": (ask) => ask.board().hasFeature(ask.hex("hex"), "cliff"),
  rail: (ask) => joined(ask, "rail"),
  road: (ask) => joined(ask, "road"),
  unit: (ask, data) => {
    const { units, find } = unitTypes(data);
    const id = ask.text("id");
    const row = units.units.find((u) => u[0] === id);
    if (row === undefined) throw refuse(`id: there is no unit ${shown(id)}`);
    const type = find(row[1]!)!;
    const formation = row[2] ?? "";
    return { ...type, formation, tag: row[3] ?? backOf(sideOf(type, "units.json"), formation) } as Json;
  },
  scenario: (ask, data) => {
    const id = ask.text("id");
    const found = bookRow(data, id);
    if (found === undefined) throw refuse(`id: there is no scenario ${shown(id)}`);
    return found as unknown as Json;
  },
};

function joined(ask: Question, key: "rail" | "road"): boolean {
  const board = ask.board();
  const side = board.sideTo(ask.hex("from"), ask.hex("to"));
  return side >= 0 && board.joined(ask.hex("from"), side, key);
}

const refuse = (reason: string): KesselError => new KesselError("bad-query", `streets-of-stalingrad: ${reason}`);

/**
 * Answers a question about board and counters. `scenario` of the options names the map: any scenario of the book has
 * the whole real map, those that can be played have theirs.
 *
 * @throws KesselError `bad-query`, `bad-option`, `bad-data`
 */
export function answer(question: JsonObject, chosen: Options, data: GameData): Json {
  const kind = question["kind"];
  const how = typeof kind === "string" && Object.hasOwn(ANSWERS, kind) ? ANSWERS[kind] : undefined;
  if (how === undefined) throw refuse(`kind is ${oneOf(Object.keys(ANSWERS), 20)}, not ${shown(kind)}`);
  return how(new Question(() => boardOf(data, chosen), question), data);
}

/** Boards by data and scenario, so that computed lines of sight are reused. */
const boards = new WeakMap<GameData, Map<string, Board>>();

function boardOf(data: GameData, chosen: Options): Board {
  const scenario = String(chosen["scenario"] ?? "campaign");
  const known = boards.get(data) ?? new Map<string, Board>();
  boards.set(data, known);
  let board = known.get(scenario);
  if (board === undefined) {
    const whole = bookRow(data, scenario) !== undefined;
    board = whole ? standardBoard(data) : loadSetting(data, scenario).board;
    known.set(scenario, board);
  }
  return board;
}
