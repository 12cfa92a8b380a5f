import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files and folders as they were before something was written, to bring them back where a later step fails. */
export class Written {
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

  /** Others will write this file. */
  note(path: string): void {
    const file = join(this.root, path);
    if (!this.before.has(file)) this.before.set(file, existsSync(file) ? readFileSync(file, "utf8") : null);
  }

  /** Others will make this folder, which isn't there. */
  noteFolder(path: string): void {
    this.madeFolders.push(join(this.root, path));
  }

  takeBack(): void {
    for (const [file, text] of this.before)
      if (text === null) rmSync(file, { force: true });
      else writeFileSync(file, text);
    for (const folder of this.madeFolders) rmSync(folder, { recursive: true, force: true });
  }
}
