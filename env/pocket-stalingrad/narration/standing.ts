import type { StateView } from "../../core/layout.js";
import type { Condition, Standing } from "../../core/narration.js";
import { AREA_IDS, CITY_FIRST, CITY_LAST, type Tables, type AreaId, type SideId } from "../data.js";
import { judge, lastVerdict } from "../rules/victory.js";
import { areasOf, captor, combatAhead, DECISION, GERMAN, L, REASONS, SIDES, SOVIET, vpOf, enemyOf } from "../state.js";
import { resultText } from "../events/action.js";
import { SIDE_WORDS } from "../events/words.js";

/** Conditions of victory and the result if the game ended now. Everything is public. Rule: PS Victory, PS 6 */
export function standing(tables: Tables, s: StateView): Standing {
  const over = s[L.kind] === DECISION.over;
  const verdict = over ? s[L.winner]! + 4 * s[L.reason]! : judge(tables, s) || lastVerdict(tables, s);
  const winner = verdict & 3;
  const conditions = [SOVIET, GERMAN].flatMap((side) => conditionsOf(tables, s, side));
  const result = resultText(tables, s, winner, REASONS[verdict >> 2]!);
  const ifEndedNow = over ? result : `As it stands, ${result[0]!.toLowerCase()}${result.slice(1)}`;
  return { conditions, winnerNow: winner === 0 ? null : SIDES[winner - 1]!, ifEndedNow };
}

function conditionsOf(tables: Tables, s: StateView, side: SideId): Condition[] {
  const areas = areasOf(s, side);
  const enemyAreas = areasOf(s, enemyOf(side));
  const vp = vpOf(tables, s, side);
  const enemyVp = vpOf(tables, s, enemyOf(side));
  const held = citiesWhere((a) => s[L.captured + a] === side + 1);
  const strong = (first: boolean) =>
    citiesWhere((a) => captor(tables, s, a) === side && combatAhead(tables, s, a) === first);
  const [projected, foughtFirst] = [strong(false), strong(true)];
  const asUnitsStand = [
    ...(projected.length > 0 ? [`it would capture ${projected.join(", ")}`] : []),
    ...(foughtFirst.length > 0 ? [`it has enough in ${foughtFirst.join(", ")}, where combat comes first`] : []),
  ];
  const last = `end of turn ${tables.turns}`;
  const common = { rule: "PS Victory", side: SIDES[side]! };
  return [
    {
      ...common,
      text: `The ${SIDE_WORDS[side]} side wins at once with ${tables.areasToWin} captured city areas${asUnitsStand.length > 0 ? `; as units stand ${asUnitsStand.join(", and ")}` : ""}.`,
      have: areas,
      need: tables.areasToWin,
      unit: "areas",
      places: [...held, ...projected, ...foughtFirst],
      met: areas >= tables.areasToWin,
      when: "end of every turn",
    },
    {
      ...common,
      text: `After turn ${tables.turns} the ${SIDE_WORDS[side]} side wins with more captured city areas than the enemy.`,
      have: areas,
      need: enemyAreas + 1,
      against: enemyAreas,
      unit: "areas",
      places: held,
      met: areas > enemyAreas,
      when: last,
    },
    {
      ...common,
      text: `If both hold as many, the ${SIDE_WORDS[side]} side wins with more VP in its areas.`,
      have: vp,
      need: enemyVp + 1,
      against: enemyVp,
      unit: "VP",
      places: held,
      met: areas === enemyAreas && vp > enemyVp,
      when: last,
    },
  ];
}

function citiesWhere(holds: (area: AreaId) => boolean): string[] {
  const list: string[] = [];
  for (let a = CITY_FIRST; a <= CITY_LAST; a++) if (holds(a)) list.push(AREA_IDS[a]!);
  return list;
}
