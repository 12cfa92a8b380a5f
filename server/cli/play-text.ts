import type { Event } from "../session/session.js";

export const HELP = `A number or the name of an action (or its beginning, if only one fits) plays it.
  board      the board and the actions again
  undo       take the last choice back, as long as no die was rolled and nothing hidden came to light
  save FILE  write the game so far as a replay (\`kessel play --resume FILE\` goes on with it)
  quit       leave the game`;

/** An event as one line: who, what, and the dice that fell. */
export function eventText({ actor, action, dice, forced }: Event): string {
  return `  ${actor}: ${action}${forced ? " (the only choice)" : ""}${dice.length > 0 ? `  [dice ${dice.join(" ")}]` : ""}`;
}

/**
 * The action that a line means: its number in the list (from 1), its name, or a beginning that only one name has
 * (capitals don't matter).
 *
 * @returns the action, or all names that begin so
 */
export function findAction(legal: readonly string[], line: string): string | string[] {
  if (legal.includes(line)) return line;
  const number = /^\d+$/.test(line) ? Number(line) : 0;
  if (number >= 1 && number <= legal.length) return legal[number - 1]!;
  const lower = line.toLowerCase();
  const same = legal.filter((a) => a.toLowerCase() === lower);
  if (same.length === 1) return same[0]!;
  const fits = legal.filter((a) => a.toLowerCase().startsWith(lower));
  return fits.length === 1 ? fits[0]! : fits;
}

/** Numbered names, down the columns of a terminal. */
export function columns(names: readonly string[], width: number): string {
  const items = names.map((n, i) => `${String(i + 1).padStart(String(names.length).length)} ${n}`);
  const wide = Math.max(...items.map((i) => i.length)) + 3;
  const across = Math.max(1, Math.min(Math.ceil(items.length / 5), Math.floor((width - 3) / wide)));
  const down = Math.ceil(items.length / across);
  return Array.from({ length: down }, (_, r) =>
    Array.from({ length: across }, (_c, c) => (items[c * down + r] ?? "").padEnd(wide))
      .join("")
      .trimEnd(),
  )
    .map((line) => `  ${line}`)
    .join("\n");
}
