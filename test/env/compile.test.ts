import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../env/source.mjs";

const ROOT = join(import.meta.dirname, "../..");
const home = fs.mkdtempSync(join(tmpdir(), "kessel compile #1 "));
const checkout = join(home, "a checkout");
const cache = join(checkout, "node_modules/.cache/kessel");

/** A small checkout: the loader, and sources that import each other, data and files beside them. */
const FILES: Readonly<Record<string, string>> = {
  "env/data.json": '{"answer": 42}',
  "env/game.ts": `import file from "./data.json" with { type: "json" };
import { type Id, named } from "./index.js";
export const answer: number = file.answer;
export const id: Id = named("x");
export function fails(): never {
  throw new Error("on purpose");
}`,
  "env/named.ts": "export type Id = string;\nexport const named = (id: string): Id => id;\n",
  "env/unused.ts": 'throw new Error("unused.ts was loaded");\nexport const unused = 1;\n',
  "env/index.ts": 'export * from "./unused.js";\nexport * from "./named.js";\n',
  "server/main.ts": `import { readFileSync } from "node:fs";
import { answer, fails, id } from "../env/game.js";
const beside = readFileSync(new URL("./beside.txt", import.meta.url), "utf8");
let where = "";
try { fails(); } catch (e) { where = /game\\.ts:\\d+/.exec((e as Error).stack ?? "")?.[0] ?? (e as Error).stack!; }
console.log(JSON.stringify({ answer, id, beside, where, folder: import.meta.dirname.split("/").at(-1) }));
`,
  "server/beside.txt": "beside",
  "server/worker.ts":
    'import { parentPort } from "node:worker_threads";\nimport { answer } from "../env/game.js";\nparentPort!.postMessage(answer);\n',
  "agents/none.ts": "export {};\n",
  "training/none.ts": "export {};\n",
};

const RIGHT = { answer: 42, id: "x", beside: "beside", where: "game.ts:6", folder: "server" };

beforeAll(() => {
  for (const [file, text] of Object.entries(FILES)) {
    fs.mkdirSync(join(checkout, file, ".."), { recursive: true });
    fs.writeFileSync(join(checkout, file), text);
  }
  for (const file of ["source.mjs", "compile.mjs", "run.mjs"])
    fs.cpSync(join(ROOT, "env", file), join(checkout, "env", file));
  fs.cpSync(join(ROOT, "package.json"), join(checkout, "package.json"));
  fs.mkdirSync(join(checkout, "node_modules/@esbuild"), { recursive: true });
  fs.symlinkSync(join(ROOT, "node_modules/esbuild"), join(checkout, "node_modules/esbuild"));
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const run = (file = "server/main.ts", env: NodeJS.ProcessEnv = {}, cwd = checkout) => {
  const child = spawn(process.execPath, ["env/run.mjs", file], {
    cwd,
    env: { ...process.env, XDG_CACHE_HOME: join(home, "user cache"), ...env },
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text: Buffer) => (said.out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said.err += text.toString()));
  return once(child, "close").then(() => said);
};
const trees = (): string[] => fs.readdirSync(cache).filter((name) => !name.startsWith("making-"));

describe("the compiled tree", () => {
  it("is made once by two first starts at once, in a folder with spaces and #", async () => {
    const both = await Promise.all([run(), run()]);
    for (const { out, err } of both) {
      expect(err).toBe("");
      expect(JSON.parse(out)).toEqual(RIGHT);
    }
    expect(trees()).toHaveLength(1);
    expect(fs.readdirSync(cache)).toEqual(trees());
  });

  it("serves the next start as it is, and is made again when a source has changed", async () => {
    await run();
    const before = trees();
    expect((await run()).err).toBe("");
    expect(trees()).toEqual(before);
    fs.writeFileSync(join(checkout, "env/named.ts"), FILES["env/named.ts"]!.replace("=> id", "=> id + id"));
    expect(JSON.parse((await run()).out)).toEqual({ ...RIGHT, id: "xx" });
    expect(trees()).toHaveLength(before.length + 1);
    fs.writeFileSync(join(checkout, "env/named.ts"), FILES["env/named.ts"]!);
  });

  it.each([
    ["a file is missing", (tree: string) => fs.rmSync(join(tree, "env/named.js"))],
    ["a file is cut off", (tree: string) => fs.truncateSync(join(tree, "env/game.js"), 20)],
    ["its list is cut off", (tree: string) => fs.truncateSync(join(tree, "manifest.json"), 20)],
  ])("is made again where %s", async (_what, damage) => {
    await run();
    for (const tree of trees()) damage(join(cache, tree));
    const { out, err } = await run();
    expect([JSON.parse(out), err]).toEqual([RIGHT, ""]);
  });

  it("holds no link to the packages that it is below, though another checkout shares them", async () => {
    const other = join(home, "another checkout");
    for (const folder of ["env", "server", "agents", "training"])
      fs.cpSync(join(checkout, folder), join(other, folder), { recursive: true });
    fs.symlinkSync(join(checkout, "node_modules"), join(other, "node_modules"));
    const { out, err } = await run("server/main.ts", {}, other);
    expect([JSON.parse(out), err]).toEqual([RIGHT, ""]);
    expect(trees().filter((tree) => fs.existsSync(join(cache, tree, "node_modules")))).toEqual([]);
  });

  it("is in the user's cache where the checkout's cannot be written, and a line says so once", async () => {
    fs.rmSync(cache, { recursive: true });
    fs.writeFileSync(cache, "in the way");
    const first = await run();
    expect(JSON.parse(first.out)).toEqual(RIGHT);
    expect(first.err).toMatch(/^kessel: cannot keep compiled code in .*; it is in .*user cache.*\n$/);
    expect(await run()).toEqual({ out: first.out, err: "" });
    fs.rmSync(cache);
  });

  it("gives way to tsx where no folder can be written, and a line says so", async () => {
    fs.writeFileSync(cache, "in the way");
    fs.writeFileSync(join(home, "taken"), "");
    fs.symlinkSync(join(ROOT, "node_modules/tsx"), join(checkout, "node_modules/tsx"));
    fs.cpSync(join(ROOT, "tsconfig.json"), join(checkout, "tsconfig.json"));
    fs.writeFileSync(
      join(checkout, "server/plain.ts"),
      'import { named } from "../env/named.js";\nconsole.log(named("y"));\n',
    );
    const { out, err } = await run("server/plain.ts", { XDG_CACHE_HOME: join(home, "taken") });
    expect(out).toBe("y\n");
    expect(err).toMatch(/^kessel: cannot keep compiled code .*running the sources through tsx/);
    fs.rmSync(cache);
  });

  it("has modules that a thread of another package can start", async () => {
    const script = `import { Worker } from "node:worker_threads";
      import { compiled } from ${JSON.stringify(pathToFileURL(join(checkout, "env/source.mjs")).href)};
      const at = await compiled(${JSON.stringify(pathToFileURL(join(checkout, "server/worker.ts")).href)});
      new Worker(new URL(at)).on("message", (answer) => console.log(answer));`;
    const file = join(home, "starts-a-worker.mjs");
    fs.writeFileSync(file, script);
    const out = execFileSync(process.execPath, [file], { encoding: "utf8" });
    expect(out).toBe("42\n");
  });
});

it("modules outside the checkout, and JavaScript, are loaded from where they are", async () => {
  for (const file of [join(tmpdir(), "x.ts"), join(ROOT, "env/run.mjs")].map((path) => pathToFileURL(path).href))
    expect(await compiled(file)).toBe(file);
});
