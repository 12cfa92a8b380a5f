import type { Judged, JudgedChoice } from "../../review-frame.js";
import { compared } from "../opinions.js";
import type { SeatStore } from "../store.js";
import { percent, returnText } from "../../../../env/core/words.js";

/** What evaluators are called; a search that looks at each decision is slow. */
export const evaluatorName = (e: string): string => e.replace(/^search:.*/, "search (slow)");

/** What one or two evaluators would do at the moment that is shown, side by side. */
export function BestActions({ seat }: { seat: SeatStore }) {
  const { review } = seat;
  const moment = review.moment.value;
  const judges = review.judges.value;
  const opinions = review.opinions.value;
  if (judges.length === 0) return null;
  if (moment === null || moment.by === null) return <p>Nothing is decided here.</p>;
  if (!review.maySee(moment.by)) return <p>The other side decides here; you see what it could do after the game.</p>;
  if (opinions.length < judges.length) return <p role="status">{judges.map(evaluatorName).join(" and ")}: thinking.</p>;
  const [one, other] = opinions;
  return (
    <div class="options">
      <h3>What {judges.map(evaluatorName).join(" and ")} would do here</h3>
      {other !== undefined && <Verdict one={one!} other={other} />}
      <Opinions opinions={opinions} names={judges.map(evaluatorName)} />
    </div>
  );
}

/** The actions that evaluators think of, with the chance that each gives them. */
export function Opinions({ opinions, names }: { opinions: readonly Judged[]; names: readonly string[] }) {
  return (
    <ul>
      {compared(opinions).map(({ text, action, by, differ }) => (
        <li key={action} class={differ ? "differ" : ""}>
          {text}
          {action === opinions[0]!.taken && <em> (played)</em>}
          {differ && <strong> differs</strong>}
          {by.map((c, i) => (
            <Opinion key={names[i]} choice={c} who={opinions.length > 1 ? names[i]! : ""} nth={i} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function Verdict({ one, other }: { one: Judged; other: Judged }) {
  const [first, second] = [one.choices[0]!, other.choices[0]!];
  const valued = `The position is worth ${returnText(one.value)} to ${evaluatorName(one.by)}, ${returnText(other.value)} to ${evaluatorName(other.by)}.`;
  return (
    <p class="verdict">
      {first.action === second.action
        ? `Both would take: ${first.text}.`
        : `They differ: ${evaluatorName(one.by)} takes ${first.text}, ${evaluatorName(other.by)} ${second.text}.`}{" "}
      {valued}
    </p>
  );
}

function Opinion({ choice, who, nth }: { choice: JudgedChoice | null; who: string; nth: number }) {
  if (choice === null) return <span class={`opinion k${nth}`}>{who} has not looked at it</span>;
  return (
    <span class={`opinion k${nth}`}>
      <meter min={0} max={1} value={choice.probability} aria-label={`${who} ${choice.text}`.trim()} /> {who}{" "}
      {percent(choice.probability)}
      {choice.value !== null && <small> value {returnText(choice.value)}</small>}
    </span>
  );
}
