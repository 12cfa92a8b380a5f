import { useEffect, useRef, useState } from "preact/hooks";
import type { LogEvent, LogLine } from "../../frame.js";
import { nameOf } from "../names.js";
import type { SeatStore } from "../store.js";
import { Worded } from "../words/word.js";
import { RuleLink } from "./rule-link.js";

/** Entries drawn of a long log; the earlier ones come when asked for. */
const DRAWN = 200;

/** What happened, in sentences; a click on one shows where. */
export function LogPanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const end = useRef<HTMLOListElement>(null);
  const [drawn, setDrawn] = useState(DRAWN);
  /** The entry to scroll to. */
  const [wanted, setWanted] = useState<number | null>(null);
  useEffect(() => {
    const list = end.current;
    if (list === null) return;
    // to what is new, from its first line when it is more than fits; on a phone the whole side scrolls, with the log
    // alone in it
    const side = list.closest<HTMLElement>(".side");
    const box = list.scrollHeight > list.clientHeight ? list : seat.tab.value === "log" ? side : null;
    if (box === null) return;
    const first = list.querySelector(".fresh:not([hidden])");
    const above = first === null ? Infinity : first.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop = Math.min(box.scrollHeight, box.scrollTop + above);
  }, [frame.log.length, seat.news.value, seat.tab.value]);
  useEffect(() => {
    if (wanted === null || end.current === null) return;
    const item = end.current.children[wanted - (frame.log.length - Math.min(drawn, frame.log.length))];
    item?.scrollIntoView({ block: "start" });
    setWanted(null);
  }, [wanted, drawn]);
  const turns = turnsOf(frame.log, frame.turnEvent);
  const lines = frame.log.slice(-drawn);
  const fresh = new Set(seat.news.value.map((l) => l.number));
  return (
    <section class="panel log" aria-label="Log">
      <h2>Log</h2>
      {turns.length > 1 && (
        <select
          aria-label="Turn"
          value=""
          onChange={(e) => {
            const at = Number(e.currentTarget.value);
            setDrawn(Math.max(drawn, frame.log.length - at));
            setWanted(at);
          }}
        >
          <option value="">Go to a turn</option>
          {turns.map(({ at, text }) => (
            <option key={at} value={at}>
              {text}
            </option>
          ))}
        </select>
      )}
      {frame.log.length > drawn && (
        <button type="button" class="link" onClick={() => setDrawn(drawn + DRAWN)}>
          Earlier entries
        </button>
      )}
      <ol ref={end} tabIndex={0} aria-label="What happened">
        {lines.map((line, i) => (
          <li
            key={line.number}
            class={fresh.has(line.number) ? "fresh" : ""}
            // the choice of a unit, say: the next entries show what it led to
            hidden={line.events.length === 0}
          >
            {turnIn(line, frame.turnEvent) !== undefined && (
              <h3 class="turn">{turnIn(line, frame.turnEvent)!.replace(/ begins\.$/, "")}</h3>
            )}
            {heads(lines, i) && <h3>{line.actor === null ? "The start" : nameOf(frame, line.actor)}</h3>}
            <Entry seat={seat} line={line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What an entry says of a turn that begins with it. */
const turnIn = (line: LogLine, kind: string | null): string | undefined =>
  kind === null ? undefined : line.events.find((e) => e.what === kind)?.text;

/** The entries with which turns begin. */
const turnsOf = (log: readonly LogLine[], kind: string | null): readonly { at: number; text: string }[] =>
  log.flatMap((line, at) => {
    const text = turnIn(line, kind);
    return text === undefined ? [] : [{ at, text: text.replace(/ begins\.$/, "") }];
  });

/** True when this is the first entry of this actor. */
function heads(lines: readonly LogLine[], i: number): boolean {
  const before = lines.slice(0, i).findLast((l) => l.events.length > 0);
  return before === undefined || before.actor !== lines[i]!.actor;
}

function Entry({ seat, line }: { seat: SeatStore; line: LogLine }) {
  const somewhere = line.events.some((e) => e.places.length > 0);
  return (
    <>
      {somewhere && (
        <button
          type="button"
          class="where"
          aria-label={`Show on the map: ${line.events.map((e) => e.text).join(" ")}`}
          title="Show on the map"
          onClick={() => (seat.news.value = [line])}
        >
          ◎
        </button>
      )}
      <EventLines seat={seat} line={line} />
      {line.forced && <i class="forced">It was the only choice.</i>}
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
            <Worded text={event.text} quiet /> {event.rule !== "" && <RuleLink seat={seat} id={event.rule} />}
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
