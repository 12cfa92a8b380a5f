import type { State } from "../../core/layout.js";
import * as words from "../layout.js";
import type { Tables } from "../state.js";
import { ICA_RESULTS, RESULTS } from "../charts.js";
import { hexNamed } from "./names.js";
import { type PositionDoc, type RecordDoc, refuse } from "./schema.js";

/** The dice of the action before. Spec 9.4. */
export function readRecords(tables: Tables, doc: PositionDoc, s: State): void {
  doc.resolutions.forEach((r, i) => readRecord(tables, r, s, i));
  s[tables.layout.recordCount] = doc.resolutions.length;
}

function readRecord(tables: Tables, r: RecordDoc, s: State, i: number): void {
  const path = `resolutions[${i}]`;
  const at = tables.layout.records + i * words.RECORD_WORDS;
  const ica = r.kind === "ica";
  const result = (ica ? (ICA_RESULTS as readonly string[]) : (RESULTS as readonly string[])).indexOf(r.result);
  if (result < 0) refuse(`${path}.result`, `the table has no result ${r.result}`);
  s[at + words.R_KIND] = words.ROLLS.indexOf(r.kind);
  s[at + words.R_DIE] = r.die;
  s[at + words.R_MDR] = r.mdr;
  s[at + words.R_RESULT] = result;
  if (ica) {
    s[at + words.R_DRMS] = r.drm;
    return;
  }
  const column = tables.charts.crt.columns.indexOf(r.column ?? "");
  if (column < 0) refuse(`${path}.column`, "the table has no such column");
  if (r.hex === undefined || r.points === undefined) refuse(path, "a roll on the CRT has a hex and points");
  s[at + words.R_HEX] = hexNamed(tables, r.hex, `${path}.hex`) + 1;
  s[at + words.R_POINTS] = r.points;
  s[at + words.R_COLUMN] = column;
  words.DRMS.forEach((name, k) => (s[at + words.R_DRMS + (k >> 3)]! |= ((r.drms?.[name] ?? 0) & 15) << (4 * (k & 7))));
}
