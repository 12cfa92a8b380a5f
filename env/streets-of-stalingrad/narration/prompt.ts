import { counted } from "../../core/words.js";
import { EVERYTHING, type Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import { endersLast, type Prompt } from "../../core/narration.js";
import * as words from "../layout.js";
import { SIDES } from "../roster.js";
import { currentTarget } from "../rules/combat/defence.js";
import { phaseName } from "../sequence.js";
import { actorOf, askOf, enemyOf, frameHex, frameOf, frameUnit, isOver, topFrame, type Tables } from "../state.js";
import { choicesOf } from "./choices.js";
import { gunQuestion, gunWaiting } from "./guns.js";
import { acceleration, attackOdds, counterOdds, fireOdds, flakOdds, groupOrders } from "./numbers.js";
import { resultNow } from "./standing.js";
import { hexId, hexText, knownIds, namesFor, SIDE_WORDS, unitsIn, unitsWith, unitText } from "../events/words.js";

interface Question {
  readonly text: string;
  readonly rule: string;
  readonly seeAlso?: readonly string[];
  readonly units?: readonly number[];
  readonly hexes?: readonly number[];
}

/**
 * The pending decision, as a viewer may know it. A viewer who does not decide reads only what is public.
 *
 * @param truth for the legal actions only
 * @param s the state as the viewer knows it
 */
export function prompt(
  tables: Tables,
  names: readonly string[],
  truth: StateView,
  s: StateView,
  viewer: Viewer,
): Prompt {
  if (isOver(tables, s))
    return {
      by: null,
      kind: "end",
      text: `The game is over: ${resultNow(tables, s)}.`,
      rule: "SOS 3.3",
      seeAlso: [],
      units: [],
      places: [],
      choices: [],
    };
  const actor = actorOf(tables, truth);
  const decides = viewer === actor || viewer === EVERYTHING;
  const question = decides ? questionOf(tables, s, viewer) : waiting(tables, s, actor);
  return {
    by: SIDES[actor]!,
    kind: words.ASKS[askOf(tables, s)]!,
    text: question.text,
    rule: question.rule,
    seeAlso: question.seeAlso ?? [],
    units: knownIds(tables, s, question.units ?? [], viewer),
    places: (question.hexes ?? []).map((h) => hexId(tables, h)),
    choices: decides ? endersLast(choicesOf(tables, names, truth, s, viewer)) : [],
  };
}

/** For a viewer who does not decide. The step of a defence is secret until it takes effect. */
function waiting(tables: Tables, s: StateView, actor: number): Question {
  const frame = topFrame(tables, s);
  const hex = frameHex(s, frame);
  const side = SIDE_WORDS[actor]!;
  const at = hex < 0 ? "" : ` ${hexId(tables, hex)}`;
  const hexes = hex < 0 ? [] : [hex];
  const guns = gunWaiting(tables, s, side, at);
  if (guns !== null) return { ...guns, hexes };
  switch (askOf(tables, s)) {
    case words.ASK_ADMIN_END:
      return { text: `The ${side} side decides whether it ends the game.`, rule: "SOS 3.1" };
    case words.ASK_BREAKTHROUGH:
    case words.ASK_MOVE_SELECT:
    case words.ASK_MOVE_GROUP:
      return { text: `The ${side} side moves.`, rule: "SOS 8.01" };
    case words.ASK_AA:
      return {
        text: `The ${side} side decides on anti-aircraft fire at the Stukas over${at}.`,
        rule: "SOS 15.42",
        hexes,
      };
    case words.ASK_OP_FIRE:
    case words.ASK_OP_GROUP:
      return { text: `The ${side} side decides on opportunity fire at the movers in${at}.`, rule: "SOS 11.1", hexes };
    case words.ASK_MARK:
      return { text: `The ${side} side marks hexes for attack.`, rule: "SOS 9.64" };
    case words.ASK_ATTACK_UNIT:
      return { text: `The ${side} side prepares the defence of${at}.`, rule: "SOS 9.02", hexes };
    case words.ASK_LOSS:
      return { text: `The ${side} side chooses its losses in${at}.`, rule: "SOS 9.82", hexes };
    case words.ASK_AFTER_CHOICE:
    case words.ASK_AFTER_UNIT:
    case words.ASK_AFTER_HEX:
      return { text: `The ${side} side retreats from${at}.`, rule: "SOS 9.87", hexes };
    case words.ASK_ADVANCE:
      return { text: `The ${side} side decides who advances into${at}.`, rule: "SOS 9.85", hexes };
    case words.ASK_ICA:
      return { text: `The ${side} side decides on an instant counter-attack at${at}.`, rule: "SOS 12.1", hexes };
    default:
      return { text: `The ${side} side chooses its attack.`, rule: "SOS 9.62" };
  }
}

/** `Turn 2 of 3, German movement` */
const now = (tables: Tables, s: StateView): string =>
  `Turn ${s[tables.layout.turn]!} of ${s[tables.layout.lastTurn]!}, ${phaseName(s[tables.layout.phase]!)}`;

function questionOf(tables: Tables, s: StateView, viewer: Viewer): Question {
  const frame = topFrame(tables, s);
  const guns = gunQuestion(tables, s, askOf(tables, s), frame, viewer, now(tables, s));
  if (guns !== null) return guns;
  switch (askOf(tables, s)) {
    case words.ASK_ADMIN_END:
      return {
        text: `Turn ${s[tables.layout.turn]!} of ${s[tables.layout.lastTurn]!} begins with ${resultNow(tables, s)}. End the game, or play on?`,
        rule: "SOS 3.1",
        seeAlso: ["SOS 3.3"],
      };
    case words.ASK_BREAKTHROUGH:
      return {
        text: `${now(tables, s)}: choose armor to move through zones of control, or a hex beside your units to break through, or go on to other movement.`,
        rule: "SOS 8.5",
        seeAlso: ["SOS 10.1", "SOS 10.2", "SOS 10.6"],
      };
    case words.ASK_MOVE_SELECT:
      return s[tables.layout.stage] === words.STAGE_RESERVES
        ? {
            text: `${now(tables, s)}: choose a unit to move with half its MP, or end.`,
            rule: "SOS 8.31",
            seeAlso: ["SOS 8.32", "SOS 8.34"],
          }
        : {
            text: `${now(tables, s)}: choose a unit to move, or end movement.`,
            rule: "SOS 8.01",
            seeAlso: ["SOS 8.02", "SOS 11.1"],
          };
    case words.ASK_MOVE_GROUP: {
      const group = unitsWith(tables, s, words.GROUP);
      return {
        text: groupOrders(tables, s, frame, group),
        rule: "SOS 8.06",
        seeAlso: ["SOS 8.07", "SOS 8.09", "SOS 11.4"],
        units: group,
      };
    }
    case words.ASK_AA: {
      const firing = unitsWith(tables, s, words.FIRING);
      const so = firing.length === 0 ? "Choose who fires, or let them come." : `So far ${flakOdds(tables, s, [])}.`;
      return {
        text: `Stukas come to ${hexText(tables, frameHex(s, frame))}. ${so}`,
        rule: "SOS 15.42",
        seeAlso: ["SOS 15.44", "SOS 15.45"],
        units: firing,
        hexes: [frameHex(s, frame)],
      };
    }
    case words.ASK_OP_FIRE:
    case words.ASK_OP_GROUP: {
      const hex = frameHex(s, frame);
      const movers = namesFor(tables, s, unitsWith(tables, s, words.GROUP), viewer);
      const firing = unitsWith(tables, s, words.FIRING);
      const text =
        firing.length === 0
          ? `${hexText(tables, hex)}: ${movers} can be fired at as they move. Choose the first unit to fire, or let them pass.`
          : `Opportunity fire at ${movers} in ${hexId(tables, hex)}: ${fireOdds(tables, s, firing, hex, 0)}. Who of the hex joins?`;
      return { text: text, rule: "SOS 11.1", seeAlso: ["SOS 11.7", "SOS 11.9"], units: firing, hexes: [hex] };
    }
    case words.ASK_MARK:
      return {
        text: `${now(tables, s)}: choose hexes to attack, or end. Only marked hexes can be attacked by infantry beside them, and they must be.`,
        rule: "SOS 9.64",
        seeAlso: ["SOS 9.14"],
      };
    case words.ASK_ATTACK_TARGET:
      return {
        text: `${now(tables, s)}: choose a hex to attack.`,
        rule: "SOS 9.62",
        seeAlso: ["SOS 9.14", "SOS 9.63"],
      };
    case words.ASK_RETREAT_UNIT:
      return {
        text: `${hexText(tables, frameHex(s, frame))} is attacked by ${attackers(tables, s, viewer)}: choose who retreats before the combat.`,
        rule: "SOS 9.41",
        seeAlso: ["SOS 9.43", "SOS 9.47"],
        hexes: [frameHex(s, frame)],
      };
    case words.ASK_RETREAT_HEX: {
      const unit = frameUnit(s, frame);
      return {
        text: `Choose where ${unitText(tables, s, unit)} retreats to from ${hexId(tables, frameHex(s, frame))}.`,
        rule: "SOS 9.48",
        seeAlso: ["SOS 9.47"],
        units: [unit],
        hexes: [frameHex(s, frame)],
      };
    }
    case words.ASK_ATTACK_UNIT:
    case words.ASK_ATTACK_DRM:
    case words.ASK_ATTACK_MODE:
    case words.ASK_FIRE_TARGET:
    case words.ASK_FIRE_UNIT:
      return fighting(tables, s, frame, viewer);
    default:
      return aftermath(tables, s, frame, viewer);
  }
}

const attackers = (tables: Tables, s: StateView, viewer: Viewer): string => {
  const units = unitsWith(tables, s, words.ATTACKER);
  return `${namesFor(tables, s, units, viewer)} (${counted(
    units.reduce((n, u) => n + tables.roster.af[u]!, 0),
    "point",
  )})`;
};

function fighting(tables: Tables, s: StateView, frame: number, viewer: Viewer): Question {
  const hex = frameHex(s, frame);
  const picked = unitsWith(tables, s, words.ATTACKER);
  switch (askOf(tables, s)) {
    case words.ASK_ATTACK_UNIT: {
      const defenders = namesFor(tables, s, unitsIn(tables, s, enemyOf(actorOf(tables, s)), hex), viewer);
      const so = picked.length === 0 ? "Choose the attackers." : `So far ${attackOdds(tables, s, picked, hex, 0)}.`;
      return {
        text: `Attack on ${hexText(tables, hex)}, held by ${defenders}. ${so}`,
        rule: "SOS 9.63",
        seeAlso: ["SOS 9.15", "SOS 9.64", "SOS 9.71"],
        units: picked,
        hexes: [hex],
      };
    }
    case words.ASK_ATTACK_DRM: {
      const armor = (s[frame + words.F_COMMIT]! & words.COMMIT_ASKS_ARMOR) !== 0;
      return {
        text: `Attack on ${hexText(tables, hex)}: ${attackOdds(tables, s, picked, hex, 0)}. Commit the ${armor ? "armor beside infantry" : "engineers"}, for -1 and the first loss?`,
        rule: "SOS 9.71",
        seeAlso: ["SOS 9.58", "SOS 9.82"],
        units: picked,
        hexes: [hex],
      };
    }
    case words.ASK_ATTACK_MODE:
      return {
        text: `Attack on ${hexText(tables, hex)}: ${attackOdds(tables, s, picked, hex, 0)}. Press it as a close assault, one column up for both sides?`,
        rule: "SOS 9.67",
        units: picked,
        hexes: [hex],
      };
    case words.ASK_FIRE_TARGET:
      return {
        text: `${hexText(tables, hex)} is attacked by ${attackers(tables, s, viewer)}: choose an attacking hex for defensive fire.`,
        rule: "SOS 9.51",
        seeAlso: ["SOS 9.55", "SOS 9.57", "SOS 9.601"],
        units: picked,
        hexes: [hex],
      };
    default: {
      const target = currentTarget(tables, s);
      const number = s[tables.layout.fireCount]!;
      const firers = unitsIn(tables, s, actorOf(tables, s), hex)
        .concat(others(tables, s, hex))
        .filter((u) => ((s[tables.layout.extra + u]! >> words.FIRE_SHIFT) & 15) === number);
      const so =
        firers.length === 0
          ? "Choose who fires."
          : `So far ${fireOdds(tables, s, firers, target, acceleration(tables, s))}.`;
      return {
        text: `Defensive fire at the attackers in ${hexText(tables, target)}. ${so}`,
        rule: "SOS 9.55",
        seeAlso: ["SOS 9.56", "SOS 9.57"],
        units: firers,
        hexes: [target],
      };
    }
  }
}

/** Units of the decider outside the hex. */
const others = (tables: Tables, s: StateView, hex: number): number[] => {
  const side = actorOf(tables, s);
  const list: number[] = [];
  for (let u = tables.roster.first(side); u < tables.roster.end(side); u++)
    if (s[tables.layout.place + u]! >= 0 && s[tables.layout.place + u] !== hex) list.push(u);
  return list;
};

function aftermath(tables: Tables, s: StateView, frame: number, viewer: Viewer): Question {
  const hex = frameHex(s, frame);
  const hexes = [hex];
  const at = hexText(tables, hex);
  const left = unitsWith(tables, s, words.LEFT);
  const counters = frameOf(tables, s, words.ASK_ICA) >= 0;
  switch (askOf(tables, s)) {
    case words.ASK_LOSS: {
      const exposed = unitsWith(tables, s, words.EXPOSED);
      return {
        text: `${counted(s[frame + words.F_NEED]!, "loss", "losses")} to take in ${at}: choose a unit.`,
        rule: "SOS 9.82",
        seeAlso: ["SOS 9.81"],
        units: exposed,
        hexes,
      };
    }
    case words.ASK_AFTER_CHOICE:
      return {
        text: `${at}: does ${namesFor(tables, s, left, viewer)} retreat, or is one unit given up to stay?`,
        rule: "SOS 9.88",
        seeAlso: ["SOS 9.87"],
        units: left,
        hexes,
      };
    case words.ASK_AFTER_UNIT:
      return {
        text: `${at}: ${namesFor(tables, s, left, viewer)} must leave. Choose who goes next; who can't go is lost.`,
        rule: counters ? "SOS 12.6" : "SOS 9.87",
        units: left,
        hexes,
      };
    case words.ASK_AFTER_HEX: {
      const unit = frameUnit(s, frame);
      return {
        text: `Choose where ${unitText(tables, s, unit)} retreats to from ${hexId(tables, s[tables.layout.place + unit]!)}.`,
        rule: counters ? "SOS 12.6" : "SOS 9.87",
        units: [unit],
        hexes,
      };
    }
    case words.ASK_ADVANCE:
      return {
        text: `${at} is cleared: choose who advances into it. Nobody may fire at them as they enter.`,
        rule: counters ? "SOS 12.6" : "SOS 9.85",
        seeAlso: ["SOS 12.1"],
        hexes,
      };
    default: {
      const picked = unitsWith(tables, s, words.COUNTER);
      const enemies = namesFor(tables, s, unitsIn(tables, s, enemyOf(actorOf(tables, s)), hex), viewer);
      const so =
        picked.length === 0 ? "Choose units beside it, or decline." : `So far ${counterOdds(tables, s, picked, hex)}.`;
      return {
        text: `Instant counter-attack at ${at}, just entered by ${enemies}? ${so}`,
        rule: "SOS 12.6",
        seeAlso: ["SOS 12.1", "SOS 12.5"],
        units: picked,
        hexes,
      };
    }
  }
}
