import type { Tray, TrayItem } from "../../core/scene.js";
import { type Tables, GERMAN_TYPES, GERMANS, TRUCK, UNITS, type TypeId } from "../data.js";
import { german, soviet } from "./counters.js";
import type { View, UnitDoc } from "./view.js";

export function trays(tables: Tables, v: View): Tray[] {
  const list: Tray[] = [];
  if (v.phase === "buy") list.push(market(tables, v));
  const at = (hex: string): [string, UnitDoc][] => Object.entries(v.german).filter(([, u]) => u.hex === hex);
  const shelf = (id: string, name: string, look: Tray["look"], units: [string, UnitDoc][]): void => {
    if (units.length > 0)
      list.push({ id, name, side: "german", look, items: units.map(([slot, u]) => german(tables, v, slot, u)) });
  };
  shelf("waiting", "Waiting to enter", "reinforcements", at("waiting"));
  list.push({ id: "breakout", name: "The breakout", side: "german", look: "resources", items: score(tables, v) });
  shelf("exited", "Got out", "reinforcements", at("exited"));
  shelf("dead", "German losses", "losses", at("dead"));
  const fallen = Object.entries(v.soviet).filter(([, u]) => u.hex === "dead");
  if (fallen.length > 0)
    list.push({
      id: "soviet-dead",
      name: "Soviet losses",
      side: "soviet",
      look: "losses",
      items: fallen.map(([slot, u]) => soviet(tables, slot, u)),
    });
  list.push({ id: "unknown", name: "Not yet seen", side: "soviet", look: "pool", items: unseen(tables, v) });
  return list;
}
/** Types to buy: cost, number left, abilities. */
function market(tables: Tables, v: View): Tray {
  const items = GERMAN_TYPES.map((type, n): TrayItem => {
    const i = n as TypeId;
    const k = tables.firstOfType[i]!;
    const bought = Object.keys(v.german).filter(
      (slot) => tables.type[tables.unitNames.indexOf(slot, 0)] === i && v.german[slot]!.hex !== "pool",
    ).length;
    return {
      ...german(tables, v, tables.unitNames[k]!, { hex: "pool" }),
      id: type,
      unit: type,
      name: `${type.toUpperCase()} ${tables.cost[i]} pt`,
      title: `${tables.types[i]!.name}, night equipment ${tables.night[k]}`,
      count: Math.max(1, tables.count[i]! - bought),
      states: tables.count[i]! > bought ? [] : ["spent"],
    };
  });
  return {
    id: "market",
    name: `To buy: ${v.budget} of ${tables.budget} points left`,
    side: "german",
    look: "reinforcements",
    items,
  };
}
function score(tables: Tables, v: View): TrayItem[] {
  const lost = Math.max(
    0,
    tables.count[TRUCK]! -
      Object.entries(v.german).filter(([slot, u]) => u.hex === "exited" && slot.startsWith("truck")).length,
  );
  const count = (id: string, name: string, title: string, value: number): TrayItem => ({
    id,
    kind: "count",
    side: "german",
    name,
    title,
    value,
  });
  return [
    count("exited-count", "units out", "units that left by the exit edge: more than the victory roll wins", v.exited),
    count(
      "trucks",
      "trucks not out",
      `each adds ${tables.rules.victory.perTruckLost} to the victory roll of two dice`,
      lost,
    ),
    ...(v.result === undefined ? [] : [count("roll", "victory roll", "two dice and the trucks lost", v.result)]),
    ...(v.phase === "buy" ? [] : [count("budget", "points left", "points not spent", v.budget)]),
  ];
}
/** Counters of each Soviet type that the player does not know: face down on the map, or in the reserve. */
function unseen(tables: Tables, v: View): TrayItem[] {
  const known = new Set(
    Object.entries(v.soviet)
      .filter(([slot, u]) => !slot.startsWith("?") && u.seen !== false && u.hex !== "reserve")
      .map(([slot]) => slot),
  );
  const rest = new Map<TypeId, number>();
  for (let k = GERMANS; k < UNITS; k++) {
    const type = tables.type[k]!;
    rest.set(type, (rest.get(type) ?? 0) + (known.has(tables.unitNames[k]!) ? 0 : 1));
  }
  return [...rest].map(([type, value]) => ({
    id: tables.types[type]!.type,
    kind: "count",
    side: "soviet",
    name: tables.types[type]!.name,
    title: `${tables.types[type]!.name} counters not yet seen, on the map or in the reserve`,
    value,
  }));
}
