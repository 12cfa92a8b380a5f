/**
 * Policies that need no thought. What they score in a book of questions is what the book measures by mistake: each
 * should come close to chance.
 */

/** A question with options to choose from. */
export interface Item {
  /** What is asked or decided: policies may answer each kind its own way. */
  readonly kind: string;
  /** Each option in words. */
  readonly options: readonly string[];
  /** The same options as names that other items share. */
  readonly names: readonly string[];
  /** Indices of the options that are right. */
  readonly right: readonly number[];
  /** Half of the book: what a policy learns in one half it is tried with in the other. */
  readonly half: 0 | 1;
}

/** Chooses an option of each item. */
type Policy = (items: readonly Item[]) => number[];

const indexOfMost = (values: readonly number[]): number => values.indexOf(Math.max(...values));

/** Learns in each half and answers in the other. */
const crossed =
  (learn: (from: readonly Item[]) => (item: Item) => number): Policy =>
  (items) => {
    const answer = ([0, 1] as const).map((half) => learn(items.filter((i) => i.half !== half)));
    return items.map((item) => answer[item.half]!(item));
  };

/** How often each answer is right, by kind; `right` counts the first of several. */
function answersOf(items: readonly Item[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, names, right } of items) {
    const key = `${kind}\n${names[right[0]!]!}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const commonest = (from: readonly Item[]): ((item: Item) => number) => {
  const counts = answersOf(from);
  return ({ kind, names }) => indexOfMost(names.map((n) => counts.get(`${kind}\n${n}`) ?? 0));
};

/** The three commonest answers, whatever is decided; otherwise the first option. */
const commonThree = (from: readonly Item[]): ((item: Item) => number) => {
  const counts = new Map<string, number>();
  for (const { names, right } of from) counts.set(names[right[0]!]!, (counts.get(names[right[0]!]!) ?? 0) + 1);
  const top = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  return ({ names }) => indexOfMost(names.map((n) => 3 - ((top.findIndex(([name]) => name === n) + 4) % 4)));
};

/** Added to each count of a word. */
const SMOOTHED = 0.5;

function wordsOf({ kind, options, names }: Item, option: number): ReadonlySet<string> {
  const words = `${options[option]!} ${names[option]!}`.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  const place = option === 0 ? ["#first"] : option === options.length - 1 ? ["#last"] : [];
  return new Set([...words, ...words.map((w) => `${kind} ${w}`), ...place]);
}

/** Naive Bayes over the words of an option: those of right ones against those of wrong ones. */
const bagOfWords = (from: readonly Item[]): ((item: Item) => number) => {
  const [right, wrong] = [new Map<string, number>(), new Map<string, number>()];
  const totals = { right: 0, wrong: 0 };
  for (const item of from)
    item.options.forEach((_, o) => {
      const is = item.right.includes(o);
      totals[is ? "right" : "wrong"]++;
      const counts = is ? right : wrong;
      for (const word of wordsOf(item, o)) counts.set(word, (counts.get(word) ?? 0) + 1);
    });
  const weight = (word: string): number =>
    Math.log(((right.get(word) ?? 0) + SMOOTHED) / (totals.right + 2 * SMOOTHED)) -
    Math.log(((wrong.get(word) ?? 0) + SMOOTHED) / (totals.wrong + 2 * SMOOTHED));
  return (item) =>
    indexOfMost(
      item.options.map((_, o) => {
        const words = [...wordsOf(item, o)].filter((w) => right.has(w) || wrong.has(w));
        return words.length === 0 ? 0 : words.reduce((sum, w) => sum + weight(w), 0) / words.length;
      }),
    );
};

const POLICIES: Readonly<Record<string, Policy>> = {
  first: (items) => items.map(() => 0),
  last: (items) => items.map(({ options }) => options.length - 1),
  longest: (items) => items.map(({ options }) => indexOfMost(options.map((o) => o.length))),
  shortest: (items) => items.map(({ options }) => indexOfMost(options.map((o) => -o.length))),
  "commonest of its kind": crossed(commonest),
  "commonest three": crossed(commonThree),
  "bag of words": crossed(bagOfWords),
};

/** What one policy makes of items: right or not, in their order. */
export interface NoThought {
  readonly policy: string;
  readonly right: readonly boolean[];
  /** Share of the items that it has right. */
  readonly share: number;
}

export const noThought = (items: readonly Item[]): NoThought[] =>
  Object.entries(POLICIES).map(([policy, choose]) => {
    const chosen = choose(items);
    const right = items.map((item, i) => item.right.includes(chosen[i]!));
    return { policy, right, share: items.length === 0 ? 0 : right.filter(Boolean).length / items.length };
  });

/** Share that who chooses blindly has right. */
export const chanceOf = (items: readonly Item[]): number =>
  items.length === 0 ? 0 : items.reduce((sum, i) => sum + i.right.length / i.options.length, 0) / items.length;
