import { eventOf, say } from "./say.js";
import type { Play } from "../../core/play.js";
import { counted, listed } from "../../core/words.js";
import type { GameEvent, Throw } from "../../core/narration.js";
import type { StateView } from "../../core/layout.js";
import { LANDING, type Tables } from "../data.js";
import {
  type AreaId,
  AREAS,
  chitHas,
  chitOfCounter,
  chitPlaceOf,
  CHITS,
  type CounterId,
  FIRST_CHIT,
  FIRST_UNIT,
  FLAG,
  GERMANS,
  isUnit,
  placeOf,
  sovietsIn,
  unitHas,
  type UnitId,
  UNITS,
  WAITING,
} from "../state.js";
import { drawingThrow, placingThrow } from "./throws.js";
import { areaId, chitWord, counterName, placeName, tellBoth, unitId } from "./words.js";

/**
 * Only the Soviet player sees the set-up (ruling R39). Rule: SS 1.52; solitaire, where nobody sees it, SS 10.21.
 *
 * @param dice the throws that named the area (solitaire); null when the player chose it, empty for an area that is set
 */
export function setUp(tables: Tables, u: UnitId, a: AreaId, play: Play, dice: readonly number[] | null = null): void {
  const id = unitId(tables, u);
  const throws: Throw[] = dice === null ? [] : [drawingThrow(id)];
  if (dice !== null && dice.length > 0) throws.push(placingThrow(tables, a, dice, "where the unit goes"));
  const event: GameEvent = eventOf("set-up", {
    rule: tables.solo ? "SS 10.21" : "SS 1.52",
    text: `${id} is set up face-down in ${placeName(tables, a)}.`,
    units: [id],
    places: [areaId(tables, a)],
    ...(throws.length === 0 ? {} : { dice: throws }),
  });
  tellBoth(event, null, play);
}

export function setUpDone(tables: Tables, s: StateView, play: Play): void {
  const areas = Array.from({ length: AREAS }, (_, a) => a as AreaId).filter((a) => sovietsIn(s, a) > 0);
  const text = `The Soviet set-up is over. Face-down counters: ${areas.map((a) => `${sovietsIn(s, a)} in ${placeName(tables, a)}`).join(", ")}.`;
  say(play, "set-up-done", { text, places: areas.map((a) => areaId(tables, a)) });
}

/** Units due this turn start to wait; who is due is public. */
export function reinforcementsDue(tables: Tables, units: readonly UnitId[], play: Play): void {
  const ids = units.map((u) => unitId(tables, u));
  const text = `Soviet reinforcements wait at the river: ${listed(ids, "none")}.`;
  say(play, "reinforcements-due", { text, units: ids, amount: ids.length });
}

const LANDINGS = ["lands", "turned away", "eliminated"] as const;

/**
 * Reports a landing before it is carried out. The die is public; a unit is named to the other side only when it is
 * lost.
 *
 * @param die 0 for a landing without a roll
 * @param drawn true when the unit was drawn at random (solitaire)
 * @param why the step of the fixed order that placed it (solitaire), or nothing
 */
export function landing(
  tables: Tables,
  u: UnitId,
  a: AreaId,
  die: number,
  result: number,
  drawn: boolean,
  why: string,
  play: Play,
): void {
  const id = unitId(tables, u);
  const where = placeName(tables, a);
  const ends = [`lands face-down in ${where}`, `is turned away at ${where} and waits`, `is eliminated at ${where}`][
    result
  ]!;
  const fire: Throw[] =
    die === 0
      ? []
      : [
          {
            by: "S",
            purpose: "landing under fire",
            sides: 6,
            faces: [die],
            needed: landsOn(tables),
            result: LANDINGS[result]!,
          },
        ];
  const draw: Throw[] = drawn ? [drawingThrow(id)] : [];
  const common = eventOf("landing", {
    rule: tables.solo ? "SS 10.31" : "SS 2.2",
    places: [areaId(tables, a)],
    ...(die === 0 ? {} : { outcome: `landing in ${areaId(tables, a)}: ${LANDINGS[result]!}` }),
  });
  const reason = why === "" ? "" : ` (${why})`;
  const rolled = die === 0 ? "" : ` Landing under fire: ${die}.`;
  const full = { ...common, text: `${id} ${ends}${reason}.${rolled}`, units: [id], dice: [...draw, ...fire] };
  const lost = result === LANDING.eliminated;
  tellBoth(
    full,
    {
      ...common,
      text: `${lost ? id : "A Soviet unit"} ${ends}${reason}.${rolled}`,
      units: lost ? [id] : [],
      dice: fire,
    },
    play,
  );
}

function landsOn(tables: Tables): string {
  const good = [1, 2, 3, 4, 5, 6].filter((d) => tables.data.underFire[d] === LANDING.land);
  return `${good.join(" or ")} to land`;
}

export function heldBack(s: StateView, play: Play): void {
  let waiting = 0;
  for (let u = GERMANS; u < UNITS; u++) if (placeOf(s, u) === WAITING) waiting++;
  const text = `The Soviet player holds back ${counted(waiting, "unit")} at the river.`;
  say(play, "held-back", { text, amount: waiting });
}

/**
 * Reports a move of a counter before it is made. @param dice its two dice (solitaire), otherwise empty
 */
export function sovietMove(
  tables: Tables,
  s: StateView,
  counter: CounterId,
  from: AreaId,
  to: AreaId,
  smg: boolean,
  dice: readonly number[],
  play: Play,
): void {
  const open = isUnit(counter) && unitHas(s, counter, FLAG.faceUp);
  const name = counterName(tables, counter);
  const throws: Throw[] = dice.length === 0 ? [] : [movingThrow(dice, `moves to ${areaId(tables, to)}`)];
  const common = eventOf("soviet-move", {
    rule: smg ? "SS 9.51" : tables.solo ? "SS 10.4" : "SS 4.1",
    places: [areaId(tables, from), areaId(tables, to)],
    ...(throws.length === 0 ? {} : { dice: throws }),
  });
  const way = `moves from ${placeName(tables, from)} to ${placeName(tables, to)}.`;
  const kind = tables.solo ? (isUnit(counter) ? "unit" : "chit") : "counter";
  const hidden = smg ? "An SMG company" : `A face-down ${kind}`;
  const units = isUnit(counter) ? [name] : [];
  const full = { ...common, text: `${named(name, counter)} ${way}`, units };
  tellBoth(full, open ? full : { ...common, text: `${hidden} ${way}`, units: [] }, play);
}

const named = (name: string, counter: CounterId): string => (isUnit(counter) ? name : `Chit ${name}`);

const movingThrow = (dice: readonly number[], result: string): Throw => ({
  by: null,
  purpose: "Soviet movement",
  sides: 6,
  faces: dice,
  needed: "an area next to it that it may enter",
  result,
});

/** Solitaire: every counter throws two dice. Rule: SS 10.4. */
export function movementRolls(n: number, play: Play): void {
  const text = `Two dice are thrown for each of ${counted(n, "Soviet counter")}; those whose area is next to them move.`;
  say(play, "movement-rolls", { text, amount: n });
}

/**
 * Solitaire: a counter stays. Its dice could show what it is (an SMG company would have moved), so nobody sees them.
 */
export function sovietStays(
  tables: Tables,
  counter: CounterId,
  from: AreaId,
  dice: readonly number[],
  play: Play,
): void {
  const name = counterName(tables, counter);
  const text = `${named(name, counter)} stays in ${placeName(tables, from)}.`;
  const event = eventOf("soviet-stays", { text, places: [areaId(tables, from)] });
  tellBoth({ ...event, dice: [movingThrow(dice, "stays")] }, null, play);
}

/** Excess counters: units are shown to both sides, face-down chits are not. Rule: SS 1.21. */
export function sovietExcess(tables: Tables, u: UnitId, a: AreaId, play: Play): void {
  const text = `${unitId(tables, u)} is one too many in ${placeName(tables, a)} and is eliminated.`;
  const places = [areaId(tables, a)];
  say(play, "excess", { by: "S", text, units: [unitId(tables, u)], places });
}

/** Face-up units turn face-down. Rule: SS 4.2. */
export function turnedDown(tables: Tables, units: readonly UnitId[], a: AreaId, play: Play): void {
  const ids = units.map((u) => unitId(tables, u));
  const text = `${listed(ids, "none")} ${ids.length === 1 ? "turns" : "turn"} face-down in ${placeName(tables, a)}.`;
  say(play, "turned-down", { text, units: ids, places: [areaId(tables, a)] });
}

/** Everything in an area turns face-up. Rule: SS 5.3. @param counters units, and chits from `UNITS` on */
export function revealed(tables: Tables, counters: readonly CounterId[], a: AreaId, rule: string, play: Play): void {
  if (counters.length === 0) return;
  const names = counters.map((k) => (isUnit(k) ? unitId(tables, k) : chitWord(tables, chitOfCounter(k)))).sort();
  const units = counters.filter(isUnit).map((u) => unitId(tables, u));
  const text = `${placeName(tables, a)} is turned face-up: ${listed(names, "none")}.`;
  const places = [areaId(tables, a)];
  say(play, "revealed", {
    rule,
    text,
    units,
    places,
    outcome: `revealed in ${areaId(tables, a)}: ${names.join(", ")}`,
  });
}

/** Marks that are taken off, with the areas in which a viewer can see them. */
export function marksRemoved(tables: Tables, s: StateView, flags: number, text: string, play: Play): void {
  const seen = (hidden: boolean): string[] => {
    let areas = 0;
    for (let u = FIRST_UNIT; u < UNITS; u++) {
      const a = placeOf(s, u);
      const shown = hidden || u < GERMANS || unitHas(s, u, FLAG.faceUp);
      if (a < AREAS && shown && unitHas(s, u, flags)) areas |= 1 << a;
    }
    for (let c = FIRST_CHIT; c < CHITS; c++) {
      const a = chitPlaceOf(s, c);
      if (a < AREAS && (hidden || chitHas(s, c, FLAG.faceUp)) && chitHas(s, c, flags)) areas |= 1 << a;
    }
    return tables.data.areaIds.filter((_, a) => (areas >> a) & 1);
  };
  const of = (places: string[]) => (places.length === 0 ? null : eventOf("marks-removed", { text, places }));
  const [all, open] = [of(seen(true)), of(seen(false))];
  if (all !== null) tellBoth(all, open, play);
}
