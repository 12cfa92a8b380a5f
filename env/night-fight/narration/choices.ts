import { counted } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { Choice } from "../../core/narration.js";
import * as A from "../actions.js";
import {
  ELIMINATE,
  GERMAN_TYPES,
  GERMANS,
  HEXES,
  SUPPRESS,
  type Tables,
  TRUCK,
  type UnitId,
  type HexId,
  type TypeId,
  type GunId,
  FIRST_UNIT,
} from "../data.js";
import { attackValue, leastDie, targetIn } from "../rules/combat.js";
import { costToEnter, countCrowd, mayMove } from "../rules/movement.js";
import { firstAt, mayBuy } from "../rules/purchase.js";
import { spotBonus } from "../rules/spotting.js";
import {
  activeOf, BUY, columnIn, contactIn, countAt, FIRE, FOLLOW, has, L, MOVE, mpOf, onMap, phaseOf, placeOf, POOL, REINSTATE, STEP,
  SUPPRESSED, targetOf, WAITING,
} from "../state.js"; // prettier-ignore
import { attackNeeds, gunName, titleOf, typeName } from "../events/words.js";

type Meaning = Pick<Choice, "text"> & Partial<Pick<Choice, "places" | "units" | "cost" | "ends" | "warning">>;

const GROUND = ["clear", "woods", "town"] as const;

/** A legal action as the player sees it. */
export function choiceOf(tables: Tables, s: StateView, action: number, name: string): Choice {
  return { action, name, places: [], units: [], ends: null, warning: null, ...meaningOf(tables, s, action) };
}

function meaningOf(tables: Tables, s: StateView, action: number): Meaning {
  if (action === A.DONE) return doneMeaning(tables, s);
  if (action === A.STOP) return stopMeaning(tables, s);
  if (action === A.EXIT) return { text: `Leave the map: ${titleOf(tables, activeOf(s))} counts as out` };
  if (action === A.FIRE_AGAIN) return fireMeaning(tables, s, targetOf(s));
  if (action < A.BUY_TYPE) return reinstateMeaning(tables, s, (action - A.REINSTATE_GUN) as GunId);
  if (action < A.UNIT) return buyMeaning(tables, s, (action - A.BUY_TYPE) as TypeId);
  if (action < A.HEX) return unitMeaning(tables, s, (action - A.UNIT) as UnitId);
  return phaseOf(s) === STEP
    ? stepMeaning(tables, s, (action - A.HEX) as HexId)
    : fireMeaning(tables, s, (action - A.HEX) as HexId);
}

function buyMeaning(tables: Tables, s: StateView, type: TypeId): Meaning {
  const u = firstAt(tables, s, type, POOL);
  const parts = [
    `${tables.cost[type]} of ${s[L.budget]} points`,
    `strength ${tables.strength[u]}`,
    `range ${tables.range[u]}`,
    `${tables.mp[u]} MP`,
    ...(tables.night[u]! > 0 ? [`night +${tables.night[u]}`] : []),
  ];
  return { text: `Buy ${typeName(tables, type)} (${parts.join(", ")})`, units: [tables.unitNames[u]!] };
}

function reinstateMeaning(tables: Tables, s: StateView, r: GunId): Meaning {
  const truck = firstAt(tables, s, TRUCK, WAITING);
  return {
    text: `Give ${titleOf(tables, truck)} up: the ${gunName(tables, r)} has shells for its gun`,
    units: [tables.unitNames[truck]!],
    warning: "A truck given up counts as one that did not get out.",
  };
}

function unitMeaning(tables: Tables, s: StateView, u: UnitId): Meaning {
  const name = titleOf(tables, u);
  const place = placeOf(s, u) < 0 ? null : tables.ids[placeOf(s, u)]!;
  const where = place === null ? "off the map" : `in ${place}`;
  const text =
    phaseOf(s) === MOVE ? `Move ${name} (${where}, ${tables.mp[u]} MP)` : `Fire or look with ${name} (${where})`;
  return { text, units: [tables.unitNames[u]!], places: place === null ? [] : [place] };
}

function stepMeaning(tables: Tables, s: StateView, h: HexId): Meaning {
  countCrowd(tables, s);
  const cost = costToEnter(tables, s, activeOf(s), h);
  const ground = `${GROUND[tables.terrain[h]!]}${tables.road[h] === 1 ? " with road" : ""}`;
  const common = { places: [tables.ids[h]!], units: [tables.unitNames[activeOf(s)]!], cost };
  if (tables.ablaze[h] === 1)
    return { ...common, text: `Enter the fire in ${tables.ids[h]}`, warning: "The hex is ablaze: the unit is lost." };
  const left = Math.abs(tables.grid.columns[h]! - tables.exitColumn);
  const way = left === 0 ? "at the exit edge" : `${counted(left, "column")} from the exit edge`;
  const text = `Enter ${tables.ids[h]}, ${ground}, ${way} (${cost} of ${mpOf(s)} MP)`;
  if (columnIn(s, h)) return { ...common, text, warning: "A column stands there: it deploys, and the move ends." };
  if (contactIn(s, h)) return { ...common, text, warning: "A contact lies there: if it is real, the move ends." };
  return { ...common, text };
}

/** Attacks what may be attacked in a hex, or looks into it. */
function fireMeaning(tables: Tables, s: StateView, h: HexId): Meaning {
  const u = activeOf(s);
  const distance = tables.distance[placeOf(s, u) * HEXES + h]!;
  const target = targetIn(tables, s, u, h);
  const hex = tables.ids[h]!;
  if (target >= 0) {
    const suppressed = has(s, target, SUPPRESSED) ? ", suppressed already" : "";
    const value = attackValue(tables, s, u, target, h, distance);
    const needs = attackNeeds(leastDie(tables, value, SUPPRESS), leastDie(tables, value, ELIMINATE));
    return {
      text: `Fire at ${titleOf(tables, target)} in ${hex}${suppressed}: ${needs}`,
      places: [hex],
      units: [tables.unitNames[u]!, tables.unitNames[target]!],
    };
  }
  const need = distance + tables.rules.spotting.needBeyondDistance - spotBonus(tables, s, u, h, distance);
  const chance = need > 6 ? "no die is enough" : `${Math.max(1, need)}+ finds it`;
  const warning = need > 6 ? "No die is enough to find anything there." : null;
  return { text: `Look into ${hex}: ${chance}`, places: [hex], units: [tables.unitNames[u]!], warning };
}

function stopMeaning(tables: Tables, s: StateView): Meaning {
  const name = titleOf(tables, activeOf(s));
  const units = [tables.unitNames[activeOf(s)]!];
  if (phaseOf(s) === STEP) {
    const warning = onMap(s, activeOf(s)) ? null : "The unit stays off the map this turn.";
    return { text: `Stop ${name} here (${mpOf(s)} MP unused)`, units, warning };
  }
  if (phaseOf(s) === FOLLOW) return { text: `Hold ${name}'s fire`, units };
  return { text: `Hold ${name}'s fire for this turn`, units, warning: "The unit can't fire later this turn." };
}

function doneMeaning(tables: Tables, s: StateView): Meaning {
  switch (phaseOf(s)) {
    case BUY: {
      const more = GERMAN_TYPES.some((_, type) => mayBuy(tables, s, type as TypeId));
      const nobody = countAt(s, WAITING) === 0 ? "No unit was bought: the game is lost. " : "";
      const warning = more ? `${nobody}${counted(s[L.budget]!, "point")} would be wasted.` : null;
      return { text: "Buy no more", ends: "phase", warning };
    }
    case REINSTATE:
      return { text: "Keep the trucks", ends: "phase" };
    case MOVE:
      return { text: "End the moves", ends: "phase", warning: unused(s, mayMove, "unit", "not moved") };
    default: {
      const firer = (x: StateView, u: UnitId): boolean => A.mayFire(tables, x, u);
      const warning = phaseOf(s) === FIRE ? unused(s, firer, "unit", "not fired") : null;
      return { text: "End the fire; the Soviets act", ends: "turn", warning };
    }
  }
}

function unused(s: StateView, may: (s: StateView, u: UnitId) => boolean, thing: string, what: string): string | null {
  let n = 0;
  for (let u = FIRST_UNIT; u < GERMANS; u++) if (may(s, u)) n++;
  return n === 0 ? null : `${counted(n, thing)} ${n === 1 ? "has" : "have"} ${what}.`;
}
