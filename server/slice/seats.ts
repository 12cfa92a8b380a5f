import { type Game, KesselError, oneOf, shown } from "../../env/index.js";
import { fromShortName } from "../../agents/roster.js";
import type { RequestOf } from "../wire/protocol.js";

export interface Candidate {
  readonly agent: string;
  readonly weight: number;
}
/** Who fills a seat: null for the client, otherwise agents of which each episode draws one. */
export type Seat = readonly Candidate[] | null;

/** The name of the client itself where a seat names its agent. */
export const EXTERNAL = "external";

/** Seats by player from a request's `seats`; seats not named are the client's. @throws KesselError `bad-seat` */
export function seatsFrom(game: Game, wanted: RequestOf<"make">["seats"]): Seat[] {
  const named = wanted ?? {};
  for (const side of Object.keys(named))
    if (!game.players.includes(side))
      throw new KesselError("bad-seat", `${game.type.id} has no seat ${shown(side)}; seats are ${oneOf(game.players)}`);
  const seats = game.players.map((p): Seat => {
    const w = Object.hasOwn(named, p) ? named[p]! : EXTERNAL;
    if (typeof w === "string") return w === EXTERNAL ? null : [{ agent: w, weight: 1 }];
    if (w.some((c) => c.agent === EXTERNAL))
      throw new KesselError(
        "bad-seat",
        `the pool of ${p} holds agents of the server; a seat of the client's is just ${shown(EXTERNAL)}`,
      );
    return w;
  });
  if (seats.every((s) => s !== null))
    throw new KesselError("bad-seat", `at least one seat of ${game.type.id} is ${shown(EXTERNAL)}`);
  return seats;
}

/** Players whose seats are the client's. */
export const externalOf = (game: Game, seats: readonly Seat[]): string[] =>
  game.players.filter((_, p) => seats[p] === null);

/** Agents that may take long over a decision: those that search, and models that run in processes of their own. */
export type Slow = "searches" | "models";

/**
 * @param net judges nodes
 * @param modelsApart true when models of the server's folder run in processes of their own
 */
export function slowOf(game: Game, seats: readonly Seat[], net: string | undefined, modelsApart: boolean): Slow | null {
  const agents = seats.flatMap((seat) => (seat ?? []).map((c) => c.agent)).concat(net ?? []);
  const full = (agent: string): string => (agent.includes(":") ? agent : (fromShortName(agent, game) ?? agent));
  if (agents.some((agent) => /^search(:|$)/.test(full(agent)))) return "searches";
  return modelsApart && agents.some((agent) => agent.startsWith("onnx:")) ? "models" : null;
}
