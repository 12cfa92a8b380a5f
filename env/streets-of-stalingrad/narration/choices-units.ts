import { hexId, unitId, unitsWith, unitText } from "../events/words.js";
import * as words from "../layout.js";
import { currentTarget } from "../rules/combat/defence.js";
import { moveOf } from "../rules/movement/movement.js";
import { allowanceOf } from "../rules/movement/reach.js";
import { extraOf, frameHex, placeOf } from "../state.js";
import { gunChoice, spotterChoice } from "./guns.js";
import { acceleration, counterOdds, fireOdds, flakOdds } from "./numbers.js";
import { allUnits, attackSum, type Meaning, type Pending } from "./pending.js";

export function unitChoice(pending: Pending, unit: number): Meaning {
  const { tables, s, ask, hex } = pending;
  const at = placeOf(tables, s, unit);
  const name = unitText(tables, s, unit);
  return {
    text: unitAction(pending, unit, name, hexId(tables, at)),
    units: [unitId(tables, unit)],
    places: ask === words.ASK_ADVANCE ? [hexId(tables, hex)] : [hexId(tables, at)],
  };
}

function unitAction(pending: Pending, unit: number, name: string, at: string): string {
  const { tables, s, ask, hex, frame } = pending;
  const { roster } = tables;
  switch (ask) {
    case words.ASK_BOMB_UNIT:
      return gunChoice(pending, unit);
    case words.ASK_SPOT:
      return spotterChoice(pending, unit);
    case words.ASK_MOVE_SELECT:
    case words.ASK_BREAKTHROUGH:
      return `Move ${name} from ${at} with up to ${allowanceOf(tables, s, unit, moveOf(tables, s)) / 2} MP`;
    case words.ASK_AA:
      return `Fire at the Stukas with ${name} from ${at}. ${flakOdds(tables, s, [unit])}`;
    case words.ASK_MOVE_GROUP:
      return `Take ${name} along`;
    case words.ASK_OP_FIRE:
    case words.ASK_OP_GROUP: {
      const together = [...unitsWith(tables, s, words.FIRING), unit];
      return `${ask === words.ASK_OP_FIRE ? "Fire" : "Join"} with ${name} from ${at}. ${fireOdds(tables, s, together, hex, 0)}`;
    }
    case words.ASK_ATTACK_UNIT:
      return `Attack with ${name} from ${at}. ${attackSum(tables, s, hex, [unit])}`;
    case words.ASK_FIRE_UNIT: {
      const number = s[tables.layout.fireCount]!;
      const together = allUnits(tables).filter((u) => u === unit || extraOf(tables, s, u, words.FIRE_SHIFT) === number);
      return `Fire with ${name} from ${at}. ${fireOdds(tables, s, together, currentTarget(tables, s), acceleration(tables, s))}`;
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
