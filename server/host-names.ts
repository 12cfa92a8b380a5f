import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6, type Socket } from "node:net";
import { domainToASCII } from "node:url";
import { KesselError, shown } from "../env/index.js";

/** Names of this machine that mean no other one. */
export const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** A host and its port, as a Host header names them. */
interface NamedHost {
  /** Lower case; an IPv6 address in its short form, with brackets. */
  readonly name: string;
  readonly port: string | undefined;
}

/** What a client asked for, before any proxy. */
export interface Call {
  /** The Host header that it sent. */
  readonly host: string;
  /** True when it came by TLS. */
  readonly secure: boolean;
  /** Its address. */
  readonly from: string;
}

/** A host as browsers write it. @returns null for what is no host */
function written(name: string): string | null {
  try {
    return new URL(`http://${isIPv6(name) ? `[${name}]` : name}`).hostname;
  } catch {
    return null;
  }
}

function readHost(text: string): NamedHost | null {
  const [, host, port] = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const name = host === undefined ? null : written(host);
  return name === null ? null : { name, port };
}

/** An address of a socket; an IPv4 client of an IPv6 socket has its IPv4 address. */
const plain = (address = ""): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** True when a server that listens there listens at every address of the machine. */
export function isWildcard(host: string): boolean {
  return ["0.0.0.0", "[::]", "[::ffff:0:0]"].includes(written(host) ?? "");
}

/** A name that a command line allows. @throws KesselError `bad-option` where no client could ask under it */
export function allowedHost(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  const ascii = isIP(bare) !== 0 ? bare : domainToASCII(bare);
  const host = readHost(isIPv6(ascii) ? `[${ascii}]` : ascii);
  if (host !== null && host.port === undefined && !isWildcard(bare)) return host.name;
  const inside = /^(?:\w+:\/\/)?(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?(?:\/.*)?$/i.exec(text)?.[1];
  throw new KesselError(
    "bad-option",
    inside === undefined || isWildcard(inside.replace(/^\[(.*)\]$/, "$1"))
      ? `${shown(text)} is no name of a host: give the one in the browser's address, such as play.example.org`
      : `${shown(text)} is more than the name of a host: give ${inside}, without scheme, port and path`,
  );
}

/** Whose `X-Forwarded-*` headers count. Those of others are ignored: anybody can send them. */
export class Proxies {
  private readonly list = new BlockList();

  /** @throws KesselError `bad-option` for what is no address and no network such as 10.0.0.0/8 */
  constructor(addresses: readonly string[]) {
    for (const text of addresses) {
      const [, address = "", bits] = /^([\da-f:.]{2,45})(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
      const family = isIPv6(address) ? "ipv6" : "ipv4";
      const most = family === "ipv6" ? 128 : 32;
      if (isIP(address) === 0 || Number(bits ?? 0) > most)
        throw new KesselError(
          "bad-option",
          `${shown(text)} is no address of a proxy: give that from which it connects, such as 127.0.0.1 or 10.0.0.0/8`,
        );
      if (bits === undefined) this.list.addAddress(address, family);
      else this.list.addSubnet(address, Number(bits), family);
    }
  }

  private has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.list.check(address, family === 6 ? "ipv6" : "ipv4");
  }

  /** @param secure true when this server itself speaks TLS */
  call({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">, secure: boolean): Call {
    const host = headers.host ?? "";
    const near = plain(socket.remoteAddress);
    if (!this.has(near)) return { host, secure, from: near };
    // a proxy appends what it saw to what it was sent: its own word is the last
    const says = (name: string): string[] =>
      String(headers[name] ?? "")
        .split(",")
        .map((word) => word.trim())
        .filter((word) => word !== "");
    const proto = says("x-forwarded-proto").at(-1)?.toLowerCase();
    const way = [...says("x-forwarded-for").map(plain), near];
    return {
      host: says("x-forwarded-host").at(-1) ?? host,
      secure: proto === undefined ? secure : proto === "https",
      from: way.findLast((address) => !this.has(address)) ?? way[0]!,
    };
  }
}

/**
 * Under which names a server answers. A page of another site could reach it under a name of its own that leads here
 * (DNS rebinding).
 */
export class HostNames {
  private readonly own: ReadonlySet<string>;
  private readonly allowed: ReadonlySet<string>;

  /**
   * @param host where the server listens
   * @param allowed names by which a proxy, a tunnel or the network leads here, at any port
   * @throws KesselError `bad-option` for a name under which nobody could ask
   */
  constructor(host: string, allowed: readonly string[]) {
    const own = LOOPBACK.includes(host) || isWildcard(host) ? LOOPBACK : [host];
    this.own = new Set(own.map((name) => written(name) ?? name));
    this.allowed = new Set(allowed.map(allowedHost));
  }

  /** @param socket has the address of this machine that the client reached: no name of another site is one */
  answer(
    { host, secure }: Call,
    { localAddress: here, localPort: port }: Pick<Socket, "localAddress" | "localPort">,
  ): boolean {
    const asked = readHost(host);
    if (asked === null) return false;
    if (this.allowed.has(asked.name)) return true;
    if (Number(asked.port ?? (secure ? 443 : 80)) !== port) return false;
    return this.own.has(asked.name) || asked.name === written(plain(here));
  }

  /** Browsers say which site a request comes from; other programs say nothing. */
  trust({ host, secure }: Call, origin: string | undefined): boolean {
    if (origin === undefined || origin === `${secure ? "https" : "http"}://${host}`) return true;
    // a proxy may have ended TLS, and may name this server in its own way
    const [, site] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
    const named = site === undefined ? null : readHost(site);
    return named !== null && this.allowed.has(named.name);
  }
}
