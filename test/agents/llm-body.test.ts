import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { makeLlm, usageLines } from "../../agents/llm/llm.js";
import { LanguageModel } from "../../agents/llm/model.js";
import { settingsText, written } from "../../agents/llm/named.js";
import { pieces } from "../../agents/llm/pieces.js";
import { type LlmSettings, parseLlm } from "../../agents/llm/settings.js";
import { readTranscript, Transcript } from "../../agents/llm/transcript.js";
import { agentKinds } from "../../agents/registry.js";
import { Env, loadGame } from "../../env/index.js";
import { splitAgents } from "../../server/cli/common.js";
import { OneDecision } from "../../server/session/one-decision.js";
import { comparedOf, labelsOf } from "../../server/suite/agents.js";
import { submissionOf } from "../../server/suite/submission.js";
import { newFolder } from "../server/page/guest.js";
import { closeStubs, stub } from "./llm-stub.js";

afterEach(closeStubs);

const AT = "http://127.0.0.1:1/v1,model=m";
const BODY = '{"top_k":1,"provider":{"order":["a","b"],"note":"}, \\"{"}}';
const read = (settings: string): LlmSettings => parseLlm(`${AT},${settings}`);
const about = { game: "g", seat: "s" };

describe("a further body", () => {
  test("may have commas and braces of its own, in a list of agents as well", () => {
    expect(read(`body=${BODY},tries=2`)).toMatchObject({ body: JSON.parse(BODY) as object, tries: 2 });
    expect(pieces('a,b={"x":"\\",","y":{"z":1}},c')).toEqual(["a", 'b={"x":"\\",","y":{"z":1}}', "c"]);
    expect(pieces('a"b,c')).toEqual(['a"b', "c"]);
    expect(splitAgents(`llm:${AT},body=${BODY},tries=2,random`, agentKinds())).toEqual([
      `llm:${AT},body=${BODY},tries=2`,
      "random",
    ]);
  });

  test.each(["chat", "responses"])("goes into each request, api=%s", async (api) => {
    const { url, seen } = await stub(() => "2");
    const file = join(newFolder(), "body.json");
    writeFileSync(file, BODY);
    for (const body of [BODY, file]) {
      const model = new LanguageModel(parseLlm(`${url},model=stub,api=${api},body=${body}`));
      for (const content of ["one", "two"]) await model.ask([{ role: "user", content }], about, (text) => text);
    }
    expect(seen).toHaveLength(4);
    for (const { asked } of seen)
      expect(asked).toMatchObject({ top_k: 1, provider: { order: ["a", "b"] }, temperature: 0, model: "stub" });
  });

  test("of the Responses API may say what becomes of thoughts, and that they are stored", async () => {
    const { url, seen } = await stub(() => "2");
    const body = '{"reasoning":{"summary":"auto"},"store":true}';
    const model = new LanguageModel(parseLlm(`${url},model=stub,api=responses,effort=low,body=${body}`));
    await model.ask([{ role: "user", content: "?" }], about, (text) => text);
    expect(seen[0]!.asked).toMatchObject({ reasoning: { effort: "low", summary: "auto" }, store: true });
  });

  test.each([
    ['body={"top_k":1', /agent: body is a JSON object, such as body=\{"top_k":1\}.*this is not JSON/],
    ["body={top_k:1}", /body is a JSON object.*this is not JSON \(position 1\)/],
    ["body=/no/such/file.json", /body is a JSON object.*the file "\/no\/such\/file.json" can't be read: ENOENT/],
    ["body=[1]", /body is a JSON object.*this is no object/],
    ['body={"model":"other"}', /body can't set "model", which the agent writes: say model=/],
    ['body={"messages":[]}', /body can't set "messages", which the agent writes itself/],
    ['body={"input":"x"},api=responses', /body can't set "input", which the agent writes itself/],
    ['body={"temperature":1}', /body can't set "temperature".*say temperature=/],
    ['body={"max_completion_tokens":9}', /body can't set "max_completion_tokens".*say tokens=/],
    ['body={"max_output_tokens":9},api=responses', /body can't set "max_output_tokens".*say tokens=/],
    ['body={"reasoning_effort":"low"}', /body can't set "reasoning_effort".*say effort=/],
    ['body={"reasoning":{"effort":"low"}},api=responses', /body can't set "reasoning.effort".*say effort=/],
    ['body={"reasoning":1},api=responses', /body can set "reasoning" to an object only/],
    ['body={"stream":true}', /body can't set "stream".*say stream=/],
    ['body={"tools":[]},calls=yes', /body can't set "tools".*say calls=/],
    ['body={"api_key":"hunter2"}', /body can't hold a secret \("api_key"\)/],
    ['body={"extra":[{"x":{"Authorization":"hunter2"}}]}', /body can't hold a secret \("Authorization"\)/],
    ["api=completions", /api is chat or responses, not "completions"/],
    ["stream=maybe", /stream is no or yes/],
    ["calls=1", /calls is no or yes/],
    ["effort=huge", /effort is none, minimal, low, medium, high, xhigh or max/],
  ])("%s is refused by the option's name", (settings, why) => {
    expect(() => read(settings)).toThrow(why);
    expect(() => read(settings)).not.toThrow(/hunter2/);
  });

  test.each(["tools", "reasoning", "response_format", "prompt_cache_key", "stop_token_ids", "max_tool_calls"])(
    "may set %s, which the agent does not write",
    (key) => {
      expect(read(`body={"${key}":{}}`).body).toEqual({ [key]: {} });
    },
  );

  test("is refused where a file is no object, without what it holds", () => {
    const file = join(newFolder(), "secret.txt");
    for (const [text, why] of [
      ["[1]", /is no object/],
      ["KEY=hunter2", /is not JSON/],
    ] as const) {
      writeFileSync(file, text);
      expect(() => read(`body=${file}`)).toThrow(why);
      expect(() => read(`body=${file}`)).not.toThrow(/hunter2/);
    }
  });

  test("never holds the key that the environment has", () => {
    process.env["KESSEL_TEST_KEY"] = "secret-7f3a";
    try {
      expect(() => read('key=KESSEL_TEST_KEY,body={"user":"x secret-7f3a"}')).toThrow(/can't hold a secret \("user"\)/);
      expect(() => read('key=KESSEL_TEST_KEY,body={"user":["secret-7f3a"]}')).toThrow(/can't hold a secret/);
    } finally {
      delete process.env["KESSEL_TEST_KEY"];
    }
  });
});

describe("what is recorded of it", () => {
  const given = `api=responses,body={"top_k":1},calls=yes,tokens=99`;
  const words = 'api=responses, body={"top_k":1}, calls=yes, tokens=99';

  test("tables and submissions name what is not the default", () => {
    const settings = read(given);
    expect(settingsText((key) => written(settings, key))).toBe(words);
    const names = [`llm:${AT},${given}`, `llm:${AT}`];
    expect(labelsOf(names)).toEqual([
      'llm:m,api=responses,body={"top_k":1},calls=yes,tokens=99',
      "llm:m,api=chat,body=none,calls=no,tokens=8192",
    ]);
    expect(comparedOf(names[0]!)!.at(-1)).toBe(words);
    const made = submissionOf("1", 0, [{ name: names[0]!, label: "m", results: [], heldOut: [] }]);
    expect(made.agents[0]!.settings).toMatchObject({ api: "responses", body: '{"top_k":1}', calls: "yes" });
    expect(JSON.stringify(made)).not.toContain("127.0.0.1");
  });

  test("plain arena's sentence names it", async () => {
    const { url } = await stub(() => "Action: 1");
    const game = loadGame("pocket-stalingrad");
    const env = new Env(game);
    env.reset("llm");
    while (env.legalCount === 1) env.step(env.mask.indexOf(1));
    const agent = await makeLlm(`${url},model=named,${given}`, { game, seed: "test", connect: true });
    await agent.act(new OneDecision(env), new Int32Array(1));
    expect(usageLines().find((line) => line.startsWith("llm:named"))).toContain(`(settings: ${words}): 1 answers`);
  });

  test("a transcript has it, and gives no answer that was given to another", async () => {
    const file = join(newFolder(), "t.jsonl");
    const { url, seen } = await stub((_asked, n) => String(n));
    const ask = async (settings: string): Promise<string> => {
      const all = parseLlm(`${url},model=stub,transcript=${file}${settings}`);
      const model = new LanguageModel(all, undefined, new Transcript(file));
      return (await model.ask([{ role: "user", content: "?" }], about, (text) => text)).text;
    };
    const others = ["", ",api=responses", ',body={"top_k":1}', ",effort=low", ",tokens=9", ",calls=yes"];
    for (const [n, settings] of others.entries()) expect(await ask(settings)).toBe(String(n));
    for (const [n, settings] of others.entries()) expect(await ask(settings)).toBe(String(n));
    expect(seen).toHaveLength(others.length);
    expect(readTranscript(file).map((line) => line.settings)).toEqual(
      others.map((settings) => settings.slice(1) || "default"),
    );
    expect(readTranscript(file)[1]).toMatchObject({ thought: 4, finish: "completed", answered: 10 });
    expect(readFileSync(file, "utf8")).not.toContain("127.0.0.1");
  });

  test("a transcript has the thoughts that a server shows, and what it had in its cache", async () => {
    const file = join(newFolder(), "t.jsonl");
    const message = { content: "<think>North?</think>2", reasoning_content: "South?" };
    const usage = { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 8 }, completion_tokens: 1 };
    const { url } = await stub(() => ({ status: 200, body: JSON.stringify({ choices: [{ message }], usage }) }));
    const model = new LanguageModel(parseLlm(`${url},model=stub,transcript=${file}`), undefined, new Transcript(file));
    await model.ask([{ role: "user", content: "?" }], about, (text) => text);
    expect(readTranscript(file)).toMatchObject([{ answer: "2", thoughts: "South?\nNorth?", cached: 8 }]);
  });
});
