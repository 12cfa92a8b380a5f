import { counted } from "../../../../env/core/words.js";
import type { SeatStore } from "../store.js";

/** Outcomes that are listed: what came last matters most. */
const MOST = 10;

/** What the others have done since this seat chose last: what came of it, not each step. */
export function SincePanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const lines = seat.since.value;
  const outcomes = new Map<string, number>();
  for (const o of lines.flatMap((l) => l.events).flatMap((e) => e.outcomes ?? []))
    outcomes.set(o, (outcomes.get(o) ?? 0) + 1);
  if (outcomes.size === 0 || seat.choices.value.length === 0 || frame.lesson !== null || frame.puzzle !== null)
    return null;
  const listed = [...outcomes].slice(-MOST);
  const steps = lines.filter((l) => l.events.length > 0).length;
  return (
    <details class="panel since" open>
      <summary>Since your last choice: {counted(steps, "step")}</summary>
      <ul>
        {listed.map(([text, n]) => (
          <li key={text}>
            {text}
            {n > 1 && ` ×${n}`}
          </li>
        ))}
      </ul>
      {listed.length < outcomes.size && <small>{outcomes.size - listed.length} more in the log</small>}
      <button type="button" class="link" onClick={() => (seat.news.value = lines)}>
        Show on the map
      </button>
    </details>
  );
}
