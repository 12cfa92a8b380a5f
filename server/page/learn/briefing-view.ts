/** What a player reads before a new game. Nothing of it depends on what is hidden. */
export interface BriefingView {
  /** It is shown by itself: the game begins at its start, which needs no description. */
  readonly opens: boolean;
  /** Who the player is and what the game is about; null where nothing is written. */
  readonly you: string | null;
  /** The first decision in words; null where nothing is written. */
  readonly first: string | null;
  /** What a game takes a person, roughly; null where it is not known. */
  readonly minutes: number | null;
  /**
   * The turn that is played, the last one, and how many there are from now on; null for a game without a track of
   * turns.
   */
  readonly turns: { readonly now: string; readonly last: string; readonly left: number } | null;
  readonly credits: string;
  /** Which data were reconstructed; null when all are as printed. */
  readonly reconstructed: string | null;
  /** Options that are not the defaults, in words. */
  readonly options: readonly string[];
  /** What the lesson teaches; null where there is none. */
  readonly lesson: string | null;
}
