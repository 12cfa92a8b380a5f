import type { Counter, CounterState } from "../../core/scene.js";
import { type UnitEntity, unitSymbol } from "../../core/symbol-codes.js";
import type { View, UnitDoc } from "./view.js";
import { type Tables, GERMANS } from "../data.js";
import { titleOf } from "../events/words.js";

export const ENTITY: Readonly<Record<string, UnitEntity>> = {
  vs: "infantry",
  panther: "armor",
  gren: "infantry",
  jagd: "antitank",
  stug: "self-propelled-artillery",
  marder: "antitank",
  sdk: "armored-infantry",
  truck: "transport",
  rifle: "infantry",
  atgun: "antitank",
  t34: "armor",
  hunter: "engineer",
};
export function counters(tables: Tables, v: View): Counter[] {
  const list: Counter[] = [];
  const onMap = new Set(tables.ids);
  for (const [slot, u] of Object.entries(v.german)) if (onMap.has(u.hex)) list.push(german(tables, v, slot, u, u.hex));
  for (const [slot, u] of Object.entries(v.soviet)) {
    if (!onMap.has(u.hex)) continue;
    if (slot.startsWith("?"))
      list.push({
        id: `contact-${u.hex}`,
        kind: "counter",
        place: u.hex,
        side: "soviet",
        title: u.count === undefined ? "a contact: a Soviet counter face down" : `${u.count} contacts`,
        back: {},
        ...(u.count === undefined ? {} : { count: u.count }),
      });
    else list.push(soviet(tables, slot, u, u.hex));
  }
  v.columns.forEach((hex, c) => {
    if (onMap.has(hex))
      list.push({
        id: `column-${c + 1}`,
        kind: "counter",
        place: hex,
        side: "soviet",
        glyph: "convoy",
        name: `column ${c + 1}`,
        title: `Soviet column ${c + 1} on the march`,
      });
  });
  for (const [hex, count] of Object.entries(v.wrecks))
    list.push({
      id: `wreck-${hex}`,
      kind: "counter",
      place: hex,
      glyph: "wreck",
      title: count === 1 ? "a wreck" : `${count} wrecks`,
      count,
    });
  for (const hex of v.flares)
    list.push({ id: `flare-${hex}`, kind: "counter", place: hex, glyph: "flare", title: "a flare" });
  return list;
}
function statesOf(v: View, slot: string, u: UnitDoc): CounterState[] {
  return [
    ...(v.active?.unit === slot ? (["active"] as const) : []),
    ...(u.moved === true ? (["moved"] as const) : []),
    ...(u.fired === true ? (["fired"] as const) : []),
    ...(u.supp === true ? (["suppressed"] as const) : []),
    ...(u.seen === false ? (["hidden"] as const) : []),
    ...(v.ace === slot ? (["elite"] as const) : []),
  ];
}
export function german(tables: Tables, v: View, slot: string, u: UnitDoc, place?: string): Counter {
  const k = tables.unitNames.indexOf(slot, 0);
  const { type, name } = tables.types[tables.type[k]!]!;
  const what = titleOf(tables, k).startsWith(name) ? "" : ` (${name})`;
  const restored = v.reinstated[type] === true;
  const range = restored ? tables.restoredRange[k]! : tables.range[k]!;
  const mp = v.active?.unit === slot && v.active.mp !== undefined ? `, ${v.active.mp} movement points left` : "";
  return {
    id: slot,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "german",
    unit: slot,
    symbol: unitSymbol(ENTITY[type]!, type === "gren" || type === "vs" ? "platoon" : "section"),
    name: slot.replace("-", " ").toUpperCase(),
    title: `${titleOf(tables, k)}${what}, night equipment ${tables.night[k]}${restored ? ", gun restored" : ""}${mp}`,
    values: [
      { name: "strength", value: tables.strength[k]! },
      { name: "range", value: range },
      { name: "movement points", value: tables.mp[k]! },
    ],
    states: statesOf(v, slot, u),
  };
}
export function soviet(tables: Tables, slot: string, u: UnitDoc, place?: string): Counter {
  const k = tables.unitNames.indexOf(slot, GERMANS);
  const { type, name } = tables.types[tables.type[k]!]!;
  const entity = ENTITY[type];
  return {
    id: slot,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "soviet",
    unit: slot,
    ...(entity === undefined ? { glyph: "dummy" as const } : { symbol: unitSymbol(entity, "platoon") }),
    name: slot.replace("-", " ").toUpperCase(),
    // by its type alone: what a face-down counter can be is counted by what counters are called here
    title: name,
    values: [
      { name: "strength", value: tables.strength[k]! },
      { name: "range", value: tables.range[k]! },
    ],
    states: [...(u.supp === true ? (["suppressed"] as const) : []), ...(u.seen === false ? (["hidden"] as const) : [])],
  };
}
