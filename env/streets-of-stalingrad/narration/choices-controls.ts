import { counted, listed } from "../../core/words.js";
import * as actions from "../actions.js";
import { hexId, hexText, unitId, unitsIn, unitsWith } from "../events/words.js";
import * as words from "../layout.js";
import { currentTarget } from "../rules/combat/defence.js";
import { phaseName } from "../sequence.js";
import { markOf, placeOf, type Tables } from "../state.js";
import { isHeldByGermans } from "../victory.js";
import { missionOdds, tableChoice } from "./guns.js";
import { attackOdds, counterOdds, fireOdds, flakOdds } from "./numbers.js";
import { attackSum, type Meaning, type Pending, unitsBeside } from "./pending.js";
import { resultNow } from "./standing.js";

export function control(pending: Pending, action: number): Meaning {
  const { tables, s, ask, hex } = pending;
  if (action >= actions.NUMBER && action < actions.HEX) return stukas(tables, action - actions.NUMBER);
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
    case actions.DISMOUNT:
      return { text: "Leave the vehicles: 8 MP, on foot for the whole phase" };
    case actions.REMOUNT:
      return { text: "Mount the vehicles again and move with their MP" };
    case actions.CRT:
    case actions.WBBT:
    case actions.INTERDICT:
      return tableChoice(pending, action);
    case actions.YES:
    case actions.NO:
      return committing(pending, action === actions.YES);
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
      return all(pending);
    default:
      return done(pending);
  }
}

/** Stukas that join. */
const stukas = ({ stukaAf }: Tables, n: number): Meaning => ({
  text: `Send ${counted(n, "Stuka")}: ${counted(n * stukaAf, "point")}, if flak turns none back`,
});

/** Engineers or armor are committed, or held back. */
function committing({ s, frame }: Pending, yes: boolean): Meaning {
  const who = (s[frame + words.F_COMMIT]! & words.COMMIT_ASKS_ARMOR) !== 0 ? "the armor" : "the engineers";
  return yes
    ? { text: `Commit ${who}: die -1, and the first loss of defensive fire comes from them` }
    : { text: `Hold ${who} back: no modifier, losses as you choose` };
}

/** `all`: all units that may. */
function all(pending: Pending): Meaning {
  const { tables, s, ask, hex, units, side } = pending;
  const adjacent = units.filter(
    (u) => tables.board.distance(placeOf(tables, s, u), hex < 0 ? placeOf(tables, s, u) : hex) === 1,
  );
  switch (ask) {
    case words.ASK_AA:
      return { text: `Everybody in range fires: ${flakOdds(tables, s, units)}` };
    case words.ASK_MOVE_GROUP:
      return { text: "Take everybody of this kind in the hex along" };
    case words.ASK_ATTACK_UNIT:
      return {
        text: `Attack with everybody beside ${hexId(tables, hex)}. ${attackSum(tables, s, hex, adjacent)}`,
        warning: neglected(pending, adjacent),
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
        text: `Everybody of the hex joins: ${fireOdds(tables, s, [...unitsWith(tables, s, words.FIRING), ...units], hex, 0)}`,
        places: unitsWith(tables, s, words.FIRING)
          .slice(0, 1)
          .map((u) => hexId(tables, placeOf(tables, s, u))),
        units: units.map((u) => unitId(tables, u)),
      };
  }
}

function done(pending: Pending): Meaning {
  const { tables, s, ask, hex } = pending;
  switch (ask) {
    case words.ASK_BOMB_TARGET:
      return {
        text: "No more missions",
        warning: `${counted(pending.hexes.length, "hex", "hexes")} can still be shelled.`,
      };
    case words.ASK_BOMB_UNIT:
      return {
        text: `Fire with these: ${missionOdds(tables, s, unitsWith(tables, s, words.FIRING), hex, words.BY_WBBT, s[pending.frame + words.F_STUKAS]!)}`,
      };
    case words.ASK_BREAKTHROUGH:
      return { text: "No more breakthroughs; other movement begins" };
    case words.ASK_MOVE_SELECT:
    case words.ASK_MARK:
    case words.ASK_ATTACK_TARGET:
      return stageEnd(pending);
    case words.ASK_ATTACK_UNIT:
      return {
        text: `Attack with those named: ${attackOdds(tables, s, unitsWith(tables, s, words.ATTACKER), hex, 0)}`,
        warning: neglected(pending, []),
      };
    case words.ASK_AA: {
      const named = unitsWith(tables, s, words.FIRING);
      return { text: named.length === 0 ? "Let the Stukas come" : `Fire with those named: ${flakOdds(tables, s, [])}` };
    }
    case words.ASK_OP_GROUP:
      return { text: `Fire with those named: ${fireOdds(tables, s, unitsWith(tables, s, words.FIRING), hex, 0)}` };
    case words.ASK_RETREAT_UNIT:
      return { text: `Nobody ${anyRetreated(pending) ? "else " : ""}retreats` };
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
        unitsIn(tables, s, pending.side, hex).length === 0 &&
        tables.points[hex]! > 0 &&
        (pending.side !== 0 || !isHeldByGermans(tables, s, hex));
      return {
        text: `Nobody ${unitsIn(tables, s, pending.side, hex).length === 0 ? "" : "else "}advances`,
        warning: empty ? `${hexId(tables, hex)} counts for victory and stays empty.` : null,
      };
    }
    default:
      return { text: `Roll the counter-attack: ${counterOdds(tables, s, unitsWith(tables, s, words.COUNTER), hex)}` };
  }
}

const anyRetreated = ({ tables, s }: Pending): boolean => unitsWith(tables, s, words.RETREATED).length > 0;

/** The end of a stage, with what it leaves undone. */
function stageEnd({ tables, s, ask, units, hexes }: Pending): Meaning {
  const { layout } = tables;
  const phase = phaseName(s[layout.phase]!);
  const last = s[layout.turn] === s[layout.lastTurn];
  if (ask === words.ASK_MOVE_SELECT) {
    const left = `${counted(units.length, "unit")} can still move: ${listed(
      units.map((u) => unitId(tables, u)),
      "nobody",
    )}.`;
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
  const open = `${counted(hexes.length, "hex", "hexes")} can still be attacked: ${listed(
    hexes.map((h) => hexId(tables, h)),
    "nobody",
  )}.`;
  const over = phase === "Soviet exploit attack" && last ? ` The game ends: ${resultNow(tables, s)}.` : "";
  return {
    text: `End ${phase}`,
    ends: phase === "Soviet exploit attack" ? "turn" : "phase",
    warning: `${open}${over}`,
  };
}

/** Marked hexes that no unit could attack any more if the attackers picked and these went for another. */
function neglected({ tables, s, side, hex }: Pending, more: readonly number[]): string | null {
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
    : `Nobody is left to attack the marked ${left.length === 1 ? "hex" : "hexes"} ${listed(left, "nobody")}.`;
}
