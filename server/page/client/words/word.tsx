import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Term } from "../../../../env/index.js";
import { piecesOf, primer } from "./primer.js";

/** The word that is being looked up, and its position. */
const looked = signal<{ readonly term: Term; readonly at: DOMRect; readonly pinned: boolean } | null>(null);

/**
 * A text whose words of the game can be looked up.
 *
 * @param quiet keys don't come to the words: where there are very many
 */
export function Worded({ text, quiet = false }: { text: string; quiet?: boolean }) {
  const terms = primer.value?.terms ?? [];
  return (
    <>
      {piecesOf(text, terms).map((p, i) =>
        p.term === null ? p.text : <Word key={i} text={p.text} term={p.term} quiet={quiet} />,
      )}
    </>
  );
}

function Word({ text, term, quiet }: { text: string; term: Term; quiet: boolean }) {
  const look = (e: Event, pinned: boolean): void => {
    looked.value = { term, at: (e.currentTarget as HTMLElement).getBoundingClientRect(), pinned };
  };
  const leave = (): void => {
    if (looked.value?.term === term && !looked.value.pinned) looked.value = null;
  };
  const open = looked.value?.term === term;
  const seen = {
    class: "word",
    ...(open ? { "aria-describedby": "word-card" } : {}),
    // by a move, not on entering: what comes under a resting mouse when a panel goes is not looked up
    onPointerMove: (e: PointerEvent) =>
      e.pointerType === "mouse" && !open && looked.value?.pinned !== true && look(e, false),
    onPointerLeave: leave,
    onClick: (e: Event) => look(e, true),
  };
  if (quiet) return <span {...seen}>{text}</span>;
  return (
    <button type="button" {...seen} onFocus={(e) => look(e, false)} onBlur={() => (looked.value = null)}>
      {text}
    </button>
  );
}

/** Width of the card, px; as in learn.css. */
const CARD = 300;

/** What the word that is looked up means; one for the whole page. */
export function WordCard() {
  useEffect(() => {
    const close = (e: Event): void => {
      if (e instanceof KeyboardEvent && e.key !== "Escape") return;
      if (
        e.target instanceof Element &&
        e.target.closest(".word, #word-card") !== null &&
        !(e instanceof KeyboardEvent)
      )
        return;
      looked.value = null;
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close);
    addEventListener("scroll", close, true);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", close);
      removeEventListener("scroll", close, true);
    };
  }, []);
  if (looked.value === null) return null;
  const { term, at } = looked.value;
  const left = Math.max(8, Math.min(at.left, innerWidth - CARD - 8));
  const below = at.bottom < innerHeight * 0.6;
  const place = below ? { top: `${at.bottom + 6}px` } : { bottom: `${innerHeight - at.top + 6}px` };
  return (
    <div id="word-card" role="tooltip" class="panel" style={{ left: `${left}px`, ...place }}>
      <b>{term.term}</b> {term.says} <small>{term.rule}</small>
    </div>
  );
}
