import { listed } from "../../core/words.js";
import { hexId, hexText, namesFor, SIDE_WORDS, unitId, unitsIn, unitsWith } from "../events/words.js";
import * as words from "../layout.js";
import { stops } from "../rules/movement/reach.js";
import { groupMovers } from "../rules/movement/walk.js";
import { enemyOf, frameUnit, markOf, placeOf } from "../state.js";
import { columnText, dangers } from "./numbers.js";
import { type Meaning, type Pending, unitsBeside } from "./pending.js";

export function hexChoice(pending: Pending, hex: number): Meaning {
  const { tables, s, ask, side, viewer, frame } = pending;
  const places = [hexId(tables, hex)];
  const at = hexText(tables, hex);
  const enemies = namesFor(tables, s, unitsIn(tables, s, enemyOf(side), hex), viewer);
  switch (ask) {
    case words.ASK_MOVE_GROUP:
      if (tables.cost[hex]! < 0) return { text: `Go to a unit of the command in ${at}, however far`, places };
      return { text: wayText(pending, hex), places, cost: spentAt(pending, hex), warning: emptied(pending) };
    case words.ASK_RETREAT_HEX:
      return { text: `Retreat to ${at}`, places };
    case words.ASK_AFTER_HEX:
      return { text: `Retreat ${unitId(tables, frameUnit(s, frame))} to ${at}`, places };
    case words.ASK_BOMB_TARGET: {
      const there = unitsIn(tables, s, enemyOf(side), hex).length > 0;
      return { text: there ? `Bombard ${at}: ${enemies} there` : `Interdict ${at}`, places };
    }
    case words.ASK_LEADER:
      return { text: `Go to ${at}: ${namesFor(tables, s, unitsIn(tables, s, side, hex), viewer)} there`, places };
    case words.ASK_MARK: {
      const beside = unitsBeside(tables, s, side, hex);
      return {
        text: `Mark ${at} for attack: ${enemies} there. Beside it ${columnText(
          tables,
          beside.reduce((n, u) => n + tables.roster.af[u]!, 0),
        )}`,
        places,
      };
    }
    case words.ASK_BREAKTHROUGH:
      return { text: `Try to break through at ${at}: ${enemies} there`, places };
    case words.ASK_ATTACK_TARGET:
      return {
        text: `Attack ${at}: ${enemies} there${markOf(tables, s, hex) === words.MARK_ATTACK ? " (marked, must be attacked)" : ""}`,
        places,
      };
    default: {
      const attackers = unitsWith(tables, s, words.ATTACKER).filter((u) => placeOf(tables, s, u) === hex);
      return { text: `Fire at ${namesFor(tables, s, attackers, viewer)} in ${at}`, places };
    }
  }
}

/** Movement points that the group has spent when it comes to a hex. */
const spentAt = ({ tables, s, frame }: Pending, hex: number): number =>
  (s[frame + words.F_MP]! + tables.cost[hex]!) / 2;

/** `Move to 0313 (suburb) for 3 of 8 MP; stops in a zone of control; s3 may fire` */
function wayText(pending: Pending, hex: number): string {
  const { tables, s, frame, dangers: cache } = pending;
  const movers = groupMovers(tables, s, s[frame + words.F_MOVE]!);
  const halts = stops(tables, s, movers, hex) ? "; beside the enemy: the move ends there" : "";
  const { firers, unseen } = dangers(tables, s, unitsWith(tables, s, words.GROUP), hex, cache);
  const fire = firers.length === 0 ? "" : `; ${listed(firers, "nobody")} may fire on the way`;
  const doubt = unseen.length === 0 ? "" : `; face-down counters in ${listed(unseen, "nobody")} may stop it`;
  const verb = s[frame + words.F_HOLD] === 1 ? "Go by way of" : "Move to";
  return `${verb} ${hexText(tables, hex)} for ${spentAt(pending, hex)} of ${movers.allowance / 2} MP${halts}${fire}${doubt}`;
}

/** Would the order leave a hex that counts for victory without a unit of its side? */
function emptied({ tables, s, side }: Pending): string | null {
  const group = unitsWith(tables, s, words.GROUP);
  const from = placeOf(tables, s, group[0]!);
  const stays = unitsIn(tables, s, side, from).some((u) => tables.roster.stackUnit[u] === 1 && !group.includes(u));
  if (tables.points[from] === 0 || stays || s[tables.layout.pathLength]! > 0) return null;
  return `The last ${SIDE_WORDS[side]!} unit leaves ${hexText(tables, from)}.`;
}
