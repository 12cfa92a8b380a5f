import { listed } from "../../core/words.js";
import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import type { Condition, Standing } from "../../core/narration.js";
import type { Tables } from "../data.js";
import { joinedToEntry } from "../rules/counters.js";
import { anySovietCounter, holdsLandings, LAST_TURN } from "../rules/victory.js";
import {
  type AreaId,
  AREAS,
  chitsIn,
  CONTROL,
  controlOf,
  FIRST_AREA,
  GERMANS,
  L,
  PHASE,
  phaseOf,
  sovietsIn,
  UNITS,
} from "../state.js";
import { areaId, placeName, SIDES } from "../events/words.js";

/** How far a side is from each condition of victory. All of it is public. Rule: SS 8.1, SS 8.2. */
export function standing(tables: Tables, s: StateView, _viewer: Viewer): Standing {
  const setup = phaseOf(s) === PHASE.setup;
  const counters = setup ? atStart(tables) : sovietCounters(s);
  const lacking = tables.data.goals.filter((a) => !isHeld(tables, s, a));
  const held = tables.data.goals.length - lacking.length;
  const goals = listed(
    tables.data.goals.map((a) => placeName(tables, a)),
    "none",
  );
  const open = lacking.map((a) => areaId(tables, a));
  const conditions: Condition[] = [
    {
      rule: "SS 8.1",
      side: "G",
      text: `No Soviet counter is left on the map; there ${counters === 1 ? "is" : "are"} ${counters}.`,
      have: counters,
      need: 0,
      fewer: true,
      unit: "Soviet counters on the map",
      places: setup ? [] : tables.data.areaIds.filter((_, a) => sovietsIn(s, a) + chitsIn(s, a) > 0),
      met: counters === 0,
      when: "end of each turn",
    },
    {
      rule: "SS 8.2",
      side: "G",
      text: `${goals} are German, each joined to an entry area by German areas.`,
      have: held,
      need: tables.data.goals.length,
      unit: "landings",
      places: open,
      met: lacking.length === 0,
      when: `end of turn ${LAST_TURN}`,
    },
    {
      rule: "SS 8.2",
      side: "S",
      text: `One of ${goals} is not German or not joined to an entry area.`,
      have: lacking.length,
      need: 1,
      unit: "landings",
      places: open,
      met: lacking.length > 0,
      when: `end of turn ${LAST_TURN}`,
    },
  ];
  if (s[L.result] !== 0) {
    const winner = SIDES[s[L.result]! - 1]!;
    return {
      conditions,
      winnerNow: winner,
      ifEndedNow: overText(tables, s),
    };
  }
  if (counters === 0)
    return {
      conditions,
      winnerNow: "G",
      ifEndedNow: "As it stands the German side wins: no Soviet counter is on the map.",
    };
  return lacking.length === 0
    ? {
        conditions,
        winnerNow: "G",
        ifEndedNow: `As it stands the German side wins: it holds ${goals}, joined to an entry area.`,
      }
    : {
        conditions,
        winnerNow: "S",
        ifEndedNow: `As it stands the Soviet side wins: the Germans must hold ${listed(
          lacking.map((a) => placeName(tables, a)),
          "none",
        )}, joined to an entry area.`,
      };
}

/** Who has won a game that is over, and by what. Rule: SS 8.1, SS 8.2; ruling R40: SS 8.1 first. */
export function overText(tables: Tables, s: StateView): string {
  if (!anySovietCounter(s)) return "The German side has won: no Soviet counter is left on the map.";
  const named = (goals: readonly AreaId[]): string =>
    listed(
      goals.map((a) => placeName(tables, a)),
      "none",
    );
  const lacking = tables.data.goals.filter((a) => !isHeld(tables, s, a));
  return lacking.length === 0
    ? `The German side has won: it holds ${named(tables.data.goals)}, joined to an entry area.`
    : `The Soviet side has won: the Germans don't hold ${named(lacking)}, joined to an entry area.`;
}

function isHeld(tables: Tables, s: StateView, a: AreaId): boolean {
  return controlOf(s, a) === CONTROL.german && ((joinedToEntry(tables, s) >> a) & 1) === 1;
}

function sovietCounters(s: StateView): number {
  let n = 0;
  for (let a = FIRST_AREA; a < AREAS; a++) n += sovietsIn(s, a) + chitsIn(s, a);
  return n;
}

/** During set-up the other side doesn't see what is where (ruling R39): all at-start units count. */
function atStart(tables: Tables): number {
  let n = 0;
  for (let u = GERMANS; u < UNITS; u++) if (tables.data.entryTurn[u] === 0) n++;
  return n;
}

/** True when the German side would lose if the game ended now. */
export const germanLosesNow = (tables: Tables, s: StateView): boolean =>
  anySovietCounter(s) && !holdsLandings(tables, s);
