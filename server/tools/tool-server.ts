import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Allowed, ToolDesk } from "./desk.js";
import { guardCalls } from "./guard-calls.js";
import { actionTools, endTools, newGameTool } from "./play-tools.js";
import { offerPrompts, offerResources } from "./resources.js";
import { rulebookTools } from "./rulebook-tools.js";
import type { Seats } from "./seat-table.js";
import { questionTools, situationTools } from "./situation-tools.js";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const INSTRUCTIONS = `Wargames with hidden information, played against agents; the rules are enforced.
Call list_games, then new_game: it answers with a session id, the map and the first decision. Answer each decision with act, giving
the number or the name of a legal action. look, odds, rule, standing and log cost nothing. Read the rules first: rules.`;

/** Between two notices that a call goes on. */
const PROGRESS_MS = 1000;

const NOTHING_MORE: Allowed = { seeds: false, potentials: false, allSeats: false };

/** Tools by purpose, in the order in which clients get them. */
const GROUPS = [rulebookTools, newGameTool, situationTools, actionTools, questionTools, endTools];

/**
 * A Model Context Protocol server with the tools of a player. Every answer holds what the client's seat may know, and
 * nothing else.
 *
 * @param complain hears of failures of the program itself, which clients get without their reasons
 */
export function toolServer(
  table: Seats,
  complain: (reason: string) => void,
  allowed: Allowed = NOTHING_MORE,
): McpServer {
  const server = new McpServer({ name: "kessel", version }, { instructions: INSTRUCTIONS });
  const desk = new ToolDesk(server, table, complain, allowed);
  for (const register of GROUPS) register(desk);
  offerResources(server);
  offerPrompts(server);
  // in place of the SDK's own: it would refuse arguments in zod's words, before a tool could say what would do
  server.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    const token = params._meta?.progressToken;
    if (token === undefined) return desk.call(params.name, params.arguments ?? {});
    // by the clock: how many decisions an opponent has made may be hidden
    let progress = 0;
    const clock = setInterval(() => {
      const params = { progressToken: token, progress: ++progress, message: "the game is being played on" };
      void sendNotification({ method: "notifications/progress", params: params }).catch(() => undefined); // nobody listens any more
    }, PROGRESS_MS);
    try {
      return await desk.call(params.name, params.arguments ?? {});
    } finally {
      clearInterval(clock);
    }
  });
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    guardCalls(transport);
  };
  return server;
}
