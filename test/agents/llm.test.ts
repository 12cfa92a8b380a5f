import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getEncoding } from "js-tiktoken";
import { afterEach, describe, expect, test } from "vitest";
import { LlmAgent, makeLlm, usageLines } from "../../agents/llm/llm.js";
import { LanguageModel } from "../../agents/llm/model.js";
import { parseLlm } from "../../agents/llm/settings.js";
import { readTranscript, Transcript, type TranscriptLine } from "../../agents/llm/transcript.js";
import { makeAgent } from "../../agents/registry.js";
import { Env, type Game, GUIDE_LENGTHS, guideText, loadGame, Rng, sampleFor, type Seed } from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";
import { arena } from "../../training/arena/arena.js";
import { newFolder } from "../server/page/guest.js";
import type { Silence } from "../../agents/llm/api.js";
import { readAnswer } from "../../agents/text/answer.js";
import { type Asked, closeStubs, type Reply, stub } from "./llm-stub.js";

afterEach(closeStubs);

const lastOf = (asked: Asked): string => asked.messages.at(-1)!.content;
const listed = (asked: Asked): number => Number(/Legal actions, (\d+):/.exec(asked.messages[1]!.content)![1]);

/** A game at its first decision with something to choose. */
function opened(game: Game): Env {
  const env = new Env(game);
  env.reset("llm");
  while (env.legalCount === 1) env.step(env.mask.indexOf(1));
  return env;
}

/** The agent's choice at the first real decision of a game. */
async function firstChoice(url: string, settings = "", game: Game = loadGame("pocket-stalingrad")) {
  const env = opened(game);
  const out = new Int32Array(1);
  const agent = await makeLlm(`${url},model=stub${settings}`, { game, seed: "test", connect: true });
  await agent.act(new OneDecision(env), out);
  return { env, action: out[0]! };
}

describe("what is asked", () => {
  test("the model gets rules, map, board, standing and numbered actions, and its number is taken", async () => {
    const { url, seen } = await stub(() => "I think so.\nAction: 2");
    const { env, action } = await firstChoice(url);
    expect(seen.length).toBe(1);
    const [system, user] = seen[0]!.asked.messages;
    expect(system!.content).toContain("You play Pocket Stalingrad");
    expect(system!.content).toContain("Mamayev Kurgan");
    expect(user!.content).toMatch(
      /The board:[\s\S]*How it stands:[\s\S]*You are the Soviet side\.[\s\S]*Legal actions/,
    );
    expect(seen[0]!.asked).toMatchObject({ model: "stub", temperature: 0, max_tokens: 8192 });
    const second = /^ *2 (.*?)(?: \[([^\]]+)\])?(?: \[ends.*)?(?: !.*)?$/m.exec(
      user!.content.split("Legal actions")[1]!,
    )!;
    expect(env.game.actions[action]).toBe((second[2] ?? second[1]!).replaceAll("\u00a0", " "));
  });

  test("a decision with very many choices is given by names, in a model's window, and answered with one", async () => {
    const { url, seen } = await stub(() => "Action: hex 0448");
    const game = loadGame("streets-of-stalingrad", { scenario: "scenario-7", maxTurns: 1 });
    const { env, action } = await firstChoice(url, "", game);
    expect(env.legalCount).toBeGreaterThan(300);
    const { content } = seen[0]!.asked.messages[1]!;
    const text = seen[0]!.asked.messages.map((m) => m.content).join("\n");
    expect(getEncoding("o200k_base").encode(text).length).toBeLessThanOrEqual(4000);
    expect(content).toContain("(by number, or by name");
    expect(content).toContain(`Legal actions, ${env.legalCount}:`);
    expect(game.actions[action]).toBe("hex 0448");
  });

  test("the rules are as long as the setting says", async () => {
    const { url, seen } = await stub(() => "Action: 1");
    const { type } = loadGame("pocket-stalingrad");
    for (const length of GUIDE_LENGTHS) {
      await firstChoice(url, `,rules=${length}`);
      expect(seen.at(-1)!.asked.messages[0]!.content).toContain(guideText(type, length));
    }
    await firstChoice(url, ",rules=none");
    for (const length of GUIDE_LENGTHS)
      expect(seen.at(-1)!.asked.messages[0]!.content).not.toContain(guideText(type, length));
  });

  test("worlds that the seat can't tell apart are asked alike", async () => {
    const { url, seen } = await stub(() => "Action: 1");
    const game = loadGame("savage-streets");
    const [env, twin, rng] = [new Env(game), new Env(game), new Rng("twins")];
    env.reset("twins");
    const other = await makeAgent("random", { game, seed: "x" });
    const choice = new Int32Array(1);
    const agent = await makeLlm(`${url},model=stub`, { game, seed: "test", connect: true });
    for (let k = 0; k < 60; k++) {
      await other.act(new OneDecision(env), choice);
      if (env.legalCount > 1) {
        twin.restore(sampleFor(game, env.state, env.actor, rng));
        for (const world of [env, twin]) await agent.act(new OneDecision(world), new Int32Array(1));
        const [one, two] = seen.slice(-2);
        expect(two!.asked).toEqual(one!.asked);
      }
      env.step(choice[0]!);
    }
    expect(seen.length).toBeGreaterThan(20);
  });

  test("a forced decision costs no request", async () => {
    const { url, seen } = await stub(() => "Action: 1");
    const game = loadGame("savage-streets");
    const env = new Env(game);
    env.reset("forced");
    const other = await makeAgent("random", { game, seed: "x" });
    const choice = new Int32Array(1);
    while (env.legalCount > 1) {
      await other.act(new OneDecision(env), choice);
      env.step(choice[0]!);
    }
    const agent = await makeLlm(`${url},model=stub`, { game, seed: "test", connect: true });
    await agent.act(new OneDecision(env), choice);
    expect(env.mask[choice[0]!]).toBe(1);
    expect(seen).toEqual([]);
  });
});

describe("answers that name no action", () => {
  test("the model gets the reason and may try again", async () => {
    const { url, seen } = await stub((_asked, n) => (n === 0 ? "I attack!" : "Action: 1"));
    await firstChoice(url);
    expect(seen.length).toBe(2);
    expect(seen[1]!.asked.messages.map((m) => m.role)).toEqual(["system", "user", "assistant", "user"]);
    expect(lastOf(seen[1]!.asked)).toMatch(/"I attack!" names no legal action; give a number from 1 to \d+/);
  });

  test("after its tries a legal action is drawn, or the run ends", async () => {
    const { url, seen } = await stub(() => "no idea");
    const { env, action } = await firstChoice(url, ",tries=2");
    expect(env.mask[action]).toBe(1);
    expect(seen.length).toBe(2);
    await expect(firstChoice(url, ",tries=1,illegal=error")).rejects.toThrow(/stub named no legal action in 1/);
  });
});

describe("servers that fail", () => {
  test("a busy one is asked again after the time that it names", async () => {
    const { url, seen } = await stub((_asked, n) => (n < 2 ? { status: 429, after: "0.01" } : "Action: 1"));
    await firstChoice(url);
    expect(seen.length).toBe(3);
  });

  test("one that breaks down, stays silent or answers no completion ends the run after the retries", async () => {
    const broken = await stub(() => ({ status: 500, body: "out of memory", after: "0.01" }));
    await expect(firstChoice(broken.url, ",retries=1")).rejects.toThrow(/answers 500: "out of memory"/);
    expect(broken.seen.length).toBe(2);
    const silent = await stub(() => "silence");
    await expect(firstChoice(silent.url, ",retries=0,seconds=0.1")).rejects.toThrow(/has not answered for 0.1 s/);
    const odd = await stub(() => ({ status: 200, body: "{}" }));
    await expect(firstChoice(odd.url, ",retries=0")).rejects.toThrow(/answers no completion: "{}"/);
    await expect(firstChoice("http://127.0.0.1:1/v1", ",retries=0")).rejects.toThrow(/can't be reached/);
  });

  test("a time limit need be no whole number of milliseconds", async () => {
    const { url, seen } = await stub(() => "Action: 1");
    await firstChoice(url, ",retries=0,seconds=1.0009");
    expect(seen.length).toBe(1);
  });

  test("a refusal is not asked again", async () => {
    const { url, seen } = await stub(() => ({ status: 404, body: "no such model" }));
    await expect(firstChoice(url)).rejects.toThrow(/answers 404: "no such model"/);
    expect(seen.length).toBe(1);
  });

  test("the key goes to the server and into no message, also when the server repeats it", async () => {
    process.env["KESSEL_TEST_KEY"] = "secret-7f3a";
    const { url, seen } = await stub(() => ({ status: 401, body: "wrong key secret-7f3a" }));
    const failure = await firstChoice(url, ",key=KESSEL_TEST_KEY").catch((e: unknown) => e as Error);
    delete process.env["KESSEL_TEST_KEY"];
    expect(seen[0]!.authorization).toBe("Bearer secret-7f3a");
    expect((failure as Error).message).toContain("answers 401");
    expect((failure as Error).message).not.toContain("secret-7f3a");
  });
});

describe("limits", () => {
  test("no more requests are under way than allowed", async () => {
    const { url, most } = await stub(async () => {
      await new Promise((go) => setTimeout(go, 20));
      return "Action: 1";
    });
    const game = loadGame("pocket-stalingrad");
    const agents = [`llm:${url},model=limited,atOnce=2`, "random"];
    await arena(game, { agents, games: 16, seat: "soviet", agentFor: shortened(game) });
    expect(most.open).toBe(2);
  });

  test("a budget of tokens or money ends the run", async () => {
    const { url } = await stub(() => "Action: 1");
    await firstChoice(url, ",budget=110");
    await expect(firstChoice(url, ",budget=110")).rejects.toThrow(/has used 110 tokens of budget=110/);
    const dear = ",price=1/1000,spend=0.01";
    await firstChoice(url, dear);
    await expect(firstChoice(url, dear)).rejects.toThrow(/has cost 0.0101 of spend=0.01/);
  });
});

/** Agents as the arena makes them, but the model decides only the first three decisions of a game's rows. */
function shortened(game: Game) {
  return async (name: string, seed: Seed) => {
    const agent = await makeAgent(name, { game, seed, connect: true });
    if (!(agent instanceof LlmAgent)) return agent;
    const rest = await makeAgent("random", { game, seed });
    let asked = 0;
    return {
      name,
      act: (...args: Parameters<LlmAgent["act"]>) => (asked++ < 3 ? agent.act(...args) : rest.act(...args)),
    };
  };
}

describe("transcripts", () => {
  test("every request is kept, and a run that is begun again takes the answers from there", async () => {
    const file = join(newFolder(), "run.jsonl");
    const { url, seen } = await stub((_asked, n) => (n === 0 ? "hm" : "Action: 1"));
    const settings = parseLlm(`${url},model=stub,transcript=${file}`);
    const game = loadGame("pocket-stalingrad");
    const choose = async (): Promise<number> => {
      const env = opened(game);
      const out = new Int32Array(1);
      const model = new LanguageModel(settings, undefined, new Transcript(file));
      await new LlmAgent("llm:stub", game, "test", model).act(new OneDecision(env), out);
      return out[0]!;
    };
    const first = await choose();
    const lines = readTranscript(file);
    expect(lines.map((l) => [l.answer, l.action === null, l.asked, l.answered])).toEqual([
      ["hm", true, 100, 10],
      ["Action: 1", false, 100, 10],
    ]);
    expect(await choose()).toBe(first);
    expect(seen.length, "nothing was asked again").toBe(2);
    expect(readTranscript(file).length).toBe(2);
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -20)); // stopped while it wrote
    expect(readTranscript(file).length).toBe(1);
    writeFileSync(file, "notes\n");
    expect(() => readTranscript(file)).toThrow(/is no transcript: line 1/);
  });

  test("a run goes on behind a line that was cut off, however often it is begun again", async () => {
    const file = join(newFolder(), "torn.jsonl");
    const line = (answer: string): TranscriptLine => {
      const about = { model: "m", game: "g", seat: "s", id: "same", messages: [], action: null };
      return { ...about, answer, asked: 1, answered: 1 };
    };
    const answers = (): string[] => readTranscript(file).map((l) => l.answer);
    new Transcript(file).add(line("one"));
    new Transcript(file).add(line("zwölf"));
    writeFileSync(file, readFileSync(file).subarray(0, -30)); // stopped while it wrote
    const second = new Transcript(file);
    for (const answer of ["three", "four"]) second.add(line(answer));
    expect(answers()).toEqual(["one", "three", "four"]);
    writeFileSync(file, readFileSync(file).subarray(0, -1)); // a whole line that lacks its end only
    new Transcript(file).add(line("five"));
    expect(answers()).toEqual(["one", "three", "four", "five"]);
  });

  /** What an agent does at once in `envs`. */
  const chooseAll = async (agent: LlmAgent, envs: readonly Env[]): Promise<number[]> => {
    const out = envs.map(() => new Int32Array(1));
    await Promise.all(envs.map((env, i) => agent.act(new OneDecision(env), out[i]!)));
    return out.map((o) => o[0]!);
  };
  const wait = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

  test("games with the same question get the same answers again, whichever came first", async () => {
    const file = join(newFolder(), "alike.jsonl");
    const game = loadGame("pocket-stalingrad");
    const { url, seen } = await stub(async ({ messages }, n) => {
      await wait(n < 4 ? 60 - 20 * n : 10 * (8 - n)); // the later a question, the sooner its answer
      return messages.length === 2 && n < 2 ? "hm" : `Action: ${1 + (n % 8)}`;
    });
    const settings = parseLlm(`${url},model=stub,temperature=1,transcript=${file}`);
    const envs = [0, 1, 2, 3].map(() => opened(game));
    const choose = (): Promise<number[]> => {
      const model = new LanguageModel(settings, undefined, new Transcript(file));
      return chooseAll(new LlmAgent("llm:stub", game, "test", model), envs);
    };
    const first = await choose();
    expect(new Set(first).size).toBeGreaterThan(2);
    expect(await choose()).toEqual(first);
    expect(seen.length).toBe(6);
  });

  test("what is drawn for a game in place of an answer doesn't hang on which game is answered first", async () => {
    const game = loadGame("pocket-stalingrad");
    const envs = [0, 1, 2, 3].map((turns) => {
      const env = opened(game);
      for (let k = 0; k < 8 * turns || env.legalCount === 1; k++) env.step(env.mask.indexOf(1));
      return env;
    });
    const choose = async (delay: (n: number) => number): Promise<number[]> => {
      const { url } = await stub(async (_asked, n) => {
        await wait(delay(n));
        return "no idea";
      });
      const model = new LanguageModel(parseLlm(`${url},model=stub,tries=1`));
      return chooseAll(new LlmAgent("llm:stub", game, "test", model), envs);
    };
    expect(await choose((n) => 60 - 20 * n)).toEqual(await choose((n) => 20 * n));
  });
});

test.each([
  ["", /named by the address/],
  ["ftp://x/v1,model=m", /named by the address/],
  ["http://user:word@x/v1,model=m", /named by the address/],
  ["http://x/v1", /model=NAME/],
  ["http://x/v1,model=m,temprature=1", /no setting "temprature"; settings are model, /],
  ["http://x/v1,model=m,memory=lots", /memory is none, all, notes or a number of decisions, not "lots"/],
  ["http://x/v1,model=m,tools=odds+", /tools is none, all, or .*odds.* with \+ between them, not "odds\+"/],
  ["http://x/v1,model=m,transcript=", /transcript is the name of a file/],
  ["http://x/v1/chat/completions,model=m", /address ends before \/chat\/completions: api= says/],
  ["http://x/v1/responses/,model=m", /address ends before \/responses/],
  ["http://x/v1,model=m,model=n", /model is given twice/],
  ["http://x/v1,model=m,temperature=9", /from 0 to 2, not "9"/],
  ["http://x/v1,model=m,tries=1.5", /whole number/],
  ["http://x/v1,model=m,illegal=lose", /"random" or "error"|random or error/],
  ["http://x/v1,model=m,key=KESSEL_NO_SUCH", /no variable "KESSEL_NO_SUCH"/],
  ["http://x/v1,model=m,price=cheap", /price=0.5\/1.5/],
])("`llm:%s` is refused with what would be right", (argument, why) => {
  expect(() => parseLlm(argument)).toThrow(why);
});

test.each([
  "http://user:hunter2@x/v1,model=m",
  "http://x/v1?key=hunter2,model=m",
  "http://x/v1,model=m,apikey=hunter2",
  "http://x/v1,model=m,key=hunter2",
])("`llm:%s` is refused without saying what may be secret", (argument) => {
  expect(() => parseLlm(argument)).toThrow(/key/);
  expect(() => parseLlm(argument)).not.toThrow(/hunter2/);
});

test("a transcript that can't be written is refused before anything is asked", async () => {
  const { url, seen } = await stub(() => "Action: 1");
  await expect(firstChoice(url, ",transcript=/no/such/folder/t.jsonl")).rejects.toThrow(/can't be written: ENOENT/);
  await expect(firstChoice(url, `,transcript=${newFolder()}/x/t.jsonl`)).rejects.toThrow(/can't be written/);
  expect(seen).toEqual([]);
});

test("a server connects to no model", () => {
  const game = loadGame("pocket-stalingrad");
  expect(() => makeLlm("http://x/v1,model=m", { game, seed: 1 })).toThrow(/kessel arena and kessel play/);
});

test("models play under seeds that they can't compute, as all agents outside do", async () => {
  const { url } = await stub((asked) => `Action: ${listed(asked)}`);
  const game = loadGame("pocket-stalingrad");
  const result = await arena(game, { agents: [`llm:${url},model=whole,tries=1`, "random"], games: 2 });
  expect(result.secret).toMatch(/^[0-9a-f]{64}$/);
});

test("the answers of models are summed up in one sentence for each name", async () => {
  const { url } = await stub((_, n) =>
    n === 0 ? "I don't know" : { status: 200, body: '{"choices":[{"message":{"content":null,"refusal":"no"}}]}' },
  );
  const game = loadGame("pocket-stalingrad");
  const agent = await makeLlm(`${url},model=sentence,tries=2`, { game, seed: "test", connect: true });
  await agent.act(new OneDecision(opened(game)), new Int32Array(1));
  expect(usageLines()).toContain(
    "llm:sentence (settings: default): 2 answers, 2 without a legal action (100.0 %), empty: 1 refused; 100 tokens asked, 10 answered",
  );
});

test("models of one name are summed up by the settings that are compared", async () => {
  const { url } = await stub(() => "Action: 1");
  const game = loadGame("pocket-stalingrad");
  for (const settings of ["", ",rules=none", ",rules=none,seconds=9"]) {
    const agent = await makeLlm(`${url},model=apart${settings}`, { game, seed: "test", connect: true });
    await agent.act(new OneDecision(opened(game)), new Int32Array(1));
  }
  const lines = usageLines().filter((line) => line.startsWith("llm:apart"));
  expect(lines.map((line) => /^llm:apart \((.*)\): (\d+) answers/.exec(line)!.slice(1))).toEqual([
    ["settings: default", "1"],
    ["settings: rules=none", "2"],
  ]);
});

describe("what servers of today answer", () => {
  const completion = (message: object, finish = "stop", usage: object = {}): Reply => ({
    status: 200,
    body: JSON.stringify({ choices: [{ index: 0, finish_reason: finish, message }], usage }),
  });
  const call = { type: "function", function: { name: "act", arguments: '{"action":2}' } };

  /** What one request comes to. */
  async function asked(reply: (asked: Asked, n: number) => Reply, settings = "") {
    const { url, seen } = await stub(reply);
    const model = new LanguageModel(parseLlm(`${url},model=stub${settings}`));
    const read = (text: string): string => readAnswer(["pass", "move"], text);
    const answer = await model.ask([{ role: "user", content: "?" }], { game: "g", seat: "s" }, read);
    return { ...answer, silent: model.usage.silent, usage: model.usage, seen: seen.map((s) => s.asked) };
  }

  test.each<[string, Reply]>([
    ["a text", completion({ content: "Action: 2" })],
    ["a text in parts", completion({ content: [{ type: "text", text: "I think." }, { type: "text", text: "Action: 2" }] })], // prettier-ignore
    ["a text and thoughts beside it", completion({ content: "2", reasoning_content: "Maybe 1? Action: 1" })],
    ["marked thoughts before a text", completion({ content: "<think>Action: 1, or not</think>\nAction: 2" })],
    ["a call of a tool", completion({ content: null, tool_calls: [call] }, "tool_calls")],
    ["a stream of events", { status: 200, body: 'data: {"choices":[{"delta":{"content":"Action:"}}]}\n\ndata: {"choices":[{"delta":{"content":" 2"}}]}\n\ndata: [DONE]\n\n' }], // prettier-ignore
  ])("%s is read", async (_what, reply) => {
    expect(await asked(() => reply)).toMatchObject({ meant: "move", silent: {} });
  });

  test.each<[string, Reply, Silence]>([
    [
      "no content, its thoughts cut off",
      completion({ content: null, reasoning_content: "Action: 1" }, "length"),
      "cut off",
    ],
    ["thoughts that are cut off", completion({ content: "<think>Action: 2 looks good but" }, "length"), "cut off"],
    ["a refusal", completion({ content: null, refusal: "I can't help with war." }), "refused"],
    ["what a filter has left", completion({ content: "" }, "content_filter"), "filtered"],
    ["nothing", completion({ content: "" }), "empty"],
    ["that the request is too long", { status: 400, body: '{"error":{"code":"context_length_exceeded"}}' }, "too long a request"], // prettier-ignore
  ])("%s is an answer that names no action, counted by its reason", async (_what, reply, silence) => {
    const { meant, wrong, silent, usage } = await asked(() => reply);
    expect({ meant, silent, illegal: usage.illegal }).toEqual({ meant: null, silent: { [silence]: 1 }, illegal: 1 });
    expect(wrong).toContain(silence);
  });

  test("a model that takes no max_tokens, or no temperature, is asked without, and so ever after", async () => {
    const { url, seen } = await stub((asked) => {
      const wrong = (["max_tokens", "temperature"] as const).find((name) => asked[name] !== undefined);
      if (wrong === undefined) return "2";
      const message = `Unsupported: '${wrong}' is not supported with this model.`;
      return {
        status: 400,
        body: JSON.stringify({ error: { message, param: wrong === "temperature" ? null : wrong } }),
      };
    });
    const model = new LanguageModel(parseLlm(`${url},model=stub,tokens=99`));
    for (const content of ["one", "two"])
      await model.ask([{ role: "user", content }], { game: "g", seat: "s" }, (text) => text);
    expect(seen).toHaveLength(4);
    expect(seen.at(-1)!.asked).toMatchObject({ max_completion_tokens: 99 });
    expect(seen.at(-1)!.asked).not.toHaveProperty("max_tokens");
    expect(seen.at(-1)!.asked).not.toHaveProperty("temperature");
  });

  test("effort is passed on, and temperature=default leaves it to the server", async () => {
    const { seen } = await asked(() => "2", ",effort=low,temperature=default");
    expect(seen[0]).toMatchObject({ reasoning_effort: "low" });
    expect(seen[0]).not.toHaveProperty("temperature");
    expect(() => parseLlm("http://a/v1,model=m,effort=huge")).toThrow(
      "effort is none, minimal, low, medium, high, xhigh or max",
    );
  });

  test("a busy server may name a moment in place of seconds", async () => {
    let began = 0;
    const { meant } = await asked((_, n) => {
      if (n > 0) return "2";
      began = performance.now();
      return { status: 429, body: "{}", after: new Date(Date.now() + 2500).toUTCString() };
    });
    expect(meant).toBe("move");
    expect(performance.now() - began).toBeGreaterThan(1000); // a date has no parts of seconds
  });

  test("a transcript keeps why an answer ended, its thoughts and its time, and gives all of it again", async () => {
    const file = join(newFolder(), "t.jsonl");
    const reply = completion({ content: null }, "length", { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 8 } }); // prettier-ignore
    const { url, seen } = await stub(() => reply);
    const settings = parseLlm(`${url},model=stub,transcript=${file}`);
    const ask = async (transcript: Transcript) => {
      const model = new LanguageModel(settings, undefined, transcript);
      await model.ask([{ role: "user", content: "?" }], { game: "g", seat: "s" }, (text) => readAnswer(["pass"], text));
      return model.usage;
    };
    const first = await ask(new Transcript(file));
    expect(readTranscript(file)).toMatchObject([{ finish: "length", silence: "cut off", thought: 8, answered: 9 }]);
    expect(readTranscript(file)[0]!.ms).toBeGreaterThanOrEqual(0);
    expect(await ask(new Transcript(file))).toEqual(first);
    expect(seen).toHaveLength(1);
  });
});
