import type { Feature, ObservationSpec, Statics } from "../core/game.js";
import features from "./data/observation.json" with { type: "json" };
import { SUPPORT, type Tables } from "./data.js";

const feature = (f: { name: string; range: number[]; norm: string }): Feature => ({
  name: f.name,
  range: [f.range[0]!, f.range[1]!],
  norm: f.norm,
});

export function observationSpec(t: Tables): ObservationSpec {
  return {
    globals: features.globals.map(feature),
    mapRows: t.grid.ids,
    map: features.map.map(feature),
    unitRows: [
      ...t.armies.map((a) => a.id),
      t.engineer.id,
      t.interceptorId,
      t.partisanId,
      ...t.counters.map((c) => c.id),
    ],
    units: features.units.map(feature),
    decision: features.decision.map(feature),
  };
}

const unit = (x: number): number => (x > 1 ? 1 : x);
const flag = (x: boolean): number => (x ? 1 : 0);

/** What `describe` tells of each row once. */
export function staticTables(t: Tables): Required<Pick<Statics, "map" | "units">> {
  const kinds = ["army", "shock", "engineer", "interceptor", "partisan", "mech", "nonmech", "sec", "support"];
  const row = (strength: number, ...is: string[]): number[] => [
    ...kinds.map((k) => flag(is.includes(k))),
    unit(strength / 12),
  ];
  return {
    map: {
      features: features.static.map.map(feature),
      values: t.grid.ids.map((_, h) => [
        t.forest[h]!,
        t.fort[h]!,
        t.kLine[h]!,
        t.western[h]!,
        flag(t.west.includes(h)),
        flag(h === t.moscow),
        flag(h === t.tula),
        t.guarded[h]!,
      ]),
    },
    units: {
      features: features.static.units.map(feature),
      values: [
        ...t.armies.map((a) => row(a.strength, "army", a.shock ? "shock" : "")),
        row(t.engineer.strength, "engineer"),
        row(0, "interceptor"),
        row(0, "partisan"),
        ...t.counters.map((c) => row(c.cls === SUPPORT ? 0 : 1, kinds[5 + c.cls]!)),
      ],
    },
  };
}
