import type { StateView } from "../../core/layout.js";
import type { GameEvent } from "../../core/narration.js";
import * as words from "../layout.js";
import { SIDES } from "../roster.js";
import type { World } from "../state.js";
import { ICA_RESULTS, RESULTS } from "../tables.js";
import {
  counted,
  crtChart,
  drmText,
  hexId,
  hexText,
  ICA_WORDS,
  icaChart,
  listed,
  resultWords,
  SIDE_WORDS,
  signed,
  unitId,
} from "./words.js";

// Rules call these only when `world.narrator` is set. All of it is public: who fights lies face up.

const tellAll = (world: World, event: GameEvent): void => world.narrator!.tell(event);
const idsOf = (world: World, units: readonly number[]): string[] => units.map((u) => unitId(world, u));

/** The latest die: word `i` of its record. */
function recordWord(world: World, s: StateView, i: number): number {
  const { records, recordCount } = world.layout;
  return s[records + (s[recordCount]! - 1) * words.RECORD_WORDS + i]!;
}

/** The attackers turn face up. */
export function attacks(world: World, side: number, units: readonly number[], hex: number, accelerated: boolean): void {
  const points = units.reduce((sum, u) => sum + world.roster.af[u]!, 0);
  const how = accelerated ? ", close assault: both sides one column up" : "";
  tellAll(world, {
    what: "attacks",
    rule: accelerated ? "SOS 9.67" : "SOS 9.02",
    by: SIDES[side]!,
    text: `The ${SIDE_WORDS[side]!} side attacks ${hexText(world, hex)} with ${listed(idsOf(world, units))}, ${counted(points, "point")}${how}.`,
    units: idsOf(world, units),
    places: [hexId(world, hex)],
    amount: points,
  });
}

const FIRES = [
  ["attack", "Attack on", "SOS 9.19"],
  ["defensive fire", "Defensive fire at", "SOS 9.51"],
  ["opportunity fire", "Opportunity fire at", "SOS 11.0"],
] as const;

/** A die on the combat results table, told before its effects. */
export function roll(world: World, s: StateView, side: number, units: readonly number[]): void {
  const word = (i: number) => recordWord(world, s, i);
  const [purpose, begins, rule] = FIRES[word(words.R_KIND)]!;
  const hex = word(words.R_HEX) - 1;
  const drms = words.DRMS.map((_, i) => words.drmAt(word(words.R_DRMS), i));
  const drm = drms.reduce((a, b) => a + b, 0);
  const column = world.tables.crt.columns[word(words.R_COLUMN)]!;
  const code = RESULTS[word(words.R_RESULT)]!;
  const effect = resultWords(world, word(words.R_RESULT), hex);
  const die = word(words.R_DIE);
  const modified = drm === 0 ? "" : ` (${drmText(drms)}: ${word(words.R_MDR)})`;
  const result = code === "-" ? effect : `${code}, ${effect}`;
  tellAll(world, {
    what: "roll",
    rule,
    by: SIDES[side]!,
    text: `${begins} ${hexId(world, hex)} by ${listed(idsOf(world, units))}: ${counted(word(words.R_POINTS), "point")}, column ${column}, die ${die}${modified}: ${result}.`,
    outcome: `${purpose} at ${hexId(world, hex)}: ${effect}`,
    dice: [
      {
        by: SIDES[side]!,
        purpose: `${purpose} at ${hexId(world, hex)}, column ${column}, ${drmText(drms)}`,
        sides: 10,
        faces: [die],
        needed: crtChart(world, word(words.R_COLUMN), drm),
        result,
      },
    ],
    units: idsOf(world, units),
    places: [hexId(world, hex)],
    amount: word(words.R_POINTS),
  });
}

/** No attacker is left that could roll. */
export function attackFails(world: World, side: number, hex: number): void {
  const text = `Nobody is left to roll the attack on ${hexId(world, hex)}: all attackers are lost, pinned or spent.`;
  tellAll(world, {
    what: "attack-fails",
    rule: "SOS 9.66",
    by: SIDES[side]!,
    text,
    outcome: `attack on ${hexId(world, hex)} broken up`,
    places: [hexId(world, hex)],
  });
}

/** Whoever attacked is spent, the marker turned. */
export function attackEnds(world: World, side: number, units: readonly number[], hex: number): void {
  const spent = units.length === 0 ? "" : `; ${listed(idsOf(world, units))} ${units.length === 1 ? "is" : "are"} spent`;
  tellAll(world, {
    what: "attack-ends",
    rule: "SOS 9.18",
    by: SIDES[side]!,
    text: `The attack on ${hexId(world, hex)} is over${spent}.`,
    units: idsOf(world, units),
    places: [hexId(world, hex)],
  });
}

/** The die of a counter-attack, told before its effects. */
export function counterAttack(world: World, s: StateView, side: number, units: readonly number[], hex: number): void {
  const [die, sum, result] = [words.R_DIE, words.R_DRMS, words.R_RESULT].map((i) => recordWord(world, s, i)) as [
    number,
    number,
    number,
  ];
  const code = ICA_RESULTS[result]!;
  tellAll(world, {
    what: "counter-attack",
    rule: "SOS 12.6",
    by: SIDES[side]!,
    text: `The ${SIDE_WORDS[side]!} side counter-attacks ${hexText(world, hex)} at once with ${listed(idsOf(world, units))}: die ${die} ${signed(sum)} (attack minus defence) = ${die + sum}: ${code}, ${ICA_WORDS[result]!}.`,
    outcome: `counter-attack at ${hexId(world, hex)}: ${ICA_WORDS[result]!}`,
    dice: [
      {
        by: SIDES[side]!,
        purpose: `instant counter-attack at ${hexId(world, hex)}, ${signed(sum)}`,
        sides: 10,
        faces: [die],
        needed: icaChart(world, sum),
        result: `${code}, ${ICA_WORDS[result]!}`,
      },
    ],
    units: idsOf(world, units),
    places: [hexId(world, hex)],
  });
}

/** Who counter-attacked is spent. */
export function counterEnds(world: World, side: number, units: readonly number[], hex: number): void {
  if (units.length === 0) return;
  tellAll(world, {
    what: "counter-attack-ends",
    rule: "SOS 12.6",
    by: SIDES[side]!,
    text: `The counter-attack at ${hexId(world, hex)} is over; ${listed(idsOf(world, units))} ${units.length === 1 ? "is" : "are"} spent.`,
    units: idsOf(world, units),
    places: [hexId(world, hex)],
  });
}

/** Units have to leave a hex, or their owner says what he does. */
export function leaves(
  world: World,
  side: number,
  hex: number,
  rule: string,
  what: "must" | "may" | "goes" | "stays",
  hexes: number,
): void {
  const text = {
    must: `The ${SIDE_WORDS[side]!} units in ${hexText(world, hex)} have to retreat ${counted(hexes, "hex", "hexes")}.`,
    may: `The ${SIDE_WORDS[side]!} units in ${hexText(world, hex)} retreat, or give up one to stay.`,
    goes: `The ${SIDE_WORDS[side]!} side retreats from ${hexId(world, hex)}.`,
    stays: `The ${SIDE_WORDS[side]!} side stays in ${hexId(world, hex)} and gives up a unit.`,
  }[what];
  tellAll(world, { what: "driven-back", rule, by: SIDES[side]!, text, places: [hexId(world, hex)] });
}
