import { counted, percent } from "../../core/words.js";
import type { StateView } from "../../core/layout.js";
import type { Standing } from "../../core/narration.js";
import type { Tables } from "../data.js";
import { hasWon, trucksLost, victoryChance } from "../rules/victory.js";
import { countAt, EXITED, L, OVER, phaseOf } from "../state.js";

/** The victory roll as of now: two dice and the trucks lost must stay below the number of units out. Rule: NF 11.3 */
export function standing(tables: Tables, s: StateView): Standing {
  const over = phaseOf(s) === OVER;
  const out = countAt(s, EXITED);
  const lost = trucksLost(tables, s);
  const extra = tables.rules.victory.perTruckLost * lost;
  const chance = over ? (hasWon(s) ? 1 : 0) : victoryChance(tables, s);
  const share = percent(chance);
  const trucks = `${counted(lost, "truck")} not out`;
  const text = over
    ? `The victory roll came to ${s[L.result]} against ${counted(out, "unit")} out.`
    : `The victory roll is two dice plus ${extra} (${trucks}). You win if it is below the number of units out: ${share} of rolls now.`;
  const need = over ? s[L.result]! + 1 : 12 + extra + 1;
  const condition = {
    rule: "NF 11.3",
    side: "german",
    text,
    have: out,
    need,
    unit: "units out",
    places: tables.ids.filter((_, h) => tables.grid.columns[h] === tables.exitColumn && tables.ablaze[h] === 0),
    met: out >= need,
    when: over ? "now" : `end of turn ${tables.rules.turns}, or when no German unit is left`,
  };
  const winnerNow = chance === 1 ? "german" : chance === 0 ? "soviet" : null;
  const ifEndedNow = over
    ? `The break-out ${hasWon(s) ? "has succeeded" : "has failed"}.`
    : `With ${counted(out, "unit")} out and ${trucks} the victory roll wins in ${share} of cases.`;
  return { conditions: [condition], winnerNow, ifEndedNow };
}
