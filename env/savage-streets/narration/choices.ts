import { counted, listed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { Choice, Reach } from "../../core/narration.js";
import * as actions from "../actions.js";
import { CHIT, LANDING, type Tables } from "../data.js";
import { germanStackFits } from "../rules/counters.js";
import { landingAreas, mayTry } from "../rules/reinforcement.js";
import {
  AREAS,
  chitHas,
  chitPlaceOf,
  chitsIn,
  CONTROL,
  controlOf,
  DECISION,
  FLAG,
  GERMANS,
  germansIn,
  L,
  placeOf,
  sovietCounterIn,
  sovietsIn,
  turnOf,
  UNITS,
  unitHas,
} from "../state.js";
import { LAST_TURN } from "../rules/victory.js";
import { combatAhead, reachOf } from "./reach.js";
import { germanLosesNow } from "./standing.js";
import { areaId, areaIds, chitsAt, chitWord, controlWord, placeName, unitId, unitText } from "../events/words.js";

const { AREA, CHIT_AT, DIE, legalMask, PASS, UNIT, YES } = actions;

/** What a choice says beyond its name. */
interface Meaning {
  readonly text: string;
  readonly places?: readonly string[];
  readonly units?: readonly string[];
  readonly die?: number;
  readonly cost?: number;
  readonly reach?: readonly Reach[];
  readonly ends?: "phase" | "turn";
  readonly warning?: string | null;
}

/** The legal actions of the decision at hand in words, in index order. */
export function choicesOf(tables: Tables, names: readonly string[], s: StateView, kind: number): Choice[] {
  const mask = new Uint8Array(names.length);
  legalMask(tables, s, mask, 0);
  const choices: Choice[] = [];
  for (let action = 0; action < names.length; action++) {
    if (mask[action] !== 1) continue;
    const m = meaningOf(tables, s, kind, action);
    choices.push({
      action,
      name: names[action]!,
      text: m.text,
      places: m.places ?? [],
      units: m.units ?? [],
      ...(m.die === undefined ? {} : { die: m.die }),
      ...(m.cost === undefined ? {} : { cost: m.cost }),
      ...(m.reach === undefined ? {} : { reach: m.reach }),
      ends: m.ends ?? null,
      warning: m.warning ?? null,
    });
  }
  return choices;
}

function meaningOf(tables: Tables, s: StateView, kind: number, action: number): Meaning {
  if (action === PASS) return passing(tables, s, kind);
  if (action === YES) return { text: YES_TEXTS[kind]! };
  if (action >= DIE) return raising(s, kind, action - DIE);
  if (action >= CHIT_AT) return chitChoice(tables, s, kind, action - CHIT_AT);
  if (action >= UNIT) return unitChoice(tables, s, kind, action - UNIT);
  return areaChoice(tables, s, kind, action - AREA);
}

const YES_TEXTS: Readonly<Record<number, string>> = {
  [DECISION.stuka]: "Send the Stuka",
  [DECISION.schwere]: "Attack all-out",
  [DECISION.pionier]: "Commit the Pioniers",
  [DECISION.engineer]: "Commit the Engineers",
};

function passing(tables: Tables, s: StateView, kind: number): Meaning {
  switch (kind) {
    case DECISION.reinfPick: {
      let n = 0;
      for (let u = GERMANS; u < UNITS; u++) if (mayTry(s, u)) n++;
      return {
        text: "Hold back the rest",
        ends: "phase",
        warning: `${counted(n, "unit")} will wait until the next turn.`,
      };
    }
    case DECISION.sovPick:
      return { text: "End Soviet movement", ends: "phase" };
    case DECISION.gerPick:
    case DECISION.cmdArea:
      return {
        text: "End German movement",
        ends: "phase",
        warning: joined(endOfMovement(s), crowdedAtEnd(tables, s), losing(tables, s)),
      };
    case DECISION.gerStep:
      return {
        text: `${s[L.decisionIsFirstStep] === 1 ? "Stay" : "Stop"} in ${placeName(tables, placeOf(s, s[L.decisionUnit]! - 1))}`,
        warning: "The movement points left are lost.",
      };
    case DECISION.cmdUnit:
      return {
        text: "Close the area",
        warning: unmoved(s, s[L.decisionArea]! - 1) > 0 ? "It can't be opened again this turn." : null,
      };
    case DECISION.combatArea: {
      const open = areaIds(tables, s[L.freeBreakthroughs]!);
      return {
        text: `Give up the breakthrough from ${listed(open, "none")}`,
        ends: "turn",
        warning: joined("The breakthrough is lost for good.", lastChance(tables, s)),
      };
    }
    case DECISION.stuka: {
      const last = s[L.pendingCombats] === 0;
      return {
        text: "Keep the Stuka back",
        warning: last ? "No other combat is to come: the Stuka may go unused this turn." : null,
      };
    }
    case DECISION.schwere:
      return { text: "Attack as usual" };
    case DECISION.btDest:
      return {
        text: "Stay: no breakthrough",
        warning: joined("The breakthrough is lost for good.", lastChance(tables, s)),
      };
    case DECISION.btUnit:
      return { text: "Nobody else: break through now" };
    case DECISION.dieArmor:
      return { text: "Raise no die", warning: "The raise is lost." };
    default:
      return { text: "Hold them back" };
  }
}

/** German units that could still move. @param area one, or -1 for all */
function unmoved(s: StateView, area: number): number {
  let n = 0;
  for (let u = 0; u < GERMANS; u++) {
    const a = placeOf(s, u);
    if (a < AREAS && (area < 0 || a === area) && !unitHas(s, u, FLAG.moved)) n++;
  }
  return n;
}

function endOfMovement(s: StateView): string | null {
  const n = unmoved(s, -1);
  return n === 0 ? null : `${counted(n, "German unit")} ${n === 1 ? "has" : "have"} not moved.`;
}

/** Units over the limit of SS 1.21 at the end of movement. */
function crowdedAtEnd(tables: Tables, s: StateView): string | null {
  const names: string[] = [];
  for (let a = 0; a < AREAS; a++) if (!germanStackFits(tables, s, a, -1)) names.push(placeName(tables, a));
  return names.length === 0
    ? null
    : `Over the stacking limit in ${listed(names, "none")}: what is too many is eliminated.`;
}

/** The same for a unit about to enter an area. @param when it is too late for others to leave */
function crowded(tables: Tables, s: StateView, a: number, unit: number, when: string): string | null {
  return germanStackFits(tables, s, a, unit)
    ? null
    : `That is over the stacking limit: what is too many ${when} is eliminated.`;
}

/** Warnings one after the other; null for none. */
function joined(...warnings: readonly (string | null)[]): string | null {
  const found = warnings.filter((w) => w !== null);
  return found.length === 0 ? null : found.join(" ");
}

const LOSES = "The game ends, and the German side loses.";

/** Is a breakthrough the last chance of a German who loses as things stand? */
const lastChance = (tables: Tables, s: StateView): string | null =>
  turnOf(s) === LAST_TURN && s[L.pendingCombats] === 0 && germanLosesNow(tables, s) ? LOSES : null;

/** On the last turn without a combat to come, the end of movement is the end of the game. */
function losing(tables: Tables, s: StateView): string | null {
  for (let a = 0; a < AREAS; a++) if (germansIn(s, a) > 0 && sovietCounterIn(s, a)) return null;
  return turnOf(s) === LAST_TURN && germanLosesNow(tables, s) ? LOSES : null;
}

function raising(s: StateView, kind: number, die: number): Meaning {
  const value = s[(kind === DECISION.dieEngineer ? L.sovietDice : L.germanDice) + die]!;
  return { text: `Raise die ${die + 1}, a ${value}, to ${Math.min(6, value + 1)}`, die };
}

function chitChoice(tables: Tables, s: StateView, kind: number, c: number): Meaning {
  const a = chitPlaceOf(s, c);
  const places = [areaId(tables, a)];
  const face = chitHas(s, c, FLAG.faceUp) ? "face-up " : "";
  const what = `${face}${chitWord(tables, c)} (${tables.data.chitIds[c]!})`;
  if (kind === DECISION.sovPick) return { text: `Move the ${what} from ${placeName(tables, a)}`, places };
  return { text: `Put the ${what} back into the pile`, places };
}

function unitChoice(tables: Tables, s: StateView, kind: number, u: number): Meaning {
  const a = placeOf(s, u);
  const text = unitText(tables, s, u);
  const units = [unitId(tables, u)];
  const places = a < AREAS ? [areaId(tables, a)] : [];
  const at = a < AREAS ? ` in ${placeName(tables, a)}` : "";
  switch (kind) {
    case DECISION.gerExcess:
    case DECISION.sovExcess:
      return { text: `Remove ${text}`, units, places, warning: "It is eliminated." };
    case DECISION.reinfPick:
      return { text: `Land ${text}`, units };
    case DECISION.sovPick:
      return { text: `Move ${text}${at}`, units, places };
    case DECISION.gerPick:
      return { text: `Move ${text}${at}`, units, places, reach: reachOf(tables, s, u, tables.data.mp[u]!) };
    case DECISION.cmdUnit:
      return { text: `Roll for ${text}`, units, places, reach: reachOf(tables, s, u, tables.data.mp[u]!) };
    case DECISION.btUnit:
      return { text: `${text} goes`, units, places };
    case DECISION.sovHit:
      return { text: `Lose ${text}`, units, places };
    case DECISION.gerHit:
      return {
        text: `${text} takes the hit and is ${unitHas(s, u, FLAG.depleted) ? "eliminated" : "depleted"}`,
        units,
        places,
      };
    default:
      return { text: `Aim at ${text}`, units, places };
  }
}

function areaChoice(tables: Tables, s: StateView, kind: number, a: number): Meaning {
  const name = placeName(tables, a);
  const places = [areaId(tables, a)];
  const unit = s[L.decisionUnit]! - 1;
  const units = unit >= 0 && unit < UNITS ? [unitId(tables, unit)] : [];
  const own = ownThere(s, a);
  switch (kind) {
    case DECISION.setupPlace:
      return { text: `Set it up in ${name} (${own})`, places, units };
    case DECISION.gerPlace:
      return {
        text: `Enter at ${name} (${counted(germansIn(s, a), "unit")} there)`,
        places,
        units,
        warning: crowded(tables, s, a, unit, "when all have entered"),
      };
    case DECISION.reinfArea: {
      const fire = ((landingAreas(tables, s, tables.data.red[unit] === 1) >> a) & 1) === 0;
      return {
        text: `Land in ${name}${fire ? " under fire" : ""} (${own})`,
        places,
        units,
        warning: fire ? underFire(tables) : null,
      };
    }
    case DECISION.chitPlace: {
      const c = s[L.decisionChit]! - 1;
      const double = tables.data.chitKind[c] === CHIT.strongpoint && hasStrongpoint(tables, s, a);
      const warning = double ? "A strongpoint lies there already, and only one counts." : null;
      return { text: `Place it in ${name} (${controlWord(s, a)}; ${own})`, places, warning };
    }
    case DECISION.sovDest:
      return { text: `To ${name} (${controlWord(s, a)}; ${own}${germansHere(s, a)})`, places, units };
    case DECISION.gerStep:
      return {
        text: `To ${name} (${stepOf(tables, s, unit, a)})`,
        places,
        units,
        cost: spent(tables, s, unit),
        warning: crowded(tables, s, a, unit, "at the end of movement"),
      };
    case DECISION.cmdArea:
      return { text: `Open ${name} (${counted(unmoved(s, a), "unit")} to command)`, places };
    case DECISION.combatArea: {
      const open = ((s[L.freeBreakthroughs]! >> a) & 1) === 1;
      return { text: open ? `Break through from ${name}` : `Fight in ${name}`, places };
    }
    default:
      return { text: `To ${name} (${step(s, a)})`, places };
  }
}

const hasStrongpoint = (tables: Tables, s: StateView, a: number): boolean =>
  chitsAt(s, a).some((c) => tables.data.chitKind[c] === CHIT.strongpoint);

/** What the Soviet side has in an area. */
function ownThere(s: StateView, a: number): string {
  const parts = [
    ...(sovietsIn(s, a) > 0 ? [counted(sovietsIn(s, a), "unit")] : []),
    ...(chitsIn(s, a) > 0 ? [counted(chitsIn(s, a), "chit")] : []),
  ];
  return parts.length === 0 ? "nothing of yours there" : `${parts.join(" and ")} of yours there`;
}

const germansHere = (s: StateView, a: number): string =>
  germansIn(s, a) > 0 ? `, ${counted(germansIn(s, a), "German unit")}` : "";

/** What a German unit meets in an area. */
function step(s: StateView, a: number): string {
  const germans = germansIn(s, a) > 0 ? `${counted(germansIn(s, a), "German unit")} there` : "no German there";
  if (sovietCounterIn(s, a))
    return `${germans}, ${counted(sovietsIn(s, a) + chitsIn(s, a), "Soviet counter")}: it must stop`;
  const takes = controlOf(s, a) !== CONTROL.german && controlOf(s, a) !== CONTROL.none;
  return `${germans}, no Soviet counter${takes ? ": it takes control" : ""}`;
}

/** MP that the unit of a step has spent when it is done. */
const spent = (tables: Tables, s: StateView, unit: number): number => tables.data.mp[unit]! - s[L.decisionMp]! + 1;

/** A step with what it costs and leads to. */
function stepOf(tables: Tables, s: StateView, unit: number, a: number): string {
  const ahead = sovietCounterIn(s, a) ? `; ${combatAhead(tables, s, unit, a)}` : "";
  return `MP ${spent(tables, s, unit)} of ${tables.data.mp[unit]!}: ${step(s, a)}${ahead}`;
}

function underFire(tables: Tables): string {
  const on = (result: number): string =>
    [1, 2, 3, 4, 5, 6].filter((d) => tables.data.underFire[d] === result).join(" or ");
  return `It lands on ${on(LANDING.land)}, is turned away on ${on(LANDING.away)} and lost on ${on(LANDING.eliminated)}.`;
}
