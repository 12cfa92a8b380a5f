import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { Frame } from "../frame.js";
import { BoardView } from "./board/board.js";
import { jump } from "./board/jump.js";
import { BriefingDialog } from "./panels/briefing.js";
import { ConfirmDialog, PromptPanel } from "./panels/choices.js";
import { HandOverPanel } from "./panels/deputy.js";
import { LessonPanel } from "./learn/lesson.js";
import { PuzzlePanel } from "./learn/puzzle.js";
import { WordCard } from "./words/word.js";
import { WhyButton, WhyPanel } from "./learn/why.js";
import { LogPanel } from "./panels/log.js";
import { ResultPanel } from "./panels/result.js";
import { SincePanel } from "./panels/outcomes-since.js";
import { ReviewPanel } from "./panels/review.js";
import { AnswerCard } from "./panels/answer.js";
import { OddsPanel } from "./panels/odds.js";
import { PlaceCard, RulesPanel, StandingPanel, TrayPanels } from "./panels/side.js";
import { Invitations } from "./invitations.js";
import {
  briefingsOn,
  invitationsWith,
  keysOn,
  rememberGame,
  rememberGoing,
  rememberResult,
  setBriefings,
  setKeys,
  setTheme,
  theme,
} from "./settings.js";
import { agentName, capitalized, nameOf } from "./names.js";
import { SpeedSelect } from "./speed.js";
import { SeatStore, TABS } from "./store.js";
import { at } from "./address.js";

/** A game: one seat of it, or two that share this screen. */
export function TablePage({ tokens }: { tokens: readonly string[] }) {
  const seats = useMemo(() => tokens.map((t) => new SeatStore(t)), []);
  const [active, setActive] = useState(0);
  const seat = seats[active]!;
  const frame = seat.frame.value;
  useEffect(() => {
    if (frame === null) return;
    document.title = `${frame.title} · Kessel`;
    if (frame.puzzle !== null) return; // no game of anybody's
    rememberGame({
      path: location.pathname + (tokens.length > 1 ? `#hot=${tokens[1]!}` : ""),
      title: frame.title,
      seat: frame.seat === null ? "watching" : nameOf(frame, frame.seat),
      when: Date.now(),
      stands: frame.caption,
      over: frame.result !== null,
    });
  }, [frame?.title, frame?.caption]);
  useEffect(() => {
    if (frame === null || frame.seat === null || frame.puzzle !== null) return;
    if (frame.result === null) return rememberGoing(frame.session, frame.seat);
    const { rated } = frame.result;
    if (rated === null) return;
    rememberResult({ ...rated, session: frame.session, game: frame.game, when: Date.now() });
  }, [frame?.result]);
  useEffect(() => {
    const press = (e: KeyboardEvent): void => onKey(e, seat);
    const follow = (): void => seat.restoreMoment();
    addEventListener("keydown", press);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("hashchange", follow);
    };
  }, [seat]);
  if (frame === null)
    return (
      <main class="waiting">
        <h1>Kessel</h1>
        <p role="status">{seat.error.value ?? "Loading the game..."}</p>
        <a href={at("/")}>All games</a>
      </main>
    );
  const by = frame.prompt.by;
  const other = seats.findIndex((s, i) => i !== active && s.frame.value?.seat === by);
  if (other >= 0 && seat.behind.value === 0)
    return (
      <main class="waiting">
        <h1>The {nameOf(frame, by!)} side decides</h1>
        <p>Pass the screen on: the other side's secrets are hidden until you click.</p>
        <button type="button" class="primary" onClick={() => setActive(other)}>
          I play the {nameOf(frame, by!)} side
        </button>
      </main>
    );
  return (
    <div class={`table ${seat.lessonPage.value === null ? "" : `glows-${seat.lessonPage.value.panel}`}`}>
      <Head seat={seat} />
      <main class="map-area">
        <BoardView seat={seat} />
        {seat.map.asking.value === null ? <PlaceCard seat={seat} /> : <AnswerCard seat={seat} />}
      </main>
      <nav class="tabs" aria-label="Panels">
        {TABS.map((t) => (
          <button key={t} type="button" aria-pressed={seat.tab.value === t} onClick={() => (seat.tab.value = t)}>
            {t}
          </button>
        ))}
      </nav>
      <aside class={`side on-${seat.tab.value}`}>
        {seat.error.value !== null && (
          <p class="panel error" role="alert">
            {seat.error.value}
          </p>
        )}
        <LessonPanel seat={seat} />
        <PuzzlePanel seat={seat} />
        <div class="of-standing">
          <StandingPanel seat={seat} />
        </div>
        <div class="of-play">
          {seat.review.inPlay.value ? null : frame.result === null || seat.behind.value > 0 ? (
            <>
              <TrayPanels seat={seat} stands="asked" />
              <HandOverPanel seat={seat} />
              <SincePanel seat={seat} />
              <PromptPanel seat={seat} />
            </>
          ) : (
            <ResultPanel seat={seat} />
          )}
          {(seat.review.inPlay.value || (frame.result !== null && seat.behind.value === 0)) && (
            <ReviewPanel seat={seat} />
          )}
          <Tools seat={seat} />
          <TrayPanels seat={seat} stands="near" />
          <WhyPanel seat={seat} />
          <RulesPanel seat={seat} />
          <OddsPanel seat={seat} />
        </div>
        <div class="of-log">
          <LogPanel seat={seat} />
        </div>
        <div class="of-table">
          <TrayPanels seat={seat} stands="far" />
          {frame.notice !== "" && <p class="notice">{frame.notice}</p>}
        </div>
      </aside>
      <p class="status" role="status">
        {seat.said.value}
      </p>
      <ConfirmDialog seat={seat} />
      <BriefingDialog key={seat.token} seat={seat} />
      <WordCard />
    </div>
  );
}

function Head({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const settings = useSignal(false);
  return (
    <header>
      <a href={at("/")} class="brand">
        Kessel
      </a>
      <h1>{frame.title}</h1>
      <p class="caption">{frame.caption}</p>
      <Seats seat={seat} />
      {!seat.connected.value && (
        <p class="offline">{seat.gone.value ? "This game is no longer here." : "Connection lost; trying again."}</p>
      )}
      {frame.unsaved && <p class="offline">Not saved yet: the disk refuses. It is tried again.</p>}
      <button type="button" aria-expanded={settings.value} onClick={() => (settings.value = !settings.value)}>
        Settings
      </button>
      <BriefingButton seat={seat} />
      {settings.value && <Settings seat={seat} close={() => (settings.value = false)} />}
    </header>
  );
}

/** Opens what was read before the game. */
function BriefingButton({ seat }: { seat: SeatStore }) {
  if (seat.frame.value!.briefing === null) return null;
  return (
    <button type="button" class="brief" onClick={() => (seat.briefing.value = true)}>
      Briefing
    </button>
  );
}

function Seats({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  return (
    <p class="seats">
      {frame.seats.map((s) => (
        <span key={s.side} class={s.present ? "here" : "away"}>
          {nameOf(frame, s.side)}:{" "}
          {s.side === frame.seat
            ? "you"
            : s.who === "human"
              ? `a person${s.present ? "" : " (away)"}`
              : agentName(s.who)}
        </span>
      ))}
    </p>
  );
}

function Settings({ seat, close }: { seat: SeatStore; close: () => void }) {
  const links = invitationsWith(seat.token);
  // at once: a key that comes before the next paint counts too
  useLayoutEffect(() => {
    const escape = (e: KeyboardEvent): void => {
      if (e.key !== "Escape" || document.querySelector("dialog[open]") !== null) return;
      e.stopPropagation(); // it closes this and nothing behind it
      close();
    };
    addEventListener("keydown", escape, true);
    return () => removeEventListener("keydown", escape, true);
  }, []);
  return (
    <div class="settings panel">
      <Seats seat={seat} />
      {links !== null && (
        <div class="links">
          <Invitations links={links} nameOf={(side) => nameOf(seat.frame.value!, side)} own={seat.token} />
        </div>
      )}
      <label>
        Opponents' moves
        <SpeedSelect />
      </label>
      <label>
        Colours
        <select value={theme.value} onChange={(e) => setTheme(e.currentTarget.value as "system")}>
          {["system", "light", "dark"].map((t) => (
            <option key={t}>{t}</option>
          ))}
        </select>
      </label>
      <label>
        <input type="checkbox" checked={keysOn.value} onChange={(e) => setKeys(e.currentTarget.checked)} />
        Keys: 1–9 choose, U undo, O odds, H hint, W why, ? rule, L log, M map, N next that can act, G next objective, P
        pause, V choose several, D play for me
        {seat.frame.value!.questions.map((q) => `, S ${q.name.toLowerCase()}`)}, Esc back, / type; with Shift a drag
        carries a whole stack
      </label>
      <label>
        <input type="checkbox" checked={briefingsOn.value} onChange={(e) => setBriefings(e.currentTarget.checked)} />A
        briefing opens each new game
      </label>
      <BriefingButton seat={seat} />
      {seat.frame.value!.seat !== null && seat.frame.value!.result === null && !isTaught(seat.frame.value!) && (
        <button type="button" class="careful" onClick={() => confirm("Give up? You lose.") && seat.resign()}>
          Resign
        </button>
      )}
    </div>
  );
}

/** True when something is taught or asked here, so that nothing is taken back, given up or hinted at. */
const isTaught = ({ lesson, puzzle }: Frame): boolean => lesson !== null || puzzle !== null;

function Tools({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  if (frame.seat === null || frame.result !== null) return null;
  const mine = seat.choices.value.length > 0;
  const taught = isTaught(frame);
  const hasChosen = frame.log.some((line) => line.actor === frame.seat && !line.forced);
  return (
    <div class="tools">
      {!taught && (
        <button
          type="button"
          disabled={frame.noUndo !== null || !mine}
          title={frame.noUndo ?? "Take the last choice back"}
          onClick={() => seat.undo()}
        >
          Undo
        </button>
      )}
      {!taught && (
        <button
          type="button"
          disabled={!mine}
          title="What the strongest level would do. A game with hints is not rated."
          onClick={() => seat.askHint()}
        >
          Hint
        </button>
      )}
      {frame.lookBack !== null && !seat.review.inPlay.value && (
        <button
          type="button"
          disabled={!mine}
          title="Step back through what you have seen. With an analysis the game is not rated."
          onClick={() => seat.review.enter(frame.seat!, frame.lookBack!.decisions)}
        >
          Look back
        </button>
      )}
      <WhyButton seat={seat} />
      {frame.deputies.length > 0 && (
        <button
          type="button"
          disabled={!mine}
          title="An agent decides for you: this phase, this turn, or one unit. The game is then not rated."
          aria-expanded={seat.handOverOpen.value}
          onClick={() => (seat.handOverOpen.value = !seat.handOverOpen.value)}
        >
          Play for me
        </button>
      )}
      <a href={at(`/words/${frame.game}`)} target="_blank">
        Glossary
      </a>
      <a href={at(`/rules/${frame.game}`)} target={`rules-${frame.game}`}>
        Rules
      </a>
      {frame.noUndo !== null && mine && hasChosen && !taught && <small>No undo: {frame.noUndo}.</small>}
      {seat.hint.value !== null && (
        <p
          class="hint"
          ref={(line) => line?.scrollIntoView({ block: "nearest" })}
        >{`${capitalized(agentName(seat.hint.value.by))} ${seat.hint.value.text}`}</p>
      )}
    </div>
  );
}

/** Keys of the table, while no field is written in. */
function onKey(e: KeyboardEvent, seat: SeatStore): void {
  const frame = seat.frame.value;
  const at = e.target as HTMLElement;
  if (
    !keysOn.value ||
    frame === null ||
    e.ctrlKey ||
    e.metaKey ||
    e.altKey ||
    /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)
  )
    return;
  if (document.querySelector("dialog[open]") !== null) return;
  const looksBack = frame.result !== null || seat.review.inPlay.value;
  if (looksBack && /^Arrow(Left|Right)$/.test(e.key) && !at.classList.contains("cursor")) {
    seat.review.step(e.key === "ArrowLeft" ? -1 : 1, seat.lookBack.value!.decisions);
    e.preventDefault();
    return;
  }
  if (e.key === "p" && (seat.behind.value > 0 || frame.deputy !== null)) {
    const steps = seat.behind.value > 0 ? seat.steps : seat.pace;
    steps.pause(!steps.paused.value);
    e.preventDefault();
    return;
  }
  if (e.repeat && /^[1-9uh]$/.test(e.key)) return; // a key that is held would answer what is asked next, too
  const choices = seat.choices.value;
  // as their buttons
  const mayAsk = choices.length > 0 && !isTaught(frame);
  if (/^[1-9]$/.test(e.key)) {
    const choice = choices[Number(e.key) - 1];
    if (choice !== undefined) seat.choose(choice);
  } else if (e.key === "u") {
    if (mayAsk) seat.undo();
  } else if (e.key === "h") {
    if (mayAsk) seat.askHint();
  } else if (e.key === "v") {
    if (mayAsk) seat.picks.switch(!seat.picks.on.value);
  } else if (e.key === "d") {
    if (mayAsk && frame.deputies.length > 0) seat.handOverOpen.value = !seat.handOverOpen.value;
  } else if (e.key === "w") seat.why.value = !seat.why.value;
  else if (e.key === "o") {
    const focused = document.activeElement?.getAttribute("data-action");
    const choice = choices.find((c) => c.name === focused) ?? choices[0];
    if (choice !== undefined) seat.askOdds(choice, true);
  } else if (e.key === "?") seat.askRule(frame.prompt.rule === "" ? "turn" : frame.prompt.rule);
  else if (e.key === "l") document.querySelector<HTMLElement>(".log ol")?.focus();
  else if (e.key === "m") document.querySelector<HTMLElement>(".cursor")?.focus();
  else if (/^[ng]$/i.test(e.key)) jump(seat, e.key.toLowerCase() === "n" ? "act" : "goal", e.shiftKey ? -1 : 1);
  else if (e.key === "s" && frame.questions.length > 0)
    seat.ask(seat.map.asking.value === null ? frame.questions[0]! : null);
  else if (e.key === "Escape") {
    seat.ask(null);
    seat.close();
    seat.rules.value = null;
    seat.why.value = false;
    seat.handOverOpen.value = false;
    seat.picks.switch(false);
    if (frame.deputy !== null) seat.handBack();
  } else if (e.key === "/") document.getElementById("typed")?.focus();
  else return;
  e.preventDefault();
}
