import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GAMES, gameType, loadGame, shapesOf } from "../../../env/index.js";
import { roster } from "../../../agents/roster.js";
import { parseLlm } from "../../../agents/llm/settings.js";
import { parseSearch } from "../../../agents/search/options.js";
import { allPages, linked, type Page } from "../../../server/site/pages.js";
import { serveFolder } from "../../../server/cli/serve-folder.js";
import { pythonApi, writePages } from "../../../server/site/write-pages.js";
import { ROOT, tree } from "../../documents.js";

let pages: Page[] = [];
beforeAll(() => void (pages = allPages(pythonApi())));

const page = (path: string): Page => pages.find((p) => p.path === path)!;
const exists = (file: string): boolean => existsSync(join(ROOT, file));
const broken = (p: Page): string[] => linked(p, pages, null, exists).broken.map((to) => `${p.from}: ${to}`);

describe("the site's pages", () => {
  test("each has a title, an address of its own and a text without empty slots", () => {
    expect(pages.length).toBeGreaterThan(40);
    expect(new Set(pages.map((p) => p.path)).size).toBe(pages.length);
    const bare = pages.filter((p) => p.path !== "index" && !/^# \S/m.test(p.text)).map((p) => p.path);
    expect(bare).toEqual([]);
    expect(pages.filter((p) => /^\{\{/m.test(p.text)).map((p) => p.path)).toEqual([]);
  });

  test("every document of a game has a page", () => {
    const documents = tree("env").filter((file) => file.endsWith(".md"));
    expect(documents.length).toBeGreaterThan(GAMES.length);
    expect(documents.filter((file) => !pages.some((p) => p.from === file))).toEqual([]);
  });

  test("every link leads to a page, a heading or a file", () => {
    expect(pages.flatMap(broken)).toEqual([]);
  });

  test("a link to a missing file or heading is found, and one to a file without a page is plain text", () => {
    const text =
      "[a](none.md) [b](../../PROTOCOL.md#no-such) [c](../../PROTOCOL.md#batches) [d](../site/pages.ts) `[e](x)`";
    const of = { path: "x", title: "x", text, from: "server/tools/x.md" };
    const { text: made, broken: found } = linked({ ...of, from: "server/tools/a/x.md" }, pages, null, exists);
    expect(found).toEqual(["none.md", "../../PROTOCOL.md#no-such", "../site/pages.ts"]);
    expect(made).toContain("[c](/reference/protocol#batches) d `[e](x)`");
    const source = linked({ ...of, text: "[d](../site/pages.ts)" }, pages, "https://host/a/b", exists);
    expect(source.text).toBe("[d](https://host/a/b/blob/main/server/site/pages.ts)");
  });

  test("those of games draw how their nets learnt, from the curves beside the models", () => {
    const lines = gunzipSync(readFileSync(join(ROOT, "models/pocket-stalingrad/commander.curve.jsonl.gz")));
    const updates = lines.toString().trim().split("\n").map((line) => JSON.parse(line)); // prettier-ignore
    const measured = updates.filter((u) => u.evaluation !== undefined);
    const { text } = page("games/pocket-stalingrad");
    const of = text.slice(text.indexOf("#### [`pocket-stalingrad/commander`]"));
    const svg = page("games/pocket-stalingrad").drawings!.get(/!\[[^\]]*\]\((.*?)\)/.exec(of)![1]!)!;
    expect(svg.match(/<polyline/g)).toHaveLength(2 * Object.keys(measured[0].evaluation).length);
    expect(svg.match(/<circle/g)).toHaveLength(measured.reduce((n, u) => n + 2 * Object.keys(u.evaluation).length, 0));
    const decisions = updates.reduce((n, u) => n + u.decisions, 0);
    expect(of).toContain(`${updates.length} updates, ${(decisions / 1e6).toFixed(1)} million decisions`);
    const last = measured.at(-1).evaluation["heuristic:planner"].german;
    expect(of).toContain(`| planner | german | ${(decisions / 1e6).toFixed(1)} | ${(100 * last.rate).toFixed(1)} [`);
    expect(GAMES.filter((g) => page(`games/${g.id}`).text.includes("### Learning curves")).length).toBe(GAMES.length);
  });

  test.each(GAMES.map((g) => g.id))("that of %s has its shapes, options, features, actions and agents", (id) => {
    const game = loadGame(id);
    const { text } = page(`games/${id}`);
    for (const shape of Object.values(shapesOf(game.observation))) expect(text).toContain(`\`[${shape.join(", ")}]\``);
    for (const option of game.type.options) expect(text).toContain(`| \`${option.id}\` |`);
    for (const tensor of ["globals", "map", "units", "decision"] as const)
      for (const { name } of game.observation[tensor]) expect(text).toContain(`| \`${name}\` |`);
    expect(text).toContain(`${game.actions.length} actions in one flat list`);
    expect(text).toContain(`\`${game.actions.at(-1)}\``);
    for (const { short, kind } of roster(game))
      expect(text).toContain(kind === "level" ? `[\`${short}\`](/models/` : `| \`${short}\` |`);
    expect(text.includes("::: warning Reconstructed")).toBe(game.type.reconstructed !== null);
    expect(text).toContain("## Versions");
  });

  test.each(GAMES.map((g) => g.id))(
    "the rules of %s have every rule, and a drawing where a section has a picture",
    (id) => {
      const { text, drawings } = page(`rules/${id}`);
      const { rules, rulebook = [] } = gameType(id);
      for (const rule of Object.keys(rules)) expect(text).toContain(`| \`${rule}\` |`);
      expect(drawings!.size).toBe(rulebook.filter((section) => section.picture !== undefined).length);
      for (const [address, svg] of drawings!) {
        expect(text).toContain(`](${address})`);
        expect(svg).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
        // a page shows it as a picture, which loads no fonts; Arial is that of the symbols
        const fonts = new Set([...svg.matchAll(/ font-family="'?([^'",]+)/g)].map((m) => m[1]!));
        fonts.delete("Arial");
        for (const font of fonts) expect(svg, `${address}: ${font}`).toContain(`@font-face{font-family:"${font}"`);
      }
    },
  );

  /** Names in the first column of the table under a heading, without `=`. */
  const settings = (path: string, heading: string): string[] => {
    const [, section = ""] = page(path).text.split(`## ${heading}\n`);
    const rows = section
      .split(/^## /m)[0]!
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    return rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/`(\w+)=`/g)].map((m) => m[1]!)).sort();
  };
  /** What the error about an unknown setting lists. */
  const listed = (parse: () => unknown, words: RegExp): string[] => {
    try {
      parse();
    } catch (e) {
      return [...(e as Error).message.matchAll(words)].map((m) => m[1]!).sort();
    }
    return [];
  };

  test("the guides list every setting of a search and of a language model", () => {
    const search = listed(() => parseSearch("none=1", loadGame("night-fight"), false), /(\w+)=\.\.\./g);
    expect(search.length).toBeGreaterThan(10);
    expect(settings("guide/compare", "Search")).toEqual(search);
    const known = listed(() => parseLlm("http://127.0.0.1:1/v1,none=1"), /(?:are|,|or) (\w+)(?=,| or|$)/g);
    expect(known.length).toBeGreaterThan(10);
    expect(settings("guide/language-models", "An agent behind an interface")).toEqual(known);
  });

  test("the Python reference has every public name with its text", () => {
    const { text } = page("reference/python-api");
    const init = readFileSync(join(ROOT, "server/python/kessel/__init__.py"), "utf8");
    const names = [.../__all__ = \[([\s\S]*?)\]/.exec(init)![1]!.matchAll(/"(\w+)"/g)].map((m) => m[1]!);
    const modules = names.filter(
      (name) => exists(`server/python/kessel/${name}`) || exists(`server/python/kessel/${name}.py`),
    );
    expect(modules).toContain("rl");
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) expect(text).toContain(modules.includes(name) ? `## kessel.${name}` : `### ${name} {#`);
    const bare = text.split(/^### /m).filter((entry) => !/```\n\n\S/.test(entry) && !/^# /.test(entry));
    expect(bare.map((entry) => entry.split("\n")[0])).toEqual([]);
  });
});

describe("the served folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "kessel-site-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("gives pages with and without their ending, and nothing from outside", async () => {
    for (const name of ["index.html", "a.html", "404.html"]) writeFileSync(join(folder, name), name);
    const { server, port } = await serveFolder(folder, 0);
    const get = async (path: string): Promise<string> => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`);
      return `${reply.status} ${await reply.text()}`;
    };
    expect(await get("/")).toBe("200 index.html");
    expect(await get("/a")).toBe("200 a.html");
    expect(await get("/a.html?x=1")).toBe("200 a.html");
    expect(await get("/%2e%2e/%2e%2e/etc/passwd")).toBe("404 404.html");
    expect(await get("/%ff")).toBe("404 404.html");
    await expect(serveFolder(folder, port)).rejects.toThrow(`port ${port}: it is in use`);
    server.close();
  });

  test("pages are written with their pictures and menu", () => {
    writePages(folder, null);
    expect(existsSync(join(folder, "pages/public/pictures/night-fight.png"))).toBe(true);
    const { sidebar } = JSON.parse(readFileSync(join(folder, "menu.json"), "utf8")) as {
      sidebar: { items: object[] }[];
    };
    expect(sidebar.flatMap((part) => part.items).length).toBeGreaterThan(25);
  });
});
