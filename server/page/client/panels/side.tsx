import type { SeatStore } from "../store.js";

/** Conditions of victory, and how the game would end now. */
export function StandingPanel({ seat }: { seat: SeatStore }) {
  const { standing, result } = seat.frame.value!;
  return (
    <section class="panel standing" aria-label="Standing">
      <h2>Standing</h2>
      {result !== null && <p class="result">{resultText(seat)}</p>}
      <ul>
        {standing.conditions.map((c, i) => (
          <li key={i} class={c.met ? "met" : ""}>
            <span>
              <b>{c.side}</b> {c.text}
            </span>
            <meter
              min={0}
              max={Math.max(1, c.need)}
              value={Math.min(c.have, c.need)}
              aria-label={`${c.side}: ${c.text}`}
            />
            <span class="have">
              {c.have} / {c.need} {c.unit}
            </span>
            <small>
              {c.when}
              {c.places.length > 0 && c.places.length <= 8 && <>: {c.places.join(", ")}</>}{" "}
              {c.rule !== "" && (
                <button type="button" class="rule" onClick={() => seat.askRule(c.rule)}>
                  {c.rule}
                </button>
              )}
            </small>
          </li>
        ))}
      </ul>
      <p>{standing.ifEndedNow}</p>
    </section>
  );
}

function resultText(seat: SeatStore): string {
  const { result, seat: side } = seat.frame.value!;
  if (result === null) return "";
  const mine = side === null ? null : (result.returns[side] ?? 0);
  const word =
    mine === null ? "The game is over." : mine > 0 ? "You have won." : mine < 0 ? "You have lost." : "A draw.";
  const returns = Object.entries(result.returns).map(
    ([s, r]) => `${s} ${r > 0 ? "+" : ""}${Math.round(r * 100) / 100}`,
  );
  return `${word} ${result.text} Return: ${returns.join(", ")}.`;
}

/** What the choice under the pointer can come to. */
export function OddsPanel({ seat }: { seat: SeatStore }) {
  const asked = seat.odds.value;
  const choice = seat.frame.value!.prompt.choices.find((c) => c.action === asked?.action);
  if (asked === null || choice === undefined) return null;
  const { odds } = asked;
  // an action without dice or surprise needs no panel
  if (odds !== null && odds.results.length === 1 && odds.results[0]!.outcomes.length === 0) return null;
  const percent = (p: number): string => `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;
  return (
    <section class="panel odds" aria-label="Odds" aria-live="polite">
      <h2>Odds: {choice.text}</h2>
      {odds === null && <p>…</p>}
      {odds?.method === "certain" && <p>No dice: {odds.results[0]?.outcomes.join("; ") || "it just happens"}.</p>}
      {odds !== null && odds.method !== "certain" && (
        <>
          <ul>
            {odds.results.slice(0, 6).map((r, i) => (
              <li key={i}>
                <span class="share">{percent(r.probability)}</span>
                <meter min={0} max={1} value={r.probability} aria-label={r.outcomes.join("; ") || "nothing of note"} />
                <span>{r.outcomes.join("; ") || "nothing of note"}</span>
              </li>
            ))}
          </ul>
          {odds.results.length > 6 && (
            <p class="each">
              In all:{" "}
              {odds.each
                .slice(0, 6)
                .map((e) => `${e.outcome} ${percent(e.probability)}`)
                .join(", ")}
            </p>
          )}
          <small>
            {odds.method === "exact"
              ? `exact, ${odds.count} ways to fall`
              : `from ${odds.count} samples, ±${(98 / Math.sqrt(odds.count)).toFixed(0)} points at most`}
          </small>
        </>
      )}
    </section>
  );
}

/** What lies at the place under the pointer. */
export function PlacePanel({ seat }: { seat: SeatStore }) {
  const place = seat.base.value?.places.find((p) => p.id === seat.pointed.value);
  if (place === undefined) return null;
  const here = seat.frame.value!.pieces.filter((p) => p.place === place.id);
  return (
    <section class="panel place" aria-label="Place">
      <h2>{place.name}</h2>
      {place.about !== "" && <p>{place.about}</p>}
      <ul>{here.flatMap((p) => p.about.map((line, i) => <li key={`${p.key}/${i}`}>{line}</li>))}</ul>
    </section>
  );
}

/** Rule cards. */
export function RulesPanel({ seat }: { seat: SeatStore }) {
  const found = seat.rules.value;
  if (found === null) return null;
  return (
    <section class="panel rules" aria-label="Rules" aria-live="polite">
      <h2>
        Rules: {found.words}{" "}
        <button type="button" class="link" onClick={() => (seat.rules.value = null)} aria-label="Close the rules">
          close
        </button>
      </h2>
      {found.rules.length === 0 && <p>No rule says that.</p>}
      {found.rules.map((r) => (
        <p key={r.id}>
          <b>{r.id}</b> {r.says} {r.note !== "" && <i>({r.note})</i>}
        </p>
      ))}
    </section>
  );
}

/** Tracks, dice, hands, pools: drawn by the server. */
export function TrayPanels({ seat, stands }: { seat: SeatStore; stands: "near" | "far" }) {
  const { trays, text } = seat.frame.value!;
  const names = new Map(seat.frame.value!.prompt.choices.map((c) => [c.name, c]));
  const dice = seat.frame.value!.prompt.choices.filter((c) => c.die !== undefined);
  return (
    <>
      {trays
        .filter((t) => t.stands === stands)
        .map((t) => (
          <figure
            key={t.id}
            class="tray"
            role="img"
            aria-label={t.words}
            onClick={(e) => {
              const id = (e.target as Element).closest("[data-id]")?.getAttribute("data-id") ?? "";
              const choice = names.get(id) ?? dice.find((c) => String(c.die) === id || c.units.includes(id));
              if (choice !== undefined) seat.choose(choice);
            }}
          >
            <svg
              viewBox={`0 0 ${t.width} ${t.height}`}
              aria-hidden="true"
              dangerouslySetInnerHTML={{ __html: t.svg }}
            />
          </figure>
        ))}
      {stands === "far" && text !== "" && <pre class="panel text">{text}</pre>}
    </>
  );
}
