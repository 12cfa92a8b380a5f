import { useEffect, useRef } from "preact/hooks";
import type { LogEvent, LogLine } from "../../frame.js";
import type { SeatStore } from "../store.js";
import { RuleLink } from "./choices.js";

/** Entries drawn of a long log; the earlier ones come when asked for. */
const DRAWN = 200;

/** What happened, in sentences; a click on one shows where. */
export function LogPanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const end = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const list = end.current;
    if (list !== null) list.scrollTop = list.scrollHeight;
  }, [frame.log.length]);
  const lines = frame.log.slice(-DRAWN);
  const fresh = new Set(seat.news.value.map((l) => l.number));
  return (
    <section class="panel log" aria-label="Log">
      <h2>Log</h2>
      <ol ref={end} tabIndex={0} aria-label="What happened">
        {lines.map((line) => (
          <li key={line.number} class={fresh.has(line.number) ? "fresh" : ""}>
            <Entry seat={seat} line={line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Entry({ seat, line }: { seat: SeatStore; line: LogLine }) {
  return (
    <>
      {line.action !== null && (
        <button type="button" class="acted" onClick={() => (seat.news.value = [line])}>
          <b>{line.actor}</b> {line.action}
          {line.forced && <i> (the only choice)</i>}
        </button>
      )}
      {line.events.map((event, i) => (
        <p key={i}>
          <Dice event={event} />
          {event.text} {event.rule !== "" && <RuleLink seat={seat} id={event.rule} />}
        </p>
      ))}
    </>
  );
}

const PIPS = ["", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];

function Dice({ event }: { event: LogEvent }) {
  return (
    <>
      {event.dice.map((d, i) => (
        <span key={i} class="dice" title={`${d.by ?? ""} ${d.words}`}>
          {d.faces
            .map((f) => (d.sides === 6 && typeof f === "number" ? (PIPS[f] ?? String(f)) : `[${f}]`))
            .join("")}{" "}
        </span>
      ))}
    </>
  );
}
