import { counted } from "../../../../env/core/words.js";
import type { Frame, LogEvent, LogLine } from "../../frame.js";
import type { SeatStore } from "../store.js";

/** Lines that are listed: what came last matters most. */
const MOST = 10;

/** What has happened since this seat chose last: what came of it, not each step. */
export function SincePanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const lines = seat.since.value;
  const told = new Map<string, number>();
  for (const text of lines.flatMap((line) => toldOf(frame, line))) told.set(text, (told.get(text) ?? 0) + 1);
  if (told.size === 0 || seat.choices.value.length === 0 || frame.lesson !== null || frame.puzzle !== null) return null;
  const listed = [...told].slice(-MOST);
  const steps = lines.filter((l) => !isOwn(frame, l) && l.events.length > 0).length;
  return (
    <details class="panel since" open>
      <summary>{steps > 0 ? `Since your last choice: ${counted(steps, "step")}` : "What came of your choice"}</summary>
      <ul tabIndex={0} aria-label="What happened">
        {listed.map(([text, n]) => (
          <li key={text}>
            {text}
            {n > 1 && ` ×${n}`}
          </li>
        ))}
      </ul>
      {listed.length < told.size && <small>{told.size - listed.length} more in the log</small>}
      <button type="button" class="link" onClick={() => (seat.news.value = lines)}>
        Show on the map
      </button>
    </details>
  );
}

const isOwn = (frame: Frame, line: LogLine): boolean => line.actor === frame.seat && line.deputy === undefined;

/**
 * What an entry is summed up by: outcomes, and where the turn of a side passes that the game itself plays, all that
 * this side has done.
 */
function toldOf(frame: Frame, line: LogLine): readonly string[] {
  if (frame.throwing !== null && isOwn(frame, line)) return []; // the dice themselves are on the table
  const passes = line.events.some((e) => e.what === frame.turnEvent);
  const seated = (e: LogEvent): boolean => e.by === null || frame.seats.some((s) => s.side === e.by);
  return line.events.flatMap((e) => e.outcomes ?? (passes && !seated(e) ? [e.text] : []));
}
