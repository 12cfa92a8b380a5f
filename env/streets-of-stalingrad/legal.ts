import type { StateView } from "../core/layout.js";
import { CONTINUE, DECLARE_END } from "./actions.js";
import {
  ASK_AA,
  ASK_ADMIN_END,
  ASK_ADVANCE,
  ASK_AFTER_CHOICE,
  ASK_AFTER_HEX,
  ASK_AFTER_UNIT,
  ASK_ATTACK_DRM,
  ASK_ATTACK_MODE,
  ASK_ATTACK_TARGET,
  ASK_ATTACK_UNIT,
  ASK_BREAKTHROUGH,
  ASK_FIRE_TARGET,
  ASK_FIRE_UNIT,
  ASK_ICA,
  ASK_LOSS,
  ASK_MARK,
  ASK_MOVE_GROUP,
  ASK_MOVE_SELECT,
  ASK_OP_FIRE,
  ASK_OP_GROUP,
  ASK_RETREAT_HEX,
  ASK_RETREAT_UNIT,
  ASK_BOMB_TABLE,
  ASK_BOMB_TARGET,
  ASK_BOMB_UNIT,
  ASK_FIRE_TABLE,
  ASK_LEADER,
  ASK_OP_TABLE,
  ASK_SPOT,
} from "./layout.js";
import * as air from "./rules/artillery/air.js";
import * as advance from "./rules/combat/advance.js";
import * as afterCombat from "./rules/combat/after.js";
import * as attack from "./rules/combat/attack.js";
import * as attackers from "./rules/combat/attackers.js";
import * as bombardment from "./rules/artillery/bombardment.js";
import * as breakthrough from "./rules/movement/breakthrough.js";
import * as commitment from "./rules/combat/commitment.js";
import * as defence from "./rules/combat/defence.js";
import * as ica from "./rules/combat/ica.js";
import * as leaders from "./rules/units/leaders.js";
import * as losses from "./rules/units/losses.js";
import * as mark from "./rules/combat/mark.js";
import * as movement from "./rules/movement/movement.js";
import * as opportunity from "./rules/movement/opportunity.js";
import * as retreat from "./rules/combat/retreat.js";
import * as spotting from "./rules/artillery/spotting.js";
import { askOf } from "./state.js";
import type { Tables } from "./state.js";

/**
 * Writes 1 for each legal action of the top decision; the mask is zero before.
 *
 * @returns how many, 0: it closes by itself
 */
export function fill(tables: Tables, s: StateView, mask: Uint8Array, at: number): number {
  switch (askOf(tables, s)) {
    case ASK_ADMIN_END: // nothing has been played on the first turn. Rule: SOS 3.1, ruling R4
      if (s[tables.layout.turn]! <= tables.firstTurn) return 0;
      mask[at + DECLARE_END] = 1;
      mask[at + CONTINUE] = 1;
      return 2;
    case ASK_BOMB_TARGET:
      return bombardment.fillMissionHexes(tables, s, mask, at);
    case ASK_BOMB_UNIT:
      return bombardment.fillMissionGuns(tables, s, mask, at);
    case ASK_BOMB_TABLE:
      return bombardment.fillTables(tables, s, mask, at);
    case ASK_SPOT:
      return spotting.fillSpotters(tables, s, mask, at);
    case ASK_OP_TABLE:
    case ASK_FIRE_TABLE:
      return defence.fillTables(mask, at);
    case ASK_LEADER:
      return leaders.fillLeaderHexes(tables, s, mask, at);
    case ASK_MOVE_SELECT:
      return movement.fillSelect(tables, s, mask, at);
    case ASK_AA:
      return air.fillFlak(tables, s, mask, at);
    case ASK_BREAKTHROUGH:
      return breakthrough.fillBreakthrough(tables, s, mask, at);
    case ASK_MOVE_GROUP:
      return movement.fillGroup(tables, s, mask, at);
    case ASK_OP_FIRE:
    case ASK_OP_GROUP:
      return opportunity.fillFirers(tables, s, mask, at);
    case ASK_MARK:
      return mark.fillMarks(tables, s, mask, at);
    case ASK_ATTACK_TARGET:
      return attackers.fillTargets(tables, s, mask, at);
    case ASK_ATTACK_UNIT:
      return attackers.fillAttackers(tables, s, mask, at);
    case ASK_ATTACK_DRM:
      return commitment.fillCommitment(mask, at);
    case ASK_ATTACK_MODE:
      return attack.fillMode(tables, s, mask, at);
    case ASK_RETREAT_UNIT:
      return retreat.fillRetreaters(tables, s, mask, at);
    case ASK_RETREAT_HEX:
      return retreat.fillRetreatHexes(tables, s, mask, at);
    case ASK_FIRE_TARGET:
      return defence.fillFireTargets(tables, s, mask, at);
    case ASK_FIRE_UNIT:
      return defence.fillFirers(tables, s, mask, at);
    case ASK_LOSS:
      return losses.fillLosses(tables, s, mask, at);
    case ASK_AFTER_CHOICE:
      return afterCombat.fillChoice(tables, s, mask, at);
    case ASK_AFTER_UNIT:
      return afterCombat.fillUnits(tables, s, mask, at);
    case ASK_AFTER_HEX:
      return afterCombat.fillHexes(tables, s, mask, at);
    case ASK_ADVANCE:
      return advance.fillAdvance(tables, s, mask, at);
    case ASK_ICA:
      return ica.fillIca(tables, s, mask, at);
    default:
      return 0;
  }
}
