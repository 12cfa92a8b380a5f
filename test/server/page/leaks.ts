/**
 * Twin worlds over the page's real WebSocket: two sessions whose states one seat can't tell apart are served, and every
 * byte that this seat gets is compared: `npm run leaks -- page [PAIRS]` for each game with hidden information.
 */
import { fileURLToPath } from "node:url";
import { makeAgent } from "../../../agents/registry.js";
import { Env, type Game, GAMES, loadGame, Rng, sameSituation, sampleFor, type State } from "../../../env/index.js";
import type { OpenSession } from "../../../server/session/open.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import { Session } from "../../../server/session/session.js";
import { newId, SessionStore } from "../../../server/session/store.js";
import { PageServer } from "../../../server/page/serve.js";
import { newFolder, SocketGuest } from "./guest.js";

const KEEPS_NOTHING = {
  append: () => true,
  retry: () => true,
  unsaved: 0,
  group: () => undefined,
  whenOnDisk: (then: () => void) => then(),
  close: () => undefined,
};

/** A session in `state`, as the page would serve it. */
function served(page: PageServer, game: Game, state: State, id: string): Record<string, string> {
  const session = new Session(
    game,
    game.players.map(() => "human"),
    "twin",
  );
  session.env.restore(state);
  const links = Object.fromEntries([...game.players, "watch"].map((s) => [s, newId()]));
  const header = { id, links, game: game.type.id, data: null, seats: {} } as unknown as OpenSession["header"];
  const file = KEEPS_NOTHING as unknown as OpenSession["file"];
  page.hub.adopt({ session, header, file, close: async () => undefined });
  return links;
}

/** Everything one seat gets from one world: the first frame, then answers to all it may ask. */
async function heard(page: PageServer, links: Record<string, string>, seat: string): Promise<string[]> {
  const guest = await SocketGuest.sit(page, links[seat]!);
  const { n, prompt } = guest.frame!;
  for (const { action } of [...prompt.choices.slice(0, 2), { action: 0 }]) await guest.ask({ op: "odds", n, action });
  const [question] = guest.frame!.questions;
  const [from, to] = guest.frame!.pieces.map((p) => p.place);
  await guest.ask({ op: "ask", kind: question?.kind ?? "none", from: from ?? "here", to: to ?? "there" });
  await guest.ask({ op: "rule", words: prompt.rule });
  for (const unit of [...guest.frame!.sendable.slice(0, 2), "nobody"]) await guest.ask({ op: "ways", n, unit });
  for (const op of ["order", "goOn"]) await guest.ask({ op, n, order: "no such thing" });
  await guest.ask({ op: "hint", n });
  // what isn't shown in a game that goes on between people is refused with the same words
  await guest.ask({ op: "beliefs", n });
  const by = "heuristic:none";
  for (const eyes of [seat, "all"]) {
    await guest.ask({ op: "moment", at: 0, eyes });
    for (const what of ["position", "svg", "png", "film"])
      await guest.ask({ op: "export", what, at: 0, eyes, theme: "light" });
  }
  await guest.ask({ op: "analyse", by });
  await guest.ask({ op: "judge", at: 0, by });
  await guest.ask({ op: "branch", at: 0, seats: {} });
  for (const op of ["replay", "playOn", "moveNow"]) await guest.ask({ op });
  await guest.ask({ op: "act", n, action: 99_999 });
  await guest.ask({ op: "act", n: n + 7, action: 0 });
  guest.send({ op: "deputyOn", n, all: false }); // nobody decides for it: nothing is answered
  await guest.ask({ op: "undo", n });
  guest.send({ op: "whole" });
  await guest.until(() => guest.frame!.n > n);
  const [who] = guest.frame!.deputies;
  if (who !== undefined && guest.asked) {
    guest.send({ op: "handOver", n: guest.frame!.n, what: "phase", who });
    await guest.until(() => guest.frame!.deputy !== null || guest.replies.at(-1)?.op === "error");
    guest.send({ op: "handBack" });
    await guest.until(() => guest.frame!.deputy === null);
  } else await guest.ask({ op: "handOver", n, what: "phase", who: "nobody" });
  guest.close();
  return guest.raw;
}

export interface PairCount {
  readonly pairs: number;
  /** Where the two differ, the first difference of each pair. */
  readonly differences: string[];
}

/** Compares `pairs` pairs of worlds of a game that differ for the truth and not for the seat. */
export async function comparePairs(page: PageServer, game: Game, pairs: number, seed: string): Promise<PairCount> {
  const rng = new Rng(seed);
  const differences: string[] = [];
  const env = new Env(game);
  const agent = await makeAgent("random", { game, seed: `${seed}/agent` });
  const choice = new Int32Array(1);
  let done = 0;
  for (let tries = 0; done < pairs && tries < pairs * 40; tries++) {
    if (tries % 8 === 0 || env.terminated) env.reset(`${seed}/${tries}`);
    for (let k = rng.below(12); k >= 0 && !env.terminated; k--) {
      await agent.act(new OneDecision(env), choice);
      env.step(choice[0]!);
    }
    if (env.terminated || env.legalCount === 1) continue; // what is forced is played at once, with dice of its own
    const player = rng.below(game.players.length);
    const twin = sampleFor(game, env.state, player, rng);
    if (sameSituation(twin, env.state)) continue;
    done++;
    const seat = game.players[player]!;
    const id = newId();
    const one = await heard(page, served(page, game, env.state.slice(), id), seat);
    const two = await heard(page, served(page, game, twin, id), seat);
    const at = one.findIndex((text, i) => text !== two[i]);
    if (one.length !== two.length || at >= 0)
      differences.push(`${seat}: ${firstDifference(one[at] ?? "", two[at] ?? "")}`);
  }
  return { pairs: done, differences };
}

function firstDifference(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return `...${a.slice(Math.max(0, i - 60), i + 60)} against ...${b.slice(Math.max(0, i - 10), i + 60)}`;
}

/** True when the game hides something from somebody after a few decisions. */
export function hides(game: Game): boolean {
  const env = new Env(game);
  const rng = new Rng("hides");
  for (let k = 0; k < 20; k++) {
    env.reset(`h${k}`);
    for (let i = 0; i < 3 * k && !env.terminated; i++) env.step(env.mask.indexOf(1));
    if (env.terminated) continue;
    for (const p of game.players.keys()) if (!sameSituation(sampleFor(game, env.state, p, rng), env.state)) return true;
  }
  return false;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pairs = Number(process.argv[2] ?? 1000);
  const page = await PageServer.start({
    port: 0,
    store: new SessionStore(newFolder()),
    seeds: true,
    limits: { openSessions: 50 },
  });
  for (const { id } of GAMES) {
    const game = loadGame(id);
    if (!hides(game)) continue;
    const { pairs: done, differences } = await comparePairs(page, game, pairs, "page-leaks");
    console.log(`${id}: ${done} pairs over the socket, ${differences.length} differences`);
    for (const d of differences.slice(0, 5)) console.log(`  ${d}`);
    if (differences.length > 0 || done < pairs) process.exitCode = 1;
  }
  await page.close();
}
