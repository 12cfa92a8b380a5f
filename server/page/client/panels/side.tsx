import { amountOf } from "../../../../env/core/words.js";
import type { PanelDrawing, Stacked } from "../../frame.js";
import { canLift, type Grip } from "../carry.js";
import { names, notesAt } from "../geometry.js";
import { BeliefBars } from "./review.js";
import { DiceTray, withoutNumber } from "./dice.js";
import { RuleLink } from "./rule-link.js";
import { TrayDrawing } from "./tray-drawing.js";
import { nameOf } from "../names.js";
import type { SeatStore } from "../store.js";

/** Conditions of victory shown in the closed panel. */
const CHIPS = 3;

/** How the game would end now in a sentence, and opened, every condition of victory. */
export function StandingPanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const { standing, result } = frame;
  return (
    <section class="panel standing" aria-label="Standing">
      <details>
        <summary>
          <span class="now">{result === null ? standing.ifEndedNow : "Conditions of victory"}</span>
          {standing.conditions.slice(0, CHIPS).map((c, i) => (
            <span key={i} class={c.met ? "chip met" : "chip"} title={`${c.text} (${c.when})`}>
              {c.met ? "✓ " : ""}
              {nameOf(frame, c.side)}: {amountOf(c)}
            </span>
          ))}
          {standing.conditions.length > CHIPS && <span class="chip">{standing.conditions.length - CHIPS} more</span>}
        </summary>
        <ul>
          {standing.conditions.map((c, i) => (
            <li key={i} class={c.met ? "met" : ""}>
              <span>
                <b>{nameOf(frame, c.side)}</b> {c.text}
              </span>
              <span class="have">{amountOf(c)}</span>
              <small>
                {c.when}
                {c.places.length > 0 && c.places.length <= 8 && <>: {c.places.join(", ")}</>}{" "}
                {c.rule !== "" && <RuleLink seat={seat} id={c.rule} />}
              </small>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/**
 * The contents of the place that was clicked, otherwise of the one under the pointer; clicked, its counters can be
 * chosen.
 */
export function PlaceCard({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const open = seat.open.value;
  const place = seat.base.value?.places.find((p) => p.id === (open ?? seat.pointed.value));
  if (place === undefined) return null;
  const here = frame.pieces.filter((p) => p.place === place.id);
  const again = seat.again.value;
  const goes = seat.hand.held.value === null && seat.hand.canSend(place.id) ? seat.hand.sending(place.id) : null;
  const { width } = seat.base.value!;
  const counters = here.flatMap((p): readonly Stacked[] => p.stack ?? [p]);
  return (
    <section
      // on the other side of the map
      class={`panel place ${open === null ? "" : "open"} ${place.x < width / 2 ? "right" : ""}`}
      aria-label="Place"
      // beliefs make it long: it is scrolled by the keyboard too
      {...(frame.beliefs ? { tabIndex: 0 } : {})}
    >
      <h2>{place.name}</h2>
      {open !== null && (
        <button type="button" class="link close" onClick={() => seat.close()}>
          close
        </button>
      )}
      {again?.place === place.id && (
        <p class="again">
          <b>Tap again:</b> {again.text}
        </p>
      )}
      {again === null && open === null && goes !== null && (
        <p class="again">
          <b>Click:</b> {goes}
        </p>
      )}
      {place.about !== "" && <p>{place.about}</p>}
      {notesAt(frame, place.id).map((note) => (
        <p key={note}>{note}</p>
      ))}
      <ul>
        {counters.map((c) => {
          const picture = (
            <svg
              viewBox={[-0.56, -0.56, 1.12, 1.12].map((v) => v * c.size).join(" ")}
              aria-hidden="true"
              dangerouslySetInnerHTML={{ __html: c.svg }}
            />
          );
          const own = seat.choices.value.filter((choice) => names(choice, c));
          const isPicked = own.some((choice) => seat.picks.countOf(choice) > 0);
          const [only] = own.length === 1 ? own : [];
          return (
            <li key={c.key}>
              {open !== null && own.length > 0 && counters.length > 1 ? (
                <button
                  type="button"
                  aria-pressed={isPicked || seat.openPiece.value === c.key}
                  onClick={() => {
                    // one thing that it can do is done at once; of several a list is made
                    if (only !== undefined) seat.choose(only);
                    else seat.openPiece.value = seat.openPiece.value === c.key ? null : c.key;
                  }}
                >
                  {picture} {c.title}
                </button>
              ) : (
                <span class="counter">
                  {picture} {c.title}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <BeliefBars seat={seat} place={place.id} />
    </section>
  );
}

/** Rule cards. */
export function RulesPanel({ seat }: { seat: SeatStore }) {
  const found = seat.rules.value;
  if (found === null) return null;
  return (
    <section class="panel rules" aria-label="Rules" aria-live="polite">
      <h2>
        Rules: {found.words}{" "}
        <button type="button" class="link" onClick={() => (seat.rules.value = null)} aria-label="Close the rules">
          close
        </button>
      </h2>
      {found.rules.length === 0 && <p>No rule says that.</p>}
      {found.rules.map((r) => (
        <p key={r.id}>
          <RuleLink seat={seat} id={r.id} /> {r.says} {r.note !== "" && <i>({r.note})</i>}
        </p>
      ))}
    </section>
  );
}

/** Tracks, dice, hands, pools: drawn by the server. */
export function TrayPanels({ seat, stands }: { seat: SeatStore; stands: PanelDrawing["stands"] }) {
  const { trays, text } = seat.frame.value!;
  const names = new Map(seat.frame.value!.prompt.choices.map((c) => [c.name, c]));
  const all = seat.choices.value;
  const dice = seat.frame.value!.prompt.choices.filter((c) => c.die !== undefined);
  const throwing = seat.frame.value!.puzzle === null ? seat.frame.value!.throwing : null;
  return (
    <>
      {trays
        .filter((t) => placeOf(t, seat) === stands)
        .map((t) =>
          t.dice !== undefined && throwing !== null ? (
            <DiceTray key={t.id} seat={seat} tray={t} throwing={throwing} />
          ) : (
            <TrayPicture
              key={t.id}
              tray={t}
              picked={seat.picks.units}
              lift={(id, item, e) => {
                const frame = seat.frame.value!;
                const grip: Grip = { place: "", counters: [{ key: id, unit: id }] };
                if (e.pointerType === "touch" || e.button !== 0 || !canLift(seat.choices.value, frame, grip)) return;
                e.preventDefault(); // no text is selected on the way
                seat.hand.grip(grip);
                const { width, height } = item.getBBox();
                const svg = `<g transform="translate(${-width / 2} ${-height / 2})">${item.innerHTML}</g>`;
                seat.hand.lifted.value = { grip, svg, size: Math.max(width, height), x: e.clientX, y: e.clientY };
              }}
              press={(id, ids) => {
                // of dice of one face, which are kept together, a choice names the first
                const alike = (die: number): boolean => withoutNumber(ids[die] ?? "") === withoutNumber(id);
                const choice =
                  names.get(id) ??
                  dice.find((c) => ids[c.die!] === id || alike(c.die!)) ??
                  all.find((c) => c.units.includes(id));
                if (choice !== undefined) seat.choose(choice);
              }}
            />
          ),
        )}
      {stands === "far" && text !== "" && <pre class="panel text">{text}</pre>}
    </>
  );
}

/** Height of the trays that fit above a question, px. */
const LOW = 190;

/**
 * The part of the page that shows a tray. Counters off the map that the question is about come above it, where they
 * can be gripped, unless there are too many or the screen is narrow, which shows trays by themselves.
 */
function placeOf(t: PanelDrawing, seat: SeatStore): PanelDrawing["stands"] {
  if (t.stands !== "far" || t.height > LOW || matchMedia("(max-width: 860px)").matches) return t.stands;
  const { units } = seat.frame.value!.prompt;
  const asked = [...units, ...seat.choices.value.flatMap((c) => c.units)];
  return asked.some((unit) => t.svg.includes(`data-id="${unit}"`)) ? "asked" : "far";
}

/**
 * A tray or a track.
 *
 * @param props.picked names of what is picked in it
 * @param props.press is given the name of what was clicked in it, or nothing, and the names of all
 * @param props.lift is given what a pointer has gripped in it
 */
export function TrayPicture(props: {
  tray: PanelDrawing;
  picked?: readonly string[];
  press?: (id: string, ids: readonly string[]) => void;
  lift?: (id: string, item: SVGGraphicsElement, e: PointerEvent) => void;
}) {
  const { tray: t, picked = [], press, lift } = props;
  return (
    <figure
      class="tray"
      role="img"
      aria-label={t.words}
      onPointerDown={(e) => {
        const item = (e.target as Element).closest<SVGGraphicsElement>("[data-id]");
        if (item !== null) lift?.(item.getAttribute("data-id")!, item, e);
      }}
      onClick={(e) => {
        const idOf = (item: Element | null): string => item?.getAttribute("data-id") ?? "";
        press?.(
          idOf((e.target as Element).closest("[data-id]")),
          [...e.currentTarget.querySelectorAll("[data-id]")].map(idOf),
        );
      }}
    >
      <TrayDrawing tray={t} picked={picked} />
    </figure>
  );
}
