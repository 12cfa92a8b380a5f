import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A server has said nothing in time. */
export class Silent extends Error {}

/** Most characters of a reply. */
const LONGEST = 64e6;
/** How much longer than one silence a reply in pieces may take. */
const PIECES = 30;

/**
 * Posts a JSON body. `fetch` of Node 20 gives up after 300 s without headers, whatever a caller allows; a model may
 * think longer.
 *
 * @param ms time to the whole reply; with `stream`, the longest time without a new piece of it
 * @throws Silent when that has passed; Error of the connection
 */
export function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { ms, stream }: { readonly ms: number; readonly stream: boolean },
): Promise<Reply> {
  return new Promise((done, failed) => {
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const request = send(url, { method: "POST", headers }, (response) => {
      const { statusCode: status = 0, headers: found } = response;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        if (stream) silence.refresh();
        if (text.length > LONGEST) request.destroy(new Error(`more than ${LONGEST / 1e6} MB`));
      });
      response.on("end", () => {
        stop();
        done({ status, headers: found, text });
      });
      response.on("error", fail);
      response.on("aborted", () => fail(new Error("ECONNRESET")));
    });
    const fall = (): void => void request.destroy(new Silent());
    const silence = setTimeout(fall, ms);
    const whole = setTimeout(fall, Math.min(2 ** 31 - 1, (stream ? PIECES : 1) * ms));
    const stop = (): void => {
      clearTimeout(silence);
      clearTimeout(whole);
    };
    function fail(e: Error): void {
      stop();
      failed(e);
    }
    request.on("error", fail);
    request.end(body);
  });
}
