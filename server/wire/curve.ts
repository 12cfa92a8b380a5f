import { readFileSync } from "node:fs";
import { type Context, Reply } from "zeromq";
import { KesselError, shown } from "../../env/index.js";

/** A CURVE key pair, 40 characters of Z85 each. */
export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

const Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
const isKey = (text: unknown): text is string =>
  typeof text === "string" && text.length === 40 && [...text].every((c) => Z85.includes(c));

/** Bytes as ZeroMQ writes keys: five characters for four bytes. */
export function z85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let value = Buffer.from(bytes.subarray(at, at + 4)).readUInt32BE();
    let five = "";
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85)) five = Z85[value % 85]! + five;
    text += five;
  }
  return text;
}

/** @throws KesselError `bad-option` */
export function readKeys(file: string): KeyPair {
  let keys: Partial<KeyPair>;
  try {
    keys = JSON.parse(readFileSync(file, "utf8")) as Partial<KeyPair>;
  } catch (e) {
    throw new KesselError("bad-option", `cannot read keys from ${file}: ${(e as Error).message}`);
  }
  if (keys === null || !isKey(keys.publicKey) || !isKey(keys.secretKey))
    throw new KesselError("bad-option", `${file} holds no key pair; make one with: kessel keys ${file}`);
  return { publicKey: keys.publicKey, secretKey: keys.secretKey };
}

/**
 * Public keys of the clients that may connect: one a line, `#` begins a comment.
 *
 * @throws KesselError `bad-option`
 */
export function readAllowed(file: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (e) {
    throw new KesselError("bad-option", `cannot read ${file}: ${(e as Error).message}`);
  }
  const keys = new Set<string>();
  text.split("\n").forEach((line, i) => {
    const key = line.split(/\s/)[0]!; // Z85 itself has #
    if (key === "" || line.startsWith("# ")) return;
    if (!isKey(key))
      throw new KesselError("bad-option", `${file}, line ${i + 1}: ${shown(key)} is no public key of 40 characters`);
    keys.add(key);
  });
  if (keys.size === 0)
    throw new KesselError("bad-option", `${file} holds no key: write the clients' public keys into it, one a line`);
  return keys;
}

/**
 * Tells libzmq which public keys may connect to the sockets of a context (ZAP, ZeroMQ RFC 27). Open it before they
 * bind.
 */
export class Gatekeeper {
  private readonly socket: Reply;

  constructor(
    context: Context,
    private readonly allowed: ReadonlySet<string>,
    private readonly refused: () => void,
  ) {
    this.socket = new Reply({ context, linger: 0 });
  }

  async open(): Promise<void> {
    await this.socket.bind("inproc://zeromq.zap.01");
    void this.answer();
  }

  close(): void {
    this.socket.close();
  }

  private async answer(): Promise<void> {
    for await (const [version, id, , , , mechanism, key] of this.socket) {
      const welcome = mechanism?.toString() === "CURVE" && key?.length === 32 && this.allowed.has(z85(key));
      if (!welcome) this.refused();
      if (!this.socket.closed)
        await this.socket.send([version!, id!, welcome ? "200" : "400", welcome ? "OK" : "key not allowed", "", ""]);
    }
  }
}
