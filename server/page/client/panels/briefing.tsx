import { useLayoutEffect, useRef } from "preact/hooks";
import type { Condition } from "../../../../env/index.js";
import type { Frame } from "../../frame.js";
import { learn } from "../lessons.js";
import { agentName, capitalized, nameOf } from "../names.js";
import type { SeatStore } from "../store.js";
import { amountOf, lasting } from "../../../../env/core/words.js";
import { at } from "../address.js";

/** What a player reads before a new game: the side to play, what wins, how long it takes, and what to do first. */
export function BriefingDialog({ seat }: { seat: SeatStore }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const begin = useRef<HTMLButtonElement>(null);
  const frame = seat.frame.value!;
  const open = seat.briefing.value && frame.briefing !== null && frame.seat !== null;
  // at once: a key that comes before the next paint must not reach the table
  useLayoutEffect(() => {
    if (open) {
      dialog.current!.showModal();
      begin.current!.focus();
    } else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="briefing" aria-labelledby="briefing-title" onClose={() => seat.begin()}>
      {open && (
        <>
          <div class="reads" tabIndex={0}>
            <Text frame={frame} side={frame.seat!} briefing={frame.briefing!} />
          </div>
          <div class="row">
            <button type="button" id="begin" class="primary" ref={begin} onClick={() => dialog.current!.close()}>
              {frame.log.some((line) => line.actor === frame.seat && !line.forced) ? "Go on" : "Begin"}
            </button>
            {frame.briefing!.lesson !== null && (
              <button type="button" title={frame.briefing!.lesson} onClick={() => void learn(frame.game)}>
                Lesson
              </button>
            )}
            <a href={at(`/rules/${frame.game}`)} target="_blank">
              Rules
            </a>
          </div>
        </>
      )}
    </dialog>
  );
}

function Text({ frame, side, briefing }: { frame: Frame; side: string; briefing: NonNullable<Frame["briefing"]> }) {
  const { prompt, standing, seats } = frame;
  const name = nameOf(frame, side);
  const look = frame.sides.find((s) => s.id === side)?.look ?? "neutral";
  const others = seats.filter((s) => s.side !== side);
  const mine = standing.conditions.filter((c) => c.side === side);
  const theirs = standing.conditions.filter((c) => c.side !== side);
  const times = new Set(standing.conditions.map((c) => c.when));
  const once = standing.conditions.length > 1 && times.size === 1 ? [...times][0]! : null;
  const opponents = [...new Set(theirs.map((c) => nameOf(frame, c.side)))].join(" and ");
  return (
    <>
      <p class="eyebrow">{frame.title}</p>
      <h1 id="briefing-title">
        <span class={`flag-of ${look}`} aria-hidden="true" />
        You are the {name} side
      </h1>
      <p class="facts">
        {briefing.turns !== null && <span>{turnsText(briefing.turns)}</span>}
        {briefing.minutes !== null && <span>about {lasting(briefing.minutes)}</span>}
        <span>{others.length === 0 ? "you play alone" : `against ${others.map(whoText).join(" and ")}`}</span>
      </p>
      {briefing.you !== null && <p>{briefing.you}</p>}
      <h2>What wins</h2>
      {once !== null && <small>Counted once: {once}</small>}
      <Conditions list={mine} once={once} />
      {theirs.length === 0 ? (
        <p>Anything less loses.</p>
      ) : areMirrored(mine, theirs) ? (
        <p>The {opponents} side wins by the same conditions.</p>
      ) : (
        <>
          <h2>What loses</h2>
          <Conditions list={theirs} once={once} />
        </>
      )}
      <h2>First decision</h2>
      {prompt.by === side ? (
        <p class="asked">{prompt.text}</p>
      ) : (
        prompt.by !== null && <p class="asked">The {nameOf(frame, prompt.by)} side begins.</p>
      )}
      {briefing.first !== null && <p>{briefing.first}</p>}
      {briefing.options.length > 0 && (
        <>
          <h2>Played with</h2>
          <ul>
            {briefing.options.map((o) => (
              <li key={o}>{o}</li>
            ))}
          </ul>
        </>
      )}
      <p class="notice">
        {capitalized(briefing.credits)}.
        {briefing.reconstructed !== null && (
          <>
            {" "}
            <b>Reconstructed:</b> {briefing.reconstructed.replace(/\.$/, "")}.
          </>
        )}
      </p>
    </>
  );
}

/** @param props.once when all of them count, where the dialog says so already */
function Conditions({ list, once }: { list: readonly Condition[]; once: string | null }) {
  return (
    <ul class="conditions">
      {list.map((c, i) => (
        <li key={i}>
          <span>{c.text}</span>{" "}
          <small>
            <b>{amountOf(c)}</b>
            {once === null && `, ${c.when}`}
          </small>
        </li>
      ))}
    </ul>
  );
}

const turnsText = ({ now, last, left }: NonNullable<NonNullable<Frame["briefing"]>["turns"]>): string =>
  left === 1 ? `1 turn (${now})` : `${left} turns (${now} to ${last})`;

/** `a person`, `random`. */
const whoText = ({ who }: Frame["seats"][number]): string => (who === "human" ? "a person" : agentName(who));

/** True when both sides win by the same condition, with the same count. */
const areMirrored = (mine: readonly Condition[], theirs: readonly Condition[]): boolean =>
  mine.length === theirs.length &&
  mine.every((c, i) => theirs[i]!.when === c.when && amountOf(theirs[i]!) === amountOf(c));
