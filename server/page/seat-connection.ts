import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { KesselError, parseWith } from "../../env/index.js";
import { faultOf } from "../stack-lines.js";
import type { Reply, Request } from "./frame.js";
import { MISTAKE, parsed } from "./http.js";
import { requestSchema } from "./messages.js";
import type { Guest, Table } from "./table.js";

/** Seconds in which a new socket has to say where it sits. */
const SIT_SECONDS = 10;
/** Bytes that may wait for a socket before it is cut off. */
const BACKLOG_BYTES = 8 << 20;
/**
 * As the page writes it. It is answered at once: a page that waits for a slow answer must not think that the connection
 * died.
 */
const PING = JSON.stringify({ op: "ping" } satisfies Request);

/** What a seat's connection needs of the server. */
export interface SeatServices {
  /** Messages that a socket may send in ten seconds. */
  readonly messages: number;
  /** Seconds between two pings of a socket; one that hasn't answered the last is cut off. */
  readonly pingSeconds: number;
  /** Finds the table of a link. @throws KesselError `bad-seat` */
  find(token: string): Promise<{ readonly table: Table; readonly viewer: Guest["viewer"] }>;
  log(what: string, about: Readonly<Record<string, unknown>>): void;
}

/**
 * Serves a new socket. Its first message says by which link it comes.
 *
 * @param wire the connection below the socket
 * @param from the client's address
 */
export function serveSeat(socket: WebSocket, wire: Duplex, from: string, services: SeatServices): void {
  let table: Table | null = null;
  let guest: Guest | null = null;
  let sitting = false;
  let recent = 0;
  const tick = setInterval(() => (recent = 0), 10_000);
  let answered = true;
  // a browser that sleeps or has lost its network says nothing; without pings its socket would stay for ever
  const ping = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, services.pingSeconds * 1000);
  socket.on("pong", () => (answered = true));
  const late = setTimeout(() => socket.close(1008, "no link was given"), SIT_SECONDS * 1000);
  const send = (reply: Reply): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > BACKLOG_BYTES) return socket.terminate();
    // messages of one moment go out together: an agent's steps, say
    wire.cork();
    socket.send(JSON.stringify(reply));
    process.nextTick(() => wire.uncork());
  };
  const fail = (e: unknown): void => {
    if (!(e instanceof KesselError)) services.log("page-failed", { ...faultOf(e), from });
    const { code, message } = e instanceof KesselError ? e : MISTAKE;
    const reply = { op: "error", code, message } as const;
    if (guest === null) send(reply);
    else table!.tell(guest, reply); // after all earlier messages
  };
  const hear = async (text: string): Promise<void> => {
    const request = parseWith(requestSchema, parsed(text), "bad-message", "message");
    if (request.op === "ping") return send({ op: "pong" });
    if (request.op !== "sit") {
      if (guest === null) throw new KesselError("bad-message", "the first message says by which link you come");
      return table!.ask(guest, request);
    }
    if (sitting) throw new KesselError("bad-message", "this socket has a seat already");
    sitting = true;
    try {
      const found = await services.find(request.token);
      if (socket.readyState !== socket.OPEN) return;
      clearTimeout(late);
      ({ table } = found);
      guest = { viewer: found.viewer, send };
      table.join(guest);
    } catch (e) {
      sitting = false;
      throw e;
    }
  };
  let queue = Promise.resolve();
  socket.on("message", (data, binary) => {
    if (++recent > services.messages) return socket.close(1008, "too many messages");
    if (binary) return fail(new KesselError("bad-message", "messages are JSON texts"));
    const text = String(data);
    if (text === PING) return send({ op: "pong" });
    queue = queue.then(() => hear(text)).catch(fail);
  });
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    clearInterval(tick);
    clearInterval(ping);
    clearTimeout(late);
    if (guest !== null) table!.leave(guest);
  });
}
