import { nightlyUnless } from "../nightly.js";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Server } from "../../server/zmq.js";
import { type Answer, Peer } from "./ask.js";
import { HOSTILE } from "./hostile.js";
import type { Stats } from "./own-server.js";

/** A connection that counts what it is answered. */
class Counting extends Peer {
  answers = 0;

  override async take(): Promise<Answer> {
    const answer = await super.take();
    this.answers++;
    return answer;
  }
}

/** Kinds of which each run of the tests has one client; the others come at night. */
const OFTEN = ["data", "steps", "headers", "replays", "outcomes", "searches"];

for (const kind of Object.keys(HOSTILE))
  test(`the hostile client \`${kind}\` does what it is to do`, nightlyUnless(OFTEN.includes(kind)), async () => {
    const server = await Server.start({ bind: "tcp://127.0.0.1:*", workers: 1 });
    const peer = new Counting(server.address);
    let ended: unknown = "goes on";
    const running = HOSTILE[kind]!.run(peer).then(
      () => (ended = "has ended"),
      (e: unknown) => (ended = e),
    );
    const watcher = new Peer(server.address);
    const decisions = async (): Promise<number> =>
      ((await watcher.ask({ op: "stats" })).header["stats"] as Stats).decisions;
    const isAtWork = async (): Promise<boolean> =>
      peer.answers > 6 && (kind !== "steps" || (await decisions()) >= 2 * 4096);
    for (let waits = 0; ended === "goes on" && waits < 600 && !(await isAtWork()); waits++) await pause(200);
    expect([ended, await isAtWork()]).toEqual(["goes on", true]);
    watcher.close();
    peer.close();
    await running;
    await server.close();
  });
