import type { Play } from "../../core/play.js";
import type { GameEvent } from "../../core/narration.js";
import type { Tables } from "../data.js";

/** Tells all viewers. Rules call event functions only while somebody listens. */
export function tell(tables: Tables, event: GameEvent, play: Play): void {
  play.narrator!.tell(event);
}
