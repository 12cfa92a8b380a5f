import type { Play } from "../../core/play.js";
import type { StateView } from "../../core/layout.js";
import { declines, id } from "../events/common.js";
import { actorOf, askedHex, type Tables } from "../state.js";

/** Tells that a side lets the chance of the top frame go by. */
export function decline(t: Tables, s: StateView, rule: string, text: string, play: Play): void {
  if (play.narrator === null) return;
  const hex = askedHex(t, s);
  declines(t, actorOf(t, s), rule, `${text} ${id(t, hex)}.`, hex, play);
}
