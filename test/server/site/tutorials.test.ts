/** The tutorials of the site, done as they are written. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test } from "vitest";
import { closeStubs, stub } from "../../agents/llm-stub.js";
import { ROOT, textOf, tree } from "../../documents.js";
import { nightly } from "../../nightly.js";
import { printed, stepsOf, typed } from "./tutorial.js";

const PAGES = "server/site/pages/start";
const folders: string[] = [];
afterAll(() => {
  closeStubs();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kessel-tutorial-"));
  folders.push(folder);
  return folder;
}

/** A copy of the repository, without what is installed or built. */
function copyOfRepository(): string {
  const copy = newFolder();
  const left = ["node_modules", ".venv", ".git", "runs", "dist"];
  for (const name of readdirSync(ROOT).filter((n) => !left.includes(n)))
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/**
 * Does all steps of a page in a folder, and compares what is printed.
 *
 * @param changed a shorter way, in the place of words of the page
 */
async function followed(page: string, folder: string, checkout = ROOT, changed: readonly [string, string][] = []) {
  const { url } = await stub(() => "Action: 1");
  let text = textOf(`${PAGES}/${page}.md`).replaceAll("http://127.0.0.1:8000/v1", url);
  for (const [words, others] of changed) {
    expect(text).toContain(words);
    text = text.replaceAll(words, others);
  }
  const steps = stepsOf(text);
  expect(steps.length).toBeGreaterThan(1);
  for (const step of steps)
    if (step.kind === "file") writeFileSync(join(folder, step.name), step.text);
    else if (step.kind === "edit") {
      const text = readFileSync(join(folder, step.name), "utf8");
      expect(text).toContain(step.old);
      writeFileSync(join(folder, step.name), text.replace(step.old, step.text));
    } else {
      const out: string[] = [];
      for (const line of step.lines) out.push(await typed(line, step.input, folder, checkout, step.fails));
      const all = out.join("\n").trim();
      if (step.prints !== null && !printed(step.prints, all)) expect(all).toBe(step.prints);
    }
}

describe("a tutorial, as written", () => {
  test("train an agent, with fewer updates", async () => {
    await followed("train", newFolder(), ROOT, [
      ["UPDATES = 60", "UPDATES = 1"],
      ['ENVS, STEPS = "pocket-stalingrad", "german", 128, 128', 'ENVS, STEPS = "pocket-stalingrad", "german", 16, 128'],
      ["GAME, 400", "GAME, 20"],
      ["--games 40", "--games 2"],
    ]);
  });

  test("train an agent: it wins twice as often as random play", nightly, async () => {
    const folder = newFolder();
    await followed("train", folder, ROOT, [['print(f"wins', "assert result['win_rate'] > 0.16\nprint(f\"wins"]]);
  });

  test("play your first game", async () => {
    await followed("play", newFolder());
  });

  test("play your first game: the page has every button that the text names", () => {
    const client = tree("server/page/client").filter((file) => file.endsWith(".tsx"));
    const words = client.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n");
    const buttons = [...textOf(`${PAGES}/play.md`).matchAll(/\*\*(.+?)\*\*/g)].map((m) => m[1]!);
    expect(buttons.length).toBeGreaterThan(6);
    expect(
      buttons.filter(
        (name) =>
          !new RegExp(`[>"\\s]${name.replace("?", "\\?")}\\s*[<"{]|^\\s*${name.replace("?", "\\?")}$`, "m").test(words),
      ),
    ).toEqual([]);
  });

  test("seat a language model", async () => {
    await followed("language-model", newFolder());
  });

  test("seat a language model: the stand-in answers as the page says", async () => {
    const steps = stepsOf(textOf(`${PAGES}/language-model.md`));
    const stub = steps.find((step) => step.kind === "file" && step.name === "stub.py") as { text: string };
    expect(stub.text).toContain(", 8000)");
    const python = spawn(join(ROOT, ".venv/bin/python"), ["-c", stub.text.replace(", 8000)", ", 0)")]);
    try {
      const [line] = (await once(createInterface(python.stdout), "line")) as [string];
      const address = /^answers at (http:\S+)$/.exec(line)![1]!;
      const arena = `npx kessel arena pocket-stalingrad --agents llm:${address},model=any,random --games 2`;
      const out = await typed(arena, "", newFolder(), ROOT, false);
      expect(out).toMatch(/llm:any \(settings: default\): \d+ answers, 0 without a legal action/);
    } finally {
      python.kill();
    }
  });

  test("add a game", nightly, async () => {
    const copy = copyOfRepository();
    await followed("add-a-game", copy, copy);
  });
});

describe("what the tests of tutorials read", () => {
  test("files, changes, commands with their input and output, and no set-up", () => {
    const page =
      "```sh setup\nnpm ci\n```\n```python a.py\nx = 1\n```\n```sh\none\ntwo\n```\n```input\nyes\n```\n```text\nok …\n```\n```js\nno\n```\n```diff b.json\n-old\n+new\n```\n```sh fails\nthree\n```\n";
    expect(stepsOf(page)).toEqual([
      { kind: "file", name: "a.py", text: "x = 1\n" },
      { kind: "commands", lines: ["one", "two"], input: "yes\n", prints: "ok …", fails: false },
      { kind: "edit", name: "b.json", old: "old", text: "new" },
      { kind: "commands", lines: ["three"], input: "", prints: null, fails: true },
    ]);
  });

  test("an output fits with anything in the place of an ellipsis, otherwise to the letter", () => {
    expect(printed("wins …% now\n…", "wins 12.5% now\nand more")).toBe(true);
    expect(printed("wins …% now", "wins 12.5% then")).toBe(false);
    expect(printed("a.c", "abc")).toBe(false);
  });

  test("a command that fails says what it printed", async () => {
    await expect(typed("echo gone; exit 3", "", newFolder(), ROOT)).rejects.toThrow(/ended with 3\ngone/);
    await expect(typed("echo gone; exit 3", "", newFolder(), ROOT, true)).resolves.toBe("gone\n");
    await expect(typed("true", "", newFolder(), ROOT, true)).rejects.toThrow("ended with 0");
  });
});
