import { counted } from "../../core/words.js";
import type { Counter, Glyph } from "../../core/scene.js";
import { type UnitEntity, unitSymbol } from "../../core/symbol-codes.js";
import type { View } from "./view.js";
import type { Tables } from "../data.js";

export const ENTITY: Readonly<Record<string, UnitEntity>> = {
  panzer: "armor",
  panzergrenadier: "armored-infantry",
  infantry: "infantry",
  security: "security",
  cavalry: "reconnaissance",
};
export const SUPPORT_GLYPH: Readonly<Record<string, Glyph>> = {
  raid: "raid",
  guderian: "leader",
  elefant: "partisan",
  rotkopf: "flag",
  fk8: "aircraft",
};
export const CLASS_NAMES = ["mechanised", "not mechanised", "security", "support"] as const;
export function armies(tables: Tables, v: View): Counter[] {
  const list: Counter[] = [];
  for (const a of tables.armies) {
    const now = v.armies[a.id]!;
    if (!tables.ids.includes(now.hex)) continue;
    list.push(armyCounter(tables, v, a.id, now.hex));
    if (v.engineer.host === a.id)
      list.push({
        id: tables.engineer.id,
        kind: "counter",
        place: now.hex,
        side: "soviet",
        unit: tables.engineer.id,
        symbol: unitSymbol("engineer", "army"),
        name: tables.engineer.id,
        title: tables.engineer.name,
        values: [{ name: "dice", value: v.engineer.steps }],
      });
  }
  if (tables.ids.includes(v.partisan))
    list.push({
      id: tables.partisanId,
      kind: "counter",
      place: v.partisan,
      side: "soviet",
      unit: tables.partisanId,
      glyph: "partisan",
      title: "partisans, airborne troops and cavalry",
    });
  return list;
}
export function armyCounter(tables: Tables, v: View, id: string, place?: string): Counter {
  const army = tables.armies.find((a) => a.id === id)!;
  const now = v.armies[id]!;
  const active = v.active?.army === id;
  return {
    id,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "soviet",
    unit: id,
    symbol: unitSymbol("infantry", "army"),
    name: army.shock ? `${id} Shock`.replace("S Shock", " Shock") : id,
    title: army.name,
    values: [
      { name: "dice", value: now.steps },
      ...(active ? [{ name: "movement points left", value: v.active!.mp }] : []),
    ],
    steps: { left: now.steps, of: army.strength },
    states: [
      ...(active ? (["active"] as const) : []),
      ...(now.stopped ? (["stopped"] as const) : []),
      ...(now.fired ? (["fired"] as const) : []),
      ...(place === undefined && now.hex === "dead" ? (["dead"] as const) : []),
    ],
  };
}
export function germans(tables: Tables, v: View): Counter[] {
  const list: Counter[] = [];
  for (const [hex, under] of Object.entries(v.front)) {
    if (under !== "?") {
      list.push({ ...germanCounter(tables, under, hex), states: ["hidden"] });
      continue;
    }
    const later = Object.values(v.entered).filter((clock) => clock > (v.placed[hex] ?? 0)).length;
    list.push({
      id: `marker-${hex}`,
      kind: "counter",
      place: hex,
      side: "german",
      title:
        later === 0
          ? "face-down German marker"
          : `face-down German marker; none of the last ${counted(later, "counter")} added to the pool`,
      back: later === 0 ? {} : { age: later },
    });
  }
  for (const [hex, units] of Object.entries(v.garrisons))
    for (const id of units) list.push(germanCounter(tables, id, hex));
  return list;
}
export function germanCounter(tables: Tables, id: string, place?: string): Counter {
  const c = tables.counters.find((x) => x.id === id)!;
  const support = SUPPORT_GLYPH[c.type];
  const short = id.slice(id.indexOf("-") + 1).toUpperCase();
  return {
    id,
    kind: "counter",
    ...(place === undefined ? {} : { place }),
    side: "german",
    unit: id,
    ...(support === undefined
      ? { symbol: unitSymbol(ENTITY[c.type] ?? "infantry", id.startsWith("reg-") ? "regiment" : "division") }
      : { glyph: support }),
    name: support === undefined ? short : c.name,
    title: `${c.name}, ${CLASS_NAMES[c.cls]!}`,
  };
}
