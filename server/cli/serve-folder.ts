import { createReadStream, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { KesselError } from "../../env/core/errors.js";
import { listenFailure } from "../listen-failure.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/**
 * Serves the files of a folder on this machine alone. `/a` is `a.html`, and a folder its `index.html`.
 *
 * @param port 0 for any that is free
 * @throws KesselError `bad-option` when the port is taken
 */
export async function serveFolder(folder: string, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = fileOf(folder, pathname);
    const status = file === null ? 404 : 200;
    const sent = file ?? join(folder, "404.html");
    response.writeHead(status, { "Content-Type": TYPES[extname(sent)] ?? "application/octet-stream" });
    if (request.method === "HEAD") response.end();
    else
      createReadStream(sent)
        .on("error", () => response.end())
        .pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (e) => reject(new KesselError("bad-option", `port ${port}: ${listenFailure(e)}`)));
    server.listen(port, "127.0.0.1", resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** The file that an address means, inside the folder; null where there is none. */
function fileOf(folder: string, pathname: string): string | null {
  let path: string;
  try {
    path = normalize(join("/", decodeURIComponent(pathname)));
  } catch {
    return null; // no address that a browser writes
  }
  const tried = [path, `${path}.html`, join(path, "index.html")].map((p) => join(folder, p));
  return tried.find((p) => statSync(p, { throwIfNoEntry: false })?.isFile() === true) ?? null;
}
