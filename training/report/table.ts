import { shownName } from "../../env/core/safe-text.js";

/** Rows of text under heads, columns aligned: the first to the left, numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], left = 1): string {
  const shown = rows.map((row) => row.map(shownName));
  const widths = heads.map((h, c) => Math.max(h.length, ...shown.map((r) => (r[c] ?? "").length)));
  const line = (cells: readonly string[]) =>
    widths
      .map((w, c) => (c < left ? (cells[c] ?? "").padEnd(w) : (cells[c] ?? "").padStart(w)))
      .join("  ")
      .trimEnd();
  return [line(heads), widths.map((w) => "-".repeat(w)).join("  "), ...shown.map(line)].join("\n");
}
