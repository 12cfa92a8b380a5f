import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import {
  type Choice,
  type ErrorCode,
  gameType,
  guideText,
  KesselError,
  oneOf,
  ruleById,
  searchRules,
  shown,
} from "../../env/index.js";
import { readAnswer } from "../../agents/text/answer.js";
import { lookText } from "../../agents/text/look.js";
import { oddsText, ruleText } from "../../agents/text/sentences.js";
import { readArguments } from "./arguments.js";
import { gamesText } from "./describe-games.js";
import type { Session } from "../session/session.js";
import type { SeatedGame, Seats } from "./seat-table.js";

/** Texts here are for readers without a screen: no line is broken. */
const WIDTH = Infinity;

/** Rules that a search gives at once. */
const MOST_RULES = 20;

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const INSTRUCTIONS = `Wargames with hidden information, played against agents; the rules are enforced.
Call list_games, then new_game: it answers with a session id, the map and the first decision. Answer each decision with act, giving
the number or the name of a legal action. look, odds, rule, standing and log cost nothing. Read the rules first: rules.`;

const session = z.string().describe("the session id that new_game gave");
const game = z.string().describe("a game's id, as list_games names it");
const action = z.string().describe("a legal action: its number in the list, or its name");

/** What the client may do beside playing. */
export interface Allowed {
  /** `new_game` takes a seed. Who knows it can compute what is hidden, so this is for trusted programs. */
  readonly seeds: boolean;
  /** Facts hold the game's potentials. They read the true state, so this is for trainers, who show models the texts alone. */
  readonly potentials: boolean;
  /** `new_game` may give a session for each seat. Who holds them all knows what every side knows: for programs that let models play each other. */
  readonly allSeats: boolean;
}

const NOTHING_MORE: Allowed = { seeds: false, potentials: false, allSeats: false };

/**
 * A Model Context Protocol server with the tools of a player. Every answer holds what the client's seat may know, and nothing else.
 *
 * @param complain is told of failures of the program itself, which clients get without their reasons
 */
export function toolServer(
  table: Seats,
  complain: (reason: string) => void,
  allowed: Allowed = NOTHING_MORE,
): McpServer {
  const server = new McpServer({ name: "kessel", version }, { instructions: INSTRUCTIONS });
  const asks = { readOnlyHint: true, openWorldHint: false };
  const acts = { readOnlyHint: false, openWorldHint: false };
  const tools = new Map<string, (input: Readonly<Record<string, unknown>>) => Promise<CallToolResult>>();

  const tool = <S extends z.ZodRawShape>(
    name: string,
    description: string,
    inputSchema: S,
    annotations: typeof asks,
    answer: (input: z.infer<z.ZodObject<S>>) => Promise<Said> | Said,
  ): void => {
    const schema = z.strictObject(inputSchema);
    const run = async (input: Readonly<Record<string, unknown>>): Promise<CallToolResult> => {
      try {
        const said = await answer(readArguments(name, schema, input));
        return typeof said === "string" ? text(said) : { ...text(said.text), structuredContent: { ...said.facts } };
      } catch (e) {
        if (e instanceof KesselError && e.code !== "internal") return refusal(e.code, e.message);
        complain(`tool ${name}: ${String(e instanceof Error ? e.stack : e)}`);
        return refusal("internal", "the server failed at this; the game is kept, try again or begin another");
      }
    };
    tools.set(name, run);
    server.registerTool(name, { description, inputSchema: schema, annotations }, run);
  };
  const withFacts = (words: string, g: SeatedGame): Said => ({
    text: words,
    facts: { ...factsOf(g), ...(allowed.potentials ? { potentials: potentialsOf(g) } : {}) },
  });
  const seated = <T extends Said>(id: string, use: (g: SeatedGame) => Promise<T> | T): Promise<T> =>
    table.with(id, use);

  tool("list_games", "All games with their seats, options and opponents.", {}, asks, gamesText);

  tool(
    "rules",
    "The rules of a game in our words: short, medium (enough to play) or long (every rule by its number).",
    {
      game,
      length: z.enum(["short", "medium", "long"]).default("medium").describe("about 120, 800, or thousands of words"),
    },
    asks,
    ({ game: id, length }) => guideText(gameType(id), length),
  );

  tool(
    "rule",
    "A rule of a game by its id, or the rules that contain some words.",
    { game, words: z.string().min(1).max(200).describe("a rule's id such as 7.31, or words to search for") },
    asks,
    ({ game: id, words }) => {
      const type = gameType(id);
      if (words.trim() === "")
        throw new KesselError(
          "bad-message",
          "rule: words has nothing but blanks; give a rule's id such as 7.31, or words to search for",
        );
      try {
        return ruleText(ruleById(type, words), WIDTH);
      } catch (e) {
        const found = searchRules(type, words);
        if (found.length === 0) throw e;
        const more = found.length > MOST_RULES ? [`and ${found.length - MOST_RULES} more`] : [];
        return [...found.slice(0, MOST_RULES).map((r) => ruleText(r, WIDTH)), ...more].join("\n");
      }
    },
  );

  tool(
    "new_game",
    "Begins a game against agents. Answers with the session id, the map and the first decision.",
    {
      game,
      seat: z.string().optional().describe("the side that you take; needed in games for two"),
      opponent: z.string().optional().describe("an opponent as list_games names it; by default the strongest"),
      options: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .optional()
        .describe("options as list_games names them"),
      ...(allowed.seeds
        ? { seed: z.string().min(1).max(100).optional().describe("of the dice; by default one is drawn") }
        : {}),
      ...(allowed.allSeats
        ? { all_seats: z.boolean().optional().describe("take all seats: the facts name a session for each") }
        : {}),
    },
    acts,
    async (input) => {
      const seed = typeof input.seed === "string" ? input.seed : null;
      if (input.all_seats === true) {
        if (input.seat !== undefined || input.opponent !== undefined)
          throw new KesselError("bad-option", "with all_seats there is no seat and no opponent to be named");
        const sessions = await table.beginForAll(input.game, input.options ?? {}, seed);
        const ids = Object.values(sessions);
        return seated(ids[0]!, ({ open: { session: play } }) => ({
          text: ids.map((id) => `session: ${id}`).join("\n"),
          facts: { sessions, actor: actorOf(play) },
        }));
      }
      const id = await table.begin(input.game, input.seat ?? null, input.opponent ?? null, input.options ?? {}, seed);
      return seated(id, (g) => withFacts([`session: ${id}`, g.text.opening()].join("\n"), g));
    },
  );

  tool(
    "observe",
    "The situation in full: board, standing, what is to be decided, legal actions.",
    {
      session,
      ...(allowed.allSeats
        ? { changes: z.boolean().optional().describe("tell only what has changed since your last text") }
        : {}),
    },
    asks,
    (input) =>
      seated(input.session, (g) => (input.changes === true ? withFacts(g.text.changes(), g) : g.text.next(true))),
  );

  tool("map", "The board without counters: places, terrain, ways.", { session }, asks, (input) =>
    seated(input.session, ({ text: seat }) => seat.map()),
  );

  tool(
    "legal_actions",
    "The legal actions, each with its number, what it does and what it is called.",
    { session },
    asks,
    (input) =>
      seated(input.session, ({ text: seat, open }) => (open.session.over ? seat.result().join("\n") : seat.choices())),
  );

  tool(
    "act",
    "Carries out a legal action, lets the opponents play, and answers with what happened and the next decision.",
    {
      session,
      action,
      ...(allowed.allSeats
        ? { brief: z.boolean().optional().describe("tell only what was understood; observe tells the rest") }
        : {}),
    },
    acts,
    (input) =>
      seated(input.session, async (g) => {
        const { open, text: seat } = g;
        const play = open.session;
        const choices = choicesOf(g);
        const name = readAnswer(
          choices.map((c) => c.name),
          input.action,
        );
        play.choose(choices.find((c) => c.name === name)!.action);
        await play.advance();
        return withFacts([`You chose: ${name}`, ...(input.brief === true ? [] : [seat.next()])].join("\n"), g);
      }),
  );

  tool(
    "odds",
    "What an action can come to, with the chances, as far as your seat can know.",
    { session, action },
    asks,
    (input) =>
      seated(input.session, (g) => {
        const { open, player } = g;
        const choices = choicesOf(g);
        const name = readAnswer(
          choices.map((c) => c.name),
          input.action,
        );
        const choice = choices.find((c) => c.name === name)!;
        return oddsText(open.session.odds(player, choice.action), choice.text, WIDTH);
      }),
  );

  tool(
    "look",
    "Everything at one place or of one unit: ground, ways on, counters with their values.",
    {
      session,
      place: z.string().max(100).describe("a place or a unit by its name; empty for all places with counters"),
    },
    asks,
    (input) =>
      seated(input.session, ({ open: { session: play }, player }) =>
        lookText(play.game, play.env.state, player, input.place, WIDTH),
      ),
  );

  tool("standing", "Every condition of victory: what is there, what is needed.", { session }, asks, (input) =>
    seated(input.session, ({ text: seat }) => seat.standing()),
  );

  tool(
    "log",
    "What happened, as your seat saw it.",
    { session, last: z.number().int().min(1).max(1000).default(20).describe("how many reports, the latest last") },
    asks,
    (input) => seated(input.session, ({ text: seat }) => seat.log(input.last)),
  );

  tool("undo", "Takes your last choice back, as far as no die has been thrown since.", { session }, acts, (input) =>
    seated(input.session, (g) => {
      const { open, text: seat } = g;
      choicesOf(g);
      const refused = open.session.undo();
      if (refused !== null) throw new KesselError("unsupported", `that can't be taken back: ${refused}`);
      return withFacts(seat.next(true), g);
    }),
  );

  tool("resign", "Gives the game up: you lose.", { session }, acts, (input) =>
    seated(input.session, (g) => {
      checkOpen(g);
      g.open.session.resign(g.player);
      return withFacts(g.text.result().join("\n"), g);
    }),
  );

  tool("result", "How the game ended, or that it goes on.", { session }, asks, (input) =>
    seated(input.session, (g) => withFacts(g.text.result().join("\n"), g)),
  );

  tool("replay", "The whole game as a replay in JSON, seed included, after its end.", { session }, asks, (input) =>
    seated(input.session, ({ open: { session: play } }) => {
      if (!play.over)
        throw new KesselError(
          "unsupported",
          "the replay holds the seed, which tells all that is hidden: after the end only",
        );
      return JSON.stringify(play.replay());
    }),
  );

  // in place of the SDK's own: it would refuse arguments in zod's words, before a tool could say what would do
  server.server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const run = tools.get(params.name);
    if (run !== undefined) return run(params.arguments ?? {});
    return refusal("bad-message", `there is no tool ${shown(params.name)}; there are ${oneOf([...tools.keys()], 99)}`);
  });
  return server;
}

/** What a tool answers: words, and where a program may want them, facts. */
type Said = string | { readonly text: string; readonly facts: Facts | TableFacts };

/** Of a game whose seats are all the client's. */
interface TableFacts {
  /** By side. */
  readonly sessions: Readonly<Record<string, string>>;
  readonly actor: string | null;
}

interface Facts {
  readonly session: string;
  /** The client's player, by name. */
  readonly seat: string;
  /** The side that decides; null at the end. */
  readonly actor: string | null;
  readonly over: boolean;
  /** Return of each player, by name; null while the game goes on. */
  readonly returns: Readonly<Record<string, number>> | null;
  /** Legal actions of the next decision. */
  readonly legal: number;
  /** By name, for a client that may know them. */
  readonly potentials?: Readonly<Record<string, number>>;
}

function factsOf({ open: { header, session: play }, player }: SeatedGame): Facts {
  const returns = play.returns();
  const { players } = play.game;
  return {
    session: header.id,
    seat: players[player]!,
    actor: actorOf(play),
    over: play.over,
    returns: play.over ? Object.fromEntries(players.map((p, i) => [p, returns[i]!])) : null,
    legal: play.over ? 0 : play.prompt(player).choices.length,
  };
}

const actorOf = ({ actor, game: { players } }: Session): string | null => players[actor] ?? null;

/** The choices of the seat. @throws KesselError `closed` after the end, `illegal-action` while another side decides */
function choicesOf(g: SeatedGame): readonly Choice[] {
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
function checkOpen({ open }: SeatedGame): void {
  if (open.session.over) throw new KesselError("closed", "the game is over; result tells how it ended");
}

/** The potentials of the position as the seat sees them: what is good for it is greater. 0 after the end. */
function potentialsOf({ open: { session: play }, player }: SeatedGame): Record<string, number> {
  const sign = player === 0 ? 1 : -1;
  return Object.fromEntries(
    Object.entries(play.game.potentials).map(([name, phi]) => [name, play.over ? 0 : sign * phi(play.env.state)]),
  );
}

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });

const refusal = (code: ErrorCode, why: string): CallToolResult => ({ ...text(`${code}: ${why}`), isError: true });
