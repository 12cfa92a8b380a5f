import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../agents/agent.js";
import { RandomAgent } from "../../../agents/random.js";
import {
  EVERYTHING,
  type Game,
  type GameType,
  KesselError,
  loadGame,
  parseReplay,
  playReplay,
  resolveOptions,
} from "../../../env/index.js";
import { columns } from "../../../agents/text/choices.js";
import { findAction } from "../../../agents/text/sentences.js";
import type { TableServices } from "../../../server/cli/terminal/commands.js";
import { Lines } from "../../../server/cli/terminal/lines.js";
import { PlayTable } from "../../../server/cli/terminal/table.js";
import type { SessionLine } from "../../../server/session/record.js";
import { type Seat, Session } from "../../../server/session/session.js";
import { ambush } from "../../toys/ambush.js";
import { patrol } from "../../toys/patrol.js";
import { race } from "../../toys/race.js";

const load = (type: GameType): Game => type.load(resolveOptions(type), type.data);

/** Plays with `lines` typed in. @returns what was printed */
async function typed(session: Session, lines: readonly string[], services?: TableServices): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((l) => `${l}\n`).join(""));
  await new PlayTable(session, input, output, services).run();
  return String(output.read() as Buffer);
}
const human = (game: Game): Seat[] => game.players.map(() => "human");

describe("playing in the terminal", () => {
  it("takes numbers, names and beginnings of names, and shows the dice", async () => {
    const session = new Session(load(race), ["human", new RandomAgent(1)], "a");
    const out = await typed(session, ["1"]);
    expect(session.actions[0]).toBe("roll 1");
    expect(out).toMatch(/ {2}Thrown: \d \(2\)\.\n/);
    expect(out).toMatch(/1 .*\[?roll 1\]?/);
    expect(out).toContain("The game was left after");
  });

  it("says what would do when a line fits nothing or too much", async () => {
    const session = new Session(load(race), human(load(race)), "a");
    const out = await typed(session, ["dance", "roll", "9"]);
    expect(out).toContain('"dance" is no legal action; type a number from 1 to 3');
    expect(out).toContain('"roll" may be any of:\n  roll 1\n  roll 2\n  roll 3');
    expect(out).toContain('"9" is no legal action');
    expect(session.actions).toEqual([]);
  });

  it("takes an order for many decisions, and says where a unit can go", async () => {
    const session = new Session(loadGame("night-fight"), ["human"], "3");
    const out = await typed(session, [
      "orders",
      "buy truck, gren x4, done!",
      "orders truck-1",
      "move truck-1 to 1620",
      "orders x",
    ]);
    expect(out).toContain("ACTION, ACTION, ...: Several in turn");
    expect(out).toContain("You did 6 actions: buy truck, buy gren, buy gren, buy gren, buy gren, done.");
    expect(out).toMatch(/\n1620 \(\d MP\)/);
    expect(out).toMatch(/You did \d actions: unit truck-1, .*hex 1620/);
    expect(out).toContain('"x" can\'t be sent now');
  });

  it("lets somebody decide for a person, at once or step by step", async () => {
    const session = new Session(loadGame("night-fight"), ["human"], "3");
    const out = await typed(session, [
      "buy truck, gren x4, done!",
      "finish phase with nobody",
      "finish phase with stalker",
      "step on",
      "finish turn with stalker",
      "",
      "s",
    ]);
    expect(out).toContain('nobody called "nobody" can decide for you');
    expect(out).toMatch(/stalker did \d+ actions: unit truck-1, [^]*which unit fires or looks\?/);
    expect(out).toContain("-- Enter goes on, a: all, s: you decide again --");
    expect(session.deputyOf(0)).toBeNull();
    expect(session.game.view(session.env.state, 0)["turn"]).toBeLessThan(3);
  });

  it("shows choices with the same outcome together", async () => {
    const session = new Session(loadGame("strike-counterstrike"), ["human"], "1");
    const weighed = (): string[] =>
      session.prompt(0).choices.flatMap((c) => {
        const o = session.odds(0, c.action);
        const nothing = o.results.length === 1 && o.results[0]!.outcomes.length === 0;
        return o.method === "certain" || nothing ? [] : [JSON.stringify([o.results, o.each])];
      });
    // which of two counters is lost, and the dice that follow are the same
    const alike = (): boolean => session.prompt(0).kind === "losses" && new Set(weighed()).size < weighed().length;
    for (let k = 0; !alike(); k++) {
      const legal = session.env.legal();
      session.choose(session.game.actions.indexOf(legal[(k * 7919) % legal.length]!));
    }
    const out = await typed(session, ["odds"]);
    const told = out.replaceAll(/\s+/g, " ");
    expect(told.match(/: (exact, \d+ ways|from \d+ samples)/g)).toHaveLength(new Set(weighed()).size);
    for (const { text } of session.prompt(0).choices) expect(told.split(text).length).toBe(3); // in the list, and by its odds
  });

  it("goes to the end against an agent and prints the returns", async () => {
    const session = new Session(load(race), ["human", new RandomAgent(2)], "b");
    const out = await typed(
      session,
      Array.from({ length: 200 }, () => "1"),
    );
    expect(session.over).toBe(true);
    expect(out).toMatch(/The game is over after \d+ decisions: north (\+1|-1|0), south (\+1|-1|0) \(seed b\)/);
  });

  it("plays on without people", async () => {
    const out = await typed(new Session(load(ambush), [new RandomAgent(1), new RandomAgent(2)], "c"), []);
    expect(out).toMatch(/ {2}Counter \d is sent \(2\)\.\n/);
    expect(out).toContain("The game is over");
  });

  it("saves a replay that plays again to the same end", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "kessel-play-")), "game.json");
    const session = new Session(load(race), human(load(race)), "d");
    await typed(session, ["3", "1", `save ${file}`, "save /nowhere/x.json"]);
    const replay = parseReplay(JSON.parse(readFileSync(file, "utf8")));
    expect(replay.actions).toEqual(session.actions);
    expect([...playReplay(race, replay).state]).toEqual([...session.env.state]);
    const again = new Session(load(race), human(load(race)), replay.seed);
    again.resume(replay.actions.map((action) => ({ do: action })));
    expect([...again.env.state]).toEqual([...session.env.state]);
  });
});

describe("a hint", () => {
  const agent = (more: Partial<Agent>): Agent => ({ ...new RandomAgent(1), name: "wise", act: first, ...more });
  const first: Agent["act"] = ({ mask }, out) => void (out[0] = mask.indexOf(1));
  async function hinted(made: Agent) {
    const lines: SessionLine[] = [];
    const keeper = { append: (line: SessionLine) => lines.push(line) > 0 };
    const session = new Session(load(race), ["human", new RandomAgent(1)], "a", keeper);
    const asked: [string | null, number][] = [];
    const out = await typed(session, ["hint sage"], {
      advisor: async (name, seat) => {
        asked.push([name, seat]);
        return made;
      },
    });
    return { lines, asked, out };
  }

  it("is noted for good, since the game may go on at the page", async () => {
    const { lines, asked, out } = await hinted(agent({}));
    expect(out).toContain("wise would choose: ");
    expect(lines).toEqual([{ helped: true }]);
    expect(asked).toEqual([["sage", 0]]);
  });
  it("comes from no agent that doesn't play the seat", async () => {
    const { lines, out } = await hinted(agent({ players: [1] }));
    expect(out).toMatch(/wise does not play north\.?\n/i);
    expect(lines).toEqual([]);
  });
  it("that fails is said, ends nothing, and the agent is closed", async () => {
    let closed = 0;
    const act = (): never => {
      throw new KesselError("time-limit", "it thought too long");
    };
    const { lines, out } = await hinted(agent({ act, close: () => void closed++ }));
    expect(out).toMatch(/it thought too long\n[^]*The game was left/);
    expect([closed, lines]).toEqual([1, []]);
  });
});

describe("the arrow up at a terminal", () => {
  const up = "\u001b[A";
  async function broughtBack(historySize?: number): Promise<string | null> {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { isTTY: true });
    const lines = new Lines(input, output, historySize);
    for (const text of ["hidden plan\r", `${up}\r`]) {
      const line = lines.next("> ");
      input.write(text);
      const came = await line;
      if (text !== "hidden plan\r") return came;
    }
    return null;
  }
  it("brings back what was typed, unless somebody else may have typed it", async () => {
    expect([await broughtBack(), await broughtBack(0)]).toEqual(["hidden plan", ""]);
  });

  /** Types a line whenever the terminal asks for one. @returns all that was printed */
  async function atTerminal(seats: Seat[], lines: readonly string[]): Promise<string> {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { isTTY: true });
    const left = [...lines];
    let printed = "";
    let seen = 0;
    output.on("data", (text: Buffer) => {
      printed += text.toString();
      if (!/(> |Enter )\S*$/.test(printed.slice(seen))) return;
      seen = printed.length;
      const line = left.shift();
      setImmediate(() => (line === undefined ? input.end() : input.write(`${line}\r`)));
    });
    await new PlayTable(new Session(load(race), seats, "a"), input, output).run();
    return printed;
  }
  const refused = (text: string): number => text.split('"hidden plan" is no legal action').length - 1;

  it("brings back nothing where two people play", async () => {
    expect(refused(await atTerminal(["human", new RandomAgent(1)], ["hidden plan", up]))).toBe(2);
    expect(refused(await atTerminal(["human", "human"], ["", "hidden plan", up]))).toBe(1);
  });
});

describe("undo", () => {
  it("takes back a choice that rolled nothing", () => {
    const session = new Session(load(ambush), human(load(ambush)), "u");
    const before = [...session.env.state];
    session.choose(session.game.actions.indexOf("send 1"));
    session.choose(session.game.actions.indexOf("at 2"));
    expect(session.undo()).toBeNull();
    expect(session.actions).toEqual(["send 1"]);
    expect(session.undo()).toBeNull();
    expect([...session.env.state]).toEqual(before);
    expect(session.undo()).toBe("nothing has been chosen yet");
  });
  it("still shows what a viewer has not read yet", () => {
    const session = new Session(load(ambush), human(load(ambush)), "u");
    session.news(EVERYTHING);
    for (const a of ["send 1", "at 2"]) session.choose(session.game.actions.indexOf(a));
    expect(session.undo()).toBeNull();
    session.choose(session.game.actions.indexOf("at 3"));
    expect(session.news(EVERYTHING).map((entry) => entry.action)).toEqual(["send 1", "at 3"]);
  });
  it("is refused once a die was rolled", () => {
    for (let k = 0; k < 40; k++) {
      const session = new Session(load(race), human(load(race)), `u${k}`);
      session.choose(0); // one die: a 1 ends the turn
      const after = [...session.env.state];
      expect(session.undo()).toBe("dice or draws have been made since");
      expect([...session.env.state]).toEqual(after);
    }
  });
  it("is refused once something hidden was looked at, though nothing was rolled", () => {
    const session = new Session(load(patrol), human(load(patrol)), "u");
    session.choose(session.game.actions.indexOf("look"));
    expect(session.undo()).toBe("something hidden has come to light since");
  });
  it("is refused once the other side has answered", () => {
    const session = new Session(load(ambush), human(load(ambush)), "u");
    for (const a of ["send 1", "at 2", "without supply"]) session.choose(session.game.actions.indexOf(a));
    expect(session.undo()).toBe("the other side has had its say since");
  });
});

describe("what a person at the terminal can't know", () => {
  /** All that a human red sees while an agent plays blue and both do the same. */
  async function redSees(shift: number): Promise<string> {
    const game = load(ambush);
    const session = new Session(game, ["human", "human"], "h");
    // blue's face-down counters in another order: nothing that red may know
    const slot = game.fields.find((f) => f.name === "slot")!.offset + 5;
    const state = session.env.state.slice();
    const kept = [0, 1, 2, 3, 4].map((i) => state[slot + i]!);
    kept.forEach((k, i) => (state[slot + ((i + shift) % 5)] = k));
    session.env.restore(state);
    return typed(session, ["send 1", "at 2", "board", "with supply"]);
  }
  it("changes nothing on the screen", async () => {
    const red = (out: string) => out.split("--- blue ---")[0];
    const seen = red(await redSees(0));
    expect(seen).toContain("? ? ? ? ?");
    for (let shift = 1; shift < 5; shift++) expect(red(await redSees(shift))).toBe(seen);
  });
  it("a hidden bid is not in the news of the other side", () => {
    const news = (bid: string) => {
      const session = new Session(load(ambush), ["human", "human"], "h");
      for (const a of ["send 1", "at 2", bid]) session.choose(session.game.actions.indexOf(a));
      return session.news(1);
    };
    expect(news("with supply")).toEqual(news("without supply"));
    expect(news("with supply").at(-1)).toMatchObject({ actor: "red", action: "supply", forced: false });
  });
  it("a choice of one is not passed over when people share a terminal and something is hidden", async () => {
    // blue's counter under attack is too strong to flee: it has one choice, and red must not learn that
    const game = load(ambush);
    for (let k = 0, found = 0; found < 3; k++) {
      const session = new Session(game, ["human", "human"], `f${k}`);
      for (const a of ["send 1", "at 2", "without supply"]) session.choose(game.actions.indexOf(a));
      if (session.env.legalCount !== 1) continue;
      found++;
      const before = session.actions.length;
      await session.advance();
      expect(session.actions.length).toBe(before);
    }
  });
});

it("findAction prefers the whole name to a beginning, and a name to a number", () => {
  expect(findAction(["pass", "pass on", "2"], "pass")).toBe("pass");
  expect(findAction(["a", "b", "2"], "2")).toBe("2");
  expect(findAction(["a", "b", "c"], "2")).toBe("b");
  expect(findAction(["Place 1", "roll"], "pl")).toBe("Place 1");
  expect(findAction(["place 1", "place 2"], "place")).toEqual(["place 1", "place 2"]);
  expect(findAction(["a"], "z")).toEqual([]);
});

it("columns number every action once, within the width", () => {
  const text = columns(
    Array.from({ length: 40 }, (_, i) => `action ${i}`),
    60,
  );
  for (let i = 1; i <= 40; i++) expect(text).toMatch(new RegExp(`(^|\\s)${i} action ${i - 1}(\\s|$)`));
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
});
