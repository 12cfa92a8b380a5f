import { useEffect, useState } from "preact/hooks";
import type { RecordedGame } from "../../session/library.js";
import { agentName } from "./names.js";
import { at } from "./address.js";

/** Most bytes of a file that is read; the server says so too. */
const MOST_BYTES = 4 << 20;

/**
 * Opens the replay of a game that was played elsewhere: from a file that is chosen, or dropped anywhere on the page.
 */
export function OpenReplay() {
  const [error, setError] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const open = async (file: File | undefined): Promise<void> => {
    setError(null);
    if (file === undefined) return;
    if (file.size > MOST_BYTES) return setError(`${file.name} is too large: a replay has at most ${MOST_BYTES} bytes`);
    const response = await fetch(at("/api/replays"), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: await file.text(),
    }).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as { link?: string; error?: { message: string } } | null;
    if (answer?.link !== undefined) location.href = at(`/g/${answer.link}`);
    else setError(`${file.name} can't be opened: ${answer?.error?.message ?? "the server does not answer"}`);
  };
  useEffect(() => {
    const drag = (e: DragEvent): void => {
      if (!(e.dataTransfer?.types.includes("Files") ?? false)) return;
      e.preventDefault();
      setOver(e.type === "dragover");
      if (e.type === "drop") void open(e.dataTransfer!.files[0]);
    };
    const kinds = ["dragover", "dragleave", "drop"] as const;
    for (const kind of kinds) addEventListener(kind, drag);
    return () => {
      for (const kind of kinds) removeEventListener(kind, drag);
    };
  }, []);
  return (
    <section class={`panel recorded ${over ? "over" : ""}`} aria-label="Look back at a recorded game">
      <h2>Look back at a recorded game</h2>
      <label>
        A replay that was saved here or by <code>kessel play</code>: choose its file, or drop it on this page
        <input
          type="file"
          accept=".json,application/json"
          onChange={(e) => {
            void open(e.currentTarget.files?.[0]);
            e.currentTarget.value = ""; // the same file may be chosen again
          }}
        />
      </label>
      {error !== null && <p role="alert">{error}</p>}
      <RecordedGames />
    </section>
  );
}

/** What recorded games can be asked for. */
const FILTERS = [
  ["game", "Game", "text"],
  ["agent", "Agent, or side=agent", "text"],
  ["seed", "Seed", "text"],
  ["won", "Won by (a side, draw)", "text"],
  ["least", "Decisions, at least", "numeric"],
  ["most", "Decisions, at most", "numeric"],
] as const;

/** The recorded games of the server's folder, if it serves one. */
function RecordedGames() {
  const [found, setFound] = useState<{ readonly total: number; readonly games: readonly RecordedGame[] } | null>(null);
  const [filter, setFilter] = useState<Readonly<Record<string, string>>>({});
  const asked = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== "")).toString();
  useEffect(() => {
    let late = false;
    const timer = setTimeout(() => {
      void fetch(at(`/api/recorded?${asked}`))
        .then((r) => (r.ok ? r.json() : null))
        .then((games: typeof found) => {
          if (!late && games !== null) setFound(games);
        });
    }, 150);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [asked]);
  if (found === null) return null;
  return (
    <details>
      <summary>Recorded games of this server ({found.total})</summary>
      <div class="filters">
        {FILTERS.map(([id, name, mode]) => (
          <label key={id}>
            {name}
            <input
              type="text"
              inputMode={mode}
              name={`recorded-${id}`}
              maxLength={200}
              value={filter[id] ?? ""}
              onInput={(e) => setFilter({ ...filter, [id]: e.currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <ul>
        {found.games.map((g) => (
          <li key={g.file}>
            <a href={at(`/g/${g.link}`)}>{g.file.replace(/\.json$/, "")}</a>
            <small>
              {" "}
              {g.decisions} decisions, {g.won === null ? "not over" : `won by ${g.won}`}, seed {g.seed};{" "}
              {Object.entries(g.agents)
                .map(([side, name]) => `${side}: ${agentName(name)}`)
                .join(", ")}
            </small>
          </li>
        ))}
      </ul>
      {found.games.length < found.total && <p>The first {found.games.length} are listed.</p>}
    </details>
  );
}
