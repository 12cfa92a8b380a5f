import type { Viewer } from "../../env/index.js";
import type { OpenSession } from "../session/open.js";
import type { NewGame, Rematch } from "./frame.js";
import { offered } from "./offers.js";

export const REMATCHES = ["same", "switch", "harder"] as const satisfies readonly Rematch[];

/** The games that a player can begin after one, and the player's seat in each. */
export type Rematches = Partial<
  Record<Rematch, { readonly game: NewGame; readonly seat: string; readonly against: string | null }>
>;

/**
 * The games that the person at a seat can begin when a game is over.
 *
 * @returns none while the game goes on, for spectators, recorded games, lessons, and games with another person, which
 *   need new links
 */
export function rematchesOf({ session, header }: OpenSession, viewer: Viewer): Rematches {
  const { game } = session;
  const { players } = game;
  const seat = players[viewer];
  if (
    !session.over ||
    seat === undefined ||
    header.lesson === true ||
    session.seats[viewer] !== "human" ||
    header.links === undefined
  )
    return {};
  const others = players.filter((p) => p !== seat);
  if (others.some((p) => header.seats[p] === "human" || header.seats[p] === undefined)) return {};
  const seats = Object.fromEntries(players.map((p) => [p, header.seats[p] ?? "human"]));
  const wanted = (sides: Readonly<Record<string, string>>): NewGame => ({
    game: header.game,
    options: header.options,
    seats: sides,
  });
  const list = offered(game);
  const shortOf = (name: string): string => list.find((e) => e.name === name)?.short ?? name;
  const found: Rematches = {
    same: { game: wanted(seats), seat, against: others.length === 1 ? shortOf(seats[others[0]!]!) : null },
  };
  const [other] = others;
  if (others.length !== 1 || other === undefined) return found;
  const who = list.find((e) => e.name === seats[other]);
  if (who !== undefined && who.players.includes(viewer))
    found.switch = { game: wanted({ [seat]: who.short, [other]: "human" }), seat: other, against: who.short };
  const at = players.indexOf(other);
  const levels = list.filter((e) => (e.kind === "level" || e.kind === "marshal") && e.players.includes(at));
  const next = levels[levels.findIndex((e) => e.name === seats[other]) + 1];
  if (next !== undefined && next !== who)
    found.harder = { game: wanted({ ...seats, [other]: next.short }), seat, against: next.short };
  return found;
}
