import type { Play } from "../../core/play.js";
import { SIDES, SOVIET } from "../roster.js";
import type { Tables } from "../state.js";
import { say } from "./say.js";
import { hexId, hexText, unitId } from "./words.js";

// Rules call these only when `play.narrator` is set. All of it is public: the dog is face up.

/** A dog is named against a hex; how many counters there are armor is said. */
export function dogRuns(tables: Tables, dog: number, hex: number, armor: number, play: Play): void {
  const there = armor === 0 ? "no counter there is armor" : armor === 1 ? "one is armor" : `${armor} are armor`;
  say(play, "dog-runs", {
    text: `The Soviet mine dog ${unitId(tables, dog)} is sent to ${hexText(tables, hex)}: ${there}.`,
    units: [unitId(tables, dog)],
    places: [hexId(tables, hex)],
    amount: armor,
  });
}

/** The die of a mine dog. */
export function dogAttacks(
  tables: Tables,
  dog: number,
  target: number,
  hex: number,
  die: number,
  hits: boolean,
  play: Play,
): void {
  const [runner, prey] = [unitId(tables, dog), unitId(tables, target)];
  const result = hits ? `${prey} is destroyed` : "no effect";
  say(play, "dog", {
    text: `The Soviet mine dog ${runner} attacks ${prey} in ${hexText(tables, hex)}: die ${die}: ${result}.`,
    outcome: `mine dog against ${prey}: ${result}`,
    dice: [
      {
        by: SIDES[SOVIET],
        purpose: `mine dog against ${prey}`,
        sides: 10,
        faces: [die],
        needed: `${tables.charts.dogUpTo} or less destroys it`,
        result,
      },
    ],
    units: [runner, prey],
    places: [hexId(tables, hex)],
  });
}
