import { voiceOf } from "../../core/play.js";
import eventsData from "../data/events.json" with { type: "json" };

export type Kind = keyof typeof eventsData.kinds;

export const { eventOf, say } = voiceOf<Kind>(eventsData.kinds);
