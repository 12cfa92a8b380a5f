import { type Choice, KesselError, progressOf, shown } from "../../env/index.js";
import type { Session } from "../session/session.js";
import type { SeatedGame } from "./seat-table.js";

/** Of a game whose seats are all the client's. */
export interface TableFacts {
  /** By side. */
  readonly sessions: Readonly<Record<string, string>>;
  readonly actor: string | null;
  /** Lines of the game that the disk refuses; absent when all is saved. */
  readonly unsaved?: number;
}

export interface Facts {
  /** As the client names it. */
  readonly session: string;
  /** The client's player, by name. */
  readonly seat: string;
  /** The side that decides; null at the end. */
  readonly actor: string | null;
  readonly over: boolean;
  /** Return of each player, by name; null while the game goes on. */
  readonly returns: Readonly<Record<string, number>> | null;
  /** Number of the decision that the client is asked for; null while another side decides, and at the end. */
  readonly decision: string | null;
  /** Legal actions of the next decision. */
  readonly legal: number;
  /** Lines of the game that the disk refuses; absent when all is saved. */
  readonly unsaved?: number;
  /** By name, for a client that may know them. */
  readonly potentials?: Readonly<Record<string, number>>;
  /** How far along the seat is, 0 to 100 (env/core/progress.ts); for the same clients. */
  readonly progress?: number;
}

export function factsOf({ open: { session: play }, player, name }: SeatedGame): Facts {
  const returns = play.returns();
  const { players } = play.game;
  return {
    session: name,
    seat: players[player]!,
    actor: actorOf(play),
    over: play.over,
    returns: play.over ? Object.fromEntries(players.map((p, i) => [p, returns[i]!])) : null,
    decision: !play.over && play.actor === player ? play.numberOf(player) : null,
    legal: play.over ? 0 : play.prompt(player).choices.length,
  };
}

export const actorOf = ({ actor, game: { players } }: Session): string | null => players[actor] ?? null;

/**
 * Refuses a choice that was made for an earlier decision.
 *
 * @param number of the decision that it answers, as the text or the facts name it; undefined is not checked
 * @throws KesselError `stale` with what has changed
 */
export function checkDecision(g: SeatedGame, number: string | number | undefined): void {
  const { session: play } = g.open;
  if (number === undefined || play.over || play.actor !== g.player) return;
  const now = play.numberOf(g.player);
  if (String(number) !== now)
    throw new KesselError(
      "stale",
      `that was chosen for decision ${shown(String(number))}; decision ${now} is asked now, and nothing was done.\n${g.text.next()}`,
    );
}

/** The choices of the seat. @throws KesselError `closed` after the end, `illegal-action` while another side decides */
export function choicesOf(g: SeatedGame): readonly Choice[] {
  checkOpen(g);
  const { session: play } = g.open;
  const { player } = g;
  if (play.actor !== player)
    throw new KesselError(
      "illegal-action",
      `it is not your decision: the ${play.game.players[play.actor]!} side decides`,
    );
  return play.prompt(player).choices;
}

/** @throws KesselError `closed` after the end */
export function checkOpen({ open }: SeatedGame): void {
  if (open.session.over) throw new KesselError("closed", "the game is over; result shows how it ended");
}

/**
 * What only trainers may know: the potentials of the position as the seat sees them (what is good for it is greater; 0
 * after the end), and its progress.
 */
export function trainersFacts({ open: { session: play }, player }: SeatedGame): Pick<Facts, "potentials" | "progress"> {
  const { game, env, over } = play;
  const sign = player === 0 ? 1 : -1;
  const potentials = Object.entries(game.potentials).map(([name, phi]) => [name, over ? 0 : sign * phi(env.state)]);
  return {
    potentials: Object.fromEntries(potentials) as Record<string, number>,
    progress: progressOf(game, env.state, player, over && play.returns()[player]! > 0),
  };
}
