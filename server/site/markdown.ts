/** A Markdown table; cells get what Markdown needs. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ");

/** A text of data in Markdown: its signs mean themselves. */
export const plain = (text: string): string => text.replace(/[\\*_<>[\]]/g, "\\$&");
