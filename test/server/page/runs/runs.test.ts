/** Training runs over HTTP: what is sent of them, and that nothing else of the disk can be reached. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Comparison, ListedRun, RunView } from "../../../../server/page/runs/runs-view.js";
import { distance } from "../../../../server/page/runs/differ.js";
import type { PageServer } from "../../../../server/page/serve.js";
import { kesselHere } from "../../cli/kessel.js";
import { makeGame, newFolder, SocketGuest, startPage } from "../guest.js";
import { runsFolder } from "./folder.js";

let page: PageServer;
const dir = runsFolder();
const sessions = newFolder();
beforeAll(async () => {
  page = await startPage(sessions, { runs: dir });
});
afterAll(() => page.close());

const got = async (path: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${page.address}api/${path}`);
  return { status: response.status, text: await response.text() };
};
const post = async (path: string, body: unknown) => {
  const response = await fetch(`${page.address}api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};

test("runs are listed with what they have done; a folder that holds none is left out", async () => {
  const { runs } = JSON.parse((await got("runs")).text) as { runs: ListedRun[] };
  expect(runs.map((r) => [r.name, r.at, r.snapshots]).sort()).toEqual([
    ["begun", 0, 0],
    ["learnt", 20, 2],
  ]);
  expect(runs[0]).toMatchObject({ game: "pocket-stalingrad", title: "Pocket Stalingrad", method: "self-play (PPO)" });
});

test("a run comes with its curves: measurements with their intervals, by seat", async () => {
  const { text } = await got("runs/learnt");
  const run = JSON.parse(text) as RunView;
  expect(run.nets).toEqual(["000020", "000010"]);
  const [measured] = run.groups[0]!.charts;
  expect(measured!.title).toBe("measured against first.onnx");
  expect(measured!.curves.map((c) => c.name)).toEqual(["as soviet", "as german"]);
  const [at10, at20] = measured!.curves[0]!.points;
  expect([at10!.x, at20!.x]).toEqual([10, 20]);
  expect(at10!.y).toBeCloseTo(48);
  expect(at10!.interval![0]).toBeCloseTo(38);
  expect(at20!.y).toBeGreaterThan(at10!.y);
  const learning = run.groups.find((g) => g.title === "Learning")!;
  expect(learning.charts.find((c) => c.title === "entropy")!.curves[0]!.points).toHaveLength(20);
  for (const hidden of ["secret", dir]) expect(text).not.toContain(hidden);
});

test.each([
  ["a run that isn't there", "runs/absent", /there is no run/],
  ["the folder above", "runs/..%2f", /there is no run/],
  ["a folder of the disk", `runs/${encodeURIComponent("/etc")}`, /there is no run/],
  ["a folder without a run", "runs/no-run", /holds no run/],
  ["a broken address", "runs/%ff", /not well formed/],
])("%s is refused", async (_what, path, why) => {
  const { status, text } = await got(path);
  expect(status).toBe(400);
  expect(text).toMatch(why);
});

test("nets of a run play a game that goes on after a restart, and nobody learns their folder", async () => {
  const seats = { soviet: "human", german: "run:learnt/000020" };
  const links = await makeGame(page, { game: "pocket-stalingrad", options: {}, seats });
  const guest = await SocketGuest.sit(page, links["soviet"]!);
  await guest.until(() => guest.asked);
  const { n, prompt } = guest.frame!;
  guest.send({ op: "act", n, action: prompt.choices[0]!.action });
  await guest.until(() => guest.frame!.n > n);
  expect(guest.raw.join("")).not.toContain(dir);
  guest.close();
  await page.close();
  page = await startPage(sessions, { runs: dir });
  const again = await SocketGuest.sit(page, links["soviet"]!);
  expect(again.frame!.seats.find((s) => s.side === "german")!.who).toContain("000020");
  again.close();
});

test.each(["run:learnt/000099", "run:../learnt/000020", "run:absent/000020", "onnx:learnt/models/000020.onnx"])(
  "%s can't be named by a browser",
  async (who) => {
    const made = await post("games", { game: "pocket-stalingrad", options: {}, seats: { german: who } });
    expect(made.status).toBe(400);
    expect(made.text).toMatch(/can't play here/);
  },
);

describe("two nets", () => {
  test("are compared in a game of theirs, whose moments can be opened", async () => {
    const found = JSON.parse(
      (await post("comparisons", { run: "learnt", one: "000020", other: "000010" })).text,
    ) as Comparison;
    expect(found.same).toBeGreaterThan(0);
    expect(found.same).toBeLessThan(1);
    expect(found.differences.length).toBeGreaterThan(0);
    for (const d of found.differences) {
      const [one, other] = d.opinions;
      expect([one.by, other.by]).toEqual(["000020", "000010"]);
      expect(one.choices[0]!.action).not.toBe(other.choices[0]!.action);
      for (const { choices, taken } of d.opinions) {
        const chances = choices.map((c) => c.probability);
        expect(chances).toEqual([...chances].sort((a, b) => b - a)); // each in its own order
        expect(choices.map((c) => c.action)).toContain(taken);
      }
      const named = (o: typeof one): string[] => o.choices.map((c) => c.action).sort();
      expect(named(one)).toEqual(named(other)); // both have a chance for what either would do
      expect(d.at).toBeLessThan(found.decisions);
    }
    const apart = found.differences.map((d) => d.apart);
    expect(apart).toEqual([...apart].sort((a, b) => b - a));
    const guest = await SocketGuest.sit(page, found.link);
    expect(guest.frame!.result!.review.decisions).toBe(found.decisions);
    for (const { at, by, drawing } of found.differences) {
      const reply = await guest.ask({ op: "moment", at, eyes: by });
      expect(reply).toMatchObject({ op: "moment", moment: { by, ...drawing } }); // as the side that decides sees it
    }
    guest.close();
  });

  test("that are one net differ nowhere", async () => {
    const same = JSON.parse(
      (await post("comparisons", { run: "learnt", one: "000020", other: "000020" })).text,
    ) as Comparison;
    expect([same.same, same.differences]).toEqual([1, []]);
  });

  test("that aren't there are refused", async () => {
    const { status, text } = await post("comparisons", { run: "learnt", one: "000020", other: "../000010" });
    expect(status).toBe(400);
    expect(text).toMatch(/there is no net/);
  });

  test("are as far apart as their chances", () => {
    const policy = (...p: number[]) => ({
      value: 0,
      actions: p.map((probability, action) => ({ action, probability, value: null })),
    });
    expect(distance(policy(1, 0), policy(0, 1))).toBe(1);
    expect(distance(policy(0.5, 0.5), policy(0.5, 0.5))).toBe(0);
    expect(distance(policy(0.8, 0.2), policy(0.5, 0.5))).toBeCloseTo(0.3);
  });
});

test("a server without runs says how it would show them; a folder that can't be read is reported at the start", async () => {
  const without = await startPage(newFolder());
  const response = await fetch(`${without.address}api/runs`);
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/kessel serve --runs DIR/);
  await without.close();
  const ran = await kesselHere(["serve", "--port", "0", "--page-port", "0", "--runs", "/no/where"]);
  expect(ran.status).toBe(2);
  expect(ran.err).toMatch(/cannot read the folder of runs/);
});
