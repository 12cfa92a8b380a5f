import type { Meaning } from "../../core/decision.js";
import type { StateView } from "../../core/layout.js";
import { counted, listed } from "../../core/words.js";
import { taskText } from "../events/works.js";
import { hexId, hexText, SIDE_WORDS, unitId, unitsIn, unitsWith } from "../events/words.js";
import { boxPlace, F_HOLD, F_MOVE, F_MP, GROUP, type HexId } from "../layout.js";
import { reach, slips, stops } from "../rules/movement/reach.js";
import { STOPS_HERE } from "../rules/units/mines.js";
import { groupHex, groupMovers } from "../rules/movement/walk.js";
import { actorOf, placeOf, type Tables, taskHex, taskOf, topFrame } from "../state.js";
import { dangers } from "./numbers.js";
import { hexMeaning, type Survey } from "./words.js";

/** Finds the ways of the group, in the scratch space of `reach`. */
export function findWays(t: Tables, s: StateView): void {
  const frame = topFrame(t, s);
  reach(t, s, groupMovers(t, s, s[frame + F_MOVE]!), groupHex(t, s), s[frame + F_MP]!);
}

/** A hex that the group can go to. */
export function wayMeaning(t: Tables, s: StateView, hex: HexId, survey: Survey): Meaning {
  if (t.cost[hex]! < 0) return hexMeaning(t, hex, `Go to a unit of the command in ${hexText(t, hex)}, however far`);
  const cost = (s[topFrame(t, s) + F_MP]! + t.cost[hex]!) / 2;
  const text = wayText(t, s, hex, cost, survey);
  return { ...(hexMeaning(t, hex, text) as { text: string }), cost, warning: warningOf(t, s) };
}

/** What the group gives up by going, null nothing. */
function warningOf(t: Tables, s: StateView): string | null {
  const leaves = unitsWith(t, s, GROUP).flatMap((u) => {
    const task = taskOf(t, s, u);
    return task === 0
      ? []
      : [`${unitId(t, u)} leaves ${taskText(task)} in ${hexId(t, taskHex(t, s, u))}: what was done is lost.`];
  });
  const last = emptied(t, s);
  return leaves.length === 0 ? last : [...leaves, ...(last === null ? [] : [last])].join(" ");
}

/** A box that the group goes to, along the bank or back over the river. */
export function boxMeaning(t: Tables, s: StateView, box: number): Meaning {
  const id = hexId(t, boxPlace(box));
  const back = groupHex(t, s) >= 0;
  const text = back ? `Go back over the river to box ${id}` : `Go along the bank to box ${id}, for the whole phase`;
  return { text, places: [id], warning: back ? warningOf(t, s) : null };
}

/** `Move to 0313 (suburb) for 3 of 8 MP; stops in a zone of control; s3 may fire` */
function wayText(t: Tables, s: StateView, hex: HexId, cost: number, survey: Survey): string {
  const frame = topFrame(t, s);
  const movers = groupMovers(t, s, s[frame + F_MOVE]!);
  const halts =
    t.board.volga[hex] === 1
      ? "; to attack from the river"
      : !stops(t, s, movers, hex)
        ? ""
        : t.mines > 0 && t.mined[hex] === STOPS_HERE
          ? "; a minefield: the move ends there"
          : "; beside the enemy: the move ends there";
  const throws = slips(t, s, movers) ? zonesOnWay(t, s, movers.side, hex) : 0;
  const risk =
    throws === 0
      ? ""
      : `; he throws for survival ${throws === 1 ? "once" : `${throws} times`} on the way, at ${-t.charts.leaderMostPenalty}`;
  const { firers, unseen } = dangers(t, s, unitsWith(t, s, GROUP), hex, survey.dangers);
  const fire = firers.length === 0 ? "" : `; ${listed(firers, "nobody")} may fire on the way`;
  const doubt = unseen.length === 0 ? "" : `; face-down counters in ${listed(unseen, "nobody")} may stop it`;
  const paid = movers.rail
    ? `over ${counted(cost, "hex", "hexes")} of rails`
    : `for ${cost} of ${movers.allowance / 2} MP`;
  const verb = s[frame + F_HOLD] === 1 ? "Go by way of" : "Move to";
  return `${verb} ${hexText(t, hex)} ${paid}${halts}${risk}${fire}${doubt}`;
}

/** Zones of control without friends on the way of the last reach to a hex. Rule: SOS 18.32 */
function zonesOnWay(t: Tables, s: StateView, side: number, hex: HexId): number {
  let n = 0;
  for (let h: number = hex; t.from[h]! >= 0; h = t.from[h]!)
    if (t.zocSeen[h] === 1 && !unitsIn(t, s, side, h).some((u) => t.roster.zocUnit[u] === 1)) n++;
  return n;
}

/** True when the order would leave a hex that counts for victory without a unit of its side. */
function emptied(t: Tables, s: StateView): string | null {
  const side = actorOf(t, s);
  const group = unitsWith(t, s, GROUP);
  const from = placeOf(t, s, group[0]!);
  if (from < 0) return null;
  const stays = unitsIn(t, s, side, from).some((u) => t.roster.stackUnit[u] === 1 && !group.includes(u));
  if (t.points[from] === 0 || stays || s[t.layout.pathLength]! > 0) return null;
  return `The last ${SIDE_WORDS[side]!} unit leaves ${hexText(t, from)}.`;
}
