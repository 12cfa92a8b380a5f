import { eventMaker, type Happening } from "../../core/narration.js";
import type { Play } from "../../core/play.js";
import eventsData from "../data/events.json" with { type: "json" };

export type Kind = keyof typeof eventsData.kinds;

/** An event of a kind of this game. */
export const eventOf = eventMaker<Kind>(eventsData.kinds);

/** Reports an event that every viewer may know. Rules call it only while there is a narrator. */
export const say = (play: Play, what: Kind, happening: Happening): void =>
  play.narrator!.tell(eventOf(what, happening));
