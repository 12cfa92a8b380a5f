import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ListedPuzzle } from "../../learn/puzzle-view.js";
import { nameOf } from "../names.js";
import { returnText } from "../../../../env/core/words.js";
import { RuleLink } from "../panels/rule-link.js";
import { knownPuzzles, rememberPuzzle } from "../settings.js";
import type { SeatStore } from "../store.js";
import { Worded } from "../words/word.js";
import { at } from "../address.js";

/** Elo points of who has answered nothing yet, where who plays anything has 0. */
const BEGINNER = 200;
/** What one answer moves the search for the next puzzle by. */
const STEP = 120;

/**
 * Opens a puzzle of a game that has no answer yet in this browser, about as hard as this person's answers say; when all
 * have one, the first other one.
 *
 * @param now id of the puzzle that is shown
 * @returns why it can't, or null
 */
export async function nextPuzzle(game: string, now: string | null): Promise<string | null> {
  const response = await fetch(at(`/api/puzzles?${new URLSearchParams({ game }).toString()}`)).catch(() => null);
  const { puzzles = [] } = ((await response?.json().catch(() => null)) ?? {}) as { puzzles?: readonly ListedPuzzle[] };
  const known = knownPuzzles().filter((k) => k.game === game);
  const level = known.reduce((at, k) => at + (k.right ? STEP : -STEP), BEGINNER);
  const others = puzzles.filter((p) => p.id !== now);
  const open = others.filter((p) => !known.some((k) => k.id === p.id));
  const far = (p: ListedPuzzle): number => Math.abs(p.rating - level);
  const next = open.reduce<ListedPuzzle | undefined>((a, b) => (a === undefined || far(b) < far(a) ? b : a), undefined);
  const chosen = next ?? others[0];
  if (chosen === undefined) return "There is no other puzzle.";
  location.href = at(`/g/${chosen.link}`);
  return null;
}

/** The puzzle: what is asked, and when it is answered, whether that was right, by how much and why. */
export function PuzzlePanel({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const { puzzle } = frame;
  const solved = seat.solved.value;
  const top = useRef<HTMLElement>(null);
  const [failed, setFailed] = useState<string | null>(null);
  // before the verdict can be seen: whoever leaves at once has answered all the same
  useLayoutEffect(() => {
    if (solved === null || puzzle === null) return;
    rememberPuzzle({ game: frame.game, id: puzzle.id, right: solved.right, when: Date.now() });
    seat.tab.value = "play";
    const side = top.current?.closest(".side");
    if (side) side.scrollTop = 0;
  }, [solved]);
  if (puzzle === null) return null;
  return (
    <section class="panel puzzle" data-puzzle={puzzle.id} aria-label="Puzzle" ref={top}>
      <h2>
        Puzzle {puzzle.number} of {puzzle.of} <small>rated {Math.round(puzzle.rating)}</small>
      </h2>
      {solved === null ? (
        <p>
          One action is worth more to the {nameOf(frame, frame.seat!)} side than all others. Which? Choose it below or
          on the map.
        </p>
      ) : (
        <Answer seat={seat} />
      )}
      <div class="row">
        <button
          type="button"
          id="next-puzzle"
          class={solved === null ? "" : "primary"}
          onClick={() => void nextPuzzle(frame.game, puzzle.id).then(setFailed)}
        >
          {solved === null ? "Another puzzle" : "Next puzzle"}
        </button>
        {solved !== null && (
          <button type="button" onClick={() => seat.playOn()}>
            Play on from here
          </button>
        )}
      </div>
      {failed !== null && <p role="alert">{failed}</p>}
    </section>
  );
}

function Answer({ seat }: { seat: SeatStore }) {
  const { action, right, best, choices, why, purpose, checked } = seat.solved.value!;
  const chosen = choices.find((c) => c.action === action)!;
  const answer = choices.find((c) => c.action === best)!;
  const next = choices.find((c) => c.value < answer.value && c.action !== action);
  const against = right ? next : chosen;
  const lost = against === undefined ? null : answer.value - against.value;
  const alike = action === best ? "" : ` is as good as “${answer.text}” as far as the playouts show, and`;
  return (
    <div aria-live="polite">
      <p class={right ? "verdict right" : "verdict wrong"}>
        <strong>{right ? "Right." : "Not the best."}</strong>{" "}
        {right
          ? `“${chosen.text}”${lost === null ? "" : `${alike} is worth ${lost.toFixed(2)} more than “${against!.text}”`}.`
          : `“${chosen.text}” gives away ${lost!.toFixed(2)}; the best is “${answer.text}”.`}
      </p>
      {purpose !== null && (
        <p>
          <b>{purpose.name}:</b> <Worded text={purpose.why} /> <RuleLink seat={seat} id={purpose.rule} />
        </p>
      )}
      {why !== "" && (
        <p class="because">
          <Worded text={right && against !== undefined ? `Beside “${against.text}”: ${why}` : why} />
        </p>
      )}
      <ul class="values">
        {choices.map((c) => (
          <li key={c.action} class={c.action === best ? "best" : ""}>
            <span>
              {c.text}
              {c.action === action && <em> (your answer)</em>}
            </span>
            <span class="have">{returnText(c.value)}</span>
          </li>
        ))}
      </ul>
      <small>Expected return: +1 wins, −1 loses. {checked}</small>
    </div>
  );
}
