import type { Feature, ObservationSpec } from "../../core/game.js";
import { columnOf } from "../../core/observation-rows.js";
import file from "../data/observation.json" with { type: "json" };
import { CHIT_KINDS } from "../data.js";
import type { Data } from "../data.js";
import { decisions } from "../decisions/index.js";

const features = (list: readonly { name: string; range: number[]; norm: string }[]): Feature[] =>
  list.map((f) => ({ name: f.name, range: [f.range[0]!, f.range[1]!], norm: f.norm }));

/** The tensors, feature by feature, from `data/observation.json`. */
export const observationSpec = (data: Data): ObservationSpec => ({
  globals: features(file.globals),
  mapRows: data.areaIds,
  map: features(file.map),
  unitRows: data.unitIds,
  units: features(file.units),
  decision: [...kinds, ...features(file.decision)],
});

const kinds = decisions.features("kind ").slice(1);
const at = (name: string): number => kinds.length + columnOf(file.decision, name);

/** Where the features of `decision` begin that follow the kinds: the first of each row of them. */
export const DECISION_COLUMN = {
  focus: at("focus A"),
  selected: at("selected I/194"),
  chit: at(`chit ${CHIT_KINDS[0]!}`),
  mp: at("MP left"),
  firstStep: at("first step"),
  germanDice: at("German die 1"),
  sovietDice: at("Soviet die 1"),
  germanTotal: at("German total"),
  sovietTotal: at("Soviet total"),
  sovietHits: at("Soviet hits left"),
  germanHits: at("German hits left"),
  hitKind: at("hit is regular"),
  stuka: at("Stuka here"),
  schwere: at("Schwere Angriff here"),
  pionier: at("Pioniers committed"),
  engineer: at("Engineers committed"),
  command: at("command modifier is -1"),
} as const;

/** Columns of a row of `map`, of `units`. */
export const MAP_COLUMNS = file.map.length;
export const UNIT_COLUMNS = file.units.length;
export const KINDS = CHIT_KINDS.length;

/** Columns of the counts per area. */
export const COUNT = {
  cv: 0,
  hq: 1,
  armor: 2,
  pionier: 3,
  suppressed: 4,
  depleted: 5,
  downUnits: 6,
  downCv: 7,
  upUnits: 8,
  upCv: 9,
  downChits: 10,
  up: 11,
  down: 18,
  size: 25,
} as const;

/** Face-up chits in the order of their features, by kind code, and the value of one. */
export const SHOWN = ["strongpoint", "artillery", "counterattack", "molotov", "sniper", "ambush", "dummy"].map((k) =>
  CHIT_KINDS.indexOf(k as (typeof CHIT_KINDS)[number]),
);
export const SHOWN_MOST = [1, 3, 2, 3, 3, 3, 2];

export const clip = (n: number, most: number): number => (n >= most ? 1 : n / most);
