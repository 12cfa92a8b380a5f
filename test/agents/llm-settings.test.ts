import { afterEach, describe, expect, test } from "vitest";
import { CHOICES_TEXT, COMPARED, written } from "../../agents/llm/named.js";
import { LlmAgent } from "../../agents/llm/llm.js";
import { LanguageModel } from "../../agents/llm/model.js";
import { parseLlm } from "../../agents/llm/settings.js";
import { Env, type Game, loadGame, promptOf } from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";
import { type Asked, closeStubs, type Reply, stub } from "./llm-stub.js";

afterEach(closeStubs);

const POCKET = loadGame("pocket-stalingrad");
const lastOf = (asked: Asked): string => asked.messages.at(-1)!.content;
const textOf = (asked: Asked): string => asked.messages.map((m) => m.content).join("\n");

/** An agent with settings, and what its model was asked. */
async function seated(settings: readonly string[], reply: (asked: Asked, n: number) => Reply, game: Game = POCKET) {
  const { url, seen } = await stub(reply);
  const model = new LanguageModel(parseLlm([url, "model=stub", ...settings].join(",")));
  const agent = new LlmAgent("llm:stub", game, "test", model);
  /** Lets it decide, and carries that out. @returns the action's name */
  const decide = async (env: Env, row = 0): Promise<string> => {
    const out = new Int32Array(1);
    await agent.act(new OneDecision(env, row), out);
    env.step(out[0]!);
    return game.actions[out[0]!]!;
  };
  /** Decides until the model has been asked `requests` times. */
  const decideUntil = async (env: Env, requests: number, row = 0): Promise<void> => {
    while (seen.length < requests) await decide(env, row);
  };
  return { model, decide, decideUntil, seen: seen as readonly { readonly asked: Asked }[] };
}

function begun(game: Game = POCKET, seed = "settings"): Env {
  const env = new Env(game);
  env.reset(seed);
  while (env.legalCount === 1) env.step(env.mask.indexOf(1));
  return env;
}

describe("memory", () => {
  const saying = (_asked: Asked, n: number): string => `Thought ${n}.\nAction: 1`;
  const remembered = (asked: Asked): string[] =>
    asked.messages.filter((m) => m.role === "assistant").map((m) => /Thought \d+/.exec(m.content)![0]);

  test("none: each decision is a conversation of its own", async () => {
    const { decideUntil, seen } = await seated([], saying);
    await decideUntil(begun(), 3);
    expect(seen.map(({ asked }) => asked.messages.length)).toEqual([2, 2, 2]);
  });

  test("a number: up to N decisions come before, each with its question and answer", async () => {
    const { decideUntil, seen } = await seated(["memory=2"], saying);
    await decideUntil(begun(), 4);
    expect(seen.map(({ asked }) => remembered(asked))).toEqual([
      [],
      ["Thought 0"],
      ["Thought 0", "Thought 1"],
      ["Thought 1", "Thought 2"],
    ]);
    expect(seen[1]!.asked.messages[1]!.content).toMatch(/^You are the Soviet side\. [^\n]+$/);
  });

  test("all: none is forgotten", async () => {
    const { decideUntil, seen } = await seated(["memory=all"], saying);
    await decideUntil(begun(), 5);
    expect(remembered(seen[4]!.asked)).toEqual(["Thought 0", "Thought 1", "Thought 2", "Thought 3"]);
  });

  test("notes: the last that the model wrote come back, and its answers do not", async () => {
    const notes = ["Notes: hold the crossing", "", "**Notes:** pass is weak"];
    const { decideUntil, seen } = await seated(["memory=notes"], (_asked, n) => `${notes[n] ?? ""}\nAction: 1`);
    await decideUntil(begun(), 4);
    expect(seen.map(({ asked }) => /^Your notes: (.*)$/m.exec(lastOf(asked))![1])).toEqual([
      "none yet",
      "hold the crossing",
      "hold the crossing",
      "pass is weak",
    ]);
    expect(seen.every(({ asked }) => asked.messages.length === 2)).toBe(true);
  });

  test("neither another game nor the other side learns of it", async () => {
    const { decide, seen } = await seated(["memory=all"], (asked) => {
      const side = /You are the (\w+) side/.exec(lastOf(asked))![1]!;
      const game = asked.messages.some((m) => m.content.includes("game one")) ? "game one" : "";
      return `I am ${side} ${game}.\nAction: 1`;
    });
    const [one, two] = [begun(), begun(POCKET, "other")];
    for (let k = 0; k < 40; k++) {
      if (one.actor >= 0) await decide(one, 0);
      if (two.actor >= 0) await decide(two, 1);
    }
    const sides = new Set<string>();
    for (const { asked } of seen) {
      const side = /You are the (\w+) side/.exec(lastOf(asked))![1]!;
      sides.add(side);
      for (const m of asked.messages.filter((x) => x.role === "assistant")) expect(m.content).toContain(`I am ${side}`);
    }
    expect([...sides].sort()).toEqual(["German", "Soviet"]);
    const first = seen.filter(({ asked }) => asked.messages.length === 2);
    expect(first.length, "each side of each game begins without memory").toBe(4);
  });
});

describe("tools", () => {
  test("an answer of a tool goes back to the model, and the questions are counted", async () => {
    const asks = ["Ask: odds 1", "ask: rule command", "**Ask:** look 3", "Ask: odds 1", "Action: 2"];
    const { decide, seen, model } = await seated(["tools=all", "asks=3"], (_asked, n) => asks[n]!);
    const env = begun();
    const { choices } = promptOf(POCKET, env.state, env.actor);
    expect(await decide(env)).toBe(choices[1]!.name);
    expect(textOf(seen[0]!.asked)).toMatch(/up to 3 times a decision.*"Ask: odds NUMBER".*rule WORDS.*look PLACE/);
    expect(lastOf(seen[1]!.asked)).toContain(choices[0]!.text);
    expect(lastOf(seen[2]!.asked)).toMatch(/^PS 3 Command: /m);
    expect(lastOf(seen[3]!.asked)).toMatch(/Mamayev Kurgan[\s\S]*No questions are left/);
    expect(lastOf(seen[4]!.asked)).toMatch(/^no questions are left; answer now/);
    expect(model.usage).toMatchObject({ answers: 5, illegal: 1, asides: 3 });
  });

  test("only those that the setting names can be asked", async () => {
    const { decide, seen } = await seated(["tools=odds"], (_asked, n) => (n === 0 ? "Ask: look 3" : "Action: 1"));
    await decide(begun());
    expect(textOf(seen[0]!.asked)).not.toContain("Ask: look");
    expect(lastOf(seen[1]!.asked)).toMatch(/there is no such question; ask odds/);
    const none = await seated(["tries=1"], () => "Ask: odds 1");
    await none.decide(begun());
    expect(none.model.usage).toMatchObject({ illegal: 1, asides: 0 });
  });

  test("a question that can't be answered says why, and costs no try", async () => {
    const { decide, seen } = await seated(["tools=all", "tries=1"], (_asked, n) =>
      n === 0 ? "Ask: odds 999" : n === 1 ? "Ask: rule zeppelin" : "Action: 1",
    );
    await decide(begun());
    expect(seen.length).toBe(3);
    expect(lastOf(seen[1]!.asked)).toMatch(/names no legal action/);
    expect(lastOf(seen[2]!.asked)).toMatch(/has no rule "zeppelin"/);
  });
});

describe("orders", () => {
  const NIGHT = loadGame("night-fight");

  test("one answer covers many decisions", async () => {
    const { decide, seen, model } = await seated(["form=orders"], () => "Grenadiers!\nOrder: buy gren x3", NIGHT);
    const env = begun(NIGHT);
    const done: string[] = [];
    for (let k = 0; k < 3; k++) done.push(await decide(env));
    expect(done).toEqual(["buy gren", "buy gren", "buy gren"]);
    expect(model.usage).toMatchObject({ answers: 1, illegal: 0, asides: 0 });
    await decide(env);
    expect(seen.length).toBe(2);
    expect(textOf(seen[0]!.asked)).toMatch(/Orders, each for many decisions:[\s\S]*Order: WORDS, or Action: NUMBER/);
  });

  test("an order that goes no further is followed by the reason", async () => {
    const { decideUntil, seen } = await seated(
      ["form=orders"],
      (_asked, n) => (n === 0 ? "Order: buy gren x50" : "Action: 1"),
      NIGHT,
    );
    await decideUntil(begun(NIGHT), 3);
    expect(lastOf(seen[1]!.asked)).toMatch(/^Your order stopped: [^\n]*buy gren/);
    expect(lastOf(seen[2]!.asked)).not.toContain("Your order stopped");
  });

  test("it stops where dice leave nothing of it to do", async () => {
    const { decideUntil, seen } = await seated(["form=orders"], (_asked, n) =>
      n === 0 ? "Order: keep unit 1, roll, keep unit 1" : "Action: 1",
    );
    await decideUntil(begun(), 2);
    expect(lastOf(seen[1]!.asked)).toMatch(/^Your order stopped: /);
  });

  test("actions by number are answers as well, and orders that can't be are refused with the reason", async () => {
    const { decide, seen, model } = await seated(
      ["form=orders"],
      (_asked, n) => (n === 0 ? "Order: fly to the moon" : "Action: 2"),
      NIGHT,
    );
    const env = begun(NIGHT);
    const { choices } = promptOf(NIGHT, env.state, env.actor);
    expect(await decide(env)).toBe(choices[1]!.name);
    expect(lastOf(seen[1]!.asked)).toMatch(/fly to the moon/);
    expect(model.usage).toMatchObject({ answers: 2, illegal: 1 });
  });

  test("without the setting an order is no answer", async () => {
    const { decide, model, seen } = await seated(["tries=1"], () => "Order: end phase", NIGHT);
    const env = begun(NIGHT);
    while (seen.length === 0) await decide(env);
    expect(model.usage.illegal).toBe(1);
    expect(textOf(seen[0]!.asked)).not.toContain("Order:");
  });
});

describe("propose and check", () => {
  test("a proposal comes back with what it leads to, and the second answer counts", async () => {
    const { decide, seen, model } = await seated(["answer=check"], (_asked, n) => `Action: ${n === 0 ? 1 : 2}`);
    const env = begun();
    const { choices } = promptOf(POCKET, env.state, env.actor);
    expect(await decide(env)).toBe(choices[1]!.name);
    expect(lastOf(seen[1]!.asked)).toMatch(/exact|samples|no dice/);
    expect(lastOf(seen[1]!.asked)).toContain(choices[0]!.text);
    expect(model.usage).toMatchObject({ answers: 2, illegal: 0, asides: 1 });
  });

  test("where no second answer can be read, the proposal counts", async () => {
    const { decide } = await seated(["answer=check", "tries=2"], (_asked, n) => (n === 0 ? "Action: 2" : "hm"));
    const env = begun();
    const { choices } = promptOf(POCKET, env.state, env.actor);
    expect(await decide(env)).toBe(choices[1]!.name);
  });

  test("an order is checked as a whole", async () => {
    const night = loadGame("night-fight");
    const { decideUntil, seen } = await seated(["answer=check", "form=orders"], () => "Order: buy gren x2", night);
    await decideUntil(begun(night), 2);
    expect(lastOf(seen[1]!.asked)).toMatch(/^That comes to: buy gren, buy gren\./);
  });
});

test("settings that can't be are refused by name", () => {
  for (const [given, what] of [
    ["memory=-1", "memory"],
    ["memory=0", "memory"],
    ["memory=some", "memory"],
    ["tools=odds+dice", "tools"],
    ["asks=0", "asks"],
    ["form=prose", "form"],
    ["answer=twice", "answer"],
  ])
    expect(() => parseLlm(`http://127.0.0.1:1/v1,model=m,${given}`), given).toThrow(new RegExp(`agent: ${what} is`));
});

test("each choice that `kessel agents` lists is read, and written as it was given", () => {
  const listed = CHOICES_TEXT.split(" ").map((one) => one.split("="));
  expect(listed.map(([key]) => key)).toEqual(COMPARED);
  for (const [key, choices] of listed)
    for (const choice of choices!.replace("NUMBER", "3").split("|")) {
      const settings = parseLlm(`http://127.0.0.1:1/v1,model=m,${key}=${choice}`);
      const all = key === "tools" && choice === "all";
      expect(written(settings, key as (typeof COMPARED)[number])).toBe(all ? "odds+rule+look" : choice);
    }
});
