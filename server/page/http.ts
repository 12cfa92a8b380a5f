import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { KesselError, parseWith } from "../../env/index.js";
import type { GameFilter } from "../session/library.js";

/** What the client learns of an error of our own. */
export const MISTAKE = { code: "internal", message: "the server made a mistake" } as const;

export class HttpError extends KesselError {
  constructor(
    readonly status: number,
    code: KesselError["code"],
    message: string,
  ) {
    super(code, message);
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KesselError("bad-message", "a message is a JSON text");
  }
}

export function json(response: ServerResponse, value: unknown): void {
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.end(JSON.stringify(value));
}

export const optionsOf = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => name !== "game"));

/**
 * A name in a path. @throws KesselError `bad-message`
 */
export function decodedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new KesselError("bad-message", "the address is not well formed");
  }
}

/** @throws KesselError `bad-message` */
export function filterOf(query: URLSearchParams): GameFilter {
  const text = z.string().max(200).optional();
  const count = z.coerce.number().int().min(0).optional();
  const schema = z.strictObject({ game: text, seed: text, agent: text, won: text, least: count, most: count });
  return parseWith(schema, Object.fromEntries(query), "bad-message", "filter");
}

/** So much more of a body that is too long is read, and forgotten, so that its sender hears why it is refused. */
const DRAINED = 16 * 1024 * 1024;

export function bodyOf(request: IncomingMessage, what: string, most: number): Promise<string> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= most) return void parts.push(part);
      parts.length = 0;
      fail(new HttpError(413, "limit", `${what} takes at most ${most} bytes`));
      if (size > most + DRAINED) request.destroy();
    });
    request.on("end", () => done(Buffer.concat(parts).toString("utf8")));
    request.on("error", fail);
  });
}
