/**
 * Most tokens of a text with the map, the board, the standing and a question, as `roughTokens` counts: 4,000 as
 * tokenizers count, with something left for what they count otherwise.
 */
export const MOST_TOKENS = 3750;

/** Letters of the longest word that is one token. */
const WORD = 9;

/**
 * About how many tokens a text has. Tokenizers differ; the tests compare this with o200k_base. Digits come in groups of
 * three, signs that follow each other are one token.
 */
export function roughTokens(text: string): number {
  let n = 0;
  for (const [piece] of text.matchAll(/\p{L}+|\d{1,3}|[^\p{L}\d\s]+|\n/gu))
    n += /^\p{L}/u.test(piece) ? Math.ceil(piece.length / (/^[A-Z]{2}/.test(piece) ? 2 : WORD)) : 1;
  // a blank before digits or behind signs is a token of its own
  return n + (text.match(/ (?=\d)/g)?.length ?? 0);
}
