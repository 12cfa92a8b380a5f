/** Whole games played by orders through `kessel tools`, by a client that knows nothing but what it reads. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gameType, parseReplay, playReplay } from "../../../env/index.js";
import "../../all-games.js";
import { type Answer, Guest, sessionOf } from "./guest.js";

/** What a reader sees of an answer: the question, and the legal actions by name. */
interface Read {
  readonly question: string;
  readonly names: readonly string[];
}

async function read(guest: Guest, session: string, { text }: Pick<Answer, "text">): Promise<Read> {
  const question = /^Decision \S+\.\n(?:You are the .* side\. )?(.*)$/m.exec(text)?.[1] ?? "";
  const list = await guest.call("legal_actions", { session });
  const names = list.text
    .split("\n")
    .flatMap((line) => /\[([^\]]+)\](?: \[ends the \w+\])?(?: ! .*)?$/.exec(line)?.[1] ?? []);
  return { question, names };
}

/** Plays a game by orders. @param orders those that a question calls for, the first that does something is taken */
async function play(game: string, seat: string, opponent: string | null, orders: (asked: Read) => readonly string[]) {
  const guest = await Guest.spawned(mkdtempSync(join(tmpdir(), "by-orders-")));
  const begun = await guest.call("new_game", { game, seat, ...(opponent === null ? {} : { opponent }) });
  const session = sessionOf(begun);
  let answer = begun;
  let calls = 0;
  while (!answer.text.includes("The game is over.")) {
    const asked = await read(guest, session, answer);
    let next: Answer | null = null;
    for (const order of orders(asked)) {
      expect(calls++, "calls").toBeLessThan(2000);
      const tried = await guest.call("order", { session, order });
      if (tried.isError || tried.text.startsWith("Nothing was done")) continue;
      next = tried;
      break;
    }
    expect(next, `an order for ${asked.question}`).not.toBeNull();
    answer = next!;
  }
  const replay = parseReplay(JSON.parse((await guest.call("replay", { session })).text));
  await guest.close();
  playReplay(gameType(game), replay);
  const decided = replay.actions.length;
  return { calls, decided, result: answer.text };
}

test("Night Fight is played to its end by orders, a few for each turn", async () => {
  const { calls, decided, result } = await play("night-fight", "german", null, ({ question, names }) => {
    if (question.startsWith("Which unit do you buy?")) return ["buy truck x2, gren x4, vs x8, done!"];
    if (question.includes("which unit moves?"))
      return ["move all to exit; move all toward 3013, end phase!", "move all toward 3013, end phase!", "end phase!"];
    return ["end phase!", ...names.map((name) => `${name}!`)];
  });
  expect(result).toMatch(/Returns: /);
  expect(decided).toBeGreaterThan(100);
  expect(4 * calls).toBeLessThan(decided);
});

test("Savage Streets is played to its end by orders, against an opponent", async () => {
  const { calls, decided, result } = await play("savage-streets", "G", "s-bluff", ({ question, names }) => {
    if (question.startsWith("Choose a German unit to move")) return ["move all toward 8, end phase!", "end phase!"];
    const [first = ""] = names;
    // several of a kind in turn, as far as they are asked for
    return [`${first} x9!`, ...names.map((name) => `${name}!`)];
  });
  expect(result).toMatch(/Returns: /);
  expect(decided).toBeGreaterThan(100);
  expect(calls).toBeLessThan(decided / 2);
});
