/**
 * Twin worlds for who looks back in a game that goes on: two games of one person whose states that seat can't tell
 * apart, and every byte that it hears when it asks for all its past.
 */
import { makeAgent } from "../../../agents/registry.js";
import { canonical, Env, type Game, type Json, Rng, sameSituation, sampleFor, type State } from "../../../env/index.js";
import { OneDecision } from "../../../server/session/one-decision.js";
import type { OpenSession } from "../../../server/session/open.js";
import { Session } from "../../../server/session/session.js";
import { newId } from "../../../server/session/store.js";
import type { PageServer } from "../../../server/page/serve.js";
import type { Review } from "../../../server/page/review-frame.js";
import type { Reply } from "../../../server/page/frame.js";
import { SocketGuest } from "./guest.js";

export async function analysisBy(me: SocketGuest, by: string): Promise<Review> {
  me.send({ op: "analyse", by });
  await me.until(() => me.replies.at(-1)?.op === "review");
  return (me.replies.at(-1) as Extract<Reply, { op: "review" }>).review;
}

/** A game of one person from `state` on. */
async function begun(game: Game, state: State, player: number): Promise<Session> {
  const seats = await Promise.all(
    game.players.map((_, p) => (p === player ? ("human" as const) : makeAgent("random", { game, seed: "twin" }))),
  );
  return new Session(game, seats, "twin", undefined, game.write(state));
}

/** The same as the page would serve it. @returns the link of the seat */
async function served(page: PageServer, game: Game, state: State, player: number, id: string): Promise<string> {
  const session = await begun(game, state, player);
  const links = Object.fromEntries([...game.players, "watch"].map((s) => [s, newId()]));
  const header = { id, links, game: game.type.id, data: null, seats: {} } as unknown as OpenSession["header"];
  const file = { append: () => true, retry: () => true, unsaved: 0, group: () => undefined, close: () => undefined };
  const open = { session, header, file: { ...file, whenOnDisk: (then: () => void) => then() } };
  page.hub.adopt({ ...(open as unknown as OpenSession), close: async () => undefined });
  return links[game.players[player]!]!;
}

/** All that the seat sees from its first choice on until it decides again. */
async function seenOf(game: Game, state: State, player: number): Promise<string> {
  const session = await begun(game, state, player);
  const seen: Json[] = [];
  const look = (): void => void seen.push(game.view(session.env.state, player));
  session.choose(session.prompt(player).choices[0]!.action);
  look();
  await session.advance(look);
  return canonical(seen);
}

/** How a seat makes its first choice: by its number, or by an order in words. */
type Way = "act" | "order";

/** A seat that has made its first choice, and the messages that it got until then. */
async function chosen(
  page: PageServer,
  game: Game,
  link: string,
  way: Way,
): Promise<{ me: SocketGuest; heard: readonly string[] }> {
  const me = await SocketGuest.sit(page, link);
  const { n, prompt } = me.frame!;
  const [first] = prompt.choices;
  if (way === "act") me.send({ op: "act", n, action: first!.action });
  else await me.ask({ op: "order", n, order: game.actions[first!.action] });
  await me.until(() => me.frame!.n > n);
  return { me, heard: [...me.raw] };
}

/** What a seat hears that chooses once, then looks back at all of it. */
async function heard(page: PageServer, game: Game, link: string, way: Way, analyses: boolean): Promise<string[]> {
  const { me } = await chosen(page, game, link, way);
  const { seat, beliefs, prompt } = me.frame!;
  const offer = me.frame!.lookBack;
  for (let at = 0; at <= (offer?.decisions ?? -1); at++) {
    await me.ask({ op: "moment", at, eyes: seat });
    if (at < offer!.decisions) await me.ask({ op: "judge", at, by: offer!.evaluators[0]! });
    for (const what of ["svg", "png"]) await me.ask({ op: "export", what, at, eyes: seat, theme: "light" });
  }
  if (beliefs && prompt.choices.length > 0) await me.ask({ op: "beliefs", n: me.frame!.n });
  await me.ask({ op: "replay" });
  if (offer !== null && analyses) await analysisBy(me, offer.evaluators[0]!);
  me.close();
  return me.raw.filter((text) => !text.includes('"op":"progress"'));
}

/**
 * @param analyses asks for an analysis too, which takes seconds
 * @param pairs worlds in which the first choice of the seat goes as in their twins
 * @returns the pairs that were compared, and the first difference of each that differs
 */
export async function compareLookBack(
  page: PageServer,
  game: Game,
  pairs: number,
  seed: string,
  analyses = true,
): Promise<{ pairs: number; differences: string[] }> {
  const rng = new Rng(seed);
  const env = new Env(game);
  const agent = await makeAgent("random", { game, seed });
  const choice = new Int32Array(1);
  const differences: string[] = [];
  let [done, tries] = [0, 0];
  while (done < pairs && tries++ < 50 * pairs) {
    if (tries % 8 === 1 || env.terminated) env.reset(`${seed}/${tries}`);
    for (let k = rng.below(12); k >= 0 && !env.terminated; k--) {
      await agent.act(new OneDecision(env), choice);
      env.step(choice[0]!);
    }
    if (env.terminated || env.legalCount === 1) continue;
    const player = env.actor;
    const twin = sampleFor(game, env.state, player, rng);
    if (sameSituation(twin, env.state)) continue;
    const key = newId();
    const way = done % 2 === 0 ? "act" : "order";
    const begin = (state: State) => served(page, game, state.slice(), player, key);
    // what comes of the choice may tell the worlds apart, but then the seat sees them apart
    if ((await seenOf(game, env.state, player)) !== (await seenOf(game, twin, player))) continue;
    done++;
    const one = await heard(page, game, await begin(env.state), way, analyses);
    const two = await heard(page, game, await begin(twin), way, analyses);
    const at = one.findIndex((text, i) => text !== two[i]);
    if (at >= 0 || one.length !== two.length) differences.push(`${one[at] ?? ""} against ${two[at] ?? ""}`);
  }
  return { pairs: done, differences };
}
