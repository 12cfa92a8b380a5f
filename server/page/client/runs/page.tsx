import { useEffect, useState } from "preact/hooks";
import type { ListedRun, RunView } from "../../runs/runs-view.js";
import { askServer } from "./ask-server.js";
import { CompareNets } from "./compare.js";
import { RunChart } from "./curves.js";
import { WatchNet } from "./watch.js";
import { at } from "../address.js";

/** Milliseconds between two looks at a run that may be learning. */
const AGAIN = 15_000;

/** The runs that are served: one is named in the address, `#run=NAME`. */
export function RunsPage() {
  const named = (): string | null => new URLSearchParams(location.hash.slice(1)).get("run");
  const [runs, setRuns] = useState<readonly ListedRun[] | string | null>(null);
  const [name, setName] = useState(named());
  useEffect(() => {
    document.title = "Training runs · Kessel";
    void askServer<{ runs: readonly ListedRun[] }>(at("/api/runs")).then((a) =>
      setRuns(typeof a === "string" ? a : a.runs),
    );
    const follow = (): void => setName(named());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const shown = name ?? (Array.isArray(runs) ? ((runs as readonly ListedRun[])[0]?.name ?? null) : null);
  return (
    <main class="lobby runs">
      <a href={at("/")}>All games</a>
      <h1>Training runs</h1>
      {runs === null && <p role="status">The runs are coming.</p>}
      {typeof runs === "string" && <p role="alert">{runs}</p>}
      {runs !== null && typeof runs !== "string" && (
        <>
          {runs.length === 0 && <p>There is no run in this folder yet.</p>}
          <ul class="panel list">
            {runs.map((r) => (
              <li key={r.name}>
                <a href={`#${new URLSearchParams({ run: r.name }).toString()}`} aria-current={r.name === shown}>
                  {r.name}
                </a>{" "}
                <small>
                  {r.title}, {r.method}, {r.at} done, {r.snapshots} {r.snapshots === 1 ? "net" : "nets"},{" "}
                  {new Date(r.changed).toLocaleString()}
                </small>
              </li>
            ))}
          </ul>
        </>
      )}
      {shown !== null && <Run key={shown} name={shown} />}
    </main>
  );
}

/** One run: curves, the newest net to watch, two nets to compare. */
function Run({ name }: { name: string }) {
  const [run, setRun] = useState<RunView | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const look = async (): Promise<void> => {
      const answer = await askServer<RunView>(at(`/api/runs/${encodeURIComponent(name)}`));
      const failed = typeof answer === "string";
      setError(failed ? answer : null);
      if (!failed) setRun(answer); // else what came before stays, with the comparisons in it
    };
    void look();
    const timer = setInterval(() => void look(), AGAIN);
    return () => clearInterval(timer);
  }, [name]);
  if (run === null) return error === null ? <p role="status">The run is coming.</p> : <p role="alert">{error}</p>;
  return (
    <article data-run={name}>
      <h2>
        {run.name}: {run.title}
      </h2>
      <p>
        {run.method}, {run.at} {run.counted}s done.
      </p>
      {error !== null && <p role="alert">{error}</p>}
      {run.nets.length === 0 ? (
        <p>No net has been kept yet; a run keeps one at each evaluation.</p>
      ) : (
        <div class="doings">
          <WatchNet run={run} />
          {run.nets.length > 1 && <CompareNets run={run} />}
        </div>
      )}
      {run.groups.map((g) => (
        <section key={g.title}>
          <h3>{g.title}</h3>
          <div class="charts">
            {g.charts.map((c) => (
              <RunChart key={c.title} chart={c} counted={run.counted} />
            ))}
          </div>
        </section>
      ))}
    </article>
  );
}
