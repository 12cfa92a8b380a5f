import { returnText } from "../../../../env/core/words.js";
import { useState } from "preact/hooks";
import { nameOf } from "../names.js";
import type { SeatStore } from "../store.js";
import { at } from "../address.js";

/** How the game has ended, in the place of the next decision. */
export function ResultPanel({ seat }: { seat: SeatStore }) {
  return (
    <section class="panel prompt" aria-label="Result">
      <p class="result">{resultText(seat)}</p>
      <Rematches seat={seat} />
      <a href={at("/")}>All games</a>
    </section>
  );
}

const WAYS = { same: "Rematch", switch: "Switch sides", harder: "Next level" } as const;

/** Other games that can begin now, with one click. */
function Rematches({ seat }: { seat: SeatStore }) {
  const [error, setError] = useState<string | null>(null);
  const rematches = seat.frame.value!.result?.rematches ?? {};
  const begin = async (way: string): Promise<void> => {
    const answer = await fetch(at("/api/rematches"), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: location.pathname.split("/").at(-1), way }),
    })
      .then((r) => r.json() as Promise<{ link?: string; error?: { message: string } }>)
      .catch(() => ({ link: undefined, error: { message: "the server doesn't answer" } }));
    if (answer.link === undefined) setError(answer.error?.message ?? "that didn't work");
    else location.href = at(`/g/${answer.link}`);
  };
  const ways = (Object.keys(WAYS) as (keyof typeof WAYS)[]).filter((way) => rematches[way] !== undefined);
  if (ways.length === 0) return null;
  return (
    <>
      <div class="ways">
        {ways.map((way) => (
          <button
            key={way}
            type="button"
            class={way === "same" ? "primary" : ""}
            data-rematch={way}
            onClick={() => void begin(way)}
          >
            {WAYS[way]}
            {way === "harder" && ` (${rematches[way]})`}
          </button>
        ))}
      </div>
      {error !== null && <p role="alert">{error}</p>}
    </>
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
  const card = others.length === 0 ? "" : ` Average scores of others: ${others.join(", ")}.`;
  return `${word} ${result.text}${alone ? ` Score: ${returns.join(", ")}.` : ""}${card}`;
}
