import type { Meaning } from "../../core/decision.js";
import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { hexId, knownIds, namesFor, turnText, unitId, unitsIn, unitsWith, unitText } from "../events/words.js";
import * as words from "../layout.js";
import type { HexId, UnitId } from "../layout.js";
import { stukasIn } from "../rules/combat/participants.js";
import { attackOf, hasArmor } from "../rules/units/armor.js";
import { phaseName } from "../sequence.js";
import { actorOf, askedHex, enemyOf, placeOf, type Tables } from "../state.js";
import { columnText, type Danger } from "./numbers.js";

/** What the words of all choices of a decision share. */
export interface Survey {
  readonly viewer: Viewer;
  /** Legal units and hexes. */
  readonly units: readonly number[];
  readonly hexes: readonly number[];
  /** Opportunity fire and unseen counters on the way, by hex. */
  readonly dangers: Map<number, Danger>;
}

/** `Turn 2 of 3, German movement` */
export const now = (t: Tables, s: StateView): string => `${turnText(t, s)}, ${phaseName(s[t.layout.phase]!)}`;

/** A unit that is chosen where it is. */
export const unitMeaning = (t: Tables, s: StateView, u: UnitId, text: string): Meaning => ({
  text,
  units: [unitId(t, u)],
  places: [hexId(t, placeOf(t, s, u))],
});
/** `g1 (infantry 5-4-8) from 0312` */
export const unitFrom = (t: Tables, s: StateView, u: UnitId): string =>
  `${unitText(t, s, u)} from ${hexId(t, placeOf(t, s, u))}`;

export const hexMeaning = (t: Tables, hex: HexId, text: string): Meaning => ({ text, places: [hexId(t, hex)] });

/** The enemies of the side to move in a hex, as a viewer knows them. */
export const enemiesIn = (t: Tables, s: StateView, hex: number, viewer: Viewer): string =>
  namesFor(t, s, unitsIn(t, s, enemyOf(actorOf(t, s)), hex), viewer);

/** A decision about the hex of its frame. */
export const aboutHex = (t: Tables, s: StateView): { readonly places: readonly string[] } => ({
  places: [hexId(t, askedHex(t, s))],
});
/** The same, and about the units with one of these flags. */
export const aboutPicks =
  (bits: number) =>
  (
    t: Tables,
    s: StateView,
    viewer: Viewer,
  ): { readonly units: readonly string[]; readonly places: readonly string[] } => ({
    units: knownIds(t, s, unitsWith(t, s, bits), viewer),
    ...aboutHex(t, s),
  });

/** The attackers, as a viewer knows them, and their points. */
export function attackers(t: Tables, s: StateView, viewer: Viewer): string {
  const units = unitsWith(t, s, words.ATTACKER);
  const points = units.reduce((n, u) => n + t.roster.af[u]!, 0);
  return `${namesFor(t, s, units, viewer)} (${counted(points, "point")})`;
}

export const allUnits = (tables: Tables): number[] => Array.from({ length: tables.units }, (_, u) => u);

/** Points against a hex of the attackers picked and these. */
export function attackSum(tables: Tables, s: StateView, hex: number, more: readonly number[]): string {
  const all = [...new Set([...unitsWith(tables, s, words.ATTACKER), ...more])];
  const armor = hasArmor(tables, s, enemyOf(actorOf(tables, s)), hex, true);
  return `Then ${columnText(
    tables,
    all.reduce((sum, u) => sum + attackOf(tables, s, u, hex, armor), stukasIn(tables, s) * tables.stukaAf),
  )}`;
}

/** Units of a side beside a hex that are neither pinned nor spent. */
export const unitsBeside = (tables: Tables, s: StateView, side: number, hex: number): number[] =>
  allUnits(tables).filter(
    (u) =>
      tables.roster.side[u] === side &&
      placeOf(tables, s, u) >= 0 &&
      tables.board.sideTo(placeOf(tables, s, u), hex) >= 0 &&
      (s[tables.layout.flags + u]! & (words.PINNED | words.SPENT)) === 0,
  );
