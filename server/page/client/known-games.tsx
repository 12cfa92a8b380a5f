import type { KnownGame } from "./settings.js";

/** Games that were played in this browser, with the turn and whose decision it was. */
export function Known({ games, forget }: { games: readonly KnownGame[]; forget: (path: string) => void }) {
  return (
    <ul class="known">
      {games.map((k) => (
        <li key={k.path}>
          <a href={k.path}>
            {k.title}, {k.seat}
          </a>{" "}
          {k.stands !== undefined && <span>{k.stands}</span>} <small>{new Date(k.when).toLocaleString()}</small>{" "}
          <button type="button" class="link" onClick={() => forget(k.path)}>
            forget
          </button>
        </li>
      ))}
    </ul>
  );
}
