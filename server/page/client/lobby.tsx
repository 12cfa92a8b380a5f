import { useEffect, useRef, useState } from "preact/hooks";
import type { LobbyEntry } from "../../../env/index.js";
import { OpenReplay } from "./recorded.js";
import { learn } from "./lessons.js";
import { nextPuzzle } from "./learn/puzzle.js";
import { Results } from "./learn/results.js";
import { Invitations } from "./invitations.js";
import { forgetGame, isDark, keepInvitations, knownGames } from "./settings.js";
import { Known } from "./known-games.js";
import { lasting } from "../../../env/core/words.js";
import { at } from "./address.js";

interface Offer {
  readonly name: string;
  readonly short: string;
  readonly kind: string;
  readonly players: readonly number[];
  readonly about: string;
  readonly strength: Readonly<Record<number, string>>;
  readonly difficulty: string;
}

interface GameOffer {
  readonly id: string;
  readonly title: string;
  readonly credits: string;
  readonly lobby: LobbyEntry | null;
  /** Shortest and longest time of its fights for a person. */
  readonly minutes: readonly [least: number, most: number] | null;
  readonly reconstructed: string | null;
  readonly players: readonly string[];
  /** What people call the players. */
  readonly names: readonly string[];
  readonly options: readonly {
    id: string;
    about: string;
    values: readonly (string | number | boolean)[];
    /** What people call the values, in their order. */
    names: readonly string[];
    default: string | number | boolean;
    /** Values of other options, any of which a value of this one can't be had with. */
    without?: Readonly<Record<string, Readonly<Record<string, Value | readonly Value[]>>>>;
  }[];
  readonly agents: readonly Offer[];
  /** What its lesson teaches; null where there is none. */
  readonly lesson: string | null;
  /** How many puzzles there are. */
  readonly puzzles: number;
}

type Value = string | number | boolean;
type Chosen = Readonly<Record<string, Value>>;

/** The games there are, and those played before in this browser. */
export function Lobby() {
  const [games, setGames] = useState<readonly GameOffer[]>([]);
  const [open, setOpen] = useState<string | null>(null);
  const [known, setKnown] = useState(knownGames());
  useEffect(() => {
    void fetch(at("/api/games"))
      .then((r) => r.json())
      .then(setGames);
  }, []);
  const forget = (path: string): void => {
    forgetGame(path);
    setKnown(knownGames());
  };
  const going = known.filter((k) => k.over !== true);
  const finished = known.filter((k) => k.over === true);
  return (
    <main class="lobby">
      <h1>Kessel</h1>
      <p>Board wargames of the Eastern Front, against trained opponents or a friend. The page enforces the rules.</p>
      {going.length > 0 && (
        <section class="panel">
          <h2>Continue</h2>
          <Known games={going} forget={forget} />
        </section>
      )}
      {finished.length > 0 && (
        <details class="panel">
          <summary>Finished games ({finished.length})</summary>
          <Known games={finished} forget={forget} />
        </details>
      )}
      <ul class="games">
        {games.map((g) => (
          <li key={g.id} class="panel">
            <h2>{g.title}</h2>
            <img src={at(`/boards/${g.id}.${isDark() ? "dark" : "light"}.svg`)} alt="" loading="lazy" />
            {g.lobby !== null && <Situation game={g} lobby={g.lobby} />}
            {open === g.id && <Setup game={g} />}
            <div class="ways">
              {open !== g.id && (
                <button
                  type="button"
                  class="primary"
                  data-game={g.id}
                  aria-label={`Play ${g.title}`}
                  onClick={() => setOpen(g.id)}
                >
                  Play
                </button>
              )}
              {g.lesson !== null && (
                <button
                  type="button"
                  data-lesson={g.id}
                  aria-label={`Learn by playing: ${g.title}`}
                  onClick={() => void learn(g.id)}
                >
                  Learn by playing
                </button>
              )}
              {g.puzzles > 0 && (
                <button
                  type="button"
                  data-puzzles={g.id}
                  aria-label={`Puzzles: ${g.title}`}
                  onClick={() => void nextPuzzle(g.id, null)}
                >
                  Puzzles ({g.puzzles})
                </button>
              )}
            </div>
            <p>
              {g.lesson !== null && (
                <>
                  <small>{g.lesson}</small> <a href={at(`/words/${g.id}`)}>Glossary</a>{" "}
                </>
              )}
              <a href={at(`/rules/${g.id}`)}>Rules</a>
            </p>
            <details class="about">
              <summary>About</summary>
              <p>{g.credits}.</p>
              {g.reconstructed !== null && <p class="notice">Reconstructed: {g.reconstructed.replace(/\.$/, "")}.</p>}
            </details>
          </li>
        ))}
      </ul>
      <OpenReplay />
      <Results games={games} />
    </main>
  );
}

/** `about 40 minutes`; where fights differ, `15 minutes to 100 hours`. */
const spanOf = ([least, most]: readonly [number, number]): string =>
  least === most ? `about ${lasting(least)}` : `${lasting(least)} to ${lasting(most)}`;

/** What the game is about, and for whom it is. */
function Situation({ game, lobby }: { game: GameOffer; lobby: LobbyEntry }) {
  const players = game.players.length === 1 ? "1 player" : "1 or 2 players";
  return (
    <>
      <p>{lobby.situation}</p>
      <p class="facts">
        {lobby.startHere === true && <strong>Start here</strong>}
        <span>{players}</span>
        {game.minutes !== null && <span>{spanOf(game.minutes)}</span>}
        <span aria-label={`complexity ${lobby.complexity} of 5`}>
          {"●".repeat(lobby.complexity)}
          {"○".repeat(5 - lobby.complexity)}
        </span>
      </p>
    </>
  );
}

/** What those who can play a side are, in the order of the list. */
const GROUPS = [
  ["Levels", ["level", "marshal"]],
  ["Search: looks ahead", ["search"]],
  ["Scripts: one fixed idea each", ["scripted"]],
  ["No plan", ["random"]],
] as const satisfies readonly (readonly [string, readonly Offer["kind"][]])[];

/** Those who can play a side by what they are, so that a newcomer finds the levels. */
const grouped = (agents: readonly Offer[]): [string, Offer[]][] =>
  GROUPS.map(([label, kinds]): [string, Offer[]] => [
    label,
    agents.filter(({ kind }) => (kinds as readonly string[]).includes(kind)),
  ]).filter(([, members]) => members.length > 0);

/** `nightResponse` as words. */
const inWords = (id: string): string => id.replace(/([A-Z])/g, (c) => ` ${c.toLowerCase()}`);

/** The option that is what one plays: it is asked before all others. */
const FIGHT = "scenario";

/** A switch of the game: a box to tick for yes and no, otherwise a list. */
function OptionField(props: {
  option: GameOffer["options"][number];
  value: Chosen[string];
  choose: (value: Chosen[string]) => void;
}) {
  const { option, value, choose } = props;
  const name = `option-${option.id}`;
  if (option.values.every((v) => typeof v === "boolean"))
    return (
      <label class="tick">
        <input type="checkbox" name={name} checked={value === true} onChange={(e) => choose(e.currentTarget.checked)} />
        <span>
          {inWords(option.id)} <small>{option.about}</small>
        </span>
      </label>
    );
  return (
    <label>
      {inWords(option.id)} <small>{option.about}</small>
      <select
        name={name}
        value={String(value)}
        onChange={(e) => choose(option.values.find((v) => String(v) === e.currentTarget.value)!)}
      >
        {option.values.map((v, i) => (
          <option key={String(v)} value={String(v)}>
            {option.names[i]}
          </option>
        ))}
      </select>
    </label>
  );
}

function Setup({ game }: { game: GameOffer }) {
  const [players, setPlayers] = useState(game.players);
  const [names, setNames] = useState(game.names);
  const [agents, setAgents] = useState(game.agents);
  const [options, setOptions] = useState<Chosen>({});
  const [mine, setMine] = useState(game.players[0]!);
  const [opponents, setOpponents] = useState<Readonly<Record<string, string>>>({});
  const [seed, setSeed] = useState("");
  const [links, setLinks] = useState<Readonly<Record<string, string>> | null>(null);
  const [error, setError] = useState<string | null>(null);
  /** What the fight that is chosen takes a person, where fights differ; null before one is chosen. */
  const [minutes, setMinutes] = useState<number | null>(null);
  /** True when the opponents for other options have been asked for. Nothing is begun with the old ones. */
  const [awaited, setAwaited] = useState(false);
  const latest = useRef("");
  const choose = (id: string, value: string | number | boolean): void => {
    const next = { ...options, [id]: value };
    setOptions(next);
    const query = new URLSearchParams(Object.entries(next).map(([k, v]) => [k, String(v)]));
    query.set("game", game.id);
    latest.current = query.toString();
    setAwaited(true);
    void fetch(at(`/api/agents?${query}`))
      .then((r) => r.json())
      .then(
        (o: {
          players: readonly string[];
          names: readonly string[];
          agents: readonly Offer[];
          minutes: number | null;
        }) => {
          if (query.toString() !== latest.current) return; // another choice since
          setPlayers(o.players);
          setNames(o.names);
          setAgents(o.agents);
          setMinutes(o.minutes);
          const offered = mine === "watch" || (mine === "hot" ? o.players.length > 1 : o.players.includes(mine));
          if (!offered) setMine(o.players[0]!);
        },
      )
      .catch(() => setError("the server doesn't answer"))
      .finally(() => query.toString() === latest.current && setAwaited(false));
  };
  const nameOf = (side: string): string => names[players.indexOf(side)] ?? side;
  const whoSits = (side: string): string => {
    if (mine === "hot" || side === mine) return "human";
    const able = agents.filter((a) => a.players.includes(players.indexOf(side)));
    const chosen = opponents[side];
    if ((chosen === "human" && mine !== "watch") || able.some((a) => a.short === chosen)) return chosen!;
    return able[0]?.short ?? "random";
  };
  const aboutWho = (short: string, side: string): string => {
    const who = agents.find((a) => a.short === short);
    if (who === undefined) return "The game begins with two links: one to sit at, one to send.";
    return [who.strength[players.indexOf(side)] ?? "", who.about].filter((w) => w !== "").join("; ");
  };
  /** Between people the server draws the seed. */
  const alone = players.filter((p) => whoSits(p) === "human").length < 2;
  const [starting, setStarting] = useState(false);
  /** The option of an even game, where a person plays one of two sides and has not chosen it. */
  const even =
    players.length === 2 && mine !== "watch" && options["balance"] === undefined
      ? game.options.find(
          (o) =>
            o.id === "balance" &&
            !Object.entries(o.without?.["even"] ?? {}).some(([id, values]) =>
              [values].flat().includes((options[id] ?? game.options.find((p) => p.id === id)?.default)!),
            ),
        )
      : undefined;
  const start = async (chosen: Chosen = options): Promise<void> => {
    setError(null);
    setStarting(true);
    const seats = Object.fromEntries(players.map((p) => [p, whoSits(p)]));
    const answer = await fetch(at("/api/games"), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game: game.id, options: chosen, seats, ...(alone && seed !== "" && { seed }) }),
    })
      .then((r) => r.json() as Promise<{ links?: Record<string, string>; error?: { message: string } }>)
      .catch(() => ({ links: undefined, error: { message: "the server doesn't answer" } }))
      .finally(() => setStarting(false));
    if (answer.links === undefined) return setError(answer.error?.message ?? "that didn't work");
    const people = players.filter((p) => answer.links![p] !== undefined);
    if (mine === "hot" && people.length === 2)
      location.href = at(`/g/${answer.links[people[0]!]!}#hot=${answer.links[people[1]!]!}`);
    else if (mine === "watch") location.href = at(`/g/${answer.links["watch"]!}`);
    else if (people.length > 1) {
      keepInvitations(answer.links);
      setLinks(answer.links);
    } else location.href = at(`/g/${answer.links[mine]!}`);
  };
  const field = (o: GameOffer["options"][number]) => (
    <OptionField key={o.id} option={o} value={options[o.id] ?? o.default} choose={(value) => choose(o.id, value)} />
  );
  if (links !== null)
    return (
      <div class="links">
        <p>
          Your own seat: <a href={at(`/g/${links[mine]!}`)}>play the {nameOf(mine)} side</a>
        </p>
        <p>
          Send the other side its link; whoever has a link sits there. You also find the links in Settings at the table.
        </p>
        <Invitations links={links} nameOf={nameOf} own={links[mine]!} />
      </div>
    );
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        void start();
      }}
    >
      {game.options.filter((o) => o.id === FIGHT).map(field)}
      {minutes !== null && options[FIGHT] !== undefined && <small>about {lasting(minutes)}</small>}
      <label>
        You play
        <select name="seat" value={mine} onChange={(e) => setMine(e.currentTarget.value)}>
          {players.map((p, i) => (
            <option key={p} value={p}>
              {names[i]}
            </option>
          ))}
          {players.length > 1 && <option value="hot">both, at this screen</option>}
          <option value="watch">nobody: watch</option>
        </select>
      </label>
      {mine !== "hot" &&
        players
          .filter((p) => p !== mine)
          .map((side) => (
            <label key={side}>
              {nameOf(side)} is played by
              <select
                name={`opponent-${side}`}
                aria-describedby={`about-${side}`}
                value={whoSits(side)}
                onChange={(e) => setOpponents({ ...opponents, [side]: e.currentTarget.value })}
              >
                {grouped(agents.filter((a) => a.players.includes(players.indexOf(side)))).map(([group, members]) => (
                  <optgroup key={group} label={group}>
                    {members.map((a) => (
                      <option key={a.name} value={a.short}>
                        {a.short}
                        {a.difficulty === "" ? "" : ` (${a.difficulty})`}
                      </option>
                    ))}
                  </optgroup>
                ))}
                {mine !== "watch" && (
                  <optgroup label="A friend">
                    <option value="human">a person, by link</option>
                  </optgroup>
                )}
              </select>
              <small id={`about-${side}`}>{aboutWho(whoSits(side), side)}</small>
            </label>
          ))}
      {game.options.length > 0 && (
        <details>
          <summary>Options</summary>
          {game.options.filter((o) => o.id !== FIGHT).map(field)}
          {alone && (
            <label>
              Seed of the dice <small>who knows it can compute what is hidden</small>
              <input
                type="text"
                name="seed"
                maxLength={200}
                value={seed}
                placeholder="drawn by the server"
                onInput={(e) => setSeed(e.currentTarget.value)}
              />
            </label>
          )}
        </details>
      )}
      {error !== null && <p role="alert">{error}</p>}
      {even !== undefined && (
        <>
          <button
            type="button"
            class="primary"
            name="even"
            aria-describedby={`even-${game.id}`}
            disabled={awaited || starting}
            onClick={() => void start({ ...options, balance: "even" })}
          >
            Start an even game
          </button>{" "}
        </>
      )}
      <button type="submit" class={even === undefined ? "primary" : ""} disabled={awaited || starting}>
        Start
      </button>
      {even !== undefined && (
        <p>
          <small id={`even-${game.id}`}>An even game is played with {even.about}.</small>
        </p>
      )}
    </form>
  );
}
