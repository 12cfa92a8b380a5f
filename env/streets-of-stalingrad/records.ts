import type { StateView } from "../core/layout.js";

/** Kinds of dice records that this stage of the game makes. */
export const ROLLS = [
  "attack",
  "defense",
  "opportunity",
  "ica",
  "aa",
  "bombardment",
  "leader",
  "wound",
  "nkvd",
  "tank",
  "eastbank",
  "flotilla",
  "ammo",
  "weather",
  "breakdown",
  "stukas",
  "dog",
  "infiltration",
  "infiltration-fire",
] as const;
export const ROLL_ATTACK = 0;
export const ROLL_DEFENSE = 1;
export const ROLL_OPPORTUNITY = 2;
export const ROLL_ICA = 3;
export const ROLL_AA = 4;
export const ROLL_BOMBARDMENT = 5;
export const ROLL_LEADER = 6;
export const ROLL_WOUND = 7;
export const ROLL_NKVD = 8;
export const ROLL_TANK = 9;
export const ROLL_EASTBANK = 10;
export const ROLL_FLOTILLA = 11;
export const ROLL_AMMO = 12;
export const ROLL_WEATHER = 13;
export const ROLL_BREAKDOWN = 14;
export const ROLL_STUKAS = 15;
export const ROLL_DOG = 16;
export const ROLL_INFILTRATION = 17;
export const ROLL_INFILTRATION_FIRE = 18;
/** What a mine dog makes of its target. */
export const HITS = ["-", "hit"] as const;
/** What a die makes of the weather. */
export const WEATHERS = ["good", "bad"] as const;
/** What becomes of a tank that throws. */
export const STAYS_ON = ["-", "immobilized"] as const;
/** What becomes of a tank that may break down. */
export const RUNS_ON = ["-", "immobilized", "lost"] as const;
/** What becomes of an NKVD unit that throws. */
export const HOLDS = ["stays", "removed"] as const;
/** Modifiers in the order of their fields in a record. */
export const DRMS = [
  "terrain",
  "oos",
  "fort",
  "assault",
  "disrupted",
  "volga",
  "armor-target",
  "combined-arms",
  "engineer",
  "lwop",
  "sniper",
  "integ-armor",
  "spot",
  "if-support",
  "leader-spot",
  "interdict-own",
  "nkvd",
  "leader",
  "enemy-leader",
  "target-leader",
  "adjacent-leader",
  "integ-bn-good",
  "integ-bn-bad",
  "integ-rg-good",
  "integ-rg-bad",
  "integ-div-good",
  "integ-div-bad",
  "volga-target",
  "date",
  "lwop-mamayev",
  "on-minefield",
  "target-minefield",
] as const;
export const DRM_TERRAIN = 0;
export const DRM_OOS = 1;
export const DRM_FORT = 2;
export const DRM_ASSAULT = 3;
export const DRM_DISRUPTED = 4;
export const DRM_VOLGA = 5;
export const DRM_ARMOR_TARGET = 6;
export const DRM_COMBINED_ARMS = 7;
export const DRM_ENGINEER = 8;
export const DRM_LWOP = 9;
export const DRM_SNIPER = 10;
export const DRM_INTEG_ARMOR = 11;
export const DRM_SPOT = 12;
export const DRM_IF_SUPPORT = 13;
export const DRM_LEADER_SPOT = 14;
export const DRM_INTERDICT_OWN = 15;
export const DRM_NKVD = 16;
export const DRM_LEADER = 17;
export const DRM_ENEMY_LEADER = 18;
export const DRM_TARGET_LEADER = 19;
export const DRM_ADJACENT_LEADER = 20;
export const DRM_BATTALION_GOOD = 21;
export const DRM_BATTALION_BAD = 22;
export const DRM_REGIMENT_GOOD = 23;
export const DRM_REGIMENT_BAD = 24;
export const DRM_DIVISION_GOOD = 25;
export const DRM_DIVISION_BAD = 26;
export const DRM_VOLGA_TARGET = 27;
export const DRM_DATE = 28;
export const DRM_LWOP_HILL = 29;
export const DRM_ON_MINES = 30;
export const DRM_TARGET_MINES = 31;

/** Most dice of an action. */
export const RECORDS = 16;
export const RECORD_WORDS = 11;
/** Words of a record. */
export const R_KIND = 0;
/** Hex + 1, 0 none. */
export const R_HEX = 1;
export const R_POINTS = 2;
/** Column of the combat results table, from `WBBT_COLUMN` on of the bombardment table; of boxes its own table. */
export const R_COLUMN = 3;
export const WBBT_COLUMN = 16;
export const R_DIE = 4;
export const R_MDR = 5;
export const R_RESULT = 6;
/** Result of fire at a box: batteries pinned, above them those eliminated. Rule: SOS 14.54 */
export const eastResult = (pinned: number, eliminated: number): number => pinned | (eliminated << 4);
export const pinnedIn = (result: number): number => result & 15;
export const eliminatedIn = (result: number): number => result >> 4;
/** Modifiers, eight a word in four words, four bits each with a sign; of a counter-attack their sum. */
export const R_DRMS = 7;

/** Modifier `i` of a record that is no counter-attack. */
export const drmOf = (s: StateView, record: number, i: number): number =>
  (s[record + R_DRMS + (i >> 3)]! << (28 - 4 * (i & 7))) >> 28;
