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

/** Columns of `globals`, by the names of their features. */
export const GLOBAL = {
  solo: columnOf(file.globals, "solo"), // + option
  turn: columnOf(file.globals, "turn"),
  turnOneHot: columnOf(file.globals, "turn is 1"), // + turn - 1
  stuka: columnOf(file.globals, "Stuka ready"),
  schwere: columnOf(file.globals, "Schwere Angriff unused"),
  phase: columnOf(file.globals, "phase is setup"), // + phase
  sovietObserver: columnOf(file.globals, "observer is S"),
  observerDecides: columnOf(file.globals, "observer decides"),
  chitsLeft: columnOf(file.globals, "sniper chits left"), // + kind of chit
  pile: columnOf(file.globals, "pile"),
  chitsDown: columnOf(file.globals, "face-down chits on the map"),
  waitingSoviets: columnOf(file.globals, "waiting Soviet units"),
  germansOnMap: columnOf(file.globals, "German units on the map"),
  sovietDead: columnOf(file.globals, "Soviet dead"),
  firstGoal: columnOf(file.globals, "7 is German"),
  secondGoal: columnOf(file.globals, "8 is German"),
  firstGoalJoined: columnOf(file.globals, "7 joined to an entry area"),
  secondGoalJoined: columnOf(file.globals, "8 joined to an entry area"),
  pendingCombats: columnOf(file.globals, "pending combats"),
  sovietCounters: columnOf(file.globals, "Soviet counters on the map"),
} as const;

/** Columns of a row of `map`. */
export const MAP = {
  lettered: columnOf(file.map, "lettered"),
  stars: columnOf(file.map, "stars"),
  germanControl: columnOf(file.map, "German control"),
  sovietControl: columnOf(file.map, "Soviet control"),
  contested: columnOf(file.map, "Contested"),
  germanUnits: columnOf(file.map, "German units"),
  germanCV: columnOf(file.map, "German CV"),
  germanHQs: columnOf(file.map, "German HQs"),
  germanArmour: columnOf(file.map, "German armour"),
  pioniers: columnOf(file.map, "Pioniers"),
  suppressedGermans: columnOf(file.map, "suppressed Germans"),
  depletedGermans: columnOf(file.map, "depleted Germans"),
  faceDownSovietCounters: columnOf(file.map, "face-down Soviet counters"),
  faceDownChits: columnOf(file.map, "face-down chits"),
  faceUpSovietUnits: columnOf(file.map, "face-up Soviet units"),
  faceUpSovietCV: columnOf(file.map, "face-up Soviet CV"),
  faceUpChit: columnOf(file.map, "face-up strongpoint"), // + place in SHOWN
  ownFaceDownUnits: columnOf(file.map, "own face-down units"),
  ownFaceDownCV: columnOf(file.map, "own face-down CV"),
  ownFaceDownChit: columnOf(file.map, "own face-down sniper"), // + kind of chit
  combatPending: columnOf(file.map, "combat pending"),
  freeBreakthrough: columnOf(file.map, "free breakthrough"),
  focus: columnOf(file.map, "in focus"),
  toFirstGoal: columnOf(file.map, "distance to 7"),
  toSecondGoal: columnOf(file.map, "distance to 8"),
  joined: columnOf(file.map, "joined to an entry area"),
  landingChain: columnOf(file.map, "in the landing chain"),
  closedForCommand: columnOf(file.map, "closed for command"),
} as const;

/** Columns of a row of `units`. */
export const UNIT = {
  german: columnOf(file.units, "German"),
  soviet: columnOf(file.units, "Soviet"),
  type: columnOf(file.units, "type infantry"), // + type
  smgCompany: columnOf(file.units, "SMG company"),
  cvFull: columnOf(file.units, "CV full"),
  cvDepleted: columnOf(file.units, "CV depleted"),
  mp: columnOf(file.units, "MP"),
  entryTurn: columnOf(file.units, "entry turn"),
  redCircle: columnOf(file.units, "red circle"),
  future: columnOf(file.units, "future"),
  waiting: columnOf(file.units, "waiting"),
  onMap: columnOf(file.units, "on the map"),
  dead: columnOf(file.units, "dead"),
  unknown: columnOf(file.units, "whereabouts unknown"),
  area: columnOf(file.units, "in A"), // + area
  faceUp: columnOf(file.units, "face-up"),
  revealed: columnOf(file.units, "revealed this turn"),
  depleted: columnOf(file.units, "depleted"),
  suppressed: columnOf(file.units, "suppressed"),
  moved: columnOf(file.units, "moved or tried"),
  brokeThrough: columnOf(file.units, "broke through"),
  commandFailed: columnOf(file.units, "command failed"),
  lastSeen: columnOf(file.units, "last seen in A"), // + area - 1
  turnsSinceSeen: columnOf(file.units, "turns since seen"),
  currentCV: columnOf(file.units, "current CV"),
} as const;

/** Widths of a row of `map`, of `units`. */
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
