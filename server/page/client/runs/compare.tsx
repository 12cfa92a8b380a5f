import { useState } from "preact/hooks";
import type { Comparison, Difference, Preferred, RunView } from "../../runs/runs-view.js";
import { percent, signed } from "../panels/numbers.js";
import { asked } from "./asked.js";
import { netName } from "./watch.js";

/** Two nets of a run: a game between them, and the decisions of it about which they differ most. */
export function CompareNets({ run }: { run: RunView }) {
  const [one, setOne] = useState(run.nets[0]!);
  const [other, setOther] = useState(run.nets[1]!);
  const [found, setFound] = useState<(Comparison & { readonly nets: readonly [string, string] }) | null>(null);
  const [state, setState] = useState<string | null>(null);
  const compare = async (): Promise<void> => {
    setState("They play a game, and are asked about each decision.");
    const answer = await asked<Comparison>("/api/comparisons", { run: run.name, one, other });
    setState(typeof answer === "string" ? answer : null);
    if (typeof answer !== "string") setFound({ ...answer, nets: [one, other] });
  };
  const list = (label: string, value: string, choose: (net: string) => void, without: string | null) => (
    <label>
      {label}
      <select value={value} onChange={(e) => choose(e.currentTarget.value)}>
        {run.nets
          .filter((n) => n !== without)
          .map((n) => (
            <option key={n} value={n}>
              {netName(n)}
            </option>
          ))}
      </select>
    </label>
  );
  return (
    <form
      class="panel compare"
      onSubmit={(e) => {
        e.preventDefault();
        void compare();
      }}
    >
      <h3>Where two nets differ</h3>
      {list("One", one, (net) => {
        setOne(net);
        if (net === other) setOther(run.nets.find((n) => n !== net)!);
      }, null)}
      {list("The other", other, setOther, one)}
      <button type="submit" class="primary">
        {found === null ? "Compare" : "Compare in another game"}
      </button>
      {state !== null && <p role="status">{state}</p>}
      {found !== null && (
        <div class="differences" aria-live="polite">
          <p>
            In {percent(found.same)} of the choices of <a href={`/g/${found.link}`}>their game</a> ({found.decisions} decisions)
            both would do the same. They are furthest apart in these:
          </p>
          <ol>
            {found.differences.map((d) => (
              <Differs key={d.at} d={d} link={found.link} nets={found.nets} side={run.names[run.players.indexOf(d.by)] ?? d.by} />
            ))}
          </ol>
        </div>
      )}
    </form>
  );
}

function Differs(props: { d: Difference; link: string; nets: readonly [string, string]; side: string }) {
  const { d, link, nets, side } = props;
  const says = (nth: 0 | 1, { text, chances, value }: Preferred) => (
    <li>
      <b>{netName(nets[nth])}</b> takes “{text}” with {percent(chances[nth]!)}, the other with {percent(chances[1 - nth]!)}; it
      expects {signed(value)}.
    </li>
  );
  return (
    <li>
      <a href={`/g/${link}#at=${d.at}&eyes=${encodeURIComponent(d.by)}`}>Decision {d.at + 1}</a>, {side} side. {d.prompt}
      <ul>
        {says(0, d.one)}
        {says(1, d.other)}
      </ul>
    </li>
  );
}
