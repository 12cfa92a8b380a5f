import { columnOf } from "../../core/observation-rows.js";
import features from "../data/observation.json" with { type: "json" };

/** Columns of `globals`, by the names of their features. */
export const GLOBAL = {
  german: columnOf(features.globals, "german"),
  turn: columnOf(features.globals, "turn"),
  turnsLeft: columnOf(features.globals, "turns_left"),
  phase: columnOf(features.globals, "phase_1"), // + phase - 1
  stage: columnOf(features.globals, "stage"),
  actor: columnOf(features.globals, "actor"),
  points: columnOf(features.globals, "points"),
  pointsMissing: columnOf(features.globals, "points_missing"),
  stukasAvailable: columnOf(features.globals, "stukas_available"),
  stukasUsed: columnOf(features.globals, "stukas_used"),
  badWeather: columnOf(features.globals, "bad_weather"),
  ammo: columnOf(features.globals, "german_ammo_short"), // + word of `ammo`
  ownBoxes: columnOf(features.globals, "own_box_1"), // + box of the side; those of the enemy follow
  replacements: columnOf(features.globals, "german_pz_replacements"), // + word of `replacements`
  ownLost: columnOf(features.globals, "own_lost"),
  enemyLost: columnOf(features.globals, "enemy_lost"),
  ownOnMap: columnOf(features.globals, "own_on_map"),
  enemyOnMap: columnOf(features.globals, "enemy_on_map"),
  sovietArmyLeader: columnOf(features.globals, "soviet_army_leader"),
  germanArmyLeader: columnOf(features.globals, "german_army_leader"),
  dates: columnOf(features.globals, "from_turn_4"), // + place in DATES
  firstTurn: columnOf(features.globals, "turn_1"),
  turnEven: columnOf(features.globals, "turn_even"),
  windowOpen: columnOf(features.globals, "window_open"),
  accelerated: columnOf(features.globals, "accelerated"),
  lastDie: columnOf(features.globals, "last_die"),
  lastResult: columnOf(features.globals, "last_result"),
} as const;

/** Columns of a row of `map`. */
export const MAP = {
  ownStackUnits: columnOf(features.map, "own_stack_units"),
  ownOthers: columnOf(features.map, "own_others"),
  enemyCounters: columnOf(features.map, "enemy_counters"),
  enemyIdentified: columnOf(features.map, "enemy_identified"),
  ownAf: columnOf(features.map, "own_af"),
  ownDf: columnOf(features.map, "own_df"),
  enemyAf: columnOf(features.map, "enemy_af"),
  enemyDf: columnOf(features.map, "enemy_df"),
  ownZoc: columnOf(features.map, "own_zoc"),
  enemyZoc: columnOf(features.map, "enemy_zoc"),
  enemyZocUnknown: columnOf(features.map, "enemy_zoc_unknown"),
  noZocAnnounced: columnOf(features.map, "no_zoc_announced"),
  ownPinned: columnOf(features.map, "own_pinned"),
  ownSpent: columnOf(features.map, "own_spent"),
  enemyPinned: columnOf(features.map, "enemy_pinned"),
  enemySpent: columnOf(features.map, "enemy_spent"),
  attackMarker: columnOf(features.map, "attack_marker"),
  attackResolved: columnOf(features.map, "attack_resolved"),
  breakthru: columnOf(features.map, "breakthru"),
  ownExplosions: columnOf(features.map, "own_explosions"),
  enemyExplosions: columnOf(features.map, "enemy_explosions"),
  interdiction: columnOf(features.map, "interdiction"),
  ownFort: columnOf(features.map, "own_fort"),
  enemyFort: columnOf(features.map, "enemy_fort"),
  ownMine: columnOf(features.map, "own_mine"),
  enemyMine: columnOf(features.map, "enemy_mine"),
  bridge: columnOf(features.map, "bridge"),
  enemyBacks: columnOf(features.map, "enemy_backs"),
  seen: columnOf(features.map, "seen"),
  focus: columnOf(features.map, "focus"),
  ownOutOfSupply: columnOf(features.map, "own_out_of_supply"),
  way: columnOf(features.map, "way"),
} as const;

/** Columns of a row of `units`. */
export const UNIT = {
  identified: columnOf(features.units, "identified"),
  column: columnOf(features.units, "column"),
  row: columnOf(features.units, "row"),
  box: columnOf(features.units, "box"),
  dead: columnOf(features.units, "dead"),
  notArrived: columnOf(features.units, "not_arrived"),
  pinned: columnOf(features.units, "pinned"),
  spent: columnOf(features.units, "spent"),
  faceUp: columnOf(features.units, "face_up"),
  dismounted: columnOf(features.units, "dismounted"),
  ordered: columnOf(features.units, "ordered"),
  fired: columnOf(features.units, "fired"),
  unready: columnOf(features.units, "unready"),
  outOfSupply: columnOf(features.units, "out_of_supply"),
  task: columnOf(features.units, "task"),
  picked: columnOf(features.units, "picked"),
} as const;

/** Columns of `decision`. */
export const ASKED = {
  kind: columnOf(features.decision, "setup.place"), // + kind of decision
  picks: columnOf(features.decision, "picks"),
  needed: columnOf(features.decision, "needed"),
  pickedAf: columnOf(features.decision, "picked_af"),
  pickedDf: columnOf(features.decision, "picked_df"),
  column: columnOf(features.decision, "column"),
  pointsMissing: columnOf(features.decision, "points_missing"),
  modifiers: columnOf(features.decision, "modifiers"),
  mp: columnOf(features.decision, "mp"),
  shots: columnOf(features.decision, "shots"),
  walk: columnOf(features.decision, "walk"),
  interrupt: columnOf(features.decision, "interrupt"),
  focusColumn: columnOf(features.decision, "focus_column"),
  focusRow: columnOf(features.decision, "focus_row"),
  focusTerrain: columnOf(features.decision, "focus_terrain"),
  depth: columnOf(features.decision, "depth"),
} as const;

/** Widths of a row of `map`, of `units`. */
export const MAP_FEATURES = features.map.length;
export const UNIT_FEATURES = features.units.length;
