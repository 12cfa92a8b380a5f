import { say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, listed, signed } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import * as words from "../layout.js";
import { SIDES } from "../roster.js";
import type { Tables } from "../state.js";
import { ICA_RESULTS, RESULTS } from "../charts.js";
import {
  columnName,
  crtChart,
  drmText,
  hexId,
  hexText,
  ICA_WORDS,
  icaChart,
  resultWords,
  SIDE_WORDS,
  unitId,
  withStukas,
} from "./words.js";

// Rules call these only when `play.narrator` is set. All of it is public: who fights is face up.

const idsOf = (tables: Tables, units: readonly number[]): string[] => units.map((u) => unitId(tables, u));

/** The latest die: word `i` of its record. */
function recordWord(tables: Tables, s: StateView, i: number): number {
  const { records, recordCount } = tables.layout;
  return s[records + (s[recordCount]! - 1) * words.RECORD_WORDS + i]!;
}

/** The attackers turn face up. */
export function attacks(
  tables: Tables,
  side: number,
  units: readonly number[],
  points: number,
  hex: number,
  accelerated: boolean,
  stukas: number,
  play: Play,
): void {
  const how = accelerated ? ", close assault: both sides one column up" : "";
  say(play, "attacks", {
    rule: accelerated ? "SOS 9.67" : "SOS 9.02",
    by: SIDES[side]!,
    text: `The ${SIDE_WORDS[side]!} side attacks ${hexText(tables, hex)} with ${withStukas(idsOf(tables, units), stukas)}, ${counted(points, "point")}${how}.`,
    units: idsOf(tables, units),
    places: [hexId(tables, hex)],
    amount: points,
  });
}

const FIRES = [
  ["attack", "Attack on", "SOS 9.19"],
  ["defensive fire", "Defensive fire at", "SOS 9.51"],
  ["opportunity fire", "Opportunity fire at", "SOS 11.0"],
] as const;
const INFILTRATION: { readonly [kind: number]: (typeof FIRES)[number] | readonly [string, string, string] } = {
  [words.ROLL_INFILTRATION]: ["infiltration", "Infiltration of", "SOS 13.4"],
  [words.ROLL_INFILTRATION_FIRE]: ["fire at infiltrators", "Fire at infiltrators in", "SOS 13.7"],
};
const BOMBARDMENT = ["bombardment", "Bombardment of", "SOS 14.45"] as const;

/**
 * A die on the combat results table or the bombardment table, reported before its effects.
 *
 * @param units who fires; none if that is secret
 */
export function roll(tables: Tables, s: StateView, side: number, units: readonly number[], play: Play): void {
  const word = (i: number) => recordWord(tables, s, i);
  const [purpose, begins, rule] = FIRES[word(words.R_KIND)] ?? INFILTRATION[word(words.R_KIND)] ?? BOMBARDMENT;
  const hex = word(words.R_HEX) - 1;
  const { records, recordCount } = tables.layout;
  const record = records + (s[recordCount]! - 1) * words.RECORD_WORDS;
  const drms = words.DRMS.map((_, i) => words.drmOf(s, record, i));
  const drm = drms.reduce((a, b) => a + b, 0);
  const column = columnName(tables, word(words.R_COLUMN));
  const by = units.length === 0 ? "" : ` by ${listed(idsOf(tables, units), "nobody")}`;
  const code = RESULTS[word(words.R_RESULT)]!;
  const effect = resultWords(tables, word(words.R_RESULT), hex);
  const die = word(words.R_DIE);
  const modified = drms.every((n) => n === 0) ? "" : ` (${drmText(drms)}: ${word(words.R_MDR)})`;
  const result = code === "-" ? effect : `${code}, ${effect}`;
  say(play, "roll", {
    rule,
    by: SIDES[side]!,
    text: `${begins} ${hexId(tables, hex)}${by}: ${counted(word(words.R_POINTS), "point")}, column ${column}, die ${die}${modified}: ${result}.`,
    outcome: `${purpose} at ${hexId(tables, hex)}: ${effect}`,
    dice: [
      {
        by: SIDES[side]!,
        purpose: `${purpose} at ${hexId(tables, hex)}, column ${column}, ${drmText(drms)}`,
        sides: 10,
        faces: [die],
        needed: crtChart(tables, word(words.R_COLUMN), drm, (r) => resultWords(tables, r, hex)),
        result,
      },
    ],
    units: idsOf(tables, units),
    places: [hexId(tables, hex)],
    amount: word(words.R_POINTS),
  });
}

/** No attacker is left that could roll. */
export function attackFails(tables: Tables, side: number, hex: number, play: Play): void {
  const text = `Nobody is left to roll the attack on ${hexId(tables, hex)}: all attackers are lost, pinned or spent.`;
  say(play, "attack-fails", {
    by: SIDES[side]!,
    text,
    outcome: `attack on ${hexId(tables, hex)} broken up`,
    places: [hexId(tables, hex)],
  });
}

/** The attackers are spent, the marker is turned. @param units the spent units */
export function attackEnds(tables: Tables, side: number, units: readonly number[], hex: number, play: Play): void {
  const spent =
    units.length === 0 ? "" : `; ${listed(idsOf(tables, units), "nobody")} ${units.length === 1 ? "is" : "are"} spent`;
  say(play, "attack-ends", {
    by: SIDES[side]!,
    text: `The attack on ${hexId(tables, hex)} is over${spent}.`,
    units: idsOf(tables, units),
    places: [hexId(tables, hex)],
  });
}

/** `+1`, `-1`, `+0` */
const change = (n: number): string => (n === 0 ? "+0" : signed(n));

/** The die of a counter-attack, reported before its effects. */
export function counterAttack(
  tables: Tables,
  s: StateView,
  side: number,
  units: readonly number[],
  hex: number,
  play: Play,
): void {
  const [die, sum, result] = [words.R_DIE, words.R_DRMS, words.R_RESULT].map((i) => recordWord(tables, s, i)) as [
    number,
    number,
    number,
  ];
  const code = ICA_RESULTS[result]!;
  say(play, "counter-attack", {
    by: SIDES[side]!,
    text: `The ${SIDE_WORDS[side]!} side counter-attacks ${hexText(tables, hex)} at once with ${listed(idsOf(tables, units), "nobody")}: die ${die} ${change(sum)} (attack minus defence) = ${die + sum}: ${code}, ${ICA_WORDS[result]!}.`,
    outcome: `counter-attack at ${hexId(tables, hex)}: ${ICA_WORDS[result]!}`,
    dice: [
      {
        by: SIDES[side]!,
        purpose: `instant counter-attack at ${hexId(tables, hex)}, ${change(sum)}`,
        sides: 10,
        faces: [die],
        needed: icaChart(tables, sum),
        result: `${code}, ${ICA_WORDS[result]!}`,
      },
    ],
    units: idsOf(tables, units),
    places: [hexId(tables, hex)],
  });
}

/** Who counter-attacked is spent. */
export function counterEnds(tables: Tables, side: number, units: readonly number[], hex: number, play: Play): void {
  if (units.length === 0) return;
  say(play, "counter-attack-ends", {
    by: SIDES[side]!,
    text: `The counter-attack at ${hexId(tables, hex)} is over; ${listed(idsOf(tables, units), "nobody")} ${units.length === 1 ? "is" : "are"} spent.`,
    units: idsOf(tables, units),
    places: [hexId(tables, hex)],
  });
}

/** Units have to leave a hex, or their owner announces the choice. */
export function leaves(
  tables: Tables,
  side: number,
  hex: number,
  rule: string,
  what: "must" | "may" | "goes" | "stays",
  hexes: number,
  play: Play,
): void {
  const text = {
    must: `The ${SIDE_WORDS[side]!} units in ${hexText(tables, hex)} have to retreat ${counted(hexes, "hex", "hexes")}.`,
    may: `The ${SIDE_WORDS[side]!} units in ${hexText(tables, hex)} retreat, or give up one to stay.`,
    goes: `The ${SIDE_WORDS[side]!} side retreats from ${hexId(tables, hex)}.`,
    stays: `The ${SIDE_WORDS[side]!} side stays in ${hexId(tables, hex)} and gives up a unit.`,
  }[what];
  say(play, "driven-back", { rule, by: SIDES[side]!, text, places: [hexId(tables, hex)] });
}
