// Numbers and lists in English: the one place where texts get them from `Intl`.

const LOCALE = "en-GB";

/**
 * Makes something of `Intl` when it is first needed: most programs need few of them, and each takes about a
 * millisecond.
 */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const plural = once(() => new Intl.PluralRules(LOCALE));
const and = once(() => new Intl.ListFormat(LOCALE, { type: "conjunction" }));
const or = once(() => new Intl.ListFormat(LOCALE, { type: "disjunction" }));

const formats = new Map<string, Intl.NumberFormat>();

function decimal(x: number, digits: number, signs: "auto" | "exceptZero"): string {
  const key = `${digits} ${signs}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      signDisplay: signs === "auto" ? "negative" : signs,
      useGrouping: false,
    });
    formats.set(key, format);
  }
  return format.format(x);
}

/** The word for `n` things: `hit` for one, otherwise `hits`. */
export const pluralOf = (n: number, one: string, many = `${one}s`): string =>
  plural().select(n) === "one" ? one : many;

/** `1 hit`, `2 hits`, `3 dice`. */
export const counted = (n: number, one: string, many?: string): string => `${n} ${pluralOf(n, one, many)}`;

/** `45 minutes`, `5 hours`: whole hours from two hours on. */
export const lasting = (minutes: number): string =>
  minutes < 120 ? counted(minutes, "minute") : counted(Math.round(minutes / 60), "hour");

/** `a fort`, `an engineer`: the indefinite article by the first letter, which is enough for names of kinds. */
export const withArticle = (word: string): string => `${/^[aeiou]/i.test(word) ? "an" : "a"} ${word}`;

/** `a, b and c`; `none` for an empty list. */
export const listed = (names: readonly string[], none = ""): string =>
  names.length === 0 ? none : and().format(names);

/** `a, b or c`; `none` for an empty list. */
export const either = (names: readonly string[], none = ""): string => (names.length === 0 ? none : or().format(names));

/**
 * `2 of 3 areas`; more than is needed, `2 landings, 1 needed`; where what is had has to shrink, `9 units, none
 * allowed`; where it has to be more than the other side has, `2 areas, the enemy 1`
 */
export const amountOf = (c: {
  have: number;
  need: number;
  unit: string;
  fewer?: boolean;
  against?: number;
}): string => {
  if (c.against !== undefined)
    return `${c.have === 0 ? "no" : c.have} ${c.have === 1 ? c.unit.replace(/s$/, "") : c.unit}, the enemy ${c.against === 0 ? "none" : c.against}`;
  if (c.fewer === true) return `${c.have} ${c.unit}, ${c.need === 0 ? "none" : `no more than ${c.need}`} allowed`;
  return c.have > c.need ? `${c.have} ${c.unit}, ${c.need} needed` : `${c.have} of ${c.need} ${c.unit}`;
};

/** A share from 0 to 1 in hundredths, for a table whose heading says so: `45.3`. */
export const hundredths = (share: number, digits = 1): string => decimal(100 * share, digits, "auto");

/** A share from 0 to 1: `45 %`. */
export const percent = (share: number, digits = 0): string => `${hundredths(share, digits)} %`;

/** A number with its sign, and 0 without: `+0.31`, `-2`. */
export const signed = (x: number, digits = 0): string => decimal(x, digits, "exceptZero");

/** An expected return, as a page and a report show it: `+0.31`, `−0.20`. */
export const returnText = (value: number): string => signed(value, 2).replace("-", "−");
