import { useEffect, useState } from "preact/hooks";
import type { PuzzleRating } from "../../../puzzles/rating.js";
import type { PlayedSum, SeatRating } from "../../learn/rating.js";
import { forgetResults, type KnownPuzzle, knownPuzzles, type KnownResult, knownResults } from "../settings.js";
import { at } from "../address.js";

/** What people call a game and its sides. */
interface GameName {
  readonly id: string;
  readonly title: string;
  readonly players: readonly string[];
  readonly names: readonly string[];
}

/** Results by seat and opponent. */
function sums(results: readonly KnownResult[]): PlayedSum[] {
  const all = new Map<string, PlayedSum>();
  for (const { seat, opponent, value } of results) {
    const key = `${seat} ${opponent}`;
    const { games, sum, squares } = all.get(key) ?? { games: 0, sum: 0, squares: 0 };
    all.set(key, { seat, opponent, games: games + 1, sum: sum + value, squares: squares + value * value });
  }
  return [...all.values()];
}

/** What the server makes of one game's results. */
interface Rating {
  readonly seats: readonly SeatRating[];
  readonly puzzles: PuzzleRating | null;
}

/** Answers to puzzles of one game that the server rates at once. */
const MOST_ANSWERS = 200;

const latest = (answers: readonly KnownPuzzle[], game: string): Pick<KnownPuzzle, "id" | "right">[] =>
  answers
    .filter((a) => a.game === game)
    .slice(-MOST_ANSWERS)
    .map(({ id, right }) => ({ id, right }));

const ratingText = (x: number, scale: SeatRating["scale"]): string =>
  !Number.isFinite(x) ? "unknown" : scale === "elo" ? String(Math.round(x)) : `${x > 0 ? "+" : ""}${x.toFixed(2)}`;

function PuzzleLine({ rating }: { rating: PuzzleRating | null }) {
  if (rating === null) return null;
  const { tried, right, value, interval, agents } = rating;
  return (
    <p>
      Puzzles: <strong>{ratingText(value, "elo")}</strong> ({ratingText(interval[0], "elo")} to{" "}
      {ratingText(interval[1], "elo")}), {right} of {tried} right.{" "}
      <small>{agents.map((a) => `${a.who} ${ratingText(a.value, "elo")}`).join(", ")}</small>
    </p>
  );
}

/** How you do against the agents, from the games that ended in this browser; kept here and nowhere else. */
export function Results({ games }: { games: readonly GameName[] }) {
  const [results, setResults] = useState(knownResults());
  const [answers, setAnswers] = useState(knownPuzzles());
  const [ratings, setRatings] = useState<ReadonlyMap<string, Rating>>(new Map());
  useEffect(() => {
    const played = [...new Set([...results, ...answers].map((r) => r.game))];
    void Promise.all(
      played.map(async (game): Promise<[string, Rating]> => {
        const response = await fetch(at("/api/ratings"), {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({
            game,
            played: sums(results.filter((r) => r.game === game)),
            puzzles: latest(answers, game),
          }),
        });
        const { ratings: seats = [], puzzles = null } = (await response.json()) as Partial<{
          ratings: readonly SeatRating[];
          puzzles: PuzzleRating | null;
        }>;
        return [game, { seats, puzzles }];
      }),
    ).then((all) => setRatings(new Map(all)));
  }, [results, answers]);
  const sideOf = (game: GameName, seat: string): string => game.names[game.players.indexOf(seat)] ?? seat;
  if (results.length === 0 && answers.length === 0) return null;
  const file = `data:application/json,${encodeURIComponent(JSON.stringify({ results, puzzles: answers }))}`;
  return (
    <section class="panel results" aria-label="Your rating">
      <h2>Your rating</h2>
      <ul>
        {games
          .filter((g) => ratings.has(g.id))
          .map((game) => (
            <li key={game.id}>
              <b>{game.title}</b>{" "}
              {results.some((r) => r.game === game.id) &&
                ratings.get(game.id)!.seats.length === 0 &&
                "no game yet against an agent that is rated"}
              {ratings.get(game.id)!.seats.map((s) => (
                <p key={s.seat}>
                  {s.scale === "elo" ? `As ${sideOf(game, s.seat)}: ` : "Mean return: "}
                  <strong>{ratingText(s.value, s.scale)}</strong> ({ratingText(s.interval[0], s.scale)} to{" "}
                  {ratingText(s.interval[1], s.scale)}), {s.games} {s.games === 1 ? "game" : "games"}.{" "}
                  <small>{s.agents.map((a) => `${a.who} ${ratingText(a.value, s.scale)}`).join(", ")}</small>
                </p>
              ))}
              <PuzzleLine rating={ratings.get(game.id)!.puzzles} />
            </li>
          ))}
      </ul>
      <a href={file} download="kessel-results.json">
        Export
      </a>{" "}
      <button
        type="button"
        class="link"
        onClick={() => {
          if (!confirm("Delete your results and answers to puzzles? Your games stay.")) return;
          forgetResults();
          setResults([]);
          setAnswers([]);
        }}
      >
        Delete results
      </button>
    </section>
  );
}
