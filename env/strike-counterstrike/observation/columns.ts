/** Columns of the features in their tensors, and the layout of a row's cache. */

/** Columns of `globals`. */
export const GLOBAL = {
  turn: 0,
  turnOneHot: 0, // + turn, 1..6
  mp: 7,
  replacements: 8,
  pool: 9,
  faceDown: 10,
  unseenOfClass: 11, // + class, support included
  unseenOfKind: 14, // + kind of support but Raids, from 1
  unseenRaids: 19,
  returning: 20,
  interceptorReady: 21,
  kLine: 22,
  fortified: 23,
  western: 24,
  beside: 25,
  armySteps: 26,
  engineerSteps: 27,
  guderianOut: 28,
  partisanOnMap: 29,
  partisanOnTrack: 30,
  withdrawn: 31,
} as const;

/** Columns of `decision`. */
export const DECISION = {
  phase: 0, // + phase
  breakIn: 11,
  round: 12,
  hits: 13,
  enemyOfClass: 14, // + class
  supportOfKind: 16, // + kind of support but Raids, from 1
  raids: 21,
  committed: 22,
  armySlot: 23,
  withEngineer: 24,
  mp: 25,
  pocket: 26,
  firstFire: 27,
} as const;

/** Columns of `map`. */
export const MAP = {
  soviet: 0,
  mainArea: 1,
  marker: 2,
  garrison: 3,
  garrisonOfClass: 4, // + class
  army: 7,
  armySteps: 8,
  shock: 9,
  engineer: 10,
  stopped: 11,
  active: 12,
  battle: 13,
  origin: 14,
  cut: 15,
  pocket: 16,
  target: 17,
  width: 18,
} as const;

/** Columns of `units`. */
export const UNIT = {
  steps: 0,
  onMap: 1,
  column: 2,
  row: 3,
  stopped: 4,
  fired: 5,
  active: 6,
  out: 7,
  nextBox: 8,
  laterBox: 9,
  unseen: 10,
  inBattle: 11,
  inGarrison: 12,
  mayBeInPool: 13,
  width: 14,
} as const;

/** Single words at the start of a row's cache; words by hex, army and counter follow (`cacheLayout`). */
export const CACHED = {
  written: 0, // 1: the row has been written before
  partisanHex: 1, // hex + 1 that the partisan marker holds alone
  battleHex: 2, // hex + 1, as in the state
  originHex: 3,
  pocket: 4, // 1: some hex is in the cut set of the battle
  targets: 5, // hex + 1 whose neighbours are all that may be targets, 0 none, -1 any hex
  engineer: 6, // the word of its host, or -1 - its steps
  interceptor: 7,
  partisan: 8, // where the partisan marker is
  openOfClass: 9, // + class: counters that are face up
  width: 13,
} as const;

/** The cached word of an army: lowest bit of each part. `data/schema.ts` keeps data within them. */
export const ARMY_WORD = {
  hex: 0, // hex + 1, 0 none
  steps: 10,
  engineer: 17,
  stopped: 23,
  fired: 24,
  active: 25,
  inBattle: 26,
  out: 27,
  nextBox: 28,
  laterBox: 29,
} as const;
/** Takes the hex out of the word of an army or a counter. */
export const HEX_MASK = 1023;

/** The cached word of a counter: one of these, with its hex added in a garrison or a battle. */
export const COUNTER_WORD = {
  unseen: 0,
  underMarker: 1, // unseen, and surely not in the pool
  out: 2,
  nextBox: 3,
  laterBox: 4,
  garrison: 1024,
  battle: 2048,
} as const;

/** Where the words of a row's cache begin that come by hex, army and counter, and its length. */
export interface CacheLayout {
  readonly german: number;
  readonly cutting: number;
  readonly marked: number;
  readonly garrisoned: number;
  readonly armies: number;
  readonly open: number;
  readonly counters: number;
  readonly size: number;
}

export function cacheLayout(hexWords: number, armies: number, counterWords: number, counters: number): CacheLayout {
  const german = CACHED.width;
  const cutting = german + hexWords;
  const marked = cutting + hexWords;
  const garrisoned = marked + hexWords;
  const armyWords = garrisoned + hexWords;
  const open = armyWords + armies;
  const counterStart = open + counterWords;
  return {
    german,
    cutting,
    marked,
    garrisoned,
    armies: armyWords,
    open,
    counters: counterStart,
    size: counterStart + counters,
  };
}
