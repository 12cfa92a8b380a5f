import { pack, unpack } from "msgpackr";
import { afterEach, describe, expect, test } from "vitest";
import { Router } from "zeromq";
import { makeAgent } from "../../agents/registry.js";
import { resolveOptions } from "../../env/index.js";
import { arena } from "../../training/arena/arena.js";
import { patrol } from "../toys/patrol.js";

// An agent outside that answers what it likes. Each match ends with one sentence that names the agent.

const game = patrol.load(resolveOptions(patrol), patrol.data);
const sockets: Router[] = [];
afterEach(() => {
  for (const s of sockets.splice(0)) s.close();
});

interface Asked {
  readonly id: number;
  readonly op: string;
  readonly tensors?: readonly [string, string, readonly number[], number][];
}
type Frames = (Buffer | Uint8Array)[];
/** Frames of each reply, in order. */
type Answers = (asked: Asked, mask: Uint8Array | undefined) => Frames[];

/** Starts an agent. @returns its name */
async function agent(answers: Answers): Promise<string> {
  const socket = new Router({ linger: 0 });
  sockets.push(socket);
  await socket.bind("tcp://127.0.0.1:*");
  void (async () => {
    for await (const [identity, head, data] of socket) {
      const asked = unpack(head!) as Asked;
      for (const frames of answers(asked, data)) await socket.send([identity!, ...frames]);
    }
  })().catch(() => undefined); // ends when it is closed
  return `external:${socket.lastEndpoint!}`;
}

/** int32 [n] of one number for n decisions. */
const actions = ({ tensors }: Asked, action: number, more = 0): Buffer => {
  const n = tensors!.find(([name]) => name === "actors")![2][0]!;
  return Buffer.from(new Int32Array(n + more).fill(action).buffer);
};
const honest: Answers = (asked, mask) => {
  if (asked.op === "open") return [[pack({ id: asked.id })]];
  const [, , [n, A], at] = asked.tensors!.find(([name]) => name === "mask")!;
  const chosen = Int32Array.from({ length: n! }, (_, i) => mask!.subarray(at + i * A!, at + (i + 1) * A!).indexOf(1));
  return [[pack({ id: asked.id }), Buffer.from(chosen.buffer)]];
};
/** Opens as it should, and answers decisions in another way. */
const acting =
  (answer: (asked: Asked) => Frames[]): Answers =>
  (asked, mask) =>
    asked.op === "open" ? honest(asked, mask) : answer(asked);
const opening =
  (answer: (asked: Asked) => Frames[]): Answers =>
  (asked) =>
    answer(asked);
const id = ({ id: own }: Asked): Buffer => pack({ id: own });
/** An array that claims four thousand million values. */
const CLAIM = Buffer.from([0x82, 0xa2, 0x69, 0x64, 0x01, 0xa1, 0x78, 0xdd, 0xff, 0xff, 0xff, 0xff]);
const nested = Buffer.concat([Buffer.from([0x81, 0xa1, 0x78]), Buffer.alloc(2_000_000, 0x91), Buffer.from([0x90])]);

async function played(answers: Answers): Promise<string> {
  const name = await agent(answers);
  const said = await arena(game, {
    agents: [name, "random"],
    games: 40,
    agentFor: (n, seed) => makeAgent(n, { game, seed, connect: true }),
  }).then(
    () => "played to the end",
    (e: Error) => e.message,
  );
  expect(said).not.toMatch(/\n/);
  expect(said.length).toBeLessThan(600);
  return said;
}

test("one that answers as it should plays to the end", async () => {
  expect(await played(honest)).toBe("played to the end");
});

describe("one that answers a decision with", () => {
  test.each<[string, (a: Asked) => Frames[], RegExp]>([
    ["no data", (a) => [[id(a)]], /answered 0 bytes; \d+ decisions need \d+ actions/],
    ["an action too many", (a) => [[id(a), actions(a, 0, 1)]], /answered \d+ bytes; \d+ decisions need/],
    ["half a number", (a) => [[id(a), Buffer.alloc(3)]], /answered 3 bytes/],
    ["a negative action", (a) => [[id(a), actions(a, -1)]], /agent external:\S+ chose .*not legal|no action/],
    ["the largest number", (a) => [[id(a), actions(a, 2 ** 31 - 1)]], /agent external:\S+ chose .*not legal|no action/],
    [
      "frames without end",
      (a) => [[id(a), ...Array.from({ length: 50 }, () => Buffer.alloc(1))]],
      /answered \d+ bytes/,
    ],
    [
      "an empty header",
      () => [[Buffer.alloc(0), Buffer.alloc(4)]],
      /answered with a header that is no MessagePack map/,
    ],
    ["a list", (a) => [[pack([a.id]), actions(a, 0)]], /answered with a header that is no MessagePack map/],
    [
      "the number of another request",
      (a) => [[pack({ id: a.id + 1 }), actions(a, 0)]],
      /answered request \d+ when asked \d+/,
    ],
    [
      "its number as text",
      (a) => [[pack({ id: String(a.id) }), actions(a, 0)]],
      /answered request "\d+" when asked \d+/,
    ],
    [
      "a list that claims to be longer than it is",
      () => [[CLAIM, Buffer.alloc(4)]],
      /answered with a header that is no MessagePack map/,
    ],
    [
      "millions of lists inside each other",
      () => [[nested, Buffer.alloc(4)]],
      /header of 2000004 bytes; at most 65536|no MessagePack map/,
    ],
    [
      "an error of a megabyte",
      (a) => [[pack({ id: a.id, error: { code: "x", message: "so\n".repeat(300_000) } })]],
      /header of \d+ bytes; at most 65536/,
    ],
    [
      "an error in many lines",
      (a) => [[pack({ id: a.id, error: { code: "x", message: "so\n\u001b[2J".repeat(200) } })]],
      /says: "so/,
    ],
    ["an error that is none", (a) => [[pack({ id: a.id, error: 5 })]], /says: /],
    [
      "a frame of 100 megabytes",
      (a) => [[id(a), Buffer.alloc(100_000_000)]],
      /cut the connection, or sent more than 67108864 bytes/,
    ],
    [
      "each reply twice",
      (a) => [
        [id(a), actions(a, 0)],
        [id(a), actions(a, 0)],
      ],
      /answered request \d+ when asked \d+|not legal/,
    ],
  ])("%s", async (_what, answer, says) => {
    const said = await played(acting(answer));
    expect(said).toMatch(says);
    expect(said).toMatch(/external:tcp|the agent at tcp:/);
  });

  test("each reply twice, though its actions are legal", async () => {
    expect(await played((asked, mask) => honest(asked, mask).flatMap((f) => [f, f]))).toMatch(
      /answered request \d+ when asked/,
    );
  });

  test("replies before it is asked", async () => {
    const early: Answers = (asked, mask) =>
      asked.op === "open" ? [[id(asked)], [pack({ id: asked.id + 1 }), Buffer.alloc(4)]] : honest(asked, mask);
    expect(await played(early)).toMatch(/answered \d+ bytes|answered request|not legal/);
  });

  test("nothing, and goes away", async () => {
    expect(
      await played(
        acting(() => {
          sockets.at(-1)!.close();
          return [];
        }),
      ),
    ).toMatch(/cut the connection/);
  });
});

describe("one that answers `open` with", () => {
  test.each<[string, (a: Asked) => Frames[], RegExp]>([
    ["nothing", () => [], /has not answered for 10 s/],
    ["another number", () => [[pack({ id: 99 })]], /answered request 99 when asked 1/],
    ["a refusal", (a) => [[pack({ id: a.id, error: { code: "x", message: "no" } })]], /says: "no"/],
    ["bytes", () => [[Buffer.from([0xc1, 0xff])]], /answered with a header that is no MessagePack map/],
  ])("%s", async (_what, answer, says) => {
    expect(await played(opening(answer))).toMatch(says);
  });
});
