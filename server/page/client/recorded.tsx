import { useEffect, useState } from "preact/hooks";

/** Most bytes of a file that is read; the server says so too. */
const MOST_BYTES = 4 << 20;

/** Opens the replay of a game that was played elsewhere: from a file that is chosen, or dropped anywhere on the page. */
export function OpenReplay() {
  const [error, setError] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const open = async (file: File | undefined): Promise<void> => {
    setError(null);
    if (file === undefined) return;
    if (file.size > MOST_BYTES) return setError(`${file.name} is too large: a replay has at most ${MOST_BYTES} bytes`);
    const response = await fetch("/api/replays", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: await file.text(),
    }).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as { link?: string; error?: { message: string } } | null;
    if (answer?.link !== undefined) location.href = `/g/${answer.link}`;
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
    </section>
  );
}
