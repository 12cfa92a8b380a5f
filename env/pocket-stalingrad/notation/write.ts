import type { Json, JsonObject, Options } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { listedOptions } from "../../core/options.js";
import { decisions } from "../decisions/index.js";
import { facesAt } from "../events/words.js";
import { AREA_IDS, CITY_FIRST, CITY_LAST, GUMRAK, VOLGA, Z, type SideId, type Tables } from "../data.js";
import {
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
  unitsIn,
  activeOf,
  actorOf,
  markerOf,
} from "../state.js";

export const GAME = "pocket-stalingrad";
const RIGHTS_OF = [
  ["artillery", "deploy", "guards"],
  ["artillery", "deploy", "pioneers", "sturm"],
] as const;

export function writePosition(tables: Tables, options: Options, s: StateView): JsonObject {
  const phase = phaseOf(s);
  return {
    game: GAME,
    format: 1,
    options: listedOptions(options),
    turn: s[L.turn]!,
    active: s[L.active] === NO_SIDE ? null : SIDES[activeOf(s)]!,
    phase: PHASES[phase]!,
    night: s[L.night] === 1,
    artillery: s[L.artillery] === 0 ? null : AREA_IDS[markerOf(s)]!,
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
    decision: writeDecision(tables, s),
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

const writeSide = (s: StateView, side: SideId): JsonObject => ({
  cmd: s[L.cmd + side]!,
  reserve: s[L.reserve + side]!,
  rights: RIGHTS_OF[side]!.filter((r) => (s[L.rights + side]! & RIGHT_NAMES[r]) !== 0),
  ...((s[L.rights + side]! & BREACH) === 0 ? {} : { breach: true }),
});

function writeDice(s: StateView, units: number, specials: number): JsonObject {
  const special = (d: number): number | null => (s[specials + d] === 0 ? null : s[specials + d]!);
  return { units: facesAt(s, units), command: special(0), tactics: special(1), ratt: special(2) };
}

function writeDecision(tables: Tables, s: StateView): JsonObject {
  const kind = DECISION_KINDS[s[L.kind]!]!;
  const actor = kind === "chance" ? "chance" : s[L.actor] === NO_SIDE ? null : SIDES[actorOf(s)]!;
  return { kind, actor, ...decisions.write(tables, s, s[L.kind]!) };
}
