import { z } from "zod";
import { bothOf, fault, type Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { type Decision, DONE, FIRE_AGAIN, HEX, STOP, UNIT } from "../actions.js";
import { ELIMINATE, type HexId, HEXES, SUPPRESS, type Tables, type UnitId } from "../data.js";
import { attackNeeds, begun, titleOf } from "../events/words.js";
import { hexNamed } from "../names.js";
import { attackValue, leastDie, targetIn } from "../rules/combat.js";
import { sees } from "../rules/sight.js";
import { markFirers, markTargets, mayFire, spotBonus } from "../rules/spotting.js";
import { activeOf, FIRED, has, L, onMap, placeOf, setPhase, SUPPRESSED, TARGET, targetOf } from "../state.js";
import { endFire, engage, fireAgain, sovietTurn } from "../turn.js";
import { activeUnit, inTurn, unitNow, unused } from "../narration/units.js";
import { heldUnit } from "./held.js";

export const fire: Decision = {
  rules: ["NF reconstructed fire", "NF reconstructed soviet fire"],
  caption: "choose a unit to fire",
  asks: (t, s) => `${inTurn(t, s)}: which unit fires or looks?`,
  marks(t, s, mask, at) {
    mask[at + DONE] = 1;
    return 1 + markFirers(t, s, mask, at + UNIT);
  },
  acts: {
    done: {
      means: (t, s) => ({
        text: "End the fire; the Soviets act",
        ends: "turn",
        warning: unused((u) => mayFire(t, s, u) && hasChance(t, s, u), "fired"),
      }),
      does: (t, s, _i, play) => sovietTurn(t, s, play),
    },
    unit: {
      means: (t, s, u) => ({
        ...unitNow(t, s, u, (name, where) => `Fire or look with ${name} (${where})`),
        warning: hasChance(t, s, u) ? null : "No die is enough for anything that it can fire at or look into.",
      }),
      does(_t, s, u) {
        s[L.active] = u;
        setPhase(s, TARGET);
      },
    },
  },
};

export const target: Decision = {
  rules: [
    "NF reconstructed fire", "NF reconstructed spotting", "NF reconstructed attack", "NF reconstructed target", "NF 11.2",
  ], // prettier-ignore
  caption: "choose its target",
  asks: (t, s) =>
    `${begun(t, activeOf(s))} in ${t.ids[placeOf(s, activeOf(s))]}: which hex does it fire at or look into?`,
  about: activeUnit,
  marks(t, s, mask, at) {
    mask[at + STOP] = 1;
    return 1 + markTargets(t, s, activeOf(s), mask, at + HEX);
  },
  acts: {
    stop: {
      means: (t, s) => ({
        text: `Hold ${titleOf(t, activeOf(s))}'s fire for this turn`,
        units: activeUnit(t, s).units,
        warning: "The unit can't fire later this turn.",
      }),
      does: (t, s, _i, play) => endFire(t, s, play),
    },
    hex: { means: fireMeaning, does: engage },
  },
  holds: { unit: heldUnit },
  fault: (t, s) =>
    mayFire(t, s, activeOf(s)) ? null : fault("active.unit", `${t.unitNames[activeOf(s)]!} can't be choosing a target`),
};

export const follow: Decision = {
  rules: ["NF reconstructed fire", "NF reconstructed attack"],
  caption: "fire on or hold",
  asks: (t, s) => `${begun(t, activeOf(s))} has found its target in ${t.ids[targetOf(s)]}. Fire at once?`,
  about(t, s) {
    const { units, places } = activeUnit(t, s);
    return { units, places: [...places, t.ids[targetOf(s)]!] };
  },
  marks: bothOf(FIRE_AGAIN, STOP),
  acts: {
    stop: {
      means: (t, s) => ({ text: `Hold ${titleOf(t, activeOf(s))}'s fire`, units: activeUnit(t, s).units }),
      does: (t, s, _i, play) => endFire(t, s, play),
    },
    fire: {
      means: (t, s) => fireMeaning(t, s, targetOf(s)),
      does: (t, s, _i, play) => fireAgain(t, s, play),
    },
  },
  holds: {
    unit: heldUnit,
    target: {
      schema: z.string(),
      write: (t, s) => t.ids[targetOf(s)]!,
      read(t, id: string, s) {
        const h = hexNamed(t, id);
        if (typeof h === "string") return h;
        s[L.target] = h;
        return null;
      },
      absent: () => "phase follow needs the hex of the target",
      alien: (kind) => `no target is known in phase ${kind}`,
    },
  },
  fault(t, s) {
    const u = activeOf(s);
    const h = targetOf(s);
    const name = t.unitNames[u]!;
    if (!onMap(s, u) || has(s, u, FIRED | SUPPRESSED)) return fault("active.unit", `${name} can't fire`);
    return !sees(t, placeOf(s, u), h) || targetIn(t, s, u, h) < 0
      ? fault("active.target", `${name} has nothing to fire at in ${t.ids[h]!}`)
      : null;
  },
};

/** True when there is a hex in which a die of the unit's can come to something. */
function hasChance(t: Tables, s: StateView, u: UnitId): boolean {
  const targets = new Uint8Array(HEXES);
  markTargets(t, s, u, targets, 0);
  return targets.some((may, h) => may === 1 && leastFor(t, s, u, h as HexId) <= 6);
}

/** The least die that suppresses what the unit would fire at in a hex, or that finds something there. */
function leastFor(t: Tables, s: StateView, u: UnitId, h: HexId): number {
  const distance = t.distance[placeOf(s, u) * HEXES + h]!;
  const enemy = targetIn(t, s, u, h);
  if (enemy >= 0) return leastDie(t, attackValue(t, s, u, enemy, h, distance), SUPPRESS);
  return distance + t.rules.spotting.needBeyondDistance - spotBonus(t, s, u, h, distance);
}

/** Attacks what may be attacked in a hex, or looks into it. */
function fireMeaning(t: Tables, s: StateView, h: HexId): Meaning {
  const u = activeOf(s);
  const distance = t.distance[placeOf(s, u) * HEXES + h]!;
  const enemy = targetIn(t, s, u, h);
  const hex = t.ids[h]!;
  if (enemy >= 0) {
    const suppressed = has(s, enemy, SUPPRESSED) ? ", suppressed already" : "";
    const value = attackValue(t, s, u, enemy, h, distance);
    const needs = attackNeeds(leastDie(t, value, SUPPRESS), leastDie(t, value, ELIMINATE));
    return {
      text: `Fire at ${titleOf(t, enemy)} in ${hex}${suppressed}: ${needs}`,
      places: [hex],
      units: [t.unitNames[u]!, t.unitNames[enemy]!],
    };
  }
  const need = leastFor(t, s, u, h);
  const chance = need > 6 ? "" : need <= 1 ? ": any die finds it" : `: a die of ${need} or more finds it`;
  const warning = need > 6 ? "No die is enough to find anything there." : null;
  return { text: `Look into ${hex}${chance}`, places: [hex], units: [t.unitNames[u]!], warning };
}
