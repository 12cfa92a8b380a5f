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
  type World,
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
  readonly world: World;
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
  world: World,
  names: readonly string[],
  truth: StateView,
  s: StateView,
  viewer: Viewer,
): Choice[] {
  const mask = new Uint8Array(names.length);
  fill(world, truth, mask, 0);
  const legal = names.flatMap((_, a) => (mask[a] === 1 ? [a] : []));
  const base = actions.unitBase(world.hexes);
  const frame = topFrame(world, s);
  const desk: Desk = {
    world,
    s,
    viewer,
    side: actorOf(world, s),
    ask: askOf(world, s),
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
function surveyWays({ world, s, ask, frame, hex }: Desk): void {
  if (ask === words.ASK_MOVE_GROUP) {
    const movers = groupMovers(world, s, s[frame + words.F_MOVE]!);
    reach(world, s, movers, groupHex(world, s), s[frame + words.F_MP]!);
  } else if (ask === words.ASK_RETREAT_HEX)
    reach(world, s, moversOf(world, s, frameUnit(s, frame), words.MOVE_RETREAT), hex, 0);
}

function unitChoice(desk: Desk, unit: number): Meaning {
  const { world, s, ask, hex } = desk;
  const at = placeOf(world, s, unit);
  const name = unitText(world, s, unit);
  return {
    text: unitAction(desk, unit, name, hexId(world, at)),
    units: [unitId(world, unit)],
    places: ask === words.ASK_ADVANCE ? [hexId(world, hex)] : [hexId(world, at)],
  };
}

function unitAction({ world, s, ask, hex, frame }: Desk, unit: number, name: string, at: string): string {
  const { roster } = world;
  switch (ask) {
    case words.ASK_MOVE_SELECT: {
      const move = s[world.layout.stage] === words.STAGE_RESERVES ? words.MOVE_RESERVES : words.MOVE_NORMAL;
      return `Move ${name} from ${at} with up to ${allowanceOf(world, s, unit, move) / 2} MP`;
    }
    case words.ASK_MOVE_GROUP:
      return `Take ${name} along`;
    case words.ASK_OP_FIRE:
    case words.ASK_OP_GROUP: {
      const together = [...unitsWith(world, s, words.FIRING), unit];
      return `${ask === words.ASK_OP_FIRE ? "Fire" : "Join"} with ${name} from ${at}. ${fireOdds(world, s, together, 0)}`;
    }
    case words.ASK_ATTACK_UNIT:
      return `Attack with ${name} from ${at}. ${attackSum(world, s, [unit])}`;
    case words.ASK_FIRE_UNIT: {
      const number = s[world.layout.fireCount]!;
      const together = allUnits(world).filter((u) => u === unit || extraOf(world, s, u, words.FIRE_SHIFT) === number);
      return `Fire with ${name} from ${at}. ${fireOdds(world, s, together, acceleration(world, s))}`;
    }
    case words.ASK_RETREAT_UNIT:
    case words.ASK_AFTER_UNIT:
      return `Retreat ${name} from ${at}`;
    case words.ASK_LOSS:
      return `Lose ${name} in ${at}`;
    case words.ASK_ADVANCE:
      return `Advance ${name} from ${at} to ${hexId(world, hex)}`;
    default: {
      const together = [...unitsWith(world, s, words.COUNTER), unit];
      return `Counter-attack with ${name} from ${at} (attack ${roster.af[unit]!}). ${counterOdds(world, s, together, frameHex(s, frame))}`;
    }
  }
}

const allUnits = (world: World): number[] => Array.from({ length: world.units }, (_, u) => u);

/** Points of the attackers picked and these. */
function attackSum(world: World, s: StateView, more: readonly number[]): string {
  const all = [...new Set([...unitsWith(world, s, words.ATTACKER), ...more])];
  return `Then ${columnText(
    world,
    all.reduce((sum, u) => sum + world.roster.af[u]!, 0),
  )}`;
}

function hexChoice(desk: Desk, hex: number): Meaning {
  const { world, s, ask, side, viewer, frame } = desk;
  const places = [hexId(world, hex)];
  const at = hexText(world, hex);
  const enemies = namesFor(world, s, unitsIn(world, s, enemyOf(side), hex), viewer);
  switch (ask) {
    case words.ASK_MOVE_GROUP:
      return { text: wayText(desk, hex), places, warning: emptied(desk) };
    case words.ASK_RETREAT_HEX:
      return { text: `Retreat to ${at}`, places };
    case words.ASK_AFTER_HEX:
      return { text: `Retreat ${unitId(world, frameUnit(s, frame))} to ${at}`, places };
    case words.ASK_MARK: {
      const beside = unitsBeside(world, s, side, hex);
      return {
        text: `Mark ${at} for attack: ${enemies} there. Beside it ${columnText(
          world,
          beside.reduce((n, u) => n + world.roster.af[u]!, 0),
        )}`,
        places,
      };
    }
    case words.ASK_ATTACK_TARGET:
      return {
        text: `Attack ${at}: ${enemies} there${markOf(world, s, hex) === words.MARK_ATTACK ? " (marked, must be attacked)" : ""}`,
        places,
      };
    default: {
      const attackers = unitsWith(world, s, words.ATTACKER).filter((u) => placeOf(world, s, u) === hex);
      return { text: `Fire at ${namesFor(world, s, attackers, viewer)} in ${at}`, places };
    }
  }
}

/** Units of a side beside a hex that are neither pinned nor spent. */
const unitsBeside = (world: World, s: StateView, side: number, hex: number): number[] =>
  allUnits(world).filter(
    (u) =>
      world.roster.side[u] === side &&
      placeOf(world, s, u) >= 0 &&
      world.board.sideTo(placeOf(world, s, u), hex) >= 0 &&
      (s[world.layout.flags + u]! & (words.PINNED | words.SPENT)) === 0,
  );

/** `Move to 0313 (suburb) for 3 of 8 MP; stops in a zone of control; s3 may fire` */
function wayText({ world, s, frame, dangers: cache }: Desk, hex: number): string {
  const movers = groupMovers(world, s, s[frame + words.F_MOVE]!);
  const spent = (s[frame + words.F_MP]! + world.cost[hex]!) / 2;
  const halts = stops(world, s, movers, hex) ? "; beside the enemy: the move ends there" : "";
  const { firers, unseen } = dangers(world, s, unitsWith(world, s, words.GROUP), hex, cache);
  const fire = firers.length === 0 ? "" : `; ${listed(firers)} may fire on the way`;
  const doubt = unseen.length === 0 ? "" : `; face-down counters in ${listed(unseen)} may stop it`;
  const verb = s[frame + words.F_HOLD] === 1 ? "Go by way of" : "Move to";
  return `${verb} ${hexText(world, hex)} for ${spent} of ${movers.allowance / 2} MP${halts}${fire}${doubt}`;
}

/** Would the order leave a hex that counts for victory without a unit of its side? */
function emptied({ world, s, side }: Desk): string | null {
  const group = unitsWith(world, s, words.GROUP);
  const from = placeOf(world, s, group[0]!);
  const stays = unitsIn(world, s, side, from).some((u) => world.roster.stackUnit[u] === 1 && !group.includes(u));
  if (world.points[from] === 0 || stays || s[world.layout.pathLength]! > 0) return null;
  return `The last ${SIDE_WORDS[side]!} unit leaves ${hexText(world, from)}.`;
}

function control(desk: Desk, action: number): Meaning {
  const { world, s, ask, hex } = desk;
  switch (action) {
    case actions.DECLARE_END:
      return {
        text: `End the game now: ${resultNow(world, s)}`,
        ends: "turn",
        warning: `The game ends at once: ${resultNow(world, s)}.`,
      };
    case actions.CONTINUE:
      return { text: `Play on: turn ${s[world.layout.turn]!} of ${s[world.layout.lastTurn]!}` };
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
      return { text: `Attack as it is: ${attackOdds(world, s, unitsWith(world, s, words.ATTACKER), hex, 0)}` };
    case actions.ACCELERATE:
      return {
        text: `Close assault: ${attackOdds(world, s, unitsWith(world, s, words.ATTACKER), hex, 1)}; the defender fires one column up too`,
      };
    case actions.RETREAT:
      return { text: `Retreat from ${hexText(world, hex)}` };
    case actions.SACRIFICE:
      return { text: `Stay in ${hexText(world, hex)} and lose a unit`, warning: "A unit is lost at once." };
    case actions.ALL:
      return all(desk);
    default:
      return done(desk);
  }
}

/** Marked hexes that nobody could attack any more if the attackers picked and these went for another. */
function neglected({ world, s, side, hex }: Desk, more: readonly number[]): string | null {
  const gone = new Set([...unitsWith(world, s, words.ATTACKER), ...more]);
  const attackable = (h: number, without: ReadonlySet<number>): boolean =>
    unitsBeside(world, s, side, h).some((u) => world.roster.infantryType[u] === 1 && !without.has(u));
  const left = world.board.ids.flatMap((id, h) =>
    h !== hex &&
    markOf(world, s, h) === words.MARK_ATTACK &&
    (s[world.layout.hexState + h]! & words.ATTACKED) === 0 &&
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
  const { world, s, ask, hex, units, side } = desk;
  const adjacent = units.filter(
    (u) => world.board.distance(placeOf(world, s, u), hex < 0 ? placeOf(world, s, u) : hex) === 1,
  );
  switch (ask) {
    case words.ASK_MOVE_GROUP:
      return { text: "Take everybody of this kind in the hex along" };
    case words.ASK_ATTACK_UNIT:
      return {
        text: `Attack with everybody beside ${hexId(world, hex)}. ${attackSum(world, s, adjacent)}`,
        warning: neglected(desk, adjacent),
      };
    case words.ASK_FIRE_TARGET:
      return {
        text: `Everybody in ${hexId(world, hex)} fires: up to ${counted(
          unitsIn(world, s, side, hex).reduce((n, u) => n + world.roster.df[u]!, 0),
          "point",
        )}`,
      };
    case words.ASK_FIRE_UNIT:
      return { text: `Everybody in ${hexId(world, hex)} fires at ${hexId(world, currentTarget(world, s))}` };
    case words.ASK_ICA:
      return {
        text: `Counter-attack with everybody: ${counterOdds(world, s, [...unitsWith(world, s, words.COUNTER), ...units], hex)}`,
      };
    default:
      return {
        text: `Everybody of the hex joins: ${fireOdds(world, s, [...unitsWith(world, s, words.FIRING), ...units], 0)}`,
        places: unitsWith(world, s, words.FIRING)
          .slice(0, 1)
          .map((u) => hexId(world, placeOf(world, s, u))),
        units: units.map((u) => unitId(world, u)),
      };
  }
}

function done(desk: Desk): Meaning {
  const { world, s, ask, hex } = desk;
  switch (ask) {
    case words.ASK_MOVE_SELECT:
    case words.ASK_MARK:
    case words.ASK_ATTACK_TARGET:
      return stageEnd(desk);
    case words.ASK_ATTACK_UNIT:
      return {
        text: `Attack with those named: ${attackOdds(world, s, unitsWith(world, s, words.ATTACKER), hex, 0)}`,
        warning: neglected(desk, []),
      };
    case words.ASK_OP_GROUP:
      return { text: `Fire with those named: ${fireOdds(world, s, unitsWith(world, s, words.FIRING), 0)}` };
    case words.ASK_RETREAT_UNIT:
      return { text: `Nobody ${anyRetreated(desk) ? "else " : ""}retreats` };
    case words.ASK_FIRE_TARGET: {
      const named = s[world.layout.fireCount]! > 0;
      return named
        ? { text: "No more targets; roll the fire declared" }
        : { text: "No defensive fire", warning: "The attackers roll without having been fired at." };
    }
    case words.ASK_FIRE_UNIT:
      return { text: `These fire at ${hexId(world, currentTarget(world, s))}` };
    case words.ASK_ADVANCE: {
      const empty =
        unitsIn(world, s, desk.side, hex).length === 0 &&
        world.points[hex]! > 0 &&
        (desk.side !== 0 || !isHeldByGermans(world, s, hex));
      return {
        text: `Nobody ${unitsIn(world, s, desk.side, hex).length === 0 ? "" : "else "}advances`,
        warning: empty ? `${hexId(world, hex)} counts for victory and stays empty.` : null,
      };
    }
    default:
      return { text: `Roll the counter-attack: ${counterOdds(world, s, unitsWith(world, s, words.COUNTER), hex)}` };
  }
}

const anyRetreated = ({ world, s }: Desk): boolean => unitsWith(world, s, words.RETREATED).length > 0;

/** The end of a stage, with what it leaves undone. */
function stageEnd({ world, s, ask, units, hexes }: Desk): Meaning {
  const { layout } = world;
  const phase = phaseName(s[layout.phase]!);
  const last = s[layout.turn] === s[layout.lastTurn];
  if (ask === words.ASK_MOVE_SELECT) {
    const left = `${counted(units.length, "unit")} can still move: ${listed(units.map((u) => unitId(world, u)))}.`;
    return { text: `End ${phase}`, ends: "phase", warning: left };
  }
  if (ask === words.ASK_MARK) {
    const none = world.board.ids.every((_, h) => markOf(world, s, h) !== words.MARK_ATTACK);
    return {
      text: "End marking",
      ends: "phase",
      warning: none ? "No hex is marked: infantry won't attack the hexes beside it." : null,
    };
  }
  const open = `${counted(hexes.length, "hex", "hexes")} can still be attacked: ${listed(hexes.map((h) => hexId(world, h)))}.`;
  const over = phase === "Soviet exploit attack" && last ? ` The game ends: ${resultNow(world, s)}.` : "";
  return {
    text: `End ${phase}`,
    ends: phase === "Soviet exploit attack" ? "turn" : "phase",
    warning: `${open}${over}`,
  };
}
