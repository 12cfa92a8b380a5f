import { importGame } from "../../agents/import-game.js";
import { z } from "zod";
import { foundRules } from "../../agents/text/rules.js";
import { guideText, KesselError } from "../../env/index.js";
import { ASKS, game, type ToolDesk, WIDTH } from "./desk.js";
import { gamesText } from "./describe-games.js";

/** Which games there are, and their rules: what can be asked before a game begins. */
export function rulebookTools(desk: ToolDesk): void {
  desk.tool("list_games", "All games with their seats, options and opponents.", {}, ASKS, gamesText);

  desk.tool(
    "rules",
    "The rules of a game in our words: short, medium (enough to play) or long (every rule by its number).",
    {
      game,
      length: z.enum(["short", "medium", "long"]).default("medium").describe("about 120, 800, or thousands of words"),
    },
    ASKS,
    async ({ game: id, length }) => guideText(await importGame(id), length),
  );

  desk.tool(
    "rule",
    "A rule of a game by its id, or the rules that contain some words.",
    { game, words: z.string().min(1).max(200).describe("a rule's id such as 7.31, or words to search for") },
    ASKS,
    async ({ game: id, words }) => {
      const type = await importGame(id);
      if (words.trim() === "")
        throw new KesselError(
          "bad-message",
          "rule: words has nothing but blanks; give a rule's id such as 7.31, or words to search for",
        );
      return foundRules(type, words, WIDTH);
    },
  );
}
