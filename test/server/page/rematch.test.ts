import { afterAll, expect, test } from "vitest";
import type { PageServer } from "../../../server/page/serve.js";
import { makeGame, playedGame, SocketGuest, startPage } from "./guest.js";

const page: PageServer = await startPage();
afterAll(() => page.close());

async function rematch(token: string, way: string) {
  const response = await fetch(`${page.address}api/rematches`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, way }),
  });
  return (await response.json()) as { link?: string; error?: { code: string; message: string } };
}
/** The players at the seats of a game, as seen through a link. */
async function seatsAt(token: string): Promise<Record<string, string>> {
  const guest = await SocketGuest.sit(page, token);
  const { seats, seat, n } = guest.frame!;
  guest.close();
  return { ...Object.fromEntries(seats.map((s) => [s.side, s.who])), mine: seat!, n: String(n) };
}
const tokenOf = (link: string): string => link.split("/").at(-1)!;

test("after a game against an agent the same can begin again, with sides exchanged, or against the next level", async () => {
  const links = await makeGame(page, {
    game: "pocket-stalingrad",
    options: { gumrakReinforcements: 2 },
    seats: { german: "recruit" },
  });
  const token = links["soviet"]!;
  expect((await rematch(token, "same")).error?.code).toBe("unsupported"); // it goes on
  const me = await SocketGuest.sit(page, token);
  expect(me.frame!.result).toBeNull();
  me.send({ op: "resign" });
  await me.until(() => me.frame!.result !== null);
  expect(me.frame!.result!.rematches).toEqual({ same: "recruit", switch: "recruit", harder: "veteran" });
  me.close();

  const seats = async (way: string) => seatsAt((await rematch(token, way)).link!);
  const level = (name: string): string => `onnx:pocket-stalingrad/${name}.onnx`;
  expect(await seats("same")).toMatchObject({ soviet: "human", german: level("recruit"), mine: "soviet" });
  expect(await seats("switch")).toMatchObject({ soviet: level("recruit"), german: "human", mine: "german" });
  expect(await seats("harder")).toMatchObject({ soviet: "human", german: level("veteran"), mine: "soviet" });
  expect((await rematch(token, "easier")).error?.code).toBe("bad-message");
});

test("nobody gets a seat by a link to watch, nor another person's", async () => {
  const links = await makeGame(page, { game: "pocket-stalingrad", options: {}, seats: {} });
  const me = await SocketGuest.sit(page, links["soviet"]!);
  me.send({ op: "resign" });
  await me.until(() => me.frame!.result !== null);
  expect(me.frame!.result!.rematches).toEqual({});
  me.close();
  for (const seat of ["soviet", "german", "watch"])
    expect((await rematch(links[seat]!, "same")).error?.code).toBe("unsupported");
  expect((await rematch("nowhere", "same")).error?.code).toBe("bad-seat");
});

test("a solitaire game can begin again", async () => {
  const { me, link } = await playedGame(page, "night-fight", "german", 3, true);
  expect(me.frame!.result!.rematches).toEqual({ same: null });
  me.close();
  expect(await seatsAt((await rematch(tokenOf(link), "same")).link!)).toMatchObject({
    german: "human",
    mine: "german",
  });
});
