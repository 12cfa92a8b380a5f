import type { Viewer } from "../../core/game.js";
import type { StateView } from "../../core/layout.js";
import type { Choice } from "../../core/narration.js";
import * as actions from "../actions.js";
import * as words from "../layout.js";
import { moversOf, reach } from "../rules/movement/reach.js";
import { groupHex, groupMovers } from "../rules/movement/walk.js";
import { actorOf, askOf, frameHex, frameUnit, type Tables, topFrame } from "../state.js";
import { fill } from "../legal.js";
import { unitChoice } from "./choices-units.js";
import { hexChoice } from "./choices-hexes.js";
import { control } from "./choices-controls.js";
import type { Pending } from "./pending.js";

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
  const pending: Pending = {
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
  surveyWays(pending);
  return legal.map((action) => {
    const m =
      action >= base
        ? unitChoice(pending, action - base)
        : action >= actions.HEX
          ? hexChoice(pending, action - actions.HEX)
          : control(pending, action);
    return {
      action,
      name: names[action]!,
      text: m.text,
      places: m.places ?? [],
      units: m.units ?? [],
      ...(m.cost === undefined ? {} : { cost: m.cost }),
      ends: m.ends ?? null,
      warning: m.warning ?? null,
    };
  });
}

/** Costs of the ways that hexes are offered for, in the scratch space of `reach`. */
function surveyWays({ tables, s, ask, frame, hex }: Pending): void {
  if (ask === words.ASK_MOVE_GROUP) {
    const movers = groupMovers(tables, s, s[frame + words.F_MOVE]!);
    reach(tables, s, movers, groupHex(tables, s), s[frame + words.F_MP]!);
  } else if (ask === words.ASK_RETREAT_HEX)
    reach(tables, s, moversOf(tables, s, frameUnit(s, frame), words.MOVE_RETREAT), hex, 0);
}
