import { X509Certificate } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkServerIdentity as identity, connect, createServer, type PeerCertificate } from "node:tls";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { certificateFor } from "../../../server/page/certificate.js";
import { newFolder } from "./guest.js";

const NAMES = ["localhost", "127.0.0.1", "::1", "192.0.2.7", "desk.local"];

test("a certificate holds for each of its names, as TLS clients check it", async () => {
  const tls = certificateFor(NAMES, join(newFolder(), "c.pem"));
  const server = createServer(tls, (socket) => socket.end());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const said = (servername: string): Promise<string> =>
    new Promise((done) => {
      const host = "127.0.0.1";
      const checked = { checkServerIdentity: (_: string, cert: PeerCertificate) => identity(servername, cert) };
      const socket = connect({ host, port, ca: tls.cert, ...checked }, () => done("trusted"));
      socket.on("error", (e) => done(e.message));
    });
  for (const name of NAMES) expect(await said(name)).toBe("trusted");
  expect(await said("evil.example")).toMatch("does not match");
  server.close();
});

test("it holds no longer than browsers take, and is no authority", () => {
  const x509 = new X509Certificate(certificateFor(NAMES, join(newFolder(), "c.pem")).cert);
  expect(x509.ca).toBe(false);
  expect(Date.parse(x509.validTo) - Date.parse(x509.validFrom)).toBeLessThanOrEqual(398 * 86_400_000);
  expect(Date.parse(x509.validFrom)).toBeLessThan(Date.now());
});

test("it is kept for the next start, for its owner's eyes only, and made again where it no longer fits", () => {
  const file = join(newFolder(), "state", "c.pem");
  const first = certificateFor(NAMES, file);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(certificateFor(NAMES.slice(1), file)).toEqual(first);
  const more = certificateFor([...NAMES, "192.0.2.8"], file);
  expect(more.cert).not.toBe(first.cert);
  expect(certificateFor(NAMES, file)).toEqual(more);
  writeFileSync(file, readFileSync(file, "utf8").slice(0, -300));
  const damaged = certificateFor(NAMES, file);
  expect(damaged.cert).not.toBe(more.cert);
  expect(certificateFor(NAMES, file)).toEqual(damaged);
});
