import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import type { Choice } from "../../core/narration.js";
import * as actions from "../actions.js";
import * as words from "../layout.js";
import { currentTarget } from "../rules/defence.js";
import { allowanceOf, moversOf, reach, stops } from "../rules/reach.js";
import { isHeldByGermans } from "../victory.js";
import { groupHex, groupMovers } from "../rules/walk.js";
import { phaseName } from "../sequence.js";
import {
  actorOf,
  askOf,
  enemyOf,
  extraOf,
  frameHex,
  frameUnit,
  markOf,
  placeOf,
  topFrame,
  type Tables,
} from "../state.js";
import { fill } from "../turn.js";
import { acceleration, attackOdds, columnText, counterOdds, type Danger, dangers, fireOdds } from "./numbers.js";
import { resultNow } from "./standing.js";
import {
  counted,
  hexId,
  hexText,
  listed,
  namesFor,
  unitId,
  SIDE_WORDS,
  unitsIn,
  unitsWith,
  unitText,
} from "../events/words.js";

/** What a choice says beyond its name. */
interface Meaning {
  readonly text: string;
  readonly places?: readonly string[];
  readonly units?: readonly string[];
  readonly ends?: "phase" | "turn";
  readonly warning?: string | null;
}

/** The decision at hand as its choices need it. */
interface Desk {
  readonly tables: Tables;
  /** As the decider knows it. */
  readonly s: StateView;
  readonly viewer: Viewer;
  readonly side: number;
  readonly ask: number;
  readonly frame: number;
  /** Hex of the frame, -1 none. */
  readonly hex: number;
  /** Legal units and hexes. */
  readonly units: readonly number[];
  readonly hexes: readonly number[];
  /** What waits for the movers, by hex. */
  readonly dangers: Map<number, Danger>;
}

/** The legal actions in words, in index order. */
export function choicesOf(
  tables: Tables,
  names: readonly string[],
  truth: StateView,
  s: StateView,
  viewer: Viewer,
): Choice[] {
  const mask = new Uint8Array(names.length);
  fill(tables, truth, mask, 0);
  const legal = names.flatMap((_, a) => (mask[a] === 1 ? [a] : []));
  const base = actions.unitBase(tables.hexes);
  const frame = topFrame(tables, s);
  const desk: Desk = {
    tables,
    s,
    viewer,
    side: actorOf(tables, s),
    ask: askOf(tables, s),
    frame,
    hex: frameHex(s, frame),
    units: legal.filter((a) => a >= base).map((a) => a - base),
    hexes: legal.filter((a) => a >= actions.HEX && a < base).map((a) => a - actions.HEX),
    dangers: new Map(),
  };
  surveyWays(desk);
  return legal.map((action) => {
    const m =
      action >= base
        ? unitChoice(desk, action - base)
        : action >= actions.HEX
          ? hexChoice(desk, action - actions.HEX)
          : control(desk, action);
    return {
      action,
      name: names[action]!,
      text: m.text,
      places: m.places ?? [],
      units: m.units ?? [],
      ends: m.ends ?? null,
      warning: m.warning ?? null,
    };
  });
}

/** Costs of the ways that hexes are offered for, in the scratch space of `reach`. */
function surveyWays({ tables, s, ask, frame, hex }: Desk): void {
  if (ask === words.ASK_MOVE_GROUP) {
    const movers = groupMovers(tables, s, s[frame + words.F_MOVE]!);
    reach(tables, s, movers, groupHex(tables, s), s[frame + words.F_MP]!);
  } else if (ask === words.ASK_RETREAT_HEX)
    reach(tables, s, moversOf(tables, s, frameUnit(s, frame), words.MOVE_RETREAT), hex, 0);
}

function unitChoice(desk: Desk, unit: number): Meaning {
  const { tables, s, ask, hex } = desk;
  const at = placeOf(tables, s, unit);
  const name = unitText(tables, s, unit);
  return {
    text: unitAction(desk, unit, name, hexId(tables, at)),
    units: [unitId(tables, unit)],
    places: ask === words.ASK_ADVANCE ? [hexId(tables, hex)] : [hexId(tables, at)],
  };
}

function unitAction({ tables, s, ask, hex, frame }: Desk, unit: number, name: string, at: string): string {
  const { roster } = tables;
  switch (ask) {
    case words.ASK_MOVE_SELECT: {
      const move = s[tables.layout.stage] === words.STAGE_RESERVES ? words.MOVE_RESERVES : words.MOVE_NORMAL;
      return `Move ${name} from ${at} with up to ${allowanceOf(tables, s, unit, move) / 2} MP`;
    }
    case words.ASK_MOVE_GROUP:
      return `Take ${name} along`;
    case words.ASK_OP_FIRE:
    case words.ASK_OP_GROUP: {
      const together = [...unitsWith(tables, s, words.FIRING), unit];
      return `${ask === words.ASK_OP_FIRE ? "Fire" : "Join"} with ${name} from ${at}. ${fireOdds(tables, s, together, 0)}`;
    }
    case words.ASK_ATTACK_UNIT:
      return `Attack with ${name} from ${at}. ${attackSum(tables, s, [unit])}`;
    case words.ASK_FIRE_UNIT: {
      const number = s[tables.layout.fireCount]!;
      const together = allUnits(tables).filter((u) => u === unit || extraOf(tables, s, u, words.FIRE_SHIFT) === number);
      return `Fire with ${name} from ${at}. ${fireOdds(tables, s, together, acceleration(tables, s))}`;
    }
    case words.ASK_RETREAT_UNIT:
    case words.ASK_AFTER_UNIT:
      return `Retreat ${name} from ${at}`;
    case words.ASK_LOSS:
      return `Lose ${name} in ${at}`;
    case words.ASK_ADVANCE:
      return `Advance ${name} from ${at} to ${hexId(tables, hex)}`;
    default: {
      const together = [...unitsWith(tables, s, words.COUNTER), unit];
      return `Counter-attack with ${name} from ${at} (attack ${roster.af[unit]!}). ${counterOdds(tables, s, together, frameHex(s, frame))}`;
    }
  }
}

const allUnits = (tables: Tables): number[] => Array.from({ length: tables.units }, (_, u) => u);

/** Points of the attackers picked and these. */
function attackSum(tables: Tables, s: StateView, more: readonly number[]): string {
  const all = [...new Set([...unitsWith(tables, s, words.ATTACKER), ...more])];
  return `Then ${columnText(
    tables,
    all.reduce((sum, u) => sum + tables.roster.af[u]!, 0),
  )}`;
}

function hexChoice(desk: Desk, hex: number): Meaning {
  const { tables, s, ask, side, viewer, frame } = desk;
  const places = [hexId(tables, hex)];
  const at = hexText(tables, hex);
  const enemies = namesFor(tables, s, unitsIn(tables, s, enemyOf(side), hex), viewer);
  switch (ask) {
    case words.ASK_MOVE_GROUP:
      return { text: wayText(desk, hex), places, warning: emptied(desk) };
    case words.ASK_RETREAT_HEX:
      return { text: `Retreat to ${at}`, places };
    case words.ASK_AFTER_HEX:
      return { text: `Retreat ${unitId(tables, frameUnit(s, frame))} to ${at}`, places };
    case words.ASK_MARK: {
      const beside = unitsBeside(tables, s, side, hex);
      return {
        text: `Mark ${at} for attack: ${enemies} there. Beside it ${columnText(
          tables,
          beside.reduce((n, u) => n + tables.roster.af[u]!, 0),
        )}`,
        places,
      };
    }
    case words.ASK_ATTACK_TARGET:
      return {
        text: `Attack ${at}: ${enemies} there${markOf(tables, s, hex) === words.MARK_ATTACK ? " (marked, must be attacked)" : ""}`,
        places,
      };
    default: {
      const attackers = unitsWith(tables, s, words.ATTACKER).filter((u) => placeOf(tables, s, u) === hex);
      return { text: `Fire at ${namesFor(tables, s, attackers, viewer)} in ${at}`, places };
    }
  }
}

/** Units of a side beside a hex that are neither pinned nor spent. */
const unitsBeside = (tables: Tables, s: StateView, side: number, hex: number): number[] =>
  allUnits(tables).filter(
    (u) =>
      tables.roster.side[u] === side &&
      placeOf(tables, s, u) >= 0 &&
      tables.board.sideTo(placeOf(tables, s, u), hex) >= 0 &&
      (s[tables.layout.flags + u]! & (words.PINNED | words.SPENT)) === 0,
  );

/** `Move to 0313 (suburb) for 3 of 8 MP; stops in a zone of control; s3 may fire` */
function wayText({ tables, s, frame, dangers: cache }: Desk, hex: number): string {
  const movers = groupMovers(tables, s, s[frame + words.F_MOVE]!);
  const spent = (s[frame + words.F_MP]! + tables.cost[hex]!) / 2;
  const halts = stops(tables, s, movers, hex) ? "; beside the enemy: the move ends there" : "";
  const { firers, unseen } = dangers(tables, s, unitsWith(tables, s, words.GROUP), hex, cache);
  const fire = firers.length === 0 ? "" : `; ${listed(firers)} may fire on the way`;
  const doubt = unseen.length === 0 ? "" : `; face-down counters in ${listed(unseen)} may stop it`;
  const verb = s[frame + words.F_HOLD] === 1 ? "Go by way of" : "Move to";
  return `${verb} ${hexText(tables, hex)} for ${spent} of ${movers.allowance / 2} MP${halts}${fire}${doubt}`;
}

/** Would the order leave a hex that counts for victory without a unit of its side? */
function emptied({ tables, s, side }: Desk): string | null {
  const group = unitsWith(tables, s, words.GROUP);
  const from = placeOf(tables, s, group[0]!);
  const stays = unitsIn(tables, s, side, from).some((u) => tables.roster.stackUnit[u] === 1 && !group.includes(u));
  if (tables.points[from] === 0 || stays || s[tables.layout.pathLength]! > 0) return null;
  return `The last ${SIDE_WORDS[side]!} unit leaves ${hexText(tables, from)}.`;
}

function control(desk: Desk, action: number): Meaning {
  const { tables, s, ask, hex } = desk;
  switch (action) {
    case actions.DECLARE_END:
      return {
        text: `End the game now: ${resultNow(tables, s)}`,
        ends: "turn",
        warning: `The game ends at once: ${resultNow(tables, s)}.`,
      };
    case actions.CONTINUE:
      return { text: `Play on: turn ${s[tables.layout.turn]!} of ${s[tables.layout.lastTurn]!}` };
    case actions.STAY:
      return {
        text: "Stay here; the order is used up",
        warning: "Units that stay can't be ordered again in this phase.",
      };
    case actions.VIA:
      return { text: "Name a hex to go by, before the hex to go to" };
    case actions.PASS:
      return ask === words.ASK_ICA
        ? { text: "Don't counter-attack" }
        : { text: "Let them pass here; you are asked again in the next hex" };
    case actions.HOLD:
      return { text: "Hold all fire until this move ends", warning: "You aren't asked again on this move." };
    case actions.NORMAL:
      return { text: `Attack as it is: ${attackOdds(tables, s, unitsWith(tables, s, words.ATTACKER), hex, 0)}` };
    case actions.ACCELERATE:
      return {
        text: `Close assault: ${attackOdds(tables, s, unitsWith(tables, s, words.ATTACKER), hex, 1)}; the defender fires one column up too`,
      };
    case actions.RETREAT:
      return { text: `Retreat from ${hexText(tables, hex)}` };
    case actions.SACRIFICE:
      return { text: `Stay in ${hexText(tables, hex)} and lose a unit`, warning: "A unit is lost at once." };
    case actions.ALL:
      return all(desk);
    default:
      return done(desk);
  }
}

/** Marked hexes that nobody could attack any more if the attackers picked and these went for another. */
function neglected({ tables, s, side, hex }: Desk, more: readonly number[]): string | null {
  const gone = new Set([...unitsWith(tables, s, words.ATTACKER), ...more]);
  const attackable = (h: number, without: ReadonlySet<number>): boolean =>
    unitsBeside(tables, s, side, h).some((u) => tables.roster.infantryType[u] === 1 && !without.has(u));
  const left = tables.board.ids.flatMap((id, h) =>
    h !== hex &&
    markOf(tables, s, h) === words.MARK_ATTACK &&
    (s[tables.layout.hexState + h]! & words.ATTACKED) === 0 &&
    attackable(h, new Set()) &&
    !attackable(h, gone)
      ? [id]
      : [],
  );
  return left.length === 0
    ? null
    : `Nobody is left to attack the marked ${left.length === 1 ? "hex" : "hexes"} ${listed(left)}.`;
}

/** `all`: everybody who may. */
function all(desk: Desk): Meaning {
  const { tables, s, ask, hex, units, side } = desk;
  const adjacent = units.filter(
    (u) => tables.board.distance(placeOf(tables, s, u), hex < 0 ? placeOf(tables, s, u) : hex) === 1,
  );
  switch (ask) {
    case words.ASK_MOVE_GROUP:
      return { text: "Take everybody of this kind in the hex along" };
    case words.ASK_ATTACK_UNIT:
      return {
        text: `Attack with everybody beside ${hexId(tables, hex)}. ${attackSum(tables, s, adjacent)}`,
        warning: neglected(desk, adjacent),
      };
    case words.ASK_FIRE_TARGET:
      return {
        text: `Everybody in ${hexId(tables, hex)} fires: up to ${counted(
          unitsIn(tables, s, side, hex).reduce((n, u) => n + tables.roster.df[u]!, 0),
          "point",
        )}`,
      };
    case words.ASK_FIRE_UNIT:
      return { text: `Everybody in ${hexId(tables, hex)} fires at ${hexId(tables, currentTarget(tables, s))}` };
    case words.ASK_ICA:
      return {
        text: `Counter-attack with everybody: ${counterOdds(tables, s, [...unitsWith(tables, s, words.COUNTER), ...units], hex)}`,
      };
    default:
      return {
        text: `Everybody of the hex joins: ${fireOdds(tables, s, [...unitsWith(tables, s, words.FIRING), ...units], 0)}`,
        places: unitsWith(tables, s, words.FIRING)
          .slice(0, 1)
          .map((u) => hexId(tables, placeOf(tables, s, u))),
        units: units.map((u) => unitId(tables, u)),
      };
  }
}

function done(desk: Desk): Meaning {
  const { tables, s, ask, hex } = desk;
  switch (ask) {
    case words.ASK_MOVE_SELECT:
    case words.ASK_MARK:
    case words.ASK_ATTACK_TARGET:
      return stageEnd(desk);
    case words.ASK_ATTACK_UNIT:
      return {
        text: `Attack with those named: ${attackOdds(tables, s, unitsWith(tables, s, words.ATTACKER), hex, 0)}`,
        warning: neglected(desk, []),
      };
    case words.ASK_OP_GROUP:
      return { text: `Fire with those named: ${fireOdds(tables, s, unitsWith(tables, s, words.FIRING), 0)}` };
    case words.ASK_RETREAT_UNIT:
      return { text: `Nobody ${anyRetreated(desk) ? "else " : ""}retreats` };
    case words.ASK_FIRE_TARGET: {
      const named = s[tables.layout.fireCount]! > 0;
      return named
        ? { text: "No more targets; roll the fire declared" }
        : { text: "No defensive fire", warning: "The attackers roll without having been fired at." };
    }
    case words.ASK_FIRE_UNIT:
      return { text: `These fire at ${hexId(tables, currentTarget(tables, s))}` };
    case words.ASK_ADVANCE: {
      const empty =
        unitsIn(tables, s, desk.side, hex).length === 0 &&
        tables.points[hex]! > 0 &&
        (desk.side !== 0 || !isHeldByGermans(tables, s, hex));
      return {
        text: `Nobody ${unitsIn(tables, s, desk.side, hex).length === 0 ? "" : "else "}advances`,
        warning: empty ? `${hexId(tables, hex)} counts for victory and stays empty.` : null,
      };
    }
    default:
      return { text: `Roll the counter-attack: ${counterOdds(tables, s, unitsWith(tables, s, words.COUNTER), hex)}` };
  }
}

const anyRetreated = ({ tables, s }: Desk): boolean => unitsWith(tables, s, words.RETREATED).length > 0;

/** The end of a stage, with what it leaves undone. */
function stageEnd({ tables, s, ask, units, hexes }: Desk): Meaning {
  const { layout } = tables;
  const phase = phaseName(s[layout.phase]!);
  const last = s[layout.turn] === s[layout.lastTurn];
  if (ask === words.ASK_MOVE_SELECT) {
    const left = `${counted(units.length, "unit")} can still move: ${listed(units.map((u) => unitId(tables, u)))}.`;
    return { text: `End ${phase}`, ends: "phase", warning: left };
  }
  if (ask === words.ASK_MARK) {
    const none = tables.board.ids.every((_, h) => markOf(tables, s, h) !== words.MARK_ATTACK);
    return {
      text: "End marking",
      ends: "phase",
      warning: none ? "No hex is marked: infantry won't attack the hexes beside it." : null,
    };
  }
  const open = `${counted(hexes.length, "hex", "hexes")} can still be attacked: ${listed(hexes.map((h) => hexId(tables, h)))}.`;
  const over = phase === "Soviet exploit attack" && last ? ` The game ends: ${resultNow(tables, s)}.` : "";
  return {
    text: `End ${phase}`,
    ends: phase === "Soviet exploit attack" ? "turn" : "phase",
    warning: `${open}${over}`,
  };
}
