import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, listed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import { RESULTS } from "../charts.js";
import * as words from "../layout.js";
import { SIDES, SOVIET } from "../roster.js";
import { boxAt, type Tables } from "../state.js";
import { crtChart, flakWords, hexId, unitId } from "./words.js";

// Rules call these only when `play.narrator` is set. All of it is public.

/** The die of anti-aircraft fire. */
export function flak(tables: Tables, s: StateView, units: readonly number[], play: Play): void {
  const { records, recordCount } = tables.layout;
  const word = (i: number) => s[records + (s[recordCount]! - 1) * words.RECORD_WORDS + i]!;
  const hex = hexId(tables, word(words.R_HEX) - 1);
  const column = tables.charts.crt.columns[word(words.R_COLUMN)]!;
  const effect = flakWords(word(words.R_RESULT));
  const ids = units.map((u) => unitId(tables, u));
  const own = boxAt(tables, word(words.R_HEX) - 1) >= 0 ? ["the guns of the box"] : [];
  say(play, "flak", {
    text: `Anti-aircraft fire over ${hex} by ${listed([...ids, ...own], "nobody")}: ${counted(word(words.R_POINTS), "point")}, column ${column}, die ${word(words.R_DIE)}: ${RESULTS[word(words.R_RESULT)]!}, ${effect}.`,
    outcome: `anti-aircraft fire over ${hex}: ${effect}`,
    dice: [
      {
        by: SIDES[SOVIET],
        purpose: `anti-aircraft fire over ${hex}, column ${column}`,
        sides: 10,
        faces: [word(words.R_DIE)],
        needed: crtChart(tables, word(words.R_COLUMN), 0, flakWords),
        result: effect,
      },
    ],
    units: ids,
    places: [hex],
    amount: word(words.R_POINTS),
  });
}

/** Stukas fly against a hex. */
export function stukas(tables: Tables, n: number, hex: number, play: Play): void {
  say(play, "stukas", {
    text: `${counted(n, "Stuka")} ${n === 1 ? "flies" : "fly"} against ${hexId(tables, hex)}, ${counted(n * tables.stukaAf, "point")}.`,
    places: [hexId(tables, hex)],
    amount: n,
  });
}
