import { z } from "zod";
import type { Held } from "../../core/decision.js";
import { FIRST_UNIT, GERMANS, type Tables } from "../data.js";
import { unitNamed } from "../names.js";
import { activeOf, L } from "../state.js";

/** The active unit, in documents. */
export const heldUnit: Held<Tables> = {
  schema: z.string(),
  write: (t, s) => t.unitNames[activeOf(s)]!,
  read(t, name: string, s) {
    const u = unitNamed(t, name, FIRST_UNIT, GERMANS);
    if (typeof u === "string") return u;
    s[L.active] = u;
    return null;
  },
};
