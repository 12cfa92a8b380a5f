import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type CallToolResult, ErrorCode as McpCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { counted } from "../../env/core/words.js";
import { type ErrorCode, KesselError, oneOf, shown } from "../../env/index.js";
import { faultText } from "../stack-lines.js";
import { readArguments } from "./arguments.js";
import { type Facts, factsOf, type TableFacts, trainersFacts } from "./facts.js";
import type { SeatedGame, Seats } from "./seat-table.js";

/** Texts here are for readers without a screen: no line is broken. */
export const WIDTH = Infinity;

/** Annotations of tools that only answer, and of those that change a game. */
export const ASKS = { readOnlyHint: true, openWorldHint: false };
export const ACTS = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** Arguments that many tools have. */
export const session = z.string().describe("the session id that new_game gave");
export const game = z.string().describe("a game's id, as list_games names it");
export const action = z
  .union([z.string(), z.int().min(1).max(100_000)])
  .describe("a legal action: its number in the list, or its name");

/** Arguments that guard what changes a game. */
export const guards = {
  decision: z
    .union([z.string().max(20), z.int().min(1)])
    .optional()
    .describe("number of the decision that you answer: if another is asked by now, nothing is done"),
  request: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("a name for this call: repeated with the same name, it is answered as before and does nothing more"),
};
/** Calls of one game whose answers are kept. */
const MOST_REPEATED = 50;

/** What the client may do beside playing. */
export interface Allowed {
  /**
   * `new_game` takes a seed. A client that knows the seed can compute what is hidden, so this is for trusted programs.
   */
  readonly seeds: boolean;
  /**
   * Facts hold the game's potentials and the seat's progress. They read the true state, so this is for trainers, who
   * show models the texts alone.
   */
  readonly potentials: boolean;
  /**
   * `new_game` may give a session for each seat. The holder of them all knows what every side knows: for programs that
   * let models play each other.
   */
  readonly allSeats: boolean;
}

/** What a tool answers: words, and where a program may want them, facts. */
export type Said = string | { readonly text: string; readonly facts: Facts | TableFacts };

/** `Facts` as clients get them. */
const FACTS = {
  session: z.string().describe("the session id"),
  seat: z.string().describe("your side"),
  actor: z.string().nullable().describe("the side that decides; null at the end"),
  decision: z
    .string()
    .nullable()
    .describe("number of the decision that you are asked for; null while another side decides"),
  over: z.boolean(),
  returns: z.record(z.string(), z.number()).nullable().describe("by side, from -1 to 1; null while the game goes on"),
  legal: z.int().describe("legal actions of the decision"),
  unsaved: z.int().optional().describe("lines of the game that the disk refuses"),
  potentials: z.record(z.string(), z.number()).optional(),
  progress: z.number().optional().describe("how far along your side is, 0 to 100"),
} satisfies Record<keyof Facts, z.ZodType>;

/** Where the tools of a server are registered: what they share, and how they are called. */
export class ToolDesk {
  /** Answers to named calls, by game. */
  private readonly answers = new WeakMap<object, Map<string, Said>>();
  private readonly tools = new Map<string, (input: Readonly<Record<string, unknown>>) => Promise<CallToolResult>>();

  constructor(
    private readonly server: McpServer,
    readonly table: Seats,
    /** Hears of failures of the program itself, which clients get without their reasons. */
    private readonly complain: (reason: string) => void,
    readonly allowed: Allowed,
  ) {}

  /** @param givesFacts each answer but a refusal has `Facts` beside the words */
  tool<S extends z.ZodRawShape>(
    name: string,
    description: string,
    inputSchema: S,
    annotations: typeof ASKS | typeof ACTS,
    answer: (input: z.infer<z.ZodObject<S>>) => Promise<Said> | Said,
    givesFacts = false,
  ): void {
    const schema = z.strictObject(inputSchema);
    const run = async (input: Readonly<Record<string, unknown>>): Promise<CallToolResult> => {
      try {
        const said = await answer(readArguments(name, schema, input));
        return typeof said === "string" ? text(said) : { ...text(said.text), structuredContent: { ...said.facts } };
      } catch (e) {
        if (e instanceof KesselError && e.code !== "internal") return refusal(e.code, e.message);
        this.complain(`tool ${name}: ${faultText(e)}`);
        return refusal("internal", "the server failed at this; the game is kept, try again or begin another");
      }
    };
    this.tools.set(name, run);
    const title = name[0]!.toUpperCase() + name.slice(1).replaceAll("_", " ");
    const outputs = givesFacts ? { outputSchema: FACTS } : {};
    this.server.registerTool(name, { title, description, inputSchema: schema, annotations, ...outputs }, run);
  }

  /** @throws McpError -32602 when there is no such tool */
  async call(name: string, input: Readonly<Record<string, unknown>>): Promise<CallToolResult> {
    const run = this.tools.get(name);
    if (run !== undefined) return run(input);
    throw new McpError(
      McpCode.InvalidParams,
      `there is no tool ${shown(name)}; there are ${oneOf([...this.tools.keys()], 99)}`,
    );
  }

  /**
   * Uses the game of a session, when nobody else does. An answer about a game that the disk doesn't take says so.
   *
   * @throws KesselError for an unknown session
   */
  seated(id: string, use: (g: SeatedGame) => Promise<Said> | Said): Promise<Said> {
    return this.table.with(id, async (g) => {
      const said = await use(g);
      if (g.open.file.retry()) return said;
      const { unsaved } = g.open.file;
      const note = `Not saved: the disk refuses ${counted(unsaved, "line")} of this game. They are written when it has room; a server that ends before loses them.`;
      return typeof said === "string"
        ? `${note}\n${said}`
        : { text: `${note}\n${said.text}`, facts: { ...said.facts, unsaved } };
    });
  }

  /**
   * As `seated`, for a call that changes the game: one that is repeated under its name gets the answer that it got.
   *
   * @param request the call's name; undefined is carried out each time
   */
  changing(id: string, request: string | undefined, use: (g: SeatedGame) => Promise<Said> | Said): Promise<Said> {
    return this.seated(id, async (g) => {
      if (request === undefined) return use(g);
      const answers = this.answers.get(g.open) ?? new Map<string, Said>();
      this.answers.set(g.open, answers);
      const key = `${g.name} ${request}`;
      const before = answers.get(key);
      if (before !== undefined) return before;
      const said = await use(g);
      answers.set(key, said);
      if (answers.size > MOST_REPEATED) answers.delete(answers.keys().next().value!);
      return said;
    });
  }

  withFacts(words: string, g: SeatedGame): Said {
    return {
      text: words,
      facts: { ...factsOf(g), ...(this.allowed.potentials ? trainersFacts(g) : {}) },
    };
  }
}

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });

const refusal = (code: ErrorCode, why: string): CallToolResult => ({ ...text(`${code}: ${why}`), isError: true });
