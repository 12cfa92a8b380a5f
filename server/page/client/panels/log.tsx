import { useEffect, useRef } from "preact/hooks";
import type { LogEvent, LogLine } from "../../frame.js";
import { nameOf, type SeatStore } from "../store.js";
import { RuleLink } from "./rule-link.js";

/** Entries drawn of a long log; the earlier ones come when asked for. */
const DRAWN = 200;

/** What happened, in sentences; a click on one shows where. */
export function LogPanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const end = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const list = end.current;
    if (list === null) return;
    // to what is new, from its first line when it is more than fits
    const first = list.querySelector<HTMLElement>(".fresh");
    const room = list.scrollHeight - list.clientHeight;
    list.scrollTop = first === null ? room : Math.min(room, first.offsetTop);
  }, [frame.log.length, seat.news.value]);
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
      <button type="button" class="acted" title="Show it on the map" onClick={() => (seat.news.value = [line])}>
        {line.actor === null ? "The start" : nameOf(seat.frame.value!, line.actor)}
        {line.events.length === 0 && line.action !== null && <span> {line.action}</span>}
        {line.forced && <i> (the only choice)</i>}
      </button>
      <EventLines seat={seat} line={line} />
    </>
  );
}

/** What came of one decision: its dice, then sentences with their rules. */
export function EventLines({ seat, line }: { seat: SeatStore; line: LogLine }) {
  return (
    <>
      {line.events.map((event, i) => (
        <div key={i} class="event">
          {event.dice.map((d, j) => (
            <DiceRow key={j} seat={seat} dice={d} />
          ))}
          <p>
            {event.text} {event.rule !== "" && <RuleLink seat={seat} id={event.rule} />}
          </p>
        </div>
      ))}
    </>
  );
}

/** Centres of the pips on a die of 3 by 3, for each face. */
const PIPS: readonly (readonly number[])[] = [
  [],
  [4],
  [2, 6],
  [2, 4, 6],
  [0, 2, 6, 8],
  [0, 2, 4, 6, 8],
  [0, 2, 3, 5, 6, 8],
];

function DiceRow({ seat, dice }: { seat: SeatStore; dice: LogEvent["dice"][number] }) {
  const by = seat.frame.value!.sides.find((s) => s.id === dice.by);
  return (
    <p class={`dice ${by?.look ?? "neutral"}`} role="img" aria-label={dice.faces.join(" ")} title={dice.words}>
      {dice.faces.map((face, i) => (
        <Face key={i} face={face} sides={dice.sides} />
      ))}
      <small aria-hidden="true">{dice.words}</small>
    </p>
  );
}

/** A die of six as a die; what else was thrown or drawn as a tag. */
function Face({ face, sides }: { face: number | string; sides: number }) {
  const pips = sides === 6 && typeof face === "number" ? PIPS[face] : undefined;
  if (pips === undefined) return <span class="face">{face}</span>;
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect x="1" y="1" width="22" height="22" rx="4" />
      {pips.map((at) => (
        <circle key={at} cx={6 + 6 * (at % 3)} cy={6 + 6 * Math.floor(at / 3)} r="2.3" />
      ))}
    </svg>
  );
}
