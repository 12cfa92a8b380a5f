/**
 * What the tools server offers besides tools: resources, prompts, the form of facts, and a word while a call goes on.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { gameIds } from "../../../env/index.js";
import { NullStore } from "../../../server/session/store.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { type Guest, guestOf, sessionOf } from "./guest.js";

const table = new SeatTable(new NullStore());
let guest: Guest;
beforeAll(async () => (guest = await guestOf(table)));
afterAll(async () => {
  await guest.close();
  await table.close();
});

test("rules and map of each game are resources", async () => {
  const { resources } = await guest.client.listResources();
  expect(resources.map((r) => r.uri).sort()).toEqual(
    gameIds()
      .flatMap((id) => [`kessel://${id}/rules`, `kessel://${id}/rules/all`, `kessel://${id}/map`])
      .sort(),
  );
  for (const { uri, title } of resources) {
    expect(title).toMatch(/^.+: (rules|all rules|map)$/);
    const [{ text } = { text: "" }] = (await guest.client.readResource({ uri })).contents as { text: string }[];
    expect(text.length, uri).toBeGreaterThan(200);
  }
  const rules = (await guest.client.readResource({ uri: "kessel://night-fight/rules" })).contents[0] as {
    text: string;
  };
  expect(rules.text).toBe((await guest.call("rules", { game: "night-fight" })).text);
});

test("a person can ask for a game, or for one of each", async () => {
  const { prompts } = await guest.client.listPrompts();
  expect(prompts.map((p) => p.name).sort()).toEqual(["play_game", "take_suite"]);
  const words = async (name: string, given: Record<string, string>): Promise<string> =>
    ((await guest.client.getPrompt({ name, arguments: given })).messages[0]!.content as { text: string }).text;
  expect(await words("play_game", { game: "night-fight", opponent: "recruit" })).toMatch(
    /Night Fight.*against recruit/,
  );
  const suite = await words("take_suite", {});
  for (const id of gameIds()) expect(suite).toContain(id);
  await expect(words("play_game", { game: "chess" })).rejects.toThrow(/game/);
});

test("every tool has a title, and those that give facts say of what form", async () => {
  const { tools } = await guest.client.listTools();
  for (const { name, title } of tools) expect(title?.toLowerCase(), name).toBe(name.replaceAll("_", " "));
  const facts = tools.filter((t) => t.outputSchema !== undefined).map((t) => t.name);
  expect(facts.sort()).toEqual(["act", "new_game", "order", "resign", "result", "undo"]);
  // the client checks each answer against the form
  const session = sessionOf(await guest.call("new_game", { game: "strike-counterstrike", seat: "soviet" }));
  for (const [tool, input] of [
    ["act", { action: "1" }],
    ["undo", {}],
    ["order", { order: "no such order" }],
    ["resign", {}],
    ["result", {}],
  ] as const)
    expect((await guest.call(tool, { session, ...input })).text).not.toBe("");
});

test("a long call says every second that it goes on", async () => {
  const notices: number[] = [];
  const session = sessionOf(
    await guest.call("new_game", { game: "pocket-stalingrad", seat: "german", opponent: "random" }),
  );
  let release = (): void => undefined;
  const busy = table.with(session, () => new Promise<void>((done) => (release = done)));
  const call = guest.client.callTool({ name: "standing", arguments: { session } }, undefined, {
    onprogress: ({ progress }) => {
      notices.push(progress);
      if (progress === 2) release();
    },
  });
  await Promise.all([busy, call]);
  expect(notices.slice(0, 2)).toEqual([1, 2]);
  // and no more once it is answered: the client would not know the token
  const strays: Error[] = [];
  guest.client.onerror = (e) => strays.push(e);
  await new Promise((done) => setTimeout(done, 1500));
  expect(strays).toEqual([]);
});
