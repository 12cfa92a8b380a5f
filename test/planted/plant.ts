import { type Game, loadGame, resolveOptions, RNG_WORDS, type StateView } from "../../env/index.js";
import type { Code } from "../conformance/complaints.js";
import { ambush } from "../toys/ambush.js";

/** A leak put into a game on purpose, and the complaint of the leak kit that must name it. */
export interface GamePlant {
  readonly name: string;
  readonly code: Code;
  readonly game: () => Game;
}

/** A game with some of its answers replaced; `honest` is the whole game. */
export function wrapped(game: Game, change: (honest: Game) => Partial<Game>): Game {
  return Object.assign(Object.create(game) as Game, change(game));
}

export const toyAmbush = (): Game => ambush.load(resolveOptions(ambush), ambush.data);
export const savageStreets = (): Game => loadGame("savage-streets");
export const strikeCounterstrike = (): Game => loadGame("strike-counterstrike");

/** A number that depends on every word of the true state but the random stream's. */
export function truth(s: StateView): number {
  let h = 7;
  for (let i = RNG_WORDS; i < s.length; i++) h = (Math.imul(h, 31) + s[i]!) | 0;
  return (h ^ (h >>> 15)) >>> 0;
}

/** One bit of the true state. */
export const bit = (s: StateView): number => truth(s) & 1;

/** A leak put into a class of the server or the page. */
export interface CodePlant {
  readonly name: string;
  /** The game in which the page's leaks are looked for; without it Savage Streets. */
  readonly game?: string;
  /** A leak of the page that only who looks back can hear. */
  readonly looksBack?: boolean;
  /** A leak of the page that only who solves puzzles can hear. */
  readonly puzzles?: boolean;
  /** Puts it in. @returns what takes it out again */
  readonly install: () => () => void;
}

/** Replaces a method of a class until the returned function is called. */
export function replaced<C extends object>(
  prototype: C,
  key: string,
  make: (honest: Method<C>) => Method<C>,
): () => void {
  const methods = prototype as unknown as Record<string, Method<C>>;
  const honest = methods[key]!;
  methods[key] = make(honest);
  return () => void (methods[key] = honest);
}
export type Method<C> = (this: C, ...args: never[]) => unknown;
