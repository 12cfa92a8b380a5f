import { z } from "zod";
import { fault, type Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted } from "../../core/words.js";
import { type Decision, DONE, EXIT, HEX, STOP, UNIT } from "../actions.js";
import { type HexId, type Tables, TERRAINS } from "../data.js";
import { begun, titleOf } from "../events/words.js";
import {
  beginMove,
  costToEnter,
  countCrowd,
  endMove,
  enterHex,
  exitMap,
  markMovers,
  markSteps,
  mayExit,
  mayMove,
} from "../rules/movement.js";
import { activeOf, columnIn, contactIn, L, mpOf, onMap } from "../state.js";
import { beginFire } from "../turn.js";
import { activeUnit, inTurn, unitNow, unused } from "../narration/units.js";
import { heldUnit } from "./held.js";

export const move: Decision = {
  rules: ["NF reconstructed turn", "NF reconstructed 8"],
  caption: "choose a unit to move",
  asks: (t, s) => `${inTurn(t, s)}: which unit moves?`,
  marks(_t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markMovers(s, mask, at + UNIT);
  },
  acts: {
    done: {
      means: (_t, s) => ({ text: "End the moves", ends: "phase", warning: unused((u) => mayMove(s, u), "moved") }),
      does: (t, s, _i, play) => beginFire(t, s, play),
    },
    unit: {
      means: (t, s, u) => unitNow(t, s, u, (name, where) => `Move ${name} (${where}, ${t.mp[u]} MP)`),
      does: beginMove,
    },
  },
};

export const step: Decision = {
  rules: ["NF reconstructed 8", "NF 11.3", "NF 11.3 F", "NF 11.1 (22.3)"],
  caption: "a unit moves",
  asks: (t, s) => `${begun(t, activeOf(s))} moves, ${mpOf(s)} MP left. Where to?`,
  about: activeUnit,
  marks(t, s, mask, at) {
    mask[at + STOP] = 1;
    if (mayExit(t, s, activeOf(s))) {
      mask[at + EXIT] = 1;
      return 2 + markSteps(t, s, mask, at + HEX);
    }
    return 1 + markSteps(t, s, mask, at + HEX);
  },
  acts: {
    stop: {
      means: (t, s) => ({
        text: `Stop ${titleOf(t, activeOf(s))} here (${mpOf(s)} MP unused)`,
        units: activeUnit(t, s).units,
        warning: onMap(s, activeOf(s)) ? null : "The unit stays off the map this turn.",
      }),
      does: (t, s, _i, play) => endMove(t, s, play),
    },
    exit: {
      means: (t, s) => `Leave the map: ${titleOf(t, activeOf(s))} counts as out`,
      does: (t, s, _i, play) => exitMap(t, s, play),
    },
    hex: { means: stepMeaning, does: enterHex },
  },
  holds: {
    unit: heldUnit,
    mp: {
      schema: z.number().int().min(0),
      write: (_t, s) => mpOf(s),
      read(_t, mp: number, s) {
        s[L.mp] = mp;
        return null;
      },
      absent(t, s) {
        s[L.mp] = t.mp[activeOf(s)]!;
        return null;
      },
      alien: (kind) => `nobody moves in phase ${kind}`,
    },
  },
  fault(t, s) {
    const u = activeOf(s);
    const name = t.unitNames[u]!;
    if (!mayMove(s, u)) return fault("active.unit", `${name} can't be moving`);
    return mpOf(s) > t.mp[u]! ? fault("active.mp", `${name} has ${t.mp[u]!} movement points, not ${mpOf(s)}`) : null;
  },
};

function stepMeaning(t: Tables, s: StateView, h: HexId): Meaning {
  countCrowd(t, s);
  const cost = costToEnter(t, s, activeOf(s), h);
  const ground = `${TERRAINS[t.terrain[h]!]}${t.road[h] === 1 ? " with road" : ""}`;
  const common = { places: [t.ids[h]!], units: activeUnit(t, s).units, cost };
  if (t.ablaze[h] === 1)
    return { ...common, text: `Enter the fire in ${t.ids[h]}`, warning: "The hex is ablaze: the unit is lost." };
  const left = Math.abs(t.grid.columns[h]! - t.exitColumn);
  const way = left === 0 ? "at the exit edge" : `${counted(left, "column")} from the exit edge`;
  const text = `Enter ${t.ids[h]}, ${ground}, ${way} (${cost} of ${mpOf(s)} MP)`;
  if (columnIn(s, h)) return { ...common, text, warning: "A column stands there: it deploys, and the move ends." };
  if (contactIn(s, h)) return { ...common, text, warning: "A contact lies there: if it is real, the move ends." };
  return { ...common, text };
}
