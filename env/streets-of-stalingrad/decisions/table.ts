import type { Act, Single } from "../../core/decision.js";
import type { State, StateView } from "../../core/layout.js";
import type { Play } from "../../core/play.js";
import { counted, listed } from "../../core/words.js";
import { hexId, hexText, knownIds, unitId } from "../events/words.js";
import { BY_CRT, BY_WBBT, F_STUKAS, type HexId } from "../layout.js";
import { missionOdds } from "../narration/guns.js";
import type { Survey } from "../narration/words.js";
import { type Tables, topFrame } from "../state.js";
import type { Decision } from "./decision.js";

type Asking = Pick<Decision, "rules" | "asks" | "about"> & {
  readonly acts: { readonly [R in "crt" | "wbbt"]: Act<Tables, Single, void, Survey> };
};

/**
 * Asks which table guns use that fire without other units.
 *
 * @param guns the guns that fire @param target the hex that they fire at @param does called with `BY_CRT` or `BY_WBBT`
 */
export function choosesTable(
  guns: (t: Tables, s: StateView) => number[],
  target: (t: Tables, s: StateView) => HexId,
  does: (t: Tables, s: State, table: number, play: Play) => void,
): Asking {
  const stukas = (t: Tables, s: StateView): number => s[topFrame(t, s) + F_STUKAS]!;
  const by = (table: number): Asking["acts"]["crt"] => ({
    means: (t, s) => `By ${missionOdds(t, s, guns(t, s), target(t, s), table, stukas(t, s))}`,
    does: (t, s, _i, play) => does(t, s, table, play),
  });
  return {
    rules: ["SOS 14.45", "SOS 14.6", "SOS 14.84"],
    asks(t, s) {
      const who = guns(t, s).map((g) => unitId(t, g));
      if (stukas(t, s) > 0) who.push(counted(stukas(t, s), "Stuka"));
      return `Fire of ${listed(who, "nobody")} at ${hexText(t, target(t, s))}: which table?`;
    },
    about: (t, s, viewer) => ({ units: knownIds(t, s, guns(t, s), viewer), places: [hexId(t, target(t, s))] }),
    acts: { crt: by(BY_CRT), wbbt: by(BY_WBBT) },
  };
}
