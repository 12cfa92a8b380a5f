import type { Reply, Request } from "../frame.js";
import { at } from "./address.js";

/** Seconds between tries to connect again. */
const AGAIN = [0.5, 1, 2, 4, 8];

/** Milliseconds without a word from the server after which it is asked whether the connection lives. */
const QUIET_MS = 5_000;
/** Milliseconds in which it answers; a connection that died without a word is known after both. */
const ANSWER_MS = 8_000;

/** The socket of one seat; connects again by itself, also when the network has let go of it without a word. */
export class SeatSocket {
  private socket: WebSocket | null = null;
  private tries = 0;
  /** The server has answered by the game. */
  private seated = false;
  /** It was closed for good. */
  over = false;
  /** When the server was heard last. */
  private heard = 0;
  /** Runs out when the server has to be asked, or had to answer. */
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = false;

  constructor(
    private readonly token: string,
    private readonly hear: (reply: Exclude<Reply, { op: "pong" }>) => void,
    private readonly state: (connected: boolean) => void,
  ) {
    this.connect();
    // after sleep or a change of network timers come late
    const look = (): void => this.look();
    addEventListener("online", look);
    addEventListener("pageshow", look);
    document.addEventListener("visibilitychange", look);
  }

  send(request: Request): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(request));
    if (Date.now() - this.heard > 1000) this.ping();
  }

  close(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  /** True when the connection is open. A lost one is opened again at once. */
  private look(): void {
    if (this.over) return;
    if (this.socket === null) this.connect();
    else if (this.socket.readyState === WebSocket.OPEN) this.ping();
  }

  private ping(): void {
    if (this.asked) return;
    this.asked = true;
    this.socket!.send(JSON.stringify({ op: "ping" } satisfies Request));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lost(0), ANSWER_MS);
  }

  /** @param wait milliseconds to the next try */
  private lost(wait: number): void {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = null; // closing a dead connection takes a minute
      socket.close();
    }
    this.state(false);
    if (!this.over) this.timer = setTimeout(() => this.connect(), wait);
  }

  private connect(): void {
    clearTimeout(this.timer);
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${at("/seat")}`);
    this.socket = socket;
    this.seated = false;
    this.asked = false;
    this.timer = setTimeout(() => this.lost(0), QUIET_MS + ANSWER_MS);
    socket.onopen = () => {
      this.state(true);
      this.send({ op: "sit", token: this.token });
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.asked = false;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ping(), QUIET_MS);
      const reply = JSON.parse(String(event.data)) as Reply;
      if (reply.op === "pong") return;
      if (reply.op === "frame") {
        this.seated = true;
        this.tries = 0; // not before: a server may take every socket and lose it
      }
      this.hear(reply);
      // the link leads nowhere, and will not do so later
      if (reply.op === "error" && reply.code === "bad-seat" && !this.seated) this.close();
    };
    socket.onclose = () => this.lost(1000 * AGAIN[Math.min(this.tries++, AGAIN.length - 1)]!);
  }
}
