import type { SeatStore } from "../store.js";
import { RuleLink } from "./rule-link.js";

/** A question of two places of the map: what to choose next, then the answer with its reasons. */
export function AnswerCard({ seat }: { seat: SeatStore }) {
  const { question, from, to, answer } = seat.map.asking.value!;
  const { width, places } = seat.base.value ?? { width: 0, places: [] };
  const end = places.find((p) => p.id === (to ?? from));
  return (
    <section
      // on the other side of the map
      class={`panel place open ${end !== undefined && end.x < width / 2 ? "right" : ""}`}
      aria-label={question.name}
    >
      <h2>{answer?.text ?? question.name}</h2>
      <button type="button" class="link close" onClick={() => seat.ask(null)}>
        close
      </button>
      {from === null && <p>Choose the place to look from.</p>}
      {from !== null && to === null && <p>From {from}: point at the place to look at, or click it.</p>}
      {answer?.says.map((line) => (
        <p key={line.text}>
          {line.text} <RuleLink seat={seat} id={line.rule} />
        </p>
      ))}
      {from !== null && (
        <button type="button" class="link" onClick={() => seat.ask(question)}>
          From another place
        </button>
      )}
    </section>
  );
}
