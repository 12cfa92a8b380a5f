import { percent } from "../../../../env/core/words.js";
import type { Foreseen, Odds } from "../../../../env/index.js";
import { type Asked, sayNothing } from "../asked-odds.js";
import type { SeatStore } from "../store.js";

/** Results that are listed. */
const MOST = 6;

/** Said where odds go on through decisions that this side then takes (`Odds.presumed`). */
const USUAL = "if you answer what follows in the usual way";

const chance = (p: number): string => percent(p, p < 0.1 ? 1 : 0);
/** What two events of one result have in common, as whose an area is, is said once. */
const inWords = (outcomes: readonly string[]): string => [...new Set(outcomes)].join("; ") || "nothing of note";

/** What the choice under the pointer can come to. */
export function OddsPanel({ seat }: { seat: SeatStore }) {
  const asked = seat.odds.value;
  const choice = seat.frame.value!.prompt.choices.find((c) => c.action === asked?.action);
  if (asked === null || choice === undefined || seat.confirming.value !== null) return null;
  if (!asked.wanted && asked.odds !== null && sayNothing(asked)) return null;
  return (
    <section class="panel odds" aria-label="Odds" aria-live="polite">
      <h2>Odds: {choice.text}</h2>
      <Outcomes asked={asked} />
    </section>
  );
}

/** What a choice comes to at once, and what that leads to. */
export function Outcomes({ asked }: { asked: Asked }) {
  const { odds, leads } = asked;
  if (odds === null) return <p>…</p>;
  return (
    <>
      {(leads === null || odds.results.some((r) => r.outcomes.length > 0)) && <AtOnce odds={odds} />}
      {leads !== null && <LeadsTo leads={leads} />}
    </>
  );
}

function AtOnce({ odds }: { odds: Odds }) {
  const [only, ...others] = odds.results;
  if (only !== undefined && others.length === 0)
    return (
      <>
        <p>{only.outcomes.length === 0 ? "No chance in it." : `It is certain: ${inWords(only.outcomes)}.`}</p>
        {odds.presumed.length > 0 && <small>{USUAL}</small>}
      </>
    );
  const together = odds.results.length; // none where the throws are independent
  return (
    <>
      <Chances results={odds.results} />
      {(together > MOST || together === 0) && (
        <p class="each">
          In all:{" "}
          {odds.each
            .slice(0, together === 0 ? 24 : MOST)
            .map((e) => `${chance(e.probability)} ${e.outcome}`)
            .join("; ")}
        </p>
      )}
      <small>
        {odds.presumed.length > 0 && `${USUAL}; `}
        {odds.method === "exact" ? `exact, ${odds.count} ways to fall` : sampled(odds.count)}
      </small>
    </>
  );
}

/** After all that must follow. */
function LeadsTo({ leads }: { leads: Foreseen }) {
  const [only, ...others] = leads.results;
  // what may be hidden there makes many results of few outcomes
  const single = leads.each.map((e) => ({ outcomes: [e.outcome], probability: e.probability }));
  return (
    <div class="leads">
      <p>
        <b>It leads to</b>
        {others.length === 0 && ` ${inWords(only!.outcomes)}`}
      </p>
      {others.length > 0 && <Chances results={leads.results.length > MOST ? single : leads.results} />}
      <small>
        {leads.presumes}
        {others.length > 0 && (leads.exact ? "; exact" : `; ${sampled(leads.count)}`)}
      </small>
    </div>
  );
}

const sampled = (count: number): string =>
  `from ${count} samples, ±${(98 / Math.sqrt(count)).toFixed(0)} points at most`;

function Chances({
  results,
}: {
  results: readonly { readonly outcomes: readonly string[]; readonly probability: number }[];
}) {
  return (
    <ul>
      {results.slice(0, MOST).map((r, i) => (
        <li key={i}>
          <span class="share">{chance(r.probability)}</span>
          <meter min={0} max={1} value={r.probability} aria-label={inWords(r.outcomes)} />
          <span>{inWords(r.outcomes)}</span>
        </li>
      ))}
    </ul>
  );
}
