import { roster } from "../../agents/roster.js";
import type { Game, Viewer } from "../../env/index.js";
import type { OpenSession } from "../session/open.js";
import type { ReviewOffer } from "./review-frame.js";

/** Search that can be asked to analyse where there is no level; a weak one, for it looks at every decision. */
const SEARCH = "search:iterations=100";

/** Who can analyse a game, the best first. */
export const evaluatorsOf = (game: Game): string[] => {
  const everySide = roster(game).filter((e) => e.kind === "level" && e.players.length === game.players.length);
  return [...everySide.map((e) => e.short).reverse(), SEARCH];
};

export const reviewOffer = ({ session }: OpenSession): ReviewOffer => ({
  decisions: session.actions.length,
  evaluators: evaluatorsOf(session.game),
});

/** Is this seat the only person's of its table? Then it may ask what it could work out itself. */
export const isCasual = ({ session, header }: OpenSession, viewer: Viewer): boolean =>
  header.data === null && session.seats.every((s, i) => (s === "human") === (i === viewer));
