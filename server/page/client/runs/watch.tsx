import { useState } from "preact/hooks";
import type { RunView } from "../../runs/runs-view.js";
import { askServer } from "./ask-server.js";
import { at } from "../address.js";

/** A net as people call it: the number of its update. */
export const netName = (net: string): string => `net ${Number(net)}`;

/** Begins a game of the run's nets: against each other, an agent, or a person here. */
export function WatchNet({ run }: { run: RunView }) {
  const newest = `run:${run.name}/${run.nets[0]!}`;
  const [who, setWho] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<string | null>(null);
  const start = async (): Promise<void> => {
    const seats = Object.fromEntries(run.players.map((p) => [p, who[p] ?? newest]));
    const made = await askServer<{ links: Record<string, string> }>(at("/api/games"), {
      game: run.game,
      options: run.options,
      seats,
    });
    if (typeof made === "string") return setError(made);
    const mine = run.players.find((p) => seats[p] === "human");
    location.href = at(`/g/${made.links[mine ?? "watch"]!}`);
  };
  return (
    <form
      class="panel watch"
      onSubmit={(e) => {
        e.preventDefault();
        void start();
      }}
    >
      <h3>Watch a game</h3>
      {run.players.map((side, i) => (
        <label key={side}>
          {run.names[i]} is played by
          <select
            name={`watch-${side}`}
            value={who[side] ?? newest}
            onChange={(e) => setWho({ ...who, [side]: e.currentTarget.value })}
          >
            {run.nets.map((net, k) => (
              <option key={net} value={`run:${run.name}/${net}`}>
                {netName(net)}
                {k === 0 ? " (the newest)" : ""}
              </option>
            ))}
            {run.agents
              .filter((a) => a.players.includes(i))
              .map((a) => (
                <option key={a.short} value={a.short}>
                  {a.short}
                </option>
              ))}
            {run.players.every((p) => p === side || who[p] !== "human") && <option value="human">you</option>}
          </select>
        </label>
      ))}
      {error !== null && <p role="alert">{error}</p>}
      <button type="submit" class="primary">
        Begin
      </button>
    </form>
  );
}
