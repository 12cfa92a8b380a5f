import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Message } from "../../agents/llm/api.js";

export interface Asked {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly temperature: number;
  readonly max_tokens: number;
  /** Keys of the Responses API and of `body=`. */
  readonly [key: string]: unknown;
}
/** A text; what else a server says, at once or in pieces with a pause before each, ms; or nothing at all. */
export type Reply =
  | string
  | {
      readonly status: number;
      readonly body?: string;
      readonly pieces?: readonly string[];
      readonly pause?: number;
      readonly after?: string;
    }
  | "silence";

const servers: Server[] = [];

/** Ends all stand-ins, with their connections. */
export function closeStubs(): void {
  for (const s of servers.splice(0)) s.close().closeAllConnections();
}

/** A stand-in for a model: answers with what `reply` says. */
export async function stub(reply: (asked: Asked, n: number) => Reply | Promise<Reply>) {
  const seen: { asked: Asked; authorization: string | undefined; path: string }[] = [];
  let open = 0;
  const most = { open: 0 };
  const server = createServer((request, response) => {
    void (async () => {
      most.open = Math.max(most.open, ++open);
      const asked = JSON.parse(await bodyOf(request)) as Asked;
      const path = request.url!;
      const n = seen.push({ asked, authorization: request.headers.authorization, path }) - 1;
      const answer = await reply(asked, n);
      open--;
      if (answer === "silence") return;
      if (typeof answer !== "string") {
        response.writeHead(answer.status, answer.after === undefined ? {} : { "Retry-After": answer.after });
        for (const piece of answer.pieces ?? []) {
          await new Promise((go) => setTimeout(go, answer.pause ?? 0));
          response.write(piece);
        }
        return response.end(answer.body ?? "");
      }
      if (path.endsWith("/responses")) return response.end(JSON.stringify(responseOf([messageOf(answer)])));
      const usage = { prompt_tokens: 100, completion_tokens: 10 };
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: answer } }], usage }));
    })();
  });
  servers.push(server);
  await new Promise<void>((go) => server.listen(0, "127.0.0.1", go));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen, most };
}

/** A response of the Responses API with these items. */
export const responseOf = (output: readonly object[], more: object = {}): object => ({
  ...{ id: "resp_1", object: "response", status: "completed", error: null, incomplete_details: null, output },
  usage: { input_tokens: 100, output_tokens: 10, output_tokens_details: { reasoning_tokens: 4 } },
  ...more,
});

/** A message of the Responses API with texts in parts. */
export const messageOf = (...texts: readonly string[]): object => ({
  ...{ id: "msg_1", type: "message", role: "assistant", status: "completed" },
  content: texts.map((text) => ({ type: "output_text", text, annotations: [] })),
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}
