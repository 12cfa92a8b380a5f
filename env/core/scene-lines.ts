/** Joins links between places end to end into long lines, so that a road is drawn as one curve. */
export function joined(links: readonly (readonly [string, string])[]): string[][] {
  const at = new Map<string, number[]>();
  links.forEach((link, i) => link.forEach((p) => at.set(p, [...(at.get(p) ?? []), i])));
  const used = new Set<number>();
  const lines: string[][] = [];
  const extend = (line: string[]): void => {
    for (;;) {
      const end = line.at(-1)!;
      const next = at.get(end)!.find((i) => !used.has(i));
      if (next === undefined) return;
      used.add(next);
      line.push(links[next]!.find((p) => p !== end)!);
    }
  };
  links.forEach((link, i) => {
    if (used.has(i)) return;
    used.add(i);
    const line = [...link];
    extend(line);
    line.reverse();
    extend(line);
    lines.push(line);
  });
  return lines;
}

/**
 * Roads of a map that only says which hexes have one: neighbours are linked, earlier pairs first, unless both already
 * have a link to a third.
 */
export function roadLinks(pairs: readonly (readonly [string, string])[]): [string, string][] {
  const near = new Map<string, Set<string>>();
  const kept: [string, string][] = [];
  for (const [a, b] of pairs) {
    const [na, nb] = [near.get(a) ?? new Set<string>(), near.get(b) ?? new Set<string>()];
    if ([...na].some((c) => nb.has(c))) continue;
    near.set(a, na.add(b));
    near.set(b, nb.add(a));
    kept.push([a, b]);
  }
  return kept;
}
