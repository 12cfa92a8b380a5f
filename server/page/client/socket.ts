import type { Reply, Request } from "../frame.js";

/** Seconds between tries to connect again. */
const AGAIN = [0.5, 1, 2, 4, 8];

/** The socket of one seat; connects again by itself. */
export class SeatSocket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private over = false;

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
    socket.onopen = () => {
      this.tries = 0;
      this.state(true);
      this.send({ op: "sit", token: this.token });
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Reply);
    socket.onclose = () => {
      this.state(false);
      if (this.over) return;
      setTimeout(() => this.connect(), 1000 * AGAIN[Math.min(this.tries++, AGAIN.length - 1)]!);
    };
  }
}
