import { z } from "zod";
import { fault, type Fault, type Held } from "../../core/decision.js";
import type { State, StateView } from "../../core/layout.js";
import { CHIT, type Tables } from "../data.js";
import { areaNamed, chitNamed, unitNamed } from "../names.js";
import { firstInHand } from "../rules/chits.js";
import {
  type AreaId,
  askedArea,
  askedChit,
  askedCounter,
  askedUnit,
  breakthroughStart,
  type ChitKind,
  chitOfCounter,
  chitPlaceOf,
  CHITS,
  combatAreaOf,
  commandAreaOf,
  counterOfChit,
  DECISION_NAMES,
  decisionOf,
  eventAreaOf,
  germansIn,
  isUnit,
  L,
  PHASE,
  phaseOf,
} from "../state.js";

/** What documents hold of decisions. */

const needed = (_t: Tables, s: StateView): string => `the decision ${DECISION_NAMES[decisionOf(s)]!} needs it`;

/** A unit of a side. */
const heldUnit = (side: "German" | "Soviet"): Held<Tables> => ({
  schema: z.string(),
  write: (t, s) => t.data.unitIds[askedUnit(s)]!,
  read(t, id: string, s) {
    const u = unitNamed(t, id, side);
    if (typeof u === "string") return u;
    s[L.decisionUnit] = u + 1;
    return null;
  },
  absent: needed,
});
export const heldGerman = heldUnit("German");
export const heldSoviet = heldUnit("Soviet");

/** A Soviet unit or a chit. */
export const heldCounter: Held<Tables> = {
  schema: z.string(),
  write(t, s) {
    const counter = askedCounter(s);
    return isUnit(counter) ? t.data.unitIds[counter]! : t.data.chitIds[chitOfCounter(counter)]!;
  },
  read(t, id: string, s) {
    const c = chitNamed(t, id);
    if (typeof c === "string") return heldSoviet.read(t, id, s);
    s[L.decisionUnit] = counterOfChit(c) + 1;
    return null;
  },
  absent: needed,
};

export const heldArea: Held<Tables> = {
  schema: z.string(),
  write: (t, s) => t.data.areaIds[askedArea(s)]!,
  read(t, id: string, s) {
    const a = areaNamed(t, id);
    if (typeof a === "string") return a;
    s[L.decisionArea] = a + 1;
    return null;
  },
  absent: needed,
};

/**
 * An area that another part of the document names too, so that the decision need not: they are the same. Where only the
 * decision names one, `begin` may put it there.
 */
const heldAreaOf = (what: string, areaOf: (s: StateView) => AreaId, begin: (s: State) => void): Held<Tables> => ({
  schema: z.string(),
  write: heldArea.write,
  read(t, id: string, s) {
    const wrong = heldArea.read(t, id, s);
    if (wrong !== null) return wrong;
    if (areaOf(s) < 0) begin(s);
    else if (areaOf(s) !== askedArea(s)) return `${what} in area ${t.data.areaIds[areaOf(s)]!}, not in area ${id}`;
    return null;
  },
  absent(t, s) {
    if (areaOf(s) < 0) return needed(t, s);
    s[L.decisionArea] = areaOf(s) + 1;
    return null;
  },
});

export const heldCombatArea = heldAreaOf("the combat goes on", combatAreaOf, () => undefined);
export const heldBreakthrough = heldAreaOf("the breakthrough begins", breakthroughStart, (s) => {
  s[L.breakthroughFrom] = s[L.decisionArea]!;
});
/** The modifier, which comes after it, opens the command. */
export const heldCommand = heldAreaOf("the command is", commandAreaOf, () => undefined);

/** Why there is no such modifier of command rolls, or null. Rule: SS 10.51. */
export const modifierFault = (t: Tables, modifier: number): string | null =>
  modifier === 0 || modifier === t.data.commandDrm ? null : `it is 0 or ${t.data.commandDrm}, not ${modifier}`;

/** The modifier of command rolls; a command that the document names has its own. Rule: SS 10.51. */
export const heldModifier: Held<Tables> = {
  schema: z.number().int().min(-5).max(0),
  write: (_t, s) => s[L.commandModifier]!,
  read(t, modifier: number, s) {
    if (s[L.commandArea] !== 0) return null;
    s[L.commandArea] = s[L.decisionArea]!;
    s[L.commandModifier] = modifier;
    return modifierFault(t, modifier);
  },
  absent(_t, s) {
    if (s[L.commandArea] === 0) s[L.commandArea] = s[L.decisionArea]!;
    return null;
  },
};

/** Movement points left; by default all. */
export const heldPoints: Held<Tables> = {
  schema: z.number().int().min(1).max(3),
  write: (_t, s) => s[L.decisionMp]!,
  read(_t, points: number, s) {
    s[L.decisionMp] = points;
    return null;
  },
  absent(t, s) {
    s[L.decisionMp] = t.data.mp[askedUnit(s)]!;
    return null;
  },
};

/** True when it is the first step. By default with all movement points. */
export const heldFirst: Held<Tables> = {
  schema: z.boolean(),
  write: (_t, s) => s[L.decisionIsFirstStep] === 1,
  read(_t, first: boolean, s) {
    s[L.decisionIsFirstStep] = first ? 1 : 0;
    return null;
  },
  absent(t, s) {
    s[L.decisionIsFirstStep] = s[L.decisionMp] === t.data.mp[askedUnit(s)] ? 1 : 0;
    return null;
  },
};

/** A chit; by default the one of the hand that is next. */
export const heldHandChit: Held<Tables> = {
  schema: z.string(),
  write: (t, s) => t.data.chitIds[askedChit(s)]!,
  read(t, id: string, s) {
    const c = chitNamed(t, id);
    if (typeof c === "string") return c;
    s[L.decisionChit] = c + 1;
    return null;
  },
  absent(_t, s) {
    s[L.decisionChit] = firstInHand(s) + 1;
    return null;
  },
};

/** A chit of a kind that shoots in the area of the decision; its events begin where the document names none. */
export const heldShooter = (kind: ChitKind): Held<Tables> => ({
  schema: z.string(),
  write: heldHandChit.write,
  read(t, id: string, s) {
    const wrong = heldHandChit.read(t, id, s);
    if (wrong !== null) return wrong;
    const a = askedArea(s);
    const c = askedChit(s);
    if (chitPlaceOf(s, c) !== a || t.data.chitKind[c] !== kind || germansIn(s, a) === 0)
      return `${id} does not shoot in area ${t.data.areaIds[a]!}`;
    if (s[L.eventArea] !== 0) return null;
    s[L.eventArea] = a + 1;
    s[L.eventsAfterBreakthrough] = phaseOf(s) === PHASE.combat ? 1 : 0;
    for (let i = c; i < CHITS; i++) {
      const k = t.data.chitKind[i]!;
      const resolves = k === CHIT.sniper || k === CHIT.molotov || k === CHIT.ambush || k === CHIT.dummy;
      if (resolves && chitPlaceOf(s, i) === a) s[L.eventChitsLeft]! |= 1 << i;
    }
    return null;
  },
  absent: needed,
});

/** The chit of the decision has its turn in the events of the area. */
export const shooterFault = (t: Tables, s: StateView): Fault | null =>
  eventAreaOf(s) === askedArea(s) && ((s[L.eventChitsLeft]! >> askedChit(s)) & 1) === 1
    ? null
    : fault("events.todo", `${t.data.chitIds[askedChit(s)]!} has nothing to do`);
