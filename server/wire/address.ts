import { BlockList, isIPv4, isIPv6 } from "node:net";
import { KesselError, shown } from "../../env/index.js";

/** A ZeroMQ address to bind, understood in whole. */
export interface BindAddress {
  /** As ZeroMQ takes it, written again from its parts. */
  readonly text: string;
  /**
   * Programs on other machines can't reach it: a loopback IP address, or a socket in the file system or this process.
   */
  readonly local: boolean;
  readonly ipv6: boolean;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

const TCP = /^tcp:\/\/(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.*_-]+)):(\d{1,5}|\*)$/;
// one path or name; no ; , which ZeroMQ gives a meaning of its own in addresses, and nothing unprintable
const LOCAL = /^(ipc|inproc):\/\/[\x21-\x2b\x2d-\x3a\x3c-\x7e]+$/;

/**
 * Parses an address to bind: `tcp://HOST:PORT` (port `*` takes a free one), `ipc://PATH` or `inproc://NAME`. A host
 * that is a name, such as `localhost`, counts as reachable from outside, whatever it resolves to here and now.
 *
 * @throws KesselError `bad-option` for anything else
 */
export function parseBindAddress(text: string): BindAddress {
  if (LOCAL.test(text)) return { text, local: true, ipv6: false };
  const [, v6, host, port] = TCP.exec(text) ?? [];
  const tcp = v6 === undefined ? host !== undefined : isIPv6(v6);
  if (!tcp || port === undefined || (port !== "*" && Number(port) > 65535))
    throw new KesselError(
      "bad-option",
      `${shown(text)} is no address to bind; give tcp://HOST:PORT, such as tcp://127.0.0.1:7557, or ipc://PATH`,
    );
  if (v6 !== undefined) return { text: `tcp://[${v6}]:${port}`, local: LOOPBACK.check(v6, "ipv6"), ipv6: true };
  return { text: `tcp://${host!}:${port}`, local: isIPv4(host!) && LOOPBACK.check(host!, "ipv4"), ipv6: false };
}
