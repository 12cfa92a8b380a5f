import { Decisions } from "../../core/decision.js";
import { RANGES, type Ranges } from "../actions.js";
import { type AskName, ASKS } from "../layout.js";
import type { Survey } from "../narration/words.js";
import type { Tables } from "../state.js";
import { adminAmmo, adminEnd, adminExchange, adminExchangeWith, adminWithdraw } from "./admin.js";
import { arriveBox, arriveCommit, arriveRepair, arriveReplace } from "./arrive.js";
import { advanceUnit, afterChoice, afterHex, afterUnit, icaUnit, lossPick } from "./aftermath.js";
import { attackDrm, attackMode, attackTarget, attackUnit, markHexes } from "./attack.js";
import { aaUnit, bombTable, bombTarget, bombUnit, spotPick } from "./bombardment.js";
import type { Decision } from "./decision.js";
import { dogTarget, dogUse } from "./dogs.js";
import { dfTable, dfTarget, dfUnit, retreatHex, retreatUnit } from "./defence.js";
import { rfPlace } from "./flotilla.js";
import { infilTarget, infilUnit } from "./infiltration.js";
import { leaderMove } from "./leaders.js";
import { btSelect, moveGroup, moveSelect, moveTaskHex, walk } from "./movement.js";
import { opFire, opGroup, opTable } from "./opportunity.js";
import { setupPlace } from "./set-up.js";

const BY_NAME: Readonly<Record<AskName, Decision>> = {
  "setup.place": setupPlace,
  "admin.end": adminEnd,
  "admin.ammo": adminAmmo,
  "admin.withdraw": adminWithdraw,
  "arrive.commit": arriveCommit,
  "admin.exchange": adminExchange,
  "admin.exchange-with": adminExchangeWith,
  "arrive.replace": arriveReplace,
  "arrive.box": arriveBox,
  "arrive.repair": arriveRepair,
  "bomb.target": bombTarget,
  "bomb.unit": bombUnit,
  "bomb.table": bombTable,
  "spot.pick": spotPick,
  "aa.unit": aaUnit,
  "move.select": moveSelect,
  "move.group": moveGroup,
  "move.task-hex": moveTaskHex,
  "bt.select": btSelect,
  "op.fire": opFire,
  "op.group": opGroup,
  "op.table": opTable,
  "mark.hex": markHexes,
  "attack.target": attackTarget,
  "attack.unit": attackUnit,
  "attack.drm": attackDrm,
  "attack.mode": attackMode,
  "dog.use": dogUse,
  "dog.target": dogTarget,
  "retreat.unit": retreatUnit,
  "retreat.hex": retreatHex,
  "df.target": dfTarget,
  "df.unit": dfUnit,
  "df.table": dfTable,
  "loss.pick": lossPick,
  "after.choice": afterChoice,
  "after.unit": afterUnit,
  "after.hex": afterHex,
  "advance.unit": advanceUnit,
  "ica.unit": icaUnit,
  "leader.move": leaderMove,
  "infil.unit": infilUnit,
  "infil.target": infilTarget,
  "rf.place": rfPlace,
  walk,
};

/** All decisions; the number of a kind is its place in `ASKS`. */
export const decisions = new Decisions<Tables, AskName, Ranges, void, Survey>(
  "streets-of-stalingrad",
  { ranges: RANGES, of: (t) => t.space },
  ASKS,
  BY_NAME,
);

/** By number. */
const ALL = ASKS.map((kind) => BY_NAME[kind]);
export const decisionOfKind = (kind: number): Decision => ALL[kind]!;
