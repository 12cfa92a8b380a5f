import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { importGame } from "../../agents/import-game.js";
import { mapLines } from "../../agents/text/situation.js";
import { Env, gameIds, gameType, guideText, loadGame, SPECTATOR } from "../../env/index.js";

const TEXT = "text/plain";

/** What a client may read without a game: the rules of each game, and its board. */
export function offerResources(server: McpServer): void {
  for (const id of gameIds()) {
    const { title } = gameType(id);
    const offer = (part: string, name: string, description: string, read: () => Promise<string>): void =>
      void server.registerResource(
        `${id} ${part}`,
        `kessel://${id}/${part}`,
        { title: `${title}: ${name}`, description, mimeType: TEXT },
        async (uri) => ({ contents: [{ uri: uri.href, mimeType: TEXT, text: await read() }] }),
      );
    offer("rules", "rules", "The rules in our words, enough to play.", async () =>
      guideText(await importGame(id), "medium"),
    );
    offer("rules/all", "all rules", "Every rule by its number, in our words.", async () =>
      guideText(await importGame(id), "long"),
    );
    offer("map", "map", "The board without counters, with the default options.", async () => {
      await importGame(id);
      const env = new Env(loadGame(id));
      env.reset("map");
      return mapLines(env.game, env.state, SPECTATOR).join("\n");
    });
  }
}

/** What a person may ask a model for, from the client's menu. */
export function offerPrompts(server: McpServer): void {
  const asked = (text: string) => ({ messages: [{ role: "user" as const, content: { type: "text" as const, text } }] });
  server.registerPrompt(
    "play_game",
    {
      title: "Play a game",
      description: "Plays one game to its end against an agent.",
      argsSchema: {
        game: z.enum(gameIds() as [string, ...string[]]).describe("a game's id"),
        seat: z.string().optional().describe("the side to take; by default the first"),
        opponent: z.string().optional().describe("as list_games names it; by default the strongest"),
      },
    },
    ({ game, seat, opponent }) =>
      asked(
        [
          `Play a game of ${gameType(game).title} (${game}) to its end${seat === undefined ? "" : ` as ${seat}`}${opponent === undefined ? "" : ` against ${opponent}`}.`,
          "Read its rules first (tool rules). Begin with new_game. Answer each decision by order or act, with the decision's number.",
          "Think of what wins. At the end say how the game went and what decided it.",
        ].join("\n"),
      ),
  );
  server.registerPrompt(
    "take_suite",
    { title: "Take the suite", description: "Plays one game of each kind and reports how each ended." },
    () =>
      asked(
        [
          `Play one game of each: ${gameIds().join(", ")}. Take them in this order, each to its end, against the strongest opponent.`,
          "Read a game's rules before it begins (tool rules). At the end give a table: game, seat, opponent, result, returns.",
        ].join("\n"),
      ),
  );
}
