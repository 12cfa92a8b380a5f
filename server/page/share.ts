import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { KesselError } from "../../env/index.js";
import { allowedHost, isWildcard, LOOPBACK } from "../host-names.js";
import { stateFolder } from "../session/state-folder.js";
import { type Certificate, certificateFor, fingerprintOf } from "./certificate.js";
import type { PageThreadStart } from "./thread.js";

/** Networks of this machine with itself. */
const INNER = /^(?:docker|br-|veth|virbr|vmnet|vEthernet)/;

/** IPv4 addresses under which other machines may reach this one; those of inner networks are last. */
function addresses(): string[] {
  const found = Object.entries(networkInterfaces()).flatMap(([card, all = []]) =>
    all.filter((a) => a.family === "IPv4" && !a.internal).map(({ address }) => ({ address, inner: INNER.test(card) })),
  );
  return found.sort((a, b) => Number(a.inner) - Number(b.inner)).map((a) => a.address);
}

/** A page for other machines. */
export interface Share {
  /** What it changes of a page's start. */
  readonly start: Pick<PageThreadStart, "host" | "allowHosts" | "shared" | "tls">;
  /** What to print about a page that is at `address`, by lines. */
  says(address: string): string[];
}

/**
 * What a page needs that people at other machines open.
 *
 * @param host where it should listen; loopback: everywhere
 * @param allowed names that lead here
 * @param brought a certificate; by default one is made, and kept for the next time
 * @throws KesselError `bad-option` where nobody could reach it
 */
export function shareAt(host: string, allowed: readonly string[], brought: Certificate | null): Share {
  const everywhere = LOOPBACK.includes(host) || isWildcard(host);
  const shared = [...allowed, ...(everywhere ? addresses() : [host])].map(allowedHost);
  if (shared.length === 0)
    throw new KesselError("bad-option", "this machine is on no network: name what leads to it with --allow-host");
  const own = /^[a-z\d-]+$/i.test(hostname()) && everywhere ? [hostname(), `${hostname()}.local`] : [];
  const names = [...new Set([...LOOPBACK, ...shared, ...own].map((name) => name.toLowerCase().replace(/[[\]]/g, "")))];
  const tls = brought ?? certificateFor(names, join(stateFolder(), "page-certificate.pem"));
  return {
    start: {
      host: LOOPBACK.includes(host) ? "0.0.0.0" : host,
      allowHosts: [...shared, ...own],
      shared,
      tls,
    },
    says(address) {
      const at = shared.map((name) => {
        const url = new URL(address);
        url.hostname = name;
        return url.href;
      });
      return [
        `Others open ${at.join(" or ")}`,
        ...(brought === null
          ? [
              "Its certificate is made here, so each browser warns once. Compare the fingerprint (SHA-256) before you go on:",
              fingerprintOf(tls),
              "--page-cert and --page-key bring a certificate that browsers know.",
            ]
          : []),
      ];
    },
  };
}
