import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The repository's folder. */
export const ROOT = join(import.meta.dirname, "..");

/** Folders that hold nothing of the repository: at its root, and anywhere. */
const FOREIGN = [".git", "runs", "scratch", "dist"];
const FOREIGN_ANYWHERE = ["node_modules", ".venv"];

/** Files and folders of the repository, by their paths from its root. */
export function tree(folder = ""): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((e) => {
    const path = join(folder, e.name);
    if (!e.isDirectory()) return [path];
    return FOREIGN.includes(path) || FOREIGN_ANYWHERE.includes(e.name) ? [] : [path, ...tree(path)];
  });
}

export const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The code of a Markdown text: lines of its blocks, those broken by `\` put together, and words in backticks. */
export function codeOf(markdown: string): string[] {
  const parts = markdown.split(/^ *```.*$/m);
  return parts.flatMap((part, i) => {
    if (i % 2 === 0) return [...part.matchAll(/`([^`]+)`/g)].map((m) => m[1]!.replace(/\s+/g, " ").trim());
    const lines = part.replace(/\\\n\s*/g, " ").split("\n");
    return lines.map((line) => line.trim());
  });
}
