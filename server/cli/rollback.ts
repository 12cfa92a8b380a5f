import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Restores files and folders to what they were before something was written, when a later step fails. */
export class Rollback {
  /** By path; null where there was no file. */
  private readonly before = new Map<string, string | null>();
  private readonly madeFolders: string[] = [];

  constructor(private readonly root: string) {}

  write(path: string, text: string): void {
    const file = join(this.root, path);
    this.note(path);
    const made = mkdirSync(dirname(file), { recursive: true });
    if (made !== undefined) this.madeFolders.push(made);
    writeFileSync(file, text);
  }

  /** Remembers a file that other code will write. */
  note(path: string): void {
    const file = join(this.root, path);
    if (!this.before.has(file)) this.before.set(file, existsSync(file) ? readFileSync(file, "utf8") : null);
  }

  /** Remembers a folder that other code will make. */
  noteFolder(path: string): void {
    this.madeFolders.push(join(this.root, path));
  }

  restore(): void {
    for (const [file, text] of this.before)
      if (text === null) rmSync(file, { force: true });
      else writeFileSync(file, text);
    for (const folder of this.madeFolders) rmSync(folder, { recursive: true, force: true });
  }
}
