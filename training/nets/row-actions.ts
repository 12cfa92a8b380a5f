import type { Game } from "../../env/index.js";
import type { Matrix } from "./net-ops.js";

export const TABLES = ["map", "units"] as const;
export type Table = (typeof TABLES)[number];

interface NamedRows {
  readonly rows: number;
  readonly verbs: number;
  readonly named: readonly { readonly a: number; readonly row: number; readonly verb: number }[];
}

/**
 * Actions that end in the name of a row (`area 3`, `hex 1205`), grouped by the text before it, the verb. The matrix
 * `scoresToActions` maps scores `[rows * verbs]` to actions `[A]`.
 */
export function rowActions(game: Game, table: Table): { verbs: number; scoresToActions: Matrix } {
  const { rows, verbs, named } = namedRows(game, table);
  const A = game.actions.length;
  const data = new Float32Array(rows * verbs * A);
  for (const { a, row, verb } of named) data[(row * verbs + verb) * A + a] = 1;
  return { verbs, scoresToActions: { rows: rows * verbs, columns: A, data } };
}

/** Which action names which row, and under which verb, by the verb's number. */
export function namedRows(game: Game, table: Table): NamedRows {
  const rows = table === "map" ? game.observation.mapRows : game.observation.unitRows;
  const verbs: string[] = [];
  const named = game.actions.flatMap((action, a) => {
    // the longest matching name wins
    const row = rows.reduce(
      (best, name, i) => (action.endsWith(` ${name}`) && (best < 0 || name.length > rows[best]!.length) ? i : best),
      -1,
    );
    if (row < 0) return [];
    const verb = action.slice(0, -rows[row]!.length);
    if (!verbs.includes(verb)) verbs.push(verb);
    return [{ a, row, verb: verbs.indexOf(verb) }];
  });
  return { rows: rows.length, verbs: verbs.length, named };
}
