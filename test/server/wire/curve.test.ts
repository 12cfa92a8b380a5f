import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { curveKeyPair, Dealer } from "zeromq";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAllowed, readKeys, z85 } from "../../../server/wire/curve.js";
import { pack } from "../../../server/wire/msgpack.js";
import { Server } from "../../../server/zmq.js";
import { TOY_LIBRARY } from "../toys.js";

const own = curveKeyPair();
const friend = curveKeyPair();
const stranger = curveKeyPair();
let server: Server;
const logged: string[] = [];
beforeEach(async () => {
  logged.length = 0;
  server = await Server.start({
    ...TOY_LIBRARY,
    bind: "tcp://0.0.0.0:*",
    keys: { own, clients: new Set([friend.publicKey]) },
    log: (event) => logged.push(event),
  });
});
afterEach(() => server.close());

async function ping(keys: Record<string, unknown>, milliseconds: number): Promise<boolean> {
  const socket = new Dealer({ linger: 0, receiveTimeout: milliseconds, ...keys });
  socket.connect(server.address.replace("0.0.0.0", "127.0.0.1"));
  await socket.send(pack({ op: "ping", id: 1 }));
  return socket
    .receive()
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.close());
}
const withKeys = (k: { publicKey: string; secretKey: string }, serverKey = own.publicKey) => ({
  curveServerKey: serverKey,
  curvePublicKey: k.publicKey,
  curveSecretKey: k.secretKey,
});

describe("a server that other machines can reach", () => {
  it("serves a client whose key is on its list", async () => {
    expect(await ping(withKeys(friend), 30_000)).toBe(true);
  });
  it("serves no other client, and goes on", async () => {
    expect(await ping(withKeys(stranger), 1500)).toBe(false);
    expect(logged).toContain("key-refused");
    expect(await ping({}, 1500)).toBe(false);
    expect(await ping(withKeys(friend, stranger.publicKey), 1500)).toBe(false);
    expect(await ping(withKeys(friend), 30_000)).toBe(true);
  });
});

describe("key files", () => {
  const dir = mkdtempSync(join(tmpdir(), "kessel-keys-"));
  const file = (text: string): string => {
    const path = join(dir, "file");
    writeFileSync(path, text);
    return path;
  };
  it("are read, or refused with the reason", () => {
    expect(readKeys(file(JSON.stringify(own)))).toEqual(own);
    expect(() => readKeys(file("{}"))).toThrow(/holds no key pair/);
    expect(() => readKeys(file("null"))).toThrow(/holds no key pair/);
    expect(() => readKeys(join(dir, "none"))).toThrow(/cannot read/);
    expect(readAllowed(file(`# friends\n${friend.publicKey} a friend\n\n`))).toEqual(new Set([friend.publicKey]));
    expect(() => readAllowed(file("abc\n"))).toThrow(/line 1: "abc" is no public key/);
    expect(() => readAllowed(file("\n"))).toThrow(/holds no key/);
  });
  it("z85 is the encoding of RFC 32", () => {
    // the RFC's own example
    expect(z85(Uint8Array.of(0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b))).toBe("HelloWorld");
  });
});
