/** A rule behind a sentence, and its full stop. */
const CITED = /( \([A-Z]{2,3} [^()]*\))?\.$/;

/** Words that two sentences must begin with alike before the second goes on from the first. */
const LEAST_ALIKE = 2;

interface Sentence {
  readonly indent: string;
  /** Without citation and full stop. */
  readonly text: string;
  readonly cited: string;
  /** It was said of several, or several times. */
  readonly whole?: boolean;
}

/**
 * Reports in fewer words. What happened to several alike, one after another, is said once: `g1 stays in 0411; likewise
 * g2, g3.` What one does next goes on from what it did: `g1 moves from 0310 to 0409; from 0409 to 0510.` A list that
 * was just given is `these 3`.
 */
export function compacted(lines: readonly string[]): string[] {
  const sentences = chained(likewise(lines.map((line) => sentenceOf(line) ?? line))).map((x) =>
    typeof x === "string" ? x : `${x.indent}${x.text}${x.cited}.`,
  );
  return listedOnce(sentences);
}

/** What may be before and behind a list in a sentence. */
const AROUND = / against |: |; | in (?=\d)| is | are | leaves? |\.$/;
/** Two names or more; `6 Infantry, 197 Infantry and 293 Infantry`. */
const LIST = /^(?:[^,]+, )*[^,]+ and [^,]+$/;
/** Of a name: no verb begins with a capital. */
const NAME_WORD = /^(?:[A-Z\d(]|of$|the$|and$)/;

/** A list that comes again is named by its number, unless another of that number came between. */
function listedOnce(lines: readonly string[]): string[] {
  const last = new Map<number, string>();
  return lines.map((line) => {
    let text = line;
    for (const part of line.split(AROUND)) {
      const list = part.trim();
      if (!LIST.test(list) || !list.split(" ").every((word) => NAME_WORD.test(word))) continue;
      const count = list.split(/, | and /).length;
      if (last.get(count) === list)
        text = text.replace(list, `${text.trimStart().startsWith(list) ? "These" : "these"} ${count}`);
      else last.set(count, list);
    }
    return text;
  });
}

/** Sentences that differ in one name, or in nothing, as one. */
function likewise(lines: readonly (Sentence | string)[]): (Sentence | string)[] {
  const out: (Sentence | string)[] = [];
  for (let i = 0; i < lines.length;) {
    const first = lines[i++]!;
    if (typeof first === "string") {
      out.push(first);
      continue;
    }
    const others: string[] = [];
    let times = 1;
    for (; i < lines.length; i++) {
      const next = lines[i]!;
      const other =
        typeof next === "string" || next.indent !== first.indent ? null : differenceOf(first.text, next.text);
      if (other === null || (other === "" ? others.length > 0 : times > 1)) break;
      if (other === "") times++;
      else others.push(other);
    }
    const more = others.length > 0 ? `; likewise ${others.join(", ")}` : times > 1 ? `, ${times} times` : "";
    out.push(more === "" ? first : { ...first, cited: `${first.cited}${more}`, whole: true });
  }
  return out;
}

/** Sentences that begin alike as one; what was said of several stays by itself. */
function chained(lines: readonly (Sentence | string)[]): (Sentence | string)[] {
  const out: (Sentence | string)[] = [];
  for (let i = 0; i < lines.length;) {
    const first = lines[i]!;
    const run = [first];
    let begun = Infinity;
    for (i++; i < lines.length; i++) {
      const n = goesOn(first, lines[i]!);
      if (n === 0) break;
      begun = Math.min(begun, n);
      run.push(lines[i]!);
    }
    if (run.length === 1) out.push(first);
    else {
      const parts = (run as Sentence[]).map(
        ({ text, cited }, k) => `${k === 0 ? text : text.split(" ").slice(begun).join(" ")}${cited}`,
      );
      out.push({ ...(first as Sentence), text: parts.join("; "), cited: "" });
    }
  }
  return out;
}

/** Words that the second begins with as the first, where it may go on from it; otherwise 0. */
function goesOn(first: Sentence | string, next: Sentence | string): number {
  if (typeof first === "string" || typeof next === "string") return 0;
  if (first.whole === true || next.whole === true || first.indent !== next.indent) return 0;
  const n = alike(first.text, next.text);
  return n < LEAST_ALIKE ? 0 : n;
}

function sentenceOf(line: string): Sentence | null {
  const text = line.trimStart();
  if (!text.endsWith(".")) return null;
  const cited = CITED.exec(text)![1] ?? "";
  return {
    indent: line.slice(0, line.length - text.length),
    text: text.slice(0, text.length - cited.length - 1),
    cited,
  };
}

const BEFORE_NOUN = /^(?:from|to|in|at|of|on|by|with|for|a|an|the)$/i;

/** Words that two sentences begin with alike, up to a comma or colon: what is behind one is another thing. */
function alike(a: string, b: string): number {
  const [x, y] = [a.split(" "), b.split(" ")];
  let n = 0;
  while (n < x.length - 1 && n < y.length - 1 && x[n] === y[n]) {
    if (/[,:;.]$/.test(x[n]!)) return 0;
    n++;
  }
  while (n > 0 && BEFORE_NOUN.test(x[n - 1]!)) n--; // `from 2723 to 2823` is kept whole
  return n;
}

/** The one word in which a sentence differs from another, `""` for none; null where more differs. */
function differenceOf(a: string, b: string): string | null {
  if (a === b) return "";
  const [x, y] = [a.split(" "), b.split(" ")];
  if (x.length !== y.length) return null;
  const at = x.findIndex((word, i) => word !== y[i]);
  if (x.slice(at + 1).join(" ") !== y.slice(at + 1).join(" ")) return null;
  // a name; a number that changes is what is said
  return /^[A-Za-z]/.test(x[at]!) && /^[A-Za-z]/.test(y[at]!) ? y[at]! : null;
}
