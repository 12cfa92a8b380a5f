import { counted, listed, signed } from "../../core/words.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import * as words from "../layout.js";
import { featureNames, placeId } from "../names.js";
import { KINDS } from "../schema.js";
import type { Tables } from "../state.js";
import { firstIn, has, nextIn, placeOf } from "../state.js";
import { LOSSES } from "../charts.js";

/** Sides as sentences name them, by player index. */
export const SIDE_WORDS = ["German", "Soviet"] as const;

/** What a result does, by its code. `P` spends instead of pinning in built-up hexes. Rule: SOS 9.81, SOS 9.84 */
const RESULT_WORDS = ["no effect", "pinned", "1 loss", "1 loss, pinned", "2 losses", "3 losses", "all lost"] as const;
export const ICA_WORDS = [
  "the counter-attackers lose a unit",
  "the occupants lose a unit",
  "the occupants lose a unit and retreat two hexes",
] as const;
const DRM_WORDS = [
  "terrain",
  "out of supply",
  "fort",
  "assault advantage",
  "pinned or spent",
  "from the Volga",
  "armor as target",
  "combined arms",
  "engineers",
  "Luftwaffe observer",
  "sniper",
  "armor of one regiment",
  "spotting",
  "artillery support",
  "leader spots",
  "own hex",
  "NKVD",
  "leader",
  "enemy leader",
  "leader in the target",
  "leader beside",
  "battalion together",
  "battalions mixed",
  "regiment together",
  "regiments mixed",
  "divisions mixed there",
  "divisions mixed",
  "target on the Volga",
  "date",
  "Luftwaffe observer on the hill",
  "on a minefield",
  "target on a minefield",
] as const;

/** `Turn 2 of 3`; `Turn 61 (2 of 8)` of a scenario that begins later than the campaign. */
export function turnText({ firstTurn, layout }: Tables, s: StateView): string {
  const [turn, last] = [s[layout.turn]!, s[layout.lastTurn]!];
  return firstTurn === 1
    ? `Turn ${turn} of ${last}`
    : `Turn ${turn} (${turn - firstTurn + 1} of ${last - firstTurn + 1})`;
}

export const resultWords = (tables: Tables, result: number, hex: number): string =>
  tables.board.pinSpends[hex] === 1 ? RESULT_WORDS[result]!.replace("pinned", "spent") : RESULT_WORDS[result]!;

/** Units and Stukas: `g1, g2 and 1 Stuka`. */
export const withStukas = (names: readonly string[], stukas: number): string =>
  listed(stukas === 0 ? names : [...names, counted(stukas, "Stuka")], "nobody");

/** The id of a hex or box. */
export const hexId = placeId;

/** `0312 (city, 1 point)` */
export function hexText(tables: Tables, hex: number): string {
  const { board, points } = tables;
  if (words.isBox(hex) || hex >= board.size) return `box ${placeId(tables, hex)}`;
  const worth = points[hex] === 0 ? "" : `, ${counted(points[hex]!, "point")}`;
  const ground = [board.terrainOf(hex), ...featureNames(board, hex)].join(", ");
  return `${hexId(tables, hex)} (${ground}${worth})`;
}

export const unitId = (tables: Tables, unit: number): string => tables.roster.counters[unit]!.id;

/** `infantry 5-4-8`: attack, defence, movement as printed. */
export const faceText = ({ roster }: Tables, unit: number): string =>
  `${roster.kind[unit] === undefined ? "" : KINDS[roster.kind[unit]!]!} ${roster.af[unit]!}-${roster.df[unit]!}-${roster.mp[unit]!}`;

/** `g1 (infantry 5-4-8, pinned)` */
export function unitText(tables: Tables, s: StateView, unit: number): string {
  const states = has(tables, s, unit, words.PINNED) ? ", pinned" : has(tables, s, unit, words.SPENT) ? ", spent" : "";
  return `${unitId(tables, unit)} (${faceText(tables, unit)}${states})`;
}

/** True when a viewer may know which unit this counter is. Lost units are face up. */
export const knows = (tables: Tables, s: StateView, unit: number, viewer: Viewer): boolean =>
  viewer === EVERYTHING ||
  tables.roster.side[unit] === viewer ||
  has(tables, s, unit, words.KNOWN) ||
  placeOf(tables, s, unit) === words.DEAD;

export const knownIds = (tables: Tables, s: StateView, units: readonly number[], viewer: Viewer): string[] =>
  units.filter((u) => knows(tables, s, u, viewer)).map((u) => unitId(tables, u));

/** A back as a player reads it: a formation's flag, or the star or cross of independents with its number. */
export const backText = (tag: string): string => tag.replace(/^(star|cross)(?=\d)/, "$1 no. ");

/** Units as a viewer knows them: ids, then how many of each back. The order reveals no identity. */
export function namesFor(tables: Tables, s: StateView, units: readonly number[], viewer: Viewer): string {
  const backs = new Map<string, number>();
  for (const u of units) {
    if (knows(tables, s, u, viewer)) continue;
    const back = tables.roster.counters[u]!.tag;
    backs.set(back, (backs.get(back) ?? 0) + 1);
  }
  const unseen = [...backs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([back, n]) => `${n === 1 ? "face-down counter" : `${n} face-down counters`} (${backText(back)})`);
  return listed([...knownIds(tables, s, units, viewer), ...unseen], "nobody");
}

/** All units with one of these flags, in slot order. */
export function unitsWith(tables: Tables, s: StateView, bits: number): number[] {
  const list: number[] = [];
  for (let u = 0; u < tables.units; u++) if (has(tables, s, u, bits)) list.push(u);
  return list;
}

/** Units of a side in a hex. */
export function unitsIn(tables: Tables, s: StateView, side: number, hex: number): number[] {
  const list: number[] = [];
  for (let u = firstIn(tables, s, hex); u >= 0; u = nextIn(tables, s, u))
    if (tables.roster.side[u] === side) list.push(u);
  return list;
}

/** Modifiers made up in `tables.drms`, by name: `terrain +1, assault advantage -1`; `no modifier`. */
export function drmText(drms: ArrayLike<number>): string {
  const parts = DRM_WORDS.flatMap((name, i) => (drms[i] === 0 ? [] : [`${name} ${signed(drms[i]!)}`]));
  return parts.length === 0 ? "no modifier" : parts.join(", ");
}

/** What a result does to units, but for those in built-up hexes. */
const onGround = (result: number): string => RESULT_WORDS[result]!;

/** What a result of anti-aircraft fire does, by its code. */
export function flakWords(result: number): string {
  const lost = LOSSES[result]!;
  if (lost === 0) return RESULT_WORDS[0];
  if (lost > 3) return "all Stukas turn back";
  return lost === 1 ? "1 Stuka turns back" : `${counted(lost, "Stuka")} turn back`;
}

/**
 * Which faces give which result on the combat results table: `1: 1 loss, pinned; 2-4: pinned`.
 *
 * @param says what a result does, by its code
 */
export function crtChart({ charts }: Tables, column: number, drm: number, says = onGround): string {
  const result = (die: number): number =>
    column < words.WBBT_COLUMN
      ? charts.result(column, die + drm)
      : charts.result(column - words.WBBT_COLUMN, die + drm, charts.wbbt);
  return chart((die) => says(result(die)));
}

/** Name of a column of a record; those of the bombardment table come behind those of the other. */
export const columnName = ({ charts }: Tables, column: number): string =>
  (charts.crt.columns[column] ?? charts.wbbt.columns[column - words.WBBT_COLUMN])!;
/** The same of a counter-attack: `1-4: the counter-attackers lose a unit; 5-10: the occupants lose a unit`. */
export const icaChart = ({ charts }: Tables, sum: number): string => chart((die) => ICA_WORDS[charts.ica(die + sum)]!);

function chart(resultOf: (die: number) => string): string {
  const runs: { first: number; last: number; result: string }[] = [];
  for (let die = 1; die <= 10; die++) {
    const result = resultOf(die);
    const run = runs.at(-1);
    if (run?.result === result) run.last = die;
    else runs.push({ first: die, last: die, result });
  }
  const hits = runs.filter((r) => r.result !== RESULT_WORDS[0]);
  if (hits.length === 0) return NO_EFFECT;
  return hits.map((r) => `${r.first === r.last ? r.first : `${r.first}-${r.last}`}: ${r.result}`).join("; ");
}

/** A result of the table for boxes: `P4 DE1`. */
export function boxResultText(result: number): string {
  const [pinned, lost] = [words.pinnedIn(result), words.eliminatedIn(result)];
  return [...(pinned > 0 ? [`P${pinned}`] : []), ...(lost > 0 ? [`DE${lost}`] : [])].join(" ") || "-";
}

/** The same for people: `4 pinned, 1 lost`. */
export function boxResultWords(result: number): string {
  const [pinned, lost] = [words.pinnedIn(result), words.eliminatedIn(result)];
  const parts = [...(pinned > 0 ? [`${pinned} pinned`] : []), ...(lost > 0 ? [`${lost} lost`] : [])];
  return parts.join(", ") || RESULT_WORDS[0];
}

/** Which faces give which result on the table for boxes. */
export const boxChart = ({ charts }: Tables, column: number, drm: number): string =>
  chart((die) => {
    const row = charts.cell(column, die + drm, charts.ebbt);
    return boxResultWords(words.eastResult(charts.ebbt.pinned[row]!, charts.ebbt.eliminated[row]!));
  });

const NO_EFFECT = "no roll has an effect";

/** A chart in a sentence: `die 1-3: pinned`. */
export const onDie = (charted: string): string => (charted === NO_EFFECT ? charted : `die ${charted}`);
