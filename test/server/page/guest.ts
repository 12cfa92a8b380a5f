import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { loadGame } from "../../../env/index.js";
import { PageServer, type PageOptions } from "../../../server/page/serve.js";
import { type Frame, patched, type Reply } from "../../../server/page/frame.js";
import { SessionStore } from "../../../server/session/store.js";
import { PATIENCE_MS } from "../../patience.js";

/** A folder of its own for sessions. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), "kessel-page-"));

export const startPage = (folder = newFolder(), more: Partial<PageOptions> = {}): Promise<PageServer> =>
  PageServer.start({ port: 0, store: new SessionStore(folder), seeds: true, ...more });

/** Makes a game as the lobby does. @returns links by seat */
export async function makeGame(page: Pick<PageServer, "address">, wanted: unknown): Promise<Record<string, string>> {
  const response = await fetch(`${page.address}api/games`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wanted),
  });
  const answer = (await response.json()) as { links?: Record<string, string>; error?: { message: string } };
  if (answer.links === undefined) throw new Error(answer.error?.message);
  return answer.links;
}

/**
 * A game of one person against agents at random, played so far by a program.
 *
 * @param most decisions of the person
 * @param over gives up when it has not ended then
 */
export async function playedGame(
  page: Pick<PageServer, "address">,
  game: string,
  side: string,
  most: number,
  over: boolean,
): Promise<{ me: SocketGuest; link: string }> {
  const others = loadGame(game).players.filter((p) => p !== side);
  const seats = Object.fromEntries(others.map((s) => [s, "random"]));
  const links = await makeGame(page, { game, options: {}, seats, seed: "review" });
  const me = await SocketGuest.sit(page, links[side]!);
  for (let k = 0; k < most; k++) {
    await me.until(() => me.asked || me.frame!.result !== null);
    if (me.frame!.result !== null) break;
    const { n, prompt } = me.frame!;
    me.send({ op: "act", n, action: prompt.choices[(k * 5) % prompt.choices.length]!.action });
    await me.until(() => me.frame!.n > n);
  }
  if (over && me.frame!.result === null) {
    me.send({ op: "resign" });
    await me.until(() => me.frame!.result !== null);
  }
  return { me, link: `${page.address}g/${links[side]!}` };
}

/** A seat's socket as a program sees it: the raw texts, and the frame they add up to. */
export class SocketGuest {
  readonly raw: string[] = [];
  readonly replies: Reply[] = [];
  frame: Frame | null = null;
  closedWith: string | null = null;
  private wake: (() => void)[] = [];

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => {
      const text = String(data as Buffer);
      this.raw.push(text);
      const reply = JSON.parse(text) as Reply;
      this.replies.push(reply);
      if (reply.op === "frame") this.frame = reply.frame;
      if (reply.op === "patch") this.frame = patched(this.frame!, reply.patch);
      this.rouse();
    });
    socket.on("close", (code, reason) => {
      this.closedWith = `${code} ${reason.toString()}`;
      this.rouse();
    });
    socket.on("error", () => this.rouse());
  }

  static async open(page: Pick<PageServer, "address">, headers: Record<string, string> = {}): Promise<SocketGuest> {
    const socket = new WebSocket(`${page.address.replace("http", "ws")}seat`, { headers });
    const guest = new SocketGuest(socket);
    await new Promise<void>((done, fail) => {
      socket.once("open", () => done());
      socket.once("error", fail);
    });
    return guest;
  }

  static async sit(page: Pick<PageServer, "address">, token: string): Promise<SocketGuest> {
    const guest = await SocketGuest.open(page);
    guest.send({ op: "sit", token });
    await guest.until(() => guest.frame !== null || guest.replies.length > 0);
    return guest;
  }

  /** Everything that any of them has sent in this process: the operations. */
  static readonly asked = new Set<string>();

  send(message: unknown): void {
    if (typeof message === "object") SocketGuest.asked.add((message as { op: string }).op);
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Waits until `holds`; gives up after `ms`. */
  async until(holds: () => boolean, ms = PATIENCE_MS): Promise<void> {
    const end = Date.now() + ms;
    while (!holds()) {
      if (Date.now() > end) throw new Error(`waited ${ms} ms in vain; last: ${this.raw.at(-1)?.slice(0, 300)}`);
      await new Promise<void>((done) => {
        this.wake.push(done);
        setTimeout(done, 200);
      });
    }
  }

  /** The next reply that is no frame and no patch, after sending `message`. */
  async ask(message: unknown, ms?: number): Promise<Reply> {
    const from = this.replies.length;
    const found = (): Reply | undefined => this.replies.slice(from).find((r) => r.op !== "frame" && r.op !== "patch");
    this.send(message);
    await this.until(() => found() !== undefined, ms);
    return found()!;
  }

  /** True when this seat decides. */
  get asked(): boolean {
    return (this.frame?.prompt.choices.length ?? 0) > 0;
  }

  close(): void {
    this.socket.terminate();
  }

  private rouse(): void {
    for (const w of this.wake.splice(0)) w();
  }
}
