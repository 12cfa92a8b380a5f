// Text that comes from outside, as it may be shown: names from files, addresses that somebody typed, reasons of faults.

const escapeOf = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Text without characters that a terminal obeys, or that turn the order of others. Lines and tabs stay. JSON stays what
 * it was: each such character becomes its escape.
 */
export const printable = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, escapeOf);

/** A name from outside, printable, in one line: it can't look like the next row of a list. */
export const shownName = (name: string): string => printable(name).replace(/[\n\t]/g, escapeOf);

/**
 * Who asks, in an address: up to the last `@` before the path. A password that is not encoded may have a slash in it; a
 * port has none.
 */
const ASKER =
  /(\b[a-z][a-z\d+.-]{0,20}:\/\/)(?:[^\s"'`/?#\\]{1,2000}@|[^\s"'`/?#\\:@[]{0,200}:(?!\d{1,5}(?:[/,?#]|$))[^\s"'`\\]{1,2000}@)/gi;
/** Values in an address that are named like a secret. */
const NAMED =
  /([?&](?:[\w-]{0,40}[_-])?(?:api-?key|key|token|secret|password|passwd|pass|pwd|auth|signature|sig)=)[^\s"'`&#,;\\]{1,2000}/gi;

/**
 * Text without the passwords and keys of addresses in it. All text that shows, logs or keeps an address goes through
 * here.
 */
export const withoutSecrets = (text: string): string =>
  text.includes("://") ? text.replace(ASKER, "$1***@").replace(NAMED, "$1***") : text;
