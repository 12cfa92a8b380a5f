import type { Reply, Request } from "../frame.js";

/** Seconds between tries to connect again. */
const AGAIN = [0.5, 1, 2, 4, 8];

/** The socket of one seat; connects again by itself. */
export class SeatSocket {
  private socket: WebSocket | null = null;
  private tries = 0;
  /** The server has answered by the game. */
  private seated = false;
  /** It was closed for good. */
  over = false;

  constructor(
    private readonly token: string,
    private readonly hear: (reply: Reply) => void,
    private readonly state: (connected: boolean) => void,
  ) {
    this.connect();
  }

  send(request: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  close(): void {
    this.over = true;
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/seat`);
    this.socket = socket;
    this.seated = false;
    socket.onopen = () => {
      this.state(true);
      this.send({ op: "sit", token: this.token });
    };
    socket.onmessage = (event) => {
      const reply = JSON.parse(String(event.data)) as Reply;
      if (reply.op === "frame") {
        this.seated = true;
        this.tries = 0; // not before: a server may take every socket and lose it
      }
      this.hear(reply);
      // the link leads nowhere, and will not do so later
      if (reply.op === "error" && reply.code === "bad-seat" && !this.seated) this.close();
    };
    socket.onclose = () => {
      this.state(false);
      if (this.over) return;
      setTimeout(() => this.connect(), 1000 * AGAIN[Math.min(this.tries++, AGAIN.length - 1)]!);
    };
  }
}
