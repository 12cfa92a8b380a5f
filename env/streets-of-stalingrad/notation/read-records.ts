import type { State } from "../../core/layout.js";
import * as words from "../layout.js";
import type { Tables } from "../state.js";
import { FATES, ICA_RESULTS, RESULTS } from "../charts.js";
import { refuse, targetNamed } from "../names.js";
import type { PositionDoc, RecordDoc } from "./schema.js";

/** The dice of the action before. Spec 9.4. */
export function readRecords(tables: Tables, doc: PositionDoc, s: State): void {
  doc.resolutions.forEach((r, i) => readRecord(tables, r, s, i));
  s[tables.layout.recordCount] = doc.resolutions.length;
}

/** Half a die, and ten times the greatest number by which an ammunition die is multiplied. */
const MOST_TURNS = 5;
const MOST_SHORT = 500;
const MOST_STUKAS = 31;

/** Results of dice that give no number. */
export const WORDS: Readonly<Record<string, readonly string[] | undefined>> = {
  nkvd: words.HOLDS,
  tank: words.STAYS_ON,
  weather: words.WEATHERS,
  breakdown: words.RUNS_ON,
  dog: words.HITS,
};

function readRecord(tables: Tables, r: RecordDoc, s: State, i: number): void {
  const path = `resolutions[${i}]`;
  const at = tables.layout.records + i * words.RECORD_WORDS;
  s[at + words.R_KIND] = words.ROLLS.indexOf(r.kind);
  s[at + words.R_DIE] = r.die;
  if (r.kind === "wound") return;
  if (r.kind === "flotilla" || r.kind === "ammo" || r.kind === "stukas") {
    const most = r.kind === "ammo" ? MOST_SHORT : r.kind === "stukas" ? MOST_STUKAS : MOST_TURNS;
    if (typeof r.result !== "number" || r.result > most) refuse(`${path}.result`, `it is a number from 1 to ${most}`);
    s[at + words.R_RESULT] = r.result;
    return;
  }
  if (typeof r.result === "number") refuse(`${path}.result`, "it is a word");
  const results = WORDS[r.kind];
  if (results !== undefined) {
    s[at + words.R_RESULT] = results.indexOf(r.result ?? "");
    if (s[at + words.R_RESULT]! < 0) refuse(`${path}.result`, `it is ${results.join(" or ")}`);
    return;
  }
  if (r.result === undefined || r.drm === undefined || r.mdr === undefined) refuse(path, "the die has a result");
  if (r.kind === "eastbank") return readBoxRecord(tables, r, r.result, s, at, path);
  const ica = r.kind === "ica";
  const names: readonly string[] = ica ? ICA_RESULTS : r.kind === "leader" ? FATES : RESULTS;
  const result = names.indexOf(r.result);
  if (result < 0) refuse(`${path}.result`, `the table has no result ${r.result}`);
  s[at + words.R_MDR] = r.mdr;
  s[at + words.R_RESULT] = result;
  if (ica || r.kind === "leader") {
    s[at + words.R_DRMS] = r.drm;
    return;
  }
  const { crt, wbbt } = tables.charts;
  const column = (r.table === "WBBT" ? wbbt : crt).columns.indexOf(r.column ?? "");
  if (column < 0) refuse(`${path}.column`, "the table has no such column");
  if (r.hex === undefined || r.points === undefined) refuse(path, "a roll on the CRT has a hex and points");
  s[at + words.R_HEX] = targetNamed(tables, r.hex, `${path}.hex`) + 1;
  s[at + words.R_POINTS] = r.points;
  s[at + words.R_COLUMN] = r.table === "WBBT" ? column + words.WBBT_COLUMN : column;
  readDrms(r, s, at);
}

function readDrms(r: RecordDoc, s: State, at: number): void {
  words.DRMS.forEach((name, k) => (s[at + words.R_DRMS + (k >> 3)]! |= ((r.drms?.[name] ?? 0) & 15) << (4 * (k & 7))));
}

/** A die for a box: its result is `P4 DE1`, one of the two, or `-`. */
function readBoxRecord(tables: Tables, r: RecordDoc, result: string, s: State, at: number, path: string): void {
  const found = /^(?:-|(?:P(\d+))? ?(?:DE(\d+))?)$/.exec(result);
  const [pinned, lost] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
  const column = tables.charts.ebbt.columns.indexOf(r.column ?? "");
  if (found === null || pinned > 15 || lost > 15) refuse(`${path}.result`, "it is P4 DE1, one of the two, or -");
  if (column < 0) refuse(`${path}.column`, "the table has no such column");
  s[at + words.R_POINTS] = r.points ?? 0;
  s[at + words.R_COLUMN] = column;
  s[at + words.R_MDR] = r.mdr ?? 0;
  s[at + words.R_RESULT] = words.eastResult(pinned, lost);
  readDrms(r, s, at);
}
