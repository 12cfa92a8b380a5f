import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { Effect, Tables } from "../data.js";
import { areaOfDie, COMMAND, L, RATT, SOVIET, SPECIAL_DICE, TACTICS, activeOf } from "../state.js";
import { areaId, areaText, facesAt, RIGHT_WORDS, SIDE_WORDS, sideId, unitsOf } from "./words.js";
import type { AreaId, SideId } from "../data.js";

/*
 * The events of the first steps of a player turn: reinforcements, dice, and what the dice bring. Rules call these only
 * while there is a narrator.
 */

export function tellPlayerTurn(s: StateView, side: SideId, play: Play): void {
  say(play, "player-turn", {
    by: sideId(side),
    text: `Turn ${s[L.turn]}: the ${SIDE_WORDS[side]} player turn begins.`,
  });
}

export function tellReinforcements(tables: Tables, side: SideId, area: AreaId, came: number, play: Play): void {
  const lost = tables.reinforcements[side]! - came;
  const text = `${SIDE_WORDS[side]} reinforcements: ${unitsOf(came)} to ${areaText(tables, area)}${lost > 0 ? `, ${lost} lost: no room or no reserve` : ""}.`;
  say(play, "reinforcements", { by: sideId(side), text, places: [areaId(area)], amount: came });
}

/** All loose dice have just been thrown: an event for the unit dice and one for each other die. */
export function tellThrow(tables: Tables, s: StateView, side: SideId, play: Play): void {
  tellUnitThrow(tables, s, side, play);
  for (let die = COMMAND; die <= RATT; die++) {
    const face = s[L.looseSpecialDice + die]!;
    if (face > 0) tellSpecialThrow(tables, side, die, face, play);
  }
}

/** The loose unit dice have just been thrown. Outcomes: least number of dice for an area. */
export function tellUnitThrow(tables: Tables, s: StateView, side: SideId, play: Play): void {
  const faces = facesAt(s, L.loose);
  if (faces.length === 0) return;
  const text = `${SIDE_WORDS[side]} unit dice: ${faces.join(" ")}.`;
  const outcome = faces.map((face, i) => {
    const n = i - faces.indexOf(face) + 1;
    const count = n < faces.length ? `${n}+ dice` : n === 1 ? "1 die" : `${n} dice`;
    return `${count} for ${areaText(tables, areaOfDie(side, face))}`;
  });
  const dice = [{ by: sideId(side), purpose: "units", sides: 6, faces, needed: null, result: "thrown" }];
  say(play, "throw", { by: sideId(side), text, outcome, dice });
}

/** One of the other dice has just been thrown. */
export function tellSpecialThrow(tables: Tables, side: SideId, die: number, face: number, play: Play): void {
  const result = die === COMMAND ? `${face} CMD` : faceName(tables, die === TACTICS ? side : SOVIET, die, face);
  const name = dieWord(die);
  say(play, "throw", {
    by: sideId(side),
    text: `${SIDE_WORDS[side]} ${name} die: ${face}, ${result}.`,
    outcome: die === COMMAND ? `Command ${face}` : `${name} ${face}: ${result}`,
    dice: [thrown(side, die, face, result)],
  });
}

/** A side has the Ratt die of the active side, which may be its own, thrown again: the throw counts as the asker's. */
export function tellReroll(tables: Tables, s: StateView, by: SideId, play: Play): void {
  const owner = activeOf(s);
  const face = s[L.keptSpecialDice + RATT]!;
  const result = faceName(tables, SOVIET, RATT, face);
  const whose = owner === by ? "its own" : `the ${SIDE_WORDS[owner]}`;
  const text = `The ${SIDE_WORDS[by]} side has ${whose} Ratt die thrown again: ${face}, ${result}.`;
  say(play, "reroll", {
    by: sideId(by),
    text,
    outcome: `Ratt ${face}: ${result}`,
    dice: [thrown(by, RATT, face, result)],
  });
}

const thrown = (by: SideId, die: number, face: number, result: string) => ({
  by: sideId(by),
  purpose: SPECIAL_DICE[die]!,
  sides: 6,
  faces: [face],
  needed: null,
  result,
});

const dieWord = (die: number): string => ["Command", "Tactics", "Ratt"][die]!;

/** What a face of the Tactics or Ratt die means, in the words of its table. */
export const faceName = (tables: Tables, side: SideId, die: number, face: number): string =>
  die === RATT ? tables.rattNames[face - 1]! : tables.tacticsNames[side]![face - 1]!;

export function tellKeepUnits(side: SideId, face: number, n: number, play: Play): void {
  say(play, "keep", {
    by: sideId(side),
    text: `The ${SIDE_WORDS[side]} side keeps ${counted(n, "unit die").replace("dies", "dice")} of number ${face}.`,
  });
}

export function tellKeepSpecial(side: SideId, die: number, face: number, play: Play): void {
  say(play, "keep", { by: sideId(side), text: `The ${SIDE_WORDS[side]} side keeps its ${dieWord(die)} die, ${face}.` });
}

/** Unit dice of one number: `came` units arrive in `area`, the other dice were wasted. */
export function tellUnitDice(
  tables: Tables,
  side: SideId,
  face: number,
  area: AreaId,
  came: number,
  dice: number,
  play: Play,
): void {
  const wasted = dice - came;
  const loss = wasted === 0 ? "" : `${came > 0 ? ", " : ""}${counted(wasted, "die").replace("dies", "dice")} wasted`;
  const units = came > 0 ? `${unitsOf(came)} to ${areaText(tables, area)}` : "";
  say(play, "unit-dice", {
    by: sideId(side),
    text: `${SIDE_WORDS[side]} ${face}s: ${units}${loss}.`,
    places: [areaId(area)],
    amount: came,
  });
}

export function tellCommand(side: SideId, cmd: number, bonus: number, play: Play): void {
  const more = bonus > 0 ? `, ${bonus} of it for Mamayev Kurgan` : "";
  say(play, "command-die", {
    rule: `PS ${bonus > 0 ? "Area 3" : "3 Command"}`,
    by: sideId(side),
    text: `The ${SIDE_WORDS[side]} side has ${cmd} CMD${more}.`,
    amount: cmd,
  });
}

export function tellRatt(tables: Tables, side: SideId, face: number, play: Play): void {
  const name = face === 5 ? "nothing happens" : tables.rattNames[face - 1]!;
  say(play, "ratt-die", { rule: `PS ${`3 Ratt ${face}`}`, by: sideId(side), text: `Ratt die ${face}: ${name}.` });
}

export function tellTactics(tables: Tables, side: SideId, face: number, play: Play): void {
  const name = tables.tacticsNames[side]![face - 1]!;
  say(play, "tactics-die", {
    rule: `PS ${tacticsRule(side, face)}`,
    by: sideId(side),
    text: `${SIDE_WORDS[side]} Tactics die ${face}: ${name}.`,
  });
}

const tacticsRule = (side: SideId, face: number): string => `3 ${SIDE_WORDS[side]} ${face}`;

/** The rule behind an effect: that of the die's face. */
export const faceRule = (s: StateView, side: SideId, tactics: boolean): string =>
  tactics ? tacticsRule(side, s[L.keptSpecialDice + TACTICS]!) : `3 Ratt ${s[L.keptSpecialDice + RATT]}`;

export function tellCmd(s: StateView, side: SideId, change: number, rule: string, play: Play): void {
  const text =
    change === 0
      ? `The ${SIDE_WORDS[side]} side has no CMD to lose.`
      : `The ${SIDE_WORDS[side]} side ${change > 0 ? "gains" : "loses"} ${Math.abs(change)} CMD and has ${s[L.cmd + side]}.`;
  say(play, "cmd", { rule: `PS ${rule}`, by: sideId(side), text, amount: change });
}

/** Option `breach=after-deploy`. Ruling R22 */
export function tellBreachDue(side: SideId, play: Play): void {
  say(play, "cmd", {
    rule: "PS 3 Ratt 2",
    by: sideId(side),
    text: `The ${SIDE_WORDS[side]} side loses a CMD when its Deploy is over.`,
  });
}

export function tellRight(
  s: StateView,
  side: SideId,
  right: (Effect & { op: "grant" })["right"],
  tactics: boolean,
  play: Play,
): void {
  const rule = faceRule(s, side, tactics);
  say(play, "right", {
    rule: `PS ${rule}`,
    by: sideId(side),
    text: `The ${SIDE_WORDS[side]} side may use ${RIGHT_WORDS[right]} this turn.`,
  });
}

export function tellRatzel(side: SideId, play: Play): void {
  const text = "Each side may move one enemy unit by Ratzel in this infiltration phase.";
  say(play, "ratzel", { by: sideId(side), text });
}

export function tellSniper(tables: Tables, side: SideId, area: AreaId, play: Play): void {
  say(play, "sniper", {
    by: sideId(side),
    text: `The Sniper kills a ${SIDE_WORDS[side]} unit in ${areaText(tables, area)}.`,
    outcome: `${SIDE_WORDS[side]} loses 1 in ${areaId(area)}`,
    places: [areaId(area)],
    amount: 1,
  });
}

export function tellSniperMissed(side: SideId, play: Play): void {
  say(play, "sniper", {
    by: sideId(side),
    text: `No ${SIDE_WORDS[side]} unit is on the map for the Sniper to kill.`,
    amount: 0,
  });
}

export function tellDamage(tables: Tables, area: AreaId, max: number, removed: number, play: Play): void {
  const over = removed > 0 ? `; ${unitsOf(removed)} above it to the reserve` : "";
  say(play, "damage", {
    text: `${areaText(tables, area)} now holds at most ${max}${over}.`,
    places: [areaId(area)],
    amount: removed,
  });
}

/** @param source what brings the unit: a face of one of the dice, or the Guards' Deploy */
export function tellUnitZ(
  s: StateView,
  side: SideId,
  came: boolean,
  source: "ratt" | "tactics" | "guards",
  play: Play,
): void {
  const what = source === "guards" ? "Guards unit" : "unit";
  const text = came
    ? `A ${SIDE_WORDS[side]} ${what} comes to Z.`
    : `The ${SIDE_WORDS[side]} ${what} for Z is lost: Z is full or the reserve is empty.`;
  const rule = source === "guards" ? "Guards" : faceRule(s, side, source === "tactics");
  say(play, "unit-z", { rule: `PS ${rule}`, by: sideId(side), text, places: ["Z"], amount: came ? 1 : 0 });
}

export function tellNight(s: StateView, play: Play): void {
  say(play, "night", { text: s[L.night] === 1 ? "Night is already there." : "Night falls until the turn ends." });
}

export function tellFortification(tables: Tables, s: StateView, area: AreaId, play: Play): void {
  const text = `A Fortification is built in ${areaText(tables, area)} for ${tables.costs.fortify} CMD; ${s[L.cmd]} left.`;
  say(play, "fortification", { text, places: [areaId(area)] });
}
