import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { nightly, nightlyUnless } from "../nightly.js";
import type { JsonObject } from "../../env/index.js";
import { Server } from "../../server/zmq.js";
import { bit, wrapped } from "../planted/plant.js";
import { TOY_LIBRARY } from "./toys.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = process.env["KESSEL_PYTHON"] ?? `${root}.venv/bin/python`;

/** Runs Python to its end. @returns what it printed; rejects with what it complained of */
function run(args: string[], env: Record<string, string> = {}, cwd = root): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      python,
      args,
      { cwd, env: { ...process.env, PYTHONPATH: `${root}server/python`, ...env }, maxBuffer: 1 << 24 },
      (e, out, err) => (e ? reject(new Error(`${args.join(" ")}\n${out}\n${err}`)) : resolve(out)),
    );
  });
}

beforeAll(async () => {
  const remedy = "make it with: sh server/python/setup-venv.sh (or name another in KESSEL_PYTHON)";
  if (!existsSync(python))
    throw new Error(`these tests need a Python with the kessel package, and ${python} is not there; ${remedy}`);
  await run(["-c", "import kessel, gymnasium, pettingzoo, onnx, ruff"]).catch((e: Error) => {
    throw new Error(`${python} lacks a package these tests need (${e.message.trim().split("\n").at(-1)}); ${remedy}`);
  });
});

describe("the Python package", () => {
  it("is formatted and free of what ruff finds, benches and examples too", async () => {
    const config = ["--config", "server/python/pyproject.toml"];
    const files = ["server/python", "training"];
    await run(["-m", "ruff", "format", "--check", "--quiet", ...config, ...files]);
    await run(["-m", "ruff", "check", "--quiet", ...config, ...files]);
  });

  // in four parts: each has the limit of a test to itself
  it.each([0, 1, 2, 3])("passes its own tests against a server of toy games, part %i of 4", async (part) => {
    const files = readdirSync(join(root, "server/python/tests")).filter((file) => /^test_.*\.py$/.test(file));
    expect(files.length).toBeGreaterThan(12);
    const modules = files.filter((_, i) => i % 4 === part).map((file) => file.replace(/\.py$/, ""));
    const models = mkdtempSync(join(tmpdir(), "kessel-models-"));
    const server = await Server.start({ ...TOY_LIBRARY, models, bind: "tcp://127.0.0.1:*" });
    try {
      const env = { KESSEL_ADDRESS: server.address, KESSEL_MODELS: models };
      expect(await run(["-m", "unittest", ...modules], env, `${root}server/python/tests`)).toBe("");
    } finally {
      await server.close();
      rmSync(models, { recursive: true });
    }
  });

  it("passes Gymnasium's and PettingZoo's tests on every game and seat", nightly, async () => {
    const server = await Server.start({ bind: "tcp://127.0.0.1:*" });
    try {
      expect(
        await run(["-m", "unittest", "discover", "-s", "server/python/tests", "-p", "test_faces.py"], {
          KESSEL_ADDRESS: server.address,
        }),
      ).toBe("");
    } finally {
      await server.close();
    }
  });

  it("shapes rewards, starts late, grows opponents and takes orders in a real game", async () => {
    const server = await Server.start({ bind: "tcp://127.0.0.1:*" });
    try {
      expect(
        await run(["-m", "unittest", "discover", "-s", "server/python/tests/real_games"], {
          KESSEL_ADDRESS: server.address,
        }),
      ).toBe("");
    } finally {
      await server.close();
    }
  });

  const keepsProtocol = async (options: object, game: string): Promise<void> => {
    const server = await Server.start({ ...options, bind: "tcp://127.0.0.1:*" });
    try {
      expect(await run(["-m", "kessel.conformance", server.address, game])).toMatch(/\n30 passed, 0 failed/);
    } finally {
      await server.close();
    }
  };
  for (const game of ["toy-ambush", "toy-race", "toy-patrol"])
    it(`finds that the server keeps the protocol, with ${game}`, nightlyUnless(game === "toy-ambush"), () =>
      keepsProtocol(TOY_LIBRARY, game),
    );
  it("finds that the server keeps the protocol, with a real game", nightly, () =>
    keepsProtocol({}, "pocket-stalingrad"),
  );

  it("finds a server whose replies differ in worlds that look the same", async () => {
    const reversed = (d: JsonObject): JsonObject => Object.fromEntries(Object.entries(d).reverse());
    const server = await Server.start({
      ...TOY_LIBRARY,
      bind: "tcp://127.0.0.1:*",
      load: (id, options, data) =>
        wrapped(TOY_LIBRARY.load(id, options, data), (honest) => ({
          view: (s, viewer) => (bit(s) === 1 ? reversed(honest.view(s, viewer)) : honest.view(s, viewer)),
        })),
    });
    try {
      const found = run(["-m", "kessel.conformance", server.address, "toy-ambush"]);
      await expect(found).rejects.toThrow(/FAILED {2}whole replies of twin worlds[^]*\n29 passed, 1 failed/);
    } finally {
      await server.close();
    }
  });

  it("learns that the server was restarted, and goes on from what it saved", async () => {
    const code = `
import sys, time, kessel
client = kessel.Client(timeout=300)
batch = client.make("toy-race", 8, privileged=True)
t = batch.reset(seed=1)
for _ in range(5):
    t = batch.step(t["mask"].argmax(axis=1))
saved, expected = batch.save(), batch.step(t["mask"].argmax(axis=1))
print("saved", flush=True)
while client.connected:  # a request sent before it knows of the break could be lost with the connection
    time.sleep(0.01)
print("down", flush=True)
sys.stdin.readline()
try:
    batch.step(t["mask"].argmax(axis=1))
except kessel.KesselError as e:
    print(e.code)
again = client.make("toy-race", 8, privileged=True)
again.reset(seed=2)
back = again.load(saved)
same = all((back[k] == t[k]).all() for k in ("globals", "map", "units", "decision", "mask", "actors"))
step = again.step(back["mask"].argmax(axis=1))
print(same and (step["units"] == expected["units"]).all())
`;
    const stateKey = Buffer.alloc(32, 7); // `kessel serve` keeps one for its user
    const first = await Server.start({ ...TOY_LIBRARY, bind: "tcp://127.0.0.1:*", stateKey });
    const client = spawn(python, ["-c", code], {
      env: { ...process.env, PYTHONPATH: `${root}server/python`, KESSEL_ADDRESS: first.address },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("saved");
    await first.close();
    expect((await lines.next()).value).toBe("down");
    const second = await Server.start({ ...TOY_LIBRARY, bind: first.address, stateKey });
    try {
      client.stdin.write("\n");
      expect((await lines.next()).value).toBe("unknown-batch");
      expect((await lines.next()).value).toBe("True");
    } finally {
      client.kill();
      await second.close();
    }
  });

  it("starts a server for you, plays the example and stops the server", async () => {
    const out = await run(["server/python/examples/random_play.py", "pocket-stalingrad"]);
    expect(out).toMatch(/^pocket-stalingrad: [\d,]+ decisions\/s, [1-9]\d* games finished\n$/);
  });

  it.each(["", "os.kill(os.getpid(), signal.SIGKILL)"])("leaves no server behind, however it ends %s", async (end) => {
    const code = `import kessel, os, signal; s = kessel.LocalServer(); print(s.process.pid, flush=True); ${end}`;
    const out = await new Promise<string>((resolve) =>
      execFile(
        python,
        ["-c", code],
        { cwd: root, env: { ...process.env, PYTHONPATH: `${root}server/python` } },
        (_, text) => resolve(text),
      ),
    );
    const pid = Number(out);
    expect(pid).toBeGreaterThan(1);
    const alive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false; // there is no such process
      }
    };
    await expect.poll(alive).toBe(false);
  });
});
