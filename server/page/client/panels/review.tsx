import { useState } from "preact/hooks";
import type { Review } from "../../review-frame.js";
import { agentName, nameOf } from "../names.js";
import type { LogLine } from "../../frame.js";
import type { SeatStore } from "../store.js";
import { BestActions, evaluatorName } from "./best.js";
import { Chart } from "./chart.js";
import { EventLines } from "./log.js";
import { percent, returnText } from "../../../../env/core/words.js";
import { at } from "../address.js";

/**
 * Looking back at a game: step by step, with an analysis; when it is over, playing on from anywhere. While it goes on,
 * only what the own side has seen.
 */
export function ReviewPanel({ seat }: { seat: SeatStore }) {
  return (
    <>
      {seat.review.inPlay.value && (
        <button type="button" class="primary" onClick={() => seat.backToGame()}>
          Back to the game
        </button>
      )}
      <ReplayPanel seat={seat} />
      <AnalysisPanel seat={seat} />
    </>
  );
}

/**
 * True when a line's action is named beside what came of it: of actions of others one sees what they changed, which the
 * events say in words.
 */
const namesAction = ({ actor, events }: LogLine, eyes: string | null): boolean =>
  events.length === 0 || eyes === actor || eyes === "all";

function ReplayPanel({ seat }: { seat: SeatStore }) {
  const { review } = seat;
  const frame = seat.frame.value!;
  const { decisions } = seat.lookBack.value!;
  const inPlay = review.inPlay.value;
  const at = review.at.value ?? decisions;
  const moment = review.moment.value;
  const line = moment?.at === at ? moment.line : null;
  const by = moment?.at === at ? moment.by : null;
  return (
    <section class="panel replay" aria-label="Replay">
      <h2>Replay</h2>
      <label>
        Decision {at} of {decisions}
        <input
          type="range"
          min={0}
          max={decisions}
          value={at}
          aria-label="Decision"
          onInput={(e) => review.go(Number(e.currentTarget.value), decisions)}
        />
      </label>
      <div class="row steps">
        {(
          [
            ["|◀", "To the start", -decisions],
            ["◀", "One decision back", -1],
            ["▶", "One decision on", 1],
            ["▶|", "To the end", decisions],
          ] as const
        ).map(([sign, name, by]) => (
          <button key={name} type="button" aria-label={name} title={name} onClick={() => review.step(by, decisions)}>
            {sign}
          </button>
        ))}
        {!inPlay && (
          <select
            aria-label="Seen with the eyes of"
            value={review.eyes.value}
            onChange={(e) => review.lookAs(e.currentTarget.value, decisions)}
          >
            <option value="all">everything</option>
            {frame.seats.map((s) => (
              <option key={s.side} value={s.side}>
                as {nameOf(frame, s.side)} saw it
              </option>
            ))}
            <option value="watch">what all could see</option>
          </select>
        )}
      </div>
      {line !== null && (
        // screen readers get it from the status line
        <div class="led">
          {line.actor !== null && (
            <h3>
              {nameOf(frame, line.actor)}
              {namesAction(line, inPlay ? frame.seat : review.eyes.value) && `: ${line.action ?? "something hidden"}`}
            </h3>
          )}
          <EventLines seat={seat} line={line} />
        </div>
      )}
      {by !== null && <p class="next">Next, the {nameOf(frame, by)} side decides.</p>}
      {by !== null && !inPlay && <PlayOn seat={seat} />}
      <div class="files">
        Save:{" "}
        {!inPlay && (
          <button type="button" class="link" onClick={() => review.save()}>
            the replay
          </button>
        )}
        {EXPORTS.filter(([, , open]) => open || !inPlay).map(([what, name]) => (
          <button
            key={what}
            type="button"
            class="link"
            disabled={review.drawing.value}
            onClick={() => review.export(what, decisions)}
          >
            {name}
          </button>
        ))}
        {review.drawing.value && <small role="status">It is being made.</small>}
      </div>
    </section>
  );
}

/** Files besides the replay, and which there are while the game goes on. */
const EXPORTS = [
  ["position", "the position", false],
  ["svg", "picture (SVG)", true],
  ["png", "picture (PNG)", true],
  ["film", "the game as an animated picture", false],
] as const;

interface Offer {
  readonly short: string;
  readonly players: readonly number[];
}

/** Begins a new game from the moment that is shown. */
function PlayOn({ seat }: { seat: SeatStore }) {
  const frame = seat.frame.value!;
  const [offers, setOffers] = useState<readonly Offer[] | null>(null);
  const sides = frame.seats.map((s) => s.side);
  const [who, setWho] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(frame.seats.map((s) => [s.side, s.who === "human" ? "human" : agentName(s.who)])),
  );
  const open = (): void => {
    if (offers !== null) return;
    void fetch(at(`/api/agents?game=${frame.game}`))
      .then((r) => r.json())
      .then((a: { agents: readonly Offer[] }) => setOffers(a.agents));
  };
  const chosen = (side: string, i: number): string => {
    const here = (offers ?? []).filter((o) => o.players.includes(i)).map((o) => o.short);
    const wanted = who[side]!;
    return wanted === "human" || here.includes(wanted) ? wanted : (here[0] ?? "human");
  };
  return (
    <details class="play-on" onToggle={open}>
      <summary>Play on from here</summary>
      <p>A new game begins with this position and new dice.</p>
      {offers !== null &&
        sides.map((side, i) => (
          <label key={side}>
            {nameOf(frame, side)} is played by
            <select
              value={chosen(side, i)}
              onChange={(e) => setWho({ ...who, [side]: e.currentTarget.value })}
              data-side={side}
            >
              <option value="human">you</option>
              {offers
                .filter((o) => o.players.includes(i))
                .map((o) => (
                  <option key={o.short} value={o.short}>
                    {o.short}
                  </option>
                ))}
            </select>
          </label>
        ))}
      {offers !== null && (
        <button
          type="button"
          class="primary"
          onClick={() => seat.review.branch(Object.fromEntries(sides.map((side, i) => [side, chosen(side, i)])))}
        >
          Play on
        </button>
      )}
    </details>
  );
}

function AnalysisPanel({ seat }: { seat: SeatStore }) {
  const { review } = seat;
  const { evaluators, decisions } = seat.lookBack.value!;
  const [by, setBy] = useState(evaluators[0]!);
  const found = review.review.value;
  const done = review.progress.value;
  const [first, second] = review.judges.value;
  const choose = (one: string): void => {
    setBy(one);
    if (first !== undefined)
      review.consult([one, ...(second === undefined || second === one ? [] : [second])], decisions);
  };
  return (
    <section class="panel analysis" aria-label="Analysis">
      <h2>Analysis</h2>
      <div class="row">
        <EvaluatorSelect label="Analysed by" list={evaluators} value={by} choose={choose} />
        <button type="button" disabled={done !== null || found?.by === by} onClick={() => review.analyse(by)}>
          Analyse
        </button>
        <button
          type="button"
          aria-pressed={first !== undefined}
          onClick={() => review.consult(first === undefined ? [by] : [], decisions)}
        >
          Best actions
        </button>
      </div>
      {first !== undefined && (
        <label>
          Compared with
          <EvaluatorSelect
            label="Compared with"
            list={evaluators.filter((e) => e !== first)}
            nobody="nobody"
            value={second ?? ""}
            choose={(other) => review.consult(other === "" ? [first] : [first, other], decisions)}
          />
        </label>
      )}
      <BestActions seat={seat} />
      {done !== null && <progress value={done} max={1} aria-label="Analysis under way" />}
      {found !== null && <Findings seat={seat} found={found} />}
    </section>
  );
}

function EvaluatorSelect(props: {
  label: string;
  list: readonly string[];
  value: string;
  /** What an empty choice is called. */
  nobody?: string;
  choose: (by: string) => void;
}) {
  return (
    <select aria-label={props.label} value={props.value} onChange={(e) => props.choose(e.currentTarget.value)}>
      {props.nobody !== undefined && <option value="">{props.nobody}</option>}
      {props.list.map((e) => (
        <option key={e} value={e}>
          {evaluatorName(e)}
        </option>
      ))}
    </select>
  );
}

function Findings({ seat, found }: { seat: SeatStore; found: Review }) {
  const { review } = seat;
  const frame = seat.frame.value!;
  const { decisions } = seat.lookBack.value!;
  const at = review.at.value ?? decisions;
  const go = (to: number): void => review.go(to, decisions);
  const values = Object.entries(found.values).map(([side, list]) => ({ name: nameOf(frame, side), values: list }));
  const luck = found.luck === null ? null : [0, ...found.luck];
  const most = luck === null ? 1 : Math.max(0.1, ...luck.map(Math.abs));
  const first = nameOf(frame, Object.keys(found.values)[0]!);
  return (
    <>
      <small>
        Values are expected returns: +1 wins, −1 loses. By {found.by}, from what{" "}
        {review.inPlay.value ? "you" : "each side"} knew.
      </small>
      <Chart title="Value" curves={values} domain={[-1, 1]} {...{ decisions, at, go }} />
      {luck !== null && (
        <Chart
          title={`Luck of the ${first} side`}
          curves={[{ name: "luck", values: luck }]}
          domain={[-most, most]}
          {...{ decisions, at, go }}
        />
      )}
      {found.sides.map((s) => (
        <div key={s.side}>
          <h3>{nameOf(frame, s.side)}: worst decisions</h3>
          {s.worst.length === 0 && <p>None cost much.</p>}
          <ol>
            {s.worst.map((b) => (
              <li key={b.number}>
                <button type="button" class="jump" onClick={() => go(b.number - 1)}>
                  {b.number}: {b.text}
                </button>
                <p>
                  It cost {b.loss.toFixed(2)}. Better: {b.bestText}. {b.why}
                </p>
              </li>
            ))}
          </ol>
        </div>
      ))}
      <h3>Turning points</h3>
      {found.turningPoints.length === 0 && <p>The game never turned.</p>}
      <ol>
        {found.turningPoints.map((t) => (
          <li key={t.number}>
            <button type="button" class="jump" onClick={() => go(t.number)}>
              {t.number}: {nameOf(frame, t.by)}, {returnText(t.before)} to {returnText(t.after)}
            </button>
            <p>
              {t.dice !== null && `Dice ${returnText(t.dice)}, choice ${returnText(t.choice)}. `}
              {t.why}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** What the seat can believe of the counters that are face down on a place. */
export function BeliefBars({ seat, place }: { seat: SeatStore; place: string }) {
  const frame = seat.frame.value!;
  const beliefs = seat.review.beliefs.value;
  if (!frame.beliefs || seat.review.inPlay.value || !frame.pieces.some((p) => p.place === place && hides(p)))
    return null;
  const here = beliefs?.n === frame.n ? beliefs.places.find((p) => p.place === place) : undefined;
  if (here === undefined) return null;
  return (
    <div class="beliefs" aria-live="polite">
      <h3>
        {here.hidden === 1 ? "Face down here" : `${here.hidden} face down here`}:{" "}
        <small>
          all that fits what you know, {beliefs!.habits ? "weighed by how trained nets hide" : "equally likely"}
        </small>
      </h3>
      <ul>
        {here.what.map((w) => (
          <li key={w.title}>
            <meter min={0} max={1} value={w.present} aria-label={w.title} />
            {percent(w.present)} {w.title}
          </li>
        ))}
      </ul>
      {here.others > 0 && <small>and {here.others === 1 ? "1 other" : `${here.others} others`}</small>}
    </div>
  );
}

/** True when a counter of this stack is face down. */
export const hides = (piece: { readonly hidden: boolean; readonly about: readonly string[] }): boolean =>
  piece.hidden || piece.about.some((a) => a.includes("face-down"));
