import { counted, signed } from "../../core/words.js";
import type { Choice } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import type { Tables } from "../data.js";
import { GARRISON, GARRISONED, PHASE } from "../layout.js";
import { costOf, mayEnter } from "../rules/movement.js";
import { waiting } from "../rules/reinforcement.js";
import { activeArmy, isGerman } from "../state.js";
import { armyText, counterTexts, countersAt, hexIds, hexText, hexTexts } from "../events/words.js";

/** A choice without what every choice has. */
export type ChoiceText = Pick<Choice, "text"> & Partial<Choice>;

/** An action that names a hex: entering the map, the partisans' hex, a march or an attack. */
export function hexChoice(tables: Tables, s: StateView, hex: number): ChoiceText {
  const { L } = tables;
  const places = hexIds(tables, [hex]);
  switch (s[L.phase]) {
    case PHASE.enter: {
      const army = waiting(tables, s);
      return {
        text: `${armyText(tables, army)} enters in ${hexText(tables, hex)}`,
        places,
        units: [tables.armies[army]!.id],
      };
    }
    case PHASE.partisan:
      return {
        text: `Partisans take ${hexText(tables, hex)}${worth(tables, hex)}`,
        places,
        units: [tables.partisanId],
      };
    default: {
      const units = [tables.armies[activeArmy(tables, s)]!.id];
      return isGerman(tables, s, hex)
        ? { ...attack(tables, s, hex), places, units }
        : { ...march(tables, s, hex), places, units };
    }
  }
}

const terrain = (tables: Tables, hex: number): string => (tables.forest[hex] === 1 ? "forest" : "clear");

/** What a German hex counts for, as an addition. */
function worth(tables: Tables, hex: number): string {
  const parts = [
    ...(tables.guarded[hex] === 1 ? ["beside Moscow or Tula"] : []),
    ...(tables.kLine[hex] === 1 ? ["K-Line"] : []),
    ...(tables.western[hex] === 1 ? ["western hex"] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function march(tables: Tables, s: StateView, hex: number): ChoiceText {
  const cost = costOf(tables, hex);
  const left = s[tables.L.mp]! - cost;
  const stuck = left > 0 && !hasWayOn(tables, s, hex, left);
  return {
    text: `March to ${hexText(tables, hex)} (${terrain(tables, hex)}, ${cost} of ${s[tables.L.mp]!} MP)`,
    cost,
    warning: stuck ? `No hex beside it can be entered with the ${left} MP left but the one it comes from.` : null,
  };
}

/** Can the force go on from a Soviet hex, other than back? */
function hasWayOn(tables: Tables, s: StateView, hex: number, mp: number): boolean {
  const here = s[tables.L.armyHex + activeArmy(tables, s)]!;
  for (let d = 0; d < 6; d++) {
    const next = tables.grid.neighbour(hex, d);
    if (next >= 0 && next !== here && costOf(tables, next) <= mp && mayEnter(tables, s, next)) return true;
  }
  return false;
}

function attack(tables: Tables, s: StateView, hex: number): ChoiceText {
  const { L } = tables;
  const cost = costOf(tables, hex);
  const left = s[L.mp]! - cost;
  const rounds = 1 + Math.floor(left / tables.extraRoundCost);
  const pocket = cutOffBy(tables, s, hex);
  const defence =
    s[L.marker + hex] === GARRISONED
      ? `garrison of ${counterTexts(tables, countersAt(tables, s, GARRISON, hex))}`
      : `the marker and ${sizeText(pocket.length > 0 ? tables.relief : tables.regular)} more`;
  const breakIn = pocket.length === 0 ? "" : `; cuts off ${hexTexts(tables, pocket)}: break-in, then a breakout`;
  return {
    cost,
    text: `Attack ${hexText(tables, hex)}${worth(tables, hex)} (${terrain(tables, hex)}, ${cost} of ${s[L.mp]!} MP, up to ${counted(rounds, "round")}) against ${defence}${breakIn}`,
  };
}

/** `1d6-1` */
const sizeText = ({ dice, add }: { readonly dice: number; readonly add: number }): string =>
  `${dice}d6${add === 0 ? "" : signed(add)}`;

/** Hexes that would lose their way west if `hex` fell. */
function cutOffBy(tables: Tables, s: StateView, hex: number): number[] {
  if (s[tables.L.cut + hex]! <= 0) return [];
  const marks = new Int32Array(tables.hexCount);
  tables.articulation.mark(s, tables.L.german, hex, marks, 0);
  return [...marks.keys()].filter((h) => marks[h] === 1);
}
