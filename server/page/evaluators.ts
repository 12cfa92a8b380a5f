import { roster } from "../../agents/roster.js";
import type { Game, Viewer } from "../../env/index.js";
import type { OpenSession } from "../session/open.js";
import type { ReviewOffer } from "./review-frame.js";

/** The search that analyses games without levels. It is weak, because it examines every decision. */
const SEARCH = "search:iterations=100";

/** The agents that can analyse a game, the best first. */
export const evaluatorsOf = (game: Game): string[] => {
  const everySide = roster(game).filter((e) => e.kind === "level" && e.players.length === game.players.length);
  return [...everySide.map((e) => e.short).reverse(), SEARCH];
};

/** @param viewer who counts what it has seen only; of a game that is over all is counted */
export const reviewOffer = ({ session }: OpenSession, viewer: Viewer): ReviewOffer => ({
  decisions: session.over ? session.actions.length : session.moments(viewer).length - 1,
  evaluators: evaluatorsOf(session.game),
});

/** True when this seat is the only person's of its table. Then it may ask what it could work out itself. */
export const isCasual = ({ session, header }: OpenSession, viewer: Viewer): boolean =>
  viewer >= 0 && header.data === null && session.seats.every((s, i) => (s === "human") === (i === viewer));

/**
 * True when this seat may look back at what it has seen while the game goes on. Not where something is taught or asked.
 */
export const mayLookBack = (open: OpenSession, viewer: Viewer): boolean => {
  const { session, header } = open;
  return !session.over && header.lesson !== true && session.moments(viewer).length > 1 && isCasual(open, viewer);
};
