import type { LogLine } from "../frame.js";

/** A log entry as one reads it aloud. */
export const spoken = (line: LogLine): string =>
  line.events.length > 0
    ? line.events.map((e) => e.text).join(" ")
    : line.action === null
      ? ""
      : `${line.actor}: ${line.action}.`;
