import { useEffect, useRef } from "preact/hooks";
import { RuleLink } from "../panels/rule-link.js";
import type { SeatStore, Tab } from "../store.js";
import { Worded } from "../words/word.js";

/** The tab of a part of the page on a narrow screen. */
const TAB_OF: Readonly<Record<string, Tab>> = { standing: "standing", log: "log", table: "table" };

/** The lesson: what to read now, what to do, and why not something else. */
export function LessonPanel({ seat }: { seat: SeatStore }) {
  const { lesson } = seat.frame.value!;
  const page = seat.lessonPage.value;
  useEffect(() => {
    if (page !== null) seat.tab.value = TAB_OF[page.panel] ?? "play";
  }, [page]);
  const top = useRef<HTMLElement>(null);
  const refused = seat.refused.value;
  // the page to read, and why a choice was refused, are at the top
  useEffect(() => {
    const side = top.current?.closest(".side");
    if (side) side.scrollTop = 0;
  }, [page, refused]);
  if (lesson === null || page === null) return null;
  const last = page === lesson.pages.at(-1);
  const first = page === lesson.pages[0];
  return (
    <section class="panel lesson" aria-label="Lesson" ref={top}>
      <h2>{lesson.title}</h2>
      <progress max={lesson.of} value={lesson.done} aria-label={`${lesson.done} of ${lesson.of} steps done`} />
      <p aria-live="polite" class="says">
        <Worded text={page.says} />{" "}
        {page.rules.map((r) => (
          <RuleLink key={r} seat={seat} id={r} />
        ))}
      </p>
      {refused !== null && (
        <p class="refused" role="alert">
          {refused}
        </p>
      )}
      <div class="row">
        {!first && (
          <button type="button" onClick={() => seat.turnPage(-1)}>
            Back
          </button>
        )}
        {!last && (
          <button type="button" class="primary" id="read-on" onClick={() => seat.turnPage(1)}>
            Read on
          </button>
        )}
        {last && !lesson.over && <em>Your turn: choose what glows.</em>}
        {last && lesson.over && (
          <button type="button" class="primary" id="play-on" onClick={() => seat.playOn()}>
            Play on from here
          </button>
        )}
      </div>
    </section>
  );
}
