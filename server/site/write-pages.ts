import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { KesselError } from "../../env/core/errors.js";
import { allPages, linked, menuOf, outsideCode, ROOT } from "./pages.js";

/** The reference of the Python package in Markdown, from its docstrings. @throws KesselError without Python */
export function pythonApi(): string {
  const own = join(ROOT, ".venv/bin/python");
  const python = process.env["KESSEL_PYTHON"] ?? (existsSync(own) ? own : "python3");
  const { status, stdout, stderr, error } = spawnSync(python, [join(ROOT, "server/site/python-api.py")], {
    encoding: "utf8",
    maxBuffer: 1 << 24,
  });
  if (status !== 0)
    throw new KesselError(
      "bad-option",
      `the Python reference needs Python 3.10 (${python}): ${error?.message ?? stderr}`,
    );
  return stdout;
}

/**
 * Writes all pages of the site, their pictures and the menu. Games must be loaded.
 *
 * @param folder gets `pages`, which is deleted first, and `menu.json`
 * @param repository address of the repository, such as `https://host/owner/name`; null if it is unknown
 * @throws KesselError when the target of a link does not exist
 */
export function writePages(folder: string, repository: string | null): void {
  const pages = allPages(pythonApi());
  const exists = (file: string): boolean => existsSync(join(ROOT, file));
  const broken: string[] = [];
  rmSync(join(folder, "pages"), { recursive: true, force: true });
  for (const page of pages) {
    const { text, pictures, broken: here } = linked(page, pages, repository, exists);
    broken.push(...here.map((target) => `${page.from}: ${target}`));
    const file = join(folder, "pages", `${page.path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      outsideCode(text, (part) => part.replaceAll("{{", "{\u200b{")),
    ); // VitePress evaluates `{{`
    for (const picture of pictures) copyPicture(picture, folder);
    for (const [address, svg] of page.drawings ?? []) {
      mkdirSync(join(folder, "pages/public/pictures"), { recursive: true });
      writeFileSync(join(folder, "pages/public", address), svg);
    }
  }
  if (broken.length > 0) throw new KesselError("bad-option", `broken links: ${broken.join(", ")}`);
  copyPicture(".github/savage-streets.png", folder); // of the start page
  writeFileSync(join(folder, "menu.json"), JSON.stringify({ ...menuOf(pages), repository }));
}

function copyPicture(file: string, folder: string): void {
  cpSync(join(ROOT, file), join(folder, "pages/public/pictures", basename(file)));
}
