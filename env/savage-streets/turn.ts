import type { Dice, NameOf } from "../core/dice.js";
import { InvariantError } from "../core/errors.js";
import type { State } from "../core/layout.js";
import * as actions from "./actions.js";
import type { Rules } from "./data.js";
import { CLASS, ENTRY, note } from "./ledger.js";
import {
  anyoneMayJoin,
  askBreakthrough,
  breakThrough,
  declineBreakthrough,
  offerBreakthrough,
} from "./rules/breakthrough.js";
import { askChit, drawChits, firstInHand, placeChit } from "./rules/chits.js";
import { continueCombat, raiseDie, startCombat, takeGermanHit, takeSovietLoss } from "./rules/combat.js";
import { killUnit, putUnit, returnChit } from "./rules/counters.js";
import { aim, beginEvents, continueEvents, openEvents } from "./rules/events.js";
import {
  askGermanMove,
  closeCommand,
  command,
  endGermanMovement,
  openCommand,
  startMove,
  stepTo,
} from "./rules/german-movement.js";
import {
  askGermanExcess,
  askGermanReinforcement,
  askLanding,
  beginSovietReinforcement,
  land,
} from "./rules/reinforcement.js";
import {
  placeChitsByDice,
  solitaireExcess,
  solitaireMovement,
  solitaireReinforcement,
  solitaireSetup,
} from "./rules/solitaire.js";
import { askSovietExcess, endSovietMovement, moveChit, moveSovietUnit } from "./rules/soviet-movement.js";
import { endTurn } from "./rules/victory.js";
import * as state from "./state.js";

// own constants, for speed: see core/layout.ts
const { AREA, CHIT_AT, DIE, PASS, UNIT } = actions;
const {
  answered,
  ANSWER,
  AREAS,
  ask,
  F,
  FUTURE,
  GERMANS,
  germansIn,
  KIND,
  kindOf,
  L,
  markUnit,
  PHASE,
  phaseOf,
  placeOf,
  sovietCounterIn,
  sovietsIn,
  turnOf,
  UNITS,
} = state;

/** How draws are named in scripts. */
export interface DrawNames {
  readonly chit: NameOf;
  readonly startUnit: NameOf;
  /** Waiting units without and with a red circle. */
  readonly waiting: readonly [NameOf, NameOf];
}

/** What a phase does before its first decision. A position without a decision runs from here. */
export function beginPhase(r: Rules, s: State, dice: Dice, names: DrawNames): void {
  switch (phaseOf(s)) {
    case PHASE.setup:
      if (r.solo) solitaireSetup(r, s, dice, names.startUnit, names.chit);
      break;
    case PHASE.sovReinf:
      beginSovietReinforcement(r, s);
      if (r.solo) solitaireReinforcement(r, s, dice, names.waiting);
      break;
    case PHASE.chits:
      if (firstInHand(s) < 0) drawChits(s, r.data.draw, dice, names.chit);
      if (r.solo) placeChitsByDice(r, s, dice);
      break;
    case PHASE.sovMove:
      if (r.solo) solitaireMovement(r, s, dice);
      break;
    case PHASE.events:
      beginEvents(s);
      break;
    default:
  }
}

function enter(r: Rules, s: State, phase: number, dice: Dice, names: DrawNames): void {
  s[L.phase] = phase;
  beginPhase(r, s, dice, names);
}

/** Runs on to the next decision or the end of the game. `fromPick`: the phase just got `pass` for its picks. Rule: SS 1.4. */
export function run(r: Rules, s: State, dice: Dice, names: DrawNames, fromPick = false): void {
  let ending = fromPick;
  while (kindOf(s) === KIND.none) {
    switch (phaseOf(s)) {
      case PHASE.setup:
        if (!r.solo && askSetup(r, s)) return;
        if (!r.solo)
          for (let a = 0; a < AREAS; a++)
            if (sovietsIn(s, a) > 0) note(s, ENTRY.init, a, 0, sovietsIn(s, a), CLASS.unit);
        s[L.phase] = PHASE.gerReinf;
        break;
      case PHASE.gerReinf:
        if (!askGermanReinforcement(r, s)) enter(r, s, PHASE.sovReinf, dice, names);
        break;
      case PHASE.sovReinf:
        if (r.solo || ending || !askLanding(r, s)) enter(r, s, PHASE.chits, dice, names);
        ending = false;
        break;
      case PHASE.chits:
        if (r.solo || !askChit(r, s)) {
          if (turnOf(s) > 1) enter(r, s, PHASE.sovMove, dice, names);
          else s[L.phase] = PHASE.gerMove; // SS 4.1
        }
        break;
      case PHASE.sovMove:
        if (!r.solo && !ending) ask(s, KIND.sovPick);
        else if (r.solo || !askSovietExcess(r, s)) {
          if (r.solo) solitaireExcess(r, s);
          endSovietMovement(s);
          s[L.phase] = PHASE.gerMove;
          ending = false;
        }
        break;
      case PHASE.gerMove:
        if (!ending) askGermanMove(r, s);
        else if (!askGermanExcess(r, s)) {
          endGermanMovement(r, s);
          enter(r, s, PHASE.events, dice, names);
          ending = false;
        }
        break;
      case PHASE.events:
        runEvents(r, s, dice);
        break;
      case PHASE.combat:
        runCombats(r, s, dice);
        break;
      case PHASE.over:
        return;
      default:
        throw new InvariantError(`savage-streets has no phase ${phaseOf(s)}`);
    }
  }
}

/** Asks where the next at-start unit goes; false when all have a place. Rule: SS 1.52. */
function askSetup(r: Rules, s: State): boolean {
  for (let u = GERMANS; u < UNITS; u++) {
    if (r.data.entryTurn[u] !== 0 || placeOf(s, u) !== FUTURE) continue;
    ask(s, KIND.setupPlace, -1, u);
    return true;
  }
  return false;
}

/** Rule: SS 6.0: all revealed chits before the first combat. */
function runEvents(r: Rules, s: State, dice: Dice): void {
  for (;;) {
    if (s[L.evArea] !== 0) {
      if (continueEvents(r, s, dice)) return;
    } else if (s[L.queue] !== 0) {
      const a = 31 - Math.clz32(s[L.queue]! & -s[L.queue]!);
      s[L.queue]! &= ~(1 << a);
      openEvents(r, s, a, false);
    } else break;
  }
  for (let a = 0; a < AREAS; a++) if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) s[L.pending]! |= 1 << a;
  s[L.phase] = PHASE.combat;
}

/** Events after a breakthrough, the breakthrough itself, the combat under way, else the next one. Rule: SS 7.0. */
function runCombats(r: Rules, s: State, dice: Dice): void {
  if (s[L.evArea] !== 0) {
    const a = s[L.evArea]! - 1;
    if (continueEvents(r, s, dice)) return;
    if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) startCombat(s, a);
  } else if (s[L.btArea] !== 0) askBreakthrough(s);
  else if (s[L.cbArea] !== 0) {
    const a = s[L.cbArea]! - 1;
    if (continueCombat(r, s, dice)) return;
    if (s[L.cbBreakthrough] === 1) offerBreakthrough(r, s, a);
    if (s[L.btArea] === 0) declineBreakthrough(s);
  } else if (s[L.pending] !== 0 || s[L.free] !== 0) ask(s, KIND.combatArea);
  else endTurn(r, s);
}

/** Carries out a legal action and runs on to the next decision. */
export function apply(r: Rules, s: State, action: number, dice: Dice, names: DrawNames): void {
  const kind = kindOf(s);
  const area = s[L.dArea]! - 1;
  const unit = s[L.dUnit]! - 1;
  const chit = s[L.dChit]! - 1;
  const mp = s[L.dMp]!;
  answered(s);
  let ending = false; // the picks of this phase are over
  switch (kind) {
    case KIND.setupPlace:
    case KIND.gerPlace:
      putUnit(r, s, unit, action - AREA);
      break;
    case KIND.gerExcess:
      killUnit(r, s, action - UNIT);
      ending = phaseOf(s) === PHASE.gerMove;
      break;
    case KIND.reinfPick:
      ending = action === PASS;
      if (ending) note(s, ENTRY.hold);
      else ask(s, KIND.reinfArea, -1, action - UNIT);
      break;
    case KIND.reinfArea:
      land(r, s, unit, action - AREA, dice);
      break;
    case KIND.chitPlace:
      placeChit(r, s, chit, action - AREA);
      break;
    case KIND.sovPick:
      ending = action === PASS;
      if (!ending) ask(s, KIND.sovDest, -1, action >= CHIT_AT ? UNITS + action - CHIT_AT : action - UNIT);
      break;
    case KIND.sovDest:
      if (unit < UNITS) moveSovietUnit(r, s, unit, action - AREA);
      else moveChit(r, s, unit - UNITS, action - AREA);
      break;
    case KIND.sovExcess:
      if (action >= CHIT_AT) returnChit(r, s, action - CHIT_AT);
      else killUnit(r, s, action - UNIT);
      ending = true;
      break;
    case KIND.gerPick:
      ending = action === PASS;
      if (!ending) startMove(r, s, action - UNIT);
      break;
    case KIND.gerStep:
      if (action === PASS) markUnit(s, unit, F.moved);
      else stepTo(r, s, unit, action - AREA, mp);
      break;
    case KIND.cmdArea:
      ending = action === PASS;
      if (!ending) openCommand(r, s, action - AREA);
      break;
    case KIND.cmdUnit:
      if (action === PASS) closeCommand(s);
      else command(r, s, action - UNIT, dice);
      break;
    case KIND.sniperTarget:
    case KIND.molotovTarget:
    case KIND.ambushTarget:
      aim(r, s, chit, action - UNIT, dice);
      break;
    case KIND.combatArea:
      pickCombat(r, s, action);
      break;
    case KIND.stuka:
      s[L.cbStuka] = action === PASS ? ANSWER.no : ANSWER.yes;
      if (action !== PASS) s[L.stuka] = 0;
      break;
    case KIND.schwere:
      s[L.cbSchwere] = action === PASS ? ANSWER.no : ANSWER.yes;
      if (action !== PASS) s[L.schwere] = 0;
      break;
    case KIND.pionier:
      s[L.cbPionier] = action === PASS ? ANSWER.no : ANSWER.yes;
      break;
    case KIND.engineer:
      s[L.cbEngineer] = action === PASS ? ANSWER.no : ANSWER.yes;
      break;
    case KIND.atTarget:
      s[L.cbTarget + unit - GERMANS] = action - UNIT + 1;
      break;
    case KIND.diePionier:
    case KIND.dieArmor:
    case KIND.dieEngineer:
      raiseDie(s, kind, action === PASS ? -1 : action - DIE);
      break;
    case KIND.sovHit:
      takeSovietLoss(r, s, action - UNIT);
      break;
    case KIND.gerHit:
      takeGermanHit(r, s, action - UNIT);
      break;
    case KIND.btDest:
      if (action === PASS) declineBreakthrough(s);
      else s[L.btDest] = action - AREA + 1;
      break;
    case KIND.btUnit:
      if (action !== PASS) s[L.btUnits]! |= 1 << (action - UNIT);
      if (action === PASS || !anyoneMayJoin(s)) breakThrough(r, s);
      break;
    default:
      throw new InvariantError(`savage-streets has no decision ${kind} (area ${area})`);
  }
  run(r, s, dice, names, ending);
}

/** Rule: SS 7.0; ruling R18: in an area on both lists the breakthrough comes first. */
function pickCombat(r: Rules, s: State, action: number): void {
  if (action === PASS) {
    s[L.free] = 0;
    return;
  }
  const a = action - AREA;
  if ((s[L.free]! >> a) & 1) {
    s[L.free]! &= ~(1 << a);
    offerBreakthrough(r, s, a);
  } else startCombat(s, a);
}
