/** One import: importing and imported file, as paths in the repository. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Circles of imports, between files and between folders. In every folder, its files and its subfolders (each with all
 * it holds) are the nodes; a circle between them is a line `FOLDER: a -> b -> a`, with one import for each arrow. Every
 * circle of files shows in the folder that all of them share.
 */
export function circles(imports: readonly Import[]): string[] {
  const folders = new Map<string, Map<string, Map<string, Import>>>();
  for (const i of imports) {
    const [from, to] = [i.from.split("/"), i.to.split("/")];
    const k = from.findIndex((name, at) => name !== to[at]);
    if (k < 0) continue;
    const graph = entry(folders, from.slice(0, k).join("/") || ".", () => new Map<string, Map<string, Import>>());
    const arrows = entry(graph, from[k]!, () => new Map<string, Import>());
    if (!arrows.has(to[k]!)) arrows.set(to[k]!, i);
  }
  return [...folders].flatMap(([folder, graph]) =>
    shortestCircles(graph).map((nodes) => {
      const arrows = nodes.map((node, k) => graph.get(node)!.get(nodes[(k + 1) % nodes.length]!)!);
      return `${folder}: ${[...nodes, nodes[0]!].join(" -> ")} (${arrows.map((i) => `${i.from} imports ${i.to}`).join(", ")})`;
    }),
  );
}

/** For each node on a circle, the shortest one; each circle once. */
function shortestCircles(graph: ReadonlyMap<string, ReadonlyMap<string, Import>>): string[][] {
  const found = new Map<string, string[]>();
  for (const start of graph.keys()) {
    const circle = circleFrom(graph, start);
    const key = circle === null ? "" : [...circle].sort().join(" ");
    if (circle !== null && !found.has(key)) found.set(key, circle);
  }
  return [...found.values()];
}

/** The shortest way from a node back to it, breadth first. */
function circleFrom(graph: ReadonlyMap<string, ReadonlyMap<string, Import>>, start: string): string[] | null {
  const before = new Map<string, string>();
  const queue = [start];
  for (let node = queue.shift(); node !== undefined; node = queue.shift())
    for (const next of graph.get(node)?.keys() ?? []) {
      if (next === start) {
        const way = [node];
        while (way[0] !== start) way.unshift(before.get(way[0]!)!);
        return way;
      }
      if (before.has(next)) continue;
      before.set(next, node);
      queue.push(next);
    }
  return null;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
