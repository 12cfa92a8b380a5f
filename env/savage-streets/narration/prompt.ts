import { counted, listed } from "../../core/words.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { endersLast, type Prompt } from "../../core/narration.js";
import type { Tables } from "../data.js";
import {
  chitsIn,
  deciderOf,
  DECISION,
  DECISION_NAMES,
  decisionOf,
  germansIn,
  HIT,
  isHiddenDecision,
  L,
  placeOf,
  sovietsIn,
  UNITS,
} from "../state.js";
import { germanTotal, sovietTotal } from "../rules/odds.js";
import { sovietStackFits } from "../rules/counters.js";
import { handSize } from "../rules/chits.js";
import { choicesOf } from "./choices.js";
import { overText } from "./standing.js";
import {
  areaId,
  areaIds,
  bitsOf,
  CHIT_RULES,
  chitWord,
  counterName,
  faces,
  knowsSoviet,
  placeName,
  SIDE_NAMES,
  SIDES,
  unitIds,
  unitText,
} from "../events/words.js";

/** What is asked, without the choices. */
interface Question {
  readonly text: string;
  readonly rule: string;
  readonly seeAlso?: readonly string[];
  readonly units?: readonly string[];
  readonly places?: readonly string[];
}

/** The decision at hand for one viewer; the choices only for the side that decides, and for `EVERYTHING`. */
export function prompt(tables: Tables, actions: readonly string[], s: StateView, viewer: Viewer): Prompt {
  const kind = decisionOf(s);
  if (kind === DECISION.none) return over(tables, s);
  const decider = deciderOf(kind);
  const name = DECISION_NAMES[kind - 1]!;
  const by = SIDES[decider]!;
  if (isHiddenDecision(kind) && !knowsSoviet(viewer)) {
    const [text, rule] = WAITING_FOR[kind]!;
    return { by, kind: name, text, rule, seeAlso: [], units: [], places: [], choices: [] };
  }
  const question =
    kind === DECISION.sovExcess && !knowsSoviet(viewer) ? excessUnseen(tables, s) : questionOf(tables, s, kind);
  const decides = viewer === decider || viewer === EVERYTHING;
  return {
    by,
    kind: name,
    text: decides ? question.text : `The ${SIDE_NAMES[decider]!} player decides: ${question.text}`,
    rule: question.rule,
    seeAlso: question.seeAlso ?? [],
    units: question.units ?? [],
    places: question.places ?? [],
    choices: decides ? endersLast(choicesOf(tables, actions, s, kind)) : [],
  };
}

function over(tables: Tables, s: StateView): Prompt {
  const text = overText(tables, s);
  return { by: null, kind: "over", text, rule: "SS 8.2", seeAlso: ["SS 8.1"], units: [], places: [], choices: [] };
}

/** Whether units or chits are too many is not for others to know. */
function excessUnseen(tables: Tables, s: StateView): Question {
  const a = s[L.decisionArea]! - 1;
  return {
    text: `${placeName(tables, a)} holds too many Soviet counters.`,
    rule: "SS 1.21",
    places: [areaId(tables, a)],
  };
}

/** What others are told about a Soviet decision whose object they can't know. */
const WAITING_FOR: Readonly<Record<number, readonly [text: string, rule: string]>> = {
  [DECISION.setupPlace]: ["The Soviet player sets up the at-start units unseen.", "SS 1.52"],
  [DECISION.reinfPick]: ["The Soviet player decides which unit lands next.", "SS 2.2"],
  [DECISION.reinfArea]: ["The Soviet player decides where a unit lands.", "SS 2.2"],
  [DECISION.chitPlace]: ["The Soviet player places an event chit.", "SS 3.0"],
  [DECISION.sovPick]: ["The Soviet player decides which counter moves next.", "SS 4.1"],
  [DECISION.sovDest]: ["The Soviet player decides where a counter moves.", "SS 4.1"],
};

function questionOf(tables: Tables, s: StateView, kind: number): Question {
  const a = s[L.decisionArea]! - 1;
  const unit = s[L.decisionUnit]! - 1;
  const chit = s[L.decisionChit]! - 1;
  const where = a < 0 ? "" : placeName(tables, a);
  const places = a < 0 ? [] : [areaId(tables, a)];
  const units = unit >= 0 && unit < UNITS ? unitIds(tables, [unit]) : [];
  switch (kind) {
    case DECISION.setupPlace:
      return {
        text: `Set up ${unitText(tables, s, unit)} face-down in a numbered area.`,
        rule: "SS 1.52",
        seeAlso: ["SS 1.21"],
        units,
      };
    case DECISION.gerPlace:
      return {
        text: `Place ${unitText(tables, s, unit)} in an entry area.`,
        rule: "SS 2.1",
        seeAlso: ["SS 1.21"],
        units,
      };
    case DECISION.gerExcess:
      return {
        text: `${where} holds ${counted(germansIn(s, a), "German unit")}, too many: remove one.`,
        rule: "SS 1.21",
        places,
      };
    case DECISION.reinfPick:
      return { text: "Choose the next unit to land, or hold back the rest.", rule: "SS 2.2" };
    case DECISION.reinfArea:
      return { text: `Land ${unitText(tables, s, unit)}.`, rule: "SS 2.2", seeAlso: ["SS 1.21"], units };
    case DECISION.chitPlace:
      return {
        text: `Place the ${chitWord(tables, chit)} chit (${tables.data.chitIds[chit]!}) face-down; ${counted(handSize(s), "chit")} in hand.`,
        rule: "SS 3.0",
        seeAlso: [CHIT_RULES[tables.data.chitKind[chit]!]!],
      };
    case DECISION.sovPick:
      return {
        text: "Choose a Soviet counter to move, or end Soviet movement.",
        rule: "SS 4.1",
        seeAlso: ["SS 4.2", "SS 4.3"],
      };
    case DECISION.sovDest: {
      const from = unit < UNITS ? placeOf(s, unit) : s[L.chitPlace + unit - UNITS]!;
      const what = unit < UNITS ? unitText(tables, s, unit) : `chit ${counterName(tables, unit)}`;
      const text = `Move ${what} from ${placeName(tables, from)} to an area next to it.`;
      return { text, rule: "SS 4.1", seeAlso: ["SS 4.3", "SS 1.21"], units, places: [areaId(tables, from)] };
    }
    case DECISION.sovExcess: {
      const n = sovietStackFits(tables, s, a, -1)
        ? counted(chitsIn(s, a), "chit")
        : counted(sovietsIn(s, a), "Soviet unit");
      return { text: `${where} holds too much: remove one of ${n}.`, rule: "SS 1.21", places };
    }
    case DECISION.gerPick:
      return {
        text: "Choose a German unit to move, or end German movement.",
        rule: "SS 5.1",
        seeAlso: ["SS 5.2", "SS 5.3"],
      };
    case DECISION.gerStep: {
      const here = placeOf(s, unit);
      const text = `Move ${tables.data.unitIds[unit]!} on from ${placeName(tables, here)}: ${s[L.decisionMp]!} of ${tables.data.mp[unit]!} MP left.`;
      return { text, rule: "SS 5.1", seeAlso: ["SS 5.2"], units, places: [areaId(tables, here)] };
    }
    case DECISION.cmdArea:
      return { text: "Open an area for command, or end German movement.", rule: "SS 10.51" };
    case DECISION.cmdUnit: {
      const needed = tables.data.commandMax - s[L.commandModifier]!;
      const text = `Try to command a unit in ${where} (a die of ${needed} or less moves it), or close the area.`;
      return { text, rule: "SS 10.51", places };
    }
    case DECISION.sniperTarget:
      return { text: `The sniper in ${where} shoots at one HQ.`, rule: "SS 6.1", places };
    case DECISION.molotovTarget:
      return { text: `The molotov in ${where} is thrown at one armoured unit.`, rule: "SS 6.2", places };
    case DECISION.ambushTarget:
      return {
        text: `Aim an ambush in ${where} at a unit; all dice fall when every ambush is aimed.`,
        rule: "SS 6.4",
        places,
      };
    case DECISION.combatArea: {
      const [due, open] = [areaIds(tables, s[L.pendingCombats]!), areaIds(tables, s[L.freeBreakthroughs]!)];
      const breaks = open.length === 0 ? "" : ` Breakthrough open from ${listed(open, "none")}.`;
      const text =
        due.length === 0 ? `No combat is left.${breaks}` : `Choose the next combat: ${listed(due, "none")}.${breaks}`;
      return { text, rule: "SS 7.0", seeAlso: ["SS 7.1", "SS 6.7"], places: [...new Set([...due, ...open])] };
    }
    case DECISION.btDest:
      return { text: `Break through from ${where} to an area next to it without Germans?`, rule: "SS 7.31", places };
    case DECISION.btUnit: {
      const to = s[L.breakthroughTo]! - 1;
      const chosen = bitsOf(s[L.breakthroughUnits]!);
      const so = chosen.length === 0 ? "" : ` So far: ${listed(unitIds(tables, chosen), "none")}.`;
      const text = `Choose who breaks through from ${where} to ${placeName(tables, to)}.${so}`;
      return { text, rule: "SS 7.31", units: unitIds(tables, chosen), places: [...places, areaId(tables, to)] };
    }
    default:
      return combatQuestion(tables, s, kind, s[L.combatArea]! - 1, unit);
  }
}

function combatQuestion(tables: Tables, s: StateView, kind: number, a: number, unit: number): Question {
  const where = placeName(tables, a);
  const places = [areaId(tables, a)];
  const values = `combat value ${germanTotal(tables, s, a)} against ${sovietTotal(tables, s, a)}`;
  const dice = `German dice ${faces(s, L.germanDice, s[L.germanDiceCount]!).join(" ")}, Soviet dice ${faces(s, L.sovietDice, s[L.sovietDiceCount]!).join(" ")}`;
  switch (kind) {
    case DECISION.stuka:
      return {
        text: `Send the Stuka to the combat in ${where} (${values})? It adds a German die, once a turn.`,
        rule: "SS 7.1",
        places,
      };
    case DECISION.atTarget: {
      const gun = tables.data.unitIds[unit]!;
      return {
        text: `${gun} shoots in ${where} before the combat: aim it at an armoured unit.`,
        rule: "SS 9.3",
        units: [gun],
        places,
      };
    }
    case DECISION.schwere:
      return {
        text: `Make the combat in ${where} (${values}) an all-out attack? One German die more and one German hit more, once a game.`,
        rule: "SS 9.6",
        places,
      };
    case DECISION.pionier:
      return {
        text: `Commit the Pioniers in ${where} (${values})? They raise a die and take the first hit of a defeat.`,
        rule: "SS 9.1",
        places,
      };
    case DECISION.engineer:
      return {
        text: `Commit the Engineers in ${where} (${values})? They raise a die and take the first hit of a defeat.`,
        rule: "SS 9.1",
        places,
      };
    case DECISION.diePionier:
    case DECISION.dieEngineer:
    case DECISION.dieArmor: {
      const who =
        kind === DECISION.dieArmor
          ? "unopposed armour raises"
          : kind === DECISION.diePionier
            ? "Pioniers raise"
            : "Engineers raise";
      const rule = kind === DECISION.dieArmor ? "SS 9.21" : "SS 9.1";
      return { text: `Combat in ${where}, ${dice}: the ${who} one die.`, rule, places };
    }
    case DECISION.sovHit:
      return {
        text: `${counted(s[L.sovietLossesLeft]!, "Soviet hit")} to take in ${where}: choose a unit.`,
        rule: "SS 7.3",
        places,
      };
    default: {
      const hit = s[L.germanHits]!;
      const rule = hit === HIT.extra ? "SS 9.6" : hit === HIT.counterattack ? "SS 6.6" : "SS 7.32";
      const must = s[L.hqMustTakeHit] === 1 ? " A tie of sixes: an HQ must take it." : "";
      const text = `${counted(s[L.germanHitCount]!, "German hit")} to take in ${where} (${dice}): choose a unit.${must}`;
      return { text, rule, seeAlso: ["SS 7.32"], places };
    }
  }
}
