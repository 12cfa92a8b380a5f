import { bitWords } from "../core/bits.js";
import type { Brand } from "../core/brand.js";
import { layout } from "../core/layout.js";
import { RECORD_WORDS, RECORDS } from "./records.js";

// dice records are words of the state as well
export * from "./records.js";

/** A hex of the board; below 0 where there is none, as `POOL` or a box. */
export type HexId = Brand<"hex">;
/** The slot of a unit in the roster; below 0 where there is none. */
export type UnitId = Brand<"unit">;

/** Stages of a phase, as positions and observations name them, in their order. */
export const STAGES = [
  "end",
  "plot-first",
  "plot-second",
  "resolve",
  "arrive",
  "breakthrough",
  "normal",
  "deploy",
  "mark",
  "reserves",
  "infiltrate",
  "flotilla",
  "attack",
  "setup",
] as const;
export type StageName = (typeof STAGES)[number];
export const STAGE_END = 0;
export const STAGE_PLOT_FIRST = 1;
export const STAGE_PLOT_SECOND = 2;
export const STAGE_RESOLVE = 3;
export const STAGE_ARRIVE = 4;
export const STAGE_BREAKTHROUGH = 5;
export const STAGE_NORMAL = 6;
export const STAGE_DEPLOY = 7;
export const STAGE_MARK = 8;
export const STAGE_RESERVES = 9;
export const STAGE_INFILTRATE = 10;
export const STAGE_FLOTILLA = 11;
export const STAGE_ATTACK = 12;
/** Phase 1 of the first turn, before everything else. */
export const STAGE_SETUP = 13;

/** Every kind of decision by its number; `walk` is work of the engine and asks nothing. */
export const ASKS = [
  "setup.place",
  "admin.end",
  "admin.ammo",
  "admin.withdraw",
  "admin.exchange",
  "admin.exchange-with",
  "arrive.commit",
  "arrive.replace",
  "arrive.box",
  "arrive.repair",
  "bomb.target",
  "bomb.unit",
  "bomb.table",
  "spot.pick",
  "aa.unit",
  "move.select",
  "move.group",
  "move.task-hex",
  "bt.select",
  "op.fire",
  "op.group",
  "op.table",
  "mark.hex",
  "attack.target",
  "attack.unit",
  "attack.drm",
  "attack.mode",
  "dog.use",
  "dog.target",
  "retreat.unit",
  "retreat.hex",
  "df.target",
  "df.unit",
  "df.table",
  "loss.pick",
  "after.choice",
  "after.unit",
  "after.hex",
  "advance.unit",
  "ica.unit",
  "leader.move",
  "infil.unit",
  "infil.target",
  "rf.place",
  "walk",
] as const;
export type AskName = (typeof ASKS)[number];
export const ASK_SETUP = 0;
export const ASK_ADMIN_END = 1;
export const ASK_AMMO = 2;
export const ASK_WITHDRAW = 3;
export const ASK_EXCHANGE = 4;
export const ASK_EXCHANGE_WITH = 5;
export const ASK_COMMIT = 6;
export const ASK_REPLACE = 7;
export const ASK_ARRIVE_BOX = 8;
export const ASK_REPAIR = 9;
export const ASK_BOMB_TARGET = 10;
export const ASK_BOMB_UNIT = 11;
export const ASK_BOMB_TABLE = 12;
export const ASK_SPOT = 13;
export const ASK_AA = 14;
export const ASK_MOVE_SELECT = 15;
export const ASK_MOVE_GROUP = 16;
export const ASK_TASK_HEX = 17;
export const ASK_BREAKTHROUGH = 18;
export const ASK_OP_FIRE = 19;
export const ASK_OP_GROUP = 20;
export const ASK_OP_TABLE = 21;
export const ASK_MARK = 22;
export const ASK_ATTACK_TARGET = 23;
export const ASK_ATTACK_UNIT = 24;
export const ASK_ATTACK_DRM = 25;
export const ASK_ATTACK_MODE = 26;
export const ASK_DOG = 27;
export const ASK_DOG_TARGET = 28;
export const ASK_RETREAT_UNIT = 29;
export const ASK_RETREAT_HEX = 30;
export const ASK_FIRE_TARGET = 31;
export const ASK_FIRE_UNIT = 32;
export const ASK_FIRE_TABLE = 33;
export const ASK_LOSS = 34;
export const ASK_AFTER_CHOICE = 35;
export const ASK_AFTER_UNIT = 36;
export const ASK_AFTER_HEX = 37;
export const ASK_ADVANCE = 38;
export const ASK_ICA = 39;
export const ASK_LEADER = 40;
export const ASK_INFIL = 41;
export const ASK_INFIL_TARGET = 42;
export const ASK_FLOTILLA = 43;
export const WALK = 44;

/** Places of a unit that are no hex. */
export const POOL = -1;
export const DEAD = -2;
/** A wounded leader who is away until turn n is at `AWAY - n`. Rule: SOS 18.41 */
export const AWAY = -2;
/** Withdrawn, or refused for good. */
export const OUT = -99;
/** Lost in a box: the other side knows how many, and not which. The place is one above the boxes. Rule: SOS 14.81 */
export const UNTOLD = -100;
export const isLost = (place: number): boolean => place === DEAD || place === UNTOLD;
/** Places of the boxes, by their order in `BOXES`: `FIRST_BOX`, then one less each. Rule: SOS 2.14, SOS 2.15 */
const FIRST_BOX = -101;
export const boxPlace = (box: number): number => FIRST_BOX - box;
/** The box of a place, below 0 for a place that is none. */
export const boxOf = (place: number): number => FIRST_BOX - place;
export const isBox = (place: number): boolean => place <= FIRST_BOX;

/** Last turn in which a leader wounded in the last turn could come back. Ruling R85. */
export const LATEST_RETURN = 67 + 11;

/** Bits of `flags` of a unit: its markers, what it did, and what the pending decisions have picked it for. */
export const PINNED = 1;
export const SPENT = 1 << 1;
/** The pin is under an attack marker. Rule: SOS 9.114 */
export const PIN_HELD = 1 << 2;
/** Turned face up for a while. Rule: SOS 7.5, SOS 7.6 */
export const SHOWN = 1 << 3;
/** Its order of this stage has been given. */
export const ORDERED = 1 << 4;
export const OP_FIRED = 1 << 5;
export const DEF_FIRED = 1 << 6;
/** The enemy knows where it is. Ruling R10. */
export const KNOWN = 1 << 7;
/** May move in this reserves phase. Ruling R16. */
export const RESERVE = 1 << 8;
/** Member of the group that moves or is being formed. */
export const GROUP = 1 << 9;
/** Picked to fire in the open window. */
export const FIRING = 1 << 10;
export const ATTACKER = 1 << 11;
/** Has retreated before the combat. */
export const RETREATED = 1 << 12;
/** One of those among whom losses are chosen. */
export const EXPOSED = 1 << 13;
/** Has still to retreat after the combat. */
export const LEFT = 1 << 14;
/** Has advanced. */
export const ENTERED = 1 << 15;
/** Takes part in the instant counter-attack. */
export const COUNTER = 1 << 16;

/** Fights and moves on foot. Rule: SOS 8.71 */
export const DISMOUNTED = 1 << 17;
/** Has dismounted or remounted in this phase. Ruling R70. */
export const MODE_CHANGED = 1 << 18;
/** Has moved and is not ready to fire. Rule: SOS 9.101, ruling R41 */
export const UNREADY = 1 << 19;
/** Member of the group that moved last in the breakthrough stage: it may attack from its hex. Ruling R15. */
export const FRESH = 1 << 20;
/** The next loss is one of these. Rule: SOS 9.58, SOS 9.82 */
export const FIRST_LOSS = 1 << 21;
/** Has fired at Stukas in this phase. Rule: SOS 15.42 */
export const AA_FIRED = 1 << 22;
/**
 * May not move in its side's next movement phase: it spotted, or fired at movers or in defence. Rule: SOS 14.12, SOS
 * 14.95
 */
export const NO_MOVE = 1 << 23;
/** Its indirect fire of this turn is used up. Rule: SOS 14.02 */
export const FIRED_AF = 1 << 24;
/** An OP that moved in this phase or the one before does not spot. Rule: SOS 14.96 */
export const NO_SPOT = 1 << 25;
/** An OP was pinned in this phase: it still spots. Rule: SOS 14.94 */
export const NEW_PIN = 1 << 26;

/** A leader whose last unit in his hex was lost. He goes to another unit when the phase ends. Rule: SOS 18.1 */
export const BEREFT = 1 << 27;
/** Its pin or spent was taken off in the latest action: on the table both sides saw on how many counters one lay. */
export const UNPINNED = 1 << 28;
/** Fired at movers: it is face up until the enemy's next attack phase is over. Rule: SOS 7.6 */
export const LIES_OPEN = 1 << 29;
/**
 * An OP spotted in a movement phase of its own side, for a breakthrough: it may not move in the next one either. Rule:
 * SOS 14.95
 */
export const NO_MOVE_NEXT = 1 << 30;

/**
 * Markers of a whole stack. The enemy does not see which of its face-down counters they affect. Rule: SOS 9.113, SOS
 * 18.14
 */
export const STACK_MARKERS = PINNED | SPENT | PIN_HELD | UNPINNED;

/** Picks of pending decisions; all other flags are markers that stay on a unit between decisions. */
export const PICKS = GROUP | FIRING | ATTACKER | RETREATED | EXPOSED | LEFT | ENTERED | COUNTER | FRESH | FIRST_LOSS;

/**
 * Parts of `extra` of a unit: out-of-supply number, phase of its last opportunity fire, number of its defensive fire
 * from 1, bank of a ravine or wall (map/banks.ts), phase in which an 88 fired indirectly or an OP was lost; 1: not
 * ordered yet, it began the movement phase in an enemy zone of control that its side knows of.
 */
export const OOS_SHIFT = 0;
export const OP_PHASE_SHIFT = 4;
export const FIRE_SHIFT = 8;
export const BANK_SHIFT = 12;
export const GUN_PHASE_SHIFT = 16;
/** Rule: SOS 8.24, ruling R137 */
export const ZONE_SHIFT = 20;

/** Parts of `work` of a unit: the box that a unit on a Volga hex came from + 1. Rule: SOS 8.70 */
export const FROM_SHIFT = 11;
export const FROM_BITS = 3 << FROM_SHIFT;

/** A flotilla unit was on the river in this turn. Rule: SOS 16.52, ruling R106 */
export const USED = 1 << 14;

/** Its indirect fire of this turn is forgone because ammunition is short. Rule: SOS 14.72 */
export const SILENCED = 1 << 13;

/** Cut off when the phase began. Rule: SOS 19.2, SOS 19.5 */
export const ISOLATED = 1 << 22;

/**
 * What engineers do, in the order of their numbers from 1 on: the lowest bits of `work` of who does it. Ruling R109.
 */
export const TASKS = ["bridge", "minefield", "fort", "remove-bridge", "remove-minefield", "remove-fort"] as const;
export const TASK_BRIDGE = 1;
export const TASK_MINE = 2;
export const TASK_FORT = 3;
/** Added to what is built: it is removed. */
export const REMOVES = 3;
/** Has finished a task in this phase, and stays in it. Rule: SOS 17.18, SOS 17.27, SOS 17.37 */
export const RESTS = 7;
export const TASK_BITS = 7;
/** The side of its hex on which it works + 1, 0 in its own hex. */
export const TASK_SIDE_SHIFT = 8;
export const TASK_SIDE_BITS = 7 << TASK_SIDE_SHIFT;

/**
 * Of a passenger while an order is formed or carried out: it rides; it gets off at a waypoint; it is on a transport
 * now. Rule: SOS 16.44, SOS 16.45, ruling R104
 */
export const CARRIED = 1 << 15;
export const UNLOADS = 1 << 23;
export const ABOARD = 1 << 24;
export const RIDES = CARRIED | UNLOADS | ABOARD;
/** Of a transport: it has carried an infantry, engineer or mortar unit in this phase; a leader, OP, dog or sniper. */
export const TOOK_TROOP = 1 << 16;
export const TOOK_CHIEF = 1 << 17;

/** Parts of `hexState`. */
export const MARK_BITS = 3;
export const MARK_ATTACK = 1;
export const MARK_DONE = 2;
/** Taken by a breakthrough attack: no zone of control of the enemy reaches into it. Rule: SOS 10.7 */
export const MARK_BREAKTHRU = 3;
export const ANNOUNCED_SHIFT = 2;
export const ANNOUNCED_NONE = 1;
export const ANNOUNCED_ZOC = 2;
/** Attacked in this phase. Rule: SOS 9.65 */
export const ATTACKED = 1 << 4;
/**
 * A redacted state only: Germans hold the hex. It is public, while their counters there may be face down. Rule: SOS
 * 3.4
 */
export const HELD = 1 << 5;
/** Guns and Stukas alone attacked the hex in this phase. Rule: SOS 9.71, SOS 14.41, ruling R30 */
export const BARRAGED = 1 << 6;
/**
 * A stack unit, a leader has passed the river to or from this bank hex in this phase, off the arrows. Rule: SOS 8.66
 */
export const CROSSED_UNIT = 1 << 7;
export const CROSSED_LEADER = 1 << 8;
/**
 * By side, what its engineers do here, as in `TASKS`, and above it for how many phases more. Both sides see it; who of
 * them does it is in `work`. Rulings R56, R109
 */
export const SITE_SHIFT = [9, 17] as const;
export const SITE_LEFT_SHIFT = 3;
export const SITE_BITS = 255;
/** A friend of the minefield here was in the hex when the phase began. Rule: SOS 17.22 */
export const FRIENDLY_MINE = 1 << 25;
/**
 * Of face-down counters that a mine dog was named against: their owner has said that none of them is armor. Rule: SOS
 * 16.22
 */
export const NO_ARMOR = 1 << 26;
/** Words for the arrows, from 1 on. */
export const ARROWS = 20;
/** The bits above the number of stacks count stack units that went over an arrow. */
export const CROSSED_UNITS_SHIFT = 8;

/**
 * A leader who left the map without a command, a headquarters that has not come: everybody knows that it is in no other
 * place. Rule: SOS 18.44, SOS 20.7
 */
export const ASIDE = 1 << 26;

/** Words of a side in `ammo`. Rule: SOS 14.75 */
export const AMMO_SHORT = 0;
export const AMMO_SAVED = 1;
export const AMMO_WORDS = 2;
/** Words of `replacements`. Rule: SOS 21.41 */
export const POINTS_PZ = 0;
export const POINTS_GERMAN = 1;
export const POINTS_SOVIET = 2;
/** The leader of the army has come back in this phase. Rule: SOS 18.51, SOS 18.53 */
export const RETURNS = 1 << 8;

/** Frames the stack holds, and words of each. */
export const FRAMES = 10;
export const FRAME_WORDS = 16;
/** Words of a frame. */
export const F_ASK = 0;
export const F_ACTOR = 1;
/** The hex it is about + 1, 0 none. */
export const F_HEX = 2;
/** The unit it is about + 1, 0 none. */
export const F_UNIT = 3;
/** Step of an attack, 1 to 11; of the Administrative Phase, 3 to 9; 1 where arrivals have come. */
export const F_STEP = 4;
/** Losses still to choose. */
export const F_NEED = 5;
/** `CAUSES` of a loss. */
export const F_CAUSE = 6;
/**
 * 1: an accelerated attack; in a loss frame 1: a P follows; displaced leader 1: others may be due after him;
 * Administrative Phase: sides that have begun the step.
 */
export const F_FLAG = 7;
/** Half MP left of a walk, spent by a group that is being formed. */
export const F_MP = 8;
/** `MOVES`: how the group moves. */
export const F_MOVE = 9;
/** Walk: 1 the enemy holds its fire; group: 1 the next hex is a waypoint. */
export const F_HOLD = 10;
/** Hexes to retreat: 1, after a counter-attack 2. */
export const F_STEPS = 11;
/** Stukas that take part in an attack. */
export const F_STUKAS = 12;
/** What is committed to an attack, and how a breakthrough attack went. */
export const F_COMMIT = 13;

/** `TABLES` that indirect fire alone uses; 0: not chosen, or combat results. */
export const F_TABLE = 14;
/**
 * Losses: what a sniper adds to a leader's die, and units lost so far << 4. Displaced leader: 1 to any unit of his
 * command, 0 to the nearest.
 */
export const F_LEADER = 15;

/** Mine dogs, infiltration: the hex whose counters are chosen from + 1; `F_NEED` is how many they are. */
export const F_FOCUS = 8;

/**
 * Retreat after combat, in words that it needs for nothing else: the units that went after the first + 1, in their
 * order.
 */
export const F_THEN = 12;
export const THEN = 4;

/**
 * Bits of `F_COMMIT` of a walk: a leader who was cut off goes through zones of control; he has been wounded on his way.
 * Rule: SOS 18.32
 */
export const WALK_SLIPS = 1;
export const WALK_WOUNDED = 2;

/** How a mission is resolved, in the order of their codes from 1 on. Rule: SOS 14.41, SOS 14.45 */
export const TABLES = ["crt", "wbbt", "interdict"] as const;
export const BY_CRT = 1;
export const BY_WBBT = 2;
export const BY_NOTHING = 3;

/**
 * Bits of `F_COMMIT`: engineers and flame-throwers; armor; armor is asked for now; a defender has retreated from a
 * breakthrough; flak has answered; the attack has eliminated or driven out a counter; mine dogs have been asked about.
 */
export const COMMIT_ENGINEERS = 1;
export const COMMIT_ARMOR = 2;
export const COMMIT_ASKS_ARMOR = 4;
export const COMMIT_GAVE_WAY = 8;
export const COMMIT_FLAK = 16;
export const COMMIT_CLEARED = 32;
export const COMMIT_DOGS = 64;

/** Ways to move. */
export const MOVES = ["normal", "deploy", "reserves", "breakthrough", "retreat"] as const;
export const MOVE_NORMAL = 0;
export const MOVE_DEPLOY = 1;
export const MOVE_RESERVES = 2;
export const MOVE_BREAKTHROUGH = 3;
export const MOVE_RETREAT = 4;

/** What losses come from. */
export const CAUSES = [
  "opportunity",
  "defense",
  "attack",
  "counter-attack-lost",
  "counter-attack",
  "sacrifice",
  "bombardment",
] as const;
export const CAUSE_OPPORTUNITY = 0;
export const CAUSE_DEFENSE = 1;
export const CAUSE_ATTACK = 2;
/** The counter-attacker loses a unit. */
export const CAUSE_COUNTER_LOST = 3;
export const CAUSE_COUNTER = 4;
export const CAUSE_SACRIFICE = 5;
export const CAUSE_BOMBARDMENT = 6;

/** Longest walk: 52 MP of half a point. */
export const PATH = 104;
/** Longest walk of a train. Rule: SOS 16.61 */
export const RAIL_PATH = 112;
/** Half MP of a train for a hex. */
export const RAIL_COST = 2;
/** Mark of a waypoint in `path`. */
export const WAYPOINT = 1 << 20;
/** Mark of a hex in `path` at which passengers get off. Rule: SOS 16.46 */
export const UNLOADING = 1 << 21;
/** The hex of a word of `path`. */
export const PATH_HEX = WAYPOINT - 1;
/** Most attacking hexes that defensive fire can be declared at. */
export const FIRES = 32;
/** Marks a declared fire whose die has been rolled. */
export const FIRE_DONE = 1 << 20;
/** Table of a declared fire, as `F_TABLE`. */
export const FIRE_TABLE_SHIFT = 21;
/** The hex of a declared fire. */
export const fireHex = (word: number): HexId => ((word & 0xfffff) - 1) as HexId;

/**
 * Parts of `served` of a unit that fires indirectly: who spots for it + 1, its target + 1, the modifier + 1, a leader
 * spots beside the target.
 */
export const SERVED_HEX_SHIFT = 11;
export const SERVED_DRM_SHIFT = 23;
export const SERVED_LEADER = 1 << 26;
export const spotterIn = (word: number): number => (word & 0x7ff) - 1;
export const targetIn = (word: number): number => ((word >> SERVED_HEX_SHIFT) & 0xfff) - 1;
export const spotDrmIn = (word: number): number => ((word >> SERVED_DRM_SHIFT) & 7) - 1;

/** Words of a mission: hex + 1 with the bits below, points, modifiers as in a record. */
export const MISSION_WORDS = 6;
export const M_HEX = 0;
export const M_POINTS = 1;
export const M_DRMS = 2;
/** Parts of its first word; the hex is the lowest twelve bits. Boxes as targets come after the hexes. */
export const MISSION_SIDE_SHIFT = 12;
export const MISSION_STUKAS_SHIFT = 13;
export const MISSION_TABLE_SHIFT = 18;
export const MISSION_FROZEN = 1 << 20;
export const MISSION_DONE = 1 << 21;
/** Flak has been asked about it. */
export const MISSION_FLAK = 1 << 22;

/** @param missions most missions of a phase @param regiments of the NKVD @param longest hexes of the longest walk */
export function makeLayout(hexes: number, units: number, missions: number, regiments: number, longest: number) {
  return layout({
    turn: 1, // 1..67
    lastTurn: 1,
    phase: 1, // 1..15
    stage: 1, // index into STAGES
    over: 1, // 1: the game has ended
    adjust: 1, // German points besides those of hexes
    penalties: 1, // bits of the rows of units to withdraw whose penalty or bonus is in `adjust`
    toldHolders: 1, // 1: a redacted state, whose hexes say with HELD who holds them
    depth: 1, // frames on the stack
    frames: FRAMES * FRAME_WORDS, // bottom first
    place: units, // hex, or a place that is none
    next: units, // slot + 1 of the next unit in the same hex, in slot order
    flags: units, // bits above
    extra: units, // see OOS_SHIFT
    work: units, // see FROM_SHIFT
    served: units, // of who fires indirectly in this phase, see SERVED_HEX_SHIFT
    top: hexes, // slot + 1 of the first unit in the hex
    hexState: hexes, // mark, announcement, attacked
    // by side and hex: AF | mode << 12 | phase at whose end it goes << 16; mode 1 interdiction, 2 fired
    bombs: 2 * hexes,
    // of a group that is formed: the hexes named so far, in order; of a walk: those to come, the next one last
    path: longest,
    pathLength: 1,
    fires: FIRES, // hexes at which defensive fire is declared + 1, in order
    fireCount: 1,
    outOfSight: bitWords(units), // bits of units whose place the enemy knew and lost in the latest action
    missions: missions * MISSION_WORDS, // of both sides in plot order, in a bombardment phase
    missionCount: 1,
    stukasAvailable: 1,
    stukasUsed: 1,
    crossed: ARROWS, // by arrow: stacks that went over it in this phase | stack units << 8
    nkvdChecked: bitWords(regiments), // bits of the regiments whose reliability was rolled for
    weather: 1, // 1: bad
    ammo: 2 * AMMO_WORDS, // by side: AF that may not fire in this turn, AF that was saved
    replacements: 3, // points: German armor, other German units, Soviet units
    commandSince: 2, // by side: turn in which the leader of the army came back, with RETURNS; 0 none
    records: RECORDS * RECORD_WORDS, // dice of the latest action
    recordCount: 1,
  });
}
export type L = ReturnType<typeof makeLayout>;
