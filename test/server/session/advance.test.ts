import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSession } from "../../../server/session/open.js";
import { SessionStore } from "../../../server/session/store.js";

test("while agents that answer at once play a game, others of their thread are heard", async () => {
  const store = new SessionStore(mkdtempSync(join(tmpdir(), "kessel-advance-")));
  const seats = { G: "g-storm", S: "s-bluff" };
  const { session, close } = await startSession(store, { game: "savage-streets", options: {}, seats, seed: "advance" });
  let heard = 0;
  const others = setInterval(() => heard++, 1);
  await session.advance();
  clearInterval(others);
  expect(session.over).toBe(true);
  expect(heard).toBeGreaterThan(3);
  await close();
});
