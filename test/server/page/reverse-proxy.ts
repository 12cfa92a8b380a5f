import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

/** What a proxy makes of the headers that it passes on. */
export type Rewrite = (headers: Record<string, string>, call: IncomingMessage) => void;

/** A proxy before the page, as nginx or Caddy is one: every path goes on unchanged. */
export interface ReverseProxy {
  readonly port: number;
  close(): Promise<void>;
}

export async function reverseProxy(
  to: number,
  rewrite: Rewrite = () => undefined,
  tls?: { readonly cert: string; readonly key: string },
): Promise<ReverseProxy> {
  const passedOn = (call: IncomingMessage): Record<string, string> => {
    const headers = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, String(value)]));
    rewrite(headers, call);
    return headers;
  };
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const sockets = new Set<Socket>();
  server.on("connection", (s: Socket) => sockets.add(s));
  server.on("request", (call: IncomingMessage, answer) => {
    const { url: path, method } = call;
    const onward = request({ host: "127.0.0.1", port: to, path, method, headers: passedOn(call) }, (r) => {
      answer.writeHead(r.statusCode!, r.headers);
      r.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    call.pipe(onward);
  });
  server.on("upgrade", (call: IncomingMessage, socket: Socket, head) => {
    const onward = connect(to, "127.0.0.1", () => {
      const lines = Object.entries(passedOn(call)).map(([name, value]) => `${name}: ${value}`);
      onward.write([`GET ${call.url} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    sockets.add(onward);
    for (const s of [socket, onward]) s.on("error", () => s.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const s of sockets) s.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
