import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type Game, newState, Rng, RNG_WORDS, sameSituation, type State } from "../../../env/index.js";
import { Session } from "../../../server/session/session.js";
import { SessionFile } from "../../../server/session/session-file.js";
import type { SeatedGame, Seats } from "../../../server/tools/seat-table.js";
import { toolServer } from "../../../server/tools/tool-server.js";
import { TextSeat } from "../../../server/text/decision.js";
import type { OpenSession } from "../../../server/session/open.js";
import { sameDocument } from "../../conformance/leaks.js";
import { Starts } from "../../conformance/starts.js";
import { type Answer, Guest } from "./guest.js";

/** What a run found: compared answers, those of worlds that truly differ, and what differed. */
export interface PairCount {
  readonly compared: number;
  readonly different: number;
  readonly leaks: readonly string[];
  /** Tools that were asked. */
  readonly tools: ReadonlySet<string>;
}

/**
 * Asks every tool the same of two games whose worlds one seat can't tell apart, through the protocol: the answers must
 * be the same to the byte.
 *
 * @param answers how many pairs of answers to compare
 * @param change for planted leaks: what a faulty server would do with an answer
 */
export async function comparePairs(
  game: Game,
  answers: number,
  seed: string,
  change: (text: string, s: Int32Array) => string = (text) => text,
): Promise<PairCount> {
  const rng = new Rng(seed);
  const starts = new Starts(game, seed, 4);
  const world = newState(game.stateSize);
  const other = newState(game.stateSize);
  const leaks = new Set<string>();
  const table = new Twins();
  const guest = await table.guest();
  const tools = new Set<string>();
  let compared = 0;
  let different = 0;
  const ask = async (tool: string, input: Record<string, unknown>): Promise<readonly [string, string]> => {
    tools.add(tool);
    const here = said(await guest.call(tool, { ...input, session: "world" }));
    return [here, said(await guest.call(tool, { ...input, session: "twin" }))];
  };
  for (let round = 0; compared < answers; round++) {
    world.set(starts.pick(round, rng));
    const player = rng.below(game.players.length);
    if (!game.resample(world, player, other, rng)) continue; // it ignores some of the history, so it is no twin
    other.set(world.subarray(0, RNG_WORDS)); // the same dice fall in both
    const differ = !sameSituation(world, other);
    table.sit(game, player, world, other);
    const legal = game.actor(world) === player ? game.legalMask(world, new Uint8Array(game.actions.length), 0) : 0;
    const place = game.observation.mapRows[rng.below(game.observation.mapRows.length)]!;
    const questions: [string, Record<string, unknown>][] = [
      ["observe", {}],
      ["legal_actions", {}],
      ["standing", {}],
      ["log", {}],
      ["result", {}],
      ["replay", {}],
      ["look", { place: "" }],
      ["look", { place }],
      ["orders", {}],
      ["orders", { unit: place }],
      ["order", { order: "no such thing" }],
      ["undo", {}],
      ["act", { action: "no such thing" }],
      ["odds", { action: String(1 + rng.below(Math.max(1, legal))) }],
    ];
    const compare = (tool: string, here: string, there: string): void => {
      if (change(here, world) !== change(there, other))
        leaks.add(`${game.players[player]} may tell worlds apart by ${tool}: ${firstDifference(here, there)}`);
      compared++;
      if (differ) different++;
    };
    for (const [tool, input] of round % 8 === 0 ? [...questions, ["map", {}] as (typeof questions)[number]] : questions)
      compare(tool, ...(await ask(tool, input)));
    if (legal === 0) continue;
    // what an action brings may tell the worlds apart, but then the seat sees them apart
    const [tool, input] = round % 2 === 0 ? ["act", { action: "1" }] : ["order", { order: nameOfFirst(game, world) }];
    const [here, there] = await ask(tool, input);
    const [x, y] = table.states();
    if (sameDocument(game.view(x, player), game.view(y, player))) compare(tool, here, there);
  }
  await guest.close();
  return { compared, different, leaks: [...leaks], tools };
}

/** Two sessions in two worlds. */
class Twins implements Seats {
  private games: Record<string, SeatedGame> = {};

  async guest(): Promise<Guest> {
    const [client, server] = InMemoryTransport.createLinkedPair();
    await toolServer(this, (reason) => {
      throw new Error(reason);
    }).connect(server);
    return Guest.on(client);
  }

  sit(game: Game, player: number, world: Int32Array, twin: Int32Array): void {
    const at = (s: Int32Array): SeatedGame => {
      const session = new Session(
        game,
        game.players.map(() => "human"),
        "twins",
      );
      session.env.restore(s);
      const file = new SessionFile(null, "", 0);
      const open = { session, header: { id: "game" }, file } as OpenSession; // one id: the worlds are compared by it too
      return { open, player, text: new TextSeat(session, player), name: open.header.id };
    };
    this.games = { world: at(world), twin: at(twin) };
  }

  begin(): Promise<string> {
    throw new Error("twins are made, not begun");
  }

  beginForAll(): Promise<Record<string, string>> {
    throw new Error("twins are made, not begun");
  }

  states(): readonly [State, State] {
    return [this.games["world"]!, this.games["twin"]!].map((g) => g.open.session.env.state) as [State, State];
  }

  async with<T>(id: string, use: (game: SeatedGame) => Promise<T> | T): Promise<T> {
    return use(this.games[id]!);
  }
}

function nameOfFirst(game: Game, s: State): string {
  const mask = new Uint8Array(game.actions.length);
  game.legalMask(s, mask, 0);
  return game.actions[mask.indexOf(1)]!;
}

/** All that an answer says. */
const said = ({ text, facts, isError }: Answer): string => [text, facts ?? "no facts", String(isError)].join("\n");

function firstDifference(a: string, b: string): string {
  const [one, two] = [a.split("\n"), b.split("\n")];
  const at = one.findIndex((line, i) => line !== two[i]);
  return `${JSON.stringify(one[at])} and ${JSON.stringify(two[at])}`;
}
