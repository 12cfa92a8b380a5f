import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import type { ErrorCode } from "../../env/index.js";
import { Gate, Guest, type Inside, UNSENT } from "../../server/gate/gate.js";
import { type Pass, UNHINDERED } from "../../server/gate/pass.js";
import { Handler } from "../../server/handler.js";
import { pack } from "../../server/wire/msgpack.js";
import type { Reply } from "../../server/wire/protocol.js";
import { ask } from "./ask.js";
import { TOY_LIBRARY } from "./toys.js";

/** Milliseconds by the gate's clock, which moves only when a test moves it. */
let now: number;
let gate: Gate;
let inside: Room;

/**
 * The room behind the gate: notes what is carried out, and answers with the request's header unless a test says
 * otherwise.
 */
class Room implements Inside {
  readonly limits = { inFlight: 8, messageBytes: 1000 };
  readonly done: string[] = [];
  answer: (name: string, pass: Pass) => Reply | Promise<Reply> = (name) => replyOf(name);

  handle(_client: string, [header]: readonly Buffer[], pass: Pass): Reply | Promise<Reply> {
    this.done.push(String(header));
    return this.answer(String(header), pass);
  }

  refuse([header]: readonly Buffer[], code: ErrorCode): Reply {
    return replyOf(`${String(header)}: ${code}`);
  }
}

/** A connection. Its replies leave the gate when a test says so, or at once. */
class Caller extends Guest {
  readonly got: string[] = [];
  reads = true;

  send({ header }: Reply): void {
    this.got.push(String(header));
    if (this.reads) gate.leave(this);
  }

  /** Sends requests named so, without data. */
  ask(...names: string[]): void {
    for (const name of names) void gate.enter(this, [Buffer.from(name)]);
  }

  /** Sends a request of this name with a data frame of `bytes` bytes. */
  put(name: string, bytes = 4): void {
    void gate.enter(this, [Buffer.from(name), Buffer.alloc(bytes)]);
  }
}

const replyOf = (text: string, data?: Uint8Array): Reply => ({
  header: Buffer.from(text),
  ...(data !== undefined && { data }),
});

/** A reply that is there when a test says so. */
function later(): { reply: Promise<Reply>; give: (text: string) => void } {
  let give!: (text: string) => void;
  const reply = new Promise<Reply>((resolve) => (give = (text) => resolve(replyOf(text))));
  return { reply, give };
}

/** Longest time that a request waits for its connection's debt before the gate looks again. */
const LOOKS_MS = 100;
const soon = { timeout: 20_000, interval: 5 };

let quiet: Caller;
let greedy: Caller;
beforeEach(() => {
  now = 1000;
  inside = new Room();
  gate = new Gate(
    inside,
    () => {},
    () => now,
  );
  [quiet, greedy] = [new Caller("quiet"), new Caller("greedy")];
});

/** Has a connection hold the thread for `ms` milliseconds, while another asks too. */
function holds(guest: Caller, ms: number): void {
  inside.answer = (name) => replyOf(name);
  quiet.ask("other");
  inside.answer = (name) => {
    now += ms;
    return replyOf(name);
  };
  guest.ask("long");
  inside.answer = (name) => replyOf(name);
  inside.done.length = guest.got.length = quiet.got.length = 0;
}

test("a request is carried out when it enters, and its reply given out", () => {
  greedy.ask("a", "b");
  greedy.put("c");
  expect(inside.done).toEqual(["a", "b", "c"]);
  expect(greedy.got).toEqual(["a", "b", "c"]);
  expect(greedy.waiting).toBe(0);
});

test("a reply goes back with an empty frame when its request came with one", () => {
  const delimited: boolean[] = [];
  class Socket extends Guest {
    send(_reply: Reply, empty: boolean): void {
      delimited.push(empty);
      gate.leave(this);
    }
  }
  const socket = new Socket("req");
  void gate.enter(socket, [Buffer.from("a")], true);
  void gate.enter(socket, [Buffer.from("b")]);
  expect(delimited).toEqual([true, false]);
});

test("after a millisecond without a turn of the event loop, the next message waits for one", async () => {
  expect(gate.enter(greedy, [Buffer.from("a")])).toBe(null);
  now += 1;
  const turn = gate.enter(greedy, [Buffer.from("b")]);
  expect(turn).toBeInstanceOf(Promise);
  expect(inside.done).toEqual(["a", "b"]);
  await turn;
  expect(gate.enter(greedy, [Buffer.from("c")])).toBe(null);
});

test("a connection that owes time is held back while others ask; the others aren't", async () => {
  holds(greedy, 60);
  greedy.ask("a", "b");
  quiet.ask("c");
  expect(inside.done).toEqual(["c"]);
  await pause(3 * LOOKS_MS);
  expect(inside.done).toEqual(["c"]);
  now += 999;
  quiet.ask("d");
  now += 1;
  await expect.poll(() => inside.done, soon).toEqual(["c", "d", "a", "b"]);
  expect(greedy.got).toEqual(["a", "b"]);
  expect([greedy.waiting, greedy.heldBytes]).toEqual([0, 0]);
});

test("what is held back goes on when nobody else has asked for a second", async () => {
  holds(greedy, 80);
  greedy.ask("a");
  now += 1001;
  await expect.poll(() => inside.done, soon).toEqual(["a"]);
});

test("a request enters behind those of its connection that are held back, though it owes nothing any more", async () => {
  holds(greedy, 60);
  greedy.ask("a");
  now += 1000;
  quiet.ask("c");
  greedy.ask("b");
  expect(inside.done).toEqual(["c"]);
  await expect.poll(() => inside.done, soon).toEqual(["c", "a", "b"]);
});

test("what is held back is carried out one by one, and another connection's requests come in between", async () => {
  holds(greedy, 60);
  greedy.ask("a", "b", "c");
  inside.answer = (name) => {
    if (name === "a") quiet.ask("d");
    return replyOf(name);
  };
  now += 1000;
  await expect.poll(() => inside.done, soon).toEqual(["a", "d", "b", "c"]);
});

test("a request that carries data frame and short header holds nobody's thread; with a long header it does", () => {
  quiet.ask("other");
  inside.answer = (name) => {
    now += 100;
    return replyOf(name);
  };
  greedy.put("x".repeat(4096));
  greedy.put("b");
  expect(inside.done.length).toBe(3);
  greedy.put("x".repeat(4097));
  greedy.put("c");
  expect(inside.done.length).toBe(4);
});

test("large messages and large replies are owed, a reply in memory that is used again is not", () => {
  const large = Buffer.alloc(2_000_000);
  quiet.ask("other");
  inside.answer = (name) => ({ header: Buffer.from(name), data: large, kept: true });
  greedy.ask("kept", "next");
  expect(inside.done).toEqual(["other", "kept", "next"]);
  inside.answer = (name) => replyOf(name, large);
  greedy.ask("reply", "held");
  expect(inside.done).toEqual(["other", "kept", "next", "reply"]);
  const third = new Caller("third");
  third.put("message", 2_000_000);
  third.put("held too");
  expect(inside.done).toEqual(["other", "kept", "next", "reply", "message"]);
});

test("a large reply that comes later is owed, too", async () => {
  const large = Buffer.alloc(2_000_000);
  inside.answer = async (name) => replyOf(name, large);
  quiet.ask("other");
  greedy.ask("reply");
  await expect.poll(() => greedy.got, soon).toEqual(["reply"]);
  greedy.ask("held");
  expect(inside.done).toEqual(["other", "reply"]);
});

test("a request that its batch begins with owes at once as much as the latest reply, unless it brought data", async () => {
  const large = Buffer.alloc(2_000_000);
  const open = later();
  for (const data of [false, true]) {
    const guest = new Caller(String(data));
    quiet.ask("other");
    inside.answer = (name) => replyOf(name, large);
    guest.ask("reply");
    now += 100; // it is paid
    inside.answer = (_, pass) => {
      pass.begin();
      return open.reply;
    };
    if (data) guest.put("begun");
    else guest.ask("begun");
    inside.answer = (name) => replyOf(name);
    guest.ask("next");
    expect(guest.got).toEqual(data ? ["reply", "next"] : ["reply"]);
  }
});

test("a ping that renews leases passes those held back, and doesn't count as asking", async () => {
  const ping = pack({ op: "ping", id: 1, batches: [] });
  holds(greedy, 60);
  greedy.ask("a");
  void gate.enter(greedy, [ping]);
  expect(inside.done).toEqual([String(ping)]);
  now += 900;
  void gate.enter(quiet, [ping]);
  expect(inside.done.length).toBe(2);
  now += 50; // 50 ms before all is paid for `quiet` has asked nothing for a second, but for that ping
  await expect.poll(() => inside.done.at(-1), soon).toBe("a");
});

test("beyond the limit of unanswered requests a connection gets busy, and others don't", () => {
  const open = later();
  inside.answer = () => open.reply;
  greedy.ask(..."abcdefghi");
  quiet.ask("q");
  expect(inside.done).toEqual([..."abcdefghq"]);
  expect(greedy.got).toEqual(["i: busy"]);
});

test("a connection that doesn't read gets busy, and later nothing until it reads", () => {
  const deaf = new Caller("deaf");
  deaf.reads = false;
  for (let i = 1; i <= 8; i++) deaf.ask(String(i));
  expect(inside.done.length).toBe(8);
  for (let i = 9; i <= 2 * UNSENT; i++) deaf.ask(String(i));
  expect(inside.done.length).toBe(8);
  expect(deaf.got.at(-1)).toBe(`${2 * UNSENT}: busy`);
  deaf.ask("dropped");
  expect([deaf.got.length, deaf.waiting]).toEqual([2 * UNSENT, 2 * UNSENT]);
  for (let i = 0; i < 2 * UNSENT; i++) gate.leave(deaf);
  deaf.ask("heard");
  expect(deaf.got.at(-1)).toBe("heard");
});

test("as many replies unsent as libzmq queues make it busy, however many requests may be unanswered", () => {
  gate = new Gate(Object.assign(inside, { limits: { inFlight: 10 * UNSENT, messageBytes: 1000 } }), () => {});
  const deaf = new Caller("deaf");
  deaf.reads = false;
  for (let i = 0; i < UNSENT; i++) deaf.ask("a");
  expect(inside.done.length).toBe(UNSENT);
  deaf.ask("b");
  expect(deaf.got.at(-1)).toBe("b: busy");
});

test("requests held back hold four of the largest messages, further ones get busy", () => {
  holds(greedy, 60);
  greedy.ask("x".repeat(1000), "x".repeat(1000), "x".repeat(1000), "x".repeat(1000));
  expect(greedy.got).toEqual([]);
  greedy.ask("y");
  expect(greedy.got).toEqual(["y: busy"]);
  expect(greedy.heldBytes).toBe(4000);
});

test("what a connection has asked that is gone is not carried out, nor does it wait any more", async () => {
  holds(greedy, 60);
  greedy.ask("a", "b");
  gate.lost(greedy);
  expect([greedy.waiting, greedy.heldBytes]).toEqual([0, 0]);
  now += 10_000;
  await pause(3 * LOOKS_MS);
  expect(inside.done).toEqual([]);
  greedy.ask("back");
  expect(inside.done).toEqual(["back"]);
});

test("a reply that takes long is given out when it is there, and others overtake it", async () => {
  const open = later();
  inside.answer = (name) => (name === "slow" ? open.reply : replyOf(name));
  greedy.ask("slow", "quick");
  expect(greedy.got).toEqual(["quick"]);
  expect(greedy.waiting).toBe(1);
  open.give("slow");
  await expect.poll(() => greedy.got, soon).toEqual(["quick", "slow"]);
  expect(greedy.waiting).toBe(0);
});

test("closing refuses what comes in then, and ends when the last request has left", async () => {
  const open = later();
  inside.answer = () => open.reply;
  greedy.ask("a");
  let closed = false;
  const closing = gate.close().then(() => (closed = true));
  greedy.ask("b");
  expect(greedy.got).toEqual(["b: closed"]);
  await pause(50);
  expect(closed).toBe(false);
  open.give("a");
  for (let turns = 0; turns < 2; turns++) await new Promise(setImmediate);
  expect(closed).toBe(true);
  await closing;
  expect(greedy.got).toEqual(["b: closed", "a"]);
});

test("a gate that closes refuses each request once that has no answer after a second, and gives out no later answer", async () => {
  holds(greedy, 60);
  greedy.ask("held");
  const open = later();
  inside.answer = () => open.reply;
  quiet.ask("slow");
  await gate.close();
  open.give("slow");
  now += 10_000;
  await pause(3 * LOOKS_MS);
  expect([greedy.got, quiet.got]).toEqual([["held: closed"], ["slow: closed"]]);
  expect(inside.done).toEqual(["slow"]);
});

test("a gate through which nothing is on its way closes at once", async () => {
  greedy.ask("a");
  const closed = await Promise.race([gate.close().then(() => true), pause(0).then(() => false)]);
  expect(closed).toBe(true);
});

test("where memory is short, operations that take none are let through and others refused", () => {
  vi.spyOn(gate.heap, "shortage").mockReturnValue("the heap is full");
  const refused: string[] = [];
  inside.answer = (name, pass) => {
    try {
      pass.admit(name as "step");
    } catch (e) {
      refused.push(`${name}: ${(e as Error).message}`);
    }
    return replyOf(name);
  };
  greedy.ask("hello", "list", "reset", "step", "close", "ping", "stats", "make", "save");
  expect(refused).toEqual(["make", "save"].map((op) => `${op}: the server is out of resources: the heap is full`));
});

/** A request that waits for an earlier one. */
interface Behind {
  readonly run?: () => void;
  readonly check?: () => void;
  readonly isStep?: boolean;
}

/** Has requests wait behind `earlier`; `ran` names those that were carried out. */
function waitsBehind(earlier: Promise<unknown>, how: Behind = {}): string[] {
  const ran: string[] = [];
  inside.answer = (name, pass) =>
    pass
      .behind(earlier, how.isStep === true, {
        check: how.check ?? (() => {}),
        run: () => {
          ran.push(name);
          how.run?.();
          return replyOf(name);
        },
      })
      .catch((e: unknown) => replyOf(`${name}: ${(e as Error).message}`));
  return ran;
}

test("a request waits behind an earlier one about its batch", async () => {
  const open = later();
  const ran = waitsBehind(open.reply);
  greedy.ask("a");
  await pause(20);
  expect(ran).toEqual([]);
  open.give("");
  await expect.poll(() => greedy.got, soon).toEqual(["a"]);
});

test("the event loop turns before a request goes on that waited, once a millisecond has passed", async () => {
  for (const passed of [0, 1]) {
    const open = later();
    let turned = false;
    const found: boolean[] = [];
    waitsBehind(open.reply, { run: () => found.push(turned) });
    greedy.ask("a");
    now += passed;
    setImmediate(() => (turned = true));
    open.give("");
    await expect.poll(() => found, soon).toEqual([passed === 1]);
  }
});

test("a request that waited is not carried out when nobody needs its answer any more", async () => {
  const ran = waitsBehind(Promise.resolve(), {
    check: () => {
      throw new Error("gone");
    },
  });
  greedy.ask("a");
  await expect.poll(() => greedy.got, soon).toEqual(["a: gone"]);
  expect(ran).toEqual([]);
});

test("what its connection owes by then is waited for, unless it is a step", async () => {
  const open = later();
  for (const isStep of [false, true]) {
    const ran = waitsBehind(open.reply, { isStep });
    const name = isStep ? "step" : "ask";
    const guest = new Caller(name);
    guest.put(name);
    const stays = inside.answer;
    holds(guest, 60);
    inside.answer = stays;
    open.give("");
    await pause(3 * LOOKS_MS);
    expect(ran).toEqual(isStep ? ["step"] : []);
    now += 1001;
    await expect.poll(() => ran, soon).toEqual([name]);
  }
});

test("what a request takes that has waited is owed as that of any other, if it brought no data", async () => {
  for (const data of [false, true]) {
    const guest = new Caller(String(data));
    waitsBehind(Promise.resolve(), { run: () => (now += 60) });
    quiet.ask("other");
    await expect.poll(() => quiet.got.length, soon).toBe(1);
    quiet.got.length = 0;
    if (data) guest.put("long");
    else guest.ask("long");
    await expect.poll(() => guest.got.length, soon).toBe(1);
    inside.answer = (name) => replyOf(name);
    guest.ask("next");
    expect(guest.got.length).toBe(data ? 2 : 1);
  }
});

test("data that came while nobody else asked is owed when its turn comes, if others ask by then", async () => {
  for (const alone of [true, false]) {
    const open = later();
    now += 5000;
    const guest = new Caller(String(alone));
    const ran = waitsBehind(open.reply);
    if (!alone) quiet.ask("other");
    guest.put("load", 2_000_000);
    if (!alone) now += 100; // they are paid for on the way in
    quiet.ask("other");
    open.give("");
    await expect.poll(() => ran, soon).toContain("load");
    inside.answer = (name) => replyOf(name);
    guest.ask("next");
    expect(guest.got).toEqual(alone ? ["load"] : ["load", "next"]);
  }
});

test("a request that has waited owes as much as the latest reply when it is carried out", async () => {
  const earlier = later();
  quiet.ask("other");
  inside.answer = (name) => replyOf(name, Buffer.alloc(2_000_000));
  greedy.ask("reply");
  now += 100; // it is paid
  const open = later();
  inside.answer = (_, pass) => pass.behind(earlier.reply, false, { check: () => {}, run: () => open.reply });
  greedy.ask("waits");
  inside.answer = (name) => replyOf(name);
  earlier.give("");
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  greedy.ask("next");
  expect(greedy.got).toEqual(["reply"]);
});

test("a step that came while nobody else asked owes nothing for its data when its turn comes", async () => {
  const open = later();
  now += 5000;
  const ran = waitsBehind(open.reply, { isStep: true });
  greedy.put("step", 2_000_000);
  quiet.ask("other");
  open.give("");
  await expect.poll(() => ran, soon).toContain("step");
  inside.answer = (name) => replyOf(name);
  greedy.ask("next");
  expect(inside.done.at(-1)).toBe("next");
});

test("a request without a gate waits for earlier ones about its batch, and for nothing else", async () => {
  const open = later();
  const ran: string[] = [];
  UNHINDERED.admit("make");
  UNHINDERED.begin();
  const rest = { check: () => void ran.push("check"), run: () => ran.push("run") };
  const done = UNHINDERED.behind(open.reply, false, rest);
  await pause(20);
  expect(ran).toEqual([]);
  open.give("");
  await done;
  expect(ran).toEqual(["check", "run"]);
});

test("the event loop turns between requests that waited for one batch", async () => {
  let release = (): void => {};
  const acting = new Promise<void>((resolve) => (release = resolve));
  const handler = new Handler({
    ...TOY_LIBRARY,
    makeAgent: async () => ({
      name: "busy",
      async act(d, out) {
        await acting;
        for (const until = performance.now() + 2; performance.now() < until;);
        for (let i = 0; i < d.size; i++)
          out[i] = d.mask.indexOf(1, i * d.game.actions.length) - i * d.game.actions.length;
      },
    }),
  });
  const { header } = await ask(handler, { op: "make", game: "toy-ambush", size: 1, seats: { red: "busy" } });
  gate = new Gate(handler, () => {});
  for (let seed = 0; seed < 20; seed++)
    void gate.enter(greedy, [pack({ op: "reset", id: seed, batch: header["batch"], seed })]);
  expect(greedy.got).toEqual([]);
  release();
  const seen = new Set<number>();
  while (greedy.got.length < 20) {
    seen.add(greedy.got.length);
    await new Promise(setImmediate);
  }
  expect(seen.size).toBeGreaterThan(10); // in between another connection would have had its turn
  await handler.close();
});
