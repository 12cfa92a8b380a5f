import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Choice } from "../../../../env/index.js";
import type { BasePlace, Frame } from "../../frame.js";
import type { SeatStore } from "../store.js";
import { gripAt, whyNotLifted } from "../carry.js";
import { endsApart, names, notesAt, waysOf, placeTowards, touching } from "../geometry.js";
import { marksOf } from "../opinions.js";
import { hides } from "../panels/review.js";
import { Ghost, place, TAP, useDrag } from "./drag.js";
import { BoardLayers, isMost } from "./layers.js";
import { Legend } from "./legend.js";
import { Overview } from "./overview.js";
import { ZoomButtons } from "./zoom.js";

/** Milliseconds after which a pressed finger asks what is there. */
const LONG_PRESS = 450;
/** Milliseconds that a place is pointed at before the map is asked about it. */
const ASK_AFTER = 90;
/** Milliseconds that a place is pointed at before the odds of its choice are asked for. */
const ODDS_AFTER = 250;
/** Milliseconds and pixels within which a second tap belongs to a double tap. */
const DOUBLE = { ms: 350, px: 24 };

/** The map: drawn by the server, marked and clicked here. */
export function BoardView({ seat }: { seat: SeatStore }) {
  const box = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  // a signal: what was to be drawn before the layers were there is drawn when they are
  const layers = useSignal<BoardLayers | null>(null);
  const base = seat.base.value;
  /** The map whose part in question has been shown once. */
  const looked = useRef<BoardLayers | null>(null);

  useEffect(() => {
    if (base === null || host.current === null) return;
    const made = new BoardLayers(host.current, base);
    made.fit(box.current!);
    layers.value = made;
    const refit = (): void => made.fit(box.current!);
    addEventListener("resize", refit);
    return () => removeEventListener("resize", refit);
  }, [base]);

  useSignalEffect(() => {
    const frame = seat.frame.value;
    const board = seat.base.value;
    const news = seat.news.value;
    if (frame === null || board === null || layers.value === null || layers.value.base !== board) return;
    layers.value.draw(frame);
    const happened = news.flatMap((l) => l.events).flatMap((e) => e.places);
    const asked = frame.prompt.places.length > 0 ? frame.prompt.places : frame.prompt.choices.flatMap((c) => c.places);
    // where nearly the whole map is in question, what is fought over is looked at
    const goals = isMost(board, new Set(asked).size)
      ? frame.notes.flatMap((n) => (n.goal === true ? n.places : []))
      : [];
    const inQuestion = goals.length > 0 ? goals : asked;
    if (happened.length > 0 && seat.behind.value > 0) layers.value.reveal(happened);
    // of many places to choose from it is enough that some are in sight, once the map has been looked at
    else layers.value.reveal(inQuestion, looked.current === layers.value && frame.prompt.places.length === 0);
    looked.current = layers.value;
    const lesson = seat.lessonPage.value?.places ?? [];
    if (lesson.length > 0) layers.value.reveal(lesson);
    layers.value.arrows(news.flatMap((l) => l.events).flatMap((e) => waysOf(board, e)));
  });
  useSignalEffect(() => {
    const choices = seat.choices.value;
    const board = seat.base.value;
    const frame = seat.frame.value;
    if (board === null || frame === null || layers.value === null) return;
    const places = new Map<string, readonly Choice[]>();
    for (const p of board.places) {
      const here = touching(choices, p.id, frame);
      if (here.length > 0) places.set(p.id, here);
    }
    const best = seat.solved.value?.best;
    const answer = frame.prompt.choices.find((c) => c.name === best)?.places;
    const picked = new Set(seat.picks.picked.value);
    const chosen = [...places].flatMap(([id, here]) => (here.some((c) => picked.has(c)) ? [id] : []));
    layers.value.marks(
      places,
      frame.prompt.places,
      chosen,
      seat.open.value,
      seat.lessonPage.value?.places ?? answer ?? [],
    );
  });

  useSignalEffect(() => {
    const place = seat.sought.value?.place;
    if (place === undefined || layers.value === null) return;
    layers.value.reveal([place]);
    focusCursor(place);
  });

  useSignalEffect(() => layers.value?.reach(seat.reach.value));
  // the way of what is carried, or of the unit that is under way, to the place that is pointed at
  useSignalEffect(() => {
    const board = seat.base.value;
    const to = seat.pointed.value;
    const from = seat.hand.held.value?.place ?? seat.frame.value?.prompt.places[0];
    const path = to === null || seat.choices.value.length === 0 ? [] : (seat.hand.wayTo(to)?.path ?? []);
    const at = (id: string | undefined): readonly BasePlace[] => board?.places.filter((p) => p.id === id) ?? [];
    layers.value?.plan(path.length === 0 ? [] : [...at(from), ...path.flatMap(at)]);
  });
  useSignalEffect(() => layers.value?.opinions(marksOf(seat.review.opinions.value)));
  useSignalEffect(() => {
    const asking = seat.map.asking.value;
    const board = seat.base.value;
    if (board === null || layers.value === null) return;
    const at = (id: string | null): BasePlace | undefined => board.places.find((p) => p.id === id);
    layers.value.line(at(asking?.from ?? null), at(asking?.to ?? null), asking?.answer ?? null);
  });
  // a pointer that rests on a place asks about it
  useSignalEffect(() => {
    const place = seat.pointed.value;
    if ((seat.map.asking.peek()?.from ?? null) === null) return;
    const timer = setTimeout(() => seat.map.askAbout(place), ASK_AFTER);
    return () => clearTimeout(timer);
  });

  // whoever points at a place that means one choice sees what it comes to
  useSignalEffect(() => {
    const place = seat.pointed.value;
    const frame = seat.frame.value;
    if (place === null || frame === null || seat.map.asking.peek() !== null) return;
    const [only, ...others] = touching(seat.choices.value, place, frame);
    if (only === undefined || others.length > 0) return;
    const timer = setTimeout(() => seat.askOdds(only, false), ODDS_AFTER);
    return () => clearTimeout(timer);
  });

  // so does whoever points at a face-down counter and may ask what it can be
  useSignalEffect(() => {
    const place = seat.open.value ?? seat.pointed.value;
    const frame = seat.frame.value;
    if (
      frame === null ||
      !frame.beliefs ||
      seat.review.inPlay.value ||
      !frame.pieces.some((p) => p.place === place && hides(p))
    )
      return;
    const timer = setTimeout(() => seat.review.askBeliefs(frame.n), ASK_AFTER);
    return () => clearTimeout(timer);
  });

  // the tap that chose last: the other half of a double tap must not answer the next decision too
  const chose = useRef<PointerEvent | null>(null);
  const isDouble = (e: PointerEvent): boolean =>
    chose.current !== null &&
    e.timeStamp - chose.current.timeStamp < DOUBLE.ms &&
    Math.hypot(e.clientX - chose.current.clientX, e.clientY - chose.current.clientY) <= DOUBLE.px;

  /** Of several choices of a place those that name the counter under a mouse; nothing where counters are stacked. */
  const ofCounter = (here: readonly Choice[], frame: Frame, place: string, tap: PointerEvent): readonly Choice[] => {
    const [counter, ...others] = gripAt(frame, place, ...layers.value!.point(tap))?.counters ?? [];
    return counter === undefined || others.length > 0 ? [] : here.filter((c) => names(c, counter));
  };

  const press = (place: BasePlace | null, tap: PointerEvent | null = null): void => {
    const frame = seat.frame.value;
    if (seat.map.asking.value !== null) {
      if (place !== null) seat.map.take(place.id);
      return;
    }
    const byFinger = tap?.pointerType === "touch";
    if (place === null || frame === null) {
      if (byFinger) seat.pointed.value = null;
      return seat.close();
    }
    if (tap !== null && (tap.shiftKey || tap.ctrlKey || tap.metaKey))
      seat.picks.on.value ||= seat.picks.of.value !== null;
    if (seat.picks.on.value) {
      const able = touching(seat.choices.value, place.id, frame).filter((c) => seat.picks.takes(c));
      seat.pointed.value = place.id;
      if (able.length > 0) {
        // of a stack all are picked, and its counters are shown so that some can be let go again
        seat.pick(able);
        seat.openPiece.value = null;
        seat.open.value = able.length > 1 ? place.id : null;
        return;
      }
      if (seat.hand.sendTogether(place.id)) return;
    }
    // no finger hovers: its first tap shows what the second does
    const shows = byFinger && seat.pointed.value !== place.id;
    seat.pointed.value = place.id;
    const here = touching(seat.choices.value, place.id, frame);
    const meant = here.length > 1 && tap !== null && !byFinger ? ofCounter(here, frame, place.id, tap) : here;
    const apart = endsApart(seat.choices.value);
    const [only] = meant.length === 1 && meant[0]!.warning === null && !(apart && meant[0]!.ends !== null) ? meant : [];
    const far = here.length === 0 && seat.hand.canSend(place.id);
    if (shows && (only !== undefined || here.length === 0)) {
      seat.close();
      const text = only?.text ?? (far ? seat.hand.sending(place.id) : null);
      seat.again.value = text === null ? null : { place: place.id, text };
      return;
    }
    if (far || only !== undefined) {
      chose.current = tap;
      if (only === undefined) seat.hand.send(place.id);
      else seat.choose(only);
      if (byFinger) seat.pointed.value = null; // what is there would stay before the map
    } else {
      const gripped = tap === null || here.length > 0 ? null : gripAt(frame, place.id, ...layers.value!.point(tap));
      if (gripped?.piece.side === frame.seat && gripped !== null)
        seat.error.value = whyNotLifted(seat.choices.value, frame, gripped);
      seat.openPiece.value = null;
      seat.tab.value = "play";
      seat.open.value = seat.open.value === place.id ? null : place.id;
    }
  };

  const { ghost, grip, drag, release, stay, drop } = useDrag(seat, layers);

  return (
    <div class="board-box" ref={box}>
      <Ghost seat={seat} ghost={ghost} />
      {base === null && <p class="loading">Loading map...</p>}
      <div class="board-tools">
        {seat.frame.value?.questions.map((q) => (
          <button
            key={q.kind}
            type="button"
            class="ask-map"
            aria-pressed={seat.map.asking.value?.question.kind === q.kind}
            title={`${q.name} ${q.about}`}
            onClick={() => seat.ask(seat.map.asking.value === null ? q : null)}
          >
            {q.name}
          </button>
        ))}
        {base !== null && <Legend seat={seat} base={base} />}
        <ZoomButtons layers={() => layers.value} box={box} />
      </div>
      {base !== null && layers.value?.base === base && <Overview seat={seat} base={base} layers={layers.value} />}
      <div class="board-scroll" tabIndex={-1}>
        <div
          class="board"
          onPointerMove={(e) => {
            layers.value?.moved(e, TAP);
            drag(e);
            if (e.pointerType === "mouse") seat.pointed.value = place(e, layers.value)?.id ?? null;
          }}
          onPointerLeave={(e) => e.pointerType !== "touch" && (seat.pointed.value = null)}
          onPointerDown={(e) => {
            layers.value?.pressed(e, LONG_PRESS, () => (seat.pointed.value = place(e, layers.value)?.id ?? null));
            grip(e);
          }}
          onPointerCancel={() => {
            stay();
            layers.value?.cancelled();
            drop();
          }}
          onPointerUp={(e) => {
            stay();
            if (release(e)) return;
            if (layers.value?.wasTap(e, TAP) === true && !isDouble(e)) press(place(e, layers.value), e);
          }}
        >
          <div ref={host} class="drawing" />
          {base !== null && <PlaceButtons seat={seat} press={press} />}
        </div>
      </div>
    </div>
  );
}

/** Puts the cursor on a place, once it is drawn there. @param still the map doesn't follow */
const focusCursor = (place: string, still = true): void => {
  requestAnimationFrame(() =>
    document.querySelector<HTMLButtonElement>(`[data-cursor="${CSS.escape(place)}"]`)?.focus({ preventScroll: still }),
  );
};

/** Real buttons over the map: the legal places in the order of Tab, and the place of the cursor. */
function PlaceButtons({ seat, press }: { seat: SeatStore; press: (place: BasePlace) => void }) {
  const base = seat.base.value!;
  const frame = seat.frame.value;
  if (frame === null) return null;
  const choices = seat.choices.value;
  const legal = base.places.filter((p) => touching(choices, p.id, frame).length > 0);
  const cursor = base.places.find((p) => p.id === seat.pointed.value);
  const shown = cursor === undefined || legal.includes(cursor) ? legal : [...legal, cursor];
  const list = shown.length > 0 ? shown : base.places.slice(0, 1);
  const move = (e: KeyboardEvent, from: BasePlace): void => {
    const to = placeTowards(base, from, e.key);
    if (to === null) return;
    e.preventDefault();
    seat.pointed.value = to.id;
    focusCursor(to.id, false);
  };
  return (
    <div class="cursors" role="group" aria-label="Map">
      {list.map((p) => {
        const here = touching(choices, p.id, frame);
        const pieces = frame.pieces.filter((x) => x.place === p.id).flatMap((x) => x.about);
        const name = [
          p.name,
          ...(p.about === "" ? [] : [p.about]),
          ...pieces,
          ...notesAt(frame, p.id),
          here.length > 0 ? `${here.length} choices` : "no choice",
        ].join("; ");
        return (
          <button
            key={p.id}
            type="button"
            class="cursor"
            data-cursor={p.id}
            aria-label={name}
            style={{ left: `${(100 * p.x) / base.width}%`, top: `${(100 * p.y) / base.height}%` }}
            onFocus={() => (seat.pointed.value = p.id)}
            onKeyDown={(e) => move(e, p)}
            onClick={() => press(p)}
          />
        );
      })}
    </div>
  );
}
