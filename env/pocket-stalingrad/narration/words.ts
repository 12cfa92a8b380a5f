import type { Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { type AreaId, GUMRAK, type SideId, type Tables, VOLGA, Z } from "../data.js";
import { faceName } from "../events/dice.js";
import { areaId, areaText, facesAt, forces, unitsOf } from "../events/words.js";
import { counted } from "../../core/words.js";
import {
  areaOf,
  areaOfDie,
  ARTILLERY,
  cmdOf,
  COMMAND,
  GERMAN,
  GUARDS,
  hasFort,
  hasRight,
  isCaptured,
  L,
  PIONEERS,
  RATT,
  reserveOf,
  room,
  SOVIET,
  STURM,
  TACTICS,
  unitsIn,
} from "../state.js";

/** The CMD that a side has, in a question. */
export const cmdText = (s: StateView, side: SideId): string => `${cmdOf(s, side)} CMD`;

export const diceText = (n: number, what: string): string => counted(n, what).replace("dies", "dice");

/** An area and the units in it. */
export const areaWith = (tables: Tables, s: StateView, area: AreaId): string =>
  `${areaText(tables, area)}: ${forces(s, area)}`;

/** The area of the decision. */
export const areaHere = (tables: Tables, s: StateView): string => areaText(tables, areaOf(s));
export const aboutArea = (_tables: Tables, s: StateView): { places: string[] } => ({
  places: s[L.area] === 0 ? [] : [areaId(areaOf(s))],
});

/** A move of a unit, and what it costs. */
export const movesTo = (tables: Tables, s: StateView, text: string, from: AreaId, to: AreaId): Meaning => ({
  text: `${text} to ${areaWith(tables, s, to)}`,
  places: [areaId(from), areaId(to)],
});

export const priceOf = (cmd: number): string => (cmd === 0 ? "" : ` (${cmd} CMD)`);

/** How many dice are loose. */
export const looseDice = (s: StateView): number =>
  facesAt(s, L.loose).length + [0, 1, 2].filter((d) => s[L.looseSpecialDice + d]! > 0).length;

const LAST_DIE = "This is the last die: the dice are resolved at once.";

export function keepUnitsMeaning(tables: Tables, s: StateView, side: SideId, face: number): Meaning {
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
    ...(wasted > 0 ? [`${diceText(wasted, "die")} would be wasted: ${why}.`] : []),
    ...(looseDice(s) === n ? [LAST_DIE] : []),
  ];
  const areaName = areaWith(tables, s, area);
  const dice = n === 1 ? `the ${face}` : n === 2 ? `both ${face}s` : `all ${n} ${face}s`;
  return {
    text:
      usable === 0
        ? `Keep ${dice}, for nothing: ${why} (${areaName})`
        : `Keep ${dice}, ${unitsOf(usable)} for ${areaName}`,
    places: [areaId(area)],
    die: facesAt(s, L.loose).indexOf(face),
    warning: warnings.length > 0 ? warnings.join(" ") : null,
  };
}

export function keepSpecialMeaning(tables: Tables, s: StateView, side: SideId, die: number): Meaning {
  const face = s[L.looseSpecialDice + die]!;
  const units = facesAt(s, L.loose).length;
  const before = [COMMAND, TACTICS, RATT].filter((d) => d < die && s[L.looseSpecialDice + d]! > 0).length;
  const what =
    die === COMMAND
      ? `the Command die: ${face} CMD`
      : `the ${die === TACTICS ? "Tactics" : "Ratt"} die: ${face}, ${faceName(tables, side, die, face)}`;
  return { text: `Keep ${what}`, die: units + before, warning: looseDice(s) === 1 ? LAST_DIE : null };
}

export function announceMeaning(tables: Tables, s: StateView, k: number): Meaning {
  const waste = s[L.night] === 1 ? Math.min(k, tables.nightWaste) : 0;
  const night = waste > 0 ? `; Night wastes ${waste}` : "";
  const warning = waste === k ? "Night wastes all of it." : null;
  return { text: `Pay ${k} CMD for ${counted(k, "air attack")}${night}`, places: [areaId(GUMRAK)], warning };
}

export function airMeaning(tables: Tables, s: StateView, area: AreaId): Meaning {
  const shield = area < VOLGA && hasFort(s, area) && s[L.shieldUsed + area] === 0;
  const effect = shield
    ? "the Fortification absorbs it"
    : area < VOLGA && hasFort(s, area)
      ? "a unit or the Fortification"
      : "kills one";
  return { text: `Attack (${effect}) ${areaWith(tables, s, area)}`, places: [areaId(area)] };
}

/** Sturm moves only units that were paid for in the air. */
export const sturmLost = (s: StateView): string | null =>
  s[L.paid] === 0 && hasRight(s, GERMAN, STURM) ? "Without air attacks no unit may move by Sturm." : null;

/**
 * CMD that a side can't use any more this turn: no right that costs any, and no combat in Z. Rule: PS 6
 *
 * @param over combat is over, too
 */
export function lapse(s: StateView, side: SideId, over = false): string | null {
  const usable =
    hasRight(s, side, GUARDS) ||
    (!over && hasRight(s, side, ARTILLERY | PIONEERS | STURM)) ||
    (!over && unitsIn(s, SOVIET, Z) > 0 && unitsIn(s, GERMAN, Z) > 0);
  return cmdOf(s, side) === 0 || usable ? null : `${cmdText(s, side)} lapse unused.`;
}
