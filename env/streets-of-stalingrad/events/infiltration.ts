import type { Play } from "../../core/play.js";
import type { Tables } from "../state.js";
import { say } from "./say.js";
import { hexId, hexText, unitId, faceText } from "./words.js";

export { roll } from "./combat.js";

// Rules call these only when `play.narrator` is set. All of it is public: who infiltrates is face up.

/** A hex is named; how many combat units it has is said. */
export function counts(tables: Tables, hex: number, n: number, play: Play): void {
  const there =
    n === 0 ? "no counter there is a combat unit" : n === 1 ? "one is a combat unit" : `${n} are combat units`;
  say(play, "infiltration-target", {
    text: `Soviet infiltration against ${hexText(tables, hex)}: ${there}.`,
    places: [hexId(tables, hex)],
    amount: n,
  });
}

export function infiltrates(
  tables: Tables,
  partner: number,
  herman: number,
  target: number,
  start: number,
  from: number,
  hex: number,
  play: Play,
): void {
  const way = start === from ? "" : ` by way of ${hexId(tables, from)}`;
  say(play, "infiltrates", {
    rule: "SOS 13.2",
    text: `Soviet ${unitId(tables, partner)} and ${unitId(tables, herman)} infiltrate from ${hexId(tables, start)}${way} and attack ${unitId(tables, target)} (${faceText(tables, target)}) in ${hexText(tables, hex)}.`,
    units: [unitId(tables, partner), unitId(tables, herman), unitId(tables, target)],
    places: [hexId(tables, start), ...(start === from ? [] : [hexId(tables, from)]), hexId(tables, hex)],
  });
}

export function comesBack(tables: Tables, partner: number, herman: number, from: number, to: number, play: Play): void {
  say(play, "infiltrates", {
    rule: "SOS 13.8",
    text: `Soviet ${unitId(tables, partner)} and ${unitId(tables, herman)} go back from ${hexId(tables, from)} to ${hexId(tables, to)}.`,
    units: [unitId(tables, partner), unitId(tables, herman)],
    places: [hexId(tables, from), hexId(tables, to)],
  });
}
