import type { StateView, JsonObject, State, Dice, Observation } from "../../env/index.js";
import { Race, L as R } from "../toys/race.js";
import { type Fault, inRace } from "./fault.js";

export const DOCUMENTS: Fault[] = [
  inRace(
    "round-trip",
    "the throws made are not written",
    class extends Race {
      override write(s: StateView): JsonObject {
        return { ...super.write(s), throws: [0] };
      }
    },
  ),
  inRace(
    "not-json",
    "the view holds undefined",
    class extends Race {
      override view(s: StateView) {
        return { ...super.view(s, 0), note: undefined } as unknown as JsonObject;
      }
    },
  ),
  inRace(
    "read-lax",
    "unknown keys are passed over",
    class extends Race {
      override read(doc: JsonObject, s: State, dice: Dice) {
        super.read(Object.fromEntries(Object.keys(this.write(s)).map((k) => [k, doc[k]!])), s, dice);
      }
    },
  ),
  inRace(
    "read-lax",
    "a value nobody can have is read",
    class extends Race {
      override read(doc: JsonObject, s: State, dice: Dice) {
        super.read(doc["pot"] === -99 ? { ...doc, pot: [0] } : doc, s, dice);
        if (doc["pot"] === -99) s[R.pot] = -99;
      }
    },
  ),
  inRace(
    "read-crash",
    "a list is taken for granted",
    class extends Race {
      override read(doc: JsonObject, s: State, dice: Dice) {
        (doc["score"] as number[]).map((x) => x);
        super.read(doc, s, dice);
      }
    },
  ),
];
export const OBSERVATION: Fault[] = [
  inRace(
    "observation-unwritten",
    "faces not on the table are left out",
    class extends Race {
      override observe(s: StateView, viewer: number, out: Observation) {
        const kept = out.map.slice();
        super.observe(s, viewer, out);
        for (let f = 0; f < 5; f++) if (out.map[f] === 0) out.map[f] = kept[f]!;
      }
    },
  ),
  inRace(
    "observation-stale",
    "a row keeps the first turn it was written in",
    class extends Race {
      readonly cacheWords = 1;
      override observe(s: StateView, viewer: number, out: Observation) {
        const before = out.globals[0]!;
        super.observe(s, viewer, out);
        if (out.cache?.[0] === 1) out.globals[0] = before;
        else if (out.cache) out.cache[0] = 1;
      }
    },
  ),
  inRace(
    "observation-range",
    "the turn is not scaled",
    class extends Race {
      override observe(s: StateView, viewer: number, out: Observation) {
        super.observe(s, viewer, out);
        out.globals[0] = s[R.turn]!;
      }
    },
  ),
];
