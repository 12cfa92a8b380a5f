import { signal } from "@preact/signals";
import type { Primer, Term } from "../../../../env/index.js";
import { fetchFile } from "../fetch-file.js";
import { at } from "../address.js";

/** What the server sends of a game's primer. */
export interface PrimerDoc extends Primer {
  readonly title: string;
  /** What the rules that it names say. */
  readonly rules: Readonly<Record<string, string>>;
}

/** The primer of the game at hand; null while there is none. */
export const primer = signal<PrimerDoc | null>(null);

let asked: string | null = null;

/** Gets the primer of a game, once. @returns false for a game without */
export async function loadPrimer(game: string): Promise<boolean> {
  if (asked === game) return true;
  asked = game;
  const found = await fetchFile<PrimerDoc>(at(`/primers/${game}.json`));
  if (found !== null) primer.value = found;
  return found !== null;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A piece of a text: words of the game are pieces of their own. */
export interface Piece {
  readonly text: string;
  readonly term: Term | null;
}

/**
 * Finds the first use of each word of the game in a text. Longer forms win; those with a capital are names, and match
 * only so.
 */
export function piecesOf(text: string, terms: readonly Term[]): Piece[] {
  const byForm = new Map(
    terms.flatMap((term) => [term.term, ...term.also].map((form) => [form.toLowerCase(), { term, form }])),
  );
  if (byForm.size === 0) return [{ text, term: null }];
  const forms = [...byForm.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  const met = new Set<Term>();
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(found)) {
    const [word] = match;
    const { term, form } = byForm.get(word.toLowerCase())!;
    if (met.has(term) || (form !== form.toLowerCase() && word !== form)) continue;
    met.add(term);
    pieces.push({ text: text.slice(at, match.index), term: null }, { text: word, term });
    at = match.index + word.length;
  }
  return [...pieces, { text: text.slice(at), term: null }].filter((p) => p.text !== "");
}

/** What the words of the game at the end of a text mean, a sentence or two each: `Keep the Ratt die: 3, Ratzel`. */
export function meaningsIn(text: string): string[] {
  const end = text.slice(text.lastIndexOf(": ") + 1);
  return piecesOf(end, primer.value?.terms ?? []).flatMap(({ term }) =>
    term === null ? [] : [`${term.term}: ${term.says}`],
  );
}
