import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KesselError } from "../../../env/index.js";
import { type OpenSession, resumeSession, startSession } from "../../../server/session/open.js";
import { SessionStore } from "../../../server/session/store.js";

const store = new SessionStore(mkdtempSync(join(tmpdir(), "kessel-orders-")));
const begun = async (): Promise<OpenSession> => {
  const open = await startSession(store, { game: "night-fight", options: {}, seats: {}, seed: "orders" });
  await open.session.advance();
  return open;
};
const lines = (open: OpenSession): unknown[] =>
  readFileSync(join(store.folder, `${open.header.id}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as unknown);

describe("an order in a session", () => {
  test("is kept action by action, each before the next is carried out", async () => {
    const open = await begun();
    const { actions, stopped } = open.session.order("buy truck x2, panther");
    expect(stopped).toBeNull();
    expect(actions).toEqual(["buy truck", "buy truck", "buy panther"]);
    expect(open.session.actions).toEqual(actions);
    expect(lines(open)).toEqual([{ do: "buy truck" }, { do: "buy truck", on: true }, { do: "buy panther", on: true }]);
    expect(open.session.log(0).filter((e) => e.action !== null)).toHaveLength(3);
    await open.close();
  });

  test("is taken back as one, in a game that was gone on with too", async () => {
    const open = await begun();
    open.session.choose(open.session.game.actions.indexOf("buy sdk"));
    open.session.order("buy truck x2, panther");
    expect(open.session.undo()).toBeNull();
    expect(open.session.actions).toEqual(["buy sdk"]);
    open.session.order("buy truck x2, panther");
    await open.close();
    const again = await resumeSession(store, open.header.id, () => ({}));
    await again.session.advance();
    expect(again.session.undo()).toBeNull();
    expect(again.session.actions).toEqual(["buy sdk"]);
    expect(again.session.undo()).toBeNull();
    expect(again.session.actions).toEqual([]);
    await again.close();
    const third = await resumeSession(store, open.header.id, () => ({}));
    expect(third.session.actions).toEqual([]);
    await third.close();
  });

  test("that a warning has stopped goes on where it stopped, does nothing twice, and is taken back as one", async () => {
    const open = await begun();
    const { session } = open;
    const bought = ["buy truck", "buy truck", "buy panther"];
    const { actions, warning } = session.order("buy truck x2, panther, done");
    expect(actions).toEqual(bought);
    expect(warning).toMatch(/points/);
    const on = session.goOn();
    expect([on.actions[0], on.stopped, on.warning]).toEqual(["done", null, null]);
    expect(session.actions.slice(0, 4)).toEqual([...bought, "done"]);
    expect(session.actions.filter((a) => a.startsWith("buy"))).toEqual(bought);
    expect(session.undo()).toBeNull();
    expect(session.actions).toEqual([]);
    await open.close();
  });

  test("goes on only from where a warning has stopped it", async () => {
    const open = await begun();
    const { session } = open;
    expect(() => session.goOn()).toThrow(/no order waits to go on/);
    expect(session.order("buy truck, done").warning).not.toBeNull();
    session.choose(session.game.actions.indexOf("buy vs"));
    expect(() => session.goOn()).toThrow(/no order waits to go on/);
    expect(session.actions).toEqual(["buy truck", "buy vs"]);
    session.order("buy truck");
    expect(() => session.goOn()).toThrow(/no order waits to go on/);
    await open.close();
  });

  test("that can't be begun is refused, and nothing is done or kept", async () => {
    const open = await begun();
    expect(() => open.session.order("move truck-1 to 2020")).toThrow(KesselError);
    expect(open.session.actions).toEqual([]);
    expect(lines(open)).toEqual([]);
    open.session.resign(0);
    expect(() => open.session.order("buy truck")).toThrow(/the game is over/);
    await open.close();
  });

  test("is for people: a seat of an agent takes none", async () => {
    const open = await startSession(store, {
      game: "night-fight",
      options: {},
      seats: { german: "random" },
      seed: "orders",
    });
    expect(() => open.session.order("buy truck")).toThrow(/not a person's decision/);
    await open.close();
  });
});
