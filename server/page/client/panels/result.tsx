import { returnText } from "../../../../env/core/words.js";
import { nameOf } from "../names.js";
import type { SeatStore } from "../store.js";

/** How the game has ended, in the place of the next decision. */
export function ResultPanel({ seat }: { seat: SeatStore }) {
  return (
    <section class="panel prompt" aria-label="Result">
      <p class="result">{resultText(seat)}</p>
      <a href="/">All games</a>
    </section>
  );
}

function resultText(seat: SeatStore): string {
  const { result, seat: side } = seat.frame.value!;
  if (result === null) return "";
  const mine = side === null ? null : (result.returns[side] ?? 0);
  const word =
    mine === null ? "The game is over." : mine > 0 ? "You have won." : mine < 0 ? "You have lost." : "A draw.";
  const alone = Object.keys(result.returns).length === 1;
  const returns = Object.entries(result.returns).map(([s, r]) => `${nameOf(seat.frame.value!, s)} ${returnText(r)}`);
  const others = result.compared.map(({ who, mean }) => `${who} ${returnText(mean)}`);
  const card = others.length === 0 ? "" : ` On average, by their cards: ${others.join(", ")}.`;
  return `${word} ${result.text}${alone ? ` Score: ${returns.join(", ")}.` : ""}${card}`;
}
