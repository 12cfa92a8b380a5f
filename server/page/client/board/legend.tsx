import { useSignal } from "@preact/signals";
import type { Base, LegendItem } from "../../frame.js";
import { touching } from "../geometry.js";
import type { SeatStore } from "../store.js";

/** A hex in the middle of a drawn mark. */
const HEX = "M40 18L32 31.9H16L8 18L16 4.1H32Z";

/** What the marks on this board mean, folded: those of the page, those that come and go, those of the map itself. */
export function Legend({ seat, base }: { seat: SeatStore; base: Base }) {
  const open = useSignal(false);
  const frame = seat.frame.value!;
  return (
    <details
      class="legend"
      open={open.value}
      onToggle={(e) => (open.value = e.currentTarget.open)}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || !open.value) return;
        e.stopPropagation();
        open.value = false;
        e.currentTarget.querySelector("summary")!.focus();
      }}
    >
      <summary>Legend</summary>
      {open.value && (
        <ul tabIndex={0} aria-label="Marks on the map">
          {ownMarks(seat, base).map(({ what, text }) => (
            <li key={text}>
              <svg viewBox="0 0 48 36" aria-hidden="true">
                <g class={what.layer}>
                  {what.layer === "costs" ? (
                    <g class="cost" transform="translate(24 18)">
                      <circle r="10" />
                      <text y="5" font-size="15" text-anchor="middle">
                        2
                      </text>
                    </g>
                  ) : (
                    <path d={what.mark === "way" ? "M8 26L40 10" : HEX} class={what.mark} />
                  )}
                </g>
              </svg>
              <span>{text}</span>
            </li>
          ))}
          {[...frame.legend, ...base.legend].map((item) => (
            <Item key={item.text} item={item} />
          ))}
        </ul>
      )}
    </details>
  );
}

function Item({ item }: { item: LegendItem }) {
  return (
    <li>
      <svg viewBox="0 0 48 36" aria-hidden="true" dangerouslySetInnerHTML={{ __html: item.svg }} />
      <span>{item.text}</span>
    </li>
  );
}

interface OwnMark {
  readonly what: { readonly layer: string; readonly mark: string };
  readonly text: string;
}

/** Marks that the page draws now. */
function ownMarks(seat: SeatStore, base: Base): OwnMark[] {
  const frame = seat.frame.value!;
  const choices = seat.choices.value;
  const marked = base.places.map((p) => touching(choices, p.id, frame)).filter((here) => here.length > 0);
  const isCareful = (here: (typeof marked)[number]): boolean => here.every((c) => c.warning !== null);
  const events = seat.news.value.flatMap((l) => l.events);
  const marks: (OwnMark | false)[] = [
    marked.some((here) => !isCareful(here)) && {
      what: { layer: "marks", mark: "may" },
      text: "you can choose something here",
    },
    marked.some(isCareful) && { what: { layer: "marks", mark: "careful" }, text: "you can, but the page warns you" },
    marked.some((here) => here[0]!.cost !== undefined) && {
      what: { layer: "costs", mark: "cost" },
      text: "what it costs to go here",
    },
    frame.prompt.places.length > 0 && { what: { layer: "marks", mark: "at-hand" }, text: "the question is about this" },
    seat.open.value !== null && { what: { layer: "marks", mark: "chosen" }, text: "its choices are listed" },
    events.some((e) => e.moved) && { what: { layer: "arrows", mark: "way" }, text: "what moved last" },
    events.some((e) => !e.moved && e.places.length > 0) && {
      what: { layer: "arrows", mark: "spot" },
      text: "where something happened last",
    },
  ];
  return marks.filter((m) => m !== false);
}
