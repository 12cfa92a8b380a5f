import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  Env,
  gameType,
  type Json,
  type JsonObject,
  KesselError,
  loadGame,
  parseReplay,
  playReplay,
  Rng,
  toReplay,
} from "../../../env/index.js";
import {
  actionsOf,
  MOST_SESSION_BYTES,
  parseSession,
  resignedBy,
  seatsOf,
  wasHelped,
} from "../../../server/session/record.js";
import { Session } from "../../../server/session/session.js";
import { SessionStore } from "../../../server/session/store.js";
import { packCheckpoint, unpackCheckpoint } from "../../../training/learn/checkpoint.js";
import { Metrics, scalarsOf } from "../../../training/runs/metrics.js";
import { ppoRunSchema, RunFolder } from "../../../training/runs/run-folder.js";
import { nightly } from "../../nightly.js";

/** Values that a file of ours never has, or not there. */
const HOSTILE: readonly Json[] = [
  -1,
  0.5,
  4_000_000_000,
  5_000_000_000,
  2 ** 53,
  -(2 ** 53),
  1e308,
  null,
  true,
  "",
  [],
  {},
  [[]],
  "human",
  "constructor",
  "__proto__",
  "\u0000",
  "x".repeat(5_000),
  "9".repeat(400),
];

/** A copy of a document with one value changed, doubled, moved or taken out. */
function changed(doc: Json, rng: Rng): Json {
  const copy = structuredClone(doc) as Record<string, Json>;
  let at = copy;
  for (;;) {
    const keys = Object.keys(at);
    if (keys.length === 0) return HOSTILE[rng.below(HOSTILE.length)]!;
    const key = keys[rng.below(keys.length)]!;
    const inner = at[key];
    if (typeof inner === "object" && inner !== null && Object.keys(inner).length > 0 && rng.below(4) > 0) {
      at = inner as Record<string, Json>;
      continue;
    }
    const how = rng.below(8);
    if (how === 0) delete at[key];
    else if (how === 1) at[`${key}x`] = inner!;
    else if (how === 2) at[key] = at[keys[rng.below(keys.length)]!]!;
    else at[key] = HOSTILE[rng.below(HOSTILE.length)]!;
    return copy;
  }
}

/** Some bytes of a file changed, lost, doubled, or its end cut off. */
function torn(bytes: Buffer, rng: Rng): Buffer {
  const copy = Buffer.from(bytes);
  const from = rng.below(copy.length);
  const some = 1 + rng.below(20);
  switch (rng.below(4)) {
    case 0:
      return copy.subarray(0, from);
    case 1:
      return Buffer.concat([copy.subarray(0, from), copy.subarray(from + some)]);
    case 2:
      return Buffer.concat([copy.subarray(0, from + some), copy.subarray(from)]);
    default:
      for (let i = 0; i < 3; i++) copy[rng.below(copy.length)] = rng.below(256);
      return copy;
  }
}

/** One of the lines of JSON changed, or the bytes of all. */
function mutated(text: string, rng: Rng): string {
  if (rng.below(3) === 0) return torn(Buffer.from(text), rng).toString("utf8");
  const lines = text.split("\n").slice(0, -1);
  const i = rng.below(lines.length);
  lines[i] = JSON.stringify(changed(JSON.parse(lines[i]!) as Json, rng));
  return `${lines.join("\n")}\n`;
}

const played = (id: string, n: number): Env => {
  const env = new Env(loadGame(id));
  const rng = new Rng(`mutated ${id}`);
  env.reset("mutated");
  for (let i = 0; i < n && !env.terminated; i++) env.step(legal(env, rng));
  return env;
};
const legal = (env: Env, rng: Rng): number => {
  let a = -1;
  for (let k = rng.below(env.legalCount); k >= 0; k--) a = env.mask.indexOf(1, a + 1);
  return a;
};

/** A session that was played, with an undo and a change of seats. */
function sessionText(): string {
  const lines: JsonObject[] = [];
  const game = loadGame("pocket-stalingrad");
  const seats = game.players.map(() => "human" as const);
  const session = new Session(game, [...seats], "mutated", { append: (line) => lines.push(line as JsonObject) > 0 });
  const rng = new Rng("session");
  for (let i = 0; i < 30 && !session.over; i++) session.choose(legal(session.env, rng));
  session.undo();
  session.reseat(0, "human");
  session.noteHelp();
  const header = {
    kessel: "session",
    format: 1,
    id: "abcdefghijkl",
    game: game.type.id,
    version: game.type.version,
    options: game.options,
    seed: "mutated",
    seats: { german: "human", soviet: "human" },
    created: new Date(0).toISOString(),
    data: null,
  };
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function readSession(text: string): void {
  const record = parseSession(text, "a file");
  actionsOf(record.lines);
  seatsOf(record);
  resignedBy(record.lines);
  wasHelped(record.lines);
  const { header } = record;
  const game = loadGame(gameType(header.game).id, header.options as JsonObject);
  const session = new Session(game, game.players.map(() => "human" as const), header.seed, undefined, header.position as JsonObject | undefined); // prettier-ignore
  session.resume(record.lines);
}

const folder = mkdtempSync(join(tmpdir(), "kessel-mutated-"));

function readCurve(text: string): void {
  writeFileSync(join(folder, "metrics.jsonl"), text);
  for (const line of new Metrics(folder).read()) scalarsOf(line);
}

function readRun(text: string): void {
  const path = join(folder, "run");
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "config.json"), text);
  new RunFolder(path).config(ppoRunSchema);
}

const replayOf = (id: string): string => {
  const env = new Env(loadGame(id));
  const rng = new Rng(`replay ${id}`);
  const actions: string[] = [];
  env.reset("mutated");
  for (let i = 0; i < 40 && !env.terminated; i++) {
    const a = legal(env, rng);
    actions.push(env.game.actions[a]!);
    env.step(a);
  }
  return `${JSON.stringify(toReplay(env.game, "mutated", actions, env))}\n`;
};

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new KesselError("bad-replay", "not JSON"); // whoever reads the file says so
  }
};

const GAMES = ["pocket-stalingrad", "night-fight", "strike-counterstrike", "savage-streets", "streets-of-stalingrad"];
const RUN = { method: "ppo", game: "pocket-stalingrad", seed: "1" };

/** Of each kind of file, one that is whole and what reads it. */
const KINDS: readonly (readonly [string, string, (text: string) => void])[] = [
  ["a session", sessionText(), readSession],
  ...GAMES.map((id) => [`a replay of ${id}`, replayOf(id), (text: string): void => {
    const replay = parseReplay(parsed(text));
    playReplay(gameType(replay.game), replay);
  }] as const), // prettier-ignore
  ...GAMES.map((id) => {
    const env = played(id, 25);
    return [`a position of ${id}`, `${JSON.stringify(env.game.write(env.state))}\n`, (text: string): void => {
      const doc = parsed(text);
      if (typeof doc === "object" && doc !== null && !Array.isArray(doc)) env.resetTo(doc as JsonObject, "1");
    }] as const; // prettier-ignore
  }),
  ["a learning curve", [1, 2, 3].map((at) => `${JSON.stringify({ at, loss: 0.5, evaluation: { random: [0.4, 0.6] } })}\n`).join(""), readCurve], // prettier-ignore
  ["a run's configuration", `${JSON.stringify(RUN)}\n`, readRun],
];

/** Reads a file: it is read, or refused by a reason. @returns the refusal, or null */
function verdict(read: () => void): string | null {
  try {
    read();
    return null;
  } catch (e) {
    if (!(e instanceof KesselError) || e.code === "internal") throw e;
    return e.message;
  }
}

const cpu = (use: () => void): number => {
  const before = process.cpuUsage();
  use();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

function refuseAll(kind: string, text: string, read: (text: string) => void, n: number): void {
  const rng = new Rng(`files ${kind}`);
  expect(verdict(() => read(text))).toBeNull();
  const whole = Math.max(...[1, 2, 3].map(() => cpu(() => verdict(() => read(text)))), 10);
  let refused = 0;
  for (let i = 0; i < n; i++) {
    const bad = mutated(text, rng);
    const ms = cpu(() => {
      try {
        const why = verdict(() => read(bad));
        if (why === null) return;
        refused++;
        expect(why.length, why.slice(0, 200)).toBeLessThanOrEqual(4_000);
      } catch (e) {
        throw new Error(`${kind}: ${String(e instanceof Error ? e.stack : e)}\n${bad.slice(0, 3_000)}`);
      }
    });
    expect(ms, bad.slice(0, 3_000)).toBeLessThan(100 * whole);
  }
  expect(refused).toBeGreaterThan(n / 4);
}

describe("a damaged file is read or refused by a reason, in bounded time", () => {
  test.each(KINDS)("%s", (kind, text, read) => refuseAll(kind, text, read, 150));
  test.each(KINDS)("%s, often", nightly, (kind, text, read) => refuseAll(kind, text, read, 10_000));

  test("an undo of more decisions than there are", () => {
    for (const undo of [31, 4_000_000_000, 5_000_000_000])
      expect(() => readSession(`${sessionText()}{"undo":${undo}}\n`)).toThrow(
        `undo: ${undo} decisions can't be left of`,
      );
  });

  test("a session larger than any game is refused by its size, unread", () => {
    const store = new SessionStore(mkdtempSync(join(tmpdir(), "kessel-large-")));
    const path = join(store.folder, "abcdefghijkl.jsonl");
    writeFileSync(path, sessionText());
    truncateSync(path, MOST_SESSION_BYTES + 1);
    expect(() => store.read("abcdefghijkl")).toThrow(`a session has at most ${MOST_SESSION_BYTES}`);
  });

  test.each([-1, 0.5, 1e308, 2 ** 53, "3", null])("a learning curve at update %j", (at) => {
    expect(() => readCurve(`${JSON.stringify({ at: 1 })}\n${JSON.stringify({ at })}\n`)).toThrow("line 2 is damaged");
  });

  test("a seed of five megabytes", () => {
    const [header, ...rest] = sessionText().split("\n");
    const long = JSON.stringify({ ...(JSON.parse(header!) as object), seed: "s".repeat(5_000_000) });
    expect(() => readSession([long, ...rest].join("\n"))).toThrow("line 1: seed: ");
  });

  test("a checkpoint, with a digest that fits or not", () => {
    const rng = new Rng("checkpoints");
    const whole = packCheckpoint({
      facts: { at: 3, net: { units: 16 } },
      arrays: { w: new Float32Array(100), n: new Int32Array(7) },
    });
    const sealed = (body: Buffer): Buffer => Buffer.concat([body, createHash("sha256").update(body).digest()]);
    for (let i = 0; i < 500; i++) {
      verdict(() => unpackCheckpoint(torn(Buffer.from(whole), rng), "a checkpoint"));
      verdict(() => unpackCheckpoint(sealed(torn(Buffer.from(whole.subarray(0, -32)), rng)), "a checkpoint"));
    }
    for (let n = 0; n < 60; n++)
      expect(verdict(() => unpackCheckpoint(sealed(Buffer.from(whole.subarray(0, n))), "a checkpoint"))).not.toBeNull();
    expect(verdict(() => unpackCheckpoint(whole, "a checkpoint"))).toBeNull();
  });
});
