import { afterEach, describe, expect, test } from "vitest";
import type { Silence } from "../../agents/llm/api.js";
import { ServerDown } from "../../agents/llm/endpoint.js";
import { LlmAgent } from "../../agents/llm/llm.js";
import { LanguageModel } from "../../agents/llm/model.js";
import { parseLlm } from "../../agents/llm/settings.js";
import { readAnswer } from "../../agents/text/answer.js";
import { Env, loadGame } from "../../env/index.js";
import { OneDecision } from "../../server/session/one-decision.js";
import { arena } from "../../training/arena/arena.js";
import { type Asked, closeStubs, messageOf, type Reply, responseOf, stub } from "./llm-stub.js";

afterEach(closeStubs);

const GAME = loadGame("pocket-stalingrad");
const json = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) });
const events = (...list: readonly object[]): string => list.map((e) => `data: ${JSON.stringify(e)}\n\n`).join("");
const stream = (...list: readonly object[]): Reply => ({ status: 200, body: events(...list) });

/** A model and what was asked of it. */
async function stubbed(settings: string, reply: (asked: Asked, n: number) => Reply) {
  const { url, seen } = await stub(reply);
  const model = new LanguageModel(parseLlm(`${url},model=stub${settings}`));
  const ask = (content = "?") =>
    model.ask(
      [
        { role: "system", content: "Rules." },
        { role: "user", content },
      ],
      { game: "g", seat: "s" },
      (text) => readAnswer(["pass", "move"], text),
    );
  return { model, ask, seen };
}

describe("what is sent to the Responses API", () => {
  test("rules as instructions, the conversation as input, and limits in its own words; nothing is stored", async () => {
    const { url, seen } = await stub((_asked, n) => (n === 0 ? "Forward!" : "Action: 1"));
    const env = new Env(GAME);
    env.reset("responses");
    while (env.legalCount === 1) env.step(env.mask.indexOf(1));
    const model = new LanguageModel(parseLlm(`${url},model=stub,api=responses,effort=high,tokens=99`));
    await new LlmAgent("llm:stub", GAME, "test", model).act(new OneDecision(env), new Int32Array(1));
    expect(seen.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/responses"]);
    const [first, second] = seen.map(({ asked }) => asked);
    expect(Object.keys(first!).sort()).toEqual(
      ["input", "instructions", "max_output_tokens", "model", "reasoning", "store", "temperature"].sort(),
    );
    expect(first).toMatchObject({ max_output_tokens: 99, reasoning: { effort: "high" }, store: false, temperature: 0 });
    expect(first!["instructions"]).toContain("You play Pocket Stalingrad");
    expect((first!["input"] as { role: string; content: string }[]).map((m) => m.role)).toEqual(["user"]);
    const again = second!["input"] as { role: string; content: string }[];
    expect(again.map((m) => m.role)).toEqual(["user", "assistant", "user"]);
    expect(again[1]!.content).toBe("Forward!");
    expect(model.usage).toMatchObject({ answers: 2, illegal: 1, asked: 200, answered: 20 });
  });

  test("a model that takes no temperature, or a server that does not store, is asked without", async () => {
    const { ask, seen } = await stubbed(",api=responses", (asked) => {
      const wrong = ["temperature", "store"].find((name) => asked[name] !== undefined);
      if (wrong === undefined) return "2";
      return json({ error: { message: `Unsupported parameter: '${wrong}' is not supported with this model.` } }, 400);
    });
    expect((await ask()).meant).toBe("move");
    await ask("again");
    expect(seen).toHaveLength(4);
  });

  test("whole games are played over it", async () => {
    const { url, seen } = await stub(() => "Action: 1");
    const agents = [`llm:${url},model=whole,api=responses`, "random"];
    const result = await arena(GAME, { agents, games: 2 });
    expect(result.standings[0]!.total.games).toBe(2);
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(["/v1/responses"]));
  });
});

const thoughts = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Action: 1, or not" }] };
const call = { type: "function_call", call_id: "c", name: "act", arguments: '{"action":2}' };
const refusal = { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "I can't." }] };
const delta = (text: string): object => ({ type: "response.output_text.delta", delta: text });
const cut = (reason: string): object => ({ status: "incomplete", incomplete_details: { reason } });

test.each<[string, Reply]>([
  ["a message", json(responseOf([messageOf("Action: 2")]))],
  ["thoughts and a message", json(responseOf([thoughts, messageOf("Action: 2")]))],
  ["a message in parts", json(responseOf([messageOf("I think.", "Action: 2")]))],
  ["two messages", json(responseOf([messageOf("First I look."), thoughts, messageOf("Action: 2")]))],
  ["a call of a function", json(responseOf([thoughts, call]))],
  ["words and a call", json(responseOf([messageOf("I move."), call]))],
  ["an answer that was cut off behind its action", json(responseOf([messageOf("Action: 2")], cut("max_output_tokens")))], // prettier-ignore
  ["items of a kind that is not known", json(responseOf([{ type: "web_search_call" }, messageOf("2")]))],
  ["a stream", stream({ type: "response.created", response: { status: "in_progress", output: [] } }, delta("Action:"), delta(" 2"), { type: "response.completed", response: responseOf([messageOf("Action: 2")]) })], // prettier-ignore
  ["a stream that ends with a response without items", stream(delta("Action:"), delta(" 2"), { type: "response.completed", response: responseOf([]) })], // prettier-ignore
  ["a stream whose items come one by one", stream({ type: "response.output_item.done", item: thoughts }, { type: "response.output_item.done", item: messageOf("Action: 2") }, { type: "response.completed", response: { status: "completed" } })], // prettier-ignore
  ["a call in a stream", stream({ type: "response.function_call_arguments.delta", delta: '{"act' }, { type: "response.function_call_arguments.delta", delta: 'ion":2}' }, { type: "response.completed", response: responseOf([]) })], // prettier-ignore
  ["a stream with names of events", { status: 200, body: `event: response.completed\r\ndata: ${JSON.stringify({ type: "response.completed", response: responseOf([messageOf("2")]) })}\r\n\r\n` }], // prettier-ignore
])("Responses: %s is read", async (_what, reply) => {
  const { ask, model } = await stubbed(",api=responses", () => reply);
  expect((await ask()).meant).toBe("move");
  expect(model.usage.silent).toEqual({});
});

test.each<[string, Reply, Silence]>([
  ["thoughts alone that were cut off", json(responseOf([thoughts], cut("max_output_tokens"))), "cut off"],
  ["a filter", json(responseOf([], cut("content_filter"))), "filtered"],
  ["a refusal", json(responseOf([thoughts, refusal])), "refused"],
  ["nothing", json(responseOf([thoughts])), "empty"],
  ["a message without text", json(responseOf([messageOf("")])), "empty"],
  ["a request that is too long", json({ error: { code: "context_length_exceeded", message: "too long" } }, 400), "too long a request"], // prettier-ignore
  ["a question that is not allowed", json({ error: { code: "invalid_prompt", message: "usage policy" } }, 400), "filtered"], // prettier-ignore
  ["a failure by the question", json(responseOf([], { status: "failed", error: { code: "invalid_prompt", message: "no" } })), "filtered"], // prettier-ignore
  ["a stream that was cut off", stream({ type: "response.reasoning_summary_text.delta", delta: "Action: 1" }, { type: "response.incomplete", response: responseOf([], cut("max_output_tokens")) }), "cut off"], // prettier-ignore
  ["a refusal in a stream", stream({ type: "response.refusal.delta", delta: "I can't" }, { type: "response.completed", response: responseOf([]) }), "refused"], // prettier-ignore
])("Responses: %s is an answer that names no action, counted by its reason", async (_what, reply, silence) => {
  const { ask, model, seen } = await stubbed(",api=responses", () => reply);
  const { meant, wrong } = await ask();
  expect({ meant, silent: model.usage.silent }).toEqual({ meant: null, silent: { [silence]: 1 } });
  expect(wrong).toContain(silence);
  expect(seen).toHaveLength(1);
});

test.each<[string, string, Reply, RegExp]>([
  ["Responses", "a failure of the server", json(responseOf([], { status: "failed", error: { code: "server_error", message: "oops" } })), /with a fault: "server_error: oops"/], // prettier-ignore
  ["Responses", "a failure in a stream", stream(delta("Action: 1"), { type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "oops" } } }), /server_error: oops/], // prettier-ignore
  ["Responses", "an error in a stream", stream(delta("Action: 1"), { type: "error", code: "rate_limit_exceeded", message: "slow down" }), /rate_limit_exceeded: slow down/], // prettier-ignore
  ["Responses", "a stream that breaks off", stream(delta("Action: 1")), /broke off/],
  ["Responses", "a response that is not finished", json(responseOf([], { status: "queued" })), /status is .*queued/],
  ["Responses", "no response", json({ choices: [] }), /answers no completion/],
  ["chat", "an error in a stream", stream({ choices: [{ delta: { content: "Action: 1" } }] }, { error: { code: 502, message: "upstream" } }), /502: upstream/], // prettier-ignore
  ["chat", "a stream that breaks off", stream({ choices: [{ delta: { content: "Action: 1" } }] }), /broke off/],
  ["chat", "an error in place of a completion", json({ error: { code: 502, message: "upstream" } }), /502: upstream/],
])("%s: %s is asked again, then set aside", async (api, _what, reply, why) => {
  const { ask, seen } = await stubbed(`,retries=1${api === "chat" ? "" : ",api=responses"}`, () => reply);
  const failure = await ask().catch((e: unknown) => e);
  expect(failure).toBeInstanceOf(ServerDown);
  expect((failure as Error).message).toMatch(why);
  expect(seen).toHaveLength(2);
  const better = await stubbed(api === "chat" ? "" : ",api=responses", (_asked, n) => (n === 0 ? reply : "Action: 2"));
  expect((await better.ask()).meant).toBe("move");
});

describe("a thought in pieces", () => {
  const pieces = ["reasoning", "content"].flatMap((key) =>
    [1, 2, 3].map((n) =>
      events({ choices: [{ delta: { [key]: key === "content" && n === 3 ? "\nAction: 2" : "..." } }] }),
    ),
  );
  const end = `${events({ choices: [{ delta: {}, finish_reason: "stop" }] }, { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } })}data: [DONE]\n\n`;
  const slow: Reply = { status: 200, pieces: [": keep alive\n\n", ...pieces, end], pause: 110 };

  test("may take longer than `seconds`, which then limits the silence between pieces", async () => {
    const { ask, model, seen } = await stubbed(",stream=yes,seconds=0.6,retries=0", () => slow);
    expect((await ask()).meant).toBe("move");
    expect(seen[0]!.asked).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(model.usage).toMatchObject({ asked: 7, answered: 5 });
    const whole = await stubbed(",seconds=0.6,retries=0", () => slow);
    await expect(whole.ask()).rejects.toThrow(/has not answered for 0.6 s/);
    expect(whole.seen[0]!.asked).not.toHaveProperty("stream");
    const silent = await stubbed(",stream=yes,seconds=0.1,retries=0", () => ({ ...slow, pause: 900 }));
    await expect(silent.ask()).rejects.toThrow(/has not answered for 0.1 s/);
  });

  test("a server that can't count in streams is asked without", async () => {
    const { ask, seen } = await stubbed(",stream=yes", (asked) =>
      asked["stream_options"] === undefined
        ? slow
        : json({ error: { message: "unknown field 'stream_options'" } }, 400),
    );
    expect((await ask()).meant).toBe("move");
    expect(seen.at(-1)!.asked["stream"]).toBe(true);
  });

  test("calls and refusals come in pieces as well", async () => {
    const given = ['{"act', 'ion": 2}'].map((text) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, function: { name: "act", arguments: text } }] } }],
    }));
    const called = await stubbed("", () => stream(...given, { choices: [{ delta: {}, finish_reason: "tool_calls" }] }));
    expect((await called.ask()).meant).toBe("move");
    const no = ["I ", "can't"].map((text) => ({ choices: [{ delta: { refusal: text } }] }));
    const refused = await stubbed("", () => stream(...no, { choices: [{ delta: {}, finish_reason: "stop" }] }));
    await refused.ask();
    expect(refused.model.usage.silent).toEqual({ refused: 1 });
  });
});

describe("answers as calls", () => {
  test.each(["chat", "responses"])("calls=yes offers a function, api=%s", async (api) => {
    const { url, seen } = await stub(() =>
      api === "chat"
        ? json({ choices: [{ message: { content: "Well.", tool_calls: [{ function: { name: "act", arguments: '{"action":"2"}' } }] } }] }) // prettier-ignore
        : json(responseOf([messageOf("Well."), call])),
    );
    const env = new Env(GAME);
    env.reset("calls");
    while (env.legalCount === 1) env.step(env.mask.indexOf(1));
    const model = new LanguageModel(parseLlm(`${url},model=stub,calls=yes,api=${api},tools=odds,memory=notes`));
    await new LlmAgent("llm:stub", GAME, "test", model).act(new OneDecision(env), new Int32Array(1));
    expect(model.usage).toMatchObject({ answers: 1, illegal: 0 });
    const [tool] = seen[0]!.asked["tools"] as { function?: { name: string; parameters: { properties: object } } }[];
    const named = api === "chat" ? tool!.function! : (tool as { name: string; parameters: { properties: object } });
    expect(named.name).toBe("act");
    expect(Object.keys(named.parameters.properties)).toEqual(["action", "ask", "notes"]);
    expect(named.parameters).toMatchObject({ type: "object", properties: { action: { type: "string" } } });
  });

  test("without it none is offered", async () => {
    const { ask, seen } = await stubbed("", () => "2");
    await ask();
    expect(seen[0]!.asked).not.toHaveProperty("tools");
  });
});

describe("what servers refuse", () => {
  const refused = (message: string, more: object = {}): Reply => json({ error: { message, ...more } }, 400);

  test.each<[string, Reply, Silence]>([
    ["a filter of questions", refused("The response was filtered due to the prompt.", { code: "content_filter" }), "filtered"], // prettier-ignore
    ["llama.cpp's window", refused("the request exceeds the available context size, try increasing it", { type: "exceed_context_size_error" }), "too long a request"], // prettier-ignore
    ["a body that is too large", { status: 413, body: "" }, "too long a request"],
    ["a window smaller than the question", refused("This model's maximum context length is 512 tokens. However, you requested 8792 tokens (600 in the messages, 8192 in the completion)."), "too long a request"], // prettier-ignore
  ])("%s is an answer that names no action", async (_what, reply, silence) => {
    const { ask, model, seen } = await stubbed("", () => reply);
    await ask();
    expect(model.usage.silent).toEqual({ [silence]: 1 });
    expect(seen).toHaveLength(1);
  });

  test("where the window has room for less of an answer, less is asked for, this once", async () => {
    const { ask, seen } = await stubbed("", (asked) =>
      asked.max_tokens > 1400
        ? refused("This model's maximum context length is 2048 tokens. However, you requested 8840 tokens (648 in the messages, 8192 in the completion).") // prettier-ignore
        : "2",
    );
    expect((await ask()).meant).toBe("move");
    await ask("again");
    expect(seen.map(({ asked }) => asked.max_tokens)).toEqual([8192, 1400, 8192, 1400]);
  });

  test("a model whose answers are shorter is asked for less, and so ever after", async () => {
    const { ask, seen } = await stubbed("", (asked) =>
      asked.max_tokens > 4096
        ? refused("max_tokens is too large: 8192. This model supports at most 4096 completion tokens.", { param: "max_tokens" }) // prettier-ignore
        : "2",
    );
    expect((await ask()).meant).toBe("move");
    await ask("again");
    expect(seen.map(({ asked }) => asked.max_tokens)).toEqual([8192, 4096, 4096]);
  });

  test("questions asked at once may all be refused a parameter, and each is asked without", async () => {
    const { ask, seen } = await stubbed("", (asked) =>
      asked.temperature === undefined ? "2" : refused("'temperature' is not supported"),
    );
    const all = await Promise.all(["a", "b", "c", "d"].map((content) => ask(content)));
    expect(all.map(({ meant }) => meant)).toEqual(["move", "move", "move", "move"]);
    expect(seen).toHaveLength(8);
  });

  test("a refusal ends a run at its beginning; later it sets one question aside", async () => {
    const { ask } = await stubbed("", (asked) =>
      asked.messages[1]!.content === "odd" ? refused("what is this?") : "Action: 2",
    );
    expect(await ask("odd").catch((e: unknown) => e)).not.toBeInstanceOf(ServerDown);
    await ask();
    expect(await ask("odd").catch((e: unknown) => e)).toBeInstanceOf(ServerDown);
    expect((await ask("on")).meant).toBe("move");
  });

  test.each([408, 409, 429, 503])("%i is asked again", async (status) => {
    const { ask, seen } = await stubbed("", (_asked, n) => (n === 0 ? { status, after: "0.01" } : "2"));
    expect((await ask()).meant).toBe("move");
    expect(seen).toHaveLength(2);
  });
});
