import type { Play } from "../../core/play.js";
import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { GameEvent } from "../../core/narration.js";
import type { Effect, Tables } from "../data.js";
import { areaOfDie, COMMAND, L, RATT, SOVIET, SPECIAL_DICE, TACTICS, activeOf } from "../state.js";
import { areaId, areaText, facesAt, RIGHT_WORDS, SIDE_WORDS, sideId, unitsOf } from "./words.js";
import type { AreaId, SideId } from "../data.js";

/*
 * What the first steps of a player turn tell: reinforcements, dice, and what the dice bring. Rules call these only while
 * somebody listens (`tables.narrator`).
 */

/** Tells one event, as everybody knows everything in this game. */
export function tell(
  tables: Tables,
  what: string,
  rule: string,
  side: SideId | null,
  text: string,
  play: Play, more: Partial<GameEvent> = {},
): void {
  play.narrator!.tell({ what, rule: `PS ${rule}`, by: side === null ? null : sideId(side), text, ...more });
}

export function tellPlayerTurn(tables: Tables, s: StateView, side: SideId, play: Play): void {
  tell(tables, "player-turn", "Turn sequence", side, `Turn ${s[L.turn]}: the ${SIDE_WORDS[side]} player turn begins.`, play);
}

export function tellReinforcements(tables: Tables, side: SideId, area: AreaId, came: number, play: Play): void {
  const lost = tables.reinforcements[side]! - came;
  const text = `${SIDE_WORDS[side]} reinforcements: ${unitsOf(came)} to ${areaText(tables, area)}${lost > 0 ? `, ${lost} lost for want of room or reserve` : ""}.`;
  tell(tables, "reinforcements", "1", side, text, play, { places: [areaId(area)], amount: came });
}

/** All loose dice have just been thrown: an event for the unit dice and one for each other die. */
export function tellThrow(tables: Tables, s: StateView, side: SideId, play: Play): void {
  tellUnitThrow(tables, s, side, play);
  for (let die = COMMAND; die <= RATT; die++) {
    const face = s[L.looseSpecialDice + die]!;
    if (face > 0) tellSpecialThrow(tables, side, die, face, play);
  }
}

/** The loose unit dice have just been thrown. Outcomes: at least so many dice for an area. */
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
  tell(tables, "throw", "2", side, text, play, { outcome, dice });
}

/** One of the other dice has just been thrown. */
export function tellSpecialThrow(tables: Tables, side: SideId, die: number, face: number, play: Play): void {
  const result = die === COMMAND ? `${face} CMD` : faceName(tables, die === TACTICS ? side : SOVIET, die, face);
  const name = dieWord(die);
  tell(tables, "throw", "2", side, `${SIDE_WORDS[side]} ${name} die: ${face}, ${result}.`, play, {
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
  tell(tables, "reroll", "Area 2", by, text, play, {
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

export function tellKeepUnits(tables: Tables, side: SideId, face: number, n: number, play: Play): void {
  tell(
    tables,
    "keep",
    "2",
    side,
    `The ${SIDE_WORDS[side]} side keeps ${counted(n, "unit die").replace("dies", "dice")} of number ${face}.`, play,
  );
}

export function tellKeepSpecial(tables: Tables, side: SideId, die: number, face: number, play: Play): void {
  tell(tables, "keep", "2", side, `The ${SIDE_WORDS[side]} side keeps its ${dieWord(die)} die, ${face}.`, play);
}

/** Unit dice of one number: `came` units stand in `area` now, the other dice were wasted. */
export function tellUnitDice(
  tables: Tables,
  side: SideId,
  face: number,
  area: AreaId,
  came: number,
  dice: number, play: Play,
): void {
  const wasted = dice - came;
  const loss = wasted === 0 ? "" : `${came > 0 ? ", " : ""}${counted(wasted, "die").replace("dies", "dice")} wasted`;
  const units = came > 0 ? `${unitsOf(came)} to ${areaText(tables, area)}` : "";
  tell(tables, "unit-dice", "3 Unit dice", side, `${SIDE_WORDS[side]} ${face}s: ${units}${loss}.`, play, {
    places: [areaId(area)],
    amount: came,
  });
}

export function tellCommand(tables: Tables, side: SideId, cmd: number, bonus: number, play: Play): void {
  const more = bonus > 0 ? `, ${bonus} of it for Mamayev Kurgan` : "";
  tell(
    tables,
    "command-die",
    bonus > 0 ? "Area 3" : "3 Command",
    side,
    `The ${SIDE_WORDS[side]} side has ${cmd} CMD${more}.`,
    play, {
      amount: cmd,
    },
  );
}

export function tellRatt(tables: Tables, side: SideId, face: number, play: Play): void {
  const name = face === 5 ? "nothing happens" : tables.rattNames[face - 1]!;
  tell(tables, "ratt-die", `3 Ratt ${face}`, side, `Ratt die ${face}: ${name}.`, play);
}

export function tellTactics(tables: Tables, side: SideId, face: number, play: Play): void {
  const name = tables.tacticsNames[side]![face - 1]!;
  tell(tables, "tactics-die", tacticsRule(side, face), side, `${SIDE_WORDS[side]} Tactics die ${face}: ${name}.`, play);
}

const tacticsRule = (side: SideId, face: number): string => `3 ${SIDE_WORDS[side]} ${face}`;

/** The rule behind an effect: that of the die's face. */
export const faceRule = (s: StateView, side: SideId, tactics: boolean): string =>
  tactics ? tacticsRule(side, s[L.keptSpecialDice + TACTICS]!) : `3 Ratt ${s[L.keptSpecialDice + RATT]}`;

export function tellCmd(tables: Tables, s: StateView, side: SideId, change: number, rule: string, play: Play): void {
  const text =
    change === 0
      ? `The ${SIDE_WORDS[side]} side has no CMD to lose.`
      : `The ${SIDE_WORDS[side]} side ${change > 0 ? "gains" : "loses"} ${Math.abs(change)} CMD and has ${s[L.cmd + side]}.`;
  tell(tables, "cmd", rule, side, text, play, { amount: change });
}

/** Option `breach=after-deploy`. Ruling R22 */
export function tellBreachDue(tables: Tables, side: SideId, play: Play): void {
  tell(tables, "cmd", "3 Ratt 2", side, `The ${SIDE_WORDS[side]} side loses a CMD when its Deploy is over.`, play);
}

export function tellRight(
  tables: Tables,
  s: StateView,
  side: SideId,
  right: (Effect & { op: "grant" })["right"],
  tactics: boolean, play: Play,
): void {
  const rule = faceRule(s, side, tactics);
  tell(tables, "right", rule, side, `The ${SIDE_WORDS[side]} side may use ${RIGHT_WORDS[right]} this turn.`, play);
}

export function tellRatzel(tables: Tables, side: SideId, play: Play): void {
  const text = "Each side may move one enemy unit by Ratzel in this infiltration phase.";
  tell(tables, "ratzel", "3 Ratt 3", side, text, play);
}

export function tellSniper(tables: Tables, side: SideId, area: AreaId, play: Play): void {
  tell(
    tables,
    "sniper",
    "3 Ratt 1",
    side,
    `The Sniper kills a ${SIDE_WORDS[side]} unit in ${areaText(tables, area)}.`,
    play, {
      outcome: `${SIDE_WORDS[side]} loses 1 in ${areaId(area)}`,
      places: [areaId(area)],
      amount: 1,
    },
  );
}

export function tellSniperMissed(tables: Tables, side: SideId, play: Play): void {
  tell(tables, "sniper", "3 Ratt 1", side, `No ${SIDE_WORDS[side]} unit is on the map for the Sniper to kill.`, play, {
    amount: 0,
  });
}

export function tellDamage(tables: Tables, area: AreaId, max: number, removed: number, play: Play): void {
  const over = removed > 0 ? `; ${unitsOf(removed)} above it to the reserve` : "";
  tell(tables, "damage", "3 Ratt 4", null, `${areaText(tables, area)} now holds at most ${max}${over}.`, play, {
    places: [areaId(area)],
    amount: removed,
  });
}

/** @param source what brings the unit: a face of one of the dice, or the Guards' Deploy */
export function tellUnitZ(
  tables: Tables,
  s: StateView,
  side: SideId,
  came: boolean,
  source: "ratt" | "tactics" | "guards", play: Play,
): void {
  const what = source === "guards" ? "Guards unit" : "unit";
  const text = came
    ? `A ${SIDE_WORDS[side]} ${what} comes to Z.`
    : `The ${SIDE_WORDS[side]} ${what} for Z is lost: Z is full or the reserve is empty.`;
  const rule = source === "guards" ? "Guards" : faceRule(s, side, source === "tactics");
  tell(tables, "unit-z", rule, side, text, play, { places: ["Z"], amount: came ? 1 : 0 });
}

export function tellNight(tables: Tables, s: StateView, play: Play): void {
  tell(
    tables,
    "night",
    "Night",
    SOVIET,
    s[L.night] === 1 ? "Night is already there." : "Night falls until the turn ends.", play,
  );
}

export function tellFortification(tables: Tables, s: StateView, area: AreaId, play: Play): void {
  const text = `A Fortification is built in ${areaText(tables, area)} for ${tables.costs.fortify} CMD; ${s[L.cmd]} left.`;
  tell(tables, "fortification", "Fortify", SOVIET, text, play, { places: [areaId(area)] });
}
