import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Message } from "../../agents/llm/endpoint.js";

export interface Asked {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly temperature: number;
  readonly max_tokens: number;
}
export type Reply = string | { readonly status: number; readonly body?: string; readonly after?: string } | "silence";

const servers: Server[] = [];

/** Ends all stand-ins, with their connections. */
export function closeStubs(): void {
  for (const s of servers.splice(0)) s.close().closeAllConnections();
}

/** A stand-in for a model: answers with what `reply` says. */
export async function stub(reply: (asked: Asked, n: number) => Reply | Promise<Reply>) {
  const seen: { asked: Asked; authorization: string | undefined }[] = [];
  let open = 0;
  const most = { open: 0 };
  const server = createServer((request, response) => {
    void (async () => {
      most.open = Math.max(most.open, ++open);
      const asked = JSON.parse(await bodyOf(request)) as Asked;
      const n = seen.push({ asked, authorization: request.headers.authorization }) - 1;
      const answer = await reply(asked, n);
      open--;
      if (answer === "silence") return;
      if (typeof answer !== "string") {
        response.writeHead(answer.status, answer.after === undefined ? {} : { "Retry-After": answer.after });
        return response.end(answer.body ?? "");
      }
      const usage = { prompt_tokens: 100, completion_tokens: 10 };
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: answer } }], usage }));
    })();
  });
  servers.push(server);
  await new Promise<void>((go) => server.listen(0, "127.0.0.1", go));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen, most };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}
