/** A large map is panned: what is in sight stays drawn, and no frame takes longer to make than it is shown. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { gameFor, gameType, type JsonObject, sceneOf } from "../../../../env/index.js";
import type { OpenSession } from "../../../../server/session/open.js";
import { Session } from "../../../../server/session/session.js";
import { SessionFile } from "../../../../server/session/session-file.js";
import { newId } from "../../../../server/session/store.js";
import "../../../all-games.js";
import { boxOf, DESK, PHONE, visit } from "./browser.js";
import { open } from "./open.js";

const here = open();

/** Counters on the whole map of Streets of Stalingrad. */
const COUNTERS = 1329;
/** What a frame may take of a thread at 60 a second, ms. */
const FRAME_MS = 1000 / 60;

/** A game with all hexes and as many counters as the largest scenario of the printed game. @returns its link */
function largest(): string {
  const type = gameType("streets-of-stalingrad");
  const options = { hiddenUnits: false };
  const empty: JsonObject = { scenario: "sandbox", phase: 3, stage: "normal", units: {} };
  const bare = gameFor(type, empty, options);
  const board = new Session(bare, ["human", "human"], "pan", undefined, empty);
  const { places } = sceneOf(bare, board.env.state, 0).board;
  const land = places.filter((p) => /^\d{4}$/.test(p.id) && !/water|volga/.test(p.terrain));
  const units = Object.fromEntries(
    Array.from({ length: COUNTERS }, (_, n) => {
      const hex = ((n >> 1) * 7) % land.length; // two in each hex
      const side = hex % 2 === 0 ? "g" : "s";
      return [`${side}${n}`, { type: `${side}-inf`, at: land[hex]!.id }];
    }),
  );
  const position: JsonObject = { ...empty, units };
  const game = gameFor(type, position, options);
  const session = new Session(game, ["human", "human"], "pan", undefined, position);
  expect(sceneOf(game, session.env.state, 0).counters).toHaveLength(COUNTERS);
  const links = Object.fromEntries([...game.players, "watch"].map((s) => [s, newId()]));
  const header = { id: newId(), links, game: type.id, data: null, seats: {} } as unknown as OpenSession["header"];
  here.page.hub.adopt({ session, header, file: new SessionFile(null, "", 0), close: async () => undefined });
  return `${here.page.address}g/${links["german"]!}`;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly tid: number;
  /** Time of the thread, microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What the browser does while the map is panned with the wheel. */
async function pan(tab: Page): Promise<readonly TraceEvent[]> {
  const cdp = await tab.context().newCDPSession(tab);
  const box = await boxOf(tab.locator(".board-scroll"));
  const events: TraceEvent[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const traceConfig = { includedCategories: ["devtools.timeline", "cc", "viz", "toplevel"] };
  await cdp.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  for (const yDistance of [-1500, 1500])
    await cdp.send("Input.synthesizeScrollGesture", {
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      yDistance,
      speed: 1200,
      gestureSourceType: "mouse",
    });
  const complete = new Promise((done) => cdp.once("Tracing.tracingComplete", done));
  await cdp.send("Tracing.end");
  await complete;
  return events;
}

test.each([
  ["desk", DESK],
  ["phone", PHONE],
] as const)("on a %s the largest map is panned within the time that 60 frames a second leave", async (_what, size) => {
  const { page: tab, context, errors } = await visit(here.browser, size);
  await tab.goto(largest());
  await tab.waitForSelector("svg.map .piece");
  await tab.waitForFunction(() => document.querySelector<HTMLImageElement>(".overview img")?.complete === true);
  await tab.waitForTimeout(500);
  const events = await pan(tab);
  const frames = events.filter((e) => e.name === "Display::DrawAndSwap").length;
  const spent = (wanted: (e: TraceEvent) => boolean): number =>
    events.filter((e) => e.ph === "X" && wanted(e)).reduce((ms, e) => ms + (e.tdur ?? 0) / 1000, 0) / frames;
  const main = new Set(events.filter((e) => e.args?.name === "CrRendererMain").map((e) => e.tid));
  expect(frames).toBeGreaterThan(20);
  const tiles = events.filter((e) => e.name === "RasterTask").length / frames;
  expect(tiles, "tiles drawn for each frame").toBeLessThan(4); // some 20 are in sight
  expect(
    spent((e) => e.name === "RasterTask"),
    "drawing",
  ).toBeLessThan(FRAME_MS);
  expect(
    spent((e) => e.name === "RunTask" && main.has(e.tid)),
    "the page's own thread",
  ).toBeLessThan(FRAME_MS);
  const [overview, map] = await tab.evaluate(() => {
    const [whole, seen] = [".overview .whole", ".overview .seen"].map((s) =>
      document.querySelector(s)!.getBoundingClientRect(),
    );
    const scroll = document.querySelector(".board-scroll")!;
    return [(seen!.top - whole!.top) / whole!.height, scroll.scrollTop / scroll.scrollHeight];
  });
  expect(overview, "the overview shows what is in sight").toBeCloseTo(map!, 1);
  expect(errors).toEqual([]);
  await context.close();
});
