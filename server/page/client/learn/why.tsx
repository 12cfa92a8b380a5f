import { useEffect, useRef } from "preact/hooks";
import type { Choice } from "../../../../env/index.js";
import { moveOf } from "../../../../env/core/learning/primer.js";
import { RuleLink } from "../panels/rule-link.js";
import type { SeatStore } from "../store.js";
import { primer, type PrimerDoc } from "../words/primer.js";
import { Worded } from "../words/word.js";

/** Most choices of one kind that are described one by one; beyond it, only their number is given. */
const TOLD = 4;

/** Legal actions by what they are for, in the order of the choices. */
function grouped(doc: PrimerDoc, kind: string, choices: readonly Choice[]) {
  const groups = new Map<(typeof doc.moves)[number], Choice[]>();
  for (const c of choices) {
    const move = moveOf(doc.moves, kind, c.name);
    if (move !== undefined) groups.set(move, [...(groups.get(move) ?? []), c]);
  }
  return [...groups];
}

/** The button that asks what can be done now, and why one would. */
export function WhyButton({ seat }: { seat: SeatStore }) {
  if (primer.value === null) return null;
  return (
    <button
      type="button"
      disabled={seat.choices.value.length === 0}
      title="What can I do now, and why would I?"
      aria-expanded={seat.why.value}
      onClick={() => (seat.why.value = !seat.why.value)}
    >
      Why?
    </button>
  );
}

/** What can be done now, by kinds, each with what it is for. */
export function WhyPanel({ seat }: { seat: SeatStore }) {
  const doc = primer.value;
  const top = useRef<HTMLElement>(null);
  const open = seat.why.value && seat.choices.value.length > 0 && doc !== null;
  useEffect(() => {
    if (open) top.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  if (!open) return null;
  const { prompt } = seat.frame.value!;
  return (
    <section class="panel why" aria-label="What you can do now" aria-live="polite" ref={top}>
      <h2>
        What you can do now{" "}
        <button type="button" class="link" onClick={() => (seat.why.value = false)} aria-label="Close what you can do">
          close
        </button>
      </h2>
      <dl>
        {grouped(doc, prompt.kind, seat.choices.value).map(([move, choices]) => (
          <div key={move.name}>
            <dt>
              {move.name} <RuleLink seat={seat} id={move.rule} />
            </dt>
            <dd>
              <Worded text={move.why} />{" "}
              <small>
                {choices.length > TOLD ? `${choices.length} choices` : choices.map((c) => c.text).join("; ")}
              </small>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
