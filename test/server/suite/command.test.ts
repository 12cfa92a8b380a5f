import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { labelsOf } from "../../../server/suite/agents.js";
import { readSuite } from "../../../server/suite/document.js";
import type { SuiteResult } from "../../../server/suite/run.js";
import { closeStubs, stub } from "../../agents/llm-stub.js";
import { kesselHere } from "../cli/kessel.js";
import { newFolder } from "../page/guest.js";

afterEach(closeStubs);

const suite = (agents: readonly string[], ...flags: string[]) =>
  kesselHere(["arena", "night-fight", "--suite", "language", "--parts", "rules", "-a", agents.join(","), ...flags]);

describe("agents of a suite are told from what can't be before any is asked", () => {
  test.each([
    [["random", "heuristic:nobody"], /night-fight has no heuristic "nobody"/],
    [["onnx:nowhere.onnx"], /there is no model file/],
    [["llm:http://127.0.0.1:1/v1,model=m,temprature=1"], /no setting "temprature"/],
    [["random", "random"], /the agent "random" is named twice/],
    [["random", ""], /a name is empty in the list of agents/],
  ])("%j", async (others, why) => {
    const { url, seen } = await stub(() => "Answer: yes");
    const { status, err } = await suite([`llm:${url},model=paid`, ...others]);
    expect(status).toBe(2);
    expect(err).toMatch(why);
    expect(seen.length).toBe(0);
  });

  test("for every game that is played", async () => {
    const { url, seen } = await stub(() => "Answer: yes");
    const agents = `llm:${url},model=paid,heuristic:runner`; // which plays night-fight alone
    const { status, err } = await kesselHere(["arena", "--suite", "language", "--parts", "rules", "-a", agents]);
    expect([status, seen.length]).toEqual([2, 0]);
    expect(err).toMatch(/has no heuristic "runner"/);
  });
});

test("what earlier agents reached is printed and written when a later one fails", async () => {
  const file = join(newFolder(), "suite.json");
  const good = await stub(() => "Answer: yes");
  const bad = await stub(() => ({ status: 404, body: "no such model" }));
  const agents = [`llm:${good.url},model=good`, `llm:${bad.url},model=bad`];
  const ran = await suite(agents, "--json", file);
  expect(ran.status).toBe(2);
  expect(ran.err).toContain("answers 404");
  expect(ran.out).toMatch(/llm:good +- +- +\d/);
  const written = JSON.parse(readFileSync(file, "utf8")) as SuiteResult[];
  expect(written.map((r) => [r.agent, r.rules!.asked])).toEqual([
    ["llm:good", readSuite("night-fight").suite.rules.length],
  ]);
  const printed = JSON.parse((await suite(agents, "--json")).out) as SuiteResult[];
  expect(printed).toEqual(written);
});

test("models of one name are told apart by settings that differ, and never by where they are, or their keys", () => {
  process.env["KESSEL_TEST_KEY"] = "secret-7f3a";
  const llm = (settings: string): string => `llm:http://127.0.0.1:1/v1,model=${settings}`;
  expect(labelsOf([llm("m,tries=2"), "random", llm("n,tries=2")])).toEqual(["llm:m", "random", "llm:n"]);
  expect(labelsOf([llm("m"), llm("m,temperature=1,transcript=a"), llm("m,rules=none")])).toEqual([
    "llm:m,rules=short,temperature=0",
    "llm:m,rules=short,temperature=1",
    "llm:m,rules=none,temperature=0",
  ]);
  expect(labelsOf([llm("m,price=1/2"), llm("m")])).toEqual(["llm:m,price=1/2", "llm:m,price=0/0"]);
  expect(labelsOf([llm("m"), llm("m,key=KESSEL_TEST_KEY")])).toEqual(["llm:m", "llm:m (2)"]);
  delete process.env["KESSEL_TEST_KEY"];
});
