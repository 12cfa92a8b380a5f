import { signal } from "@preact/signals";
import type { Rated } from "../learn/rating.js";
import { stored } from "./stored.js";

/** Milliseconds for which each decision of an opponent is shown; the last waits for the player. */
export const SPEEDS = { "to the end": 0, quick: 350, calm: 1500, "step by step": Infinity } as const;
export type Speed = keyof typeof SPEEDS;

/** A game that was opened in this browser. */
export interface KnownGame {
  readonly path: string;
  readonly title: string;
  readonly seat: string;
  readonly when: number;
  /** Where it was when it was seen last: the turn, and whose decision it is. Absent if an earlier version kept it. */
  readonly stands?: string;
  readonly over?: boolean;
}

function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(`kessel.${key}`, JSON.stringify(value));
  } catch {
    // private windows keep nothing
  }
}

export const speed = signal<Speed>(stored("speed", "calm" as Speed));
export const keysOn = signal<boolean>(stored("keys", true));
export const theme = signal<"system" | "light" | "dark">(stored("theme", "system" as const));

/** True when a briefing opens a new game. */
export const briefingsOn = signal<boolean>(stored("briefings", true));

/** True when the overview of a map larger than its box is unfolded. */
export const overviewOn = signal<boolean>(stored("overview", true));

export function setOverview(on: boolean): void {
  overviewOn.value = on;
  store("overview", on);
}

export function setSpeed(to: Speed): void {
  speed.value = to;
  store("speed", to);
}

export function setKeys(on: boolean): void {
  keysOn.value = on;
  store("keys", on);
}

export function setBriefings(on: boolean): void {
  briefingsOn.value = on;
  store("briefings", on);
}

export function setTheme(to: "system" | "light" | "dark"): void {
  theme.value = to;
  store("theme", to);
  applyTheme();
}

export function applyTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
}

/** True when dark colours are shown now. */
export const isDark = (): boolean =>
  theme.value === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme.value === "dark";

export const knownGames = (): KnownGame[] => stored<KnownGame[]>("games", []);

export function rememberGame(game: KnownGame): void {
  store("games", [game, ...knownGames().filter((g) => g.path !== game.path)].slice(0, 30));
}

export function forgetGame(path: string): void {
  store(
    "games",
    knownGames().filter((g) => g.path !== path),
  );
}

/** Links of a game that was begun here between people, by side, and the one to watch. */
export type Links = Readonly<Record<string, string>>;

const keptInvitations = (): Links[] => stored<Links[]>("invitations", []);

export function keepInvitations(links: Links): void {
  store("invitations", [links, ...keptInvitations()].slice(0, 30));
}

/** All links of the game that one of them leads to; null for a game that was begun elsewhere, or alone. */
export const invitationsWith = (token: string): Links | null =>
  keptInvitations().find((links) => Object.values(links).includes(token)) ?? null;

/** How a game ended that counts for a rating. */
export interface KnownResult extends Rated {
  /** So that no game counts twice. */
  readonly session: string;
  readonly game: string;
  readonly when: number;
}

/** Results kept at most: more change no rating by much. */
const MOST_RESULTS = 2000;

/**
 * Without what is no result: of games that were only watched, earlier versions kept some with neither seat nor value.
 */
export const knownResults = (): KnownResult[] =>
  stored<KnownResult[]>("results", []).filter((r) => typeof r.seat === "string" && Number.isFinite(r.value));

/** Seats of games kept at most, of each kind that is kept of them. */
const MOST_SEATS = 300;

/** Seats of games that this browser saw while they went on: only their results are its own. */
const going = (): string[] => stored<string[]>("going", []);
const seatOf = (session: string, seat: string): string => `${session} ${seat}`;

export function rememberGoing(session: string, seat: string): void {
  const name = seatOf(session, seat);
  store("going", [...going().filter((g) => g !== name), name].slice(-MOST_SEATS));
}

const briefed = (): string[] => stored<string[]>("briefed", []);

/** True when this browser has shown the briefing of this seat. */
export const wasBriefed = (session: string, seat: string): boolean => briefed().includes(seatOf(session, seat));

export function rememberBriefed(session: string, seat: string): void {
  const name = seatOf(session, seat);
  store("briefed", [...briefed().filter((b) => b !== name), name].slice(-MOST_SEATS));
}

/** Keeps the result of a game that was seen to go on in this browser; who opens the address of another's only looks. */
export function rememberResult(result: KnownResult): void {
  const name = seatOf(result.session, result.seat);
  if (!going().includes(name)) return;
  store(
    "going",
    going().filter((g) => g !== name),
  );
  const known = knownResults();
  if (!known.some((r) => r.session === result.session && r.seat === result.seat))
    store("results", [...known, result].slice(-MOST_RESULTS));
}

export function forgetResults(): void {
  store("results", []);
  store("puzzles", []);
}

/** The first answer to a puzzle in this browser. */
export interface KnownPuzzle {
  readonly game: string;
  readonly id: string;
  readonly right: boolean;
  readonly when: number;
}

export const knownPuzzles = (): KnownPuzzle[] => stored<KnownPuzzle[]>("puzzles", []);

/** Only the first answer counts. */
export function rememberPuzzle(answer: KnownPuzzle): void {
  const known = knownPuzzles();
  if (!known.some((p) => p.id === answer.id)) store("puzzles", [...known, answer].slice(-MOST_RESULTS));
}

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
