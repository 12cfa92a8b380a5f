import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionStore } from "../../../server/session/store.js";
import { SeatTable } from "../../../server/tools/seat-table.js";
import { guestOf, sessionOf } from "./guest.js";

test("while an opponent searches for a client, others are answered", async () => {
  const table = new SeatTable(new SessionStore(mkdtempSync(join(tmpdir(), "kessel-apart-"))));
  const [one, other] = [await guestOf(table), await guestOf(table)];
  try {
    // the side that moves first searches, so the game begins with a long thought
    const game = { game: "pocket-stalingrad", seat: "german", opponent: "search" };
    let searching = true;
    const begun = one.call("new_game", game).finally(() => (searching = false));
    let answered = 0;
    const waits: number[] = [];
    while (searching && answered < 200) {
      const began = performance.now();
      const { isError } = await other.call("rule", { game: "pocket-stalingrad", words: "artillery" });
      expect(isError).toBe(false);
      waits.push(performance.now() - began);
      answered++;
      await new Promise((go) => setTimeout(go, 20));
    }
    // in one thread the second would wait for the search and be answered once or twice
    expect((await begun).isError, (await begun).text).toBe(false);
    expect(answered).toBeGreaterThan(10);
    expect(sessionOf(await begun)).toMatch(/^[a-z2-7]{20}$/);
  } finally {
    await one.close();
    await other.close();
    await table.close();
  }
});
