import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { listed } from "../../../../env/core/words.js";
import type { Choice } from "../../../../env/index.js";
import { countersAt, endsApart, names, touching } from "../geometry.js";
import { nameOf, unitName } from "../names.js";
import { MANY, type SeatStore } from "../store.js";
import { meaningsIn } from "../words/primer.js";
import { Worded } from "../words/word.js";
import { sayNothing } from "../asked-odds.js";
import { SpeedSelect } from "../speed.js";
import { DeputyPanel } from "./deputy.js";
import { useFit } from "./fit.js";
import { EventLines } from "./log.js";
import { Outcomes } from "./odds.js";
import { RuleLink } from "./rule-link.js";

/** The decision at hand: what is asked, and a button for each answer. */
export function PromptPanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const { prompt } = frame;
  const waiting = seat.behind.value > 0;
  const top = useRef<HTMLElement>(null);
  // a new question is read from its beginning
  useEffect(() => {
    const side = top.current?.closest(".side");
    if (side) side.scrollTop = 0;
  }, [prompt.text]);
  const step = seat.news.value.at(-1);
  const question = waiting
    ? step === undefined || step.actor === null
      ? "The other side plays."
      : `The ${nameOf(frame, step.actor)} side plays.`
    : frame.thinking === null || frame.prompt.choices.length > 0
      ? prompt.text
      : `${nameOf(frame, frame.thinking)} is thinking.`;
  const deputy = waiting ? null : frame.deputy;
  return (
    <section class="panel prompt" aria-label="Decision" ref={top}>
      <p class="question">
        <Worded text={deputy === null ? question : `${deputy.text}.`} />{" "}
        {!waiting && prompt.rule !== "" && <RuleLink seat={seat} id={prompt.rule} />}
      </p>
      {waiting && (
        <>
          {step !== undefined && <EventLines seat={seat} line={step} />}
          <div class="row">
            <button
              type="button"
              class="wide"
              aria-pressed={seat.steps.paused.value}
              onClick={() => seat.steps.pause(!seat.steps.paused.value)}
            >
              {seat.steps.paused.value ? "Play" : "Pause"}
            </button>
            <button type="button" class="wide" onClick={() => seat.steps.oneStep()}>
              Next
            </button>
            <button type="button" class="wide" onClick={() => seat.steps.toTheEnd()}>
              To the end ({seat.behind.value})
            </button>
          </div>
          <label class="pace">
            Speed <SpeedSelect />
          </label>
        </>
      )}
      {frame.thinking !== null && frame.seats.some((s) => s.side === frame.thinking && s.who.startsWith("search")) && (
        <button type="button" class="wide" onClick={() => seat.moveNow()}>
          Move now
        </button>
      )}
      {deputy !== null && <DeputyPanel seat={seat} />}
      {!waiting && deputy === null && frame.seat !== null && prompt.choices.length > 0 && <ChoiceList seat={seat} />}
    </section>
  );
}

/** True when a choice can be taken on the map. */
const onMap = (c: Choice): boolean => c.places.length > 0;

/** Choices of a long list that are shown before it is unfolded. */
const LISTED = 12;
/** So many choices that end a turn or phase are below the list, if there is room. More are in it. */
const PINNED = 2;

function ChoiceList({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const { typed } = seat;
  const words = typed.words.value;
  const [unfolded, setUnfolded] = useState(false);
  /** The question whose pinned choices leave no room for the list. */
  const [crowded, setCrowded] = useState(-1);
  useEffect(() => setUnfolded(false), [frame.n]);
  const all = seat.ordered.value;
  const open = seat.open.value;
  const piece = open === null ? undefined : countersAt(frame, open).find((p) => p.key === seat.openPiece.value);
  const touched = open === null ? all : touching(all, open, frame);
  // a place where nothing can be done leaves the list as it is
  const here = touched.length === 0 ? all : piece === undefined ? touched : all.filter((c) => names(c, piece));
  const wanted = words.toLowerCase();
  // what every choice does need not be said of each
  const apart = endsApart(all);
  const few = all.filter((c) => c.ends !== null).length <= PINNED && crowded !== frame.n;
  const pinned = (c: Choice): boolean => apart && few && c.ends !== null;
  const shown = here.filter((c) => pinned(c) || `${c.text} ${c.name}`.toLowerCase().includes(wanted));
  const plain = shown.filter((c) => !pinned(c));
  const ending = shown.filter(pinned);
  // of many places to choose from the map shows all, the list the first; at a desk nothing is listed that is only seen
  // by scrolling
  const list = useRef<HTMLOListElement>(null);
  const fits = useFit(list, [frame.n, wanted, open, seat.openPiece.value, seat.picks.on.value, unfolded, few].join());
  useLayoutEffect(() => {
    if (fits === 0 && ending.length > 0) setCrowded(frame.n);
  });
  const most =
    unfolded || seat.picks.on.value
      ? Infinity
      : Math.min(wanted === "" && here === all ? LISTED : Infinity, Math.max(1, fits));
  const asked = (c: Choice): boolean => seat.wanted.value?.includes(c.name) === true;
  const first = [...plain.filter((c) => !onMap(c)), ...plain.filter(onMap)].slice(0, most);
  const listed = plain.filter((c) => first.includes(c) || asked(c));
  const enter = (e: Event): void => {
    e.preventDefault();
    typed.enter(plain.length === 1 ? plain[0] : undefined);
  };
  return (
    <>
      {here !== all && (
        <button type="button" class="link" onClick={() => seat.close()}>
          All choices
        </button>
      )}
      {(all.length > MANY || (all.length > 1 && frame.lesson === null && frame.puzzle === null)) && (
        <form onSubmit={enter}>
          <input
            id="typed"
            type="text"
            placeholder={
              frame.sendable.length > 0
                ? `filter, or: move ${frame.sendable[0]!} to ...`
                : "part of a choice, then Enter"
            }
            aria-label="Filter choices, or type an action or an order"
            value={words}
            onInput={(e) => typed.write(e.currentTarget.value)}
          />
          <PickButton seat={seat} />
        </form>
      )}
      {typed.waits.value && <p role="status">Your order is given at your next decision.</p>}
      <PickBar seat={seat} />
      <ol class="choices" ref={list}>
        {listed.map((c) => (
          <ChoiceButton key={c.action} seat={seat} choice={c} number={all.indexOf(c) + 1} apart={apart} />
        ))}
      </ol>
      {listed.length < plain.length && (
        <button type="button" class="link" id="unfold" onClick={() => setUnfolded(true)}>
          {plain.length - listed.length} more
          {plain.every((c) => listed.includes(c) || onMap(c)) && ", all of them on the map"}
        </button>
      )}
      {ending.length > 0 && (
        <ol class="choices ending">
          {ending.map((c) => (
            <ChoiceButton key={c.action} seat={seat} choice={c} number={all.indexOf(c) + 1} apart />
          ))}
        </ol>
      )}
      {frame.skips.length > 0 && frame.puzzle === null && (
        <div class="row skips">
          {frame.skips.map((phase) => (
            <button key={phase} type="button" class="link" onClick={() => seat.order(`skip to ${phase}`)}>
              Skip to {phase}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** Switches to picking several. */
function PickButton({ seat: { picks } }: { seat: SeatStore }) {
  if (picks.of.value === null) return null;
  return (
    <button
      type="button"
      id="several"
      title="Clicks pick several, and one button does them all (V)"
      aria-pressed={picks.on.value}
      onClick={() => picks.switch(!picks.on.value)}
    >
      Several
    </button>
  );
}

/** Carries out what is picked. */
function PickBar({ seat }: { seat: SeatStore }) {
  const { picks } = seat;
  const frame = seat.frame.value!;
  const of = picks.of.value;
  if (of === null || !picks.on.value) return null;
  const n = picks.picked.value.length;
  const last = picks.last.value;
  return (
    <div class="picks">
      {of === "units" && (
        <p>
          {n === 0
            ? "Pick units, here or on the map."
            : `${listed(picks.units.map((u) => unitName(frame, u)))}: drag them to a place, or click where they go.`}
        </p>
      )}
      {picks.mayHold && n > 0 && (
        <button type="button" id="hold-picked" onClick={() => picks.hold()}>
          {n === 1 ? "It stays" : "They stay"}
        </button>
      )}
      {of !== "units" && (
        <>
          <button type="button" id="do-picked" class="primary" disabled={n === 0} onClick={() => picks.commit(null)}>
            {n === 0 ? "Nothing is picked yet" : n === 1 ? "Do this one" : `Do these ${n}`}
          </button>
          {last !== null && n > 0 && (
            <button type="button" id="do-picked-on" onClick={() => picks.commit(last)}>
              Do {n}, then: {last.text}
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** @param props.apart true when the text says what the choice ends */
function ChoiceButton(props: { seat: SeatStore; choice: Choice; number: number; apart: boolean }) {
  const { seat, choice, number, apart } = props;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const ask = (): void => {
    seat.considered.value = choice;
    timer.current = setTimeout(() => {
      seat.askOdds(choice, false);
      if (choice.units.length > 0) seat.hand.ask(choice.units[0]!);
    }, 200);
  };
  const leave = (): void => {
    if (seat.considered.value === choice) seat.considered.value = null;
    if (timer.current !== null) clearTimeout(timer.current);
  };
  useEffect(() => leave, []);
  const look = choice.warning !== null ? "careful" : apart && choice.ends !== null ? "ends" : "";
  const picked = seat.picks.countOf(choice);
  const reduced = picked > 0 && seat.picks.of.value === "often";
  const kind = [
    look,
    seat.wanted.value?.includes(choice.name) === true ? "wanted" : "",
    picked > 0 ? "picked" : "",
  ].join(" ");
  return (
    <li>
      <button
        type="button"
        class={`choice ${kind}`}
        data-action={choice.name}
        disabled={seat.choices.value.length === 0}
        {...(seat.picks.takes(choice) ? { "aria-pressed": picked > 0 } : {})}
        onMouseEnter={ask}
        onMouseLeave={leave}
        onFocus={ask}
        onBlur={leave}
        // the second of a double click, and a key that is held, would answer what is asked next
        onClick={(e) => {
          if (picksWith(e)) seat.picks.on.value ||= seat.picks.of.value !== null;
          if (e.detail <= 1 || seat.picks.takes(choice)) seat.choose(choice);
        }}
        onKeyDown={(e) => e.repeat && e.key === "Enter" && e.preventDefault()}
      >
        <span class="number" aria-hidden="true">
          {number}
        </span>
        <span>
          {picked > 0 && <b>{picked > 1 ? `✓ ×${picked} ` : "✓ "}</b>}
          {choice.text}
          {apart && choice.ends !== null && <em> ends the {choice.ends}</em>}
          {choice.warning !== null && <small class="warning">{choice.warning}</small>}
          {choice.die !== undefined &&
            meaningsIn(choice.text).map((meaning) => (
              <small key={meaning} class="help">
                {meaning}
              </small>
            ))}
        </span>
      </button>
      {reduced && (
        <button
          type="button"
          class="ask-odds less"
          aria-label={`One less: ${choice.text}`}
          onClick={() => seat.picks.less(choice)}
        >
          −
        </button>
      )}
      {!reduced && seat.choices.value.length > 0 && (
        <button
          type="button"
          class="ask-odds"
          tabIndex={-1}
          aria-label={`Odds: ${choice.text}`}
          onClick={() => seat.askOdds(choice, true)}
        >
          %
        </button>
      )}
    </li>
  );
}

/** Keys that pick, where a plain click chooses. */
const picksWith = (e: MouseEvent): boolean => e.shiftKey || e.ctrlKey || e.metaKey;

/** Asks again before a choice or an order that loses the game or wastes something. */
export function ConfirmDialog({ seat }: { seat: SeatStore }) {
  const asked = seat.confirming.value;
  const odds = seat.odds.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (asked !== null) dialog.current?.showModal();
    else dialog.current?.close();
  }, [asked]);
  return (
    <dialog ref={dialog} aria-label="Are you sure?" onClose={() => (seat.confirming.value = null)}>
      {asked !== null && (
        <>
          <p>
            <strong>{asked.text}</strong>
          </p>
          <p>{asked.warning}</p>
          {odds !== null && odds.action === asked.action && odds.odds !== null && !sayNothing(odds) && (
            <div class="odds">
              <Outcomes asked={odds} />
            </div>
          )}
          <div class="row">
            <button type="button" id="confirm" class="careful" onClick={() => asked.go()}>
              Do it
            </button>
            <button type="button" onClick={() => (seat.confirming.value = null)}>
              Not now
            </button>
          </div>
        </>
      )}
    </dialog>
  );
}
