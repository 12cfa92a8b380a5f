import { z } from "zod";
import type { Fault, Held } from "../../core/decision.js";
import { fault } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { AREA_IDS, type Effect, type Tables } from "../data.js";
import { areaId, facesAt } from "../events/words.js";
import {
  activeOf,
  actorOf,
  AIR,
  areaOf,
  AT_END,
  ATTRITION,
  AWAIT_REROLL,
  AWAIT_SPECIAL,
  AWAIT_UNITS,
  hasRight,
  L,
  RIGHT_NAMES,
  SIDES,
  SPECIAL_DICE,
  WINDOWS,
} from "../state.js";

const needed = (kind: string): string => `a decision of kind ${kind} needs it`;

/** A word that documents write as it is. */
export const held = (at: number): Held<Tables> => ({
  schema: z.number().int().min(0),
  write: (_t, s) => s[at]!,
  read(_t, n: number, s) {
    s[at] = n;
    return null;
  },
});

export const heldArea: Held<Tables> = {
  schema: z.enum(AREA_IDS),
  write: (_t, s) => areaId(areaOf(s)),
  read(_t, id: (typeof AREA_IDS)[number], s) {
    s[L.area] = AREA_IDS.indexOf(id) + 1;
    return null;
  },
};

/** The area of an Artillery window; the last one belongs to none. */
export const heldWindowArea: Held<Tables> = {
  schema: heldArea.schema,
  write: (t, s) => (s[L.area] === 0 ? undefined : heldArea.write(t, s)),
  read: (t, id, s) => (s[L.window] === AT_END ? "the last window belongs to no area" : heldArea.read(t, id, s)),
  absent: (_t, s) => (s[L.window] === AT_END ? null : needed("artillery")),
};

export const heldWindow: Held<Tables> = {
  schema: z.enum(WINDOWS),
  write: (_t, s) => WINDOWS[s[L.window]!]!,
  read(_t, name: (typeof WINDOWS)[number], s) {
    s[L.window] = WINDOWS.indexOf(name);
    return null;
  },
};

export const heldPassed: Held<Tables> = {
  schema: z.array(z.enum(SIDES)),
  write: (_t, s) => [1, 0].filter((side) => (s[L.passed]! >> side) & 1).map((side) => SIDES[side]!),
  read(_t, names: readonly (typeof SIDES)[number][], s) {
    for (const name of names) s[L.passed]! |= 1 << SIDES.indexOf(name);
    return null;
  },
  absent: () => null,
};

export const heldPending: Held<Tables> = {
  schema: z.array(z.number().int().min(1).max(6)).max(5),
  write: (_t, s) => facesAt(s, L.pending),
  read(_t, faces: readonly number[], s) {
    for (const f of faces) s[L.pending + f - 1]!++;
    return null;
  },
};

export const heldSurcharge: Held<Tables> = {
  schema: z.boolean(),
  write: (_t, s) => s[L.surchargePaid] === 1,
  read(_t, paid: boolean, s) {
    s[L.surchargePaid] = paid ? 1 : 0;
    return null;
  },
};

export const heldSource: Held<Tables> = {
  schema: z.enum(["air", "attrition"]),
  write: (_t, s) => (s[L.source] === AIR ? "air" : "attrition"),
  read(_t, source: "air" | "attrition", s) {
    s[L.source] = source === "air" ? AIR : ATTRITION;
    return null;
  },
};

/** Held of a `raze` only while air attacks go on; in attrition it counts for nothing. */
export const inAir = (h: Held<Tables>): Held<Tables> => ({
  schema: h.schema,
  write: (t, s) => (s[L.source] === AIR ? h.write(t, s) : undefined),
  read: (t, value, s) => (s[L.source] === AIR ? h.read(t, value, s) : null),
  absent: (_t, s) => (s[L.source] === AIR ? needed("raze") : null),
});

export const heldAwaiting: Held<Tables> = {
  schema: z.array(z.enum(["units", ...SPECIAL_DICE, "reroll"])).min(1),
  write: (_t, s) => awaitedParts(s[L.awaiting]!),
  read(_t, parts: readonly ("units" | "reroll" | (typeof SPECIAL_DICE)[number])[], s) {
    s[L.explicit] = 1;
    for (const part of parts)
      s[L.awaiting]! |=
        part === "reroll" ? AWAIT_REROLL : part === "units" ? AWAIT_UNITS : AWAIT_SPECIAL[SPECIAL_DICE.indexOf(part)]!;
    return null;
  },
};

const awaitedParts = (bits: number): string[] =>
  bits === AWAIT_REROLL
    ? ["reroll"]
    : [...(bits & AWAIT_UNITS ? ["units"] : []), ...SPECIAL_DICE.filter((_, d) => (bits & AWAIT_SPECIAL[d]!) !== 0)];

/** Refuses a decision whose right no die has given to its side. Rule: PS 3, PS Artillery, PS Sturm, PS 3 Deploy */
export function rightFault(s: StateView, kind: string, right: keyof typeof RIGHT_NAMES): Fault | null {
  if (hasRight(s, actorOf(s), RIGHT_NAMES[right])) return null;
  return fault(`${SIDES[actorOf(s)]!}.rights`, `the decision ${kind} needs the right ${right} among them`);
}

/** Refuses a decision that no face of a kept die has brought. */
export function faceFault(
  s: StateView,
  kind: string,
  die: number,
  op: Effect["op"],
  effects: readonly (readonly Effect[])[],
): Fault | null {
  const faces = effects.flatMap((list, f) => (list.some((e) => e.op === op) ? [f + 1] : []));
  const face = s[L.keptSpecialDice + die]!;
  if (faces.includes(face)) return null;
  return fault(`dice.kept.${SPECIAL_DICE[die]!}`, `the decision ${kind} needs ${faces.join(" or ")}, not ${face}`);
}

/** The player whose turn it is decides. */
export const byActive = (_tables: Tables, s: StateView) => activeOf(s);
