import type { Feature, ObservationSpec, Statics } from "../../core/game.js";
import features from "../data/observation.json" with { type: "json" };
import { SUPPORT, type CompiledData } from "../data.js";
import type { StrikeDecisions } from "../decisions/index.js";

const feature = (f: { name: string; range: number[]; norm: string }): Feature => ({
  name: f.name,
  range: [f.range[0]!, f.range[1]!],
  norm: f.norm,
});

export function observationSpec(tables: CompiledData, decisions: StrikeDecisions): ObservationSpec {
  return {
    globals: features.globals.map(feature),
    mapRows: tables.ids,
    map: features.map.map(feature),
    unitRows: [
      ...tables.armies.map((a) => a.id),
      tables.engineer.id,
      tables.interceptorId,
      tables.partisanId,
      ...tables.counters.map((c) => c.id),
    ],
    units: features.units.map(feature),
    decision: [...decisions.features("phase_"), ...features.decision.map(feature)],
  };
}

const clipped = (x: number): number => (x > 1 ? 1 : x);
const flag = (x: boolean): number => (x ? 1 : 0);

/** Constant features of each row, for `describe`. */
export function staticTables(tables: CompiledData): Required<Pick<Statics, "map" | "units">> {
  const kinds = ["army", "shock", "engineer", "interceptor", "partisan", "mech", "nonmech", "sec", "support"];
  const row = (strength: number, ...is: string[]): number[] => [
    ...kinds.map((k) => flag(is.includes(k))),
    clipped(strength / 12),
  ];
  return {
    map: {
      features: features.static.map.map(feature),
      values: tables.ids.map((_, h) => [
        tables.forest[h]!,
        tables.fort[h]!,
        tables.kLine[h]!,
        tables.western[h]!,
        flag(tables.west.includes(h)),
        flag(h === tables.moscow),
        flag(h === tables.tula),
        tables.guarded[h]!,
      ]),
    },
    units: {
      features: features.static.units.map(feature),
      values: [
        ...tables.armies.map((a) => row(a.strength, "army", a.shock ? "shock" : "")),
        row(tables.engineer.strength, "engineer"),
        row(0, "interceptor"),
        row(0, "partisan"),
        ...tables.counters.map((c) => row(c.cls === SUPPORT ? 0 : 1, kinds[5 + c.cls]!)),
      ],
    },
  };
}
