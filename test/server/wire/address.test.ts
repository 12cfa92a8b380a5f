import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { parseBindAddress } from "../../../server/wire/address.js";
import { Server } from "../../../server/zmq.js";
import { Peer } from "../ask.js";
import { TOY_LIBRARY } from "../toys.js";

describe("an address to bind", () => {
  it.each([
    ["tcp://127.0.0.1:7557", true],
    ["tcp://127.255.3.9:*", true],
    ["tcp://[::1]:7557", true],
    ["tcp://[0:0:0:0:0:0:0:1]:7557", true],
    ["ipc:///tmp/kessel.sock", true],
    ["ipc://@kessel", true],
    ["inproc://kessel", true],
    ["tcp://0.0.0.0:7557", false],
    ["tcp://*:7557", false],
    ["tcp://192.168.1.9:7557", false],
    ["tcp://128.0.0.1:7557", false],
    ["tcp://localhost:7557", false],
    ["tcp://127.0.0.1.example.org:7557", false],
    ["tcp://127.1:7557", false],
    ["tcp://lo:7557", false],
    ["tcp://[::]:7557", false],
    ["tcp://[::ffff:10.0.0.1]:7557", false],
    ["tcp://[fe80::1]:7557", false],
  ])("%s is local: %s", (text, local) => {
    expect(parseBindAddress(text)).toMatchObject({ text, local });
  });

  it.each([
    "tcp://127.0.0.1:1;0.0.0.0:2",
    "tcp://127.0.0.1;0.0.0.0:2",
    "tcp://0.0.0.0:2;127.0.0.1:1",
    "tcp://127.0.0.1:1,tcp://0.0.0.0:2",
    "tcp://127.0.0.1:1 ",
    "tcp://127.0.0.1:1\ntcp://0.0.0.0:2",
    "tcp://127.0.0.1",
    "tcp://127.0.0.1:65536",
    "tcp://127.0.0.1:!",
    "tcp://[::1:7",
    "tcp://[127.0.0.1]:7",
    "TCP://127.0.0.1:7",
    "ipc://",
    "ipc://a;tcp://0.0.0.0:2",
    "udp://127.0.0.1:7",
    "pgm://127.0.0.1;0.0.0.0:2",
    "",
  ])("%j is none", async (text) => {
    expect(() => parseBindAddress(text)).toThrow(/is no address to bind; give tcp:\/\/HOST:PORT/);
    await expect(Server.start({ ...TOY_LIBRARY, bind: text })).rejects.toThrow(/is no address to bind/);
  });

  it.each(["tcp://0.0.0.0:*", "tcp://*:*", "tcp://localhost:*", "tcp://[::]:*"])(
    "%s is not bound without keys",
    async (bind) => {
      await expect(Server.start({ ...TOY_LIBRARY, bind })).rejects.toThrow(/can be reached from other machines/);
    },
  );

  const ipv6 = Object.values(networkInterfaces()).some((list) => list?.some((i) => i.address === "::1"));
  it.each(["tcp://127.0.0.1:*", ...(ipv6 ? ["tcp://[::1]:*"] : [])])("%s is bound there, and serves", async (bind) => {
    const server = await Server.start({ ...TOY_LIBRARY, bind });
    expect(server.address.replace(/\d+$/, "*")).toBe(bind);
    const peer = new Peer(server.address);
    expect((await peer.ask({ op: "ping" })).header.error).toBeUndefined();
    peer.close();
    await server.close();
  });
});
