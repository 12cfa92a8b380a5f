import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { Choice } from "../../core/narration.js";
import * as A from "../actions.js";
import { CITY_FIRST, CITY_LAST, GUMRAK, type Tables, VOLGA, Z } from "../data.js";
import {
  area6, areaOfDie, ARTILLERY, AT_END, cmdOf, COMMAND, DECISION, GERMAN, hasFort, hasRight, isCaptured, L, GUARDS, PIONEERS, RATT,
  reserveOf, room, SOVIET, STURM, TACTICS, unitsIn,
} from "../state.js"; // prettier-ignore
import { faceName } from "../events/dice.js";
import { areaId, areaText, facesAt, forces, SIDE_WORDS, unitsOf } from "../events/words.js";

/** What one action means: its text, what it touches, and a warning when it wastes something. */
interface Meaning {
  readonly text: string;
  readonly places?: readonly number[];
  readonly die?: number;
  readonly warning?: string | null;
}

/** A legal action as its chooser sees it. */
export function choiceOf(tables: Tables, s: StateView, action: number, ends: Choice["ends"]): Choice {
  const meaning = action === A.DONE ? doneMeaning(s) : meaningOf(tables, s, action);
  return {
    action,
    name: A.ACTIONS[action]!,
    text: meaning.text,
    places: (meaning.places ?? []).map(areaId),
    units: [],
    ...(meaning.die === undefined ? {} : { die: meaning.die }),
    ends,
    warning: meaning.warning ?? null,
  };
}

function meaningOf(tables: Tables, s: StateView, action: number): Meaning {
  const side = s[L.actor]!;
  const { costs } = tables;
  const city = (first: number): number => action - first + CITY_FIRST;
  const within = (first: number, count: number): boolean => action >= first && action < first + count;
  if (action === A.ROLL) return { text: rollText(s) };
  if (within(A.KEEP_UNIT, 6)) return keepUnits(tables, s, side, action - A.KEEP_UNIT + 1);
  if (within(A.KEEP_SPECIAL_DIE, 3)) return keepSpecial(tables, s, side, action - A.KEEP_SPECIAL_DIE);
  if (within(A.PLACE, 6)) {
    const area = areaOfDie(side, action - A.PLACE + 1);
    return { text: `Place a unit in ${areaWith(tables, s, area)}`, places: [area] };
  }
  if (action === A.REROLL) return { text: "Have the Ratt die thrown again", warning: null };
  if (within(A.LOSE, 7)) {
    const area = action - A.LOSE > CITY_LAST ? area6(side) : action - A.LOSE;
    return { text: `Lose a unit in ${areaWith(tables, s, area)}`, places: [area] };
  }
  if (within(A.FORT, 5))
    return { text: `Fortify (${costs.fortify} CMD) ${areaWith(tables, s, city(A.FORT))}`, places: [city(A.FORT)] };
  if (within(A.ANNOUNCE, 6)) return announce(tables, s, action - A.ANNOUNCE + 1);
  if (within(A.AIR_TARGET, 6)) return airTarget(tables, s, A.airArea(action));
  if (action === A.CANCEL) return { text: `Cancel the air attack, ${costs.nightCancel} CMD` };
  if (within(A.REDUCE, 5)) {
    const n = action - A.REDUCE + 1;
    return { text: `Cancel ${counted(n, "air attack")}, ${n * costs.nightCancel} CMD` };
  }
  if (action === A.RAZE) return { text: "Give the Fortification up and save a unit", places: [s[L.area]! - 1] };
  return move(tables, s, side, action);
}

const priceOf = (cmd: number): string => (cmd === 0 ? "" : ` (${cmd} CMD)`);

/** Moves of units and of the Artillery marker, and what is paid in combat. */
function move(tables: Tables, s: StateView, side: number, action: number): Meaning {
  const { costs } = tables;
  const city = (first: number): number => action - first + CITY_FIRST;
  const within = (first: number, count: number): boolean => action >= first && action < first + count;
  const to = (text: string, from: number, area: number): Meaning => ({
    text: `${text} to ${areaWith(tables, s, area)}`,
    places: [from, area],
  });
  if (within(A.STURM_TO, 5)) return to("Move a unit from Gumrak", GUMRAK, city(A.STURM_TO));
  if (within(A.CROSS, 5)) return to(`Cross the Volga (${costs.volgaCrossing} CMD)`, VOLGA, city(A.CROSS));
  if (within(A.RATZEL, 30)) {
    const [from, area] = [A.ratzelFrom(action), A.ratzelTo(action)];
    return to(`Move a ${SIDE_WORDS[1 - side]} unit from ${areaText(tables, from)}`, from, area);
  }
  if (within(A.OUT, 5)) return to("Move a unit from Z", Z, city(A.OUT));
  if (within(A.IN, 5)) {
    const from = city(A.IN);
    return { text: `Bring a unit into Z from ${areaWith(tables, s, from)}`, places: [from, Z] };
  }
  if (within(A.ARTY, 5)) {
    const verb = s[L.artillery] === 0 ? "Lay Artillery on" : "Move Artillery to";
    return {
      text: `${verb} (${costs.artillery} CMD) ${areaWith(tables, s, city(A.ARTY))}`,
      places: [city(A.ARTY)],
    };
  }
  if (action === A.ARTY_OFF)
    return {
      text: `Take Artillery off ${areaText(tables, s[L.artillery]!)}, ${costs.artillery} CMD`,
      places: [s[L.artillery]!],
    };
  if (action === A.PIONEER) {
    const area = s[L.area]! - 1;
    const effect = hasFort(s, area) ? "remove the Fortification" : "kill a Soviet unit";
    return { text: `Pioneers: ${effect} in ${areaText(tables, area)}, ${costs.pioneer} CMD`, places: [area] };
  }
  if (action === A.FIGHT) return { text: `Pay ${costs.zCombat} CMD: the units in Z fight`, places: [Z] };
  if (within(A.GUARDS_Z, 5)) return to(`Move a Guards unit from Z${priceOf(costs.guardsFromZ)}`, Z, city(A.GUARDS_Z));
  return to(`Move a Guards unit from the Volga${priceOf(costs.guardsFromVolga)}`, VOLGA, city(A.GUARDS_VOLGA));
}

/** An area and who stands in it. */
const areaWith = (tables: Tables, s: StateView, area: number): string =>
  `${areaText(tables, area)}: ${forces(s, area)}`;

function rollText(s: StateView): string {
  const loose = facesAt(s, L.loose).length + [0, 1, 2].filter((d) => s[L.looseSpecialDice + d]! > 0).length;
  return loose === 0
    ? "Throw all eight dice"
    : loose === 1
      ? "Throw the loose die again"
      : `Throw the ${loose} loose dice again`;
}

const LAST_DIE = "This is the last die: the dice are resolved at once.";

/** Is this many dice all that is loose? */
function areLast(s: StateView, dice: number): boolean {
  return facesAt(s, L.loose).length + [0, 1, 2].filter((d) => s[L.looseSpecialDice + d]! > 0).length === dice;
}

function keepUnits(tables: Tables, s: StateView, side: number, face: number): Meaning {
  const area = areaOfDie(side, face);
  const n = s[L.loose + face - 1]!;
  const space = Math.max(0, room(tables, s, side, area) - s[L.kept + face - 1]!);
  const usable = Math.min(n, space, reserveOf(s, side));
  const wasted = n - usable;
  const why =
    area < VOLGA && isCaptured(s, area)
      ? "the area is captured"
      : space < n
        ? "there is no room"
        : "the reserve is short";
  const warnings = [
    ...(wasted > 0 ? [`${counted(wasted, "die").replace("dies", "dice")} would be wasted: ${why}.`] : []),
    ...(areLast(s, n) ? [LAST_DIE] : []),
  ];
  const dice = n === 1 ? `the ${face}` : `all ${n} of number ${face}`;
  return {
    text: `Keep ${dice}, ${unitsOf(usable)} for ${areaWith(tables, s, area)}`,
    places: [area],
    die: facesAt(s, L.loose).indexOf(face),
    warning: warnings.length > 0 ? warnings.join(" ") : null,
  };
}

function keepSpecial(tables: Tables, s: StateView, side: number, die: number): Meaning {
  const face = s[L.looseSpecialDice + die]!;
  const units = facesAt(s, L.loose).length;
  const before = [COMMAND, TACTICS, RATT].filter((d) => d < die && s[L.looseSpecialDice + d]! > 0).length;
  const what =
    die === COMMAND
      ? `the Command die: ${face} CMD`
      : `the ${die === TACTICS ? "Tactics" : "Ratt"} die: ${face}, ${faceName(tables, side, die, face)}`;
  return { text: `Keep ${what}`, die: units + before, warning: areLast(s, 1) ? LAST_DIE : null };
}

function announce(tables: Tables, s: StateView, k: number): Meaning {
  const waste = s[L.night] === 1 ? Math.min(k, tables.nightWaste) : 0;
  const night = waste > 0 ? `; Night wastes ${waste}` : "";
  const warning = waste === k ? "Night wastes all of it." : null;
  return { text: `Pay ${k} CMD for ${counted(k, "air attack")}${night}`, places: [GUMRAK], warning };
}

function airTarget(tables: Tables, s: StateView, area: number): Meaning {
  const shield = area < VOLGA && hasFort(s, area) && s[L.shieldUsed + area] === 0;
  const effect = shield
    ? "the Fortification absorbs it"
    : area < VOLGA && hasFort(s, area)
      ? "a unit or the Fortification"
      : "kills one";
  return { text: `Attack (${effect}) ${areaWith(tables, s, area)}`, places: [area] };
}

/** `done` in words: what is let go by it. */
function doneMeaning(s: StateView): Meaning {
  const side = s[L.actor]!;
  switch (s[L.kind]) {
    case DECISION.reroll:
      return { text: "Leave the Ratt die as it is" };
    case DECISION.fortify:
      return { text: "Build no more Fortifications" };
    case DECISION.announce:
      return {
        text: s[L.paid] === 0 ? "Make no air attack" : "Announce no more air attacks",
        warning: sturmLost(s) ?? lapse(s, side),
      };
    case DECISION.reduce:
      return { text: "Cancel no air attack" };
    case DECISION.air:
      return { text: `Give up ${counted(s[L.attacks]!, "air attack")}`, warning: "The CMD paid for them is lost." };
    case DECISION.cancel:
      return { text: "Let the air attack strike" };
    case DECISION.raze:
      return { text: "Keep the Fortification and lose the unit", places: [s[L.area]! - 1] };
    case DECISION.sturm:
      return { text: "Move no more units by Sturm", warning: "What is left of the Sturm is lost." };
    case DECISION.cross:
      return { text: "Cross the Volga no more", warning: s[L.active] === GERMAN ? lapse(s, side) : null };
    case DECISION.ratzel:
      return { text: "Move no enemy unit by Ratzel", warning: "The Ratzel move is lost." };
    case DECISION.deployOut:
      return { text: "Move no more units out of Z" };
    case DECISION.deployIn:
      return { text: "Bring no more units into Z" };
    case DECISION.artillery:
      return { text: "Leave Artillery as it is", warning: s[L.window] === AT_END ? lapse(s, side) : null };
    case DECISION.fight:
      return { text: "Pay for no combat in Z" };
    case DECISION.pioneer:
      return { text: "Send no Pioneers here" };
    default:
      return { text: "Move no Guards unit", warning: "The Guards' move is lost." };
  }
}

/** Sturm moves only units that were paid for in the air. */
const sturmLost = (s: StateView): string | null =>
  s[L.paid] === 0 && hasRight(s, GERMAN, STURM) ? "Without air attacks no unit may move by Sturm." : null;

/** CMD that a side can't use any more this turn: no right that costs any, and no combat in Z. Rule: PS 6 */
function lapse(s: StateView, side: number): string | null {
  const cmd = cmdOf(s, side);
  const over = s[L.kind] === DECISION.artillery;
  const usable =
    hasRight(s, side, GUARDS) ||
    (!over && hasRight(s, side, ARTILLERY | PIONEERS | STURM)) ||
    (!over && unitsIn(s, SOVIET, Z) > 0 && unitsIn(s, GERMAN, Z) > 0);
  return cmd === 0 || usable ? null : `${cmd} CMD lapse unused.`;
}
