import type { Tray, TrayItem } from "../../core/scene.js";
import type { Tables } from "../data.js";
import { CLASSES } from "../data/schema.js";
import { armyCounter, CLASS_NAMES, germanCounter } from "./counters.js";
import type { View } from "./view.js";

export function trays(tables: Tables, v: View): Tray[] {
  const list: Tray[] = [];
  if (v.battle !== undefined) list.push(battleTray(tables, v));
  list.push({
    id: "checks",
    name: "What the checks need",
    side: "soviet",
    look: "resources",
    items: checks(tables, v),
  });
  const off = tables.armies.filter((a) => !tables.ids.includes(v.armies[a.id]!.hex));
  if (off.length > 0)
    list.push({
      id: "off-map",
      name: "Armies off the map",
      side: "soviet",
      look: "reinforcements",
      items: off.map((a) => armyCounter(tables, v, a.id)),
    });
  list.push({
    id: "soviet",
    name: "Soviet means",
    side: "soviet",
    look: "resources",
    items: [
      {
        id: "interceptor",
        kind: "card",
        name: tables.interceptorId,
        title: "VI Interceptor Corps, once a turn",
        glyph: "aircraft",
        state: v.battle?.interceptor === true ? "active" : v.interceptor === "ready" ? "ready" : "used",
      },
      {
        id: "replacements",
        kind: "count",
        name: "replacements",
        title: "steps that may be replaced now",
        value: v.replacements,
      },
    ],
  });
  const unseen = unseenByClass(tables, v);
  list.push({
    id: "pool",
    name: "German pool and markers",
    side: "german",
    look: "pool",
    items: [
      {
        id: "size",
        kind: "count",
        name: "in the pool",
        title: "German counters in the pool; none left ends the game at once",
        value: v.poolSize,
      },
      {
        id: "markers",
        kind: "count",
        name: "under markers",
        title: "counters that are face down on the map",
        value: Object.keys(v.front).length,
      },
      ...unseen.map((n, i): TrayItem => ({
        id: CLASSES[i]!,
        kind: "count",
        name: CLASS_NAMES[i]!,
        title: `${CLASS_NAMES[i]!} counters that are in the pool or under a marker`,
        value: n,
      })),
    ],
  });
  const boxes = Object.entries(v.track).flatMap(([turn, ids]) => ids.map((id) => ({ turn, id })));
  if (boxes.length > 0)
    list.push({
      id: "boxes",
      name: "Back in the pool on their turn",
      side: "german",
      look: "reinforcements",
      items: boxes.map(({ turn, id }) => ({
        ...germanCounter(tables, id),
        values: [{ name: "turn", value: `T${turn}` }],
      })),
    });
  if (v.removed.length > 0)
    list.push({
      id: "removed",
      name: "Out of the game",
      side: "german",
      look: "losses",
      items: v.removed.map((id) => germanCounter(tables, id)),
    });
  return list;
}
function battleTray(tables: Tables, v: View): Tray {
  const b = v.battle!;
  return {
    id: "battle",
    name: `Battle in ${b.hex}, round ${b.round}`,
    side: "german",
    look: "battle",
    items: [
      ...b.units.map((id) => germanCounter(tables, id)),
      ...b.support.map((id) => germanCounter(tables, id)),
      ...(b.hits > 0
        ? [
            {
              id: "hits",
              kind: "count" as const,
              side: "soviet",
              name: b.hits === 1 ? "hit to take" : "hits to take",
              title: "hits on the Germans that the player distributes",
              value: b.hits,
            },
          ]
        : []),
    ],
  };
}
function checks(tables: Tables, v: View): TrayItem[] {
  const count = (ids: readonly string[]): number => ids.filter((id) => v.control[id] === "german").length;
  const beside = count(tables.ids.filter((_, h) => tables.guarded[h] === 1));
  const lines = tables.ids.filter((_, h) => tables.kLine[h] === 1).length;
  return [
    {
      id: "beside",
      kind: "count",
      name: "beside Moscow, Tula",
      title: "German hexes beside Moscow or Tula: none may be left at the end of turn 1",
      value: beside,
    },
    {
      id: "k-line",
      kind: "count",
      name: "K-Line",
      title: `K-Line hexes held; ${tables.kRequired} are needed at the end of turn 3`,
      value: v.kCount,
      of: lines,
      need: tables.kRequired,
    },
    {
      id: "forts",
      kind: "count",
      name: "fortified",
      title: `fortified localities held; ${tables.win.fortified} win, ${tables.draw.fortified} draw`,
      value: v.forts,
      of: tables.win.fortified,
      need: tables.win.fortified,
    },
    {
      id: "west",
      kind: "count",
      name: "western hexes",
      title: `western hexes held; ${tables.win.west} win, ${tables.draw.west} draw`,
      value: v.west,
      of: tables.win.west,
      need: tables.win.west,
    },
  ];
}
/** Counters of unknown place, by class: in the pool or under a marker. */
function unseenByClass(tables: Tables, v: View): number[] {
  const seen = new Set([
    ...v.removed,
    ...Object.values(v.track).flat(),
    ...Object.values(v.garrisons).flat(),
    ...(v.battle?.units ?? []),
    ...(v.battle?.support ?? []),
  ]);
  return CLASSES.map((_, k) => tables.counters.filter((c) => c.cls === k && !seen.has(c.id)).length);
}
