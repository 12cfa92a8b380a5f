/** Hexes of one column in a row that become a range. */
const SHORTEST_RANGE = 3;

/** Hex numbers with ranges down the columns: `1505..1508, 1605`. Other names stay as they are. */
export function ranges(ids: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < ids.length;) {
    let end = i + 1;
    while (end < ids.length && follows(ids[end - 1]!, ids[end]!)) end++;
    if (end - i >= SHORTEST_RANGE) out.push(`${ids[i]!}..${ids[end - 1]!}`);
    else out.push(...ids.slice(i, end));
    i = end;
  }
  return out;
}

/** True when `b` is the hex below `a` in the same column. */
const follows = (a: string, b: string): boolean =>
  HEX.test(a) && HEX.test(b) && a.slice(0, 2) === b.slice(0, 2) && Number(b) === Number(a) + 1;

const HEX = /^\d{4}$/;

/** Names that differ from the one before in their end alone are shortened to it: `G-1, -2, -3`. */
export function endings(names: readonly string[]): string[] {
  const cut = (name: string): number => Math.max(0, name.lastIndexOf("-"));
  return names.map((name, i) => {
    const at = cut(name);
    const last = names[i - 1];
    return at > 0 && last !== undefined && last.slice(0, cut(last)) === name.slice(0, at) ? name.slice(at) : name;
  });
}

/**
 * Names of very many units by their parts: `G71ID: (191, 194)-(I-1..3, AT), OP` for `G71ID-191-I-1` and so on,
 * `G71ID-194-AT`, `G71ID-OP`. Names without parts stay as they are.
 */
export function products(names: readonly string[]): string[] {
  const formations = new Map<string, Map<string, string[]>>();
  const single: string[] = [];
  for (const name of names) {
    const [formation = "", part, ...rest] = name.split("-");
    if (part === undefined) {
      single.push(name);
      continue;
    }
    const parts = formations.get(formation) ?? new Map<string, string[]>();
    formations.set(formation, parts.set(part, [...(parts.get(part) ?? []), rest.join("-")]));
  }
  const listed = [...formations].map(([formation, parts]) => {
    const byEnds = new Map<string, string[]>();
    for (const [part, ends] of parts) {
      const key = ends.length === 1 && ends[0] === "" ? "" : numbered(ends).join(", ");
      byEnds.set(key, [...(byEnds.get(key) ?? []), part]);
    }
    const items = [...byEnds].map(([ends, heads]) => {
      const head = heads.length === 1 ? heads[0]! : `(${heads.join(", ")})`;
      return ends === "" ? heads.join(", ") : `${head}-${ends.includes(", ") ? `(${ends})` : ends}`;
    });
    return `${formation}: ${items.join(", ")}`;
  });
  return [...single, ...listed];
}

/** How a list of `products` is read. */
export const PRODUCTS_NOTE = "A: (B, C)-(D-1..3, E) is A-B-D-1, A-B-D-2, A-B-D-3, A-B-E and the same with C";

/** Names with numbers in a row at their ends as ranges: `I-1..3, M`; an empty one as `""`. */
function numbered(names: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < names.length;) {
    const name = names[i]!;
    const first = /(?<!\d)\d+$/.exec(name)?.[0];
    const head = name.slice(0, name.length - (first?.length ?? 0));
    let end = i + 1;
    if (first !== undefined) while (names[end] === `${head}${Number(first) + end - i}`) end++;
    out.push(end - i > 1 ? `${name}..${Number(first) + end - i - 1}` : name === "" ? '""' : name);
    i = end;
  }
  return out;
}

/** What a range is, for readers; null where there is none. */
export function rangeNote(lines: readonly string[]): string | null {
  const found = /\b(\d{4})\.\.(\d{4})\b/.exec(lines.join("\n"));
  return found === null
    ? null
    : `${found[1]!}..${found[2]!} is every hex of the column from ${found[1]!} to ${found[2]!}.`;
}

/** What of a list is new and what is gone, each item as often as it is; null where saying so is no shorter. */
export function listChange(before: readonly string[], after: readonly string[]): string | null {
  const gone = beyond(before, after, String);
  const come = beyond(after, before, String);
  // a count is one thing that has changed, whatever has come and gone beside it
  const counts = beyond(come, beyond(come, gone, countName), String).filter((item) => countName(item) !== item);
  const [fresh, left] = [beyond(come, counts, String), beyond(gone, counts, countName)];
  const parts = [
    ...(counts.length > 0 ? [`now ${counts.join(", ")}`] : []),
    ...(fresh.length > 0 ? [`now also ${ranges(fresh).join(", ")}`] : []),
    ...(left.length > 0 ? [`no longer ${ranges(left).join(", ")}`] : []),
  ];
  const text = parts.join("; ");
  return text !== "" && text.length < ranges(after).join(", ").length ? text : null;
}

/** `in the drum` of `in the drum 96`; what is no count names itself. */
const countName = (item: string): string => /^(\D.*?) \d+( of \d+)?$/.exec(item)?.[1] ?? item;

/** Items of `list` beyond those of `other`, in order, each as often as it is. */
export function beyond<T>(list: readonly T[], other: readonly T[], key: (item: T) => string): T[] {
  const left = new Map<string, number>();
  for (const item of other) left.set(key(item), (left.get(key(item)) ?? 0) + 1);
  return list.filter((item) => {
    const n = left.get(key(item)) ?? 0;
    if (n > 0) left.set(key(item), n - 1);
    return n === 0;
  });
}
