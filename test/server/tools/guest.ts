import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect } from "vitest";
import type { Seats } from "../../../server/tools/seat-table.js";
import type { Allowed } from "../../../server/tools/desk.js";
import { toolServer } from "../../../server/tools/tool-server.js";

const bin = fileURLToPath(new URL("../../../server/cli/kessel.mjs", import.meta.url));

/** What a tool answered. */
export interface Answer {
  readonly text: string;
  /** What it said besides, as JSON; undefined where it said nothing. */
  readonly facts: string | undefined;
  readonly isError: boolean;
}

/** A client of the tools, by the protocol's own library. */
export class Guest {
  private constructor(
    readonly client: Client,
    /** Its server's process; null where the server has none of its own. */
    readonly pid: number | null,
  ) {}

  static async on(transport: Transport): Promise<Guest> {
    const client = new Client({ name: "guest", version: "1" });
    await client.connect(transport);
    return new Guest(client, transport instanceof StdioClientTransport ? transport.pid : null);
  }

  /** Starts `kessel tools` as a process of its own. @param sessions folder in which it keeps its games */
  static spawned(sessions: string): Promise<Guest> {
    return Guest.on(
      new StdioClientTransport({
        command: process.execPath,
        args: [bin, "tools"],
        env: { ...(process.env as Record<string, string>), KESSEL_SESSIONS: sessions },
        cwd: "/",
      }),
    );
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const { content, structuredContent, isError } = await this.client.callTool({ name, arguments: input });
    const [part] = content as { text: string }[];
    return { text: part!.text, facts: JSON.stringify(structuredContent), isError: isError === true };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The session id in the answer of `new_game`. */
export const sessionOf = (answer: Pick<Answer, "text">): string => /^session: (\S+)/.exec(answer.text)![1]!;

/** A client of the tools in this process. */
export async function guestOf(seats: Seats, allowed?: Allowed): Promise<Guest> {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const complain = (reason: string): void => expect.unreachable(reason);
  await toolServer(seats, complain, allowed).connect(server);
  return Guest.on(client);
}
