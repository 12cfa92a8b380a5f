import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { makeAgent } from "../../agents/registry.js";
import { type GameType, loadGame, resolveOptions } from "../../env/index.js";
import { arena } from "../../training/arena/arena.js";
import { patrol } from "../toys/patrol.js";
import { startServer } from "../server/own-server.js";
import { race } from "../toys/race.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = process.env["KESSEL_PYTHON"] ?? `${root}.venv/bin/python`;
const load = (type: GameType) => type.load(resolveOptions(type), type.data);
const children: ChildProcess[] = [];
afterAll(() => children.forEach((c) => c.kill()));

/** Starts a Python process that serves a policy. @returns its address */
function agent(policy: string, more = "", at = "tcp://127.0.0.1:*"): Promise<string> {
  const code = `from kessel.agent import serve\nimport numpy as np, functools\nserve(lambda obs: ${policy}, "${at}"${more}, ready=functools.partial(print, flush=True))`;
  const child = spawn(python, ["-c", code], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return new Promise((ready, fail) => {
    child.stdout.once("data", (text: Buffer) => ready(`external:${text.toString().trim()}`));
    child.once("exit", (status) => fail(new Error(`Python ended with ${status}`)));
  });
}
const SECRET = "a secret of sixteen".replaceAll(" ", "-");
const first = "obs['mask'].argmax(axis=1)";

test("a Python process that takes the first legal action scores as the same player written here", async () => {
  const there = await agent(first);
  const game = load(race);
  const here = {
    name: "first",
    act: ({ mask, size }: { mask: Uint8Array; size: number }, out: Int32Array) =>
      void out.set(
        Array.from({ length: size }, (_, i) => mask.indexOf(1, i * game.actions.length) - i * game.actions.length),
      ),
  };
  const play = async (name: string) => {
    const r = await arena(game, {
      agents: [name, "random"],
      games: 200,
      seed: "x",
      secret: SECRET, // games against external agents have one; here both games have the same
      agentFor: (n, seed) => (n === "first" ? here : makeAgent(n, { game, seed, connect: true })),
    });
    return { total: r.pairs[0]!.total, seats: r.pairs[0]!.seats };
  };
  expect(await play(there)).toEqual(await play("first"));
});

/** True when this machine has IPv6. */
const hasIPv6 = Object.values(networkInterfaces()).some((all) => all!.some((one) => one.address === "::1"));

test.skipIf(!hasIPv6)("an agent is reached at an IPv6 address, by the name that it prints", async () => {
  const name = await agent(first, "", "tcp://[::1]:*");
  expect(name).toMatch(/^external:tcp:\/\/\[::1\]:\d+$/);
  const there = await makeAgent(name, { game: load(race), seed: 0, connect: true });
  await there.close?.();
});

test.skipIf(!hasIPv6)(
  "a server at an IPv6 address is reached by the client in Python, by the name that it prints",
  async () => {
    const server = await startServer("--bind", "tcp://[::1]:*");
    try {
      expect(server.address).toMatch(/^tcp:\/\/\[::1\]:\d+$/);
      const code = `import kessel\nenvs = kessel.make_vec("pocket-stalingrad", 2, address="${server.address}")\nprint(len(envs.reset()[1]))\nenvs.close()`;
      const { stdout, stderr } = spawnSync(python, ["-c", code], { cwd: root, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(Number(stdout)).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  },
);

test("it sees the tensors that an agent here sees, and plays with two worker threads as with one", async () => {
  const game = loadGame("pocket-stalingrad");
  const shapes = Object.entries({
    globals: "[-1, 39]",
    map: "[-1, 8, 20]",
    units: "[-1, 40, 11]",
    decision: "[-1, 92]",
    mask: "[-1, 117]",
  });
  const check = shapes
    .map(([name, shape]) => `obs['${name}'].reshape(${shape}).shape == obs['${name}'].shape`)
    .join(" and ");
  const there = await agent(
    `${first} if ${check} and obs['units'].max() <= 1 and set(obs['actors']) <= {0, 1} else None`,
    ', game="pocket-stalingrad"',
  );
  const results = await Promise.all(
    [1, 2].map(async (jobs) => ({
      ...(await arena(game, { agents: [there, "random"], games: 130, jobs, secret: SECRET })),
      timing: null,
    })),
  );
  expect(results[1]).toEqual(results[0]);
});

test.each([
  [
    "another game",
    first,
    ', game="chess"',
    /the agent at tcp:\S+ says: "ValueError: this agent plays chess, not toy-patrol"/,
  ],
  ["too few actions", "[0]", "", /says: "ValueError: the policy returned actions of shape \(1,\)/],
  ["a policy that fails", "1 / 0", "", /says: "ZeroDivisionError: division by zero"/],
  ["an illegal action", "obs['mask'].argmin(axis=1)", "", /agent external:\S+ chose .*, which is not legal/],
])("reports %s in one sentence", async (_what, policy, more, message) => {
  await expect(arena(load(patrol), { agents: [await agent(policy, more)], games: 50 })).rejects.toThrow(message);
});

test("is refused without leave to connect, and by other names than addresses", async () => {
  const game = load(race);
  await expect(makeAgent("external:tcp://127.0.0.1:7600", { game, seed: 0 })).rejects.toThrow(
    /a server doesn't connect to any/,
  );
  for (const name of ["external", "external:", "external:7600", "external:http://a:1", "external:tcp://a"])
    await expect(makeAgent(name, { game, seed: 0, connect: true })).rejects.toThrow(
      /named by its address, such as external:tcp/,
    );
});

test("that isn't there is noticed", async () => {
  await expect(makeAgent("external:tcp://127.0.0.1:9", { game: load(race), seed: 0, connect: true })).rejects.toThrow(
    /the agent at tcp:\/\/127\.0\.0\.1:9 has not answered for 10 s; is there an agent/,
  );
});
