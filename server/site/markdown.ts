/** A Markdown table. Cells are escaped. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/[ \t\n]+/g, " ");

/** Escapes a text for Markdown. */
export const plain = (text: string): string => text.replace(/[\\*_<>[\]]/g, "\\$&");
