import type { Json, JsonObject, Options } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { AREA_IDS, CITY_FIRST, CITY_LAST, GUMRAK, VOLGA, Z } from "../data.js";
import {
  AIR,
  ATTRITION,
  AWAIT_REROLL,
  AWAIT_SPECIAL,
  AWAIT_UNITS,
  BREACH,
  DECISION,
  DECISION_KINDS,
  GERMAN,
  L,
  NO_SIDE,
  phaseOf,
  PHASES,
  REASONS,
  RIGHT_NAMES,
  SIDES,
  SOVIET,
  SPECIAL_DICE,
  type DecisionKind,
  unitsIn,
  WINDOWS,
} from "../state.js";

export const GAME = "pocket-stalingrad";
const RIGHTS_OF = [
  ["artillery", "deploy", "guards"],
  ["artillery", "deploy", "pioneers", "sturm"],
] as const;

/** Which fields a decision of each kind carries, in the order in which they are written. */
export const FIELDS: Partial<Record<DecisionKind, readonly string[]>> = {
  place: ["pending"],
  announce: ["paid"],
  reduce: ["attacks", "paid"],
  air: ["attacks", "paid"],
  cancel: ["area", "attacks", "paid"],
  raze: ["area", "source", "kills", "attacks", "paid"],
  sturm: ["left", "surchargePaid"],
  artillery: ["window", "area", "passed"],
  pioneer: ["area"],
  chance: ["awaiting"],
};

export function writePosition(options: Options, s: StateView): JsonObject {
  const phase = phaseOf(s);
  return {
    game: GAME,
    format: 1,
    options,
    turn: s[L.turn]!,
    active: s[L.active] === NO_SIDE ? null : SIDES[s[L.active]!]!,
    phase: PHASES[phase]!,
    night: s[L.night] === 1,
    artillery: s[L.artillery] === 0 ? null : AREA_IDS[s[L.artillery]!]!,
    areas: writeAreas(s),
    soviet: writeSide(s, SOVIET),
    german: writeSide(s, GERMAN),
    ratzel: s[L.ratzel] === 1,
    dice:
      phase <= 1
        ? {
            kept: writeDice(s, L.kept, L.keptSpecialDice),
            loose: writeDice(s, L.loose, L.looseSpecialDice),
            picked: s[L.picked] === 1,
          }
        : null,
    decision: writeDecision(s),
    result:
      s[L.kind] === DECISION.over
        ? { winner: s[L.winner] === 0 ? null : SIDES[s[L.winner]! - 1]!, reason: REASONS[s[L.reason]!]! }
        : null,
  };
}

function writeAreas(s: StateView): JsonObject {
  const areas: Record<string, Json> = { Z: { soviet: unitsIn(s, SOVIET, Z), german: unitsIn(s, GERMAN, Z) } };
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
    const by = s[L.captured + a]!;
    areas[AREA_IDS[a]!] = {
      soviet: unitsIn(s, SOVIET, a),
      german: unitsIn(s, GERMAN, a),
      fort: s[L.fort + a] === 1,
      shieldUsed: s[L.shieldUsed + a] === 1,
      captured: by === 0 ? null : SIDES[by - 1]!,
    };
  }
  areas["S6"] = { soviet: unitsIn(s, SOVIET, VOLGA), max: s[L.max6]! };
  areas["G6"] = { german: unitsIn(s, GERMAN, GUMRAK), max: s[L.max6 + 1]! };
  return areas;
}

const writeSide = (s: StateView, side: number): JsonObject => ({
  cmd: s[L.cmd + side]!,
  reserve: s[L.reserve + side]!,
  rights: RIGHTS_OF[side]!.filter((r) => (s[L.rights + side]! & RIGHT_NAMES[r]) !== 0),
  ...((s[L.rights + side]! & BREACH) === 0 ? {} : { breach: true }),
});

function writeDice(s: StateView, units: number, specials: number): JsonObject {
  const special = (d: number): number | null => (s[specials + d] === 0 ? null : s[specials + d]!);
  return { units: facesAt(s, units), command: special(0), tactics: special(1), ratt: special(2) };
}

/** Counts per number, as an ascending list. */
function facesAt(s: StateView, at: number): number[] {
  const list: number[] = [];
  for (let f = 0; f < 6; f++) for (let n = s[at + f]!; n > 0; n--) list.push(f + 1);
  return list;
}

function writeDecision(s: StateView): JsonObject {
  const kind = DECISION_KINDS[s[L.kind]!]!;
  const doc: Record<string, Json> = {
    kind,
    actor: kind === "chance" ? "chance" : s[L.actor] === NO_SIDE ? null : SIDES[s[L.actor]!]!,
  };
  for (const field of FIELDS[kind] ?? []) {
    if (field === "area" && s[L.area] === 0) continue;
    if (kind === "raze" && s[L.source] === ATTRITION && (field === "attacks" || field === "paid")) continue;
    doc[field] = writeField(s, field);
  }
  return doc;
}

function writeField(s: StateView, field: string): Json {
  switch (field) {
    case "pending":
      return facesAt(s, L.pending);
    case "area":
      return AREA_IDS[s[L.area]! - 1]!;
    case "source":
      return s[L.source] === AIR ? "air" : "attrition";
    case "surchargePaid":
      return s[L.surchargePaid] === 1;
    case "window":
      return WINDOWS[s[L.window]!]!;
    case "passed":
      return [1, 0].filter((side) => (s[L.passed]! >> side) & 1).map((side) => SIDES[side]!);
    case "awaiting":
      return awaitedParts(s[L.awaiting]!);
    default:
      return s[L[field as "attacks" | "paid" | "left" | "kills"]]!;
  }
}

const awaitedParts = (bits: number): string[] =>
  bits === AWAIT_REROLL
    ? ["reroll"]
    : [...(bits & AWAIT_UNITS ? ["units"] : []), ...SPECIAL_DICE.filter((_, d) => (bits & AWAIT_SPECIAL[d]!) !== 0)];
